// What is drawn of an exercise: its skeleton in a loop or on the person, and the angle that matters in a ring at its joint.
import { figure as askFigure } from "./api.js";
import { fillCircle, fillPlate, strokeCircle } from "./pen.js";
import { plate } from "./review/shapes.js";
import { settings } from "./settings.js";
import { bones, outline } from "./skeleton.js";

const ink = "#52d3b0";
const shoulders = 0.74; // the width of shoulders seen from the front, in lengths of the trunk
const figures = new Map();
let shown = { name: "", figure: null };
let playing = 0;
/** The person's trunk as a share of the shorter side, and how far they are turned from the camera. */
let body = { trunk: 0, yaw: 0 };

/** Takes the exercise to show; "auto" and unknown ones show nothing. */
export function showExercise(name) {
    if (shown.name === name) return;
    const wanted = shown = { name, figure: null };
    body = { trunk: 0, yaw: 0 };
    if (!name || name === "auto") return;
    figureOf(name).then((figure) => (wanted.figure = figure));
}

function figureOf(name) {
    if (!figures.has(name)) figures.set(name, askFigure(name).then(prepared).catch(() => null));
    return figures.get(name);
}

/** Plays an exercise on a canvas for as long as it is seen there; where nothing may move, it stands at its turn. */
export async function playFigure(canvas, name) {
    const mine = (playing += 1);
    const figure = name ? await figureOf(name) : null;
    if (mine !== playing) return;
    canvas.hidden = figure === null;
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const tick = (now) => {
        if (mine !== playing || !canvas.checkVisibility()) return;
        const context = canvas.getContext("2d");
        context.clearRect(0, 0, canvas.width, canvas.height);
        drawLoop(context, figure, { left: 0, top: 0, wide: canvas.width, high: canvas.height, side: 1 }, isStill ? figure.turnAt / figure.loop.length : now / 1000 / figure.duration);
        if (!isStill) requestAnimationFrame(tick);
    };
    if (figure) requestAnimationFrame(tick);
}

/** After an exercise was taught or deleted. */
export const forgetFigures = () => figures.clear();

const middle = (a, b) => a.map((value, at) => (value + b[at]) / 2);
const turnedBy = (yaw) => ([x, y, z]) => [x * Math.cos(yaw) + z * Math.sin(yaw), y, z * Math.cos(yaw) - x * Math.sin(yaw)];
const mapped = (frame, change) => Object.fromEntries(Object.entries(frame).map(([name, place]) => [name, change(place)]));
const anchors = { ankles: ["leftAnkle", "rightAnkle"], wrists: ["leftWrist", "rightWrist"], hips: ["leftHip", "rightHip"] };
const anchored = (frame, [left, right]) => {
    const from = middle(frame[left], frame[right]);
    return mapped(frame, (place) => place.map((value, at) => value - from[at]));
};
const distance = (one, other) => Object.keys(one).reduce((sum, name) => sum + Math.hypot(...one[name].map((value, at) => value - other[name][at])), 0);

function prepared({ duration, frames }) {
    const rooted = frames.map((frame) => anchored(frame, anchors.hips));
    // From the side where the movement is seen best from there.
    const range = (at) => Object.keys(rooted[0]).reduce((sum, name) => {
        const values = rooted.map((frame) => frame[name][at]);
        return sum + Math.max(...values) - Math.min(...values);
    }, 0);
    const isFrontal = rooted[0].leftShoulder[0] - rooted[0].rightShoulder[0] > 0.5;
    const turn = turnedBy(isFrontal ? range(2) > range(0) ? 1 : 0.25 : 0);
    // What stays in place stands still: feet on the floor, hands at a bar.
    const ways = Object.values(anchors).map((pair) => frames.map((frame) => mapped(anchored(frame, pair), turn)));
    const moves = ways.map((way) => way.reduce((sum, frame) => sum + distance(frame, way[0]), 0));
    const loop = ways[moves.indexOf(Math.min(...moves))];
    const [xs, ys] = [0, 1].map((at) => loop.flatMap((frame) => Object.values(frame).map((place) => place[at])));
    const far = rooted.map((frame) => distance(frame, rooted[0]));
    const turnAt = far.indexOf(Math.max(...far));
    return { duration, loop, rooted, turnAt, progress: far.map((value) => value / (far[turnAt] || 1)),
        box: { left: Math.min(...xs), right: Math.max(...xs), low: Math.min(...ys), high: Math.max(...ys) } };
}

/** Draws the exercise as the settings say; `share` of the way, `isBack` on the way back; null without a movement. */
export function drawGuide(surface, person, way) {
    const { figure } = shown;
    if (!figure || settings.guide === "off") return;
    if (settings.guide === "ghost" && person && way) drawGhost(surface, figure, person, way);
    else drawCorner(surface, figure);
}

const isMirrored = ({ place }) => place(0, 0)[0] > place(1, 0)[0];

function drawCorner(surface, figure) {
    const { context, width, short } = surface;
    const [wide, high] = [short * 0.27, short * 0.36];
    const pad = short * 0.02;
    const [left, top] = [width - wide - pad, pad];
    fillPlate(context, { left, top, width: wide, height: high });
    drawLoop(context, figure, { left, top, wide, high, side: isMirrored(surface) ? -1 : 1 }, performance.now() / 1000 / figure.duration);
}

/** Draws the exercise within a rectangle, as it is after so many repetitions. */
function drawLoop(context, { loop, box }, { left, top, wide, high, side }, repetitions) {
    const scale = 0.92 * Math.min(wide / (box.right - box.left), (high * 0.9) / (box.high - box.low + 0.25));
    const at = (repetitions % 1) * loop.length;
    const [frame, next] = [loop[Math.floor(at)], loop[Math.ceil(at) % loop.length]];
    const share = at % 1;
    drawSkeleton(context, (name) => {
        const [x, y] = frame[name].map((value, axis) => value + (next[name][axis] - value) * share);
        return [left + wide / 2 + side * (x - (box.left + box.right) / 2) * scale, top + high * 0.94 - (y - box.low) * scale];
    }, scale, 1);
}

function drawGhost(surface, { rooted, progress, turnAt }, { keypoints }, { share, isBack }) {
    const at = (name) => surface.place(keypoints[name][0], keypoints[name][1]);
    if (!["leftHip", "rightHip", "leftShoulder", "rightShoulder", "nose"].every((name) => keypoints[name])) return;
    const [hips, chest] = [middle(at("leftHip"), at("rightHip")), middle(at("leftShoulder"), at("rightShoulder"))];
    const side = isMirrored(surface) ? -1 : 1;
    body.trunk = Math.max(Math.hypot(hips[0] - chest[0], hips[1] - chest[1]) / surface.short, body.trunk * 0.995);
    const trunk = body.trunk * surface.short;
    const across = (side * (at("leftShoulder")[0] - at("rightShoulder")[0])) / trunk / shoulders;
    const ahead = (side * (at("nose")[0] - chest[0])) / trunk;
    const yaw = Math.acos(Math.max(-1, Math.min(1, across))) * Math.max(-1, Math.min(1, ahead * 4));
    body.yaw += 0.15 * (yaw - body.yaw);
    const own = rooted[0].leftShoulder.map((value, axis) => value - rooted[0].rightShoulder[axis]);
    const turn = turnedBy(body.yaw + Math.atan2(own[2], own[0]));
    const half = progress.map((value, index) => [Math.abs(value - share), index])
        .filter(([, index]) => (isBack ? index >= turnAt : index <= turnAt));
    const frame = rooted[half.reduce((best, one) => (one[0] < best[0] ? one : best))[1]];
    drawSkeleton(surface.context, (name) => {
        const [x, y] = turn(frame[name]);
        return [hips[0] + side * x * trunk, hips[1] - y * trunk];
    }, trunk, 0.55);
}

function drawSkeleton(context, at, trunk, alpha) {
    context.globalAlpha = alpha;
    context.strokeStyle = ink;
    context.lineWidth = Math.max(2, trunk * 0.1);
    context.lineCap = context.lineJoin = "round";
    const neck = middle(at("leftShoulder"), at("rightShoulder"));
    context.beginPath();
    for (const [from, to, share] of bones) {
        if (share < 1) continue;
        context.moveTo(...at(from));
        context.lineTo(...at(to));
    }
    const nose = at("nose");
    context.moveTo(...neck);
    context.lineTo(...nose);
    context.stroke();
    fillCircle(context, nose, trunk * 0.17, ink);
    context.globalAlpha = 1;
}

const places = { knee: "Knee", hip: "Hip", elbow: "Elbow", arm: "Shoulder" };

/** The joint of a measure such as "leftKnee" or "knee": of two sides the one seen better. */
function jointOf(measure, keypoints) {
    const [, side, part] = measure.match(/^(left|right)?(.*)$/);
    const place = places[part.toLowerCase()];
    if (!place) return null;
    const sides = side ? [side] : ["left", "right"];
    return sides.map((one) => keypoints[one + place]).filter((joint) => joint?.[2] >= 0.5)
        .reduce((best, joint) => (best === null || joint[2] > best[2] ? joint : best), null);
}

/** A ring at the joint that fills with the range reached, and the angle in large digits beside it. */
export function drawAngle(surface, { keypoints = {} }, { measure, degrees, rest, full }) {
    const joint = degrees === null || degrees === undefined ? null : jointOf(measure, keypoints);
    // On a thumbnail it would hide the person.
    if (!joint || surface.short < 160) return;
    const { context, short, width } = surface;
    const [x, y] = surface.place(joint[0], joint[1]);
    const share = Math.max(0, Math.min(1, (degrees - rest) / (full - rest)));
    const radius = Math.max(short * 0.05, 16);
    context.lineCap = "round";
    strokeCircle(context, [x, y], radius, outline, radius * 0.34);
    if (share > 0.02) strokeCircle(context, [x, y], radius, share >= 1 ? "#ffd23f" : ink, radius * 0.34, share);
    const size = Math.max(short * 0.075, 20);
    const beside = radius * 1.6 + size * 1.4;
    plate(surface, `${Math.round(degrees)}°`, [x + 2 * beside > width ? x - beside : x + beside, y], "white", size);
}
