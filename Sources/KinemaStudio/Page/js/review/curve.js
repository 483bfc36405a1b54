// The curve: chosen angles over time, repetitions shaded and numbered, marks, and where the film is.
import { draw, element, fill, make, say } from "../dom.js";
import { t } from "../i18n.js";
import { isSet } from "../outline.js";
import { area, axes, bandOf, inView, niceStep, pathOf, picture, roundsOf, rule, spanOf, tableOf, text, wordsOf } from "../plot.js";
import { jointName } from "../words.js";
import { angleNames, frameAt, otherSide } from "./angles.js";
import { amount, angle, moment } from "./names.js";
import { choosePerson, duration, on, people, placeAt, state, tell } from "./state.js";

const place = element("curve");
const most = 4; // angles shown at once: more cannot be distinguished
const around = 0.4; // seconds shown beside a repetition that is looked at closely
let view = null;
let grabbed = null;

const segments = () => (state.session?.segments ?? []).filter(({ label }) => label);

/** Where a time or a value lies; the part of the frames that is in view. */
function layOut(width, height, [from, to] = state.zoom ?? [0, duration()]) {
    const at = frameAt(state.times, from);
    const [first, last] = [at + (state.times[at] < from ? 1 : 0), frameAt(state.times, to) + 1];
    const chosen = state.series ? state.chosen : [];
    const [low, high] = spanOf(chosen.map((name) => state.series[name].subarray(first, last)));
    const bottom = state.marks.length + segments().length > 0 ? 46 : 24;
    return { ...area({ width, height, top: 24, bottom, from, to, low, high }), first, last, chosen };
}

function ticks({ from, to, width }) {
    const step = niceStep(to - from, Math.max(2, width / 90));
    return roundsOf(from, to, step).map((time) => [time, amount(time, step < 1 ? 1 : 0, " s")]);
}

function band(room, one) {
    const kinds = { faulty: one.faults?.length > 0, corrected: one.isAdded || one.isMoved,
        chosen: one.place - 1 === state.selected && state.isCorrecting };
    return bandOf(room, one, { class: ["band", ...Object.keys(kinds).filter((kind) => kinds[kind])].join(" "), "data-place": one.place });
}

function strip(room, one) {
    const box = bandOf(room, one, { class: "mark-band", y: room.floor + 3, height: 18, rx: 4 });
    const fits = one.label.length * 7 < Number(box.getAttribute("width")) - 8;
    return fits ? [box, text(Number(box.getAttribute("x")) + 5, room.floor + 16, "start", one.label, "mark-word")] : [box];
}

function handles({ x, floor }) {
    const one = state.isCorrecting ? state.repetitions[state.selected] : null;
    if (!one) return [];
    return ["start", "end"].map((side) => draw("g", { class: "handle", "data-side": side },
        draw("rect", { class: "grip-room", x: x(one[side]) - (side === "start" ? 34 : 10), y: 0, width: 44, height: floor }),
        rule(x(one[side]), 4, x(one[side]), floor, "grip"),
        draw("circle", { class: "grip-knob", cx: x(one[side]), cy: floor / 2 + 10, r: 8 })));
}

/** The picture of an area, without what moves. */
function pictureOf(room, ...moving) {
    const { width, height, chosen, first, last } = room;
    const lines = chosen.map((name) => draw("path", { class: `curve-line ${name}${chosen.length === 1 ? " alone" : ""}`,
        d: pathOf(state.times, state.series[name], room, first, last) }));
    const shown = inView(room, state.repetitions);
    return picture(room, described(chosen), [...shown.map((one) => band(room, one)), ...axes(room, ticks(room), chosen.length > 0 ? angle : null), ...lines,
        ...wordsOf(room, shown, ({ place: number }) => number), ...inView(room, [...segments(), ...state.marks]).flatMap((one) => strip(room, one)), ...moving],
    { width, height });
}

/** The whole session's curve, for paper. */
export const wholeCurve = (width, height) => pictureOf(layOut(width, height, [0, duration()]));

function render() {
    const { clientWidth: width, clientHeight: height } = place;
    if (!width || !height || !state.session) return;
    view = layOut(width, height);
    place.replaceChildren(pictureOf(view, ...handles(view), rule(0, 0, 0, view.floor, "cursor")));
    showCursor();
}

function described(chosen) {
    const what = chosen.length > 0 ? chosen.map(jointName).join(", ") : t("review.curve.bare");
    return t("review.curve.told", { what, repetitions: t("review.repetitions", { n: state.repetitions.length }) });
}

function showCursor() {
    const cursor = place.querySelector(".cursor");
    if (!cursor || !view) return;
    const left = view.x(Math.min(Math.max(state.time, view.from), view.to));
    cursor.setAttribute("x1", left);
    cursor.setAttribute("x2", left);
    const at = placeAt(state.time);
    for (const band of place.querySelectorAll(".band")) band.classList.toggle("current", Number(band.dataset.place) === at + 1);
}

// ---- which angles

function showChoices() {
    const isShown = Boolean(state.series);
    element("angles").hidden = !isShown;
    element("curve-why").hidden = !isShown;
    if (!isShown) return;
    // What moves most stands first, with its other side.
    const first = [...new Set([state.main, otherSide(state.main) ?? state.main, ...angleNames])];
    const choices = first.map((name) => {
        const box = make("input", { type: "checkbox", value: name, checked: state.chosen.includes(name), onchange: () => choose(name, box) });
        return make("label", { className: "angle" }, box, make("i", { className: `swatch ${name}`, ariaHidden: "true" }), jointName(name));
    });
    element("angles").querySelector("div").replaceChildren(...choices);
    const gaps = state.chosen.some((name) => state.series[name].some(Number.isNaN));
    say(element("curve-why"), t(gaps ? "review.curve.gaps" : "review.curve.honest"));
}

function choose(name, box) {
    const chosen = box.checked ? [...state.chosen, name] : state.chosen.filter((other) => other !== name);
    // The last stays, and of too many the first goes.
    state.chosen = chosen.length > 0 ? chosen.slice(-most) : [name];
    tell("chosen");
    element("angles").querySelector(`input[value=${name}]`).focus();
}

function showPeople() {
    const all = people();
    element("person-choice").hidden = all.length < 2;
    fill(element("person"), all.map((id) => [id]), state.person);
}

/** Each repetition with the lowest and highest of the chosen angles, for those who cannot see the curve. */
function showTable() {
    const { chosen, series, times, repetitions } = state;
    element("curve-table").hidden = !series || repetitions.length === 0;
    if (!series || !element("curve-table").open) return;
    const ends = (name, { start, end }) => {
        const known = series[name].subarray(frameAt(times, start), frameAt(times, end) + 1).filter(Number.isFinite);
        return known.length === 0 ? t("review.unsure") : `${angle(Math.min(...known))} – ${angle(Math.max(...known))}`;
    };
    const heads = [t("review.columns.number"), t("review.columns.at"), ...chosen.map(jointName)];
    element("curve-rows").replaceChildren(tableOf(t("review.curve.table"), heads,
        repetitions.map((one) => [String(one.place), moment(one.start), ...chosen.map((name) => ends(name, one))])));
}

// ---- zoom, seek, drag

/** Shows one repetition closely and plays it again and again, or shows all. */
export function zoom(repetition) {
    state.loop = repetition ? [repetition.start, repetition.end] : null;
    state.zoom = repetition
        ? [Math.max(0, repetition.start - around), Math.min(duration(), repetition.end + around)] : null;
    tell("zoom");
}

function showZoom() {
    element("zoom").hidden = !isSet(state.session) || state.repetitions.length === 0;
    say(element("zoom"), t(state.zoom ? "review.curve.all" : "review.curve.zoom"));
    element("zoom").setAttribute("aria-pressed", state.zoom !== null);
    render();
}

function prepareDrag(seek, moved) {
    const timeOf = (event) => view.placeAt(event.clientX - place.getBoundingClientRect().left);
    let isFirst = true;
    const follow = (event) => {
        if (grabbed === "seek") return seek(timeOf(event));
        moved(grabbed, timeOf(event), isFirst);
        return (isFirst = false);
    };
    place.addEventListener("pointerdown", (event) => {
        if (!view || event.button !== 0) return;
        grabbed = event.target.closest(".handle")?.dataset.side ?? "seek";
        isFirst = true;
        place.setPointerCapture(event.pointerId);
        if (grabbed === "seek") follow(event);
    });
    place.addEventListener("pointermove", (event) => grabbed && follow(event));
    for (const name of ["pointerup", "pointercancel"]) place.addEventListener(name, () => (grabbed = null));
}

/** Wires the curve: `seek` hears of a click, `moved` of an end of the chosen repetition that is dragged. */
export function prepareCurve(seek, moved) {
    new ResizeObserver(render).observe(place);
    on("poses chosen", showChoices, showPeople);
    on("repetitions poses chosen zoom selected marks", showZoom, showTable);
    on("time", showCursor);
    element("curve-table").addEventListener("toggle", showTable);
    element("person").addEventListener("change", ({ target }) => choosePerson(Number(target.value)));
    element("zoom").addEventListener("click", () => {
        const at = placeAt(state.time);
        zoom(state.zoom ? null : state.repetitions[at < 0 ? state.selected : at] ?? state.repetitions[0]);
    });
    prepareDrag(seek, moved);
}
