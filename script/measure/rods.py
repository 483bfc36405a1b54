"""Stick-figure hands in space that pinch, nearly pinch, make fists and lie flat, like the tests' HandFigure.swift.

Lengths are relative to the hand's length (wrist to middle knuckle), after Buryanov and Kotiuk, "Proportions of hand
segments", Int. J. Morphology 28 (2010).
"""
import numpy as np

KNUCKLES = np.array([[0.25, 0.95, 0], [0.03, 1, 0], [-0.17, 0.93, 0], [-0.35, 0.82, 0]])
PHALANGES = [(0.42, 0.25, 0.2), (0.46, 0.28, 0.2), (0.43, 0.26, 0.2), (0.34, 0.2, 0.18)]
BASE = np.array([0.28, 0.22, 0.1])


def joints(posture, closed=0.0):
    """The 21 joints; x points towards the thumb, y along the fingers, z out of the palm."""
    fingers = []
    for index, (knuckle, lengths) in enumerate(zip(KNUCKLES, PHALANGES)):
        bends = {"fist": (1.4, 1.7, 1), "flat": (0.05, 0.05, 0.03)}.get(posture, (0.5, 0.6, 0.3))
        if posture == "pinch" and index == 0: bends = (0.15 + 0.6 * closed, 0.25 + 0.6 * closed, 0.15 + 0.3 * closed)
        chain = [knuckle]
        for length, angle in zip(lengths, np.cumsum(bends)):
            chain.append(chain[-1] + np.array([0, np.cos(angle), np.sin(angle)]) * length)
        fingers += chain
    tip = fingers[3] + np.array([0.05, 0.05, 0.15]) if posture == "fist" else np.array([0.42, 1.2, 0.05])
    if posture == "pinch":
        pad, wide = np.array([0.04, -0.06, -0.08]), np.array([0.95, 0.75, 0.15]) - (KNUCKLES[0] + np.array([0, 0.85, 0.2]))
        tip = fingers[3] + pad * closed + wide * (1 - closed)
    return np.array([np.zeros(3), *[BASE + (tip - BASE) * share for share in (0, 0.42, 0.74, 1)], *fingers])


def turned(x, y, z):
    cx, sx, cy, sy, cz, sz = np.cos(x), np.sin(x), np.cos(y), np.sin(y), np.cos(z), np.sin(z)
    return (np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]]) @ np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
            @ np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]]))


def quantities(seen, space):
    """Gap, reach and depth as HandShape and PinchEvidence measure them, from joints in the image and in space."""
    def spread(points): return np.sqrt(((points[:, :2] - points[:, :2].mean(0)) ** 2).sum())
    def length(of): return np.linalg.norm(of)
    palm = max(length(space[9] - space[0]), length(space[17] - space[5]) / 0.6 * 0.8)
    gap = length(seen[4] - seen[8]) / (palm * spread(seen) / spread(space))
    reach = length((space[4] + space[8]) / 2 - space[5]) / palm
    stretch = np.mean([length(space[tip] - space[0]) for tip in (12, 16, 20)]) / palm
    depth = np.clip(length(space[4] - space[8]) / palm - gap, 0, 1) * min(stretch, 1.6)
    return gap, reach, depth


def script(random, count):
    """The hand's sequence of movements: posture, closure at the start and the end, seconds."""
    rest = lambda: ("pinch", 0, 0, random.uniform(0.3, 0.8))
    yield rest()
    for _ in range(count):
        kind = random.uniform()
        if kind < 0.7:
            depth = 1 if kind < 0.5 else random.uniform(0.4, 0.6)
            yield "pinch", 0, depth, random.uniform(0.1, 0.3)
            yield "pinch", depth, depth, random.uniform(0.15, 0.8)
            yield "pinch", depth, 0, random.uniform(0.1, 0.3)
        else:
            yield "fist" if kind < 0.85 else "flat", 0, 0, random.uniform(0.3, 1)
        yield rest()


def stream(seed, count=16, dropouts=0.05, tilt=0.6):
    """Frames (time, gap, reach, depth), whether the tips touch (-1: unclear), and when they met."""
    random = np.random.default_rng(seed)
    rate, jitter, scale = random.choice([15, 24, 25, 30, 50, 60]), random.uniform(0, 0.06), random.uniform(0.05, 0.3)
    turn = turned(random.uniform(-tilt, tilt), random.uniform(-tilt, tilt), random.uniform(-0.8, 0.8))
    frames, labels, closings, start, index, was_closed = [], [], [], 0, 0, False
    for posture, first, last, duration in script(random, count):
        while index / rate < start + duration:
            time = index / rate
            hand = joints(posture, first + (last - first) * (time - start) / duration)
            gap = np.linalg.norm(hand[4] - hand[8])
            # A fifth of the hand is two centimetres, of which the model leaves one between touching tips.
            is_closed = posture == "pinch" and gap < 0.2
            if is_closed and not was_closed: closings.append(time)
            was_closed = is_closed
            posed = hand @ turn.T
            seen = (posed[:, :2] + random.normal(size=(21, 2)) * jitter) * scale
            space = posed + random.normal(size=(21, 3)) * jitter
            if random.uniform() >= dropouts:
                frames.append((time, *quantities(seen, space)))
                labels.append(1 if is_closed else 0 if gap > 0.3 or posture != "pinch" else -1)
            index += 1
        start += duration
    return np.array(frames), np.array(labels), closings
