"""The overlap (IoU) of what --hide background leaves of an image with COCO's hand-drawn outlines of people.

The seven images have at most three people, all with outlines, one of them with at least ten joints and a twelfth of the
image. What is left includes the drawn skeletons, so the figure is not that of the mask alone.
"""
import argparse
import json
import os
import subprocess
import tempfile

import cv2
import numpy

JOINTS, SHARE, PEOPLE = 10, 1 / 12, 3
HIDDEN, TOLERANCE = 40, 4  # the grey of a hidden background, and the tolerance in images without JPEG artefacts

parser = argparse.ArgumentParser()
[parser.add_argument(name) for name in ("--kinema", "--shared", "--cache")]
options = parser.parse_args()
folder = os.path.join(options.shared, "data/people/coco_train_subset")
with open(os.path.join(folder, "person_keypoints.json"), encoding="utf-8") as file:
    truth = json.load(file)
overlaps = []
for image in truth["images"]:
    people = [one for one in truth["annotations"] if one["image_id"] == image["id"]]
    size = image["width"] * image["height"]
    if (not 0 < len(people) <= PEOPLE or any(one["iscrowd"] for one in people)
            or not any(one["num_keypoints"] >= JOINTS and one["area"] >= SHARE * size for one in people)):
        continue
    outline = numpy.zeros((image["height"], image["width"]), numpy.uint8)
    for polygon in (polygon for one in people for polygon in one["segmentation"]):
        cv2.fillPoly(outline, [numpy.array(polygon).reshape(-1, 2).round().astype(numpy.int32)], 1)
    with tempfile.TemporaryDirectory() as place:
        overlay = os.path.join(place, "overlay.png")
        subprocess.run(
            [options.kinema, "pose", os.path.join(folder, "images", image["file_name"]), "--precision", "f32", "--overlay",
             overlay, "--hide", "background"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        shown = cv2.imread(overlay).astype(int)
    mask = abs(shown - HIDDEN).max(2) > TOLERANCE
    overlaps.append((mask & (outline > 0)).sum() / (mask | (outline > 0)).sum())
    print(f"{image['file_name']}  {overlaps[-1]:.3f}", flush=True)
found = [one for one in overlaps if one > 0]
print(f"{len(overlaps)} images: mean {numpy.mean(overlaps):.3f}; people detected in {len(found)}: mean {numpy.mean(found):.3f}")
