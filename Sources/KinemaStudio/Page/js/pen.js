// What is drawn on canvases: lines, circles, and words on a plate.
import { outline } from "./skeleton.js";

/** A line through places. */
export function strokeLine(context, places, style, width, isClosed = false) {
    Object.assign(context, { strokeStyle: style, lineWidth: width });
    context.beginPath();
    for (const at of places) context.lineTo(...at);
    if (isClosed) context.closePath();
    context.stroke();
}

/** A circle, or a share of one from the top on. */
export function strokeCircle(context, [x, y], radius, style, width, share = 1) {
    Object.assign(context, { strokeStyle: style, lineWidth: width });
    context.beginPath();
    context.arc(x, y, radius, -Math.PI / 2, (2 * share - 0.5) * Math.PI);
    context.stroke();
}

export function fillCircle(context, [x, y], radius, style) {
    context.fillStyle = style;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
}

export function fillPlate(context, { left, top, width, height }) {
    context.fillStyle = outline;
    context.beginPath();
    context.roundRect(left, top, width, height, height / 4);
    context.fill();
}

/** Words in the middle of a plate. */
export function writePlate(context, words, box, ink) {
    fillPlate(context, box);
    Object.assign(context, { fillStyle: ink, textAlign: "center", textBaseline: "middle" });
    context.fillText(words, box.left + box.width / 2, box.top + box.height * 0.53);
}
