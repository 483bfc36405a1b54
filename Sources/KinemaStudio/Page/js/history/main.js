// The history page: reads and searches the sessions and shows their sums; everything can be exported or deleted.
import { deleteEverything, exercises, importArchive, people as askPeople, personArchive, session as askSession, sessions as askSessions } from "../api.js";
import { summaryWords } from "../after.js";
import { attempt, cardsOf, element, fill, isSure, make, onClick, onFile, say } from "../dom.js";
import { decimal, locale, t, translate } from "../i18n.js";
import { stillOf } from "../loops.js";
import "../offline.js";
import { countOf, isSet, outlineOf } from "../outline.js";
import { area, axes, courseOf, goalMark, niceStep, picture, rowName, tableOf, tableRoom, text } from "../plot.js";
import { change, settings } from "../settings.js";
import { atJoint, clock, counted, detailWords, loadWords, nameOf, sourceWords, titleOf } from "../words.js";
import { bests, byDay, byWorkout, matches, measures, restBefore, totals, trend } from "./sums.js";

let sessions = [];
/** The start of the sessions not yet read; null if all are. */
let next = null;
const rowsAtOnce = 100;
const firstRows = matchMedia("(max-width: 40rem), (max-height: 30rem)").matches ? 6 : rowsAtOnce;
let rows = firstRows;

/** Everyone whose sets are kept. */
let people = [];
const personNow = () => element("filter-person").value;

/** Everything of a session that can be searched for. */
const textOf = (session) => [titleOf(session), t(`modes.${session.mode}`), sourceWords(session.source), session.note ?? "", session.details?.person ?? "", ...detailWords(session.details),
    new Date(session.date).toLocaleDateString(locale, { dateStyle: "full" }), session.date.slice(0, 10),
    ...outlineOf(session).labels].join(" ");

function chosen() {
    const mode = element("filter-mode").value;
    const exercise = element("filter-exercise").value;
    const words = element("filter-words").value.trim();
    return sessions.filter((session) => (!mode || session.mode === mode)
        && (!exercise || nameOf(session) === exercise) && (!words || matches(words, textOf(session))));
}

function showTiles(shown) {
    element("tiles").hidden = shown.length === 0;
    element("tiles").replaceChildren(...cardsOf(totals(shown).map(([name, value]) => [name, value.toLocaleString(locale)])));
}

function showBests(shown) {
    const rows = bests(shown);
    element("bests").hidden = rows.length === 0;
    const reads = {
        most: (row) => make("a", { href: `review.html#${row.mostSession}` }, String(row.most)),
        sets: (row) => String(row.sets),
        deepest: ({ deepest }) => deepest !== null && `${decimal(deepest * 100)} %`,
        longest: ({ longest }) => longest !== null && `${decimal(longest, 1)} s`,
        heaviest: ({ heaviest }) => heaviest !== null && loadWords(heaviest),
    };
    // What is known of no exercise has no column.
    const columns = Object.keys(reads).filter((name) => rows.some(reads[name]));
    element("bests-room").replaceChildren(tableOf(t("history.bests"), ["exercise", ...columns].map((head) => t(`history.best.${head}`)),
        rows.map((row) => [rowName(row.name), ...columns.map((name) => reads[name](row) || "–")])));
}

/** The number that matters most of a session; some have none. */
const much = (session) => (session.mode === "toss" ? outlineOf(session).score : isSet(session) ? countOf(session) : "");

const labelWidth = 56; // pixels of a date under an axis
let wide = 480; // of the chart, as its place has it

/** Values joined by a line, in the order given: rows `{label, value, name?}`, a `goal` or none; with a table for screen readers. */
function line({ title, note, rows, unit = "", goal = 0, first, isMost }) {
    const values = rows.map(({ value }) => value);
    // Best values stand on zero; of means the part is shown in which they lie, so that a change can be read.
    const [lowest, highest] = [isMost ? 0 : Math.min(...values, goal || Infinity), Math.max(...values, goal)];
    const step = niceStep(highest - lowest || highest || 1, 4);
    wide = element("trend-room").clientWidth || wide;
    const room = area({ width: wide, height: 200, left: 48, from: -0.5, to: rows.length - 0.5,
        low: step * Math.floor(lowest / step), high: step * (Math.floor(highest / step) + 1) });
    const every = Math.ceil((rows.length * labelWidth) / wide);
    const labels = rows.flatMap(({ label }, at) => (at % every === 0 ? [[at, label]] : []));
    const digits = (value) => ({ maximumFractionDigits: value < 10 || unit === "kg" ? 1 : 0 });
    const written = (value) => `${value.toLocaleString(locale, digits(value))}${unit === "°" ? "" : " "}${unit}`.trim();
    const words = t("history.chart.aria", { title, n: rows.length, last: written(values.at(-1)) });
    return make("figure", { className: "chart" }, make("figcaption", {}, title, make("small", {}, note)),
        picture(room, words, [...axes(room, labels, written), ...goal > 0 ? goalMark(room, goal, t("history.trend.goalOf", { n: written(goal) })) : [],
            ...courseOf(room, [...values.entries()]), text(room.x(values.length - 1), room.y(values.at(-1)) - 10, "middle", written(values.at(-1)), "place")]),
        make("details", {}, make("summary", {}, t("history.chart.table")), tableRoom(t("history.chart.tableOf", { title }), [first, title],
            rows.map((row) => [row.name ?? row.label, written(row.value)]))));
}

const mostRead = 24; // older sets that are measured for a trend

/** Has the newest sets measured that were not yet, and shows each as it comes. */
async function measureRanges(shown) {
    for (const one of shown.filter(({ hasPoses, outline }) => hasPoses && outline && outline.range === undefined).slice(0, mostRead)) {
        one.outline.range = null;
        const { measured } = await askSession(one.id);
        Object.assign(one.outline, { joint: measured?.joint, range: measured?.range ?? null });
        showTrend(chosen());
    }
}

/** A measure over the weeks, with the goal that was set for it. */
function showTrend(shown) {
    const measure = element("trend-measure").value;
    if (measure === "angle") trying(() => measureRanges(shown));
    const about = `${measure} ${element("filter-exercise").value} ${personNow()}`;
    const { span, rows, joint, exercise } = trend(shown, measure);
    const goal = settings.goals[about] ?? 0;
    element("trend").hidden = !Object.keys(measures).some((name) => trend(shown, name).rows.length > 0);
    element("trend-goal").value = goal > 0 ? goal.toLocaleString(locale) : "";
    element("trend-goal").dataset.about = about;
    const { isMost, unit } = measures[measure];
    const note = [span !== "set" && t(`history.trend.${isMost ? "most" : "mean"}.${span}`), exercise].filter(Boolean).join(" · ");
    element("trend-room").replaceChildren(rows.length > 0
        ? line({ rows, goal, isMost, title: atJoint(joint, t(`history.trend.${measure}`)), note, unit: typeof unit === "function" ? unit() : unit, first: t(`history.trend.${span}`) })
        : make("p", { className: "note" }, t("history.trend.nothing")));
}

/** The skeleton at its turn, or what the session was in one letter. */
const pictureOf = (session) => make("span", { className: "picture", ariaHidden: "true" },
    session.turn ? stillOf(session.turn) : titleOf(session).slice(0, 1).toUpperCase());

/** A session as a line; within a workout its head says whose it is. */
function row(session, isWithin = false) {
    const time = new Date(session.date).toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit" });
    const set = session.plan ? t("plan.set", session.plan) : "";
    const corrected = Number.isFinite(session.correctedCount) ? t("history.corrected", { n: session.count }) : "";
    const { faulty } = outlineOf(session);
    const summary = isSet(session) ? [clock(session.duration), faulty > 0 ? t("after.faulty", { n: faulty }) : ""] : [summaryWords(session)];
    const more = [time, isWithin || personNow() ? "" : session.details?.person, ...detailWords(session.details), ...summary, set, corrected,
        isSet(session) ? "" : sourceWords(session.source).slice(0, 40), session.note ?? ""].filter(Boolean).join(" · ");
    const link = make("a", { className: "session", href: `review.html#${session.id}` }, pictureOf(session),
        make("span", { className: "what" }, titleOf(session), make("small", {}, more)),
        make("span", { className: "much", ariaHidden: "true" }, String(much(session))));
    link.dataset.session = session.id;
    return make("li", {}, link);
}

/** The sets of one workout with the rests between them, the newest first as all of the list. */
function workout(sets) {
    if (sets.length === 1) return row(sets[0]);
    const [last, first] = [sets[0], sets.at(-1)];
    const seconds = (new Date(last.date) - new Date(first.date)) / 1000 + last.duration;
    const rows = sets.flatMap((set, at) => {
        const rest = at < sets.length - 1 ? restBefore(set, sets[at + 1]) : 0;
        return [row(set, true), ...rest >= 1 ? [make("li", { className: "rest" }, t("history.rest", { time: clock(rest) }))] : []];
    });
    const head = [first.details?.person, counted(sets.length, "set"), clock(seconds)].filter(Boolean).join(" · ");
    return make("li", { className: "workout" }, make("h3", {}, t("history.workout"), make("small", {}, head)), make("ul", {}, ...rows));
}

function showDays(shown) {
    const heading = (name) => new Date(`${name}T12:00`).toLocaleDateString(locale, { dateStyle: "full" });
    element("days").replaceChildren(...[...byDay(shown.slice(0, rows))].map(([name, list]) =>
        make("section", { className: "day" }, make("h2", {}, heading(name)), make("ul", {}, ...byWorkout(list).map(workout)))));
    element("older").hidden = shown.length <= rows && next === null;
}

/** Shows more rows, and reads older sessions when all read ones are shown. */
async function showOlder() {
    rows += rowsAtOnce;
    if (next !== null && chosen().length < rows) await trying(async () => {
        const older = await askSessions(next, personNow());
        sessions.push(...older.sessions);
        next = older.next;
    });
    offerExercises();
    show();
}

function show() {
    const shown = chosen();
    showTiles(shown);
    showBests(shown);
    showTrend(shown);
    showPerson();
    showDays(shown);
    element("everything").hidden = false;
    tell(sessions.length === 0 ? t("history.nothing") : shown.length === 0 ? t("history.none") : "");
}

const tell = (text) => say(element("message"), text);

/** Does something; what went wrong is said. */
const trying = (work) => attempt("message", work);

/** Fills a filter with what there is; what is no more falls back to all. */
function offer(name, values) {
    const filter = element(name);
    fill(filter, [["", filter.options[0].textContent], ...values.map((value) => [value])]);
    filter.closest("label").hidden = values.length === 0;
}

const offerExercises = () => offer("filter-exercise", [...new Set(sessions.map(nameOf).filter(Boolean))].toSorted());

/** What is kept of the chosen person, to take away or to delete. */
function showPerson() {
    const person = people.find(({ name }) => name === personNow());
    element("person").hidden = !person;
    if (!person) return;
    say(element("person-title"), person.name);
    say(element("person-text"), t("history.personText", { sessions: counted(person.sessions, "session"),
        day: new Date(person.latest).toLocaleDateString(locale, { dateStyle: "long" }) }));
    element("person-export").href = personArchive(person.name);
}

async function read() {
    // Sets of taught exercises are called as those are.
    [{ people }] = await Promise.all([askPeople(), exercises().catch(() => null)]);
    offer("filter-person", people.map(({ name }) => name));
    ({ sessions, next } = await askSessions(null, personNow()));
    rows = firstRows;
    offerExercises();
    show();
}

// ---- everything

async function takeIn(file) {
    tell(t("history.importing"));
    await trying(async () => {
        const { added, known } = await importArchive(file);
        await read();
        tell(t("history.imported", { added: counted(added, "session"), known }));
    });
}

/** Deletes everything of a person, or without one of everyone, once that is confirmed. */
async function deleteAll(name) {
    const [title, text, done] = name === null
        ? [t("history.deleteAllTitle"), t("history.deleteAllText", { n: `${sessions.length}${next === null ? "" : "+"}` }), t("history.deletedAll")]
        : ["deletePersonTitle", "deletePersonText", "deletedPerson"].map((key) => t(`history.${key}`, { name }));
    if (!await isSure(title, text, t("history.deleteAllNow"))) return;
    await trying(async () => {
        await deleteEverything(name);
        await read();
        tell(done);
    });
}

async function begin() {
    translate();
    tell(t("history.reading"));
    const filter = () => {
        rows = firstRows;
        show();
    };
    for (const id of ["filter-mode", "filter-exercise", "filter-words"]) element(id).addEventListener("input", filter);
    element("filter-person").addEventListener("change", () => trying(read));
    fill(element("trend-measure"), Object.keys(measures).map((value) => [value, t(`history.trend.${value}`)]));
    for (const id of ["trend-measure", "half-progress"]) element(id).addEventListener("change", show);
    element("trend-goal").addEventListener("change", ({ target }) => {
        change("goals", { ...settings.goals, [target.dataset.about]: Math.max(0, Number(target.value.replace(",", ".")) || 0) });
        show();
    });
    addEventListener("resize", () => [0, wide].includes(element("trend-room").clientWidth) || showTrend(chosen()));
    onFile("import-file", takeIn);
    onClick({ older: showOlder, "delete-all": () => deleteAll(null), "person-delete": () => deleteAll(personNow()) });
    await trying(read);
    if (location.hash !== "#deleted") return;
    history.replaceState(null, "", location.pathname);
    tell(t("history.deleted"));
}

begin();
