// The history page: reads the sessions and lists them; each opens in its review.
import { sessions as askSessions } from "../api.js";
import { summaryWords } from "../after.js";
import { element, make, say } from "../dom.js";
import { named } from "../words.js";
import { bars, line } from "./charts.js";
import { byDay, depths, repetitionsByDay, scores, speeds, tempos, totals } from "./sums.js";

let sessions = [];

/** What a session is called in a list. */
const titleOf = (session) =>
    session.exercise ? named(session.exercise) : { count: "repetitions", coach: "coached", draw: "drawing",
        toss: "bean-bag toss", classify: "actions", poses: "poses" }[session.mode] ?? session.mode;

function chosen() {
    const mode = element("filter-mode").value;
    const exercise = element("filter-exercise").value;
    return sessions.filter((session) =>
        (!mode || session.mode === mode) && (!exercise || session.exercise === exercise));
}

function showTiles(shown) {
    element("tiles").hidden = shown.length === 0;
    element("tiles").replaceChildren(...totals(shown).map(([name, value]) =>
        make("div", {}, make("dt", {}, name), make("dd", {}, value.toLocaleString()))));
}

function showCharts(shown) {
    const charts = [];
    const days = repetitionsByDay(shown);
    if (days.some((row) => row.value > 0)) {
        charts.push(bars({ title: "Repetitions by day", note: "The last 14 days", rows: days, second: "Repetitions" }));
    }
    const add = (rows, chart, build) => {
        if (rows.length > 1) charts.push(build({ ...chart, rows }));
    };
    const set = { first: "Set" };
    add(depths(shown), { ...set, title: "Depth over sets", note: "Mean of a set, of the full way", unit: "%" }, line);
    add(tempos(shown), { ...set, title: "Tempo over sets", note: "Mean seconds a repetition", unit: "s" }, line);
    add(speeds(shown), { title: "Speed of throws", note: "Metres a second", unit: "m/s", first: "Throw" }, line);
    add(scores(shown), { title: "Scores", note: "Points of a game", unit: "points", first: "Game" }, bars);
    element("charts").hidden = charts.length === 0;
    element("charts").replaceChildren(...charts);
}

/** The number that matters most of a session; some have none. */
function much({ mode, count, throws = [] }) {
    if (mode === "toss") return throws.reduce((sum, { score }) => sum + score, 0);
    return mode === "count" || mode === "coach" ? count : "";
}

function row(session) {
    const title = titleOf(session);
    const time = new Date(session.date).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
    const link = make("a", { className: "session", href: `review.html#${session.id}` },
        make("span", { className: "when" }, time),
        make("span", { className: "what" }, title[0].toUpperCase() + title.slice(1),
            make("small", {}, `${summaryWords(session)} · ${session.source}`)),
        make("span", { className: "much", ariaHidden: "true" }, String(much(session))));
    link.dataset.session = session.id;
    return make("li", {}, link);
}

function showDays(shown) {
    const heading = (day) => new Date(`${day}T12:00`).toLocaleDateString(undefined, {
        weekday: "long", day: "numeric", month: "long", year: "numeric" });
    element("days").replaceChildren(...[...byDay(shown)].map(([day, list]) =>
        make("section", { className: "day" }, make("h2", {}, heading(day)), make("ul", {}, ...list.map(row)))));
}

function show() {
    const shown = chosen();
    showTiles(shown);
    showCharts(shown);
    showDays(shown);
    const none = sessions.length === 0 ? "Nothing yet. Sets, drawings and games appear here once they end."
        : shown.length === 0 ? "No session of that kind." : "";
    tell(none);
}

function tell(text) {
    say(element("message"), text);
    element("message").classList.toggle("unseen", !text);
}

function offerExercises() {
    const names = [...new Set(sessions.map((session) => session.exercise).filter(Boolean))].toSorted();
    element("filter-exercise").append(...names.map((name) => make("option", { value: name }, named(name))));
    element("filter-exercise").closest("label").hidden = names.length === 0;
}

/** An address that names a session, as older links do, goes on to its review. */
function goOn() {
    const id = decodeURIComponent(location.hash.slice(1));
    if (/^[0-9a-f-]{36}$/i.test(id)) location.replace(`review.html#${id}`);
}

async function begin() {
    goOn();
    for (const id of ["filter-mode", "filter-exercise"]) element(id).addEventListener("change", show);
    addEventListener("hashchange", goOn);
    try {
        sessions = await askSessions();
        offerExercises();
        show();
        if (location.hash === "#deleted") {
            history.replaceState(null, "", location.pathname);
            tell("Deleted.");
        }
    } catch (error) {
        tell(error.message);
    }
}

begin();
