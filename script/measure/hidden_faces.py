"""The faces that MediaPipe's two detectors still find on overlays made with --hide faces, of those in the recordings.

Both detectors read about 25 frames of each clip, whole and in overlapping parts of 60 % of its sides. A face counts as
left if it is found at the same position in the recording and on the overlay; other detections on overlays are counted
separately. Check the stored frames: prints on shirts and dumbbells are found in both. A larger grey box is painted over
each remaining face, to test whether a larger and plainer cover would hide it.
"""
import argparse
import os
import subprocess

import cv2
import mediapipe

CLIPS = """crowds/two_people_ntu.avi form/correct/correct101.mp4 form/wrong/wrong121.mp4 hands/asl/again.mkv
hands/asl/no.mkv hands/pinches/tap_webcam_fast.mp4 throws/more/court_city_a.mp4 throws/more/juggle_high.mp4
throws/more/neg_core.mp4""".split() + [f"repetitions/{name}.mp4" for name in """front_raise2 jacks_blue12 jacks_loop3
pf_wrong103 plyo_pushup6 squat_quarter3 more/neg_yoga_flow more/reverse_lunge2 more/seated_legpress3
more/situp_outdoor6 more/walking_lunge5 strangers/elbow_flexion6 strangers/jacks_mirror5 strangers/kb_swing1
strangers/lateral_gym4 strangers/neg_plank_orbit strangers/press_seated2 strangers/pushup_gym2""".split()]
FRAMES, SIDE, SAME = 25, 0.6, 0.3
GREY, MORE = 128, 0.3  # the grey of the painted box, and how far it extends beyond the face on each side
SQUARES = [(0, 0, 1)] + [(x, y, SIDE) for y in (0, 1 - SIDE) for x in (0, 1 - SIDE)]
DETECTORS = [mediapipe.solutions.face_detection.FaceDetection(model_selection=model) for model in (0, 1)]


def faces(picture):
    """Boxes as left, top, width, height, 0...1 of the image."""
    height, width = picture.shape[:2]
    for x, y, side in SQUARES:
        part = picture[int(y * height):int((y + side) * height), int(x * width):int((x + side) * width)]
        for detector in DETECTORS:
            for face in detector.process(cv2.cvtColor(part, cv2.COLOR_BGR2RGB)).detections or []:
                box = face.location_data.relative_bounding_box
                yield x + side * box.xmin, y + side * box.ymin, side * box.width, side * box.height


def boxed(picture, found):
    """The image with grey boxes over faces."""
    picture, (height, width) = picture.copy(), picture.shape[:2]
    for x, y, w, h in found:
        low, high = (x - MORE * w, y - MORE * h), (x + (1 + MORE) * w, y + (1 + MORE) * h)
        cv2.rectangle(picture, *((int(a * width), int(b * height)) for a, b in (low, high)), (GREY,) * 3, cv2.FILLED)
    return picture


def overlap(a, b):
    sides = [max(0, min(a[i] + a[i + 2], b[i] + b[i + 2]) - max(a[i], b[i])) for i in (0, 1)]
    return sides[0] * sides[1] / (a[2] * a[3] + b[2] * b[3] - sides[0] * sides[1])


parser = argparse.ArgumentParser()
[parser.add_argument(name) for name in ("--kinema", "--shared", "--cache")]
parser.add_argument("clips", nargs="*", default=CLIPS)
options, folder = parser.parse_args(), "out/hidden-faces"
os.makedirs(folder, exist_ok=True)
print("clip: frames with a face; with a face left; with only other detections; with a face left even behind a grey box")
for clip in options.clips:
    path, film = os.path.join(options.shared, "data", clip), f"{folder}/{clip.rsplit('.', 1)[0].replace('/', '_')}.mp4"
    subprocess.run([options.kinema, "pose", path, "--overlay", film, "--hide", "faces"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    plain, hidden, counts = cv2.VideoCapture(path), cv2.VideoCapture(film), [0] * 4
    for index in range(count := int(hidden.get(cv2.CAP_PROP_FRAME_COUNT))):
        before, after = plain.read()[1], hidden.read()[1]
        if index > 2 and index * FRAMES % count >= FRAMES or before is None or not (known := list(faces(before))):
            continue
        found = list(faces(after))
        left = [face for face in found if any(overlap(face, other) > SAME for other in known)]
        again = left and any(overlap(face, other) > SAME for face in faces(boxed(after, left)) for other in known)
        counts = [sum(pair) for pair in zip(counts, (1, bool(left), bool(found and not left), bool(again)))]
        if found:
            cv2.imwrite(f"{film[:-4]}-{index}.png", cv2.hconcat([cv2.resize(before, after.shape[1::-1]), after]))
    print(clip, *counts, flush=True)
