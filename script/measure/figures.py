"""Stick figures that exercise or do something else, as lines of `kinema pose --format jsonl`.

There are few recordings of people not exercising, and all other clean poses show exercise: without these figures the
score would learn that clean movement means repetition. Both kinds are filmed alike, some by cameras that shake, follow,
zoom or turn.
"""
import json
import numpy as np

JOINTS = ["nose"] + [side + part for part in ("Shoulder", "Elbow", "Wrist", "Hip", "Knee", "Ankle") for side in ("left", "right")]
EXERCISES = ["curl", "raise", "lateral", "press", "squat", "knee", "hinge", "calf", "hop", "lunge", "sidestep", "circle", "twist"]
ASPECTS, RATES = [(1280, 720), (720, 1280), (640, 480)], [30, 30, 30, 25, 15, 60]
STANDING = {"lean": .04, "arms": (.05, .05), "elbows": (.25, .25), "legs": (0, 0), "knees": (.05, .05), "out": (.06, .06)}


def figure(lean, arms, elbows, legs, knees, out):
    """Joints in body heights, frame by frame: x to the body's left, y up, z ahead; angles in radians, left before right.

    Lengths are shares of the body's height from Drillis and Contini (Winter, Biomechanics of Human Movement).
    """
    zero = np.zeros_like(lean)
    def at(x, y, z): return np.stack([zero + x, zero + y, zero + z], 1)
    points, hip, up = {}, at(0, .53, 0), at(0, np.cos(lean), np.sin(lean))
    points["nose"] = hip + .4 * up
    for side, sign, i in (("left", 1, 0), ("right", -1, 1)):
        def limb(angle): return at(sign * np.sin(out[i]), -np.cos(angle) * np.cos(out[i]), np.sin(angle) * np.cos(out[i]))
        shoulder, elbow = hip + .288 * up + [sign * .1, 0, 0], limb(arms[i])
        points[side + "Shoulder"], points[side + "Elbow"] = shoulder, shoulder + .186 * elbow
        points[side + "Wrist"] = shoulder + .186 * elbow + .146 * limb(arms[i] + elbows[i])
        thigh, shank = legs[i], legs[i] - knees[i]
        points[side + "Hip"] = hip + [sign * .06, 0, 0]
        points[side + "Knee"] = points[side + "Hip"] + .245 * at(0, -np.cos(thigh), np.sin(thigh))
        points[side + "Ankle"] = points[side + "Knee"] + .246 * at(0, -np.cos(shank), np.sin(shank))
    return np.stack([points[joint] for joint in JOINTS], 1)


class Play:
    """Random signals over time that drive angles and positions."""

    def __init__(self, random, seconds, rate):
        self.random, self.rate, self.count = random, rate, int(seconds * rate)
        self.time = np.arange(self.count) / rate

    def wander(self, seconds):
        """A smooth random signal of deviation about 1 that takes about `seconds` from one side to the other."""
        width = max(1, seconds * self.rate / 2)
        bell = np.exp(-np.arange(-int(3 * width), int(3 * width) + 1) ** 2 / 2 / width ** 2)
        return np.convolve(self.random.randn(self.count + len(bell) - 1), bell / np.sqrt((bell ** 2).sum()), "valid")

    def reach(self, moves, holds, places=None):
        """Moves between positions in 0...1: a smooth move lasting `moves` seconds, then a hold of `holds`."""
        course, place, at = np.zeros(self.count), self.random.rand() if places is None else places(), 0
        course[:] = place
        at = int(self.random.uniform(*holds) * self.rate * self.random.rand())
        while at < self.count:
            goal = self.random.rand() if places is None else places()
            length = max(2, int(self.random.uniform(*moves) * self.rate))
            part = np.arange(1, length + 1) / length
            end = min(self.count, at + length)
            course[at:end] = (place + (goal - place) * part ** 2 * (3 - 2 * part))[:end - at]
            course[end:] = goal
            place, at = goal, end + int(self.random.uniform(*holds) * self.rate)
        return course

    def strokes(self, length, gaps):
        """Short strokes out and back, of varying strength and spacing."""
        course, at = np.zeros(self.count), self.random.uniform(*gaps)
        while at < self.time[-1]:
            own = length * self.random.uniform(.7, 1.4)
            part = np.clip((self.time - at) / own, 0, 1)
            course += self.random.uniform(.4, 1) * (1 - np.cos(2 * np.pi * part)) / 2
            at += own + self.random.uniform(*gaps)
        return course

    def phase(self, pace, unevenness=.05):
        return 2 * np.pi * np.cumsum(pace * (1 + unevenness * self.wander(2))) / self.rate + self.random.uniform(0, 6)


def still(play):
    """A person who stands almost still."""
    angles = {name: [np.full(play.count, angle) for angle in np.atleast_1d(value)] for name, value in STANDING.items()}
    for courses in angles.values():
        for i in range(len(courses)): courses[i] = courses[i] + .03 * play.wander(2)
    angles.update(turn=.05 * play.wander(3), x=.01 * play.wander(2), y=np.zeros(play.count), grows=np.ones(play.count))
    return angles


def gait(play, body, limp=0, going=1):
    random = play.random
    phase = play.phase(random.uniform(.7, 1.15))
    stride, swing, knee = random.uniform(.25, .5), random.uniform(.05, .6), random.uniform(.3, 1)
    s = np.sin(phase + limp * np.sin(phase)) * going
    body["legs"] = [stride * s, -stride * (1 - limp / 2) * s]
    body["knees"] = [knee * np.maximum(0, np.cos(phase)) * going, knee * (1 - limp) * np.maximum(0, -np.cos(phase)) * going]
    body["arms"] = [-swing * s, swing * s]
    body["elbows"] = [.2 + .2 * swing * np.maximum(0, -s), .2 + .2 * swing * np.maximum(0, s)]
    body["lean"] = [.05 + limp * .15 * np.maximum(0, s)]
    body["y"] = body["y"] + .015 * np.abs(s)


def place(play, body): gait(play, body)


def across(play, body, limp=0):
    gait(play, body, limp)
    body["turn"] = play.random.choice([-1, 1]) * play.random.uniform(1, 1.57) + .1 * play.wander(2)
    body["x"] = np.sign(body["turn"][0]) * (play.time - play.time[-1] / 2) * play.random.uniform(.3, .8)


def limping(play, body): (across if play.random.rand() < .6 else towards)(play, body, play.random.uniform(.25, .7))


def towards(play, body, limp=0):
    gait(play, body, limp)
    end = play.time[-1]
    nearer = .5 * (end + 4) / (end + 4 - play.time)
    body["turn"], body["grows"] = .1 * play.wander(2), nearer if play.random.rand() < .6 else nearer[::-1]


def pacing(play, body):
    """Walks to and fro, with or without a stop."""
    where = 2 * play.reach((1.5, 4), (0, 2.5)) - 1
    speed = np.gradient(where) * play.rate
    gait(play, body, going=np.clip(np.abs(speed) * 3, 0, 1))
    body["x"] = where * play.random.uniform(.4, 1)
    body["turn"] = np.convolve(np.sign(speed + 1e-9) * 1.4, np.ones(play.rate // 2 + 1) / (play.rate // 2 + 1), "same")


def sway(play, body):
    way = np.sin(play.phase(play.random.uniform(.2, .5), .1)) * play.random.uniform(.02, .1)
    body["x"], body["out"] = body["x"] + way * .3, [.05 + way, .05 - way]


def talk(play, body):
    speed = play.random.uniform(.3, 1)
    a = [play.wander(speed) for _ in range(4)]
    body["arms"], body["elbows"] = [.35 + .3 * a[0], .35 + .3 * a[1]], [1.1 + .7 * a[2], 1.1 + .7 * a[3]]
    body["turn"] = body["turn"] + .2 * play.wander(2)


def gesture(play, body):
    """Gestures with one or both hands while talking, then rests."""
    beat = play.strokes(play.random.uniform(.3, .7), (0, play.random.uniform(.3, 3)))
    other = beat if play.random.rand() < .5 else play.strokes(.5, (.2, 4))
    body["arms"], body["elbows"] = [.3 + .5 * beat, .3 + .5 * other], [.9 + .8 * beat + .2 * play.wander(.6), .9 + .8 * other + .2 * play.wander(.6)]


def fling(play, body):
    """Both arms keep moving to new positions together, without a rest."""
    beats = np.cumsum(play.random.uniform(.3, 1, 200))
    beats = np.concatenate([[0], beats[:np.searchsorted(beats, play.time[-1]) + 1]])
    now = np.searchsorted(beats, play.time, "right")
    part = (play.time - beats[now - 1]) / (beats[now] - beats[now - 1])
    def course(most):
        places = most * play.random.rand(len(beats))
        return places[now - 1] + (places[now] - places[now - 1]) * (1 - np.cos(np.pi * part)) / 2
    most = play.random.uniform(.5, 1.5)
    for name, reach in (("arms", .8), ("elbows", 1.8), ("out", .3)): body[name] = [course(most * reach), course(most * reach)]


def turn(play, body): body["turn"] = play.random.uniform(.5, 1.4) * play.wander(play.random.uniform(.8, 3))


def cook(play, body):
    """Reaches around on a table, stirs or cuts briefly, bends and turns to fetch things."""
    for i in range(2):
        small = play.strokes(play.random.uniform(.2, .5), (.05, .3)) * (play.reach((.2, .4), (.5, 3)) > .7)
        body["arms"][i] = .5 + .9 * play.reach((.3, 1), (.1, 2)) + .15 * small
        body["elbows"][i] = 1.2 - .7 * play.reach((.3, 1), (.1, 2)) + .3 * small
    body["lean"] = [.1 + .2 * play.reach((.6, 1.2), (1, 4))]
    body["turn"], body["x"] = body["turn"] + 2 * (play.reach((.6, 1.2), (1, 5)) - .5), .4 * (play.reach((1, 2), (1, 6)) - .5)


def bend(body, depth, arms=.6):
    """Bends the knees down to seat height."""
    body["legs"], body["knees"] = [1.45 * depth + a for a in body["legs"]], [1.5 * depth + a for a in body["knees"]]
    body["lean"] = [body["lean"][0] + .5 * depth * (1 - depth) * 2]
    body["arms"] = [a + arms * depth for a in body["arms"]]
    body["y"] = body["y"] + .245 * (np.cos(1.45 * depth) - 1)


def sit(play, body):
    """Sits down or gets up once, while talking or fidgeting."""
    down = np.clip((play.time - play.random.uniform(.15, .8) * play.time[-1]) / play.random.uniform(.8, 2.5), 0, 1)
    down = down ** 2 * (3 - 2 * down)
    if play.random.rand() < .5: talk(play, body)
    bend(body, down if play.random.rand() < .6 else 1 - down)


def seated(play, body):
    """Sits and types, reads or fidgets."""
    bend(body, np.ones(play.count))
    for i in range(2):
        body["arms"][i] = body["arms"][i] + .2 + .3 * play.reach((.3, 1), (.5, 6))
        body["elbows"][i] = 1 + .5 * play.reach((.3, 1), (.5, 6)) + .1 * play.wander(.2)
    body["lean"] = [.1 + .3 * play.reach((.5, 1.5), (1, 6))]


def stretch(play, body):
    """Slowly takes a posture, holds it for long, then perhaps takes another one."""
    moves, holds = (1, 3), (3, 12)
    for i in range(2):
        body["arms"][i] = body["arms"][i] + play.random.uniform(0, 3) * play.reach(moves, holds)
        body["out"][i] = body["out"][i] + play.random.uniform(0, 1) * play.reach(moves, holds)
        body["elbows"][i] = body["elbows"][i] + play.random.uniform(0, 1.5) * play.reach(moves, holds)
    body["lean"] = [body["lean"][0] + play.random.uniform(-.2, 1.3) * play.reach(moves, holds)]
    body["legs"][0] = body["legs"][0] + play.random.uniform(0, 1) * play.reach(moves, holds)
    body["knees"][1] = body["knees"][1] + play.random.uniform(0, 1) * play.reach(moves, holds)


def box(play, body):
    """Dances around and strikes with either arm at irregular intervals."""
    bounce = np.abs(np.sin(play.phase(play.random.uniform(.6, 1.4), .2)))
    for i in range(2):
        hit = play.strokes(play.random.uniform(.25, .45), (.1, play.random.uniform(.6, 3)))
        body["arms"][i], body["elbows"][i] = .5 + .9 * hit + .1 * play.wander(.4), 2.1 - 1.9 * hit + .15 * play.wander(.4)
    body["legs"], body["knees"] = [.3 + .1 * bounce, -.1 + .1 * bounce], [.3 + .2 * bounce] * 2
    body["y"], body["turn"] = -.03 * bounce, body["turn"] + .5 + .3 * play.wander(1)


def instrument(play, body):
    """One arm bows or strums with quick, small, uneven strokes; the other changes its grip."""
    bow = np.sin(play.phase(np.exp(play.random.uniform(-1, 1.2)) * (1 + .5 * play.reach((.2, .5), (.5, 3))), .3))
    way = play.random.uniform(.05, .5) * (.4 + .6 * play.reach((.2, .5), (.5, 4))) * bow
    one = play.random.randint(2)
    body["arms"][one], body["elbows"][one] = .7 + .4 * way + .05 * play.wander(.5), 1.5 - way
    body["arms"][1 - one], body["elbows"][1 - one] = .8 + .15 * play.reach((.2, .5), (.3, 2)), 1.6 + .2 * play.reach((.2, .5), (.3, 2))
    body["lean"] = [.1 + .06 * play.wander(1)]
    if play.random.rand() < .4: bend(body, np.ones(play.count))


def nothing(play, body): pass


def fetch(play, body):
    """Walks in, bends down once to pick something up, walks away."""
    pacing(play, body)
    down = play.strokes(2, (play.time[-1] * .3, play.time[-1]))
    body["lean"] = [body["lean"][0] + 1.2 * down]
    body["knees"] = [k + .6 * down for k in body["knees"]]


IDLE = [place, across, towards, sway, talk, turn, limping, pacing, gesture, cook, sit, seated, stretch, box, instrument, nothing, fetch]


def camera(play):
    """The similarity transform of each frame due to camera movement: scale, angle, shift in picture heights."""
    kind, scales, angles = play.random.choice(["tripod", "tripod", "shakes", "zooms", "pans"]), np.ones(play.count), np.zeros(play.count)
    shift = np.zeros((play.count, 2))
    if kind == "shakes":
        strength, pace = play.random.uniform(.003, .02), play.random.uniform(.15, .8)
        shift, angles = strength * np.stack([play.wander(pace), play.wander(pace)], 1), strength * play.wander(pace)
    elif kind == "zooms": scales = np.exp(play.random.uniform(-.5, .5) * (play.reach((1, 5), (0, 5)) - .5))
    elif kind == "pans": shift[:, 0] = play.random.uniform(-.4, .4) * (play.reach((1, 5), (0, 5)) - .5)
    return scales, angles, shift


def filmed(play, body, yaw):
    """The frames of `lines`: positions in the picture, positions in space, confidences, the camera."""
    random = play.random
    size, (width, height) = random.uniform(.3, .8), ASPECTS[random.randint(len(ASPECTS))]
    scales, angles, shift = camera(play)
    follows, ratio = random.rand() < .2, width / height
    # Joints on the far side are detected less well; errors last for some frames, and a few are gross.
    noise = random.uniform(.001, .006) * np.array([1, .7, .7, 1, 1, 1.6, 1.6, .7, .7, 1, 1, 1.3, 1.3])[None, :, None]
    slow = np.stack([[play.wander(.15) for _ in range(3)] for _ in JOINTS]).transpose(2, 0, 1)
    error = noise * (.6 * random.randn(play.count, len(JOINTS), 3) + .8 * slow)
    gross = random.rand(play.count, len(JOINTS), 1) < (.002 if random.rand() < .3 else 0)
    error = error + gross * random.randn(*error.shape) * .1
    joints = figure(**{name: course[0] if name == "lean" else course for name, course in body.items() if name in STANDING})
    c, s = np.cos(yaw + body["turn"])[:, None], np.sin(yaw + body["turn"])[:, None]
    x = joints[..., 0] * c + joints[..., 2] * s + (0 if follows else 1) * body["x"][:, None] + error[..., 0]
    y = joints[..., 1] + body["y"][:, None] + error[..., 1]
    z = joints[..., 2] * c - joints[..., 0] * s + 3 * error[..., 2]
    seen = np.stack([x, y - .5], 2) * (size * body["grows"])[:, None, None]
    cosine, sine = scales * np.cos(angles), scales * np.sin(angles)
    turned = np.stack([np.stack([cosine, -sine], 1), np.stack([sine, cosine], 1)], 1)
    middle = np.array([ratio / 2, .5])
    places = (np.einsum("kij,knj->kni", turned, seen) + middle + shift[:, None]) / [ratio, 1]
    # The background moves by the same similarity, about the picture's centre.
    moves = np.stack([cosine, sine, *(middle + shift - turned @ middle).T], 1)
    space, sure = np.stack([x, y - .53, z], 2) * 1.75, np.clip(.95 - 20 * np.abs(error[..., :2]).max(2), .3, 1)
    for k in range(play.count):
        yield places[k], space[k], sure[k], None if follows else moves[k].tolist(), (width, height), k / play.rate


def idle(seed):
    """A person who does one or two things without repeating them as exercise."""
    random = np.random.RandomState(seed)
    kind = IDLE[seed % len(IDLE)]
    play = Play(random, random.uniform(6, 25), RATES[random.randint(len(RATES))])
    body = still(play)
    kind(play, body)
    return [], filmed(play, body, random.uniform(-1, 1) * np.pi / 2 * (kind not in (across, towards, pacing, limping, fetch)))


def swaying(seed):
    """A person who stands almost still and sways evenly."""
    random = np.random.RandomState(seed)
    play = Play(random, random.uniform(8, 30), RATES[random.randint(len(RATES))])
    body = still(play)
    def wave(): return np.sin(2 * np.pi * play.time / random.uniform(1.5, 6) + random.uniform(0, 6))
    body["lean"] = [.04 + random.uniform(0, .04) * wave()]
    body["x"] = body["x"] + random.uniform(0, .015) * wave()
    return [], filmed(play, body, random.uniform(-1, 1) * np.pi / 2)


def wild(seed):
    """A person who flings the arms around, which looks most like exercise."""
    random = np.random.RandomState(seed)
    play = Play(random, random.uniform(6, 25), RATES[random.randint(len(RATES))])
    body = still(play)
    fling(play, body)
    return [], filmed(play, body, random.uniform(-1, 1) * np.pi / 2)


def turns(seed):
    """A person who moves the sides alternately, each from rest to rest."""
    return exercise(seed, ("curl", "raise", "lateral", "press", "knee", "lunge")[seed % 6], "turns")


def quick(seed):
    """A person who repeats a movement about three times a second."""
    random = np.random.RandomState(seed + 5000)
    return exercise(seed, ("raise", "lateral", "press", "squat", "knee", "hop")[seed % 6], "both", random.uniform(.28, .5), random.randint(6, 40))


def jump(seed):
    """A person who jumps with both legs from a dip, into a dip: takeoff and landing are one repetition."""
    random, count = np.random.RandomState(seed), np.random.RandomState(seed).randint(1, 9)
    time, after, pause = random.choice([.5, 1, 2]), random.choice([.5, 1, 2]), random.choice([0, .3, 1, 2])
    spans = []
    for _ in range(count):
        down, push, flight, land, up = (random.uniform(*span) for span in ((.3, .7), (.18, .3), (.3, .6), (.15, .3), (.3, .7)))
        spans.append(time + np.cumsum([0, down, push, flight, land, up]))
        time = spans[-1][-1] + pause * random.uniform(.5, 1.5)
    play = Play(random, time + after, RATES[random.randint(len(RATES))])
    body, whole, height, arms = still(play), np.zeros(play.count), np.zeros(play.count), np.zeros(play.count)
    depths, swings = random.uniform(.35, .9, 2), random.rand() < .4
    for start, low, off, on, lowest, end in spans:
        def way(begin, to): return np.clip((play.time - begin) / (to - begin), 0, 1)
        dip, landing = way(start, low) - way(low, off), way(on, lowest) - way(lowest, end)
        whole += depths[0] * (1 - np.cos(np.pi * dip)) / 2 + depths[1] * (1 - np.cos(np.pi * landing)) / 2
        # 9.81 m/s² in body heights of 1.75 m.
        height += 9.81 / 1.75 / 2 * (on - off) ** 2 * way(off, on) * (1 - way(off, on))
        arms += np.sin(np.pi * way(low, lowest)) * random.uniform(1, 2.5) - .8 * np.sin(np.pi * way(start, off))
    body["legs"], body["knees"], body["lean"] = [1.4 * whole] * 2, [2.2 * whole] * 2, [.03 + .6 * whole]
    body["y"] = .245 * (np.cos(1.4 * whole) - 1) + .246 * (np.cos(.8 * whole) - 1) + height
    if swings: body["arms"] = [arms] * 2
    else: body["arms"], body["elbows"] = [np.full(play.count, random.uniform(.1, .5))] * 2, [np.full(play.count, random.uniform(.3, 1.9))] * 2
    return [(span[0], span[-1]) for span in spans], filmed(play, body, random.uniform(-1, 1) * np.pi / 2)


def exercise(seed, kind=None, limbs=None, period=None, count=None):
    """A person who repeats a movement of one arm or leg, of both in turn, of both at once or of the whole body."""
    random, kind = np.random.RandomState(seed), kind or EXERCISES[seed % len(EXERCISES)]
    sides = random.choice(["both", "left", "right", "turns"])
    chosen = np.exp(random.uniform(np.log(.6), np.log(6)))
    many, pause = max(1, min(random.randint(1, 13), int(30 / chosen))), random.choice([0, 0, .3, 1]) * random.uniform(.5, 1.5)
    limbs, isQuick, period, count = limbs or sides, period is not None, period or chosen, count or many
    if isQuick: pause = 0
    time, after = (random.choice([0, 1, 2, 4, 7]) * random.uniform(.5, 1) for _ in range(2))
    # Heels rise by a twentieth of the body's height, hops by a little more; hops are quick and numerous.
    rise = random.uniform(.03, .06) if kind == "calf" else random.uniform(.03, .12)
    if kind == "hop" and not isQuick: period, pause, count = random.uniform(.3, .8), 0, random.randint(4, 31)
    truth, start = [], time
    for _ in range(count):
        length = period * random.uniform(.85, 1.15)
        truth.append((time, time + length, random.uniform(.8, 1)))
        time += length + pause
    play = Play(random, max(2, time + after), RATES[random.randint(len(RATES))])
    body = still(play)
    # Many do something else before and after.
    around = random.choice([nothing, nothing, talk, pacing, fetch, cook])
    other = still(play)
    around(play, other)
    inside = np.clip(np.minimum(play.time - start, time - pause - play.time) / .4 + 1, 0, 1)
    inside = inside ** 2 * (3 - 2 * inside)
    if start < 1: inside[play.time < start] = 1
    depth = np.zeros((2, play.count))
    # A hold at the turn, and a return slower than the way out.
    turn, hold = random.uniform(.35, .6), random.choice([0, 0, .15, .3])
    for i, (begin, end, most) in enumerate(truth):
        part = np.clip((play.time - begin) / (end - begin), 0, 1)
        way = np.where(part < turn, part / turn / 2, .5 + np.maximum(0, part - turn - hold * (1 - turn)) / (1 - turn) / (1 - hold) / 2)
        course = most * (1 - np.cos(2 * np.pi * way)) / 2
        for place in range(2):
            if limbs == "both" or limbs == ("left", "right")[place] or limbs == "turns" and i % 2 == place: depth[place] += course
    whole = depth.max(0)
    if kind == "curl": body["elbows"] = [.2 + 2.1 * d for d in depth]
    elif kind == "raise": body["arms"] = [1.5 * d for d in depth]
    elif kind == "lateral": body["out"] = [.05 + 1.4 * d for d in depth]
    elif kind == "press": body["arms"], body["elbows"] = [1 + 2 * d for d in depth], [1.9 - 1.7 * d for d in depth]
    elif kind == "knee": body["legs"], body["knees"] = [1.4 * d for d in depth], [1.6 * d for d in depth]
    elif kind in ("calf", "hop"): body["y"] = rise * whole
    elif kind == "hinge": body["lean"], body["arms"] = [.03 + 1.3 * whole], [1.2 * whole] * 2
    elif kind == "lunge":
        side = depth[0] - depth[1] if limbs == "turns" else whole
        body["legs"], body["knees"] = [1.2 * whole * (side > 0) - .2 * whole * (side <= 0), 1.2 * whole * (side < 0) - .2 * whole * (side >= 0)], [1.3 * whole] * 2
        body["y"] = .2 * (np.cos(1.2 * whole) - 1)
    elif kind == "sidestep": body["x"], body["out"] = body["x"] + .3 * (depth[0] - depth[1] if limbs == "turns" else whole), [.05 + d for d in depth]
    elif kind == "circle":
        body["arms"], body["out"] = [1.5 * d for d in depth], [.05 + .8 * np.gradient(d) * play.rate * period / 4 for d in depth]
    elif kind == "twist": body["turn"] = body["turn"] + .9 * (depth[0] - depth[1] if limbs == "turns" else whole)
    else:
        body["legs"], body["knees"], body["lean"], body["arms"] = [1.4 * whole] * 2, [2.2 * whole] * 2, [.03 + .6 * whole], [1.2 * whole] * 2
        body["y"] = .245 * (np.cos(1.4 * whole) - 1) + .246 * (np.cos(.8 * whole) - 1)
    for name, courses in body.items():
        if isinstance(courses, list): body[name] = [inside * one + (1 - inside) * two for one, two in zip(courses, other[name])]
        else: body[name] = inside * courses + (1 - inside) * other[name]
    return [(begin, end) for begin, end, _ in truth], filmed(play, body, random.uniform(-1, 1) * np.pi / 2)


def against(seed):
    """A person who moves one side out while the other returns, without a rest: a cycle of both is one repetition."""
    random = np.random.RandomState(seed)
    kind, period, count = ("curl", "raise", "lateral", "press", "knee", "swing")[seed % 6], np.exp(random.uniform(np.log(.7), np.log(4))), random.randint(3, 13)
    time, after = (random.choice([0, 1, 2, 4]) * random.uniform(.5, 1) for _ in range(2))
    play = Play(random, time + count * period + after, RATES[random.randint(len(RATES))])
    body, truth, start = still(play), [], time
    way = np.zeros(play.count)
    for _ in range(count):
        length = period * random.uniform(.9, 1.1)
        way += np.clip((play.time - time) / length, 0, 1)
        truth.append((time, time + length))
        time += length
    course = np.sin(2 * np.pi * way) * random.uniform(.7, 1)
    inside = np.clip(np.minimum(play.time - start, time - play.time) / .3 + 1, 0, 1)
    depth = [inside * (1 + sign * course) / 2 for sign in (1, -1)]
    if kind == "curl": body["elbows"] = [.2 + 2.1 * d for d in depth]
    elif kind == "raise": body["arms"] = [1.5 * d for d in depth]
    elif kind == "lateral": body["out"] = [.05 + 1.4 * d for d in depth]
    elif kind == "press": body["arms"], body["elbows"] = [1 + 2 * d for d in depth], [1.9 - 1.8 * d for d in depth]
    elif kind == "knee": body["legs"], body["knees"] = [1.4 * np.clip(2 * d - 1, 0, 1) for d in depth], [1.6 * np.clip(2 * d - 1, 0, 1) for d in depth]
    else: body["arms"] = [.8 * inside * sign * course for sign in (1, -1)]
    return truth, filmed(play, body, random.uniform(-1, 1) * np.pi / 2)


def recorded(markers, seed):
    """The frames of a UI-PRMD recording from one of six directions: markers in millimetres, x ahead, y left, z up."""
    random = np.random.RandomState(seed)
    yaw, noise = random.choice([0, .6, -.6, 1.2, -1.2, 1.57]) + random.uniform(-.2, .2), random.uniform(.0005, .004)
    joints = markers[:, [0, *range(3, 15)]].astype(float)
    joints[joints < -32000] = np.nan
    x = -(joints[..., 1] * np.cos(yaw) + joints[..., 0] * np.sin(yaw))
    y, z = joints[..., 2], joints[..., 0] * np.cos(yaw) - joints[..., 1] * np.sin(yaw)
    places = np.stack([x - np.nanmedian(x), y - np.nanmin(y), z], 2) / (np.nanmax(y[:25]) - np.nanmin(y))
    places += noise * random.randn(*places.shape)
    for index, place in enumerate(places):
        # A lost marker has no position and no confidence.
        sure, place = np.where(np.isnan(place).any(1), 0, .95), np.nan_to_num(place)
        yield place[:, :2] * [.7 * 3 / 4, .7] + [.5, .1], place * 1.75, sure, None, (640, 480), index / 25


def lines(frames):
    for index, (picture, space, sure, move, (width, height), time) in enumerate(frames):
        keypoints = {joint: [round(x, 5), round(y, 5), round(c, 3)] for joint, (x, y), c in zip(JOINTS, picture, sure)}
        metres = {joint: [*(round(v, 4) for v in point), round(c, 3)] for joint, point, c in zip(JOINTS, space, sure)}
        low, high = picture.min(0), picture.max(0)
        person = {"id": 1, "shot": 0, "confidence": 1, "box": [*low, *(high - low)], "keypoints": keypoints, "keypoints3D": metres}
        line = {"frame": index, "time": round(time, 5), "people": [person], "hands": [], "width": width, "height": height}
        yield json.dumps(line if move is None else {**line, "camera": [round(v, 6) for v in move]}) + "\n"


def errors(poses, truth):
    """The offsets of detected joints from the true ones, frame by frame, torso lengths, and their confidences."""
    scene = json.load(open(truth))
    aspect, true = np.array([scene["width"] / scene["height"], 1]), scene["people"][0]["frames"]
    found = []
    for number, line in enumerate(open(poses)):
        people = json.loads(line)["people"]
        there = true[number].get("keypoints", {}) if number < len(true) else {}
        if not people or any(joint not in there or joint not in people[0]["keypoints"] for joint in JOINTS): continue
        own, right = (np.array([points[joint] for joint in JOINTS]) for points in (people[0]["keypoints"], there))
        right = right[:, :2] * aspect
        found.append((np.clip((own[:, :2] * aspect - right) / torso(right), -.8, .8), own[:, 2]))
    return found if len(found) > 60 else None


def torso(points):
    """From the midpoint of the shoulders to that of the hips, picture heights; never zero."""
    return max(.03, np.linalg.norm(points[1] + points[2] - points[7] - points[8]) / 2)


def drawn(truth, errors, seed):
    """A scene's true joints plus the errors of poses detected in another, forwards or backwards, mirrored or not."""
    scene, random = json.load(open(truth)), np.random.RandomState(seed)
    rate, aspect = scene["frameRate"]["timescale"] / scene["frameRate"]["ticksPerFrame"], np.array([scene["width"] / scene["height"], 1])
    others, side, step = errors[random.randint(len(errors))], random.choice([-1, 1]), random.choice([-1, 1])
    first = random.randint(len(others))
    for number, frame in enumerate(scene["people"][0]["frames"]):
        there, people, time = frame.get("keypoints", {}), [], number / rate
        if not frame.get("isHidden") and all(joint in there for joint in JOINTS):
            place = (first + step * number) % (2 * len(others) - 2)
            error, sure = others[min(place, 2 * len(others) - 2 - place)]
            true, seen = (np.array([there[joint][part] for joint in JOINTS]) for part in (slice(2), 2))
            points = true + error * [side, 1] * torso(true * aspect) / aspect
            shot = sum(time >= cut - 1e-6 for cut in scene["cuts"])
            keypoints = {joint: [*(round(x, 5) for x in point), round(c, 3)]
                         for joint, point, c in zip(JOINTS, points, np.where(seen == 0, .3, 1) * sure)}
            people = [{"id": 1 + shot, "shot": shot, "confidence": 1, "box": [*points.min(0), *np.ptp(points, 0)], "keypoints": keypoints}]
        yield json.dumps({"frame": number, "time": round(time, 5), "people": people, "hands": [], "width": scene["width"], "height": scene["height"]}) + "\n"
