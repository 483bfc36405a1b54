// One page to print.
import { saveNote } from "../api.js";
import { prepareDetails, showDetails } from "../details.js";
import { attempt, cardsOf, element, make, onSubmit, say } from "../dom.js";
import { decimal, t } from "../i18n.js";
import { boxOf } from "../loops.js";
import { isSet, mean, outlineOf } from "../outline.js";
import { tableOf } from "../plot.js";
import { detailWords, faultWords, jointName, kindOf, kindWords, nameOf, sourceWords, titleOf } from "../words.js";
import { extremes, frameAt, limbs } from "./angles.js";
import { wholeCurve } from "./curve.js";
import { measuredWords } from "./drawing.js";
import { extrasOf } from "./extras.js";
import { showMoment } from "./film.js";
import { adviceName, angle, dateOf, factName, moment, percent, seconds, tempoWords } from "./names.js";
import { measures, numbersOf, summary, trend, written } from "./numbers.js";
import { aboutOf, setsSoFar, shownOf } from "./progress.js";
import { pictureOf } from "./save.js";
import { bodyAt, jointAngle } from "./shapes.js";
import { counts, duration, on, state, tell } from "./state.js";

const most = 24; // rows of the table at most; fewer where they do not fit on a page of A4 with all the rest
const least = 4;
const chart = { width: 700, height: 110 };
/** How much larger than on a full page pictures, curve and lines may be. */
const sizes = [1.8, 1.6, 1.4, 1.2];
let size = 1;

/** The pictures of the best and the worst at their turn, with the measured angle. */
let pictures = [];
/** What was shown of a taught exercise. */
let shown = {};

/** The part of a picture in which the person is, of the shape of a postcard. */
function closeUp(picture) {
    const body = bodyAt(state, frameAt(state.times, state.time));
    if (!body) return picture;
    const { width, height } = picture;
    const { left, low, side } = boxOf([body], state.shape);
    const [wide, high] = [Math.min(1.4 * side * height, width), Math.min(1.12 * side * height, height)];
    const from = (start, size, all) => Math.min(Math.max(start, 0), all - size);
    const part = make("canvas", { width: 640, height: Math.round((640 * high) / wide) });
    part.getContext("2d").drawImage(picture, from((left + side / 2) * height - wide / 2, wide, width), from((1 - low - side / 2) * height - high / 2, high, height),
        wide, high, 0, 0, part.width, part.height);
    return part;
}

async function takePictures() {
    // Where a coach saw the depth, it counts; else the range.
    const isCoached = state.repetitions.some(({ depth }) => Number.isFinite(depth));
    const found = extremes(state.repetitions, ({ depth, measured }) =>
        (measured.turn === null ? null : isCoached ? depth ?? null : measured.range ?? 0));
    const [before, { session, privacy }] = [state.time, state];
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
    const goals = await shownOf(session);
    if (state.session.id !== session.id) return;
    shown = goals;
    render();
}

const turns = () => pictures.map(({ name, one, picture }) => make("figure", {}, picture,
    make("figcaption", {}, make("b", {}, t(`review.report.${name}`, { place: one.place })), ` ${[written("range", one), written("took", one),
        ...(one.faults ?? []).map(faultWords)].join(" · ")}`)));

/** How a value went over the sets; nothing where fewer than two are known. */
function overSets(words, values, write) {
    const found = summary(values);
    if ((found?.points.length ?? 0) < 2) return [];
    return [make("figure", {}, trend({ ...found, what: words, write }, values.length),
        make("figcaption", {}, `${words}: ${found.points.map(([, value]) => write(value)).join(", ")}`))];
}

function progress() {
    const [sets, { target }, { number }] = [setsSoFar(), state.session.plan ?? {}, counts()];
    const told = { n: sets.length, date: sets.length > 0 ? dateOf(sets[0], "short").split(",")[0] : "" };
    const parts = [
        ...target > 0 ? [make("p", {}, make("b", {}, t(number >= target ? "review.report.goalReached" : "review.report.goalMissed", { number, target })))] : [],
        ...overSets(t("review.report.sets", told), sets.map((one) => (one === state.session ? number : one.correctedCount ?? one.count)), (value) => decimal(value, 0)),
        ...Object.entries({ depth: "depth", likeness: "likeness", took: "seconds", symmetry: "symmetry" }).flatMap(([name, key]) =>
            overSets(t(`review.report.means.${name}`), sets.map((one) => outlineOf(one)[key]), measures[name].write)),
    ];
    const [goal, done] = [shown[state.main], mean(state.repetitions.map(({ measured }) => measured.range))];
    if (Number.isFinite(goal) && done !== null) parts.unshift(make("p", {}, t("review.report.shown", { joint: jointName(state.main), shown: aboutOf(shown) + angle(goal), done: angle(done) })));
    if (sets.length < 2) parts.push(make("p", { className: "sheet-hint" }, t(nameOf(state.session) ? "review.report.firstSet" : "review.report.noName")));
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
        if (blind >= 0.005) words.push(t("review.report.blind", { joint: jointName(state.main), share: percent(blind) }));
        words.push(t("review.report.honest"));
    }
    return make("p", { className: "sheet-gaps" }, make("b", {}, `${t("review.report.gaps")}: `), words.join(" "));
}

function curve() {
    const values = state.main ? state.series[state.main].filter(Number.isFinite) : [];
    return make("figure", { className: "sheet-curve" }, wholeCurve(chart.width, chart.height * size), make("figcaption", {}, values.length > 0
        ? t("review.report.curve", { joint: jointName(state.main), low: angle(Math.min(...values)), high: angle(Math.max(...values)), seconds: seconds(duration()) })
        : t("review.report.bare", { seconds: seconds(duration()) })));
}

/** The numbers of the set, and what was measured on the film or live. */
function figures() {
    const wanted = ["range", "depth", "took", "symmetry", "peak", "likeness", "loss"];
    const list = numbersOf(state.repetitions).filter(({ name }) => wanted.includes(name))
        .map(({ name, value, note }) => [factName(name, "numbers"), value, note]);
    const cards = [...list, ...measuredWords()].map(([name, value, note]) => [name, make("b", {}, value), make("small", {}, note)]);
    return cards.length === 0 ? null : make("dl", { className: "sheet-figures" }, ...cardsOf(cards));
}

function repetitionTable(most) {
    const all = state.repetitions;
    if (all.length === 0) return null;
    const shown = all.length > most ? [...all.slice(0, most / 2), ...all.slice(-most / 2)] : all;
    const heads = ["number", "at", "took", "range", "tempo", "peak", "symmetry", "change"].map((name) => factName(name, "columns"));
    const rows = shown.map((one) => [String(one.place), moment(one.start), written("took", one), written("range", one), tempoWords(one.measured.parts),
        written("peak", one), written("symmetry", one), (one.faults ?? []).map(faultWords).join(", ") || "–"]);
    const note = all.length > most ? make("p", { className: "sheet-short" },
        t("review.report.short", { half: most / 2, all: all.length, left: all.length - most })) : null;
    return make("div", {}, tableOf(t("review.tabs.repetitions"), heads, rows), note);
}

/** Each fault with how often it was found and what to do about it. */
function faultList() {
    const kinds = [...Map.groupBy(state.repetitions.flatMap(({ faults }) => faults ?? []), kindOf).values()];
    return kinds.length === 0 ? null : make("ul", { className: "sheet-faults" }, ...kinds.toSorted((a, b) => b.length - a.length).slice(0, 6).map((found) =>
        make("li", {}, make("b", {}, `${found.length} × ${found.length > 1 ? kindWords(found.at(-1)) : faultWords(found[0])}`), adviceName(found.at(-1)) ? ` – ${adviceName(found.at(-1))}` : "")));
}

/** Fills the sheet: all as large as there is room for, or with fewer rows of the table where there is none. */
function render() {
    if (sizes.some((one) => fits(most, one))) return;
    for (let rows = most; rows >= least && !fits(rows, 1); rows -= 2);
}

/** Fills the sheet with at most `rows` rows at a scale; whether it fits on a page. */
function fits(rows, scale) {
    size = scale;
    const sheet = element("sheet");
    sheet.style.setProperty("--size", size);
    if (state.session) fill(state.session, rows);
    return sheet.scrollHeight <= sheet.clientHeight;
}

function fill(session, rows) {
    const { counted, corrected, number } = counts();
    const isCount = isSet(state.session);
    element("sheet").replaceChildren(...[
        make("header", {}, make("div", {}, make("h2", {}, titleOf(session)),
            make("p", {}, [session.details?.person, ...detailWords(session.details), dateOf(session), moment(session.duration), sourceWords(session.source)].filter(Boolean).join(" · "))),
        isCount ? make("p", { className: "sheet-count" }, make("b", {}, String(number)), ` ${t("review.word", { n: number })}`,
            corrected === null ? null : make("small", {}, t("review.correct.corrected", { counted, corrected }))) : null),
        ...(isCount ? [make("div", { className: "sheet-turns" }, ...turns(), progress()), curve(), figures(), faultList(), repetitionTable(rows)] : [session.segments?.length ? wholeCurve(chart.width, chart.height) : null, figures(), ...extrasOf(session, rows)]),
        session.note ? make("p", { className: "sheet-note" }, make("b", {}, `${t("review.note.title")}: `), session.note) : null,
        isCount ? gaps() : null,
        make("p", { className: "sheet-lines" }, make("b", {}, t("review.report.notes"))),
        make("footer", {}, "Kinema"),
    ].filter(Boolean));
}

const keepNote = () => attempt("note-message", async () => {
    state.session = await saveNote(state.session.id, element("note").value) ?? state.session;
    render();
}, t("review.note.saved"));

/** Fills in the session's note. */
export function openReport(session) {
    [pictures, shown] = [[], {}];
    element("note").value = session.note ?? "";
    say(element("note-message"), "");
    showDetails(isSet(session) ? [{ session: session.id, details: session.details }] : [], session, (saved) => {
        if (state.session.id !== saved.id) return;
        state.session = saved;
        tell("session");
    });
    render();
}

export function prepareReport() {
    prepareDetails();
    on("repetitions poses session listed", render);
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
    onSubmit("note-form", keepNote);
    return takePictures;
}
