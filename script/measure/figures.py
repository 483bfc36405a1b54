"""Figures of rods that walk, sway, talk, turn or exercise, as lines of `kinema pose --format jsonl`.

Recordings of people who do not exercise are few, and clean poses are otherwise all of people who do: without these the
score would learn that whatever is clean is a repetition.
"""
import json
import numpy as np

JOINTS = ["nose"] + [side + part for part in ("Shoulder", "Elbow", "Wrist", "Hip", "Knee", "Ankle") for side in ("left", "right")]
IDLE = ["place", "across", "towards", "sway", "talk", "turn"]
EXERCISES = ["curl", "raise", "lateral", "press", "squat", "knee", "hinge", "calf", "hop"]
RATE, ASPECT = 30, 16 / 9


def figure(lean, arms, elbows, legs, knees, out):
    """Joints in body heights: x to the body's left, y up, z ahead; angles in radians, left before right.

    Lengths are shares of the body's height from Drillis and Contini (Winter, Biomechanics of Human Movement).
    """
    points, hip, up = {}, np.array([0, .53, 0]), np.array([0, np.cos(lean), np.sin(lean)])
    points["nose"] = hip + .4 * up
    for side, sign, i in (("left", 1, 0), ("right", -1, 1)):
        def limb(angle): return np.array([sign * np.sin(out[i]), -np.cos(angle) * np.cos(out[i]), np.sin(angle) * np.cos(out[i])])
        shoulder, elbow = hip + .288 * up + [sign * .1, 0, 0], limb(arms[i])
        points[side + "Shoulder"], points[side + "Elbow"] = shoulder, shoulder + .186 * elbow
        points[side + "Wrist"] = shoulder + .186 * elbow + .146 * limb(arms[i] + elbows[i])
        thigh, shank = legs[i], legs[i] - knees[i]
        points[side + "Hip"] = hip + [sign * .06, 0, 0]
        points[side + "Knee"] = points[side + "Hip"] + .245 * np.array([0, -np.cos(thigh), np.sin(thigh)])
        points[side + "Ankle"] = points[side + "Knee"] + .246 * np.array([0, -np.cos(shank), np.sin(shank)])
    return np.array([points[joint] for joint in JOINTS])


def seen(body, yaw, scale, moved, noise, random):
    """Shares of the picture, y up, and metres in space, from a camera far away."""
    c, s = np.cos(yaw), np.sin(yaw)
    x, z = body[:, 0] * c + body[:, 2] * s, body[:, 2] * c - body[:, 0] * s
    error = random.randn(len(body), 3) * noise
    picture = np.stack([.5 + (x + moved[0] + error[:, 0]) * scale / ASPECT, .12 + (body[:, 1] + moved[1] + error[:, 1]) * scale], 1)
    return picture, np.stack([x + error[:, 0], body[:, 1] - .53 + error[:, 1], z + 3 * error[:, 2]], 1) * 1.75


def idle(seed):
    """Somebody who walks in place, across or towards the camera, sways, talks with the hands or turns about."""
    random, kind = np.random.RandomState(seed), IDLE[seed % len(IDLE)]
    count = int(RATE * random.uniform(6, 20))
    yaw = {"towards": 0, "across": random.choice([-1, 1]) * random.uniform(1, 1.57)}.get(kind, random.uniform(-1, 1) * np.pi / 2)
    pace = random.uniform(.7, 1.15) * (1 + .05 * np.cumsum(random.randn(count)) / np.sqrt(RATE))
    phase = 2 * np.pi * np.cumsum(pace) / RATE + random.uniform(0, 6)
    stride, swing, knee = random.uniform(.25, .5), random.uniform(.05, .6), random.uniform(.3, 1)
    noise, size = random.uniform(.001, .005), random.uniform(.3, .8)
    ways = [np.cumsum(random.randn(count)) / RATE for _ in range(5)]
    frames = []
    for k in range(count):
        t, s, turn, moved, scale = k / RATE, np.sin(phase[k]), 0, [0, 0], size
        def wander(i, reach, speed): return reach * np.sin(speed * t * (1 + .3 * i) + 3 * ways[i][k] + i)
        if kind in IDLE[:3]:
            body = figure(.05, (-swing * s, swing * s), [.2 + .2 * swing * max(0, way) for way in (-s, s)], (stride * s, -stride * s),
                          [knee * max(0, way) for way in (np.cos(phase[k]), -np.cos(phase[k]))], (.05, .05))
            moved = [(t - count / RATE / 2) * .7 if kind == "across" else 0, .015 * abs(s)]
            if kind == "towards": scale = size * .5 * (count / RATE + 4) / (count / RATE + 4 - t)
        elif kind == "sway":
            way = .08 * np.sin(2 * np.pi * pace[0] * .4 * t)
            body = figure(.02 * s, (.03 * s, -.03 * s), (.2, .2), (0, 0), (0, 0), (.05 + way, .05 - way))
            body[:, 0] += .6 * way * body[:, 1]
        elif kind == "talk":
            a = [wander(i, .45, 2.4) for i in range(4)]
            body = figure(.03, (.35 + a[0], .35 + a[1]), (1.1 + 1.2 * a[2], 1.1 + 1.2 * a[3]), (0, 0), (0, 0), (.1, .1))
        else:
            body, turn = figure(.03, (0, 0), (.2, .2), (0, 0), (0, 0), (.05, .05)), wander(2, 1.2, .8)
        frames.append(seen(body, yaw + turn, scale, moved, noise, random))
    return [], frames


def exercise(seed):
    """Somebody who repeats a movement of one arm or leg, of both in turn, of both at once or of the whole body."""
    random, kind = np.random.RandomState(seed), EXERCISES[seed % len(EXERCISES)]
    limbs, period = random.choice(["both", "left", "right", "turns"]), np.exp(random.uniform(np.log(.6), np.log(5)))
    count, pause = max(1, min(random.randint(1, 13), int(25 / period))), random.choice([0, 0, .3, 1]) * random.uniform(.5, 1.5)
    time, after = (random.choice([0, 1, 2, 4]) * random.uniform(.5, 1) for _ in range(2))
    yaw, size, noise = random.uniform(-1, 1) * np.pi / 2, random.uniform(.3, .8), random.uniform(.001, .005)
    # Heels go up by a twentieth of the body's height, hops a little more; hops are quick and many.
    rise = random.uniform(.03, .06) if kind == "calf" else random.uniform(.03, .12)
    if kind == "hop": period, pause, count = random.uniform(.3, .8), 0, random.randint(4, 31)
    truth = []
    for _ in range(count):
        length = period * random.uniform(.85, 1.15)
        truth.append((time, time + length, random.uniform(.8, 1)))
        time += length + pause
    total = int(RATE * max(2, time + after))
    drift = np.cumsum(random.randn(5, total), 1) * .004
    frames = []
    for k in range(total):
        depth = [0, 0]
        for i, (start, end, most) in enumerate(truth):
            if start <= k / RATE < end:
                way = most * (1 - np.cos(2 * np.pi * (k / RATE - start) / (end - start))) / 2
                depth = [way * (limbs in ("both", side) or limbs == "turns" and i % 2 == place) for place, side in enumerate(("left", "right"))]
        whole, high = max(depth), 0
        lean, arms, elbows, legs, knees, out = .03 + drift[4, k], drift[:2, k], .2 + drift[2:4, k], [0, 0], [0, 0], [.05, .05]
        if kind == "curl": elbows = [.2 + 2.1 * d for d in depth]
        elif kind == "raise": arms = [1.5 * d for d in depth]
        elif kind == "lateral": out = [.05 + 1.4 * d for d in depth]
        elif kind == "press": arms, elbows = [1 + 2 * d for d in depth], [1.9 - 1.7 * d for d in depth]
        elif kind == "knee": legs, knees = [1.4 * d for d in depth], [1.6 * d for d in depth]
        elif kind in ("calf", "hop"): high = rise * whole
        elif kind == "hinge": lean, arms = 1.3 * whole, [1.2 * whole] * 2
        else:
            legs, knees, lean, arms = [1.4 * whole] * 2, [2.2 * whole] * 2, .6 * whole, [1.2 * whole] * 2
            high = .245 * (np.cos(1.4 * whole) - 1) + .246 * (np.cos(.8 * whole) - 1)
        frames.append(seen(figure(lean, arms, elbows, legs, knees, out), yaw, size, [0, high], noise, random))
    return [(start, end) for start, end, _ in truth], frames


def lines(frames):
    for index, (picture, space) in enumerate(frames):
        keypoints = {joint: [round(x, 5), round(y, 5), .95] for joint, (x, y) in zip(JOINTS, picture)}
        metres = {joint: [*(round(v, 4) for v in point), .95] for joint, point in zip(JOINTS, space)}
        low, high = picture.min(0), picture.max(0)
        person = {"id": 1, "shot": 0, "confidence": 1, "box": [*low, *(high - low)], "keypoints": keypoints, "keypoints3D": metres}
        yield json.dumps({"frame": index, "time": round(index / RATE, 5), "people": [person], "hands": [], "width": 1280, "height": 720}) + "\n"
