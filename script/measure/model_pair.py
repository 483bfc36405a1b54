"""PicoDet and a heat-map model run by a plain Python script with OpenVINO, as a baseline for Kinema.

Nothing here is Kinema's: OpenCV resizes the images and crops the people, and the joints are decoded from the heat maps by
the published formulas (DARK, Zhang et al. 2020).
"""
import time

import cv2
import numpy as np
import openvino

from kinema_command import SIGMAS

MEAN = np.array([123.675, 116.28, 103.53], np.float32)
DEVIATION = np.array([58.395, 57.12, 57.375], np.float32)
BOX_SCORE, BOX_OVERLAP, PADDING, LEAST = 0.08, 0.6, 1.25, 0.145
DEVIATIONS = np.array(SIGMAS)


class Pair:
    def __init__(self, detector, model, precision="f32", padding=PADDING):
        core = openvino.Core()
        core.set_property("CPU", {"INFERENCE_PRECISION_HINT": "f32" if precision == "f32" else "bf16"})
        self.detector, self.model = core.compile_model(detector, "CPU"), core.compile_model(model, "CPU")
        self.padding, self.seconds, self.crops = padding, 0.0, 0

    def people(self, picture):
        """Everyone in an image (BGR): score and the 17 joints as rows of x, y, score."""
        found = []
        for box, score in zip(*self.boxes(picture)):
            started = time.perf_counter()
            joints = self.joints(picture, box)
            self.seconds, self.crops = self.seconds + time.perf_counter() - started, self.crops + 1
            found.append((float(score ** (2 / 3) * joints[:, 2].clip(0, 1).mean()), joints))
        kept = []
        for score, joints in sorted(found, key=lambda one: -one[0]):
            if score >= LEAST and all(similarity(joints, other) <= 0.5 for _, other in kept):
                kept.append((score, joints))
        return kept

    def boxes(self, picture):
        height, width = self.detector.inputs[0].shape[2:]
        pixels = cv2.resize(picture, (width, height), interpolation=cv2.INTER_LINEAR)
        result = self.detector([planes(pixels)])
        boxes, scores = result[0][0], result[1][0][0]
        scale = np.array([picture.shape[1] / width, picture.shape[0] / height] * 2)
        boxes, scores = boxes[scores >= BOX_SCORE] * scale, scores[scores >= BOX_SCORE]
        order, kept = np.argsort(-scores), []
        while len(order):
            best, rest = order[0], order[1:]
            kept.append(best)
            low, high = np.maximum(boxes[best, :2], boxes[rest, :2]), np.minimum(boxes[best, 2:], boxes[rest, 2:])
            shared = (high - low).clip(0).prod(1)
            union = area(boxes[best]) + area(boxes[rest]) - shared
            order = rest[shared / np.maximum(union, 1e-9) <= BOX_OVERLAP]
        return boxes[kept].clip(0, [picture.shape[1], picture.shape[0]] * 2), scores[kept]

    def joints(self, picture, box):
        height, width = self.model.inputs[0].shape[2:]
        middle = (box[:2] + box[2:]) / 2
        step = max((box[2] - box[0]) / width, (box[3] - box[1]) / height) * self.padding
        corner = middle - np.array([width, height]) / 2 * step
        matrix = np.array([[step, 0, corner[0]], [0, step, corner[1]]])
        part = cv2.warpAffine(picture, matrix, (width, height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        maps = self.model([planes(part)])[0][0]
        scale = np.array([width / maps.shape[2], height / maps.shape[1]])
        points = np.array([peak(one) for one in maps])
        return np.column_stack([points[:, :2] * scale * step + corner, points[:, 2]])


def planes(picture):
    pixels = (picture[:, :, ::-1].astype(np.float32) - MEAN) / DEVIATION
    return np.ascontiguousarray(pixels.transpose(2, 0, 1)[None])


def area(boxes):
    return (boxes[..., 2] - boxes[..., 0]) * (boxes[..., 3] - boxes[..., 1])


def peak(heat):
    """x, y and height of a map's maximum, refined between cells by a Taylor expansion of the blurred map's logarithm."""
    y, x = np.unravel_index(heat.argmax(), heat.shape)
    value = heat[y, x]
    if not (1 < x < heat.shape[1] - 2 and 1 < y < heat.shape[0] - 2):
        return x, y, value
    blurred = cv2.GaussianBlur(np.pad(heat, 2), (5, 5), 0)[2:-2, 2:-2]
    log = np.log(np.maximum(blurred, 1e-10))
    slope = np.array([log[y, x + 1] - log[y, x - 1], log[y + 1, x] - log[y - 1, x]]) / 2
    xx, yy = (log[y, x + 2] - 2 * log[y, x] + log[y, x - 2]) / 4, (log[y + 2, x] - 2 * log[y, x] + log[y - 2, x]) / 4
    xy = (log[y + 1, x + 1] - log[y - 1, x + 1] - log[y + 1, x - 1] + log[y - 1, x - 1]) / 4
    if xx * yy - xy * xy == 0:
        return x, y, value
    offset = -np.linalg.solve([[xx, xy], [xy, yy]], slope)
    if np.abs(offset).max() > 2:
        return x, y, value
    return x + offset[0], y + offset[1], value


def similarity(one, other):
    """Object keypoint similarity of two detections."""
    def extent(joints):
        return np.ptp(joints[:, 0]) * np.ptp(joints[:, 1]) * 0.53
    size = max(1, (extent(one) + extent(other)) / 2)
    away = ((one[:, :2] - other[:, :2]) ** 2).sum(1)
    return np.exp(-away / (2 * size * (2 * DEVIATIONS) ** 2)).mean()
