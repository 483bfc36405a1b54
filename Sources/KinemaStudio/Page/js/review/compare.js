// Two repetitions side by side or over each other, with their films where there are any: start, turn and end at the same time.
import { session as askSession, sessions as askSessions, videoAddress } from "../api.js";
import { draw, element, fill, make, onClick, say, sharpen } from "../dom.js";
import { drawBodies } from "../figures.js";
import { decimal, t } from "../i18n.js";
import { quantile } from "../meter.js";
import { isSet } from "../outline.js";
import { area, axes, pathOf, picture, rule, spanOf } from "../plot.js";
import { jointName, loadWords, titleOf } from "../words.js";
import { frameAt, middleOf, sure } from "./angles.js";
import { coverHeads } from "./cover.js";
import { settled } from "./film.js";
import { angle, dateOf, factName, moment } from "./names.js";
import { written } from "./numbers.js";
import { readMeasured } from "./poses.js";
import { saveGif, savePicture, saving } from "./save.js";
import { bodyAt, plate } from "./shapes.js";
import { on, state, tell } from "./state.js";

const canvas = element("compare-picture");
const context = canvas.getContext("2d");
const steps = 100; // points of a curve over the phase
let wide = 480; // of the curves, as their place has it
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

const bodyOf = (side, repetition, at) => bodyAt(side, frameAt(side.times, timeAt(repetition, at)));

const moments = 20; // of a repetition at which its body is looked at

/** How a body stands in a repetition: its usual hip and trunk, and how far it reaches from that hip; lengths in picture heights. */
export function standOf(side, repetition) {
    const bodies = Array.from({ length: moments + 1 }, (_, at) => bodyOf(side, repetition, at / moments)).filter(Boolean);
    const trunks = bodies.map(({ leftHip, rightHip, leftShoulder, rightShoulder }) => [leftHip, rightHip, leftShoulder, rightShoulder])
        .filter((joints) => joints.every(Boolean)).map(([a, b, c, d]) => [middleOf(a, b), middleOf(c, d)]);
    // A body whose trunk is not seen stands where it stood in its picture.
    if (trunks.length === 0) return { hip: [0.5, 0.5], trunk: shown / 0.9, up: 0, down: 0, aside: 0 };
    const hip = [0, 1].map((axis) => quantile(trunks.map(([one]) => one[axis]), 0.5));
    const places = bodies.flatMap(Object.values).filter(([, , confidence = 1]) => confidence >= sure);
    const reach = (way) => Math.max(0, ...places.map(([x, y]) => way((x - hip[0]) * side.shape, y - hip[1])));
    return { hip, trunk: quantile(trunks.map(([[x, y], neck]) => Math.hypot((neck[0] - x) * side.shape, neck[1] - y)), 0.5) || shown,
        up: reach((_, y) => y), down: reach((_, y) => -y), aside: reach(Math.abs) };
}

const [shown, level, dateHeight] = [0.19, 0.56, 24]; // of the canvas's height: a trunk's length, how far below the top the hips lie; pixels

/** Hips on hips and trunks of one length, as large as both bodies are whole in a room of this shape; the top has room for a date. */
export function scalesOf(stands, shape) {
    const fit = stands.map(({ trunk, up, down, aside }) => trunk * Math.min((level - Math.max(0.06, dateHeight / canvas.height)) / up, 0.95 * (1 - level) / down, 0.47 * shape / aside));
    return stands.map(({ trunk }) => Math.min(shown, ...fit) / trunk);
}

const roomOf = (isOver) => (isOver ? canvas.width : canvas.width / 2);

function surfaceFor(index, side, { hip, scale }, isOver) {
    const [{ height }, room] = [canvas, roomOf(isOver)];
    const left = isOver ? 0 : index * room;
    const place = (x, y) => [left + room / 2 + (x - hip[0]) * side.shape * scale * height, height * (level - (y - hip[1]) * scale)];
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

function paintSide({ which, side, ...stand }, index, { isOver, isPicture }) {
    const [repetition, surface] = [chosen(which), surfaceFor(index, side, stand, isOver)];
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
        const keypoints = bodyOf(side, repetition, at);
        // One each, so that neither gets a number; colours as in the curves below.
        if (keypoints) drawBodies(surface, [{ keypoints, id: index }]);
        const words = t("review.compare.option", { place: repetition.place, at: dateOf(side.session, "short") });
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
    const both = ["a", "b"].filter(chosen).map((which) => ({ which, side: sideOf(which), ...standOf(sideOf(which), chosen(which)) }));
    const scales = scalesOf(both, roomOf(isOver) / height);
    for (const isPicture of [true, false]) both.forEach((one, at) => paintSide({ ...one, scale: scales[at] }, at, { isOver, isPicture }));
    canvas.dataset.phase = phase.toFixed(3);
    for (const line of element("compare-curve").querySelectorAll(".cursor")) {
        for (const end of ["x1", "x2"]) line.setAttribute(end, phaseRoom().x(phase));
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
    return Array.from({ length: steps + 1 }, (_, at) => valueAt(side.times, side.series[side.main ?? name], timeAt(repetition, at / steps)));
}

const phaseRoom = (ends) => area({ width: wide, height: 190, from: 0, to: 1, ...ends });

function showCurves() {
    const name = state.main;
    if (!name) return;
    const curves = [curveOf("a", name), curveOf("b", name)];
    const [low, high] = spanOf(curves);
    const room = phaseRoom({ low, high });
    const lines = curves.map((values, index) => draw("path", { class: `curve-line compare-line ${index === 0 ? "one" : "two"}`,
        d: pathOf(Array.from(values, (_, at) => at / steps), values, room) }));
    const ticks = [["start", 0, "start"], ["turn", 0.5, "middle"], ["end", 1, "end"]].map(([word, at, anchor]) => [at, t(`review.compare.${word}`), anchor]);
    element("compare-curve").replaceChildren(picture(room, t("review.compare.told", { joint: jointName(name) }),
        [...axes(room, ticks, angle), ...lines, rule(0, room.top, 0, room.floor, "cursor")]));
    paint();
    const both = [chosen("a"), chosen("b")];
    const row = (name) => make("tr", {}, make("th", { scope: "row" }, factName(name)),
        ...both.map((one) => make("td", {}, written(name, one))));
    element("compare-figures").replaceChildren(...(both.every(Boolean) ? ["range", "took", "peak"].map(row) : []));
}

/** Shows the two that are chosen. */
function showChosen() {
    showCurves();
    readPictures();
}

function offer(which, selected) {
    const { repetitions } = sideOf(which);
    fill(element(`compare-${which}`), repetitions.map((one, at) => [at, t("review.compare.option", { place: at + 1, at: moment(one.start) })]),
        Math.min(selected, repetitions.length - 1));
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
    const fitting = all.filter((one) => one.id !== state.session.id && one.hasPoses && one.count > 0 && isSet(one));
    const isSame = ({ exercise }) => (exercise === state.session.exercise ? 0 : 1);
    fill(element("compare-session"), [["", t("review.compare.this")], ...fitting.toSorted((one, two) => isSame(one) - isSame(two)).slice(0, 100)
        .map((session) => [session.id, [titleOf(session), session.details?.person, session.details?.load && loadWords(session.details.load), dateOf(session, "short")].filter(Boolean).join(", ")])], "");
    element("compare-session").disabled = fitting.length === 0;
    other = null;
    refresh();
}

async function takeOther(id) {
    other = null;
    say(element("compare-message"), id ? t("review.loading") : "");
    try {
        other = id ? await readMeasured(await askSession(id), state.main) : null;
        say(element("compare-message"), "");
    } catch {
        say(element("compare-message"), t("review.noPosesRead"));
        element("compare-session").value = "";
    }
    offer("b", other ? 0 : 1);
    showChosen();
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

export function prepareCompare() {
    new ResizeObserver(() => sharpen(canvas, canvas) && paint()).observe(canvas);
    new ResizeObserver(([{ contentRect }]) => {
        if (contentRect.width === 0 || Math.abs(contentRect.width - wide) <= 1) return;
        wide = contentRect.width;
        showCurves();
    }).observe(element("compare-curve"));
    on("repetitions poses", refresh);
    on("privacy", readPictures);
    for (const id of ["compare-a", "compare-b"]) element(id).addEventListener("change", showChosen);
    onClick({ "compare-play": toggle, "compare-save": () => saving(() => savePicture(canvas, "comparison"), "compare-message"), "compare-gif": () => {
        stopComparing();
        saving(() => saveGif(loopPictures(), canvas, "comparison"), "compare-message");
    } });
    element("compare-session").addEventListener("change", ({ target }) => takeOther(target.value));
    element("compare-over").addEventListener("change", paint);
    element("compare-phase").addEventListener("input", ({ target }) => {
        phase = Number(target.value);
        paint();
    });
}
