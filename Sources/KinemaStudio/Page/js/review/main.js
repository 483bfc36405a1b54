// The review page: reads the session in the address, its poses, and shows all there is of it.
import { deleteSession, exercises, exportAddress, session as askSession } from "../api.js";
import { attempt, element, isSure, make, say } from "../dom.js";
import { t, translate } from "../i18n.js";
import "../offline.js";
import { isSet } from "../outline.js";
import { detailWords, fileWords, sourceWords, titleOf } from "../words.js";
import { offerSessions, prepareCompare, readPictures, stopComparing } from "./compare.js";
import { forgetChanges, moveEnd, prepareCorrections, select } from "./correct.js";
import { preparePrivacy, showPrivacy } from "./cover.js";
import { prepareCurve, zoom } from "./curve.js";
import { forgetDrawing, openDrawing, prepareDrawing } from "./drawing.js";
import { showExtras } from "./extras.js";
import { jump, openFilm, pause, prepareFilm, seek, step, toggle } from "./film.js";
import { markHere, openMarks, prepareMarks } from "./marks.js";
import { dateOf } from "./names.js";
import { prepareNumbers } from "./numbers.js";
import { readPoses } from "./poses.js";
import { prepareProgress } from "./progress.js";
import { prepareRepetitions } from "./repetitions.js";
import { openReport, prepareReport } from "./report.js";
import { prepareSave } from "./save.js";
import { openSecond, prepareSecond } from "./second.js";
import { clear, counts, on, placeAt, state, takePoses, takeRepetitions, tell } from "./state.js";
import { prepareTabs, shownTabs } from "./tabs.js";

function showHead() {
    const { session } = state;
    const { counted, corrected } = counts();
    say(element("title"), titleOf(session));
    say(element("when"), [session.details?.person, ...detailWords(session.details), dateOf(session), session.plan && t("plan.set", session.plan), sourceWords(session.source)].filter(Boolean).join(" · "));
    const told = corrected === null ? t("review.repetitions", { n: counted }) : t("review.correct.corrected", { counted, corrected });
    say(element("tally"), isSet(state.session) ? told : "");
    document.title = `${titleOf(session)} · Kinema`;
    const links = session.exports.map((format) => make("li", {},
        make("a", { className: "button", href: exportAddress(session.id, format), download: "" }, fileWords(format))));
    element("exports").replaceChildren(...links);
}

async function readFilm(session) {
    if (!session.hasPoses) return;
    say(element("message"), t("review.loading"));
    try {
        const poses = await readPoses(session.id, (n) => say(element("message"), t("review.loadingFrames", { n })));
        if (state.session?.id !== session.id) return;
        takePoses(poses);
        say(element("message"), "");
    } catch {
        say(element("message"), t("review.noPosesRead"));
    }
}

function offerTabs(session) {
    const hasSet = isSet(session);
    const hasExtras = showExtras(session);
    const extras = element("tab-extras");
    say(extras, t(`review.tabs.${session.mode}`));
    shownTabs({ repetitions: hasSet, extras: hasExtras && !hasSet, numbers: hasSet, measure: session.hasPoses || Boolean(session.video), compare: hasSet, correct: hasSet,
        marks: session.hasPoses || (session.marks ?? []).length > 0, report: true });
    element("curve-part").hidden = !session.hasPoses && !hasSet && session.mode !== "classify";
}

async function open() {
    const id = decodeURIComponent(location.hash.slice(1));
    pause();
    element("body").hidden = true;
    say(element("message"), t("review.loading"));
    await exercises().catch(() => null);
    const session = id ? await askSession(id).catch(({ status, message }) => {
        say(element("message"), status === 404 ? t("review.noneText") : message);
        say(element("title"), t(status === 404 ? "review.none" : "review.unread"));
        return null;
    }) : null;
    if (!session) {
        if (!id) say(element("title"), t("review.none"));
        if (!id) say(element("message"), t("review.noneText"));
        return;
    }
    clear();
    forgetChanges();
    state.session = session;
    element("body").hidden = false;
    showHead();
    offerTabs(session);
    openFilm(session);
    openDrawing(session);
    showPrivacy();
    say(element("message"), "");
    takeRepetitions();
    tell("poses");
    seek(0);
    openReport(session);
    await Promise.all([readFilm(session), openMarks(session), isSet(session) ? offerSessions() : null, openSecond(session)]);
    // A report that is printed before it was opened has its pictures too.
    await takePictures();
    seek(state.repetitions[0]?.start ?? state.time);
    element("review").dataset.ready = session.id;
}

// ---- keys

const writes = "textarea, select, input:not([type=range], [type=checkbox], [type=radio])";
const presses = "button, a, summary, input[type=checkbox], label";

function keyed(event) {
    const [{ target }, key] = [event, event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || element("confirm").open || element("body").hidden) return;
    if (target.matches?.(writes)) return;
    const acts = { ",": () => step(-1), ".": () => step(1), i: () => markHere(false), o: () => markHere(true) };
    if (key === " " && !target.matches?.(presses)) acts[" "] = toggle;
    if (!target.matches?.("[role=tab], input[type=range]")) {
        acts.ArrowLeft = () => jump(-1);
        acts.ArrowRight = () => jump(1);
    }
    if (!acts[key]) return;
    event.preventDefault();
    acts[key]();
}

// ---- away

/** Asks before something of the session is deleted. */
const asks = (what, text) => isSure(t(`review.${what}.title`), text, t(`review.${what}.yes`));

async function deleteAll() {
    if (!await asks("delete", t("review.delete.text", { what: `${titleOf(state.session)}, ${dateOf(state.session)}` }))) return;
    await attempt("message", async () => {
        await deleteSession(state.session.id);
        forgetDrawing();
        forgetChanges();
        location.replace("history.html#deleted");
    });
}

function goTo(repetition) {
    seek(repetition.start);
    if (state.zoom) zoom(repetition);
    if (!element("panel-correct").hidden) select(repetition.place - 1, seek);
}

translate();
prepareFilm();
prepareSecond();
prepareCurve(seek, moveEnd);
prepareRepetitions(goTo);
prepareNumbers();
prepareProgress();
prepareCompare();
prepareCorrections(seek);
prepareMarks();
const takePictures = prepareReport();
const showReadings = prepareDrawing();
prepareSave();
preparePrivacy(() => asks("deleteFilm", t("review.deleteFilm.text")), openFilm);
element("delete").addEventListener("click", deleteAll);
prepareTabs((name) => {
    if (name === "measure" && state.session) showReadings();
    if (name === "compare" && state.session) readPictures();
    if (name === "report" && state.session) takePictures();
    if (name !== "compare") stopComparing();
    // The choice of what is seen goes where the picture is.
    element(name === "compare" && !element("compare-room").hidden ? "compare-keys" : "screen").append(element("privacy-choice"));
    state.isCorrecting = name === "correct";
    // What the film shows is what one means to correct.
    if (state.isCorrecting && placeAt(state.time) >= 0) state.selected = placeAt(state.time);
    tell("selected");
});
on("session repetitions", () => state.session && showHead());
addEventListener("keydown", keyed);
addEventListener("hashchange", open);
open();
