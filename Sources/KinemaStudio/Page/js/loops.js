// Best and worst repetition of a set as looped skeletons, from its kept poses.
import { draw } from "./dom.js";
import { drawBodies } from "./figures.js";
import { frameAt } from "./review/angles.js";
import { bones } from "./skeleton.js";

const margin = 0.08; // room around the skeleton, as a share of its size

/** The rectangle around all joints of some bodies, in heights of the picture. */
export function boxOf(bodies, shape) {
    const points = bodies.flatMap((keypoints) => Object.values(keypoints)).filter(([, , sure]) => sure === undefined || sure >= 0.2);
    const [xs, ys] = [points.map(([x]) => x * shape), points.map(([, y]) => y)];
    const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const side = Math.max(right - left, high - low, 0.01) * (1 + 2 * margin);
    return { left: (left + right - side) / 2, low: (low + high - side) / 2, side };
}

/** Plays a repetition on a canvas for as long as it is shown; where nothing may move, its middle stands. */
export function playLoop(canvas, { frames, times, shape, person }, { start, end }) {
    const context = canvas.getContext("2d");
    const part = frames.slice(frameAt(times, start), frameAt(times, end) + 1)
        .flatMap(({ time, people }) => people.filter(({ id }) => id === person).map((body) => ({ time, body })));
    if (part.length === 0) return;
    const { left, low, side } = boxOf(part.map(({ body }) => body.keypoints), shape);
    const { width } = canvas;
    const place = (x, y) => [((x * shape - left) / side) * width, (1 - (y - low) / side) * width];
    const paint = (at) => {
        context.clearRect(0, 0, width, width);
        drawBodies({ context, width, height: width, short: width, place }, [{ ...part[at].body, id: 0 }]);
    };
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return paint(part.length >> 1);
    const moments = part.map(({ time }) => time);
    const tick = (now) => {
        if (!canvas.isConnected) return;
        paint(frameAt(moments, start + ((now / 1000) % (end - start))));
        requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
}

/** A still skeleton of a list, as SVG. */
export function stillOf({ shape, keypoints }) {
    const { left, low, side } = boxOf([keypoints], shape);
    const at = (name) => keypoints[name] && [((keypoints[name][0] * shape - left) / side) * 100, (1 - (keypoints[name][1] - low) / side) * 100];
    const line = ([a, b, share]) => {
        const [from, to] = [at(a), at(b)];
        return from && to ? [draw("line", { x1: from[0], y1: from[1], x2: to[0], y2: to[1], "stroke-width": 4.5 * share })] : [];
    };
    const [x, y] = at("nose") ?? at("neck") ?? [];
    const head = x === undefined ? [] : [draw("circle", { cx: x, cy: y, r: 6 })];
    return draw("svg", { class: "still", viewBox: "0 0 100 100", "aria-hidden": "true" }, ...bones.flatMap(line), ...head);
}
