// The curve: chosen angles over time, repetitions shaded and numbered, marks, and where the film is.
import { draw, element, make, say } from "../dom.js";
import { t } from "../i18n.js";
import { angleNames, frameAt, otherSide } from "./angles.js";
import { amount, angle, angleName, moment } from "./names.js";
import { niceStep, pathOf, rule, spanOf, tableOf, text } from "./plot.js";
import { choosePerson, duration, hasRepetitions, on, people, placeAt, state, tell } from "./state.js";

const place = element("curve");
const most = 4; // angles shown at once: more cannot be distinguished
const margin = { left: 40, right: 10, top: 24, bottom: 24 };
const around = 0.4; // seconds shown beside a repetition that is looked at closely
let view = null;
let grabbed = null;

/** Where a time or a value lies; the part of the frames that is in view. */
function layOut(width, height, [start, end] = state.zoom ?? [0, duration()]) {
    const first = frameAt(state.times, start) + (state.times[frameAt(state.times, start)] < start ? 1 : 0);
    const last = frameAt(state.times, end) + 1;
    const chosen = state.series ? state.chosen : [];
    const [low, high] = spanOf(chosen.map((name) => state.series[name].subarray(first, last)));
    const bottom = height - margin.bottom - (state.marks.length + segments().length > 0 ? 22 : 0);
    return {
        width, height, start, end, from: first, to: last, low, high, bottom, chosen,
        x: (time) => margin.left + ((time - start) / (end - start)) * (width - margin.left - margin.right),
        y: (value) => bottom - ((value - low) / (high - low)) * (bottom - margin.top),
        timeAt: (left) => start + ((left - margin.left) / (width - margin.left - margin.right)) * (end - start),
    };
}

const segments = () => (state.session?.segments ?? []).filter(({ label }) => label);

function axes({ start, end, low, high, bottom, x, y, width, height, chosen }) {
    const parts = [rule(margin.left, bottom, width - margin.right, bottom)];
    const step = niceStep(end - start, Math.max(2, width / 90));
    for (let time = Math.ceil(start / step) * step; time <= end; time += step) {
        parts.push(text(x(time), height - 6, "middle", amount(time, step < 1 ? 1 : 0, " s")));
    }
    if (chosen.length === 0) return parts;
    const rise = niceStep(high - low, 5);
    for (let value = Math.ceil(low / rise) * rise; value <= high; value += rise) {
        parts.push(rule(margin.left, y(value), width - margin.right, y(value)), text(margin.left - 6, y(value) + 4, "end", angle(value)));
    }
    return parts;
}

const inView = ({ start, end }) => state.repetitions.filter((one) => one.end > start && one.start < end);

function bands(area) {
    const { start, end, x, bottom } = area;
    return inView(area).map((one) => {
        const [left, right] = [x(Math.max(one.start, start)), x(Math.min(one.end, end))];
        const kinds = { faulty: one.faults?.length > 0, corrected: one.isAdded || one.isMoved,
            chosen: one.place - 1 === state.selected && state.isCorrecting };
        const name = ["band", ...Object.keys(kinds).filter((kind) => kinds[kind])].join(" ");
        return draw("rect", { class: name, x: left + 1, y: 4, width: Math.max(1, right - left - 2), height: bottom - 4, rx: 6,
            "data-place": one.place });
    });
}

/** The numbers of those that have room for theirs. */
function places(area) {
    let free = -Infinity;
    return inView(area).flatMap((one) => {
        const middle = (area.x(Math.max(one.start, area.start)) + area.x(Math.min(one.end, area.end))) / 2;
        const wide = String(one.place).length * 9;
        if (middle - wide / 2 < free) return [];
        free = middle + wide / 2 + 6;
        return [text(middle, 18, "middle", String(one.place), "place")];
    });
}

function strips({ start, end, x, bottom }) {
    return [...segments(), ...state.marks].filter((one) => one.end > start && one.start < end).flatMap((one) => {
        const [left, right] = [x(Math.max(one.start, start)), x(Math.min(one.end, end))];
        const words = one.label.length * 7 < right - left - 8 ? [text(left + 5, bottom + 16, "start", one.label, "mark-word")] : [];
        return [draw("rect", { class: "mark-band", x: left, y: bottom + 3, width: Math.max(2, right - left), height: 18, rx: 4 }), ...words];
    });
}

function handles({ x, bottom }) {
    const one = state.isCorrecting ? state.repetitions[state.selected] : null;
    if (!one) return [];
    return ["start", "end"].map((side) => draw("g", { class: "handle", "data-side": side },
        draw("rect", { class: "grip-room", x: x(one[side]) - (side === "start" ? 34 : 10), y: 0, width: 44, height: bottom }),
        rule(x(one[side]), 4, x(one[side]), bottom, "grip"),
        draw("circle", { class: "grip-knob", cx: x(one[side]), cy: bottom / 2 + 10, r: 8 })));
}

/** The picture of an area, without what moves. */
function pictureOf(area, ...moving) {
    const { width, height, chosen } = area;
    const lines = chosen.map((name) => draw("path", { class: `curve-line ${name}${chosen.length === 1 ? " alone" : ""}`, d: pathOf(state.times, state.series[name], area) }));
    return draw("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": described(chosen) },
        ...bands(area), ...axes(area), ...lines, ...places(area), ...strips(area), ...moving);
}

/** The whole session's curve, for paper. */
export const wholeCurve = (width, height) => pictureOf(layOut(width, height, [0, duration()]));

function render() {
    const { clientWidth: width, clientHeight: height } = place;
    if (!width || !height || !state.session) return;
    view = layOut(width, height);
    place.replaceChildren(pictureOf(view, ...handles(view), rule(0, 0, 0, view.bottom, "cursor")));
    showCursor();
}

function described(chosen) {
    const what = chosen.length > 0 ? chosen.map(angleName).join(", ") : t("review.curve.bare");
    return t("review.curve.told", { what, repetitions: t("review.repetitions", { n: state.repetitions.length }) });
}

function showCursor() {
    const cursor = place.querySelector(".cursor");
    if (!cursor || !view) return;
    const left = view.x(Math.min(Math.max(state.time, view.start), view.end));
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
        const box = make("input", { type: "checkbox", value: name, checked: state.chosen.includes(name) });
        box.addEventListener("change", () => choose(name, box));
        return make("label", { className: "angle" }, box, make("i", { className: `swatch ${name}`, ariaHidden: "true" }), angleName(name));
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
    element("person").replaceChildren(...all.map((id) => make("option", { value: id }, String(id))));
    element("person").value = state.person;
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
    const heads = [t("review.columns.number"), t("review.columns.at"), ...chosen.map(angleName)];
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
    element("zoom").hidden = !hasRepetitions() || state.repetitions.length === 0;
    say(element("zoom"), t(state.zoom ? "review.curve.all" : "review.curve.zoom"));
    element("zoom").setAttribute("aria-pressed", state.zoom !== null);
    render();
}

function prepareDrag(seek, moved) {
    const timeOf = (event) => view.timeAt(event.clientX - place.getBoundingClientRect().left);
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
    place.addEventListener("pointermove", (event) => {
        if (grabbed) follow(event);
    });
    for (const name of ["pointerup", "pointercancel"]) place.addEventListener(name, () => (grabbed = null));
}

/** Wires the curve: `seek` hears of a click, `moved` of an end of the chosen repetition that is dragged. */
export function prepareCurve(seek, moved) {
    new ResizeObserver(render).observe(place);
    on("poses chosen", () => {
        showChoices();
        showPeople();
    });
    on("repetitions poses chosen zoom selected marks", () => {
        showZoom();
        showTable();
    });
    on("time", showCursor);
    element("curve-table").addEventListener("toggle", showTable);
    element("person").addEventListener("change", ({ target }) => choosePerson(Number(target.value)));
    element("zoom").addEventListener("click", () => {
        const at = placeAt(state.time);
        zoom(state.zoom ? null : state.repetitions[at < 0 ? state.selected : at] ?? state.repetitions[0]);
    });
    prepareDrag(seek, moved);
}
