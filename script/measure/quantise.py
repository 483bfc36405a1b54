"""Quantises the landmark models to 8 bits with OpenVINO's NNCF, on regions of people that `kinema synth` renders.

The regions are the models' actual inputs, from `kinema-bench landmark-inputs`. The result is checked on clips with
other seeds, sizes and scenes than the calibration clips.
"""
import argparse
import hashlib
import json
import logging
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

import numpy as np

logging.disable(logging.INFO)
import nncf
import openvino as ov
from openvino._offline_transformations import apply_moc_transformations
from openvino.preprocess import PrePostProcessor

from kinema_command import BENCH

# The version of this recipe; QuantisedModel.recipe must be the same.
RECIPE = 1
FOLDER = "models-int8"

EXERCISES = (
    "jumpingJack squat pushUp bicepsCurl frontRaise lateralRaise shoulderPress lunge deadlift sideBend kneeRaise "
    "sideLegRaise torsoTwist burpee sitUp legRaise bridge idle wave talk sit plank pickUp"
).split()
SIZES = "640x480 480x640 1280x720 854x480 360x640 960x720".split()
# Every Nth frame of a clip is used, with at most this many regions.
EVERY, MOST_OF_CLIP = 15, 12
CALIBRATION_SEED, CHECK_SEED = 1000, 5000
# The number of regions for calibration; NNCF's own default is 300.
SUBSET = 300

MODELS = {
    "body-landmarks": {
        "file": "pose_landmark_full.tflite", "side": 256, "hands": False, "landmarks": (39, 5), "points": 33,
        "outputs": ("Identity", "Identity_1", "Identity_3", "Identity_4"),
    },
    "hand-landmarks": {
        "file": "hand_landmark_full.tflite", "side": 224, "hands": True, "landmarks": (21, 3), "points": 21,
        "outputs": ("Identity", "Identity_1", "Identity_2", "Identity_3"),
    },
}
# The tolerated difference of landmarks from those in 32 bits on the rendered people of the check, in percent of the
# longer side of the box around them: median and 95th percentile. A tenth of the clips gave 0.6 and 3.4 for bodies, 0.6
# and 3.6 for hands.
BOUNDS = {"body-landmarks": (1.0, 4.5), "hand-landmarks": (2.0, 8.0)}
core = ov.Core()


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def render(kinema, folder, first_seed, scenes):
    """Renders one clip of each scene, each with its own seed and size."""
    clips = []
    for index, scene in enumerate(scenes):
        path = os.path.join(folder, f"{first_seed}-{index}-{scene}.mp4")
        sized = ["--size", SIZES[(index + first_seed) % len(SIZES)]] if scene in EXERCISES else []
        count = ["--repetitions", "3"] if scene in EXERCISES[:17] else []
        subprocess.run(
            [kinema, "synth", "--scene", scene, "--seed", str(first_seed + index), *sized, *count, "--output", path],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        clips.append(path)
    return clips


def regions(clips, model):
    """The model's inputs from the clips, n x side x side x 3 bytes."""
    side, found = model["side"], []
    for clip in clips:
        path = clip + ".rgb"
        subprocess.run(
            [BENCH, "landmark-inputs", clip, "--every", str(EVERY), *["--hands"] * model["hands"], "--output", path],
            check=True, stdout=subprocess.DEVNULL)
        all_of_clip = np.fromfile(path, np.uint8).reshape(-1, side, side, 3)
        os.remove(path)
        step = max(1, -(-len(all_of_clip) // MOST_OF_CLIP))
        found.append(all_of_clip[::step])
    return np.concatenate(found)


def published(home, model):
    """The published graph with the used outputs alone, weights in 32 bits and constants folded.

    NNCF finds weights and biases only when they are plain constants, and the planes only when they are not turned
    between the layers: without this, a depthwise layer stays in floating point.
    """
    graph = core.read_model(os.path.join(home, "models", model["file"]))
    for result in graph.get_results():
        if not result.input_value(0).get_names() & set(model["outputs"]):
            graph.remove_result(result)
    for node in graph.get_ordered_ops():
        source = node.input_value(0).get_node() if node.get_type_name() == "Convert" else None
        if source is None or source.get_type_name() != "Constant" or source.get_element_type() != ov.Type.f16:
            continue
        plain = ov.opset13.constant(source.get_data().astype(np.float32))
        for target in node.output(0).get_target_inputs():
            target.replace_source_output(plain.output(0))
    graph.validate_nodes_and_infer_types()
    apply_moc_transformations(graph, cf=True)
    return graph


LAYERS = ("Convolution", "GroupConvolution", "MatMul")


def kept_layers(graph):
    """The layers that stay in floating point: the last before each output, 2 % of the work, and residual sums.

    The sums carry all information between blocks; with 8 bits their errors would accumulate over the depth.
    """
    last = {
        node.get_friendly_name() for node in graph.get_ordered_ops() if node.get_type_name() == "Add"
        and all(node.input_value(index).get_node().get_type_name() != "Constant" for index in (0, 1))}

    def visit(node, seen):
        for index in range(node.get_input_size()):
            source = node.input_value(index).get_node()
            if source.get_friendly_name() in seen:
                continue
            seen.add(source.get_friendly_name())
            if source.get_type_name() in LAYERS:
                last.add(source.get_friendly_name())
            else:
                visit(source, seen)

    for result in graph.get_results():
        visit(result, set())
    return sorted(last)


def numbers(inputs):
    """The model's input: one picture in 0...1."""
    return inputs[None].astype(np.float32) / 255


def quantised(graph, inputs):
    order = np.random.default_rng(0).permutation(len(inputs))[:SUBSET]
    return nncf.quantize(
        graph, nncf.Dataset([numbers(inputs[index]) for index in order]), subset_size=len(order),
        preset=nncf.QuantizationPreset.PERFORMANCE, ignored_scope=nncf.IgnoredScope(names=kept_layers(graph)))


def landmarks(graph, inputs, model):
    """The landmarks in pixels of the input, n x points x 2, and the presences, in f32 beside the 8 bits."""
    compiled = core.compile_model(graph, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    points, presences = [], []
    for one in inputs:
        outputs = compiled(numbers(one))
        points.append(outputs["Identity"].reshape(model["landmarks"])[:model["points"], :2].copy())
        presences.append(float(outputs["Identity_1"].ravel()[0]))
    return np.array(points), np.array(presences)


def difference(exact, ours):
    """Median and 95th percentile of the landmarks' distance in percent of the size, and the share of lost people."""
    seen = exact[1] >= 0.5
    size = np.ptp(exact[0][seen], axis=1).max(axis=1)
    distances = np.linalg.norm(exact[0][seen] - ours[0][seen], axis=2) / size[:, None] * 100
    return (*np.percentile(distances, (50, 95)), float(np.mean(ours[1][seen] < 0.5)), int(seen.sum()))


def make(options):
    notes = {"recipe": RECIPE, "nncf": nncf.__version__, "openvino": ov.__version__, "models": {}}
    with tempfile.TemporaryDirectory() as clips, tempfile.TemporaryDirectory(dir=options.home) as made:
        print("rendering", file=sys.stderr)
        several = ["random"] * 6 + ["no-exercise"] * 4 + ["two-people", "crowd"]
        calibration = render(options.kinema, clips, CALIBRATION_SEED, EXERCISES + several)
        check = render(options.kinema, clips, CHECK_SEED, EXERCISES[::2] + ["random"] * 4 + ["no-exercise"] * 2)
        sound = True
        for name, model in MODELS.items():
            inputs, others = (regions(some, model) for some in (calibration, check))
            graph = published(options.home, model)
            exact = landmarks(graph, others, model)
            ours = quantised(graph.clone(), inputs)
            path = os.path.join(made, name + ".xml")
            ov.save_model(ours, path, compress_to_fp16=False)
            median, tail, lost, count = difference(exact, landmarks(core.read_model(path), others, model))
            reached = median <= BOUNDS[name][0] and tail <= BOUNDS[name][1]
            sound &= reached
            print(f"{'reached' if reached else 'MISSED ':8} {name}: {len(inputs)} regions calibrate; on {count} others "
                  f"landmarks differ by {median:.2f} %, 95th percentile {tail:.2f} % (at most {BOUNDS[name][0]:g} and "
                  f"{BOUNDS[name][1]:g}), {lost:.1%} lost", flush=True)
            notes["models"][name] = {
                "source": digest(os.path.join(options.home, "models", model["file"])), "regions": len(inputs),
                "median": round(float(median), 3), "percentile95": round(float(tail), 3), "lost": round(lost, 4)}
        if not sound:
            sys.exit("quantise: the result is not as good as it should be; nothing was installed")
        install(options.home, made, notes)


def install(home, made, notes):
    """Writes provenance and checksums, and moves the folder into place atomically."""
    with open(os.path.join(made, "provenance.json"), "w") as file:
        json.dump(notes, file, indent=1)
    sums = [f"{digest(os.path.join(made, name))}  {name}\n" for name in sorted(os.listdir(made))]
    with open(os.path.join(made, "SHA256SUMS"), "w") as file:
        file.writelines(sums)
    place = os.path.join(home, FOLDER)
    ready = place + ".new"
    shutil.rmtree(ready, ignore_errors=True)
    shutil.copytree(made, ready)
    os.chmod(ready, 0o755)
    shutil.rmtree(place, ignore_errors=True)
    os.rename(ready, place)
    print(f"in {place}: " + ", ".join(
        f"{name} {os.path.getsize(os.path.join(place, name)) / 1e6:.1f} MB" for name in sorted(os.listdir(place))
        if name.endswith(".bin")))


def with_bytes(graph):
    """The graph as Kinema compiles it: it takes bytes."""
    builder = PrePostProcessor(graph.clone())
    builder.input(0).tensor().set_element_type(ov.Type.u8)
    builder.input(0).preprocess().convert_element_type(ov.Type.f32).scale(255.0)
    return builder.build()


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def time_models(options):
    """Prints processor time of one inference: medians of rounds in which all variants run in turn."""
    for name, model in MODELS.items():
        graphs = {"original": published(options.home, model)}
        path = os.path.join(options.home, FOLDER, name + ".xml")
        if os.path.exists(path):
            graphs["int8"] = core.read_model(path)
        picture = np.random.default_rng(0).integers(0, 256, (1, model["side"], model["side"], 3), np.uint8)
        requests = {}
        for threads in (1, 2):
            for kind, graph in graphs.items():
                for hint in ("f32", "bf16"):
                    settings = {"INFERENCE_PRECISION_HINT": hint, "INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1,
                                "ENABLE_CPU_PINNING": False}
                    request = core.compile_model(with_bytes(graph), "CPU", settings).create_infer_request()
                    for _ in range(20):
                        request.infer([picture])
                    requests[threads, kind, hint] = request
        spent = {key: [] for key in requests}
        for _ in range(options.rounds):
            for key, request in requests.items():
                start = processor_seconds()
                for _ in range(10):
                    request.infer([picture], share_inputs=True, share_outputs=True)
                spent[key].append((processor_seconds() - start) * 100)
        for (threads, kind, hint), times in spent.items():
            what = hint if kind == "original" else f"int8, rest {hint}"
            print(f"{name:15} {threads} thread{'s' * (threads > 1):1} {what:16} {statistics.median(times):6.2f} ms "
                  f"(least {min(times):.2f})", flush=True)


def main():
    parser = argparse.ArgumentParser(prog="quantise", description=__doc__)
    parser.add_argument("--kinema", required=True)
    parser.add_argument("--home", required=True)
    parser.add_argument("--time", action="store_true", help="time the models that are there")
    parser.add_argument("--rounds", type=int, default=21, help="with --time: rounds to take the median of")
    options = parser.parse_args()
    time_models(options) if options.time else make(options)


if __name__ == "__main__":
    main()
