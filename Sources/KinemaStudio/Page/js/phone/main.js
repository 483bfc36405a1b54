// The phone's page: pairs, sees that the person is in view, begins a set by itself, and shows its count to be read from afar.
import { announce, announceCue } from "../announce.js";
import { exercises, keepVideo, pair, phone, session as askSession, status } from "../api.js";
import { keepAwake } from "../awake.js";
import { cameras, isAllowedHere } from "../camera.js";
import { element, fill, onClick, onSubmit, say, sharpen } from "../dom.js";
import { drawBodies } from "../figures.js";
import { decimal, entry, t, translate } from "../i18n.js";
import { Tally } from "../modes/readout.js";
import { hideNotice, showHint, showNotice } from "../notices.js";
import { Recorder } from "../recorder.js";
import { change, keepHere, keptHere, settings } from "../settings.js";
import { sayNow, tick } from "../speech.js";
import { adviceFor, cameraProblem, clock, counted, exerciseWords, problemWords } from "../words.js";
import { PhoneSession } from "./session.js";
import { Stillness } from "./stillness.js";

const root = element("phone");
const video = element("camera");
const overlay = element("overlay");
const tally = new Tally(element("count"));
const stillness = new Stillness();
const [countdown, patience] = [10, 60]; // seconds to walk into view by the clock, and that a set waits for its network
const lasting = { skeleton: 700, cue: 2500, line: 6000 }; // milliseconds a thing is shown after it was last said
const storage = "kinema-phone";

/** What was chosen on this phone. */
const chosen = { name: "", exercise: "", begin: "still", facing: "user", film: false, voice: "all", figures: false, ...keptHere(storage) };
/** What the studio knows of this phone; in the studio's own browser it is no phone of it. */
let me = { history: true };
let run = null;
let state = { name: "waiting", message: "" };
let drawnAt = 0;
let cueAt = 0;
let lineUntil = 0;
let lostAt = null;
let hiddenAt = null;
let left = 0;
let goesAt = null;
/** The time of the last result, seconds of its session. */
let seen = 0;

const phase = () => root.dataset.phase;

function go(name) {
    root.dataset.phase = name;
    element("count").hidden = name !== "set";
    element("after").hidden = name !== "after";
    element("clock").hidden = true;
    for (const id of ["cue", "hint"]) element(id).hidden = true;
    sayLine("");
    element("voice").setAttribute("aria-pressed", chosen.voice !== "off");
    element("figures").setAttribute("aria-pressed", chosen.figures);
    element("instruments").hidden = !chosen.figures || !["watch", "set"].includes(name);
}

function keep(values) {
    Object.assign(chosen, values);
    keepHere(storage, chosen);
}

/** A name as long as the studio takes it, 40 bytes. */
const short = (name) => (new TextEncoder().encode(name).length > 40 ? short([...name].slice(0, -1).join("")) : name);

/** Says a line over the keys, for a while where that is given. */
function sayLine(text, span = 0) {
    say(element("line"), text);
    lineUntil = text && span ? performance.now() + span : 0;
}

// ---- pairing

const guess = () => navigator.userAgent.match(/iPhone|iPad|Android/)?.[0] ?? t("phone.phone");

async function know() {
    const token = location.hash.match(/^#pair=(\w+)$/)?.[1];
    if (token) {
        history.replaceState(null, "", location.pathname);
        await pair(token, guess());
    }
    if ((await status()).phone) me = await phone();
}

async function prepare() {
    try {
        await know();
        hideNotice();
    } catch (error) {
        if (error.status === 401) return showNotice("unpaired");
        return showNotice("failed", { text: error.message }, prepare);
    }
    const found = await exercises().catch(() => []);
    fill(element("exercise"), [["", t("coach.any")], ["auto", t("coach.recognise")],
        ...found.map(({ name, title }) => [name, exerciseWords(name, title)])], chosen.exercise);
    element("begin").value = chosen.begin;
    element("name").value = chosen.name;
    element("film").checked = chosen.film;
    element("film").closest("label").hidden = !Recorder.isPossible;
    return root.dataset.isReady = true;
}

// ---- a set

const watching = { mode: "poses", people: "prominent", wholeBody: true, keep: false };

function wanted() {
    const who = chosen.name ? { name: chosen.name, details: { person: chosen.name } } : {};
    const what = chosen.exercise ? { mode: "coach", exercise: chosen.exercise } : { mode: "count" };
    return { ...what, people: "prominent", keep: true, keepPoses: true, ...who };
}

async function start() {
    if (run) return;
    keep({ name: short(element("name").value.trim()), exercise: element("exercise").value, begin: element("begin").value,
        film: element("film").checked });
    change("voice", chosen.voice);
    change("tick", true);
    // Browsers speak and keep the screen on after a tap only.
    sayNow(t("phone.saidPlace"));
    keepAwake(true);
    hideNotice();
    if (!isAllowedHere()) return showNotice("insecure");
    const session = run = new PhoneSession(video);
    listen(session);
    go("watch");
    goesAt = null;
    stillness.reset();
    state = { name: "waiting", message: "" };
    sayLine(t("phone.asking"));
    if (chosen.begin === "now") run.run(wanted(), chosen.film);
    else run.run({ ...watching, ...chosen.name && { name: chosen.name } });
    try {
        await session.open(chosen.facing);
    } catch (error) {
        if (session === run) stopAll(cameraProblem(error), error);
        return null;
    }
    element("flip").hidden = (await cameras()).length < 2;
    if (session === run && phase() === "watch") sayLine(t("notices.connecting.title"));
    return null;
}

/** Ends all, with a notice of why. */
function stopAll(name, { message = "" } = {}, text = "") {
    run?.close();
    run = null;
    keepAwake(false);
    clear();
    go("welcome");
    const own = entry(`phone.${name}`);
    showNotice(name, { text: typeof own === "string" ? own : text || (name === "failed" ? message : "") }, start);
}

function listen(session) {
    const on = (name, act) => session.addEventListener(name, ({ detail }) => session === run && act(detail));
    on("started", ({ mode }) => begin(mode));
    on("result", show);
    on("state", ({ state: name, message, detail }) => (state = { name, message, detail }));
    on("problem", ({ code, message, fatal }) => {
        if (code === "busy" && phase() === "watch") return stopAll("full", {}, t("notices.full.text", { n: me.phones?.most ?? 4 }));
        if (fatal) return stopAll("failed", { message: problemWords(code, message) });
        return sayLine(problemWords(code, message), lasting.line);
    });
    on("lost", () => {
        if (lostAt !== null) return;
        lostAt = performance.now();
        if (phase() === "set") sayNow(t("phone.saidLost"));
    });
    on("resumed", () => {
        if (phase() === "set") sayNow(t("phone.saidBack"));
        lostAt = null;
    });
    on("left", (milliseconds) => (left += milliseconds));
    on("gone", () => finish(null));
    on("ended", finish);
    on("refused", () => stopAll("unpaired"));
    on("unplugged", () => stopAll("ended"));
    on("camera", () => video.classList.toggle("mirrored", session.looksAtUser));
}

function begin(mode) {
    lostAt = null;
    if (mode === "poses") {
        sayLine("");
        if (chosen.begin === "clock") goesAt = performance.now() + 1000 * countdown;
        return;
    }
    [left, cueAt] = [0, 0];
    go("set");
    tally.reset();
    tick();
    sayNow(t("phone.saidGo"));
}

function beginSet() {
    if (phase() !== "watch" || !run) return;
    root.dataset.phase = "beginning";
    goesAt = null;
    element("clock").hidden = true;
    showHint("live");
    run.run(wanted(), chosen.film);
}

function show({ message, taken }) {
    draw(message);
    seen = message.time;
    if (taken !== null) run.meter.drawn(taken, performance.now());
    if (phase() === "watch") watch(message);
    if (phase() !== "set" && phase() !== "ending") return;
    const { count, coach } = message;
    if (count) showNumber(count.count, 0);
    if (!coach) return;
    showNumber(coach.count ?? 0, coach.held ?? 0);
    const [cue] = coach.cues ?? [];
    if (!cue) return;
    const words = adviceFor(cue);
    if (element("cue").hidden || element("cue").textContent !== words) announceCue(words);
    say(element("cue"), words);
    element("cue").hidden = false;
    cueAt = performance.now();
}

function showNumber(count, held) {
    if (count === 0 && held >= 1) tally.show(Math.floor(held), clock(Math.floor(held)));
    else tally.count(count);
}

/** Before a set: whoever stands still in view begins it. */
function watch({ people = [], time }) {
    const [x, size] = [2, ({ box }) => (box ? box[x] * box[x + 1] : 0)];
    const person = people.toSorted((a, b) => size(b) - size(a))[0] ?? null;
    const wait = stillness.take(state.name === "live" ? person : null, 1000 * time);
    if (chosen.begin !== "still") return;
    showCountdown(wait === null ? null : wait / 1000);
    if (wait === 0) beginSet();
}

function showCountdown(seconds) {
    const whole = seconds === null ? null : Math.max(1, Math.ceil(seconds));
    element("clock").hidden = whole === null;
    if (whole === null || element("clock").textContent === String(whole)) return;
    say(element("clock"), whole);
    element("clock").style.setProperty("--letters", String(whole).length);
    if (whole <= 3) sayNow(String(whole));
}

function draw({ width, height, people = [] }) {
    const wide = { clientWidth: root.clientWidth, clientHeight: (root.clientWidth * height) / width };
    if (!sharpen(overlay, wide, 1080)) return;
    const mirrored = run.looksAtUser;
    const place = (x, y) => [(mirrored ? 1 - x : x) * overlay.width, (1 - y) * overlay.height];
    drawBodies({ context: overlay.getContext("2d"), width: overlay.width, height: overlay.height,
        short: Math.min(overlay.width, overlay.height), place }, people);
    drawnAt = performance.now();
}

function clear() {
    overlay.getContext("2d").clearRect(0, 0, overlay.width, overlay.height);
    drawnAt = 0;
}

/** The set is over: with what the studio says of it, or null where it could not say. */
async function finish(ended) {
    const { id, unsent } = run;
    const shown = tally.total;
    const wasSet = ["set", "ending"].includes(phase());
    const filmed = run.takeFilm();
    run.close();
    run = null;
    keepAwake(false);
    clear();
    lostAt = null;
    if (!wasSet) return go("welcome");
    go("after");
    const summary = ended?.summary;
    const count = summary?.count ?? shown;
    const name = summary?.exercise ?? (chosen.exercise && chosen.exercise !== "auto" ? chosen.exercise : null);
    say(element("after-count"), count);
    say(element("after-text"), name ? t("after.of", { what: counted(count, "repetition"), exercise: exerciseWords(name) }) : counted(count, "repetition"));
    const kept = ended ? ended.kept : await askSession(id).then(() => true, () => null);
    const gap = left + unsent;
    const told = [ended === null && t("phone.gone"), kept === null ? "" : t(kept ? "after.kept" : "after.notKept"),
        gap >= 1000 && t("phone.left", { n: Math.round(gap / 1000) })].filter(Boolean).join(" ");
    say(element("after-note"), told);
    if (kept) keepFilm(filmed, ended?.session ?? id, told);
    element("review").hidden = !kept;
    element("review").href = `review.html#${ended?.session ?? id}`;
    sayNow(element("after-text").textContent);
    announce(`${element("after-text").textContent}. ${element("after-note").textContent}`);
    return element("again").focus({ preventScroll: true });
}

/** Sends the film of a set after it, and says what became of it. */
async function keepFilm(filmed, session, told) {
    const film = await filmed;
    if (film === null) return;
    const tell = (words) => phase() === "after" && say(element("after-note"), `${told} ${words}`);
    tell(film ? t("phone.filmSent") : t("phone.filmCut"));
    if (!film) return;
    try {
        await keepVideo(session, film);
        tell(t("phone.filmKept"));
    } catch (error) {
        tell(error.message);
    }
}

function stop() {
    if (!run) return;
    if (phase() === "set" || phase() === "ending") {
        root.dataset.phase = "ending";
        run.stop();
    } else {
        finish(null);
    }
}

// ---- what passes by itself

function update() {
    const now = performance.now();
    if (drawnAt && now - drawnAt > lasting.skeleton) clear();
    if (cueAt && now - cueAt > lasting.cue) element("cue").hidden = true;
    if (lineUntil && now > lineUntil) sayLine("");
    if (!run) return;
    const inSet = ["set", "ending"].includes(phase());
    if (lostAt !== null) {
        const gone = (now - lostAt) / 1000;
        sayLine(t(inSet ? "phone.lost" : "phone.lostBefore", { n: Math.round(gone) }));
        if (inSet && gone > patience) finish(null);
    } else if (inSet && run.waiting > 2) {
        sayLine(t("phone.catching", { n: Math.ceil(run.unsent / 1000) }), 1000);
    } else if (inSet && !lineUntil) {
        sayLine(phase() === "ending" ? t("phone.ending") : "");
    }
    if (phase() === "watch" || phase() === "set") showState();
    if (phase() === "watch" && goesAt !== null) {
        showCountdown((goesAt - now) / 1000);
        if (now >= goesAt) beginSet();
    }
    measure(now);
}

function showState() {
    const words = lostAt !== null ? "" : entry(`hints.${[state.name, state.detail].filter(Boolean).join("-")}`) ?? state.message;
    const isWaiting = phase() === "watch" && state.name === "live" && chosen.begin === "still" && element("clock").hidden;
    showHint(state.name, isWaiting ? t("phone.standStill") : words);
    element("hint").hidden = !element("hint").textContent;
}

function measure(now) {
    const { capture, analysis, median, p95, arrived, analysed, dropped } = run.meter.reading(now);
    const { width, height, bytes, way, waiting, frames } = run.sending;
    root.dataset.reading = JSON.stringify({ capture, analysis, median, p95, arrived, analysed, dropped, width, height, bytes,
        way, waiting, frames, time: seen, session: run.id, isLost: lostAt !== null });
    const whole = (value) => (value === null ? "–" : decimal(value));
    if (chosen.figures) say(element("instruments"), t("phone.instruments", { capture: whole(capture), analysis: whole(analysis),
        median: whole(median), p95: whole(p95), size: `${width}x${height}`, kilobytes: decimal(bytes / 1000), dropped: dropped ?? 0,
        how: t(`phone.ways.${way}`) }));
}

function changeVisibility() {
    if (document.hidden) {
        hiddenAt = performance.now();
        return;
    }
    const away = hiddenAt === null ? 0 : Math.round((performance.now() - hiddenAt) / 1000);
    hiddenAt = null;
    if (!run) return;
    run.wake();
    if (phase() !== "set" || away < 1) return;
    const words = t("phone.away", { n: away });
    sayLine(words, lasting.line);
    announce(words);
    sayNow(words);
}

translate();
go("welcome");
onSubmit("ready", start);
onClick({
    stop, again: start, change: () => go("welcome"),
    flip: async () => {
        element("flip").disabled = true;
        await run?.flip();
        if (run) keep({ facing: run.looksAtUser ? "user" : "environment" });
        element("flip").disabled = false;
    },
    voice: () => {
        keep({ voice: chosen.voice === "off" ? "all" : "off" });
        change("voice", chosen.voice);
        element("voice").setAttribute("aria-pressed", chosen.voice !== "off");
        if (settings.voice === "off" && "speechSynthesis" in window) speechSynthesis.cancel();
    },
    figures: () => {
        keep({ figures: !chosen.figures });
        element("figures").setAttribute("aria-pressed", chosen.figures);
        element("instruments").hidden = !chosen.figures;
    },
});
addEventListener("visibilitychange", changeVisibility);
addEventListener("beforeunload", (event) => phase() === "set" && tally.total > 0 && event.preventDefault());
setInterval(update, 250);
prepare();
