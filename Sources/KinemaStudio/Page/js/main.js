// The page: wires what is chosen, the run, and what is shown.
import { announce } from "./announce.js";
import { ServerError, status as askStatus } from "./api.js";
import { hideAfter, showAfter } from "./after.js";
import { keepAwake } from "./awake.js";
import { prepareDetails } from "./details.js";
import { isPermitted, otherCamera } from "./camera.js";
import { element, make, say } from "./dom.js";
import { clearMeter, showMeter } from "./hud.js";
import { entry, languages, t, translate } from "./i18n.js";
import { modes } from "./modes/all.js";
import { prepareDrawing } from "./modes/draw.js";
import { prepareTeach, showTaught } from "./modes/teach.js";
import { prepareToss } from "./modes/toss.js";
import { offer } from "./offers.js";
import "./offline.js";
import { Meter } from "./meter.js";
import { hideNotice, isNoticeShown, showHint, showNotice } from "./notices.js";
import { Run } from "./run.js";
import { change, onChange, prepareSettings, reopenSettings, settings } from "./settings.js";
import { chosenSource, complain, fillSources, prepareSources } from "./sources.js";
import { Stage } from "./stage.js";
import { Strip } from "./strip.js";
import { preparePlan, Training } from "./training.js";
import { counted } from "./words.js";

const studio = element("studio");
const video = element("camera");
const stage = new Stage();
const strip = new Strip();
const training = new Training();
const tools = { strip, send: (message) => run?.send(message), stop: () => run?.stop() };
/** Notices of something under way; they go when a run is over. */
const passing = ["asking", "connecting", "lost", "uploading", "analysing"];
let mode = settings.mode in modes ? settings.mode : "count";
let run = null;
/** Whether the run only shows the camera's picture with its framing, before Start. */
let isPreview = false;
/** The brightness below which a picture is too dark to see people well. */
const tooDark = 0.16;
let isDark = false;
let chosen = null;
let status = null;
/** What the studio complained of last in this run. */
let problem = "";
let state = { name: "live", message: "" };
/** The set whose session runs or was replaced last. */
let setRunning = 1;

// ---- modes

function showMode() {
    studio.dataset.mode = mode;
    for (const node of document.querySelectorAll("[data-readout]")) node.hidden = node.dataset.readout !== mode;
    for (const input of element("modes").querySelectorAll("input")) input.checked = input.value === mode;
    const repeats = mode === "count" || mode === "coach";
    element("plan").hidden = !repeats;
    say(element("welcome-title"), t(`welcomes.${mode}.title`));
    say(element("welcome-text"), t(`welcomes.${mode}.text`));
    modes[mode].reset();
    strip.clear();
    showStart();
    if (isPreview ? !previews.includes(mode) : !run) preview();
}

function chooseMode(name) {
    if (name === mode) return;
    mode = name;
    change("mode", name);
    showMode();
    hideAfter();
    beginTraining();
    if (run && !canStart()) run.stop();
    else if (!isPreview) run?.change();
}

const canStart = () => mode !== "classify" || (status?.classifiers?.length ?? 0) > 0;

/** Whether what came of a run is shown. */
const isAfter = () => !element("after").hidden || !element("teach-form").hidden;

function showStart() {
    const isRunning = run !== null && !isPreview;
    element("start").hidden = isRunning;
    element("stop").hidden = !isRunning;
    element("start").disabled = !canStart();
    studio.dataset.running = isRunning;
    element("preview").hidden = !canPreview();
    element("welcome").hidden = run !== null || isNoticeShown() || isAfter();
}

// ---- the picture before Start

const previews = ["poses", "count", "coach", "teach"];
const canPreview = () => previews.includes(mode) && /^(facing|device):/.test(element("source-kind").value);

/** Shows the camera's picture and whether all of the person is in it, once the reader wanted it and allowed the camera. */
async function preview() {
    if (isPreview) run.stop();
    if (!settings.preview || run || !canPreview() || document.hidden || !(await isPermitted()) || run) return;
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
    const name = isDark ? "dark" : state.name === "live" ? "framed" : state.name;
    showHint(name, stateWords({ ...state, name }) ?? "");
}

// ---- a run

/** What is asked of the server now. */
function request() {
    const { keep, keepPoses, keepVideo, hideFaces, size } = settings;
    const turn = Number(settings.turn);
    const { source, camera, file } = chosen;
    const isFilmed = keep && keepVideo && !training.isWatching;
    const common = { source: { ...source }, camera, file, size, turn, isFilmed, film: hideFaces ? () => stage.stream : null };
    // Before and between sets only the skeleton is wanted, and none of it is kept.
    if (isPreview || training.isWatching) return { ...common, isFilmed: false, mode: "poses", options: { people: "all", keep: false, wholeBody: true } };
    const options = { ...modes[mode].options(), keep, keepPoses, ...training.kept, ...modes[mode].kept };
    if (file) Object.assign(options, { overlay: true, keepVideo, details: undefined }, hideFaces && { hide: "faces" });
    return { ...common, mode: serverMode(), options };
}

const serverMode = () => modes[mode].server ?? mode;

/** Begins a plan anew where one is wanted; a video is no place for one. */
function beginTraining() {
    if (training.isOn) training.end();
    if (chosen && !chosen.file && run && Training.isWanted(mode)) training.begin();
}

const progress = () => modes[mode].progress?.() ?? { count: 0, held: null };

/** Goes from a set to its rest, from a rest to a set, or to the end. */
function followTraining(hasChanged) {
    if (!hasChanged || !run) return;
    if (training.isDone) return run.stop();
    setRunning = training.set - (training.isWatching ? 1 : 0);
    if (!training.isWatching) {
        modes[mode].reset();
        strip.clear();
    }
    return run.change();
}

function start() {
    if (run && !isPreview) return;
    chosen = chosenSource();
    if (!chosen) return;
    hideAfter();
    hideNotice();
    clearMeter();
    problem = "";
    if (!isPreview) stage.clear();
    stage.hidesFaces = settings.hideFaces;
    modes[mode].reset();
    strip.clear();
    // The camera of the preview goes on.
    const isOpen = isPreview && run.isStarted;
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
    studio.scrollTop = 0;
    element("stop").focus({ preventScroll: true });
    if (!isOpen) return run.start();
    run.meter = new Meter();
    return run.change();
}

/** Begins anew with the same source: what runs goes on under the new choice, and what is over starts if that is wanted. */
function startAnew(wanted) {
    if ((!run || isPreview) && !wanted) return;
    hideAfter();
    if (!run || isPreview) return start();
    beginTraining();
    modes[mode].reset();
    run.change();
    showStart();
}

function listen(current) {
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
    on("flipped", () => {
        stage.mirrored = settings.mirror && current.looksAtUser;
        fillSources(status);
    });
    on("replaced", (message) => {
        if (message.summary?.mode === serverMode()) training.keep(setRunning, message);
    });
    on("result", (result) => hearResult(current, result));
    on("event", (message) => modes[mode].event(message, tools));
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
        fillSources(status);
        if (wasPreview) preview();
    });
}

const showInstruments = () => (element("hud").hidden = !settings.instruments);

function showReadout() {
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
    if (!training.isWatching && !isContinued) strip.clear();
    showStart();
    showFlip();
    fillSources(status);
    if (!training.isOn && !isPreview) announce(t("page.running"));
}

function hearResult(current, { message, picture, taken }) {
    modes[mode].result(message, tools);
    followTraining(training.take(message, progress(), settings.exercise));
    showState();
    const paint = modes[mode].paint;
    stage.show(message, picture, paint, (now) => {
        if (taken !== null) current.meter.drawn(taken, now);
    });
    const hands = message.hands?.length ? `, ${counted(message.hands.length, "hand")}` : "";
    stage.describe(t("page.describe", { people: counted(message.people?.length ?? 0, "person"), hands }));
}

function hearEnded(current, message) {
    if (isPreview) return;
    showMeter({ ...current.meter.reading(performance.now()), arrived: message.arrived ?? current.meter.counted.arrived,
        analysed: message.analysed ?? current.meter.counted.analysed,
        dropped: message.dropped ?? current.meter.counted.dropped }, current.meter.fromCamera);
    if (message.summary?.mode === serverMode()) {
        modes[mode].finish?.(message.summary, message.continued === true, message);
        training.finish(message);
    }
    const sets = training.isOn ? { results: training.results, sessions: training.sessions } : null;
    training.end();
    stage.repaint();
    hideNotice();
    if (message.reason === "failed") {
        complain("");
        showNotice("failed", { text: problem || t("source.unexpected") }, start);
    }
    if (message.analysed === 0 || !element("teach-form").hidden) return;
    showAfter(message, current.upload, sets);
    announce(`${element("after-title").textContent}. ${element("after-text").textContent}`);
}

/** Takes the other camera; the session goes on. */
async function flip() {
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

function showState() {
    if (!run) return;
    const isFine = state.name === "live";
    training.hearState(state.name);
    if (isPreview) return showFraming();
    if (document.hidden) showHint("hidden");
    else if (isFine && !training.isWatching) showHint("live", modes[mode].hint?.() ?? "");
    else showHint(state.name, stateWords(state));
    return null;
}

/** What a state of the server means, in the reader's language; one of a newer server in its own words. */
const stateWords = ({ name, detail, message }) =>
    entry(`hints.${name}-${detail}`) ?? entry(`hints.${name}`) ?? message;

// ---- what the server offers

/** Chooses the model that a review has just trained, which the address names. */
function tryTrained() {
    const [name, id] = location.hash.slice(1).split("=");
    if (name !== "classify" || !id) return;
    history.replaceState(null, "", location.pathname);
    chooseMode("classify");
    element("classifier").value = decodeURIComponent(id);
}

async function learn() {
    try {
        status = await askStatus();
        offer(status);
        tryTrained();
        showTaught();
        if (!run) modes[mode].reset();
    } catch (error) {
        if (error instanceof ServerError && error.code === "token") showNotice("failed", { text: error.message });
    }
    await fillSources(status);
    showStart();
    if (!run) preview();
}

// ---- wiring

function prepare() {
    translate();
    element("set-language").append(...Object.entries(languages).map(([value, name]) =>
        make("option", { value }, name)));
    prepareSettings();
    preparePlan(() => {
        if (!run || isPreview) return;
        beginTraining();
        modes[mode].reset();
        run.change();
    });
    prepareDetails();
    prepareTeach(learn, (exercise) => {
        chooseMode("coach");
        element("exercise").value = exercise;
        element("exercise").dispatchEvent(new Event("change"));
        start();
    });
    element("preview").addEventListener("click", async () => {
        change("preview", true);
        await navigator.mediaDevices?.getUserMedia?.({ video: true }).then((stream) => stream.getTracks().forEach((track) => track.stop())).catch(() => null);
        preview();
    });
    element("plan-skip").addEventListener("click", () => followTraining(training.skip(progress())));
    element("flip").addEventListener("click", flip);
    prepareDrawing((message) => tools.send(message));
    prepareToss(() => startAnew(false), () => startAnew(true));
    prepareSources((what) => {
        if (what === "devices") return fillSources(status);
        element("preview").hidden = !canPreview();
        return run && !isPreview ? run.stop() : preview();
    });
    element("modes").addEventListener("change", ({ target }) => chooseMode(target.value));
    element("source").addEventListener("submit", (event) => {
        event.preventDefault();
        start();
    });
    element("stop").addEventListener("click", () => run?.stop());
    element("exercise").addEventListener("change", ({ target }) => {
        change("exercise", target.value);
        modes.coach.reset();
        strip.clear();
        if (!isPreview) run?.change();
    });
    element("classifier").addEventListener("change", () => run?.change());
    element("full").addEventListener("click", () => {
        if (document.fullscreenElement) document.exitFullscreen();
        else studio.requestFullscreen?.();
    });
    element("full").hidden = !document.fullscreenEnabled;
    addEventListener("fullscreenchange", () => {
        element("full").setAttribute("aria-pressed", Boolean(document.fullscreenElement));
    });
    new ResizeObserver(([{ target }]) => studio.style.setProperty("--card", `${target.offsetHeight}px`)).observe(element("after"));
    addEventListener("visibilitychange", () => {
        showState();
        if (isPreview && document.hidden) run.stop();
        else if (!run) preview();
    });
    onChange((name) => {
        // Words are put in once; a page begun anew has them all.
        if (name === "language") {
            reopenSettings();
            location.reload();
        }
        if (name === "preview" && (isPreview || !run)) preview();
        if (name === "instruments") showInstruments();
        if (name === "handsUp" && run) startAnew(false);
        if (name === "turn" && run?.device) run.flip({ device: run.device });
        if (name === "hideFaces") {
            stage.hidesFaces = settings.hideFaces;
            if (run) startAnew(false);
        }
        if (name === "readout") showReadout();
        if (name === "units") modes.toss.refresh();
        if (name === "theme") strip.recolour();
        if (name === "mirror") stage.mirrored = settings.mirror && Boolean(run?.looksAtUser);
    });
    setInterval(() => {
        if (!run) return;
        if (isPreview) {
            const { brightness } = stage;
            isDark = brightness !== null && brightness < tooDark;
            return showFraming();
        }
        showMeter(run.meter.reading(performance.now()), run.meter.fromCamera);
        return followTraining(training.take(null, progress(), settings.exercise));
    }, 250);
}

prepare();
showReadout();
showInstruments();
showMode();
learn();
