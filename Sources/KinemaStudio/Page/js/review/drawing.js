// Draws on the film: tools, what they measured, the scale of the picture, and the drawing's keeping in this browser.
import { element, make, onClick, say } from "../dom.js";
import { decimal, t } from "../i18n.js";
import { drawingOf, keepHere, keptHere, settings } from "../settings.js";
import { jointName } from "../words.js";
import { frameAt, limbs } from "./angles.js";
import { angle, percent } from "./names.js";
import { bodyAt, heldPoint, inks, jointAngle, jointNear, needed, placeOf, reachOf, scaleOf, spread, valueOf } from "./shapes.js";
import { duration, on, state, tell } from "./state.js";

const canvas = element("film");
const [reach, still] = [24, 8]; // pixels within which a point takes a joint, and within which a finger has not moved
const [height, unit] = ["kinema-height", () => (settings.units === "imperial" ? 0.0254 : 0.01)]; // where the person's height is kept for the next film, and metres in its unit
/** The drawing that is being made, with how many of its points are set; the point that is being moved. */
let [tool, begun, held, from] = [null, null, null, null];

/** A length in the reader's units; without a scale as a share of the picture's height. */
const length = (value) => (state.scale === null ? percent(value) : !Number.isFinite(value) ? "–"
    : settings.units === "imperial" ? `${decimal(value / 0.3048, 2)} ft` : value < 1 ? `${decimal(100 * value, 0)} cm` : `${decimal(value, 2)} m`);

/** A drawing's value in words. */
export const valueWords = ({ kind }, value) => (kind === "angle" ? angle(value) : kind === "ruler" ? length(value) : "");

const isWhole = ({ kind, points }) => points.length === needed[kind];
const shapes = () => state.shapes.filter((one) => one !== begun);

// ---- kept

/** Reads the session's drawing. */
export function openDrawing({ id }) {
    [begun, held] = [null, null];
    Object.assign(state, { shapes: [], scale: null }, keptHere(drawingOf(id)));
    choose(null);
    tell("drawing");
}

/** Forgets the drawing of the session. */
export const forgetDrawing = () => keepHere(drawingOf(state.session.id));

function store() {
    if (!settings.keepDrawings) keepHere(height);
    if (!state.session) return;
    const isEmpty = shapes().length === 0 && state.scale === null;
    const isKept = keepHere(drawingOf(state.session.id), isEmpty || !settings.keepDrawings ? undefined : { shapes: shapes(), scale: state.scale });
    if (!isKept) say(element("measure-message"), t("review.measure.full"));
}

function changed(now = state.shapes) {
    state.shapes = now;
    store();
    tell("drawing");
}

// ---- on the film

function choose(name) {
    if (begun) state.shapes = shapes();
    [tool, begun] = [name, null];
    for (const button of document.querySelectorAll("[data-tool]")) button.setAttribute("aria-pressed", button.dataset.tool === tool);
    canvas.classList.toggle("draws", tool !== null);
    say(element("measure-how"), t(`review.measure.how.${tool ?? "none"}`));
    tell("drawing");
}

const atOf = ({ clientX, clientY }) => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    return [(clientX - left) / width, 1 - (clientY - top) / height].map((value) => Math.min(1, Math.max(0, value)));
};
const body = () => bodyAt(state, frameAt(state.times, state.time));

/** A point takes the joint under it, and follows it. */
function pointAt(at, kind) {
    const joint = jointNear(at, body(), state.shape, reach / canvas.clientHeight);
    if (joint) return { joint };
    return kind === "path" ? heldPoint(at, body(), state.shape) : { at };
}

/** The point of a drawing that is grabbed. */
function pointUnder(at) {
    for (const one of shapes().toReversed()) {
        for (const [index, point] of one.points.entries()) {
            const place = placeOf(point, body(), state.shape);
            const away = place && Math.hypot((place[0] - at[0]) * canvas.clientWidth, (place[1] - at[1]) * canvas.clientHeight);
            if (place && away < reach) return { one, index };
        }
    }
    return null;
}

function press(event) {
    if (event.button !== 0 || !state.session) return;
    const at = atOf(event);
    from = [event.clientX, event.clientY];
    if (!tool) {
        held = pointUnder(at);
        if (held) canvas.setPointerCapture(event.pointerId);
        return;
    }
    event.preventDefault();
    canvas.setPointerCapture(event.pointerId);
    const point = pointAt(at, tool);
    if (begun) {
        begun.points[begun.points.length - 1] = point;
        tell("drawing");
        return;
    }
    // A joint between limbs has its angle at once.
    const joint = tool === "angle" && Object.keys(limbs).includes(point.joint);
    begun = joint ? jointAngle(point.joint) : { kind: tool, points: [point] };
    state.shapes = [...state.shapes, begun];
    if (isWhole(begun)) finish();
    else begun.points.push(point);
    tell("drawing");
}

function move(event) {
    const moving = held ? held.one : begun;
    if (!moving) return;
    moving.points[held ? held.index : moving.points.length - 1] = pointAt(atOf(event), moving.kind);
    tell("drawing");
}

function release(event) {
    if (held) {
        held = null;
        changed();
    }
    if (!begun || !from) return;
    const hasMoved = Math.hypot(event.clientX - from[0], event.clientY - from[1]) > still;
    const isSecondTap = begun.pressed;
    begun.pressed = true;
    from = null;
    // A line is dragged from end to end, or both ends are tapped.
    if (!hasMoved && !isSecondTap) return;
    if (isWhole(begun)) finish();
    else begun.points.push(begun.points.at(-1));
    tell("drawing");
}

function finish() {
    delete begun.pressed;
    begun = null;
    choose(null);
    changed();
}

const remove = (one) => changed(state.shapes.filter((other) => other !== one));
const add = (one) => changed([...shapes(), one]);

// ---- what was measured

const titleOf = ({ kind, points }) => {
    const [{ joint }] = points;
    return [t(`review.tools.${kind}`), joint && t(`review.joints.${joint}`)].filter(Boolean).join(", ");
};

/** What was measured over the whole film, for the report. */
export const measuredWords = () => shapes().flatMap((one) => {
    const [found, far] = [["angle", "ruler"].includes(one.kind) ? spread(one, state, [0, duration()]) : null, one.kind === "path" ? reachOf(one, state, [0, duration()]) : null];
    if (far) return [[titleOf(one), length(far.up), t("review.measure.reach", { across: length(far.across), up: length(far.up) })]];
    return found ? [[titleOf(one), valueWords(one, found.high - found.low), t("review.numbers.between", { least: valueWords(one, found.low), most: valueWords(one, found.high) })]] : [];
});

let readNow = () => {};

/** Each drawing with its value now, and its lowest, highest and range in the repetition that is looped, or the whole film. */
function showReadings() {
    const stretch = state.loop ?? [0, duration()];
    const live = [];
    const rows = shapes().map((one, index) => {
        const found = ["angle", "ruler"].includes(one.kind) ? spread(one, state, stretch) : null;
        const far = one.kind === "path" ? reachOf(one, state, stretch) : null;
        const away = make("button", { type: "button", className: "quiet", onclick: () => remove(one), ariaLabel: t("review.measure.remove", { what: titleOf(one) }) }, "×");
        const swatch = make("i", { className: "ink", ariaHidden: "true" });
        swatch.style.background = inks[index % inks.length];
        const cells = found ? ["", ...[found.low, found.high, found.high - found.low].map((value) => valueWords(one, value))]
            : [far ? t("review.measure.reach", { across: length(far.across), up: length(far.up) }) : ""];
        const nodes = cells.map((cell) => make("td", { colSpan: found ? 1 : 4 }, cell));
        if (found) live.push([one, nodes[0]]);
        return make("tr", {}, make("th", { scope: "row" }, swatch, titleOf(one)), ...nodes, make("td", {}, away));
    });
    readNow = () => live.forEach(([one, cell]) => say(cell, valueWords(one, valueOf(one, frameAt(state.times, state.time), state))));
    readNow();
    element("readings").replaceChildren(...rows);
    element("readings-room").hidden = rows.length === 0;
    say(element("readings-of"), t(state.loop ? "review.measure.ofLoop" : "review.measure.ofFilm"));
    say(element("scale-now"), t(state.scale === null ? "review.measure.noScale" : "review.measure.scale", { height: length(state.scale ?? 0) }));
    element("scale-ruler").disabled = !shapes().some(({ kind }) => kind === "ruler");
}

function setScale(find, isHeight = false) {
    const metres = Number(element("scale-length").value) * unit();
    const found = metres > 0 ? find(metres) : null;
    say(element("measure-message"), found ? "" : t(metres > 0 ? "review.measure.notStanding" : "review.measure.needsLength"));
    if (!found) return;
    state.scale = found;
    if (isHeight && settings.keepDrawings) keepHere(height, metres);
    changed();
}

/** The picture's scale from the last ruler's length. */
function byRuler(metres) {
    const ruler = shapes().findLast(({ kind }) => kind === "ruler");
    const units = valueOf(ruler, frameAt(state.times, state.time), { ...state, scale: 1 });
    return units > 0 ? metres / units : null;
}

/** Wires tools, list and scale. */
export function prepareDrawing() {
    for (const button of document.querySelectorAll("[data-tool]")) {
        button.addEventListener("click", () => choose(tool === button.dataset.tool ? null : button.dataset.tool));
    }
    const acts = { pointerdown: press, pointermove: move, pointerup: release, pointercancel: () => (held = null) };
    for (const [name, act] of Object.entries(acts)) canvas.addEventListener(name, act);
    element("measure-joint").replaceChildren(...Object.keys(limbs).map((name) => make("option", { value: name }, jointName(name))));
    say(element("scale-unit"), t(settings.units === "imperial" ? "review.measure.lengthInches" : "review.measure.length"));
    if (keptHere(height) > 0) element("scale-length").value = Math.round((2 * keptHere(height)) / unit()) / 2;
    const joint = () => element("measure-joint").value;
    onClick({
        "measure-angle": () => add(jointAngle(joint())), "measure-path": () => add({ kind: "path", points: [{ joint: joint() }] }),
        "scale-height": () => setScale((metres) => scaleOf(state, metres), true), "scale-ruler": () => setScale(byRuler), "tool-undo": () => remove(shapes().at(-1)),
    });
    on("drawing poses zoom", () => {
        if (!state.session) return;
        element("tool-undo").disabled = shapes().length === 0;
        canvas.classList.toggle("holds", shapes().length > 0);
        if (!element("panel-measure").hidden) showReadings();
    });
    on("time", () => readNow());
    on("privacy", store);
    on("poses", () => state.session && (element("measure-joint").value = state.main in limbs ? state.main : "leftKnee"));
    addEventListener("keydown", ({ key }) => key === "Escape" && tool && choose(null));
    return showReadings;
}
