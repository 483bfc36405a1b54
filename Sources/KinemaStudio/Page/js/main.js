// The page: wires what is chosen, the run, and what is shown.
import { announce } from "./announce.js";
import { ServerError, status as askStatus } from "./api.js";
import { hideAfter, showAfter } from "./after.js";
import { keepAwake } from "./awake.js";
import { element, say } from "./dom.js";
import { clearMeter, showMeter } from "./hud.js";
import { modes } from "./modes/all.js";
import { prepareDrawing } from "./modes/draw.js";
import { prepareToss } from "./modes/toss.js";
import { offer } from "./offers.js";
import { hideNotice, isNoticeShown, showHint, showNotice } from "./notices.js";
import { Run } from "./run.js";
import { change, onChange, prepareSettings, settings } from "./settings.js";
import { chosenSource, complain, fillSources, prepareSources } from "./sources.js";
import { Stage } from "./stage.js";
import { Strip } from "./strip.js";
import { hints, plural, welcomes } from "./words.js";

const studio = element("studio");
const video = element("camera");
const stage = new Stage();
const strip = new Strip();
const tools = { strip, send: (message) => run?.send(message) };
/** Notices of something under way; they go when a run is over. */
const passing = ["asking", "connecting", "lost", "uploading", "analysing"];
let mode = settings.mode in modes ? settings.mode : "count";
let run = null;
let chosen = null;
let status = null;
/** What the studio complained of last in this run. */
let problem = "";
let state = { name: "live", message: "" };

// ---- modes

function showMode() {
    studio.dataset.mode = mode;
    for (const node of document.querySelectorAll("[data-readout]")) node.hidden = node.dataset.readout !== mode;
    for (const input of element("modes").querySelectorAll("input")) input.checked = input.value === mode;
    element("strip").hidden = mode !== "count" && mode !== "coach";
    say(element("welcome-title"), welcomes[mode][0]);
    say(element("welcome-text"), welcomes[mode][1]);
    modes[mode].reset();
    strip.clear();
    showStart();
}

function chooseMode(name) {
    if (name === mode) return;
    mode = name;
    change("mode", name);
    showMode();
    hideAfter();
    if (run && !canStart()) run.stop();
    else run?.change();
}

const canStart = () => mode !== "classify" || (status?.classifiers?.length ?? 0) > 0;

function showStart() {
    element("start").hidden = run !== null;
    element("stop").hidden = run === null;
    element("start").disabled = !canStart();
    studio.dataset.running = run !== null;
    element("welcome").hidden = run !== null || isNoticeShown() || !element("after").hidden;
}

// ---- a run

function plan() {
    const { keep, keepPoses, size } = settings;
    const { source, camera, file } = chosen;
    const options = { ...modes[mode].options(), keep, keepPoses };
    if (file) options.overlay = true;
    return { mode, options, source: { ...source }, camera, file, size };
}

function start() {
    if (run) return;
    chosen = chosenSource();
    if (!chosen) return;
    hideAfter();
    hideNotice();
    clearMeter();
    problem = "";
    stage.clear();
    modes[mode].reset();
    strip.clear();
    run = new Run(plan, video);
    listen(run);
    showStart();
    element("stop").focus();
    run.start();
}

/** Begins anew with the same source: what runs goes on under the new choice, and what is over starts if that is wanted. */
function startAnew(wanted) {
    if (!run && !wanted) return;
    hideAfter();
    if (!run) return start();
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
    on("started", () => hearStarted(current));
    on("live", () => {
        if (!stage.isFresh) stage.showLive(video);
    });
    on("state", ({ state: name, message }) => {
        state = { name, message };
        showState();
    });
    on("result", (result) => hearResult(current, result));
    on("event", (message) => modes[mode].event(message, tools));
    on("problem", ({ text }) => {
        problem = text;
        complain(text);
    });
    on("resumed", () => modes[mode].carry?.());
    on("progress", ({ fraction, framesPerSecond }) => showNotice("analysing", {
        text: chosen.file?.name, fraction,
        note: framesPerSecond ? `${plural(Math.round(framesPerSecond), "picture")} a second` : "",
    }));
    on("ended", (message) => hearEnded(current, message));
    on("over", () => {
        run = null;
        keepAwake(false);
        if (passing.includes(element("notice").dataset.name)) hideNotice();
        showHint("live");
        if (element("after").hidden && !isNoticeShown()) stage.clear();
        showStart();
        // Stop has gone from under the focus.
        if ([document.body, element("stop")].includes(document.activeElement)) element("start").focus();
        fillSources(status);
    });
}

function hearStarted(current) {
    hideNotice();
    keepAwake(true);
    state = { name: "live", message: "" };
    showState();
    stage.mirrored = settings.mirror && current.looksAtUser;
    modes[mode].started?.();
    strip.clear();
    showStart();
    fillSources(status);
    announce("Running");
}

function hearResult(current, { message, picture, taken }) {
    modes[mode].result(message, tools);
    const paint = modes[mode].paint;
    stage.show(message, picture, paint, (now) => {
        if (taken !== null) current.meter.drawn(taken, now);
    });
    const hands = message.hands?.length ? `, ${plural(message.hands.length, "hand")}` : "";
    stage.describe(`Live picture with ${plural(message.people?.length ?? 0, "person", "people")}${hands}`);
}

function hearEnded(current, message) {
    showMeter({ ...current.meter.reading(performance.now()), arrived: message.arrived ?? current.meter.counted.arrived,
        analysed: message.analysed ?? current.meter.counted.analysed,
        dropped: message.dropped ?? current.meter.counted.dropped }, current.meter.fromCamera);
    if (message.summary) modes[mode].finish?.(message.summary);
    stage.repaint();
    hideNotice();
    if (message.reason === "failed") {
        complain("");
        showNotice("failed", { text: problem || "The source ended unexpectedly." }, start);
    }
    if (message.analysed === 0) return;
    showAfter(message, current.upload);
    announce(`${element("after-title").textContent}. ${element("after-text").textContent}`);
}

function showState() {
    if (!run) return;
    const isFine = hints[state.name] === "";
    if (document.hidden) showHint("hidden");
    else showHint(state.name, isFine ? "" : state.message);
}

// ---- what the server offers

async function learn() {
    try {
        status = await askStatus();
        offer(status);
        modes[mode].reset();
    } catch (error) {
        if (error instanceof ServerError && error.code === "token") showNotice("failed", { text: error.message });
    }
    await fillSources(status);
    showStart();
}

// ---- wiring

function prepare() {
    prepareSettings();
    prepareDrawing((message) => tools.send(message));
    prepareToss(() => startAnew(false), () => startAnew(true));
    prepareSources((what) => (what === "devices" ? fillSources(status) : run?.stop()));
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
        run?.change();
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
    addEventListener("visibilitychange", showState);
    onChange((name) => {
        if (name === "theme") strip.recolour();
        if (name === "mirror") stage.mirrored = settings.mirror && Boolean(run?.looksAtUser);
    });
    setInterval(() => {
        if (run) showMeter(run.meter.reading(performance.now()), run.meter.fromCamera);
    }, 500);
}

prepare();
showMode();
learn();
