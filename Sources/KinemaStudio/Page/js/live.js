// What runs on the page: the mode, the picture before Start, a run with its results, and what comes of it.
import { announce } from "./announce.js";
import { hideAfter, showAfter } from "./after.js";
import { keepAwake } from "./awake.js";
import { isPermitted, otherCamera } from "./camera.js";
import { deleteSession } from "./api.js";
import { element, isSure, say } from "./dom.js";
import { isMeasuring, keepMeasured, measureLive, paintMeasured } from "./goniometer.js";
import { playFigure } from "./guide.js";
import { clearMeter, showMeter } from "./hud.js";
import { entry, t } from "./i18n.js";
import { Meter } from "./meter.js";
import { Recorder } from "./recorder.js";
import { showUploads } from "./uploads.js";
import { modes } from "./modes/all.js";
import { hideNotice, isNoticeShown, showHint, showNotice } from "./notices.js";
import { Run } from "./run.js";
import { change, settings } from "./settings.js";
import { SpeedWatch } from "./slow.js";
import { chosenSource, complain, fillSources } from "./sources.js";
import { Stage } from "./stage.js";
import { Strip } from "./strip.js";
import { Training } from "./training.js";
import { counted, exerciseWords } from "./words.js";

const studio = element("studio");
const video = element("camera");
const stage = new Stage();
const strip = new Strip();
const training = new Training();
const speed = new SpeedWatch();
export const tools = { strip, send: (message) => run?.send(message), stop: () => run?.stop() };
/** Notices of something under way; they go when a run is over. */
const passing = ["asking", "connecting", "lost", "queued", "uploading", "analysing"];
let mode = settings.mode in modes ? settings.mode : "count";
let run = null;
/** Whether the run only shows the camera's picture with its framing, before Start. */
let isPreview = false;
/** The brightness below which a picture is too dark to see people well. */
const tooDark = 0.16;
let isDark = false;
let chosen = null;
/** The choice that a run began with. */
let source = "";
/** What the studio complained of last in this run. */
let problem = "";
let state = { name: "live", message: "" };
/** The set whose session runs or was replaced last. */
let setRunning = 1;

// ---- modes

export function showMode() {
    studio.dataset.mode = mode;
    for (const node of document.querySelectorAll("[data-readout]")) node.hidden = node.dataset.readout !== mode;
    checkMode();
    const repeats = mode === "count" || mode === "coach";
    element("plan").hidden = !repeats;
    say(element("welcome-title"), t(`welcomes.${mode}.title`));
    say(element("welcome-text"), t(`welcomes.${mode}.text`));
    resetMode();
    showStart();
    if (isPreview ? !previews.includes(mode) : !run) preview();
}

/** What is shown before the first set: an exercise that suits the mode. */
const suiting = { poses: "lateral_raise", count: "jumping_jack", coach: "squat", teach: "lunge", classify: "burpee" };

const showWelcome = () => playFigure(element("welcome-figure"), mode === "coach" && settings.exercise !== "auto" ? settings.exercise : suiting[mode] ?? "");

const checkMode = () => element("modes").querySelectorAll("input").forEach((input) => (input.checked = input.value === mode));

function resetMode() {
    modes[mode].reset();
    strip.clear();
}

/** Does what would end a set that is going on; the reader is asked before. */
function whenOver(act, instead) {
    if (!isCounting()) return act();
    const counted = t(settings.keep ? "leave.kept" : "leave.lost", { n: progress().count });
    return isSure(t("leave.title"), counted, t("leave.end"), t("leave.stay")).then((wanted) => (wanted ? act() : instead()));
}

export function chooseMode(name) {
    if (name !== mode) whenOver(() => takeMode(name), checkMode);
}

function takeMode(name) {
    mode = name;
    change("mode", name);
    showMode();
    hideAfter();
    beginTraining();
    if (run && !canStart()) run.stop();
    else run?.change();
}

const canStart = () => mode !== "classify" || element("classifier").options.length > 0;

/** Whether what came of a run is shown. */
const isAfter = () => !element("after").hidden || !element("teach-form").hidden;

export function showStart() {
    const isRunning = run !== null && !isPreview;
    element("start").hidden = isRunning;
    element("stop").hidden = !isRunning;
    element("start").disabled = !canStart();
    element("privacy-line").hidden = !isRunning;
    say(element("privacy-line"), [settings.hideFaces && t("live.facesHidden"), studio.dataset.kept === "false" && t("live.notKept")].filter(Boolean).join(" · "));
    studio.dataset.running = isRunning;
    element("whose").disabled = isRunning;
    element("preview").hidden = !canPreview();
    element("welcome").hidden = run !== null || isNoticeShown() || isAfter();
    if (!element("welcome").hidden) showWelcome();
}

// ---- the picture before Start

/** Those in which the whole body must be seen, and the others. */
const [ofBodies, previews] = [["poses", "count", "coach", "teach"], ["poses", "count", "coach", "teach", "draw", "toss"]];
const canPreview = () => previews.includes(mode) && /^(facing|device):/.test(element("source-kind").value);

/** Shows the camera's picture and whether all of the person is in it, once the reader wanted it and allowed the camera. */
export async function preview(isAllowed = false) {
    if (isPreview) run.stop();
    // Some browsers say "prompt" of a camera that they open.
    if (!settings.preview || run || !canPreview() || document.hidden || !(isAllowed || await isPermitted()) || run) return;
    if (isAfter() || isNoticeShown()) return;
    chosen = chosenSource();
    stage.hidesFaces = settings.hideFaces;
    isPreview = true;
    state = { name: "waiting", message: "" };
    run = new Run(request, video);
    listen(run);
    showStart();
    run.start();
}

function showFraming() {
    const name = isDark ? "dark" : !ofBodies.includes(mode) ? "live" : state.name === "live" ? "framed" : state.name;
    showHint(name, stateWords({ ...state, name }) ?? "");
}

// ---- a run

/** What is asked of the server now. */
function request() {
    const { keep, keepPoses, keepVideo, hideFaces, size } = settings;
    const { source, camera, file } = chosen;
    const isFilmed = keep && keepVideo && !training.isWatching;
    const common = { source: { ...source }, camera, file, size, turn: Number(settings.turn), isFilmed, film: hideFaces ? () => stage.stream : null };
    // Before and between sets only the skeleton is wanted, and none of it is kept.
    if (isPreview || training.isWatching) return { ...common, isFilmed: false, mode: "poses", options: { people: "all", keep: false, wholeBody: true, hands: mode === "draw" } };
    const options = { ...modes[mode].options(), keep, keepPoses, ...training.kept, ...modes[mode].kept };
    studio.dataset.kept = options.keep && !element("history-link").hidden;
    // A video may have been filmed at any time, so it begins no workout.
    const { workout } = chosen;
    if (file) Object.assign(options, { overlay: !workout, keepVideo, details: { ...settings.person && { person: settings.person }, ...workout && { workout } } }, hideFaces && { hide: "faces" });
    return { ...common, mode: serverMode(), options };
}

const serverMode = () => modes[mode].server ?? mode;

/** Begins a plan anew where one is wanted; a video is no place for one. */
function beginTraining() {
    if (training.isOn) training.end();
    if (chosen && !chosen.file && run && Training.isWanted(mode)) training.begin();
}

/** Whether repetitions are counted now, which leaving the page would end. */
export const isCounting = () => run !== null && !isPreview && !chosen?.file
    && (run.isFilming || run.isStarted && (progress().count > 0 || progress().held > 0 || training.results.length > 0));

const progress = () => modes[mode].progress?.() ?? { count: 0, held: null };

/** Goes from a set to its rest, from a rest to a set, or to the end. */
function followTraining(hasChanged) {
    if (!hasChanged || !run) return;
    if (training.isDone) return run.stop();
    setRunning = training.set - (training.isWatching ? 1 : 0);
    if (!training.isWatching) resetMode();
    return run.change();
}

export const start = () => begin(chosenSource());

function begin(found) {
    if (run && !isPreview || !found) return null;
    [chosen, source] = [found, element("source-kind").value];
    hideAfter();
    hideNotice();
    clearMeter();
    problem = "";
    speed.reset();
    if (!isPreview) stage.clear();
    stage.hidesFaces = settings.hideFaces;
    resetMode();
    // The camera of the preview goes on.
    const isOpen = isPreview && run.goesOn;
    if (isPreview && !isOpen) run.stop();
    isPreview = false;
    if (!isOpen) {
        run = new Run(request, video);
        listen(run);
    }
    setRunning = 1;
    beginTraining();
    showStart();
    // Where the window is upright the picture may have been scrolled away, for example while filling in a plan.
    element("plan").open = false;
    studio.scrollTop = element("after").parentElement.scrollTop = 0;
    element("stop").focus({ preventScroll: true });
    if (!isOpen) return run.start();
    run.meter = new Meter();
    return run.change();
}

/** Begins anew with the same source: what runs goes on under the new choice, and what is over starts if that is wanted. */
export function startAnew(wanted) {
    if ((!run || isPreview) && !wanted) return;
    hideAfter();
    if (!run || isPreview) return start();
    changePlan();
    showStart();
}

function listen(current) {
    current.addEventListener("filmed", ({ detail }) => countVideo(detail));
    const on = (name, handler) => current.addEventListener(name, ({ detail }) => {
        if (run === current) handler(detail);
    });
    on("notice", ({ name, ...words }) => {
        showNotice(name, words, name === "lost" ? () => current.retry() : start);
        showStart();
    });
    on("started", (told) => hearStarted(current, told));
    on("live", () => {
        if (!stage.isFresh) stage.showLive(video);
    });
    on("state", ({ state: name, message, detail }) => {
        state = { name, message, detail };
        showState();
    });
    on("uploaded", ({ displaced }) => showUploads(displaced));
    on("paused", hearPaused);
    on("flipped", () => {
        stage.mirrored = settings.mirror && current.looksAtUser;
        fillSources();
    });
    on("replaced", (message) => {
        keepMeasured(message.kept ? message.session : null);
        if (message.summary?.mode === serverMode()) training.keep(setRunning, message);
    });
    on("result", (result) => hearResult(current, result));
    on("event", (message) => modes[mode].event?.(message, tools));
    on("problem", ({ text }) => {
        problem = text;
        complain(text);
    });
    // Comes when the run may be over.
    current.addEventListener("unkept", ({ detail }) => complain(detail.text));
    on("resumed", () => {
        modes[mode].carry?.();
        strip.carry();
    });
    on("progress", ({ fraction, framesPerSecond }) => showNotice("analysing", {
        text: chosen.file?.name, fraction,
        note: framesPerSecond ? counted(Math.round(framesPerSecond), "picture") : "",
    }));
    on("ended", (message) => hearEnded(current, message));
    on("over", () => {
        showOffer(null);
        if (chosen?.file && isAfter()) showUploads();
        const wasPreview = isPreview;
        run = null;
        isPreview = false;
        training.end();
        keepAwake(false);
        if (passing.includes(element("notice").dataset.name)) hideNotice();
        showHint("live");
        if (!isAfter() && !isNoticeShown()) stage.clear();
        showStart();
        // Stop has gone from under the focus.
        if ([document.body, element("stop")].includes(document.activeElement)) element("start").focus({ preventScroll: true });
        fillSources();
        if (wasPreview) preview();
    });
}

export const showInstruments = () => (element("hud").hidden = !settings.instruments);

export function showReadout() {
    stage.readout = settings.readout;
    stage.repaint();
}

function hearStarted(current, { isContinued }) {
    hideNotice();
    keepAwake(!isPreview);
    state = { name: isPreview ? "waiting" : "live", message: "" };
    showState();
    stage.mirrored = settings.mirror && current.looksAtUser;
    modes[mode].started?.();
    if (speed.isLight) lighten();
    if (!training.isWatching && !isContinued) strip.clear();
    showStart();
    showFlip();
    fillSources();
    if (!training.isOn && !isPreview) announce(t("page.running"));
}

function hearResult(current, { message, picture, taken }) {
    modes[mode].result(message, tools);
    if (!isOfferingVideo) showOther(message.coach?.other ?? null);
    followTraining(training.take(message, progress(), settings.exercise));
    showState();
    measureLive(message);
    const paint = (surface, result) => {
        modes[mode].paint?.(surface, result, isMeasuring());
        paintMeasured(surface, result);
    };
    stage.show(message, picture, paint, (now) => {
        if (taken !== null) current.meter.drawn(taken, now);
    });
    const hands = message.hands?.length ? `, ${counted(message.hands.length, "hand")}` : "";
    stage.describe(t("page.describe", { people: counted(message.people?.length ?? 0, "person"), hands }));
}

function hearEnded(current, message) {
    keepMeasured(message.kept ? message.session : null);
    if (isPreview) return;
    showMeter({ ...current.meter.reading(performance.now()), arrived: message.arrived ?? current.meter.counted.arrived,
        analysed: message.analysed ?? current.meter.counted.analysed,
        dropped: message.dropped ?? current.meter.counted.dropped }, current.meter.fromCamera);
    const shown = progress().count;
    if (message.summary?.mode === serverMode()) {
        modes[mode].finish?.(message.summary, message.continued === true, message, tools);
        training.finish(message);
    }
    const sets = training.isOn ? { results: training.results, sessions: training.sessions, all: training.sets, isStopped: training.sets !== null && !training.isDone } : null;
    training.end();
    stage.repaint();
    hideNotice();
    if (message.reason === "failed") {
        complain("");
        showNotice("failed", { text: problem || t("source.unexpected") }, start);
    }
    if (message.analysed === 0 || !element("teach-form").hidden) return;
    showAfter({ ...message, shown }, current.upload, sets);
    announce(`${element("after-title").textContent}. ${element("after-text").textContent}`);
}

/** Takes the other camera; the session goes on. */
export async function flip() {
    const other = run && await otherCamera(run.device, run.looksAtUser);
    if (!other) return;
    element("flip").disabled = true;
    await run?.flip(other);
    element("flip").disabled = false;
    element("flip").focus();
}

/** Offers to flip where there is a camera to flip to. */
async function showFlip() {
    element("flip").hidden = !run?.device || await otherCamera(run.device, run.looksAtUser) === null;
}

/** Names an exercise that is done in place of the chosen one, with a button that changes to it. */
function showOther(other) {
    if (other === null) return showOffer(null);
    const words = exerciseWords(other.exercise);
    return showOffer(t("coach.other", { exercise: words, n: other.count }), t("coach.take", { exercise: words }), () => {
        training.change(other.exercise);
        element("exercise").value = other.exercise;
        changeExercise(other.exercise);
    });
}

/** Says something in a line over the picture, with a button for what can be done about it; nothing without words. */
function showOffer(words, name = "", act = null) {
    isOfferingVideo = false;
    element("other").hidden = words === null;
    if (words === null) return;
    say(element("other-words"), words);
    say(element("other-take"), name);
    element("other-take").onclick = act;
}

// ---- a machine that is too slow

let isOfferingVideo = false;

/** Has the page and the camera do less where too few frames are analysed; where that does not help, says so and offers a video. */
function watchSpeed(rate, now) {
    if (run.isFilming || training.isWatching || document.hidden || chosen?.file || !["count", "coach"].includes(mode)) return;
    speed.take(rate, now);
    if (speed.isLight && !stage.isLight) lighten();
    if (isOfferingVideo && !speed.isTooSlow) showOffer(null);
    else if (speed.isTooSlow && !isOfferingVideo && run.device && Recorder.isPossible) {
        showOffer(t("hints.slow", { n: Math.round(rate) }), t("live.film"), () => run.film());
        isOfferingVideo = true;
    }
}

function lighten() {
    stage.isLight = true;
    run.lighten();
}

/** The session has ended, and the camera is recorded. A video that has all of the set takes the session's place. */
function hearPaused({ kept, session, isWhole, summary }) {
    showOffer(null);
    chosen.workout = summary?.details?.workout;
    if (kept && isWhole) deleteSession(session).catch(() => null);
    training.end();
    resetMode();
    showState();
}

/** Counts a video that was recorded here. */
function countVideo(film) {
    const name = `${new Date().toISOString().slice(0, 16).replace(/[T:]/g, "-")}.${film.type.split("/")[1]}`;
    begin({ source: { kind: "upload" }, file: new File([film], name), workout: chosen.workout });
}

export function showState() {
    if (!run) return;
    const isFine = state.name === "live";
    training.hearState(state.name);
    if (isPreview) return showFraming();
    if (run.isFilming) showHint("filming");
    else if (document.hidden) showHint("hidden");
    else if (isFine && !training.isWatching) showHint("live", modes[mode].hint?.() || (speed.isTooSlow && !isOfferingVideo ? t("hints.slow", { n: Math.round(run.meter.reading(performance.now()).analysis) }) : ""));
    else showHint(state.name, stateWords(state));
    return null;
}

/** What a state of the server means, in the reader's language; one of a newer server in its own words. */
const stateWords = ({ name, detail, message }) =>
    entry(`hints.${name}-${detail}`) ?? entry(`hints.${name}`) ?? message;

// ---- what the reader does meanwhile

/** Another source was chosen. */
export function changeSource() {
    element("preview").hidden = !canPreview();
    if (element("source-kind").value === "upload") showUploads();
    if (!run || isPreview) return preview();
    return whenOver(() => run.stop(), () => {
        element("source-kind").value = source;
        fillSources();
    });
}

/** The plan is another. */
export function changePlan() {
    if (!run || isPreview) return;
    beginTraining();
    resetMode();
    run.change();
}

export function changeExercise(name) {
    change("exercise", name);
    resetMode();
    showWelcome();
    if (!isPreview) run?.change();
}

export const changeModel = () => run?.change();

/** Goes on with the next part of a plan. */
export const skip = () => followTraining(training.skip(progress()));

/** The tab was hidden or is seen again. */
export function changeVisibility() {
    showState();
    if (isPreview && document.hidden) run.stop();
    else if (!run) preview();
}

/** What a changed setting does to what runs. */
const effects = {
    preview: () => (isPreview || !run) && preview(),
    instruments: showInstruments,
    handsUp: () => startAnew(false),
    turn: () => run?.device && run.flip({ device: run.device }),
    hideFaces: () => {
        stage.hidesFaces = settings.hideFaces;
        startAnew(false);
    },
    readout: showReadout,
    look: () => stage.repaint(),
    units: () => modes.toss.refresh(),
    mirror: () => (stage.mirrored = settings.mirror && Boolean(run?.looksAtUser)),
};
export const changeSetting = (name) => effects[name]?.();

/** What time alone changes: the measurements, the framing, the plan. */
export function tick() {
    if (!run) return;
    if (isPreview) {
        const { brightness } = stage;
        // Before the first picture there is nothing to say of the light.
        isDark = state.name !== "waiting" && brightness !== null && brightness < tooDark;
        showFraming();
        return;
    }
    showMeter(run.meter.reading(performance.now()), run.meter.fromCamera);
    watchSpeed(run.meter.reading(performance.now()).analysis, performance.now());
    followTraining(training.take(null, progress(), settings.exercise));
}

/** What the studio offers is known. */
export function ready() {
    showStart();
    if (!run) preview();
}

/** Before the first run, and after what may be chosen has changed. */
export function refresh() {
    if (!run) modes[mode].reset();
}
