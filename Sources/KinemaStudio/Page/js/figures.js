// Draws bodies and hands. Coordinates come in 0...1 from the lower left; `place` turns them into the canvas's pixels.
import { angleAt, extentOf, limbs } from "./review/angles.js";
import { fillCircle, strokeCircle, strokeLine, writePlate } from "./pen.js";
import { head } from "./privacy.js";
import { settings } from "./settings.js";
import { bones, dots, fault, fingers, outline, personColour } from "./skeleton.js";

const hidden = 0.2; // confidence below which a joint is not drawn, as on overlay videos
const doubtful = 0.5; // below which it is faded and its bones dashed
const glowing = 0.8; // above which it glows

/** Everyone's skeleton; with their numbers when there are several, or the only one is not the first. */
export function drawBodies(surface, people) {
    const figures = people.map((person) => ({ person, joints: located(surface, person.keypoints) }))
        .filter(({ joints }) => joints.size > 0);
    const draw = settings.look === "glow" ? drawGlow : drawBody;
    for (const { person, joints } of figures) draw(surface, person, joints);
    if (surface.readout) {
        const plates = [];
        for (const { person } of figures) drawReadout(surface, person, plates);
    }
    if (figures.length < 2 && !figures.some(({ person }) => person.id > 1)) return;
    const taken = figures.map(({ joints }) => headBox(joints)).filter((box) => box !== null);
    for (const { person, joints } of figures) taken.push(drawNumber(surface, joints, person.id ?? 0, taken));
}

function drawBody(surface, person, joints) {
    const faulty = new Set(person.faults ?? []);
    const ink = personColour(person.id ?? 0);
    const thick = thickness(surface, joints);
    for (const [from, to, share] of bones) {
        const a = joints.get(from);
        const b = joints.get(to);
        if (!a || !b) continue;
        const isFaulty = faulty.has(from) && faulty.has(to);
        drawBone(surface.context, a, b, { ink: isFaulty ? fault : ink, width: thick * share });
    }
    for (const [name, share] of dots) {
        const joint = joints.get(name);
        if (joint) drawDot(surface.context, joint, faulty.has(name), ink, thick * share);
    }
}

/** Bones with the light of a lamp around them, whose colour runs to white, and red rings around doubtful joints, as with `--look glow`. */
function drawGlow({ context, ...surface }, person, joints) {
    const faulty = new Set(person.faults ?? []);
    const ink = (name) => (faulty.has(name) ? fault : personColour(person.id ?? 0));
    const thick = thickness(surface, joints);
    const shown = bones.filter(([from, to]) => joints.has(from) && joints.has(to))
        .map(([from, to, share]) => ({ from, share, ends: [from, to].map((name) => [joints.get(name).x, joints.get(name).y]) }));
    context.lineCap = "round";
    for (const [width, share] of [[5, 0.12], [3.2, 0.18], [2, 0.28]]) {
        context.globalAlpha = share;
        for (const bone of shown) strokeLine(context, bone.ends, ink(bone.from), thick * bone.share * width);
    }
    context.globalAlpha = 1;
    for (const bone of shown) {
        const running = context.createLinearGradient(...bone.ends[0], ...bone.ends[1]);
        running.addColorStop(0, ink(bone.from));
        running.addColorStop(1, "white");
        strokeLine(context, bone.ends, running, thick * bone.share);
    }
    for (const [name, share] of dots) {
        const joint = joints.get(name);
        if (!joint) continue;
        const radius = thick * share * 0.9;
        fillCircle(context, [joint.x, joint.y], radius, "white");
        strokeCircle(context, [joint.x, joint.y], radius, ink(name), radius * 0.4);
        if (joint.confidence < doubtful) strokeCircle(context, [joint.x, joint.y], radius * 2, fault, radius * 0.5);
    }
}

const mirrored = (name) => name.replace(/^left|^right/, (side) => (side === "left" ? "right" : "left"));

/** Each joint's position and angle on its outer side, below other labels, and rings around doubtful joints, as on overlay videos. */
function drawReadout(surface, person, plates) {
    const { context, short, width } = surface;
    const joints = located(surface, person.keypoints, false, 0);
    const thick = thickness(surface, joints);
    const size = Math.max(short * 0.024, 11);
    context.font = `600 ${size}px system-ui, sans-serif`;
    for (const [name, share] of dots) {
        const joint = joints.get(name);
        if (!joint) continue;
        if (joint.confidence < doubtful) strokeCircle(context, [joint.x, joint.y], thick * 2.6, fault, thick * 0.8);
        if (share < 1 && name !== "nose") continue;
        const words = readoutOf(name, person.keypoints, joints);
        const room = context.measureText(words).width + size * 0.4;
        const isRight = joint.x >= (joints.get(mirrored(name)) ?? joint).x;
        const left = Math.min(Math.max(joint.x + (isRight ? thick * 3 : -thick * 3 - room), 0), width - room);
        const plate = { left, top: joint.y - size * 0.6, width: room, height: size * 1.2 };
        for (let other; (other = plates.find((one) => meet(one, plate)));) plate.top = other.top + other.height + 1;
        plates.push(plate);
        writePlate(context, words, plate, "white");
    }
}

/** A joint's position, 0 to 1 from the lower left, and its angle in the picture where its neighbours are in view. */
export function readoutOf(name, keypoints, joints) {
    const [x, y] = keypoints[name];
    const [from, vertex, to] = (limbs[name] ?? []).map((end) => joints.get(end)).map((joint) => joint && [joint.x, joint.y]);
    const angle = angleAt(vertex, from, to, 1);
    return `${x.toFixed(2)} ${y.toFixed(2)}${Number.isNaN(angle) ? "" : ` ${Math.round(angle)}°`}`;
}

/** A hand, one colour a finger. */
export function drawHand(surface, hand) {
    const joints = located(surface, hand.keypoints, true);
    if (joints.size === 0) return;
    const thick = Math.max(1.5, Math.min(span(joints) * 0.03, surface.short * 0.008));
    for (const finger of fingers) {
        finger.joints.slice(1).forEach((name, index) => {
            const a = joints.get(finger.joints[index]);
            const b = joints.get(name);
            if (a && b) drawBone(surface.context, a, b, { ink: finger.colour, width: thick });
        });
        for (const name of finger.joints.slice(1)) {
            const joint = joints.get(name);
            if (joint) drawDot(surface.context, joint, false, finger.colour, thick * 0.9);
        }
    }
}

function located(surface, keypoints, isHand = false, least = hidden) {
    const joints = new Map();
    for (const [name, [x, y, confidence]] of Object.entries(keypoints ?? {})) {
        if (confidence < least || !(x >= 0 && x <= 1 && y >= 0 && y <= 1)) continue;
        const [left, top] = surface.place(x, y);
        joints.set(name, { x: left, y: top, confidence: isHand ? Math.max(confidence, doubtful) : confidence });
    }
    return joints;
}

function span(joints) {
    const points = [...joints.values()];
    return Math.max(extentOf(points.map(({ x }) => x)), extentOf(points.map(({ y }) => y)));
}

/** A limb is about 5 % of a body thick; a quarter of that reads as a line. */
const thickness = (surface, joints) =>
    Math.min(Math.max(span(joints) * 0.0125, 2), Math.max(surface.short * 0.012, 2));

function drawBone(context, a, b, { ink, width }) {
    const ends = [[a.x, a.y], [b.x, b.y]];
    const certainty = Math.min(a.confidence, b.confidence);
    const isDoubtful = certainty < doubtful;
    context.lineCap = "round";
    if (certainty >= glowing) {
        context.globalAlpha = 0.25;
        strokeLine(context, ends, ink, width * 4);
    }
    context.globalAlpha = isDoubtful ? 0.6 : 1;
    context.setLineDash(isDoubtful ? [width, width * 2] : []);
    strokeLine(context, ends, outline, width * (isDoubtful ? 1 : 1.7));
    strokeLine(context, ends, ink, width * (isDoubtful ? 0.6 : 1));
    context.setLineDash([]);
    context.globalAlpha = 1;
}

function drawDot(context, joint, isFaulty, ink, size) {
    const [at, isDoubtful] = [[joint.x, joint.y], joint.confidence < doubtful];
    const radius = size * (isFaulty ? 1.6 : isDoubtful ? 0.6 : 1.05);
    const style = isFaulty ? fault : ink;
    if (joint.confidence >= glowing || isFaulty) {
        context.globalAlpha = isFaulty ? 0.4 : 0.3;
        fillCircle(context, at, radius * 2.6, style);
    }
    context.globalAlpha = isDoubtful ? 0.6 : 1;
    fillCircle(context, at, radius * 1.35, outline);
    fillCircle(context, at, radius, style);
    if (!isFaulty && !isDoubtful) fillCircle(context, at, radius * 0.45, outline);
    context.globalAlpha = 1;
}

const around = (x, y, width, height) => ({ left: x - width / 2, top: y - height / 2, width, height });
const meet = (one, other) => one.left < other.left + other.width && other.left < one.left + one.width
    && one.top < other.top + other.height && other.top < one.top + one.height;

/** The box of the head; null when nothing of the face is seen. */
function headBox(joints) {
    const circle = head((name) => joints.get(name));
    return circle && around(circle.x, circle.y, 2 * circle.radius, 2 * circle.radius);
}

/** Where a plate belongs: over the head; where there is no room, on the chest or beside the head. */
export function placeNumber(joints, { width, height }, room, taken) {
    const points = [...joints.values()];
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    const centre = (Math.min(...xs) + Math.max(...xs)) / 2;
    const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
    const box = headBox(joints) ?? around(centre, top, 0, 0);
    const gap = height * 0.2;
    const below = box.top + box.height + height * 0.5;
    const neck = joints.get("neck");
    const chest = neck ? Math.max(Math.min(neck.y + height * 0.4, bottom), below) : below;
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const plates = [
        [x, box.top - gap - height / 2], [neck?.x ?? x, chest + height / 2],
        [box.left + box.width + gap + width / 2, y], [box.left - gap - width / 2, y],
        [centre, (top + bottom) / 2], [centre, bottom - height / 2],
    ].map(([across, down]) => around(across, down, width, height));
    const isWithin = ({ left, top: above }) =>
        left >= 0 && above >= 0 && left + width <= room.width && above + height <= room.height;
    const free = plates.find((plate) => isWithin(plate) && !taken.some((other) => meet(plate, other)));
    if (free) return free;
    // In a crowd without room at least within the picture.
    const clamp = (value, most) => Math.min(Math.max(value, 0), Math.max(most, 0));
    return { ...plates[1], left: clamp(plates[1].left, room.width - width),
        top: clamp(plates[1].top, room.height - height) };
}

/** Writes a person's number and returns the plate it stands on. */
function drawNumber(surface, joints, id, taken) {
    const { context, short } = surface;
    const size = Math.min(Math.max(short * 0.05, 14), Math.max(span(joints) * 0.14, 14));
    context.font = `700 ${size}px system-ui, sans-serif`;
    const width = context.measureText(String(id)).width + size * 0.6;
    const plate = placeNumber(joints, { width, height: size * 1.2 }, surface, taken);
    writePlate(context, String(id), plate, personColour(id));
    return plate;
}
