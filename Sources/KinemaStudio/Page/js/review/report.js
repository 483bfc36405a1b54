// One page to print, and a picture to share.
import { element, make, say } from "../dom.js";
import { decimal, t } from "../i18n.js";
import { faultWords, sourceWords } from "../words.js";
import { frameAt, limbs, sure } from "./angles.js";
import { paintCard } from "./card.js";
import { wholeCurve } from "./curve.js";
import { measuredWords } from "./drawing.js";
import { extrasOf } from "./extras.js";
import { showMoment } from "./film.js";
import { adviceName, angle, angleName, dateOf, factName, moment, percent, seconds, tempoWords, titleOf } from "./names.js";
import { numbersOf, speedLoss, summary, trend } from "./numbers.js";
import { tableOf } from "./plot.js";
import { saveNote } from "./requests.js";
import { pictureOf, savePicture } from "./save.js";
import { bodyAt, jointAngle } from "./shapes.js";
import { duration, hasRepetitions, on, state } from "./state.js";

const most = 24; // rows of the table at most; fewer where they do not fit on a page of A4 with all the rest
const least = 4;
const chart = { width: 700, height: 110 };

/** Count, and what it was corrected from. */
export function countWords() {
    const { session, draft } = state;
    const corrected = (draft ?? session.corrections)?.length ?? null;
    return { number: corrected ?? session.count,
        note: corrected === null ? "" : t("review.correct.corrected", { counted: session.count, corrected }) };
}

/** The repetition without faults that went farthest, and the one with most that went least far; null with fewer than two measured. */
function bestAndWorst() {
    const reach = ({ depth, measured }) => depth ?? measured.range ?? 0;
    const order = state.repetitions.filter(({ measured }) => measured.turn !== null)
        .toSorted((a, b) => (a.faults?.length ?? 0) - (b.faults?.length ?? 0) || reach(b) - reach(a));
    return order.length < 2 ? null : { best: order[0], worst: order.at(-1) };
}

/** The pictures of the best and the worst at their turn, with the measured angle. */
let pictures = [];

/** The part of a picture in which the person is, of the shape of a postcard. */
function closeUp(picture) {
    const { width, height } = picture;
    const points = Object.values(bodyAt(state, frameAt(state.times, state.time)) ?? {}).filter(([, , share]) => share >= sure);
    if (points.length === 0) return picture;
    const [[left, right], [low, high]] = [0, 1].map((axis) => points.map((point) => point[axis])).map((all) => [Math.min(...all), Math.max(...all)]);
    const tall = Math.min(height, 1.35 * Math.max((high - low) * height, (right - left) * width / 1.25));
    const wide = Math.min(width, 1.25 * tall);
    const from = (middle, size, all) => Math.min(Math.max(middle - size / 2, 0), all - size);
    const part = make("canvas", { width: 640, height: Math.round((640 * tall) / wide) });
    part.getContext("2d").drawImage(picture, from(((left + right) / 2) * width, wide, width), from((1 - (low + high) / 2) * height, tall, height),
        wide, tall, 0, 0, part.width, part.height);
    return part;
}

async function takePictures() {
    const [found, before, { session, privacy }] = [bestAndWorst(), state.time, state];
    pictures = [];
    if (found && state.frames.length > 0) {
        const added = state.main in limbs ? [jointAngle(state.main)] : [];
        const taken = [];
        for (const [name, one] of Object.entries(found)) taken.push({ name, one, picture: closeUp(await pictureOf(one.measured.turn, 1280, added)) });
        await showMoment(before);
        if (state.session.id !== session.id || state.privacy !== privacy) return;
        pictures = taken;
    }
    render();
}

const turns = () => pictures.map(({ name, one, picture }) => make("figure", {}, picture,
    make("figcaption", {}, make("b", {}, t(`review.report.${name}`, { place: one.place })), ` ${[angle(one.measured.range), seconds(one.end - one.start),
        ...(one.faults ?? []).map(faultWords)].join(" · ")}`)));

/** Earlier sets of the same name or exercise, of the same person, the last eight; this one is the last of them. */
function setsSoFar() {
    const { session, listed } = state;
    const nameOf = ({ details, exercise }) => details?.name ?? exercise;
    if (!nameOf(session)) return [];
    const isSame = (one) => one.id !== session.id && one.date < session.date && nameOf(one) === nameOf(session)
        && (one.details?.person ?? "") === (session.details?.person ?? "");
    return [...listed.filter(isSame).toSorted((a, b) => (a.date < b.date ? -1 : 1)).slice(-7), session];
}

function progress() {
    const [sets, { target }, { number }] = [setsSoFar(), state.session.plan ?? {}, countWords()];
    const parts = [];
    if (target > 0) parts.push(make("p", {}, make("b", {}, t(number >= target ? "review.report.goalReached" : "review.report.goalMissed", { number, target }))));
    if (sets.length > 1) {
        const counts = summary(sets.map((one) => (one === state.session ? number : one.correctedCount ?? one.count)));
        const words = t("review.report.sets", { n: sets.length, date: dateOf(sets[0], "short").split(",")[0] });
        parts.push(make("figure", {}, trend({ ...counts, what: words, write: (value) => decimal(value, 0) }, sets.length),
            make("figcaption", {}, `${words}: ${counts.points.map(([, value]) => value).join(", ")}`)));
    } else parts.push(make("p", { className: "sheet-hint" }, t(state.session.details?.name || state.session.exercise ? "review.report.firstSet" : "review.report.noName")));
    return make("div", { className: "sheet-progress" }, ...parts);
}

/** What could not be judged. */
function gaps() {
    const all = state.repetitions;
    const words = [];
    const unseen = all.filter(({ isUnseen }) => isUnseen).length;
    const unsure = all.filter((one) => !one.isUnseen && one.measured.range === null).length;
    if (!state.series) words.push(t("review.report.plain"));
    else {
        if (unseen > 0) words.push(t("review.report.unseen", { n: unseen }));
        if (unsure > 0) words.push(t("review.report.unsure", { n: unsure }));
        const blind = state.series[state.main].filter(Number.isNaN).length / state.times.length;
        if (blind >= 0.005) words.push(t("review.report.blind", { joint: angleName(state.main), share: percent(blind) }));
        words.push(t("review.report.honest"));
    }
    return make("p", { className: "sheet-gaps" }, make("b", {}, `${t("review.report.gaps")}: `), words.join(" "));
}

function curve() {
    const values = state.main ? state.series[state.main].filter(Number.isFinite) : [];
    return make("figure", { className: "sheet-curve" }, wholeCurve(chart.width, chart.height), make("figcaption", {}, values.length > 0
        ? t("review.report.curve", { joint: angleName(state.main), low: angle(Math.min(...values)), high: angle(Math.max(...values)), seconds: seconds(duration()) })
        : t("review.report.bare", { seconds: seconds(duration()) })));
}

/** Who did it with what, as far as that was said. */
function detailWords({ details = {} }) {
    const { person, load, effort, pain } = details;
    const plain = (value) => decimal(value, value % 1 ? 1 : 0);
    const weight = load && (load.unit === "band" ? t("review.report.band", { value: plain(load.value) }) : `${plain(load.value)} ${load.unit}`);
    return [person, weight, effort && t("review.report.effort", { effort: plain(effort) }),
        Number.isFinite(pain) && t("review.report.pain", { pain })].filter(Boolean).join(" · ");
}

function figures() {
    const wanted = ["range", "depth", "took", "symmetry", "peak"];
    const list = numbersOf(state.repetitions).filter(({ name }) => wanted.includes(name))
        .map(({ name, write, mean, least, most: top }) => [factName(name, "numbers"), write(mean), write(least) === write(top) ? ""
            : t("review.numbers.between", { least: write(least), most: write(top) })]);
    const loss = speedLoss(state.repetitions);
    if (loss !== null) list.push([t("review.numbers.loss"), `${decimal(100 * loss, 0)} %`, t("review.numbers.lossMeans")]);
    return make("dl", { className: "sheet-figures" }, ...[...list, ...measuredWords()].map(([name, value, note]) =>
        make("div", {}, make("dt", {}, name), make("dd", {}, make("b", {}, value), make("small", {}, note)))));
}

function repetitionTable(most) {
    const all = state.repetitions;
    if (all.length === 0) return null;
    const shown = all.length > most ? [...all.slice(0, most / 2), ...all.slice(-most / 2)] : all;
    const heads = ["number", "at", "took", "range", "tempo", "peak", "symmetry", "change"].map((name) => factName(name, "columns"));
    const rows = shown.map((one) => [String(one.place), moment(one.start), seconds(one.end - one.start),
        angle(one.measured.range), tempoWords(one.measured.parts), one.measured.peak === null ? "–" : `${angle(one.measured.peak)}/s`,
        percent(one.measured.symmetry), (one.faults ?? []).map(faultWords).join(", ") || "–"]);
    const note = all.length > most ? make("p", { className: "sheet-short" },
        t("review.report.short", { half: most / 2, all: all.length, left: all.length - most })) : null;
    return make("div", {}, tableOf(t("review.tabs.repetitions"), heads, rows), note);
}

/** Each fault with how often it was found and what to do about it. */
function faultList() {
    const seen = new Map();
    for (const fault of state.repetitions.flatMap(({ faults }) => faults ?? [])) {
        const { n = 0 } = seen.get(fault.code) ?? {};
        seen.set(fault.code, { fault, n: n + 1 });
    }
    if (seen.size === 0) return null;
    return make("ul", { className: "sheet-faults" }, ...[...seen.values()].toSorted((a, b) => b.n - a.n).slice(0, 6).map(({ fault, n }) =>
        make("li", {}, make("b", {}, `${n} × ${faultWords(fault)}`), adviceName(fault) ? ` – ${adviceName(fault)}` : "")));
}

/** Fills the sheet, with as many rows of the table as it has room for. */
function render() {
    const sheet = element("sheet");
    for (let rows = most; rows >= least; rows -= 2) {
        fill(rows);
        if (sheet.scrollHeight <= sheet.clientHeight) break;
    }
}

function fill(rows) {
    const { session } = state;
    if (!session) return;
    const { number, note } = countWords();
    const isCount = hasRepetitions();
    element("sheet").replaceChildren(...[
        make("header", {}, make("div", {}, make("h2", {}, titleOf(session)),
            make("p", {}, [detailWords(session), dateOf(session), moment(session.duration), sourceWords(session.source)].filter(Boolean).join(" · "))),
        isCount ? make("p", { className: "sheet-count" }, make("b", {}, String(number)), ` ${t("review.word", { n: number })}`,
            note ? make("small", {}, note) : null) : null),
        ...(isCount ? [make("div", { className: "sheet-turns" }, ...turns(), progress()), curve(), figures(), faultList(), repetitionTable(rows)] : extrasOf(session, rows)),
        session.note ? make("p", { className: "sheet-note" }, make("b", {}, `${t("review.note.title")}: `), session.note) : null,
        isCount ? gaps() : null,
        make("footer", {}, "Kinema"),
    ].filter(Boolean));
}

async function keepNote() {
    try {
        state.session = await saveNote(state.session.id, element("note").value) ?? state.session;
        say(element("note-message"), t("review.note.saved"));
        render();
    } catch (error) {
        say(element("note-message"), error.message);
    }
}

/** Fills in the session's note. */
export function openReport(session) {
    pictures = [];
    element("note").value = session.note ?? "";
    say(element("note-message"), "");
    render();
}

/** Wires the controls. */
export function prepareReport() {
    on("repetitions poses session listed", () => {
        render();
        if (state.session) paintCard(element("card"), countWords());
    });
    on("privacy", () => {
        // What faces were seen in goes at once.
        pictures = [];
        if (element("panel-report").hidden) render();
        else takePictures();
    });
    addEventListener("beforeprint", render);
    element("print").addEventListener("click", async () => {
        await takePictures();
        print();
    });
    element("card-keep").addEventListener("click", () => {
        paintCard(element("card"), countWords());
        savePicture(element("card"), "card");
    });
    element("note-form").addEventListener("submit", (event) => {
        event.preventDefault();
        keepNote();
    });
    return takePictures;
}
