// Side by side: two repetitions, their start, turn and end at the same place, played together.
import { session as askSession, sessions as askSessions } from "../api.js";
import { draw, element, make, say } from "../dom.js";
import { drawBodies } from "../figures.js";
import { decimal, t } from "../i18n.js";
import { frameAt, measure, otherSide, seriesOf } from "./angles.js";
import { angle, angleName, dateOf, moment, seconds, titleOf } from "./names.js";
import { niceStep, rule, spanOf, text } from "./plot.js";
import { readPoses } from "./poses.js";
import { foundIn, on, state } from "./state.js";

const canvas = element("compare-picture");
const context = canvas.getContext("2d");
const steps = 100; // points of a curve over the phase
// The width is that of its place.
const size = { width: 480, height: 190, left: 40, right: 10, top: 12, bottom: 26 };
let [phase, isPlaying, before] = [0, false, 0];
/** The session that the second repetition is of; null for this one. */
let other = null;

const own = () => state;
const sideOf = (which) => (which === "b" && other ? other : own());
const chosen = (which) => sideOf(which).repetitions[Number(element(`compare-${which}`).value)] ?? null;

/** The time of a phase: start at 0, turn at a half, end at 1. */
export function timeAt({ start, end, measured }, at) {
    const turn = measured.turn !== null && measured.turn > start && measured.turn < end ? measured.turn : (start + end) / 2;
    return at < 0.5 ? start + (turn - start) * at * 2 : turn + (end - turn) * (at - 0.5) * 2;
}

function bodyAt(side, repetition, at) {
    const frame = side.frames[frameAt(side.times, timeAt(repetition, at))];
    return frame?.people.find(({ id }) => id === side.person) ?? null;
}

/** Puts a body where the other one is: hips on hips, trunks of one length. */
function laidOver(body, shape) {
    const middle = (one, two) => [0, 1].map((axis) => (body.keypoints[one][axis] + body.keypoints[two][axis]) / 2);
    const { leftHip, rightHip, leftShoulder, rightShoulder } = body.keypoints;
    if (![leftHip, rightHip, leftShoulder, rightShoulder].every(Boolean)) return null;
    const [hip, neck] = [middle("leftHip", "rightHip"), middle("leftShoulder", "rightShoulder")];
    const trunk = Math.hypot((neck[0] - hip[0]) * shape, neck[1] - hip[1]);
    return { hip, scale: trunk > 0 ? 0.23 / trunk : 1, shape };
}

function surfaceFor(index, side, body, isOver) {
    const { width, height } = canvas;
    const room = isOver ? width : width / 2;
    const left = isOver ? 0 : index * room;
    const laid = laidOver(body, side.shape);
    // A body whose trunk is not seen stands where it stood in its picture.
    const place = laid
        ? (x, y) => [left + room / 2 + (x - laid.hip[0]) * laid.shape * laid.scale * height, height * (0.5 - (y - laid.hip[1]) * laid.scale)]
        : (x, y) => [left + room / 2 + (x - 0.5) * side.shape * height * 0.9, (1 - y) * height];
    return { context, width: room, height, short: Math.min(room, height), place };
}

function paint() {
    const { width, height } = canvas;
    context.clearRect(0, 0, width, height);
    const isOver = element("compare-over").checked;
    ["a", "b"].forEach((which, index) => {
        const [side, repetition] = [sideOf(which), chosen(which)];
        const body = repetition && bodyAt(side, repetition, phase);
        if (!body) return;
        context.save();
        if (!isOver) {
            context.beginPath();
            context.rect(index * (width / 2), 0, width / 2, height);
            context.clip();
        }
        // One each, so that neither gets a number; colours as in the curves below.
        drawBodies(surfaceFor(index, side, body, isOver), [{ ...body, id: index, faults: [] }]);
        context.restore();
    });
    canvas.dataset.phase = phase.toFixed(3);
    for (const line of element("compare-curve").querySelectorAll(".cursor")) {
        const x = size.left + phase * (size.width - size.left - size.right);
        line.setAttribute("x1", x);
        line.setAttribute("x2", x);
    }
    element("compare-phase").value = phase;
    element("compare-phase").setAttribute("aria-valuetext", `${decimal(100 * phase, 0)} %`);
}

/** The value at a time, between those of the frames before and after; none where one of them shows none. */
function valueAt(times, values, time) {
    const at = frameAt(times, time);
    const next = Math.min(at + 1, times.length - 1);
    const share = next > at ? Math.min(1, Math.max(0, (time - times[at]) / (times[next] - times[at]))) : 0;
    return values[at] + (values[next] - values[at]) * share;
}

/** The angle of a repetition over the phase. */
function curveOf(which, name) {
    const [side, repetition] = [sideOf(which), chosen(which)];
    if (!repetition || !side.series) return [];
    return Array.from({ length: steps + 1 }, (_, at) => valueAt(side.times, side.series[name], timeAt(repetition, at / steps)));
}

function showCurves() {
    const name = state.main;
    if (!name) return;
    const curves = [curveOf("a", name), curveOf("b", name)];
    const [low, high] = spanOf(curves);
    const x = (at) => size.left + at * (size.width - size.left - size.right);
    const y = (value) => size.height - size.bottom - ((value - low) / (high - low)) * (size.height - size.top - size.bottom);
    const lines = curves.map((values, index) => {
        let path = "";
        values.forEach((value, at) => {
            if (!Number.isFinite(value)) return;
            path += `${path && Number.isFinite(values[at - 1]) ? "L" : "M"}${x(at / steps).toFixed(1)} ${y(value).toFixed(1)}`;
        });
        return draw("path", { class: `compare-line ${index === 0 ? "one" : "two"}`, d: path });
    });
    const rise = niceStep(high - low, 4);
    const axes = [];
    for (let value = Math.ceil(low / rise) * rise; value <= high; value += rise) {
        axes.push(rule(size.left, y(value), size.width - size.right, y(value)), text(size.left - 6, y(value) + 4, "end", angle(value)));
    }
    const words = [["start", 0], ["turn", 0.5], ["end", 1]].map(([word, at]) =>
        text(x(at), size.height - 6, at === 0 ? "start" : at === 1 ? "end" : "middle", t(`review.compare.${word}`)));
    element("compare-curve").replaceChildren(draw("svg", { viewBox: `0 0 ${size.width} ${size.height}`, role: "img",
        "aria-label": t("review.compare.told", { joint: angleName(name) }) },
    ...axes, ...words, ...lines, rule(0, size.top, 0, size.height - size.bottom, "cursor")));
    showFigures();
    paint();
}

function showFigures() {
    const [a, b] = [chosen("a"), chosen("b")];
    const rows = [["range", ({ measured }) => measured.range, angle], ["took", ({ start, end }) => end - start, seconds],
        ["peak", ({ measured }) => measured.peak, (value) => (value === null ? "–" : `${angle(value)}/s`)]];
    if (!a || !b) return element("compare-figures").replaceChildren();
    return element("compare-figures").replaceChildren(...rows.map(([name, read, write]) => make("tr", {},
        make("th", { scope: "row" }, t(`review.facts.${name}`)), make("td", {}, write(read(a))), make("td", {}, write(read(b))))));
}

function offer(which, selected) {
    const select = element(`compare-${which}`);
    const { repetitions } = sideOf(which);
    select.replaceChildren(...repetitions.map((one, at) => make("option", { value: at },
        t("review.compare.option", { place: at + 1, at: moment(one.start) }))));
    select.value = Math.min(selected, repetitions.length - 1);
}

function refresh() {
    const isThere = Boolean(state.series) && state.repetitions.length > 0;
    element("compare-none").hidden = isThere;
    element("compare-room").hidden = !isThere;
    if (!isThere) return;
    const kept = ["a", "b"].map((which) => Number(element(`compare-${which}`).value || (which === "a" ? 0 : 1)));
    offer("a", kept[0]);
    offer("b", kept[1]);
    showCurves();
}

/** Sessions to compare with: others with poses, those of the same exercise first. */
export async function offerSessions() {
    const { sessions: all } = await askSessions().catch(() => ({ sessions: [] }));
    const fitting = all.filter(({ id, hasPoses, count, mode }) =>
        id !== state.session.id && hasPoses && count > 0 && ["count", "coach"].includes(mode));
    const isSame = ({ exercise }) => (exercise === state.session.exercise ? 0 : 1);
    element("compare-session").replaceChildren(make("option", { value: "" }, t("review.compare.this")),
        ...fitting.toSorted((one, two) => isSame(one) - isSame(two)).slice(0, 100).map((session) =>
            make("option", { value: session.id }, `${titleOf(session)}, ${dateOf(session, "short")}`)));
    element("compare-session").disabled = fitting.length === 0;
    other = null;
    refresh();
}

async function takeOther(id) {
    say(element("compare-message"), "");
    other = null;
    if (id) {
        say(element("compare-message"), t("review.loading"));
        try {
            const [session, poses] = await Promise.all([askSession(id), readPoses(id)]);
            other = prepared(session, poses);
            say(element("compare-message"), "");
        } catch {
            say(element("compare-message"), t("review.noPosesRead"));
            element("compare-session").value = "";
        }
    }
    offer("b", other ? 0 : 1);
    showCurves();
}

/** Another session measured by the angle that this one is measured by. */
function prepared(session, { frames, shape, gap }) {
    const list = session.corrections ?? foundIn(session);
    const person = list[0]?.id ?? frames.find(({ people }) => people.length > 0)?.people[0].id ?? 1;
    const times = frames.map(({ time }) => time);
    const series = seriesOf(frames, person, shape);
    const main = series[state.main].some(Number.isFinite) ? state.main : otherSide(state.main) ?? state.main;
    return { frames, times, shape, person, series,
        repetitions: list.map((one) => ({ ...one, measured: measure(one, { times, gap, series, main }) })) };
}

function tick(now) {
    if (!isPlaying) return;
    const [a, b] = [chosen("a"), chosen("b")];
    const long = a && b ? (a.end - a.start + b.end - b.start) / 2 : 1;
    phase = (phase + ((now - before) / 1000 / long) * Number(element("compare-speed").value)) % 1;
    before = now;
    paint();
    requestAnimationFrame(tick);
}

function toggle() {
    isPlaying = !isPlaying;
    say(element("compare-play"), t(isPlaying ? "review.film.pause" : "review.film.play"));
    before = performance.now();
    if (isPlaying) requestAnimationFrame(tick);
}

/** Stops what plays, as when another tab is opened. */
export function stopComparing() {
    if (isPlaying) toggle();
}

function fit() {
    const { clientWidth, clientHeight } = canvas;
    if (!clientWidth) return;
    const scale = Math.min(devicePixelRatio, 2);
    canvas.width = Math.round(clientWidth * scale);
    canvas.height = Math.round(clientHeight * scale);
    paint();
}

/** Wires the controls. */
export function prepareCompare() {
    new ResizeObserver(fit).observe(canvas);
    new ResizeObserver(([{ contentRect }]) => {
        const isOther = contentRect.width > 0 && Math.abs(contentRect.width - size.width) > 1;
        if (!isOther) return;
        size.width = contentRect.width;
        showCurves();
    }).observe(element("compare-curve"));
    on("repetitions poses", refresh);
    for (const id of ["compare-a", "compare-b"]) element(id).addEventListener("change", showCurves);
    element("compare-session").addEventListener("change", ({ target }) => takeOther(target.value));
    element("compare-over").addEventListener("change", paint);
    element("compare-play").addEventListener("click", toggle);
    element("compare-phase").addEventListener("input", ({ target }) => {
        phase = Number(target.value);
        paint();
    });
}
