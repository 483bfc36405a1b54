// Drawings on the film: points that stand still or follow the body, and what is measured between them. No document here.
import { writePlate } from "../pen.js";
import { bones, dots, outline } from "../skeleton.js";
import { angleAt, angleOf, extentOf, framesOf, limbs, middleOf, sure } from "./angles.js";

/** How many points each kind has; an angle's first is its vertex. */
export const needed = { angle: 3, line: 2, ruler: 2, marker: 1, path: 1 };
/** One colour a drawing, bright enough on any film. */
export const inks = ["#ffd83d", "#4de1ff", "#ff7ad9", "#9dff6b", "#ff9f43", "#c7b8ff"];
/** The joints that points take; not those of the face, which lie too close to each other. */
const joints = dots.map(([name]) => name).filter((name) => !/Eye|Ear/.test(name));
const trail = 4; // seconds of a path that are drawn where no repetition is looped

/** The joints of the person under review in a frame; null where the person is not seen. */
export const bodyAt = ({ frames, person }, at) => frames[at]?.people.find(({ id }) => id === person)?.keypoints ?? null;

const seen = (body, name) => (body?.[name]?.[2] >= sure ? body[name] : null);

/** Where a point is, 0...1 from the lower left; null where the joints that it follows are not sure. */
export function placeOf(point, body, shape) {
    if (point.at) return point.at;
    if (point.joint) return seen(body, point.joint)?.slice(0, 2) ?? null;
    const [from, to] = point.bone.map((name) => seen(body, name));
    if (!from || !to) return null;
    const [dx, dy] = [(to[0] - from[0]) * shape, to[1] - from[1]];
    return [from[0] + (point.along * dx - point.beside * dy) / shape, from[1] + point.along * dy + point.beside * dx];
}

const apart = (a, b, shape) => Math.hypot((a[0] - b[0]) * shape, a[1] - b[1]);

/** The joint that is nearest to a place, at most `reach` picture heights away; null without one. */
export function jointNear(at, body, shape, reach) {
    const near = joints.filter((name) => seen(body, name)).map((name) => [name, apart(body[name], at, shape)]).filter(([, far]) => far < reach);
    return near.length > 0 ? near.reduce((best, one) => (one[1] < best[1] ? one : best))[0] : null;
}

/** A point that moves with the limb it lies nearest to, as a bar does with the forearm; one that stands still without limbs. */
export function heldPoint(at, body, shape) {
    let best = { far: Infinity };
    for (const bone of bones.filter(([, , share]) => share === 1)) {
        const [from, to] = bone.slice(0, 2).map((name) => seen(body, name));
        if (!from || !to) continue;
        const [dx, dy, px, py] = [(to[0] - from[0]) * shape, to[1] - from[1], (at[0] - from[0]) * shape, at[1] - from[1]];
        const size = dx * dx + dy * dy;
        if (size < 1e-5) continue;
        const [along, beside] = [(px * dx + py * dy) / size, (py * dx - px * dy) / size];
        const within = Math.min(1, Math.max(0, along));
        const far = Math.hypot(px - within * dx, py - within * dy);
        if (far < best.far) best = { far, point: { bone: bone.slice(0, 2), along, beside } };
    }
    return best.point ?? { at };
}

/** The angle of a joint between its limbs. */
export const jointAngle = (joint) => ({ kind: "angle", points: [limbs[joint][1], limbs[joint][0], limbs[joint][2]].map((name) => ({ joint: name })) });

/** An angle in degrees, a ruler's length in metres, or in picture heights without a scale; NaN where it is not known. */
export function valueOf({ kind, points }, at, { shape, scale, ...film }) {
    const [a, b, c] = points.map((point) => placeOf(point, bodyAt(film, at), shape));
    if (!a || !b) return NaN;
    if (kind === "ruler") return apart(a, b, shape) * (scale ?? 1);
    return kind === "angle" ? angleAt(a, b, c, shape) : NaN;
}

/** The lowest and the highest value of a stretch; null where nothing is known. */
export function spread(shape, film, [start, end]) {
    const values = framesOf(film, { start, end }).map((at) => valueOf(shape, at, film)).filter(Number.isFinite);
    return values.length > 0 ? { low: Math.min(...values), high: Math.max(...values) } : null;
}

/** A path's places in a stretch, null where they are not known. */
const pathOver = ({ points }, film, [start, end]) => framesOf(film, { start, end }).map((at) => placeOf(points[0], bodyAt(film, at), film.shape));

/** How far a path reaches across and up, in metres or picture heights; null where nothing is known. */
export function reachOf(shape, film, stretch) {
    const places = pathOver(shape, film, stretch).filter(Boolean);
    const span = (axis) => extentOf(places.map((at) => at[axis]));
    return places.length > 0 ? { across: span(0) * film.shape * (film.scale ?? 1), up: span(1) * (film.scale ?? 1) } : null;
}

// Drillis and Contini (1966): eyes at 0.936 of a person's height, ankles at 0.039.
const eyesToAnkles = 0.936 - 0.039;

/** Metres that the height of the picture shows, from a person's height and the frames in which they stand; null without such. */
export function scaleOf(film, metres) {
    const { frames, shape } = film;
    const spans = frames.flatMap((_, at) => {
        const body = bodyAt(film, at);
        const [eyes, ankles] = ["Eye", "Ankle"].map((name) => ["left", "right"].map((side) => seen(body, side + name)));
        if (![...eyes, ...ankles].every(Boolean)) return [];
        const isUpright = ["leftKnee", "rightKnee"].every((knee) => !(angleOf(body, knee, shape) < 160)) && !(angleOf(body, "trunk", shape) > 15);
        return isUpright ? [apart(middleOf(...eyes), middleOf(...ankles), shape)] : [];
    }).toSorted((a, b) => a - b);
    return spans.length < 3 ? null : (metres * eyesToAnkles) / spans[spans.length >> 1];
}

// ---- ink

function stroke(context, path, ink, width) {
    for (const [style, wide] of [[outline, width * 2], [ink, width]]) {
        context.strokeStyle = style;
        context.lineWidth = wide;
        context.stroke(path);
    }
}

/** Words on a dark plate around a place, within the picture and no wider than it. */
export function plate({ context, width, height, short, left: edge = 0 }, words, [x, y], ink, size = Math.max(short * 0.045, 13)) {
    context.font = `650 ${size}px system-ui, sans-serif`;
    const room = context.measureText(words).width + size * 0.7;
    if (room > width + 1) return plate({ context, width, height, short, left: edge }, words, [x, y], ink, (size * width) / room);
    const [left, top] = [Math.min(Math.max(x - room / 2, edge), edge + width - room), Math.min(Math.max(y - size * 0.7, 0), height - size * 1.4)];
    writePlate(context, words, { left, top, width: room, height: size * 1.4 }, ink);
}

/** The vertex's sector, and its number on the side that is open. */
function paintAngle(surface, [vertex, one, other], words, ink) {
    const { context, short } = surface;
    const radius = Math.min(short * 0.1, Math.hypot(one[0] - vertex[0], one[1] - vertex[1]), Math.hypot(other[0] - vertex[0], other[1] - vertex[1]));
    const [from, to] = [one, other].map(([x, y]) => Math.atan2(y - vertex[1], x - vertex[0]));
    const turn = Math.atan2(Math.sin(to - from), Math.cos(to - from));
    context.fillStyle = `${ink}66`;
    context.beginPath();
    context.moveTo(...vertex);
    context.arc(...vertex, radius, from, from + turn, turn < 0);
    context.fill();
    const away = radius + short * 0.06;
    plate(surface, words, [vertex[0] + away * Math.cos(from + turn / 2), vertex[1] + away * Math.sin(from + turn / 2)], ink);
}

/** Draws everything that is on the film in a frame, -1 where none is known; `write` puts a value into words. */
export function paintShapes(surface, film, { at, write }) {
    const { context, short, place } = surface;
    const { time, loop } = film;
    const width = Math.max(short * 0.009, 2);
    Object.assign(context, { lineCap: "round", lineJoin: "round" });
    film.shapes.forEach((shape, index) => {
        const ink = inks[index % inks.length];
        const points = shape.points.map((point) => placeOf(point, bodyAt(film, at), film.shape)).map((one) => one && place(...one));
        if (shape.kind === "path") paintPath(surface, pathOver(shape, film, loop ?? [time - trail, time]), { ink, width, isLoop: Boolean(loop) });
        if (points.some((point) => !point)) return;
        const line = new Path2D();
        if (shape.kind === "angle" && points.length === 3) line.moveTo(...points[1]);
        for (const point of shape.kind === "angle" && points.length === 3 ? [points[0], points[2]] : points) line.lineTo(...point);
        if (points.length > 1) stroke(context, line, ink, width);
        for (const [x, y] of points) {
            const dot = new Path2D();
            dot.arc(x, y, shape.kind === "marker" ? short * 0.035 : width * 1.6, 0, 2 * Math.PI);
            stroke(context, dot, ink, width);
        }
        const words = write(shape, valueOf(shape, at, film));
        if (shape.kind === "marker") plate(surface, String(index + 1), [points[0][0], points[0][1] - short * 0.08], ink);
        if (shape.kind === "angle" && points.length === 3) paintAngle(surface, points, words, ink);
        if (shape.kind === "ruler" && points.length === 2) plate(surface, words, middleOf(...points), ink);
    });
}

function paintPath({ context, place }, places, { ink, width, isLoop }) {
    const line = new Path2D();
    places.forEach((at, index) => at && line[places[index - 1] ? "lineTo" : "moveTo"](...place(...at)));
    context.globalAlpha = isLoop ? 0.9 : 0.75;
    stroke(context, line, ink, width);
    context.globalAlpha = 1;
}
