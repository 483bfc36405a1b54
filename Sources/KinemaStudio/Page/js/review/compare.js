// Two repetitions side by side or over each other, with their films where there are any: start, turn and end at the same time.
import { session as askSession, sessions as askSessions } from "../api.js";
import { draw, element, make, say } from "../dom.js";
import { drawBodies } from "../figures.js";
import { decimal, t } from "../i18n.js";
import { frameAt, measure, otherSide, seriesOf } from "./angles.js";
import { coverHeads } from "./cover.js";
import { settled } from "./film.js";
import { angle, angleName, dateOf, factName, moment, seconds, titleOf } from "./names.js";
import { niceStep, pathOf, rule, spanOf, text } from "./plot.js";
import { readPoses } from "./poses.js";
import { videoAddress } from "./requests.js";
import { saveGif, savePicture, saving } from "./save.js";
import { plate } from "./shapes.js";
import { foundIn, on, state, tell } from "./state.js";

const canvas = element("compare-picture");
const context = canvas.getContext("2d");
const steps = 100; // points of a curve over the phase
// The width is that of its place.
const size = { width: 480, height: 190, left: 40, right: 10, top: 12, bottom: 26 };
let [phase, isPlaying, before] = [0, false, 0];
/** The session that the second repetition is of; null for this one. */
let other = null;

const sideOf = (which) => (which === "b" && other ? other : state);
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

/** Where a repetition begins, for the bodies to be put together: hips on hips, trunks of one length. */
function anchorOf(side, repetition) {
    for (let at = 0; at <= 1; at += 0.1) {
        const { leftHip, rightHip, leftShoulder, rightShoulder } = bodyAt(side, repetition, at)?.keypoints ?? {};
        if (![leftHip, rightHip, leftShoulder, rightShoulder].every(Boolean)) continue;
        const middle = (one, two) => [0, 1].map((axis) => (one[axis] + two[axis]) / 2);
        const [hip, neck] = [middle(leftHip, rightHip), middle(leftShoulder, rightShoulder)];
        const trunk = Math.hypot((neck[0] - hip[0]) * side.shape, neck[1] - hip[1]);
        if (trunk > 0) return { hip, scale: 0.19 / trunk };
    }
    // A body whose trunk is not seen stands where it stood in its picture.
    return { hip: [0.5, 0.5], scale: 0.9 };
}

function surfaceFor(index, side, { hip, scale }, isOver) {
    const { width, height } = canvas;
    const room = isOver ? width : width / 2;
    const left = isOver ? 0 : index * room;
    const place = (x, y) => [left + room / 2 + (x - hip[0]) * side.shape * scale * height, height * (0.56 - (y - hip[1]) * scale)];
    return { context, width: room, height, short: Math.min(room, height), left, place };
}

// ---- pictures

const [last, high] = [32, 480]; // of the pictures of a repetition, read from its film; how high each is
const pictures = { a: [], b: [] };
let reading = 0;

/** Reads the pictures of both repetitions, those far apart first; heads are covered where the reader wants it. */
export async function readPictures() {
    const mine = (reading += 1);
    const isWanted = () => mine === reading && !element("panel-compare").hidden && state.privacy !== "skeleton";
    Object.assign(pictures, { a: [], b: [] });
    paint();
    await Promise.all(["a", "b"].map(async (which) => {
        const [side, repetition] = [sideOf(which), chosen(which)];
        if (!repetition || !side.session?.video || !isWanted()) return;
        const video = make("video", { muted: true, preload: "auto", src: videoAddress(side.session.id) });
        await settled(video);
        // A browser's recording does not tell its length until it has been read to its end.
        video.currentTime = video.duration === Infinity ? 1e6 : 0;
        await settled(video);
        const found = pictures[which];
        for (let stride = last; stride >= 1 && isWanted(); stride /= 2) {
            for (let at = 0; at <= last && isWanted(); at += stride) {
                if (found[at]) continue;
                video.currentTime = timeAt(repetition, at / last);
                await settled(video);
                const target = make("canvas", { width: Math.round(high * side.shape), height: high }).getContext("2d");
                target.drawImage(video, 0, 0, target.canvas.width, high);
                if (state.privacy === "faces") coverHeads(target, side, video.currentTime);
                if (isWanted()) found[at] = target.canvas;
                paint();
            }
        }
        video.removeAttribute("src");
        video.load();
    }));
}

/** The picture that is nearest to the phase, and its phase. */
function pictureAt(which) {
    const known = Object.keys(pictures[which]).map(Number);
    if (known.length === 0) return { picture: null, at: phase };
    const near = known.reduce((best, one) => (Math.abs(one - phase * last) < Math.abs(best - phase * last) ? one : best));
    return { picture: pictures[which][near], at: near / last };
}

function paintSide(which, index, { isOver, isPicture }) {
    const [side, repetition] = [sideOf(which), chosen(which)];
    if (!repetition) return;
    const surface = surfaceFor(index, side, anchorOf(side, repetition), isOver);
    const { picture, at } = pictureAt(which);
    context.save();
    context.beginPath();
    context.rect(surface.left, 0, surface.width, canvas.height);
    context.clip();
    const [[left, top], [right, bottom]] = [surface.place(0, 1), surface.place(1, 0)];
    if (isPicture) {
        context.globalAlpha = isOver && index === 1 ? 0.5 : 1;
        if (picture) context.drawImage(picture, left, top, right - left, bottom - top);
    } else {
        const body = bodyAt(side, repetition, at);
        // One each, so that neither gets a number; colours as in the curves below.
        if (body) drawBodies(surface, [{ ...body, id: index, faults: [] }]);
        const words = t("review.compare.option", { place: repetition.place ?? Number(element(`compare-${which}`).value) + 1, at: dateOf(side.session, "short") });
        plate(surface, words, [surface.left + surface.width / 2, isOver && index === 1 ? canvas.height : 0], index === 0 ? "#6cbcf0" : "#ffb04d");
    }
    context.restore();
}

function paint() {
    const { width, height } = canvas;
    context.fillStyle = "#0b100f";
    context.fillRect(0, 0, width, height);
    if (!state.session || element("compare-room").hidden) return;
    const isOver = element("compare-over").checked;
    for (const isPicture of [true, false]) ["a", "b"].forEach((which, index) => paintSide(which, index, { isOver, isPicture }));
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
    const phases = curves[0].map((_, at) => at / steps);
    const lines = curves.map((values, index) => draw("path", { class: `compare-line ${index === 0 ? "one" : "two"}`,
        d: pathOf(phases, values, { x, y, from: 0, to: values.length }) }));
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
        make("th", { scope: "row" }, factName(name)), make("td", {}, write(read(a))), make("td", {}, write(read(b))))));
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
    state.listed = all;
    tell("listed");
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
    readPictures();
}

/** Another session measured by the angle that this one is measured by. */
function prepared(session, { frames, shape, gap }) {
    const list = session.corrections ?? foundIn(session);
    const person = list[0]?.id ?? frames.find(({ people }) => people.length > 0)?.people[0].id ?? 1;
    const times = frames.map(({ time }) => time);
    const series = seriesOf(frames, person, shape);
    const main = series[state.main].some(Number.isFinite) ? state.main : otherSide(state.main) ?? state.main;
    return { session, frames, times, shape, person, series,
        repetitions: list.map((one) => ({ ...one, measured: measure(one, { times, gap, series, main }) })) };
}

/** The seconds that both take from start to end, at the speed that was chosen. */
function lasting() {
    const [a, b] = [chosen("a"), chosen("b")];
    return (a && b ? (a.end - a.start + b.end - b.start) / 2 : 1) / Number(element("compare-speed").value);
}

function* loopPictures() {
    const before = phase;
    for (let at = 0; at < last; at += 1) {
        phase = at / last;
        paint();
        yield { context, seconds: lasting() / last };
    }
    phase = before;
    paint();
}

function tick(now) {
    if (!isPlaying) return;
    phase = (phase + (now - before) / 1000 / lasting()) % 1;
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
    on("privacy", readPictures);
    for (const id of ["compare-a", "compare-b"]) {
        element(id).addEventListener("change", () => {
            showCurves();
            readPictures();
        });
    }
    element("compare-save").addEventListener("click", () => saving(() => savePicture(canvas, "comparison"), "compare-message"));
    element("compare-gif").addEventListener("click", () => {
        stopComparing();
        saving(() => saveGif(loopPictures(), canvas, "comparison"), "compare-message");
    });
    element("compare-session").addEventListener("change", ({ target }) => takeOther(target.value));
    element("compare-over").addEventListener("change", paint);
    element("compare-play").addEventListener("click", toggle);
    element("compare-phase").addEventListener("input", ({ target }) => {
        phase = Number(target.value);
        paint();
    });
}
