// One page to print, and a picture to share.
import { draw, element, make, say } from "../dom.js";
import { decimal, t } from "../i18n.js";
import { faultWords, sourceWords } from "../words.js";
import { extrasOf } from "./extras.js";
import { adviceName, angle, angleName, dateOf, moment, percent, seconds, tempoWords, titleOf } from "./names.js";
import { numbersOf, speedLoss } from "./numbers.js";
import { pathOf, spanOf } from "./plot.js";
import { paintCard } from "./card.js";
import { saveNote } from "./requests.js";
import { duration, hasRepetitions, on, state } from "./state.js";

const most = 24; // rows of the table at most; fewer where they do not fit on a page of A4 with all the rest
const least = 4;
const chart = { width: 700, height: 150, top: 16, bottom: 4 };

/** Count, and what it was corrected from. */
export function countWords() {
    const { session, draft } = state;
    const corrected = (draft ?? session.corrections)?.length ?? null;
    return { number: corrected ?? session.count,
        note: corrected === null ? "" : t("review.correct.corrected", { counted: session.count, corrected }) };
}

/** The curve with the repetitions, for paper. */
function curve() {
    const end = duration();
    const x = (time) => (time / end) * chart.width;
    const values = state.main ? state.series[state.main] : null;
    const [low, high] = values ? spanOf([values]) : [0, 1];
    const y = (value) => chart.height - chart.bottom - ((value - low) / (high - low)) * (chart.height - chart.top - chart.bottom);
    let free = -Infinity;
    const bands = state.repetitions.map((one) => draw("rect", { class: one.faults?.length ? "band faulty" : "band", x: x(one.start), y: 0,
        width: Math.max(1, x(one.end) - x(one.start) - 1), height: chart.height, rx: 3 }));
    const places = state.repetitions.flatMap((one) => {
        const [middle, wide] = [(x(one.start) + x(one.end)) / 2, String(one.place).length * 8 + 6];
        if (middle - wide / 2 < free) return [];
        free = middle + wide / 2;
        return [draw("text", { class: "place", x: middle, y: 11, "text-anchor": "middle" }, String(one.place))];
    });
    const line = values ? [draw("path", { class: "curve-line", d: pathOf(state.times, values, { x, y, from: 0, to: state.times.length }) })] : [];
    const label = state.main ? angleName(state.main) : t("review.curve.bare");
    return make("figure", {}, draw("svg", { viewBox: `0 0 ${chart.width} ${chart.height}`, role: "img", "aria-label": label }, ...bands, ...line, ...places),
        make("figcaption", {}, state.main ? t("review.report.curve", { joint: label, low: angle(low), high: angle(high), seconds: seconds(end) })
            : t("review.report.bare", { seconds: seconds(end) })));
}

function figures() {
    const wanted = ["range", "depth", "took", "symmetry", "peak"];
    const list = numbersOf(state.repetitions).filter(({ name }) => wanted.includes(name))
        .map(({ name, write, mean, least, most: top }) => [t(`review.numbers.${name}`), write(mean), write(least) === write(top) ? ""
            : t("review.numbers.between", { least: write(least), most: write(top) })]);
    const loss = speedLoss(state.repetitions);
    if (loss !== null) list.push([t("review.numbers.loss"), `${decimal(100 * loss, 0)} %`, t("review.numbers.lossMeans")]);
    return make("dl", { className: "sheet-figures" }, ...list.map(([name, value, note]) =>
        make("div", {}, make("dt", {}, name), make("dd", {}, make("b", {}, value), make("small", {}, note)))));
}

function tableOf(most) {
    const all = state.repetitions;
    if (all.length === 0) return null;
    const shown = all.length > most ? [...all.slice(0, most / 2), ...all.slice(-most / 2)] : all;
    const heads = ["number", "at", "took", "range", "tempo", "peak", "symmetry", "change"].map((name) =>
        make("th", { scope: "col" }, t(`review.columns.${name}`)));
    const rows = shown.map((one) => make("tr", {}, ...[String(one.place), moment(one.start), seconds(one.end - one.start),
        angle(one.measured.range), tempoWords(one.measured.parts), one.measured.peak === null ? "–" : `${angle(one.measured.peak)}/s`,
        percent(one.measured.symmetry), (one.faults ?? []).map(faultWords).join(", ") || "–"].map((cell) => make("td", {}, cell))));
    const note = all.length > most ? make("p", { className: "sheet-short" },
        t("review.report.short", { half: most / 2, all: all.length, left: all.length - most })) : null;
    return make("div", {}, make("table", {}, make("caption", { className: "unseen" }, t("review.tabs.repetitions")),
        make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows)), note);
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
            make("p", {}, `${dateOf(session)} · ${moment(session.duration)} · ${sourceWords(session.source)}`)),
        isCount ? make("p", { className: "sheet-count" }, make("b", {}, String(number)), ` ${t("review.word", { n: number })}`,
            note ? make("small", {}, note) : null) : null),
        ...(isCount ? [curve(), figures(), faultList(), tableOf(rows)] : extrasOf(session, rows)),
        session.note ? make("p", { className: "sheet-note" }, make("b", {}, `${t("review.note.title")}: `), session.note) : null,
        make("footer", {}, `Kinema · ${t(state.series ? "review.report.honest" : "review.report.plain")}`),
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

/** Draws the card, and gives it a name to be kept under. */
async function keepCard() {
    const card = element("card");
    paintCard(card, countWords());
    const blob = await new Promise((done) => {
        card.toBlob(done, "image/png");
    });
    const address = URL.createObjectURL(blob);
    make("a", { href: address, download: `kinema-${state.session.date.slice(0, 10)}.png` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Fills in the session's note. */
export function openReport(session) {
    element("note").value = session.note ?? "";
    say(element("note-message"), "");
    render();
}

/** Wires the controls. */
export function prepareReport() {
    on("repetitions poses session", () => {
        render();
        if (state.session) paintCard(element("card"), countWords());
    });
    addEventListener("beforeprint", render);
    element("print").addEventListener("click", () => print());
    element("card-keep").addEventListener("click", keepCard);
    element("note-form").addEventListener("submit", (event) => {
        event.preventDefault();
        keepNote();
    });
}
