// The film: the kept poses as skeletons, over the kept video where there is one.
import { videoAddress } from "../api.js";
import { element, onClick, say, sharpen } from "../dom.js";
import { drawBodies, drawHand } from "../figures.js";
import { t } from "../i18n.js";
import { isSet } from "../outline.js";
import { strokeCircle } from "../pen.js";
import { fault } from "../skeleton.js";
import { faultWords, jointName, shownWords } from "../words.js";
import { frameAt } from "./angles.js";
import { coverHeads } from "./cover.js";
import { valueWords } from "./drawing.js";
import { comparison, moment } from "./names.js";
import { paintShapes } from "./shapes.js";
import { duration, on, placeAt, state, tell } from "./state.js";

const canvas = element("film");
const context = canvas.getContext("2d");
const video = element("video");
const sharpest = 1600; // widest canvas in pixels
const faultSpan = 0.4; // seconds before and after the turn in which a fault is lit
const bare = 1 / 30; // a step where there are no frames
let [isPlaying, speed, before, hasVideo] = [false, 1, 0, false];
let presented = null; // time of the video's frame on the screen, where the browser tells it

/** Goes to a time. */
export function seek(time) {
    presented = null;
    const to = Math.min(Math.max(time, 0), duration());
    if (hasVideo && Math.abs(video.currentTime - to) > 0.001) video.currentTime = to;
    show(to);
}

function show(time) {
    state.time = time;
    tell("time");
}

export function play() {
    if (isPlaying) return;
    const [start, end] = state.loop ?? [0, duration()];
    if (state.time >= end - 0.01 || state.time < start) seek(start);
    isPlaying = true;
    before = performance.now();
    if (hasVideo) {
        video.playbackRate = speed;
        video.play().catch(() => {});
    }
    showPlaying();
    requestAnimationFrame(tick);
}

export function pause() {
    if (!isPlaying) return;
    isPlaying = false;
    video.pause();
    if (hasVideo && presented !== null) show(presented);
    showPlaying();
}

export const toggle = () => (isPlaying ? pause() : play());

function tick(now) {
    if (!isPlaying) return;
    const [start, end] = state.loop ?? [0, duration()];
    // A video that plays is the clock, also while it waits for data; one that has ended may be shorter than the poses.
    const isClock = hasVideo && !video.paused && !video.ended;
    const time = isClock ? presented ?? video.currentTime : state.time + ((now - before) / 1000) * speed;
    before = now;
    if (time < end) show(time);
    else if (state.loop) {
        // A part that is looked at closely is played again and again.
        seek(start);
        if (hasVideo && video.paused) video.play().catch(() => {});
    } else {
        show(end);
        pause();
        return;
    }
    requestAnimationFrame(tick);
}

/** Hears of each frame of the video that is shown, so that the skeleton is that of the same moment. */
function watchFrames() {
    video.requestVideoFrameCallback?.((_, { mediaTime }) => {
        if (isPlaying) presented = mediaTime;
        watchFrames();
    });
}

/** One frame on or back. */
export function step(by) {
    pause();
    if (state.times.length === 0) return seek(state.time + by * bare);
    const at = frameAt(state.times, state.time);
    const to = by < 0 && state.time > state.times[at] + 1e-3 ? at : at + by;
    return seek(state.times[Math.min(Math.max(to, 0), state.times.length - 1)]);
}

/** To the beginning of the next repetition, or of this or the one before. */
export function jump(by) {
    const starts = state.repetitions.map(({ start }) => start);
    const to = by > 0 ? starts.find((start) => start > state.time + 0.05)
        : starts.findLast((start) => start < state.time - 0.5);
    if (to !== undefined) seek(to);
    else if (by < 0) seek(0);
}

/** The faults to light at a time: all along for those of no moment, else around the turn or the end. */
export function faultsAt(time) {
    const repetition = state.repetitions[placeAt(time)];
    if (!repetition) return [];
    const { measured, start, end } = repetition;
    const moments = { not_locked_out: end, too_fast: null, swinging: null };
    return (repetition.faults ?? []).filter(({ code }) => {
        const at = code in moments ? moments[code] : measured.turn ?? (start + end) / 2;
        return at === null || Math.abs(time - at) <= faultSpan;
    });
}

const covered = document.createElement("canvas").getContext("2d");

/** The video's picture with heads covered; while it goes to another place, what it showed before. */
function coveredPicture(width, height) {
    if (video.seeking || video.readyState < 2) return covered.canvas;
    Object.assign(covered.canvas, { width, height });
    covered.drawImage(video, 0, 0, width, height);
    coverHeads(covered, state, presented ?? video.currentTime);
    return covered.canvas;
}

/** Draws the film at the moment where it is: the picture as far as the reader lets it be seen, skeletons, drawings. */
export function compose(target, { isSaved = false, added = [] } = {}) {
    const { width, height } = target.canvas;
    if (isSaved) {
        target.fillStyle = "#0b100f";
        target.fillRect(0, 0, width, height);
    } else target.clearRect(0, 0, width, height);
    if (hasVideo && state.privacy === "faces") target.drawImage(coveredPicture(width, height), 0, 0, width, height);
    else if (hasVideo && isSaved && state.privacy === "film") target.drawImage(video, 0, 0, width, height);
    const surface = { context: target, width, height, short: Math.min(width, height), place: (x, y) => [x * width, (1 - y) * height] };
    const at = frameAt(state.times, state.time);
    const isKnown = state.frames.length > 0 && Math.abs(state.times[at] - state.time) <= state.gap;
    if (isKnown && (element("bones").checked || (hasVideo && state.privacy === "skeleton"))) paintBodies(surface, state.frames[at]);
    paintShapes(surface, { ...state, shapes: [...state.shapes, ...added] }, { at: isKnown ? at : -1, write: valueWords });
}

function paintBodies(surface, frame) {
    const joints = faultsAt(state.time).map(({ joint }) => joint).filter(Boolean);
    const shown = frame.people.map((one) => (one.id === state.person ? { ...one, faults: joints } : one));
    drawBodies(surface, shown);
    for (const hand of frame.hands) drawHand(surface, hand);
    const body = shown.find(({ id }) => id === state.person);
    for (const [x, y] of [...new Set(joints)].map((name) => body?.keypoints?.[name]).filter(Boolean)) {
        strokeCircle(surface.context, surface.place(x, y), surface.short * 0.05, fault, surface.short * 0.008);
    }
}

const paint = () => compose(context);

/** Where not all may be seen, the video itself is never shown. */
function showVeil() {
    video.classList.toggle("veiled", state.privacy !== "film");
    paint();
}

/** Waits until a video that was sent to a time shows it. */
export async function settled(one) {
    const end = performance.now() + 4000;
    // A seek to where the video stands already has no event.
    while ((one.seeking || one.readyState < 2) && performance.now() < end) {
        await new Promise((done) => {
            one.addEventListener("seeked", done, { once: true });
            setTimeout(done, 50);
        });
    }
}

/** Shows a moment and waits until its picture is there. */
export async function showMoment(time) {
    pause();
    seek(time);
    if (hasVideo) await settled(video);
    paint();
}

/** The size in which the film's pictures are saved: as filmed, or at most so wide. */
export function pictureSize(most) {
    const wide = Math.min(most, hasVideo && video.videoWidth > 0 ? Math.max(video.videoWidth, 960) : 1280);
    return { width: 2 * Math.round(wide / 2), height: 2 * Math.round(wide / state.shape / 2) };
}

function showTime() {
    const all = duration();
    const scrub = element("scrub");
    scrub.max = all;
    scrub.value = state.time;
    scrub.setAttribute("aria-valuetext", moment(state.time));
    say(element("time"), `${moment(state.time)} / ${moment(all)}`);
    const place = placeAt(state.time);
    element("film-repetition").hidden = place < 0 || !isSet(state.session);
    say(element("film-repetition"), place < 0 ? "" : t("review.film.repetition", { place: place + 1, all: state.repetitions.length }));
    const faults = faultsAt(state.time);
    say(element("film-fault"), faults.map((one) => [one.joint && shownWords(one) === null ? `${jointName(one.joint)}: ` : "", faultWords(one),
        comparison(one) ? ` (${comparison(one)})` : ""].join("")).join(" · "));
    canvas.dataset.time = state.time.toFixed(3);
    canvas.dataset.frame = frameAt(state.times, state.time);
    paint();
}

function showPlaying() {
    const button = element("play");
    button.setAttribute("aria-label", t(isPlaying ? "review.film.pause" : "review.film.play"));
    button.dataset.playing = isPlaying;
}

/** The largest canvas of the picture's shape in its place. */
function fit() {
    element("body").style.setProperty("--shape", state.shape);
    if (sharpen(canvas, element("screen"), sharpest)) paint();
}

/** Shows the session's film; what there is none of is said. */
export function openFilm(session) {
    pause();
    hasVideo = Boolean(session.video);
    video.hidden = !hasVideo;
    showVeil();
    element("bones-choice").hidden = !hasVideo;
    element("bones").checked = true;
    if (hasVideo) video.src = videoAddress(session.id);
    else video.removeAttribute("src");
    element("screen").hidden = !hasVideo && !session.hasPoses;
    element("film-fault").hidden = element("screen").hidden || session.mode !== "coach";
    // A game or a drawing is whole without a skeleton.
    element("no-poses").hidden = session.hasPoses || ["draw", "toss"].includes(session.mode);
    say(element("no-poses"), t("review.film.noPoses", { setting: t("settings.keepPoses") }));
    element("transport").hidden = element("screen").hidden && session.mode !== "classify" && !isSet(session);
    canvas.setAttribute("aria-label", t("review.film.picture"));
    showPlaying();
}

export function prepareFilm() {
    new ResizeObserver(fit).observe(element("screen"));
    watchFrames();
    on("poses", fit);
    on("time repetitions poses", showTime);
    on("drawing", paint);
    on("privacy", showVeil);
    video.addEventListener("seeked", () => state.privacy === "faces" && paint());
    video.addEventListener("error", () => {
        hasVideo = false;
        video.hidden = true;
    });
    video.addEventListener("loadedmetadata", () => {
        // A browser's recording does not report its length until it has been read to its end.
        if (video.duration === Infinity) {
            video.addEventListener("seeked", () => seek(state.time), { once: true });
            video.currentTime = 1e6;
        }
        if (state.frames.length === 0) state.shape = video.videoWidth / video.videoHeight;
        fit();
    });
    onClick({ play: toggle, "step-back": () => step(-1), "step-on": () => step(1), "jump-back": () => jump(-1), "jump-on": () => jump(1) });
    element("bones").addEventListener("change", paint);
    element("speed").addEventListener("change", ({ target }) => {
        speed = Number(target.value);
        video.playbackRate = speed;
    });
    const scrub = element("scrub");
    scrub.addEventListener("input", () => seek(Number(scrub.value)));
    scrub.addEventListener("keydown", (event) => {
        const by = { ArrowLeft: -0.5, ArrowDown: -0.5, ArrowRight: 0.5, ArrowUp: 0.5, PageDown: -5, PageUp: 5 }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        seek(state.time + by);
    });
}
