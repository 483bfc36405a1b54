"""OKS average precision and recall of Kinema, compared with MediaPipe's single-person solution, on annotated images.

Then the same for Kinema with a chosen model and its detector (by default the shared pair), compared with a plain Python
script that runs the same files: average precision, milliseconds per person, and the distance between joints.

The main set is the COCO subset, which includes images without people. The images of mmpose's tests are an extra;
CrowdPose and AIC use the twelve limb joints that all sets share. Last come the people per frame of a short street video,
with the built-in model and with `--model auto`, and `auto` on its frames as single images.
"""
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile

# Silences MediaPipe's log.
os.environ.setdefault("GLOG_minloglevel", "3")

import cv2
import mediapipe as mp
import numpy as np
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

from kinema_command import BENCH, BLAZEPOSE, COCO as COCO_JOINTS, SIGMAS, check_goals, command_line, pixels, poses
from model_pair import Pair

LIMBS = COCO_JOINTS[5:]
SETS = (
    ("COCO subset", "people/coco_train_subset", "person_keypoints.json", "images", COCO_JOINTS),
    ("mmpose coco", "people/mmpose_tests/coco", "test_coco.json", "", COCO_JOINTS),
    ("mmpose crowdpose", "people/mmpose_tests/crowdpose", "test_crowdpose.json", "", LIMBS),
    ("mmpose aic", "people/mmpose_tests/aic", "test_aic.json", "", LIMBS),
)
GOAL_RATIO, GOAL_EMPTY = 1.4, 10
STREET, FOR_CROWDS = "crowds/street_mmpose.mp4", "tinypose-256x192"
PAIR = ("picodet_s_320_ped.xml", "tinypose_256_192.xml")
# A person's crop is larger than the box by this factor; 1.25 lowers the pair's average precision by 0.02.
PAIR_PADDING = 1.1
GOAL_PAIR, GOAL_PAIR_EMPTY, GOAL_PARITY = 0.55, 11, 1.0
# COCO uses the area of a body's segmentation; without one, this times the area of the box (mmpose's convention).
AREA_OF_BOX = 0.53


def kinema_people(options, path, width, height, *model):
    """The people Kinema detects in an image: score and {joint: (x, y) in pixels}."""
    frames = poses(options.kinema, path, "--raw", "--precision", options.precision, *model, *options.options)
    for person in (person for frame in frames[:1] for person in frame["people"]):
        yield person["confidence"], {name: pixels(p, width, height) for name, p in person["keypoints"].items()}


def mediapipe_people(solution, picture):
    """The person MediaPipe detects; the score is the mean visibility."""
    height, width = picture.shape[:2]
    found = solution.process(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB)).pose_landmarks
    if found:
        score = float(np.mean([point.visibility for point in found.landmark]))
        yield score, {name: (p.x * width, p.y * height) for name, p in zip(BLAZEPOSE, found.landmark)}


def truth(path, joints):
    """The annotations reduced to some joints, in pycocotools' form."""
    with open(path) as file:
        data = json.load(file)
    names = [name.lower().replace("_", " ") for name in data["categories"][0]["keypoints"]]
    columns = [names.index(spaced(joint)) for joint in joints]
    for body in data["annotations"]:
        points = np.array(body["keypoints"]).reshape(-1, 3)[columns]
        body["keypoints"] = points.ravel().tolist()
        body["num_keypoints"] = int((points[:, 2] > 0).sum())
        body.setdefault("iscrowd", 0)
        body.setdefault("area", body["bbox"][2] * body["bbox"][3] * AREA_OF_BOX)
    result = COCO()
    result.dataset = data
    with contextlib.redirect_stdout(io.StringIO()):
        result.createIndex()
    return result


def spaced(joint):
    """leftEye in the annotations' form: left eye."""
    return "".join(" " + letter.lower() if letter.isupper() else letter for letter in joint)


def evaluate(annotations, joints, results):
    """Average precision (all, at 0.5, at 0.75, medium, large) and recall; zero without results."""
    if not results:
        return [0.0] * 6
    with contextlib.redirect_stdout(io.StringIO()):
        evaluation = COCOeval(annotations, annotations.loadRes(results), "keypoints")
        evaluation.params.kpt_oks_sigmas = np.array([SIGMAS[COCO_JOINTS.index(joint)] for joint in joints])
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    return list(evaluation.stats[:6])


def as_results(image, category, joints, people):
    for score, points in people:
        flat = [value for joint in joints for value in (*points.get(joint, (0, 0)), 1)]
        yield {"image_id": image, "category_id": category, "keypoints": flat, "score": score}


def measure(options, solution, title, folder, annotations, pictures, joints):
    """Prints the two rows of a set; returns both APs and the number of empty images on which Kinema detects someone."""
    folder = os.path.join(options.shared, "data", folder)
    known = truth(os.path.join(folder, annotations), joints)
    category = known.getCatIds()[0]
    empty = {image for image in known.getImgIds() if not known.getAnnIds(imgIds=image)}
    results, found_on_empty = {"Kinema": [], "MediaPipe": []}, {"Kinema": 0, "MediaPipe": 0}
    for image in known.loadImgs(known.getImgIds()):
        path = os.path.join(folder, pictures, image["file_name"])
        picture = cv2.imread(path)
        if picture is None:
            sys.exit(f"coco: cannot read {path}")
        height, width = picture.shape[:2]
        for who, people in (("Kinema", kinema_people(options, path, width, height)),
                            ("MediaPipe", mediapipe_people(solution, picture))):
            found = list(as_results(image["id"], category, joints, people))
            results[who] += found
            found_on_empty[who] += bool(found and image["id"] in empty)
    precision = {}
    for who in results:
        stats = evaluate(known, joints, results[who])
        precision[who] = stats[0]
        # pycocotools returns -1 for a size class without people.
        numbers = " ".join("    --" if value < 0 else f"{value:6.3f}" for value in stats)
        print(f"{title:17} {len(known.getImgIds()):8} {who:10} {len(results[who]):6} {numbers}"
              f"   {found_on_empty[who]} of {len(empty)}", flush=True)
    return precision, found_on_empty["Kinema"], len(empty)


def chosen(options):
    """The rows of a chosen heat-map model, in Kinema and in Python; returns the goals."""
    folder = os.path.join(options.shared, "models", "more")
    detector, file = options.detector or os.path.join(folder, PAIR[0]), options.model or os.path.join(folder, PAIR[1])
    pair = Pair(detector, file, options.precision, PAIR_PADDING)
    with tempfile.TemporaryDirectory() as described:
        return chosen_rows(options, pair, detector, describe(file, described))


def describe(file, folder):
    """A folder with a description of the model, which sets the padding."""
    for part in (file, os.path.splitext(file)[0] + ".bin"):
        if os.path.exists(part):
            os.symlink(os.path.abspath(part), os.path.join(folder, os.path.basename(part)))
    with open(os.path.join(folder, "model.json"), "w") as output:
        json.dump({"name": "chosen", "file": os.path.basename(file), "decoder": "heatmap",
                   "input": {"padding": PAIR_PADDING}}, output)
    return folder


def chosen_rows(options, pair, detector, model):
    _, people, annotations, pictures, joints = SETS[0]
    people = os.path.join(options.shared, "data", people)
    known = truth(os.path.join(people, annotations), joints)
    category, empty = known.getCatIds()[0], {image for image in known.getImgIds() if not known.getAnnIds(imgIds=image)}
    results, on_empty, apart = {"chosen": [], "Python": []}, {"chosen": 0, "Python": 0}, []
    for image in known.loadImgs(known.getImgIds()):
        path = os.path.join(people, pictures, image["file_name"])
        picture = cv2.imread(path)
        height, width = picture.shape[:2]
        found = {"chosen": list(kinema_people(options, path, width, height, "--model", model, "--detector", detector)),
                 "Python": [(score, dict(zip(COCO_JOINTS, points[:, :2]))) for score, points in pair.people(picture)]}
        for who in results:
            results[who] += list(as_results(image["id"], category, joints, found[who]))
            on_empty[who] += bool(found[who] and image["id"] in empty)
        for _, ours in found["chosen"]:
            distances = [[np.hypot(*np.subtract(ours[joint], theirs[joint])) for joint in joints]
                         for _, theirs in found["Python"]]
            nearest = min(distances, key=np.median, default=None)
            # A person found by only one of them has no counterpart.
            if nearest is not None and np.median(nearest) < 0.05 * height:
                apart += nearest
    parts = json.loads(subprocess.run(
        [BENCH, "parts", path, "--model", model, "--detector", detector, "--precision", options.precision],
        capture_output=True, text=True, check=True).stdout)
    times = {"chosen": parts["inferenceWallms"], "Python": 1000 * pair.seconds / max(1, pair.crops)}
    precision = {}
    for who in results:
        stats = evaluate(known, joints, results[who])
        precision[who] = stats[0]
        numbers = " ".join("    --" if value < 0 else f"{value:6.3f}" for value in stats)
        print(f"{SETS[0][0]:17} {len(known.getImgIds()):8} {who:10} {len(results[who]):6} {numbers}"
              f"   {on_empty[who]} of {len(empty)}   {times[who]:.1f} ms per person", flush=True)
    parity, nobody = float(np.median(apart)), len(empty) - on_empty["chosen"]
    print(f"distance of joints from Python's: median {parity:.2f} pixels, 90 % within {np.percentile(apart, 90):.2f}")
    return [
        (f"AP {precision['chosen']:.3f} with the chosen model; the goal is {GOAL_PAIR}", precision["chosen"] >= GOAL_PAIR),
        (f"no one detected on {nobody} of {len(empty)} empty images with it; the goal is {GOAL_PAIR_EMPTY}",
         nobody >= GOAL_PAIR_EMPTY),
        (f"joints a median of {parity:.2f} pixels from Python's; the goal is {GOAL_PARITY:g}", parity <= GOAL_PARITY),
    ]


def street(options):
    """Prints the people per frame of a video with small people; has no goal."""
    video = os.path.join(options.shared, "data", STREET)
    if not os.path.exists(os.path.join(os.environ.get("KINEMA_HOME", ""), "models", FOR_CROWDS)):
        print(f"{STREET}: not measured; run kinema models fetch {FOR_CROWDS}, which --model auto uses")
        return
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", video, os.path.join(folder, "%03d.png")], check=True)
        pictures = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
        for title, sources, model in (("built-in model", [video], "blazepose"), ("--model auto", [video], "auto"),
                                      ("--model auto, single pictures", pictures, "auto")):
            frames = [frame for source in sources
                      for frame in poses(options.kinema, source, "--model", model, "--max-people", "40", *options.options)]
            people = sum(len(frame["people"]) for frame in frames)
            print(f"{STREET}, {title}: {people / len(frames):.1f} people per frame, {len(frames)} frames", flush=True)


def main():
    parser = command_line("coco", __doc__)
    parser.add_argument("--precision", default="f32")
    parser.add_argument("--model", help="a top-down model; the shared one by default")
    parser.add_argument("--detector", help="its detector (PicoDet); the shared one by default")
    parser.add_argument("options", nargs="*", help="further options of kinema pose, after --")
    options = parser.parse_args()

    print(f"{'set':17} {'pictures':>8} {'system':10} {'people':>6} {'AP':>6} {'AP50':>6} {'AP75':>6} {'APm':>6} {'APl':>6} "
          f"{'AR':>6}   someone on empty images")
    with mp.solutions.pose.Pose(static_image_mode=True, model_complexity=1) as solution:
        precision, false_pictures, empty = [measure(options, solution, *a_set) for a_set in SETS][0]
    ratio = precision["Kinema"] / max(precision["MediaPipe"], 1e-9)
    goals = [
        (f"AP {ratio:.2f} times MediaPipe's; the goal is {GOAL_RATIO}", ratio >= GOAL_RATIO),
        (f"no one detected on {empty - false_pictures} of {empty} empty images; the goal is {GOAL_EMPTY}",
         empty - false_pictures >= GOAL_EMPTY),
    ]
    if options.model or os.path.exists(os.path.join(options.shared, "models", "more", PAIR[1])):
        goals += chosen(options)
    street(options)
    return 0 if check_goals(goals) else 1


if __name__ == "__main__":
    sys.exit(main())
