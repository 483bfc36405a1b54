// Draws bodies and hands. Coordinates come in 0...1 from the lower left; `place` turns them into the canvas's pixels.
import { bones, dots, fault, fingers, outline, personColour } from "./skeleton.js";

const hidden = 0.2; // confidence below which a joint is not drawn, as on overlay videos
const doubtful = 0.5; // below which it is faded and its bones dashed
const glowing = 0.8; // above which it glows

/** A person's skeleton; `labelled` puts the number over the head. */
export function drawBody(surface, person, labelled) {
    const joints = located(surface, person.keypoints);
    if (joints.size === 0) return;
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
    if (labelled) drawLabel(surface, joints, String(person.id), ink);
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

function located(surface, keypoints, isHand = false) {
    const joints = new Map();
    for (const [name, [x, y, confidence]] of Object.entries(keypoints ?? {})) {
        if (confidence < hidden || !(x >= 0 && x <= 1 && y >= 0 && y <= 1)) continue;
        const [left, top] = surface.place(x, y);
        joints.set(name, { x: left, y: top, confidence: isHand ? Math.max(confidence, doubtful) : confidence });
    }
    return joints;
}

function span(joints) {
    const points = [...joints.values()];
    const xs = points.map((point) => point.x);
    const ys = points.map((point) => point.y);
    return Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
}

/** A limb is about 5 % of a body thick; a quarter of that reads as a line. */
const thickness = (surface, joints) =>
    Math.min(Math.max(span(joints) * 0.0125, 2), Math.max(surface.short * 0.012, 2));

function line(context, a, b, style, width) {
    context.strokeStyle = style;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(a.x, a.y);
    context.lineTo(b.x, b.y);
    context.stroke();
}

function drawBone(context, a, b, { ink, width }) {
    const certainty = Math.min(a.confidence, b.confidence);
    const isDoubtful = certainty < doubtful;
    context.lineCap = "round";
    if (certainty >= glowing) {
        context.globalAlpha = 0.25;
        line(context, a, b, ink, width * 4);
    }
    context.globalAlpha = isDoubtful ? 0.6 : 1;
    context.setLineDash(isDoubtful ? [width, width * 2] : []);
    line(context, a, b, outline, width * (isDoubtful ? 1 : 1.7));
    line(context, a, b, ink, width * (isDoubtful ? 0.6 : 1));
    context.setLineDash([]);
    context.globalAlpha = 1;
}

function disc(context, joint, radius, style) {
    context.fillStyle = style;
    context.beginPath();
    context.arc(joint.x, joint.y, radius, 0, 2 * Math.PI);
    context.fill();
}

function drawDot(context, joint, isFaulty, ink, size) {
    const isDoubtful = joint.confidence < doubtful;
    const radius = size * (isFaulty ? 1.6 : isDoubtful ? 0.6 : 1.05);
    const style = isFaulty ? fault : ink;
    if (joint.confidence >= glowing || isFaulty) {
        context.globalAlpha = isFaulty ? 0.4 : 0.3;
        disc(context, joint, radius * 2.6, style);
    }
    context.globalAlpha = isDoubtful ? 0.6 : 1;
    disc(context, joint, radius * 1.35, outline);
    disc(context, joint, radius, style);
    if (!isFaulty && !isDoubtful) disc(context, joint, radius * 0.45, outline);
    context.globalAlpha = 1;
}

function drawLabel(surface, joints, text, ink) {
    const { context, short } = surface;
    const points = [...joints.values()];
    const top = points.reduce((best, point) => (point.y < best.y ? point : best));
    const size = Math.max(14, short * 0.045);
    const y = Math.max(size, top.y - size * 1.1);
    context.font = `700 ${size}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineWidth = size * 0.25;
    context.strokeStyle = outline;
    context.strokeText(text, top.x, y);
    context.fillStyle = ink;
    context.fillText(text, top.x, y);
}
