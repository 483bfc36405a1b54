"""How many of COCO's joints a request reports as not found: those outside the image or below a confidence of 0.2.

People are matched with annotations by the median distance of their labelled joints. Goal: at most 2 % of visible joints. No
confidence limit rejects 95 % of the joints that nobody could label, because the model is confident about hidden faces.
"""
import json
import os
import sys

from kinema_command import command_line, poses

SET = "data/people/coco_train_subset"
# A person matches an annotation if the median distance is below this share of the square root of its area.
NEAR = 0.25
LEAST = 0.2
FACE = {"nose", "leftEye", "rightEye", "leftEar", "rightEar"}
NAMES = {0: "not labelled", 1: "hidden", 2: "visible"}
GOAL_VISIBLE = 0.02


def joint_name(name):
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def distance(person, body, names, width, height):
    found = []
    for index, name in enumerate(names):
        x, y, flag = body["keypoints"][3 * index:3 * index + 3]
        point = person["keypoints"].get(name)
        if flag and point:
            found.append(((point[0] * width - x) ** 2 + ((1 - point[1]) * height - y) ** 2) ** 0.5)
    return sorted(found)[len(found) // 2] / body["area"] ** 0.5 if found else float("inf")


def main():
    options, _ = command_line("coco visibility").parse_known_args()
    folder = os.path.join(options.shared, SET)
    with open(os.path.join(folder, "person_keypoints.json")) as file:
        data = json.load(file)
    names = [joint_name(name) for name in data["categories"][0]["keypoints"]]
    rows = []
    for image in data["images"]:
        bodies = [body for body in data["annotations"] if body["image_id"] == image["id"]
                  and body["num_keypoints"] and not body.get("iscrowd")]
        frames = bodies and poses(options.kinema, os.path.join(folder, "images", image["file_name"]))
        people = frames[0]["people"] if frames else []
        for body in sorted(bodies, key=lambda body: -body["area"]):
            near = [(distance(person, body, names, image["width"], image["height"]), index)
                    for index, person in enumerate(people)]
            if not near or min(near)[0] >= NEAR:
                continue
            person = people.pop(min(near)[1])
            for index, name in enumerate(names):
                x, y, confidence = person["keypoints"].get(name, (-1, -1, 0))
                is_found = confidence >= LEAST and 0 <= x <= 1 and 0 <= y <= 1
                rows.append((body["keypoints"][3 * index + 2], name in FACE, is_found))
    print(f"{'':14}{'joints':>8}{'not found':>10}{'without faces':>15}")
    for flag, name in NAMES.items():
        parts = [[row[2] for row in rows if row[0] == flag and not (limbs and row[1])] for limbs in (False, True)]
        print(f"{name:14}{len(parts[0]):8}" + "".join(
            f"{part.count(False) / max(1, len(part)):{width}.3f}" for part, width in zip(parts, (10, 15))))
    visible = [row[2] for row in rows if row[0] == 2]
    sys.exit(visible.count(False) > GOAL_VISIBLE * len(visible))


main()
