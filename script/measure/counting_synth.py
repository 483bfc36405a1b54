#!/usr/bin/env python3
"""Makes body poses over time with known repetitions: a jointed figure that exercises and does everyday things, filmed and found badly.

    python counting_synth.py --samples N --seed S --out FILE [--shared FOLDER] [--scenes FOLDER] [--kinds SHARE]

A network that is to count what it has never seen has to see many kinds of movement, not many of each: the exercises of
`counting_motion`, movements of postures drawn at random, captured motion repeated, and scenes of `kinema synth`; and what
is not counted around and instead of them. Nobody's recording is needed for the first two. FILE holds a list of
(features, targets), as `counting_network` reads it.
"""
import argparse, csv, glob, json, os, pickle
import numpy as np
import counting_motion as motion
from counting_motion import AT, COLUMNS, Kind
from counting_network import JOINTS, NAMES, RATE, SWAPPED, TRUNK, features, rows, targets

MOST_ROWS = 400
LIMITS = {"kn": (-8, 155), "el": (-5, 150), "hf": (-40, 145), "ha": (-35, 80), "sf": (-70, 190), "sa": (-45, 182), "st": (-90, 95), "sp": (-40, 80), "nd": (-45, 50), "tn": (-75, 75)}
FLOOR = {"supine", "crook", "prone", "plank", "elbows", "fours", "side", "kneel", "longsit", "half"}
PLACE = [AT["mx"], AT["mz"], AT["ya"]]
STAND, CROUCH = Kind("", "stand", [], "b", (1, 1)).base, Kind("", "stand pi42 hfb110 knb120 sfb50", [], "b", (1, 1)).base


# ---- movement as key postures in time

class Timeline:
    """Key postures (vectors) at times, between which a movement eases; intervals of it are repetitions."""

    def __init__(self, rng, vector):
        self.rng, self.times, self.vectors, self.modes, self.repetitions = rng, [0.0], [vector], [(0, 1.0)], []

    @property
    def now(self): return self.times[-1]

    def to(self, vector, seconds, mode=0, ease=0.8):
        self.times.append(self.now + max(seconds, 0.04))
        self.vectors.append(vector)
        self.modes.append((mode, ease))

    def hold(self, seconds):
        if seconds > 0.02: self.to(self.vectors[-1], seconds)

    def at(self, times, delays):
        """The vectors (n, columns) at times; each column may lag behind by its delay."""
        knots, vectors, modes = np.array(self.times), np.array(self.vectors), np.array(self.modes)
        moment = np.clip(times[:, None] - delays, 0, self.now - 1e-6)
        end = np.clip(np.searchsorted(knots, moment.ravel(), side="right"), 1, len(knots) - 1).reshape(moment.shape)
        share = (moment - knots[end - 1]) / (knots[end] - knots[end - 1])
        mode, ease = modes[end, 0], modes[end, 1]
        # Slow at both ends; slow at the end only (thrown out); slow at the start only (falls back).
        eased = np.where(mode == 0, (1 - np.cos(np.pi * share)) / 2, np.where(mode == 1, np.sin(np.pi / 2 * share), 1 - np.cos(np.pi / 2 * share)))
        share = ease * eased + (1 - ease) * share
        column = np.arange(vectors.shape[1])
        return vectors[end - 1, column] * (1 - share) + vectors[end, column] * share


def wander(rng, times, seconds, shape):
    """Smooth noise (times, *shape) of about unit size that changes within `seconds`."""
    knot = (times - times[0]) / seconds
    noise, left = rng.standard_normal((int(knot[-1]) + 2,) + shape), knot.astype(int)
    share = (knot - left).reshape((-1,) + (1,) * len(shape))
    share = share * share * (3 - 2 * share)
    return (noise[left] * (1 - share) + noise[left + 1] * share) * 1.2


def between(rng, low, high): return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def styled(rng, vectors, base, amplitude, sloppy):
    """Key postures as one person does them: larger or smaller, a little wrong, other limbs moving along."""
    keys = [base + (vector - base) * amplitude * np.where(vector == base, 1, 1 + 0.13 * rng.standard_normal(len(base))) for vector in vectors]
    if sloppy:
        columns = rng.choice(len(COLUMNS) - 5, rng.integers(1, 6), replace=False)
        change = rng.standard_normal(len(columns)) * np.where(np.isin(columns, motion.LENGTHS), 1.0, 9.0)
        for key in keys: key[columns] += change * rng.uniform(0.3, 1)
    for key, vector in zip(keys, vectors): key[-5:] = vector[-5:]
    return keys


def own(rng, base, amount=5.0):
    """A base posture as this person holds it today: both sides alike but for a little."""
    change = rng.standard_normal(len(base)) * amount
    both = np.where(rng.random(len(base)) < 0.7, change, change[motion.MIRROR]) * 0.7 + 0.3 * rng.standard_normal(len(base)) * amount
    both[motion.LENGTHS] *= 0.08
    both[-5:] = 0
    return base + both


def perform(rng, line, kind, base, count, tempo, side, alternates):
    """Adds a set of `count` repetitions to the timeline, from and to `base`."""
    amplitude, sloppy = float(np.clip(1 + 0.2 * rng.standard_normal(), 0.45, 1.5)), rng.random() < 0.5
    sides = {"l": "lr", "r": "rl"}.get(side, "b") if alternates else side
    styles = {each: styled(rng, [motion.turned(key, each, base) for key in kind.keys], base, amplitude * (rng.uniform(0.85, 1.12) if each == "r" else 1), sloppy)
              for each in sorted(set(sides))}
    parts = len(kind.keys) + 1
    shares = rng.dirichlet(np.full(parts, rng.choice([6.0, 20.0, 60.0])))
    holds = np.where(rng.random(parts) < 0.25, rng.uniform(0.1, 0.5, parts), 0)
    holds[-1] = 0
    pause = rng.choice([0, 0, 0, 0, 0.1, 0.3, 1.0]) * rng.uniform(0.5, 1.5) * min(1.5, tempo)
    ease, swings = rng.uniform(0.3, 1), parts == 2 and pause == 0 and rng.random() < 0.35
    unsteady, uneven = rng.choice([0.03, 0.07, 0.16], 2)
    rests = rng.choice([0, 0, 0, 0.1, 0.3])
    slows, shrinks = rng.uniform(-0.3, 0.35), rng.choice([0, 0, 0.25, 0.5]) * rng.random()
    for index in range(count):
        done = index / max(1, count - 1)
        length = tempo * np.exp(unsteady * rng.standard_normal() + slows * (done - 0.5))
        size = float(np.clip((1 + uneven * rng.standard_normal()) * (1 - shrinks * max(0, 2 * done - 1)), 0.55, 1.45))
        start, own_shares = line.now, shares * np.exp(0.08 * rng.standard_normal(parts))
        own_shares = own_shares / own_shares.sum() * length
        for part, key in enumerate([*styles[sides[index % len(sides)]], base]):
            vector = base + (key - base) * size
            vector[-5:] = key[-5:]
            moving = own_shares[part] * (1 - holds[part])
            line.to(vector, moving, (1 if part == 0 else 2) if swings else 0, ease)
            line.hold(own_shares[part] - moving)
        line.repetitions.append((start, line.now))
        if "t" in kind.sides: line.vectors[-1] = base = moved_on(base, styles[sides[index % len(sides)]][-1])
        if index < count - 1: line.hold(pause * np.exp(0.3 * rng.standard_normal()) if rng.random() > rests else rng.uniform(0.5, 4))
    return base


def moved_on(base, key):
    """The posture of someone who travels: as before, but where the last key posture was."""
    moved = base.copy()
    moved[PLACE] = key[PLACE]
    return moved


def everyday(rng, line, seconds, family, table, lively=None):
    """Fills `seconds` with standing (or lying …) about and what people do beside exercising."""
    end, here = line.now + seconds, [kind for kind in table if kind.family == family]
    if lively is None: lively = rng.choice([0.25, 0.6, 0.95])
    while line.now < end:
        if rng.random() > lively or not here:
            line.to(own(rng, line.vectors[-1], rng.choice([0.5, 2, 5])), rng.uniform(0.5, 3))
            continue
        kind = here[rng.integers(len(here))]
        cyclic = "cycle" in kind.sides
        base = line.vectors[-1] * 0.4 + 0.6 * own(rng, kind.base, 4)
        base = moved_on(base, line.vectors[-1])
        base[AT["ya"]] += kind.base[AT["ya"]] * rng.choice([-1, 1])
        base[-5:] = kind.base[-5:]
        line.to(base, rng.uniform(0.4, 1.2))
        side = "b" if kind.sides == "b" or "b" in kind.sides and rng.random() < 0.5 else rng.choice(["l", "r"])
        tempo, times = between(rng, *kind.tempo), int(rng.integers(2, 14)) if cyclic else 1
        size = rng.uniform(0.4, 1.3)
        for _ in range(times):
            keys = styled(rng, [motion.turned(key, side, base) for key in kind.keys], base, size, True)
            share = tempo / (len(keys) + 1) * np.exp(0.1 * rng.standard_normal(len(keys) + 1))
            for key, length in zip(keys, share):
                line.to(key, length, 0, 0.4 if cyclic else 0.85)
                if not cyclic and rng.random() < 0.3: line.hold(rng.uniform(0.2, 1.5))
            if cyclic:
                base, side = moved_on(base, keys[-1]), "r" if side == "l" else "l"
            back = base if cyclic or rng.random() < 0.6 else line.vectors[-1] * 0.5 + base * 0.5
            back[-5:] = keys[-1][-5:]
            line.to(back, share[-1])
            if line.now > end: break


def random_kind(rng, name="by rule"):
    """A movement nobody has a name for: postures within anatomical limits, of some limbs only."""
    family = rng.choice(list(motion.BASES)) if rng.random() < 0.5 else "stand"
    moves = rng.choice(["arms", "legs", "trunk", "arms legs", "arms trunk", "legs trunk", "arms legs trunk"], p=[0.3, 0.18, 0.1, 0.12, 0.12, 0.08, 0.1])
    ranges = {"sf": (-40, 170), "sa": (-10, 150), "st": (-60, 80), "el": (0, 130)} if "arms" in moves else {}
    if "legs" in moves: ranges |= {"hf": (-25, 110), "ha": (0, 45), "kn": (0, 120)}
    if "trunk" in moves: ranges |= {"pi": (-10, 70), "sp": (-10, 50), "si": (-25, 25), "tw": (-40, 40)}
    used = [code for code in ranges if rng.random() < 0.7] or list(ranges)[:1]
    suffix = lambda code: "" if code in motion.BODY else rng.choice(["", "", "", "o", "b"])
    columns = [code + suffix(code) for code in used]
    draw = lambda scale: {column: scale * rng.uniform(*ranges[column[:2]]) for column in columns}
    keys = [draw(between(rng, 0.2, 1)) for _ in range(rng.choice([1, 1, 1, 2, 3, 4]))]
    if rng.random() < 0.12: keys[-1]["up"] = rng.uniform(3, 20)
    start = " ".join(f"{code}{'b' if code in motion.LIMB else ''}{int(rng.uniform(*ranges[code]) * 0.6)}" for code in used if rng.random() < 0.35)
    low = between(rng, 0.35, 5)
    return Kind(name, f"{family} {start}", keys, rng.choice(["b", "b", "b", "a", "o", "oa"]), (low, 1.6 * low))


def exercise(rng, tables):
    """A whole sample: something before, one set or two, something after."""
    kind = random_kind(rng) if rng.random() < 0.27 else tables["exercises"][rng.integers(len(tables["exercises"]))]
    low, high = kind.tempo
    tempo = between(rng, low * 0.8, high * 1.3) if rng.random() < 0.85 else between(rng, 0.35, 11)
    alternates = rng.choice([letter for letter in kind.sides if letter in "bao"])
    side = "b" if alternates == "b" else rng.choice(["l", "r"])
    base, table = own(rng, kind.base), tables["everyday"]
    before, after = (rng.choice([0, 0, 0.3, 1, 2, 4]) * rng.uniform(0.5, 1.4) for _ in range(2))
    comes, goes = (seconds > 0.8 and kind.family != "stand" and rng.random() < 0.35 for seconds in (before, after))

    def through_a_crouch():
        if kind.family in FLOOR: line.to(moved_on(own(rng, CROUCH), line.vectors[-1]), rng.uniform(0.6, 1.4))
    line = Timeline(rng, own(rng, STAND) if comes else base)
    if comes:
        everyday(rng, line, before / 2, "stand", table)
        through_a_crouch()
    elif before: everyday(rng, line, before, kind.family, table)
    for index in range(2 if rng.random() < 0.1 else 1):
        if index and rng.random() < 0.5: everyday(rng, line, rng.uniform(1, 5), kind.family, table)
        elif index: line.hold(rng.uniform(1, 5))
        base = moved_on(base, line.vectors[-1])
        if line.now > 0: line.to(base, rng.uniform(0.3, 1.2))
        u = rng.random()
        count = 1 if u < 0.17 else 2 if u < 0.3 else int(rng.integers(3, 13)) if u < 0.85 else int(rng.integers(8, 80))
        if rng.random() < 0.06: # began, and thought better of it
            line.to(base + (motion.turned(kind.keys[0], side, base) - base) * 0.2, tempo / 4)
            line.to(base, tempo / 4)
            line.hold(rng.uniform(0.2, 1.5))
        base = perform(rng, line, kind, base, max(1, min(count, int(24 / tempo))), tempo, side, alternates == "a")
    if goes:
        through_a_crouch()
        line.to(moved_on(own(rng, STAND), line.vectors[-1]), rng.uniform(0.6, 1.6))
        everyday(rng, line, after / 2, "stand", table)
    elif after: everyday(rng, line, after, kind.family, table)
    delays = np.clip(0.03 * tempo * rng.standard_normal(len(COLUMNS)), -0.2, 0.2) if rng.random() < 0.5 else np.zeros(len(COLUMNS))
    return line, delays


def idle(rng, tables):
    """A sample without any repetition: gait alone, a posture held, or everyday movements; as short and as long as exercises."""
    u, seconds = rng.random(), between(rng, 1, 26)
    gait = [kind for kind in tables["everyday"] if "cycle" in kind.sides and kind.family == "stand"]
    if u < 0.25: # only one kind of walking
        kind = gait[rng.integers(len(gait))]
        line = Timeline(rng, own(rng, kind.base))
        while line.now < seconds: everyday(rng, line, rng.uniform(2, 8), "stand", [kind] if rng.random() < 0.9 else tables["everyday"], 1.0)
        return line, np.zeros(len(COLUMNS))
    kind = tables["exercises" if u < 0.55 else "everyday"][rng.integers(len(tables["exercises" if u < 0.55 else "everyday"]))]
    base = own(rng, kind.base)
    if rng.random() < 0.4: base = own(rng, motion.turned(kind.keys[0], rng.choice(["b", "l", "r"]), base))
    line = Timeline(rng, base)
    lively = 0.0 if u < 0.43 else None
    while line.now < seconds: everyday(rng, line, rng.uniform(2, 8), kind.family, tables["everyday"], lively)
    return line, np.zeros(len(COLUMNS))


# ---- a figure of joints and bones

def turn(angle, first, second):
    matrix = np.zeros(angle.shape + (3, 3))
    matrix[..., [0, 1, 2], [0, 1, 2]] = 1
    cos, sin = np.cos(angle), np.sin(angle)
    matrix[..., first, first] = matrix[..., second, second] = cos
    matrix[..., first, second], matrix[..., second, first] = -sin, sin
    return matrix


def figure(rng, vectors):
    """Joints (n, 13, 3) of the figure: x to its left, y up, z ahead, in body heights."""
    for name, (low, high) in LIMITS.items():
        columns = [index for column, index in AT.items() if column[:2] == name and column not in motion.ANCHORS]
        vectors[:, columns] = np.clip(vectors[:, columns], low, high)
    angle = lambda name: np.radians(vectors[:, AT[name]])
    length = lambda name: vectors[:, AT[name]] / 100
    thigh, shank, trunk, neck, upper, fore, hip, shoulder = np.array([0.245, 0.246, 0.29, 0.15, 0.172, 0.15, 0.055, 0.105]) * np.exp(0.07 * rng.standard_normal(8))
    along = lambda matrix, x, y, z: matrix @ np.array([x, y, z])
    pelvis = turn(angle("ya"), 2, 0) @ turn(angle("ro"), 0, 1) @ turn(angle("pi"), 1, 2)
    chest = pelvis @ turn(angle("sp"), 1, 2) @ turn(angle("si"), 0, 1) @ turn(angle("tw"), 2, 0)
    out = np.zeros((len(vectors), JOINTS, 3))
    collar = along(chest, 0, trunk, 0)
    out[:, 0] = collar + along(chest @ turn(angle("tn"), 2, 0) @ turn(angle("nd"), 1, 2), 0, neck * 0.8, 0.06)
    for side, sign, index in (("l", 1, 0), ("r", -1, 1)):
        leg = pelvis @ turn(-angle("hf" + side), 1, 2) @ turn(sign * angle("ha" + side), 0, 1) @ turn(sign * angle("hr" + side), 0, 2)
        out[:, 7 + index] = along(pelvis, sign * hip, 0, 0)
        out[:, 9 + index] = out[:, 7 + index] + along(leg, 0, -thigh, 0)
        out[:, 11 + index] = out[:, 9 + index] + along(leg @ turn(angle("kn" + side), 1, 2), 0, -shank, 0)
        arm = chest @ turn(-angle("sf" + side), 1, 2) @ turn(sign * angle("sa" + side), 0, 1) @ turn(-sign * angle("st" + side), 0, 2)
        out[:, 1 + index] = collar + along(chest, sign * shoulder, -0.02, 0) + (chest @ np.array([0, 1.0, 0])) * length("sh" + side)[:, None]
        out[:, 3 + index] = out[:, 1 + index] + along(arm, 0, -upper, 0)
        out[:, 5 + index] = out[:, 3 + index] + along(arm @ turn(-angle("el" + side), 1, 2), 0, -fore, 0)
    # What rests on something stays where it is: the body moves by what its anchors would otherwise have moved.
    ankles = out[:, 11:13]
    lower = np.exp(-(ankles[..., 1] - ankles[..., 1].min(1, keepdims=True)) / 0.03)
    lower /= lower.sum(1, keepdims=True)
    step = np.zeros((len(out), 3))
    for name, joints in (("feet", None), ("hands", [5, 6]), ("hips", [7, 8]), ("knees", [9, 10]), ("toes", [11, 12])):
        weight = vectors[:, AT[name]][1:, None]
        if joints: step[1:] -= weight * np.diff(out[:, joints].mean(1), axis=0)
        else:
            moved = (lower[1:, :, None] * np.diff(ankles, axis=0)).sum(1)
            moved[:, 1] = np.diff((lower * ankles[..., 1]).sum(1))
            step[1:] -= weight * moved
    across, ahead = np.diff(length("mx")), np.diff(length("mz"))
    cos, sin = np.cos(angle("ya"))[1:], np.sin(angle("ya"))[1:]
    step[1:, 0] += across * cos + ahead * sin
    step[1:, 2] += ahead * cos - across * sin
    place = np.cumsum(step, 0)
    place[:, 1] += length("up")
    return out + place[:, None]


# ---- captured motion, repeated

def captured(shared):
    """Recordings of 3D motion: (joints at 30 a second, boundaries of repetitions in seconds or None)."""
    found = []
    motions = np.load(os.path.join(shared, "data/motion/cmu.npz"))
    order = [list(motions["joints"]).index(name) for name in ["head", *NAMES[1:]]]
    for key in motions.files:
        if not key.startswith("m_"): continue
        body = motions[key][:, order].astype(float) / 1700
        if len(body) > 30: found.append((body, None))
    markers = np.load(os.path.join(shared, "data/uiprmd/ui-prmd.npz"))
    for row in csv.DictReader(open(os.path.join(shared, "data/uiprmd/labels.csv"))):
        body = markers[row["key"]][:, [0, *range(3, 15)]].astype(float)
        if (body < -32000).any(): continue
        body = np.stack([body[..., 1], body[..., 2], body[..., 0]], 2) / 1700
        at = np.arange(int(len(body) * 1.2)) / 1.2
        left = np.minimum(at.astype(int), len(body) - 2)
        share = (at - left)[:, None, None]
        found.append((body[left] * (1 - share) + body[left + 1] * share, np.array(row["boundaries"].split(), int) / 25))
    return found


def repeated(rng, recordings):
    """A snippet of captured motion there and back or in a loop, or a labelled recording as it is: path through it, source, seconds."""
    body, bounds = recordings[rng.integers(len(recordings))]
    if bounds is not None and rng.random() < 0.5:
        first = int(rng.integers(0, 9))
        last, speed = int(rng.integers(first + 1, 11)), between(rng, 0.6, 1.7)
        line = Timeline(rng, np.array([max(0, bounds[first] * 30 - rng.uniform(0, 25))]))
        stop = min(len(body) - 1, bounds[last] * 30 + rng.uniform(0, 25))
        line.to(np.array([stop]), (stop - line.vectors[0][0]) / 30 / speed, 0, 0)
        line.repetitions = [((a * 30 - line.vectors[0][0]) / 30 / speed, (b * 30 - line.vectors[0][0]) / 30 / speed) for a, b in zip(bounds[first:last], bounds[first + 1:last + 1])]
        return line, body
    length = int(np.clip(between(rng, 8, 110), 6, len(body) - 2))
    start = int(rng.integers(len(body) - length))
    part = body[start:start + length + 1].copy()
    part -= (part[:, [7, 8]].mean(1, keepdims=True) - part[:1, [7, 8]].mean(1, keepdims=True)) * [1, 0, 1] * rng.choice([0, 1, 1])
    if rng.random() < 0.45: # of some limbs only
        limbs = [[3, 5], [4, 6], [3, 4, 5, 6], [9, 10, 11, 12], [9, 11], [0, 1, 2, 3, 4, 5, 6]][rng.integers(6)]
        trunk = part[:, TRUNK].mean(1, keepdims=True)
        still = np.repeat(part[:1], len(part), 0)
        still[:, limbs] = part[:, limbs] - trunk + trunk[0]
        part = still
    large = np.sqrt(((part - part[0]) ** 2).sum(2).max())
    if large < 0.05: return repeated(rng, recordings)
    part = part[0] + (part - part[0]) * np.clip(between(rng, 0.12, 0.8) / large, 0.5, 2.5)
    loops = rng.random() < 0.3
    if loops: part = part - np.linspace(0, 1, len(part))[:, None, None] * (part[-1] - part[0])
    line, tempo = Timeline(rng, np.zeros(1)), between(rng, 0.4, 6)
    end, rest = np.array([float(length)]), np.zeros(1)
    line.hold(rng.choice([0, 0.5, 2]) * rng.random())
    u = rng.random()
    count = max(1, min(1 if u < 0.17 else 2 if u < 0.3 else int(rng.integers(3, 20)), int(22 / tempo)))
    pause, turns, ease, unsteady = rng.choice([0, 0, 0.2, 0.6]) * tempo, rng.uniform(0.35, 0.65), rng.uniform(0.2, 1), rng.choice([0.03, 0.1])
    for _ in range(count):
        begun, seconds = line.now, tempo * np.exp(unsteady * rng.standard_normal())
        if loops:
            line.to(end, seconds, 0, 0)
            line.repetitions.append((begun, line.now))
            line.to(rest, 0.001)  # the same posture
        else:
            reach = end * np.clip(1 - 0.1 * abs(rng.standard_normal()), 0.6, 1)
            line.to(reach, seconds * turns, 0, ease)
            line.to(rest, seconds * (1 - turns), 0, ease)
            line.repetitions.append((begun, line.now))
        line.hold(pause * rng.random())
    line.hold(rng.choice([0, 0.5, 2]) * rng.random())
    return line, part


# ---- scenes with ground truth

def scene(path):
    """(times, joints (n, 13, 2) in picture heights, visibility, repetitions, cuts, aspect) of a scene's only person."""
    truth = json.load(open(path))
    aspect, rate = truth["width"] / truth["height"], truth["frameRate"]["timescale"] / truth["frameRate"]["ticksPerFrame"]
    person, seen = truth["people"][0], []
    for index, frame in enumerate(person["frames"]):
        points = frame.get("keypoints", {})
        if not frame.get("isHidden") and all(name in points for name in NAMES): seen.append((index / rate, [points[name] for name in NAMES]))
    if len(seen) < 20: return None
    joints = np.array([points for _, points in seen], float)
    counted = [(each["start"], each["end"]) for each in person["repetitions"] if each["isCounted"]]
    return np.array([moment for moment, _ in seen]), joints[..., :2] * [aspect, 1], joints[..., 2], counted, truth["cuts"], aspect


# ---- a camera, and a pose model's errors

def filmed(rng, body, aspect):
    """Picture positions (n, 13, 2) in picture heights and which joints the body hides, from any view."""
    u = rng.random()
    yaw = rng.uniform(-np.pi, np.pi) if u < 0.5 else rng.choice([0, 0, np.pi / 2, -np.pi / 2, np.pi]) + 0.25 * rng.standard_normal()
    pitch = rng.uniform(-0.15, 0.45) if rng.random() < 0.85 else rng.uniform(-1.1, 1.4)
    roll = 0.05 * rng.standard_normal() + (rng.choice([-1, 1]) * np.pi / 2 if rng.random() < 0.06 else 0)
    view = turn(np.array(roll), 0, 1) @ turn(np.array(pitch), 1, 2) @ turn(np.array(yaw), 2, 0)
    centre = body.mean((0, 1))
    if rng.random() < 0.5: # the camera, or the tripod's owner, follows
        place = body.mean(1)
        width = min(len(place), 31)
        follow = np.stack([np.convolve(np.pad(column, (width // 2, width - 1 - width // 2), "edge"), np.full(width, 1 / width), "valid") for column in place.T], 1)
        centre = centre + (follow - centre) * rng.uniform(0.3, 1)
        centre = centre[:, None]
    seen = (body - centre) @ view.T
    distance = rng.uniform(1.6, 7)
    flat = seen[..., :2] * (distance / np.maximum(distance - seen[..., 2:], 0.4))
    extent = max(np.percentile(flat[..., 1], 98) - np.percentile(flat[..., 1], 2), (np.percentile(flat[..., 0], 98) - np.percentile(flat[..., 0], 2)) / aspect, 0.2)
    scale, part = between(rng, 0.3, 0.95) / extent, np.zeros(2)
    if rng.random() < 0.25: # a close-up of a part of the body
        joints = [[0, 1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], [1, 2, 7, 8], [3, 5, 1], [9, 11, 7]][rng.integers(5)]
        part, scale = np.median(flat[:, joints].reshape(-1, 2), 0), scale * rng.uniform(1.2, 2.2)
    picture = (flat - part) * scale + [aspect / 2 + 0.1 * rng.standard_normal() * aspect, 0.5 + 0.06 * rng.standard_normal()]
    trunk = seen[:, TRUNK].mean(1, keepdims=True)
    hidden = (seen[..., 2] < trunk[..., 2] - 0.07) & (np.abs(seen[..., 0] - trunk[..., 0]) < 0.1)
    return picture, hidden


def found(rng, times, picture, hidden, aspect):
    """What a pose model makes of it: jitter, guesses, joints lost or taken for others, and a camera that moves."""
    n, xy = len(times), picture.copy()
    middle, u = np.array([aspect / 2, 0.5]), rng.random()
    if u < 0.16: xy += wander(rng, times, rng.uniform(0.1, 0.8), (1, 2)) * between(rng, 0.002, 0.025)
    elif u < 0.26: xy = middle + (xy - middle) * np.exp(rng.uniform(0.03, 0.2) * wander(rng, times, rng.uniform(0.7, 4), (1, 1)))
    elif u < 0.36: xy += wander(rng, times, rng.uniform(1, 5), (1, 2)) * rng.uniform(0.02, 0.15) * [1, 0.5]
    size = np.median(np.sqrt(((xy - xy.mean(1, keepdims=True)) ** 2).sum(2).mean(1))) + 1e-3
    base = np.array([1, 0.7, 0.7, 1, 1, 1.5, 1.5, 0.7, 0.7, 1, 1, 1.3, 1.3]) * np.exp(0.35 * rng.standard_normal(JOINTS))
    outside = (xy[..., 1] < 0) | (xy[..., 1] > 1) | (xy[..., 0] < 0) | (xy[..., 0] > aspect)
    # The trunk is always told with confidence, limbs by how well they are seen, and what is told less surely jitters more.
    trunk = np.isin(np.arange(JOINTS), [0, *TRUNK])
    doubt = np.where(trunk, 0, rng.exponential(0.12, JOINTS)) * (1 + 0.7 * wander(rng, times, rng.uniform(0.3, 2), (JOINTS,)))
    confidence = np.clip(np.where(trunk, 0.995, 0.98) - np.abs(doubt), 0.03, 1)
    level = base * between(rng, 0.004, 0.04) * size * np.where(hidden, rng.uniform(1, 3), 1) * (1 + 2 * (1 - confidence))
    if rng.random() < 0.22: # limbs behind something
        limbs = [[3, 5], [4, 6], [9, 11], [10, 12], [3, 4, 5, 6], [9, 10, 11, 12], [11, 12], [0]][rng.integers(8)]
        level[:, limbs] += rng.uniform(0.03, 0.3) * size
        confidence[:, limbs] *= rng.uniform(0.1, 0.7)
    error = 0.45 * rng.standard_normal((n, JOINTS, 2)) + 0.8 * wander(rng, times, rng.uniform(0.08, 0.6), (JOINTS, 2))
    xy += error * level[..., None]
    confidence = np.where(hidden & ~trunk, confidence * rng.uniform(0.1, 1), confidence)
    if rng.random() < 0.6: # a joint outside is guessed near the edge, or not at all
        inside = np.stack([np.clip(xy[..., 0], 0, aspect), np.clip(xy[..., 1], 0, 1)], 2)
        guess = inside + (xy - inside) * rng.uniform(0, 0.7) + wander(rng, times, 0.4, (JOINTS, 2)) * size * rng.uniform(0.03, 0.2)
        xy = np.where(outside[..., None], guess, xy)
    confidence = np.where(outside, confidence * np.where(trunk, 0.97, rng.uniform(0.02, 0.4)), confidence)
    if rng.random() < 0.18: # sides swapped for moments
        for _ in range(rng.integers(1, 6)):
            start = rng.integers(n)
            end = start + rng.integers(1, max(2, n // 25))
            order = [SWAPPED, [0, 1, 2, 3, 4, 5, 6, 8, 7, 10, 9, 12, 11], [0, 1, 2, 4, 3, 6, 5, 7, 8, 9, 10, 11, 12]][rng.integers(3)]
            xy[start:end], confidence[start:end] = xy[start:end][:, order], confidence[start:end][:, order]
    if rng.random() < 0.2: # single joints elsewhere, or lost
        strange = rng.random((n, JOINTS)) < between(rng, 0.002, 0.03)
        xy[strange] += rng.standard_normal((int(strange.sum()), 2)) * size * 0.6
        confidence[strange] *= rng.random()
    if rng.random() < 0.12:
        lost = rng.random((n, JOINTS)) < 0.05
        for index in range(1, n): xy[index][lost[index]] = xy[index - 1][lost[index]]
        confidence[lost] = 0
    return xy, np.clip(confidence, 0, 1)


def sample(rng, tables):
    """(placed, confidence, cut, repetitions in rows) of one made recording."""
    u, cuts = rng.random(), []
    aspect = rng.choice([0.5625, 0.75, 1.333, 1.778, 1.778])
    rate = rng.choice([5, 8, 10, 12.5, 15, 15, 20, 25, 30, 30, 30, 60]) * rng.uniform(0.97, 1.03)
    # Of a hundred samples 16 scenes, 10 of captured motion, 17 without exercise, and 57 of exercises.
    kind = "idle" if u < 0.17 else "scene" if u < 0.33 and tables["scenes"] else "captured" if u < 0.43 and tables["captured"] else "exercise"
    if kind == "scene":
        times, picture, visible, repetitions, cuts, aspect = tables["scenes"][rng.integers(len(tables["scenes"]))]
        speed, keep = between(rng, 0.65, 1.5), max(1, int(round(1 / np.median(np.diff(times)) / rate)))
        times, picture, hidden = times[::keep] / speed, picture[::keep], visible[::keep] < 1
        repetitions, cuts = np.array(repetitions).reshape(-1, 2) / speed, [cut / speed for cut in cuts]
    else:
        if kind == "captured": line, body = repeated(rng, tables["captured"])
        else: line, delays = idle(rng, tables) if kind == "idle" else exercise(rng, tables)
        # No more than is looked at: a window of a long recording.
        longest = MOST_ROWS / RATE
        begin = rng.uniform(0, max(0.0, line.now - longest)) if line.now > longest else 0.0
        times = np.arange(begin, min(line.now, begin + longest), 1 / rate)
        if len(times) < 10: return None
        times = times + np.clip(rng.choice([0, 0, 0.2]) / rate * rng.standard_normal(len(times)), -0.3 / rate, 0.3 / rate)
        if kind == "captured":
            at = np.clip(line.at(times, np.zeros(1))[:, 0], 0, len(body) - 1.001)
            left = at.astype(int)
            share = (at - left)[:, None, None]
            body = body[left] * (1 - share) + body[left + 1] * share
            body = body + wander(rng, times, 2, (1, 3)) * rng.choice([0, 0.005, 0.02]) + wander(rng, times, 1, (JOINTS, 3)) * rng.choice([0.002, 0.008])
        else:
            vectors = line.at(times, delays)
            drift, tremble = rng.choice([0.3, 1.5, 4]), rng.choice([0.3, 1, 2.5])
            noise = drift * wander(rng, times, rng.uniform(1.5, 5), (vectors.shape[1],)) + tremble * wander(rng, times, rng.uniform(0.3, 1), (vectors.shape[1],))
            noise[:, motion.LENGTHS] *= 0.1
            noise[:, -5:] = 0
            body = figure(rng, vectors + noise)
        picture, hidden = filmed(rng, body, aspect)
        if rng.random() < 0.15: # other cameras
            for middle in np.sort(rng.integers(5, len(times) - 4, rng.integers(1, 5))):
                picture[middle:], hidden[middle:] = (x[middle:] for x in filmed(rng, body, aspect))
                cuts.append(times[middle])
        repetitions = np.array(line.repetitions).reshape(-1, 2)
    xy, confidence = found(rng, times, picture, hidden, aspect)
    keep = np.ones(len(times), bool)
    if rng.random() < 0.3: keep &= rng.random(len(times)) < rng.uniform(0.5, 0.98)
    if rng.random() < 0.06:
        gap = rng.uniform(times[0], times[-1])
        keep &= ~((times > gap) & (times < gap + rng.uniform(0.5, 2)))
    if keep.sum() < 8: return None
    times, xy, confidence = times[keep], xy[keep], confidence[keep]
    if rng.random() < 0.5: xy, confidence = xy[:, SWAPPED] * [-1, 1], confidence[:, SWAPPED]
    if rng.random() < 0.1: # each frame stretched to the body, confidence unknown
        low, high = xy.min(1, keepdims=True), xy.max(1, keepdims=True)
        xy, confidence = (xy - low) / np.maximum(high - low, 1e-3), np.full_like(confidence, 0.9)
    made = rows(times, xy, confidence, cuts)
    return *made, (repetitions - times[0]) * RATE


def prepared(rng, made, most=MOST_ROWS):
    """(features, targets) of every second row, as small as they may be kept."""
    placed, confidence, cut, repetitions = made
    if len(placed) > most:
        start = int(rng.integers(len(placed) - most + 1))
        placed, confidence, cut, repetitions = placed[start:start + most], confidence[start:start + most], cut[start:start + most], repetitions - start
    return features(placed, confidence, cut)[::2].astype(np.float16), targets(len(placed), repetitions).astype(np.float16)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", required=True)
    parser.add_argument("--shared", help="the folder with data/motion and data/uiprmd")
    parser.add_argument("--scenes", help="a folder of what `kinema synth --scene … --truth FILE.json` wrote")
    parser.add_argument("--kinds", type=float, default=1.0, help="the share of the kinds that are used")
    arguments = parser.parse_args()
    rng = np.random.default_rng(arguments.seed)
    tables = {"exercises": motion.kinds(motion.EXERCISES), "everyday": motion.kinds(motion.EVERYDAY)}
    for name, table in tables.items():
        order = np.random.default_rng(1).permutation(len(table))[:max(1, round(arguments.kinds * len(table)))]
        tables[name] = [table[index] for index in order]
    tables["captured"] = captured(arguments.shared) if arguments.shared else []
    files = sorted(glob.glob(os.path.join(arguments.scenes, "*.json"))) if arguments.scenes else []
    tables["scenes"] = [found for found in map(scene, files) if found]
    samples = []
    while len(samples) < arguments.samples:
        made = sample(rng, tables)
        if made is not None: samples.append(prepared(rng, made))
    with open(arguments.out, "wb") as file: pickle.dump(samples, file, 4)
    amounts = np.array([targets[:, 0].astype(float).sum() for _, targets in samples])
    print(f"{len(samples)} samples of {len(tables['exercises'])} exercises, {len(tables['everyday'])} everyday movements, {len(tables['captured'])} captured, "
          f"{len(tables['scenes'])} scenes; without any {np.mean(amounts < 0.05):.2f}, up to two {np.mean((amounts > 0.05) & (amounts < 2.5)):.2f}, median {np.median(amounts):.1f}")


if __name__ == "__main__": main()
