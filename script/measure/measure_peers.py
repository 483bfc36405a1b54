"""Compares `kinema measure` with Pose2Sim, Sports2D and motion-capture markers; see script/measure-accuracy."""

import contextlib
import json
import logging
import pathlib

import numpy as np

import exports
from measure_bench import ANGLES, JOINTS, measured, rms, side_angles, turned

# Pose2Sim's markers by Kinema's joints.
MARKERS = {"root": "CHip", "neck": "Neck", "nose": "Nose"} | {
    joint: marker for marker, joint in exports.NAMES.items() if joint not in ("root", "neck")}
# Segments' masses and the relative positions of their centres: de Leva, J. Biomech. 29 (1996), table 4, the means of
# women and men; the hand is at the wrist, the head at the nose.
SEGMENTS = [(0.0681, 0, "nose", "nose"), (0.4302, 0.4046, "neck", "root")] + [
    (mass, share, side + start, side + end) for side in ("left", "right") for mass, share, start, end in (
        (0.0263, 0.5763, "Shoulder", "Elbow"), (0.0150, 0.4567, "Elbow", "Wrist"), (0.0059, 1, "Elbow", "Wrist"),
        (0.1447, 0.3854, "Hip", "Knee"), (0.0457, 0.4438, "Knee", "Ankle"), (0.0133, 0.4215, "Heel", "FootTip"))]


def triangulated(bench, data):
    """The joints of Pose2Sim's demo in metres, one dictionary per frame, computed by Pose2Sim from Kinema's poses."""
    import rtoml
    from Pose2Sim import Pose2Sim

    folder = bench.cache / "pose2sim"
    for part in ("calibration", "pose", "videos"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "calibration/calib.qca.txt").write_text((data / "pose2sim_calib.qca.txt").read_text())
    for number in range(1, 5):
        video, link = data / f"pose2sim_cam0{number}.mp4", folder / f"videos/cam0{number}.mp4"
        link.unlink(missing_ok=True)
        link.symlink_to(video.resolve())
        if not (poses := folder / f"pose/cam0{number}_json").exists():
            bench.run("pose", video, "--export", "openpose", "--output", poses)
    config = rtoml.load(pathlib.Path(Pose2Sim.__file__).parent / "Demo_SinglePerson/Config.toml")
    config["pose"]["pose_model"] = "BODY_25"
    for old in (folder / "pose-3d").glob("*"):
        old.unlink()
    # Pose2Sim looks for the calibration in the working folder.
    with contextlib.chdir(folder):
        rtoml.dump(config, pathlib.Path("Config.toml"))
        for step in (Pose2Sim.calibration, Pose2Sim.personAssociation, Pose2Sim.triangulation):
            step()
    path = next((folder / "pose-3d").glob("*.trc"))
    table, _, _, names, _ = exports.pose2sim("read_trc")[0](path)
    points = table.to_numpy(float).reshape(len(table), -1, 3)
    frames = [{joint: points[i, names.index(marker)] for joint, marker in MARKERS.items()} for i in range(len(points))]
    return smoothed(frames, 60), path


def smoothed(frames, rate):
    """Joints after the filter of `kinema measure`: zero-lag Butterworth of order 4 at 6 Hz."""
    from scipy.signal import butter, filtfilt

    b, a = butter(2, 6 / (rate / 2))
    courses = {name: filtfilt(b, a, [f[name] for f in frames], axis=0) for name in frames[0]}
    return [{name: course[i] for name, course in courses.items()} for i in range(len(frames))]


def centre_of_mass(joints):
    parts = [(m, np.asarray(joints[a]) + share * (np.asarray(joints[b]) - joints[a])) for m, share, a, b in SEGMENTS]
    return sum(m * p for m, p in parts) / sum(m for m, _ in parts)


def cameras(bench, shared, _):
    """2. One camera compared with the triangulation of four (Pose2Sim's demo)."""
    import rtoml
    from Pose2Sim.common import compute_height

    data = shared / "data/measure"
    frames, path = triangulated(bench, data)
    height = float(compute_height(exports.pose2sim("read_trc")[0](path)[0]))
    mass = np.array([centre_of_mass(f) for f in frames])
    across = np.mean([f["rightHip"] - f["leftHip"] for f in frames], axis=0) * (1, 0, 1)
    space = {name: np.array([side_angles(f)[name] for f in frames]) for name in ANGLES}
    print(f"{path.name}: {len(frames)} frames, a height of {height:.2f} m by Pose2Sim; RMSE in degrees")
    print(f"{'':<36}" + "".join(f"{joint:>14}" for joint in JOINTS) + f"{'trunk':>7}\n{'':<36}"
          + f"{'right':>7}{'left':>7}" * len(JOINTS))
    calibration = rtoml.load(bench.cache / "pose2sim/calibration/Calib_qualisys.toml")
    for number in range(1, 5):
        camera = calibration[f"cam0{number}"]
        video = data / f"pose2sim_cam0{number}.mp4"
        position, picture = seen_by(camera, frames)
        view = (position - mass.mean(axis=0)) * (1, 0, 1)
        turn = np.degrees(np.arccos(abs(view @ across) / np.linalg.norm(view) / np.linalg.norm(across)))
        usual = bench.measure(bench.poses(video), "--height", round(height, 3), "--person", 1)
        result = bench.measure(bench.poses(video), "--height", round(height, 3), "--person", 1, "--view", "side")
        print(f"cam0{number}, {turn:.0f} degrees from the side; kinema measure reports the view as {usual['view']}")
        times, values = measured(result)
        index = np.clip(np.round(times * 60).astype(int), 0, len(frames) - 1)
        # The facing direction determines the signs; both are tried, since the person turns.
        flat = [np.array([flat_angles(f, ANGLES) for f in side]).T for side in (picture, mirrored(picture))]
        courses = {name: [course[i][index] for course in flat] for i, name in enumerate(ANGLES)}
        print(row_of("  in its image (--view side)", {
            name: min((turned(values[name] - course) for course in courses[name]), key=rms) for name in values
            if name in courses}))
        mot = bench.cache / f"{video.stem}.mot"
        if not (written := [mot] if mot.exists() else sorted(mot.parent.glob(f"{mot.stem}_person1.mot"))):
            bench.run("pose", video, "--export", "mot", "--output", mot)
            written = [mot] if mot.exists() else sorted(mot.parent.glob(f"{mot.stem}_person1.mot"))
        table, times, _ = exports.pose2sim("read_mot")[0](written[0])
        index = np.clip(np.round(np.array(times) * 60).astype(int), 0, len(frames) - 1)
        print(row_of("  in space (kinema pose --export mot)", {
            name: turned(table[name].to_numpy() - space[name][index]) for name in ANGLES if name in table}))
        rise = values["height"] - mass[np.clip(np.round(result_times(result) * 60).astype(int), 0, len(frames) - 1), 1]
        print(f"  height of the centre of mass: bias {100 * np.nanmean(rise):.1f} cm, spread {100 * np.nanstd(rise):.1f} cm")
    print("published RMSE of single cameras from the side: 4 to 11 degrees; no camera of this demo is there")


def result_times(result):
    return np.array(result["times"])


def row_of(title, errors):
    clean = {name: error[np.isfinite(error)] for name, error in errors.items()}
    names = [f"{side} {joint}" for joint in JOINTS for side in ("Right", "Left")] + ["Trunk"]
    return f"{title:<36}" + "".join(f"{rms(clean.get(name, [])):>7.1f}" for name in names)


def seen_by(camera, frames):
    """A camera's position in metres, and the joints in its image as Sports2D's code expects them: x right, y up."""
    import cv2

    turn = cv2.Rodrigues(np.array(camera["rotation"]))[0]
    shift = np.array(camera["translation"])
    x, y, z = -turn.T @ shift
    seen = []
    for frame in frames:
        # Pose2Sim's files have y up; its calibration z.
        points = {name: turn @ np.array([p[2], p[0], p[1]]) + shift for name, p in frame.items()}
        seen.append({name: np.array([p[0] / p[2], -p[1] / p[2], 0]) for name, p in points.items()})
    return np.array([y, z, x]), seen


def mirrored(frames):
    return [{name: point * (-1, 1, 1) for name, point in frame.items()} for frame in frames]


# UI-PRMD's movements with the joints that they bend: in the sagittal plane, seen from the side, and in the frontal plane,
# seen from the front.
SAGITTAL = {"deep_squat": ("knee", "hip", "Trunk"), "hurdle_step": ("knee", "hip"), "inline_lunge": ("knee", "hip"),
            "sit_to_stand": ("knee", "hip", "Trunk"), "standing_active_straight_leg_raise": ("hip",),
            "standing_shoulder_extension": ("shoulder",)}
FRONTAL = {"standing_shoulder_abduction": ("shoulder",), "side_lunge": ("hip",)}
MARKER_JOINTS = "nose leftHead rightHead leftShoulder rightShoulder leftElbow rightElbow leftWrist rightWrist leftHip " \
    "rightHip leftKnee rightKnee leftAnkle rightAnkle leftHeel rightHeel leftFootTip rightFootTip".split()
# Distances in metres of cameras on the person's right or in front: one without visible perspective, one as in a small room.
DISTANCES = (1000, 4)


def project(frames, distance, path, view):
    """Writes the poses as seen by a camera on the person's right or in front; frames are x ahead, y left, z up, in metres."""
    middle = frames["root"].mean(axis=0)
    with open(path, "w") as file:
        for index in range(len(frames["root"])):
            keypoints = {}
            for name, course in frames.items():
                x, y, z = course[index] - middle
                right, away = (x, y) if view == "side" else (y, -x)
                # The image is 2.8 m high at the person's distance.
                scale = distance / (distance + away) / 2.8
                keypoints[name] = [0.5 + right * scale, 0.5 + z * scale, 1]
            print(json.dumps({"frame": index, "time": index / 25, "hands": [], "width": 1000, "height": 1000, "people": [
                {"id": 1, "shot": 0, "confidence": 1, "box": [0.1, 0.1, 0.8, 0.8], "keypoints": keypoints}]}), file=file)


def markers(bench, shared, _):
    """3. The range of motion of UI-PRMD's repetitions, from markers in space and from their projection."""
    import pandas as pd

    labels = pd.read_csv(shared / "data/uiprmd/labels.csv")
    arrays = np.load(shared / "data/uiprmd/ui-prmd.npz")
    print("difference in degrees of a repetition's range (median, 90 %, bias): in the plane of the view without perspective,\n"
          "the same from 4 m, and from 4 m against the angle in the body's own side or front view")
    print(f"{'movement':<36}{'angle':<20}{'n':>5}{'no perspective':>21}{'from 4 m':>21}{'in the body':>21}")
    for view, exercises in (("side", SAGITTAL), ("front", FRONTAL)):
        pooled, recordings = [[], [], []], 0
        for exercise, angles in exercises.items():
            differences = {}
            for row in labels[labels.exercise == exercise].itertuples():
                points = arrays[row.key].astype(float) / 1000
                if (points < -32).any():
                    continue
                recordings += 1
                joints = {name: points[:, i] for i, name in enumerate(MARKER_JOINTS) if "Head" not in name}
                joints["root"] = (joints["leftHip"] + joints["rightHip"]) / 2
                joints["neck"] = (joints["leftShoulder"] + joints["rightShoulder"]) / 2
                seen = []
                for distance in DISTANCES:
                    path = bench.cache / "markers.jsonl"
                    project(joints, distance, path, view)
                    seen.append(measured(bench.measure(path, "--height", 1.75, "--view", view, "--filter", "none"))[1])
                courses = angle_courses if view == "side" else abduction_courses
                plane, body = (courses(joints, angles, own) for own in (False, True))
                bounds = [int(b) for b in row.boundaries.split()]
                for name in plane:
                    for start, end in zip(bounds, bounds[1:]):
                        span = lambda courses: np.nanmax(courses[name][start:end]) - np.nanmin(courses[name][start:end])
                        # Only joints that move count.
                        if span(plane) > 20 and all(
                                name in one and np.isfinite(one[name][start:end]).any() for one in seen):
                            differences.setdefault(name.split(" ", 1)[-1], []).append(
                                [span(seen[0]) - span(plane), span(seen[1]) - span(plane), span(seen[1]) - span(body)])
            for angle, values in differences.items():
                columns = np.array(values).T
                for all_values, column in zip(pooled, columns):
                    all_values += list(column)
                print(f"{exercise:<36}{angle:<20}{len(values):>5}" + "".join(
                    f"{np.median(abs(v)):>7.2f}{np.percentile(abs(v), 90):>7.2f}{v.mean():>7.2f}" for v in columns))
        print(f"--view {view}: {recordings} recordings, {len(pooled[0])} ranges; median " + ", ".join(
            f"{np.median(np.abs(v)):.2f}" for v in pooled) + "; within 2 and 5 degrees " + ", ".join(
            f"{100 * np.mean(np.abs(v) < 2):.1f} {100 * np.mean(np.abs(v) < 5):.1f} %" for v in pooled))


def angle_courses(joints, angles, in_body):
    """Sports2D's angles of markers, in the body's own side view or in the plane of the view from the right."""
    columns = [name for name in ANGLES if name.split()[-1] in angles]
    rows = []
    for i in range(len(joints["root"])):
        # x ahead, y left, z up becomes x ahead, y up, z right.
        frame = {name: np.array([c[i, 0], c[i, 2], -c[i, 1]]) for name, c in joints.items()}
        rows.append(exports.true_angles(frame, columns) if in_body else flat_angles(frame, columns))
    table = np.degrees(np.unwrap(np.radians(np.array(rows)), axis=0))
    return {name: table[:, i] for i, name in enumerate(columns)}


def abduction_courses(joints, angles, in_body):
    """Abduction of markers as in `ViewAngles.abduction`, in the body's own front view or in the plane of the view."""
    across = joints["leftHip"] - joints["rightHip"] + joints["leftShoulder"] - joints["rightShoulder"]
    left = across / np.linalg.norm(across, axis=1)[:, None] if in_body else np.tile([0.0, 1, 0], (len(across), 1))
    up = np.array([0, 0, 1]) - left * left[:, 2:]
    up /= np.linalg.norm(up, axis=1)[:, None]
    # In the front view, the person's left is on the right.
    flat = {name: np.stack([(c * left).sum(axis=1), (c * up).sum(axis=1)]) for name, c in joints.items()}
    cross = lambda a, b: a[0] * b[1] - a[1] * b[0]
    down, courses = flat["root"] - flat["neck"], {}
    for side, other in (("right", "left"), ("left", "right")):
        for joint, end in (("Shoulder", "Elbow"), ("Hip", "Knee")):
            if joint.lower() in angles:
                limb = flat[side + end] - flat[side + joint]
                angle = np.degrees(np.arctan2(cross(down, limb), (down * limb).sum(axis=0)))
                angle *= np.where(cross(down, flat[side + joint] - flat[other + joint]) > 0, 1, -1)
                courses[f"{side.title()} {joint.lower()} abduction"] = np.where(angle < -90, angle + 360, angle)
    return courses


def flat_angles(frame, columns):
    """Sports2D's own angles of joints in the image plane."""
    angle_dict, fixed = exports.pose2sim("angle_dict", "points_to_angles", "fixed_angles")[::2]
    points = {name: np.array([frame[key][0], -frame[key][1]]) for name, key in exports.NAMES.items()}
    return [float(fixed([points[mark] for mark in angle_dict[name.lower()][0]], name.lower())) for name in columns]


def sports2d(bench, shared, _):
    """4. Sports2D on Kinema's poses of its demo, compared with `kinema measure` on the same poses."""
    import rtoml
    from Sports2D import Sports2D

    video = shared / "data/measure/sports2d_demo.mp4"
    poses, (width, height), person = bench.poses(video), (1768, 994), None
    frames = [json.loads(line) for line in poses.read_text().splitlines()]
    # The woman, 1.65 m tall, walks from right to left.
    tracks = {}
    for frame in frames:
        for one in frame["people"]:
            tracks.setdefault(one["id"], []).append(one["keypoints"]["root"][0])
    person = max(tracks, key=lambda number: tracks[number][0] - tracks[number][-1])
    folder = bench.cache / "sports2d"
    folder.mkdir(exist_ok=True)
    names = {"Hip": "root", **{marker: joint for joint, marker in MARKERS.items() if joint != "root"},
             "RSmallToe": "rightFootTip", "LSmallToe": "leftFootTip"}
    lines = []
    for frame in frames:
        joints = next((p["keypoints"] for p in frame["people"] if p["id"] == person), {})
        cells = [f"{joints[k][0] * width:.3f}\t{(1 - joints[k][1]) * height:.3f}\t0" if k in joints else "\t\t"
                 for k in names.values()]
        lines.append(f"{frame['frame']}\t{frame['time']}\t" + "\t".join(cells))
    rate, count = 30, len(lines)
    (folder / "walker_px.trc").write_text(
        "PathFileType\t4\t(X/Y/Z)\twalker_px.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\t"
        f"OrigDataStartFrame\tOrigNumFrames\n{rate}\t{rate}\t{count}\t{len(names)}\tpx\t{rate}\t0\t{count}\nFrame#\tTime\t"
        + "\t\t\t".join(names) + "\t\t\n\t\t" + "\t".join(f"{a}{i + 1}" for i in range(len(names)) for a in "XYZ") + "\n"
        + "\n".join(lines) + "\n")
    config = rtoml.load(pathlib.Path(Sports2D.__file__).parent / "Demo/Config_demo.toml")
    config["base"].update(
        video_input=[video.name], video_dir=str(video.parent.resolve()), nb_persons_to_detect=1, first_person_height=1.65,
        person_ordering_method="highest_likelihood", visible_side=["auto"], load_trc_px=str(folder / "walker_px.trc"),
        show_realtime_results=False, save_vid=False, save_img=False, result_dir=str(folder))
    # These two keep Sports2D from looking for another runtime; no model runs.
    config["pose"].update(backend="openvino", device="CPU")
    config["post-processing"].update(show_graphs=False, save_graphs=False)
    config["px_to_meters_conversion"].update(make_c3d=False)
    # Its log contains the results.
    logging.disable(logging.NOTSET)
    with open(folder / "output.txt", "w") as output, contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        Sports2D.process(config)
    logging.disable(logging.WARNING)
    table, times, _ = exports.pose2sim("read_mot")[0](next(folder.rglob("*.mot")))
    columns = {name.lower(): name for name in table.columns}
    usual = bench.measure(poses, "--height", 1.65, "--person", person)
    result = bench.measure(poses, "--height", 1.65, "--person", person, "--view", "side")
    at, values = measured(result)
    rows = np.round(np.array(times) * 30).astype(int)
    # At both ends she is partly outside the image, and Sports2D repeats the last known angle.
    known = [i for i, t in enumerate(at) if round(t * 30) in set(rows) and at[0] + 0.4 < t < at[-1] - 0.6]
    index = [int(np.flatnonzero(rows == round(at[i] * 30))[0]) for i in known]
    print(f"view {usual['view']}, direction {result['direction']}, floor {result.get('floor')}, scale {result.get('scale')}")
    log = next(folder.rglob("logs.txt")).read_text().splitlines()
    for line in (next((l for l in reversed(log) if word in l), "") for word in ("Converting from pixels", "Camera horizon")):
        print(f"Sports2D: {line.strip()}")
    print(f"{'angle':<18}{'bias':>7}{'RMS':>7}{'limits of agreement':>24}{'r':>8}")
    for name in sorted(values):
        if name.lower() not in columns:
            continue
        one, other = values[name][known], table[columns[name.lower()]].to_numpy()[index]
        error = turned(one - other)
        good = np.isfinite(error)
        error, one = error[good], one[good]
        low, high = error.mean() - 1.96 * error.std(), error.mean() + 1.96 * error.std()
        print(f"{name:<18}{error.mean():>7.2f}{rms(error):>7.2f}{low:>14.1f} to {high:>6.1f}"
              f"{np.corrcoef(one, one - error)[0, 1]:>8.3f}")
