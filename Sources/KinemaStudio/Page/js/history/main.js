// The history page: reads and searches the sessions and shows their sums; everything can be exported or deleted.
import { deleteEverything, importArchive, sessions as askSessions } from "../api.js";
import { summaryWords } from "../after.js";
import { element, make, say } from "../dom.js";
import { decimal, locale, t, translate } from "../i18n.js";
import "../offline.js";
import { outlineOf } from "../outline.js";
import { unitOf } from "../units.js";
import { counted, exerciseWords, sourceWords } from "../words.js";
import { calendarPicture } from "./calendar.js";
import { bars, line } from "./charts.js";
import {
    bests, byDay, calendar, countOf, counts, dayOf, depths, matches, repetitionsByDay, scores, speeds, tempos, totals,
} from "./sums.js";

let sessions = [];
/** The start of the sessions not yet read; null if all are. */
let next = null;
const rowsAtOnce = 100;
let rows = rowsAtOnce;
/** The day selected in the calendar; null for all. */
let day = null;

/** A session's name in a list. */
const titleOf = ({ exercise, mode }) => (exercise ? exerciseWords(exercise) : t(`history.titles.${mode}`));

/** Everything of a session that can be searched for. */
const textOf = (session) => [titleOf(session), t(`modes.${session.mode}`), sourceWords(session.source), session.note ?? "",
    new Date(session.date).toLocaleDateString(locale, { dateStyle: "full" }), session.date.slice(0, 10),
    ...outlineOf(session).labels].join(" ");

function chosen() {
    const mode = element("filter-mode").value;
    const exercise = element("filter-exercise").value;
    const words = element("filter-words").value.trim();
    return sessions.filter((session) => (!mode || session.mode === mode)
        && (!exercise || session.exercise === exercise) && (!words || matches(words, textOf(session))));
}

function showTiles(shown) {
    element("tiles").hidden = shown.length === 0;
    element("tiles").replaceChildren(...totals(shown).map(([name, value]) =>
        make("div", {}, make("dt", {}, name), make("dd", {}, value.toLocaleString(locale)))));
}

function showCalendar(shown) {
    element("calendar").hidden = shown.length === 0;
    element("calendar-room").replaceChildren(calendarPicture(calendar(shown), day?.day, (pressed) => {
        day = pressed;
        show();
        document.querySelector(`[data-day="${pressed?.day}"]`)?.focus();
    }));
    // Today is at the right end, which a small window does not show.
    element("calendar-room").scrollLeft = element("calendar-room").scrollWidth;
    element("calendar-chosen").hidden = day === null;
    say(element("calendar-day"), day?.name ?? "");
}

function showBests(shown) {
    const rows = bests(shown);
    element("bests").hidden = rows.length === 0;
    const heads = ["exercise", "most", "when", "inAllShort", "sets", "deepest", "longest"];
    element("bests-room").replaceChildren(make("table", {},
        make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, t(`history.best.${head}`))))),
        make("tbody", {}, ...rows.map((row) => make("tr", {},
            make("th", { scope: "row" }, row.exercise ? exerciseWords(row.exercise) : t("history.titles.count")),
            make("td", {}, make("a", { href: `review.html#${row.mostSession}` }, String(row.most))),
            make("td", {}, new Date(row.date).toLocaleDateString(locale, { dateStyle: "short" })),
            make("td", {}, String(row.total)), make("td", {}, String(row.sets)),
            make("td", {}, row.deepest === null ? "–" : `${decimal(row.deepest * 100)} %`),
            make("td", {}, row.longest === null ? "–" : `${decimal(row.longest, 1)} s`))))));
}

function showCharts(shown) {
    const charts = [];
    const days = repetitionsByDay(shown);
    const words = (name) => ({ title: t(`history.chart.${name}`), note: t(`history.chart.${name}Note`) });
    if (days.some((row) => row.value > 0)) {
        charts.push(bars({ ...words("days"), rows: days, second: t("counting.label") }));
    }
    const add = (rows, chart, build) => {
        if (rows.length > 1) charts.push(build({ ...chart, rows }));
    };
    const set = { first: t("history.chart.set") };
    // A line through sets of different exercises has no meaning.
    if (element("filter-exercise").value) add(counts(shown), { ...set, ...words("counts") }, line);
    add(depths(shown), { ...set, ...words("depths"), unit: "%" }, line);
    add(tempos(shown), { ...set, ...words("tempos"), unit: "s" }, line);
    add(speeds(shown), { ...words("speeds"), unit: unitOf("speed"), first: t("history.chart.throw") }, line);
    add(scores(shown), { ...words("scores"), first: t("history.chart.game") }, bars);
    element("charts").hidden = charts.length === 0;
    element("charts").replaceChildren(...charts);
}

/** The number that matters most of a session; some have none. */
function much(session) {
    const { mode } = session;
    if (mode === "toss") return outlineOf(session).score;
    return mode === "count" || mode === "coach" ? countOf(session) : "";
}

function row(session) {
    const time = new Date(session.date).toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit" });
    const set = session.plan ? t("plan.set", session.plan) : "";
    const corrected = Number.isFinite(session.correctedCount) ? t("history.corrected", { n: session.count }) : "";
    const summary = summaryWords({ ...session, count: countOf(session) });
    const more = [summary, set, corrected, sourceWords(session.source).slice(0, 40), session.note ?? ""].filter(Boolean).join(" · ");
    const link = make("a", { className: "session", href: `review.html#${session.id}` },
        make("span", { className: "when" }, time),
        make("span", { className: "what" }, titleOf(session), make("small", {}, more)),
        make("span", { className: "much", ariaHidden: "true" }, String(much(session))));
    link.dataset.session = session.id;
    return make("li", {}, link);
}

function showDays(shown) {
    const heading = (name) => new Date(`${name}T12:00`).toLocaleDateString(locale, {
        weekday: "long", day: "numeric", month: "long", year: "numeric" });
    element("days").replaceChildren(...[...byDay(shown.slice(0, rows))].map(([name, list]) =>
        make("section", { className: "day" }, make("h2", {}, heading(name)), make("ul", {}, ...list.map(row)))));
    element("older").hidden = shown.length <= rows && next === null;
}

/** Shows more rows, and reads older sessions when all read ones are shown. */
async function showOlder() {
    rows += rowsAtOnce;
    if (next !== null && chosen().length < rows) {
        try {
            const older = await askSessions(next);
            sessions.push(...older.sessions);
            next = older.next;
        } catch (error) {
            tell(error.message);
        }
        offerExercises();
    }
    show();
}

function show() {
    const shown = chosen();
    if (day !== null && !shown.some((session) => dayOf(session) === day.day)) day = null;
    showTiles(shown);
    showCalendar(shown);
    showBests(shown);
    showCharts(shown);
    showDays(day === null ? shown : shown.filter((session) => dayOf(session) === day.day));
    element("everything").hidden = false;
    tell(sessions.length === 0 ? t("history.nothing") : shown.length === 0 ? t("history.none") : "");
}

function tell(text) {
    say(element("message"), text);
    element("message").classList.toggle("unseen", !text);
}

function offerExercises() {
    const names = [...new Set(sessions.map((session) => session.exercise).filter(Boolean))].toSorted();
    const [all] = element("filter-exercise").options;
    const { value } = element("filter-exercise");
    element("filter-exercise").replaceChildren(
        all, ...names.map((name) => make("option", { value: name }, exerciseWords(name))));
    element("filter-exercise").value = names.includes(value) ? value : "";
    element("filter-exercise").closest("label").hidden = names.length === 0;
}

async function read() {
    ({ sessions, next } = await askSessions());
    rows = rowsAtOnce;
    offerExercises();
    show();
}

// ---- everything

async function takeIn({ target }) {
    const [file] = target.files;
    if (!file) return;
    tell(t("history.importing"));
    try {
        const { added, known } = await importArchive(file);
        await read();
        tell(t("history.imported", { added: counted(added, "session"), known }));
    } catch (error) {
        tell(error.message);
    }
    target.value = "";
}

function prepareDeletion() {
    const dialog = element("confirm-all");
    element("delete-all").addEventListener("click", () => {
        say(element("confirm-all-text"), t("history.deleteAllText", { n: `${sessions.length}${next === null ? "" : "+"}` }));
        dialog.returnValue = "keep";
        dialog.showModal();
        element("confirm-all-keep").focus();
    });
    dialog.addEventListener("close", async () => {
        if (dialog.returnValue !== "delete") return;
        try {
            await deleteEverything();
            await read();
            tell(t("history.deletedAll"));
        } catch (error) {
            tell(error.message);
        }
    });
}

/** Redirects an address with a session, as in older links, to its review. */
function goOn() {
    const id = decodeURIComponent(location.hash.slice(1));
    if (/^[0-9a-f-]{36}$/i.test(id)) location.replace(`review.html#${id}`);
}

async function begin() {
    translate();
    goOn();
    addEventListener("hashchange", goOn);
    tell(t("history.reading"));
    const filter = () => {
        rows = rowsAtOnce;
        show();
    };
    for (const id of ["filter-mode", "filter-exercise"]) element(id).addEventListener("change", filter);
    element("filter-words").addEventListener("input", filter);
    element("older").addEventListener("click", showOlder);
    element("calendar-clear").addEventListener("click", () => {
        day = null;
        show();
    });
    element("import-file").addEventListener("change", takeIn);
    prepareDeletion();
    try {
        await read();
        if (location.hash === "#deleted") {
            history.replaceState(null, "", location.pathname);
            tell(t("review.delete.done"));
        }
    } catch (error) {
        tell(error.message);
    }
}

begin();
