"""Pose lines of a drawn left hand that pinches, almost pinches or makes fists; see script/golden. The unit of length is the
hand: wrist to middle knuckle."""
import json, math

NAMES = ["wrist"] + ["thumb" + joint for joint in ("CMC", "MP", "IP", "Tip")] + [
    finger + joint for finger in ("index", "middle", "ring", "little") for joint in ("MCP", "PIP", "DIP", "Tip")]
KNUCKLES = ((0.25, 0.95, 0), (0.03, 1, 0), (-0.17, 0.93, 0), (-0.35, 0.82, 0))
# Frames per second, seconds, seconds per movement, how far the tips close (1: they meet), whether all fingers fold.
MOVEMENTS = {"pinches": (30, 6, 1.5, 1, False), "quick pinches": (60, 4, 0.5, 1, False), "slow pinches": (15, 9, 3, 1, False),
             "near pinches": (30, 6, 1.5, 0.7, False), "fists": (30, 6, 1.5, 1, True)}


def between(a, b, share): return tuple(one + (other - one) * share for one, other in zip(a, b))


def joints(closed, is_fist):
    """The 21 joints; x points towards the thumb, y along the fingers, z out of the palm."""
    # In a pinch the tips meet in front of the index finger's knuckle; in a fist they lie in the palm, under the thumb.
    thumb = between((0.95, 0.75, 0.1), (0.25, 0.72, 0.38) if is_fist else (0.3, 1.3, 0.6), closed)
    chains = [((0.28, 0.22, 0.1), thumb)]
    for finger, (x, y, z) in enumerate(KNUCKLES):
        tip = (x * 1.2, y + 0.85, 0.1)
        if is_fist: tip = between(tip, (x * 0.8, y - 0.3, 0.3), closed)
        elif finger == 0: tip = between(tip, (0.3, 1.3, 0.6), closed)
        chains.append(((x, y, z), tip))
    return [(0, 0, 0)] + [between(*chain, share) for chain in chains for share in (0, 0.43, 0.75, 1)]


def lines(movement):
    rate, seconds, period, depth, is_fist = MOVEMENTS[movement]
    for frame in range(rate * seconds):
        closed = depth * min(1, max(0, 0.5 - 0.75 * math.cos(2 * math.pi * frame / rate / period)))
        hand = joints(closed, is_fist)
        points = {name: [round(0.4 + 0.1 * x, 5), round(0.3 + 0.1 * y * 16 / 9, 5), 0.99] for name, (x, y, _) in zip(NAMES, hand)}
        space = {name: [round(0.1 * value, 5) for value in joint] + [0.99] for name, joint in zip(NAMES, hand)}
        yield json.dumps({"frame": frame, "time": round(frame / rate, 6), "people": [], "hands": [
            {"id": 1, "chirality": "left", "person": None, "confidence": 0.95, "box": [0.3, 0.3, 0.3, 0.4], "keypoints": points, "keypoints3D": space}]})
