// Draw: strokes in the air.
import { announce } from "../announce.js";
import { element, keep, onClick, say } from "../dom.js";
import { t } from "../i18n.js";
import { strokeCircle } from "../pen.js";
import { middleOf } from "../review/angles.js";
import { change, settings } from "../settings.js";
import { counted } from "../words.js";
import { BigNumber } from "./readout.js";

const number = new BigNumber(element("draw-number"));
const strokes = new Map();
let shape = { width: 640, height: 480 };
// The colours of the rings on a hand's fingertips: pinched, in doubt, apart.
const ringColours = { pinched: "#1fd6a0", possiblePinch: "#ffa81e", possibleApart: "#ffa81e" };
const apartColour = "#ff5a4d";
let pinching = [];
let tips = [];
let isColourTold = false;

function update({ strokes: changed = [], removed = [], cleared = false }) {
    if (cleared) strokes.clear();
    for (const id of removed) strokes.delete(id);
    for (const stroke of changed) strokes.set(stroke.id, stroke);
    number.show(strokes.size);
    element("draw-undo").disabled = element("draw-clear").disabled = element("draw-save").disabled = strokes.size === 0;
}

/** A stroke's width, a share of the picture's shorter side, in pixels. */
const thickness = (width, short) => Math.max(2, (width || 0.012) * short);

const at = (letter, ...numbers) => letter + numbers.map((value) => value.toFixed(1)).join(" ");

/** A smooth path through the middles between points, as SVG and the canvas know it. */
function pathThrough(points) {
    const curves = points.slice(1, -1).map(([x, y], index) => at("Q", x, y, ...middleOf([x, y], points[index + 2])));
    return [at("M", ...points[0]), ...curves, at("L", ...points.at(-1))].join("");
}

/** The drawing as SVG text, as seen on the page: mirrored where the picture is. */
export function drawingText(mirrored) {
    const { width, height } = shape;
    const paths = [...strokes.values()].map((stroke) => {
        const path = pathThrough(stroke.points.map(([x, y]) => [(mirrored ? 1 - x : x) * width, (1 - y) * height]));
        const thick = thickness(stroke.width, Math.min(width, height)).toFixed(1);
        const ink = /^#[0-9a-f]{6}$/i.test(stroke.colour) ? stroke.colour : "#000000";
        return `  <path d="${path}" stroke="${ink}" stroke-width="${thick}"/>`;
    });
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" `
        + `width="${width}" height="${height}" fill="none" stroke-linecap="round" `
        + `stroke-linejoin="round">\n${paths.join("\n")}\n</svg>\n`;
}

/** Wires the buttons; `send` hands a message to the server. */
export function prepareDrawing(send) {
    for (const input of element("colours").querySelectorAll("input")) {
        input.checked = input.value === settings.colour;
        input.nextElementSibling.style.background = input.value;
    }
    element("colours").addEventListener("change", ({ target: { value } }) => {
        change("colour", value);
        send({ type: "colour", value });
    });
    onClick({ "draw-undo": () => send({ type: "undo" }), "draw-clear": () => send({ type: "clear" }) });
    element("draw-save").addEventListener("click", () => {
        keep(drawingText(element("overlay").dataset.mirrored === "true"), "drawing.svg", "image/svg+xml");
        announce(t("draw.saved"));
    });
    update({});
}

export const draw = {
    options: () => ({}),

    reset() {
        isColourTold = false;
        strokes.clear();
        pinching = [];
        tips = [];
        update({});
        say(element("draw-phase"), t("draw.pinch"));
    },

    result(message, { send }) {
        // Not before a first result: until then the studio may have no drawing to colour.
        if (!isColourTold) send({ type: "colour", value: settings.colour });
        isColourTold = true;
        if (message.width) shape = { width: message.width, height: message.height };
        if (!message.draw) return;
        pinching = message.draw.pinching ?? [];
        tips = message.draw.tips ?? [];
        update(message.draw);
        const idle = strokes.size === 0 ? t("draw.pinch") : counted(strokes.size, "stroke");
        say(element("draw-phase"), pinching.length > 0 ? t("draw.drawing") : idle);
    },

    /** Another session, after a lost connection too, begins without lines. */
    started() {
        isColourTold = false;
        strokes.clear();
        update({});
    },

    paint({ context, short, place }) {
        context.lineCap = context.lineJoin = "round";
        for (const stroke of strokes.values()) {
            if (stroke.points.length === 0) continue;
            context.strokeStyle = stroke.colour;
            context.lineWidth = thickness(stroke.width, short);
            context.stroke(new Path2D(pathThrough(stroke.points.map(([x, y]) => place(x, y)))));
        }
        for (const hand of tips) {
            for (const [x, y] of hand.tips) strokeCircle(context, place(x, y), short * 0.02, ringColours[hand.state] ?? apartColour, short * 0.008);
        }
    },
};
