// The report to print: one page where all fits on it, else as many as it takes.
import { saveNote } from "../api.js";
import { prepareDetails, showDetails } from "../details.js";
import { attempt, cardsOf, element, make, onSubmit, say } from "../dom.js";
import { decimal, entry, t } from "../i18n.js";
import { boxOf } from "../loops.js";
import { isSet, outlineOf } from "../outline.js";
import { tableOf } from "../plot.js";
import { atJoint, detailWords, faultWords, jointName, kindOf, kindWords, nameOf, pairOf, sourceWords, titleOf } from "../words.js";
import { frameAt, framesOf, limbs } from "./angles.js";
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
    const found = { best: state.repetitions.find(({ isBest }) => isBest), worst: state.repetitions.find(({ isWeakest }) => isWeakest) };
    const [before, { session, privacy }] = [state.time, state];
    pictures = [];
    if (found.best && found.worst && state.frames.length > 0) {
        const taken = [];
        for (const [name, one] of Object.entries(found)) {
            const { joint, turn } = one.measured;
            const added = joint in limbs ? [jointAngle(joint)] : [];
            taken.push({ name, one, picture: closeUp(await pictureOf(turn ?? (one.start + one.end) / 2, 1280, added)) });
        }
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
    make("figcaption", {}, make("b", {}, t(`review.report.${name}`, { place: one.place })), ` ${[atJoint(one.measured.joint, written("range", one)), written("took", one),
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
    const joint = state.session.measured?.joint;
    const told = { n: sets.length, date: sets.length > 0 ? dateOf(sets[0], "short").split(",")[0] : "" };
    const parts = [
        ...target > 0 ? [make("p", {}, make("b", {}, t(number >= target ? "review.report.goalReached" : "review.report.goalMissed", { number, target })))] : [],
        ...overSets(t("review.report.sets", told), sets.map((one) => (one === state.session ? number : one.correctedCount ?? one.count)), (value) => decimal(value, 0)),
        ...overSets(atJoint(joint, t("review.report.means.range")), sets.map((one) => (pairOf(outlineOf(one).joint) === pairOf(joint) ? outlineOf(one).range : NaN)), angle),
        ...Object.entries({ depth: "depth", likeness: "likeness", took: "seconds", symmetry: "symmetry" }).flatMap(([name, key]) =>
            overSets(t(`review.report.means.${name}`), sets.map((one) => outlineOf(one)[key]), measures[name].write)),
    ];
    const [goal, done] = [shown[state.main], state.session.measured?.range];
    if (Number.isFinite(goal) && Number.isFinite(done)) parts.unshift(make("p", {}, t("review.report.shown", { joint: jointName(state.main), shown: aboutOf(shown) + angle(goal), done: angle(done) })));
    if (sets.length < 2) parts.push(make("p", { className: "sheet-hint" }, t(nameOf(state.session) ? "review.report.firstSet" : "review.report.noName")));
    return make("div", { className: "sheet-progress" }, ...parts);
}

/** What could not be judged. */
function gaps() {
    const { repetitions: all, session } = state;
    const words = [];
    const unseen = all.filter(({ isUnseen }) => isUnseen).length;
    const unsure = all.filter((one) => !one.isUnseen && one.measured.range === null).length;
    if (session.unjudged?.length > 0) words.push(t("hints.unjudged", { parts: session.unjudged.map((part) => entry(`shown.parts.${part}`) ?? part).join(", ") }) + ".");
    if (!state.series) words.push(t("review.report.plain"));
    else {
        if (unseen > 0) words.push(t("review.report.unseen", { n: unseen }));
        if (unsure > 0) words.push(t("review.report.unsure", { n: unsure }));
        const within = all.flatMap((one) => framesOf(state, one));
        const blind = within.filter((at) => Number.isNaN(state.series[state.main][at])).length / within.length;
        if (blind >= 0.005) words.push(t("review.report.blind", { joint: jointName(state.main), share: percent(blind) }));
        words.push(t("review.report.honest"));
    }
    return make("p", { className: "sheet-gaps" }, make("b", {}, `${t("review.report.gaps")}: `), words.join(" "));
}

function curve() {
    const ends = (state.session.measured?.repetitions ?? []).flatMap(({ joint, low, high }) => (joint === state.main && Number.isFinite(low) ? [low, high] : []));
    return make("figure", { className: "sheet-curve" }, wholeCurve(chart.width, chart.height * size), make("figcaption", {}, ends.length > 0
        ? t("review.report.curve", { joint: jointName(state.main), low: angle(Math.min(...ends)), high: angle(Math.max(...ends)), seconds: seconds(duration()) })
        : t("review.report.bare", { seconds: seconds(duration()) })));
}

/** The numbers of the set, and what was measured on the film or live. */
function figures() {
    const wanted = ["range", "depth", "score", "took", "symmetry", "peak", "likeness", "loss"];
    const list = numbersOf(state.repetitions).filter(({ name }) => wanted.includes(name))
        .map(({ name, value, note }) => [factName(name, "numbers"), value, note]);
    const cards = [...list, ...measuredWords()].map(([name, value, note]) => [name, make("b", {}, value), make("small", {}, note)]);
    return cards.length === 0 ? null : make("dl", { className: "sheet-figures" }, ...cardsOf(cards));
}

function repetitionTable() {
    if (state.repetitions.length === 0) return null;
    const isScored = state.repetitions.some((one) => measures.score.read(one) !== null);
    const names = ["number", "at", "took", "range", "tempo", "peak", "symmetry", ...isScored ? ["score"] : [], "change"];
    const rows = state.repetitions.map((one) => [String(one.place), moment(one.start), written("took", one), written("range", one), tempoWords(one.measured.parts),
        written("peak", one), written("symmetry", one), ...isScored ? [written("score", one)] : [], (one.faults ?? []).map(faultWords).join(", ") || "–"]);
    return tableOf(t("review.tabs.repetitions"), names.map((name) => factName(name, "columns")), rows);
}

/** Each fault with how often it was found and what to do about it. */
function faultList() {
    const kinds = [...Map.groupBy(state.repetitions.flatMap(({ faults }) => faults ?? []), kindOf).values()];
    return kinds.length === 0 ? null : make("ul", { className: "sheet-faults" }, ...kinds.toSorted((a, b) => b.length - a.length).map((found) =>
        make("li", {}, make("b", {}, `${found.length} × ${found.length > 1 ? kindWords(found.at(-1)) : faultWords(found[0])}`), adviceName(found.at(-1)) ? ` – ${adviceName(found.at(-1))}` : "")));
}

/** Fills the sheet: all as large as there is room for; what does not fit on a page goes on on the next. */
function render() {
    for (const page of document.querySelectorAll(".sheet.more")) page.remove();
    if (!state.session || sizes.some(fits) || fits(1)) return;
    let page = element("sheet");
    while (page.scrollHeight > page.clientHeight) {
        const next = make("article", { className: "sheet more" });
        element("sheet").parentElement.insertBefore(next, page.nextSibling);
        const [footer, ruled] = [page.lastElementChild, page.querySelector(".sheet-lines")];
        next.append(...ruled ? [ruled] : [], footer.cloneNode(true));
        next.prepend(...overflow(page, page.getBoundingClientRect().bottom - footer.offsetHeight - 8));
        if (next.children.length <= 2) return; // One part alone is larger than a page.
        page = next;
    }
    const pages = document.querySelectorAll(".sheet");
    pages.forEach((one, at) => say(one.lastElementChild, `Kinema · ${titleOf(state.session)} · ${t("review.report.page", { n: at + 1, all: pages.length })}`));
}

/** Takes from a page what lies below its end: rows of a table and entries of a list one by one, other parts whole. */
function overflow(page, end) {
    const isBelow = (node) => node.getBoundingClientRect().bottom > end;
    const first = [...page.children].findIndex((part) => part !== page.lastElementChild && isBelow(part));
    if (first < 0) return [];
    const [part, ...rest] = [...page.children].slice(first, -1);
    const rows = [...part.querySelectorAll("tbody tr, :scope > li")];
    const from = rows.findIndex(isBelow);
    if (from < 1) return first === 0 ? rest : [part, ...rest];
    const copy = part.cloneNode(true);
    copy.querySelectorAll("tbody tr, :scope > li").forEach((row, at) => at < from && row.remove());
    rows.slice(from).forEach((row) => row.remove());
    return [copy, ...rest];
}

/** Fills the sheet at a scale; whether it fits on a page. */
function fits(scale) {
    size = scale;
    const sheet = element("sheet");
    sheet.style.setProperty("--size", size);
    fill(state.session);
    return sheet.scrollHeight <= sheet.clientHeight;
}

function fill(session) {
    const { counted, corrected, number } = counts();
    const isCount = isSet(state.session);
    element("sheet").replaceChildren(...[
        make("header", {}, make("div", {}, make("h2", {}, titleOf(session)),
            make("p", {}, [session.details?.person, ...detailWords(session.details), dateOf(session), moment(session.duration), sourceWords(session.source)].filter(Boolean).join(" · "))),
        isCount ? make("p", { className: "sheet-count" }, make("b", {}, String(number)), ` ${t("review.word", { n: number })}`,
            corrected === null ? null : make("small", {}, t("review.correct.corrected", { counted, corrected }))) : null),
        ...isCount ? [make("div", { className: "sheet-turns" }, ...turns(), progress()), curve(), figures(), faultList()]
            : [session.segments?.length ? wholeCurve(chart.width, chart.height) : null, figures()],
        session.note ? make("p", { className: "sheet-note" }, make("b", {}, `${t("review.note.title")}: `), session.note) : null,
        ...isCount ? [gaps(), repetitionTable()] : extrasOf(session),
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
