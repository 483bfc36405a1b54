// After a run: its result and its files.
import { exportAddress, uploadAddress } from "./api.js";
import { element, make, say } from "./dom.js";
import { t } from "./i18n.js";
import { outlineOf } from "./outline.js";
import { speedOf } from "./units.js";
import { clock, counted, exerciseWords, fileWords, withinSentence } from "./words.js";

/** Those for sessions of hands only. */
const handFiles = ["overlay.mp4", "poses.jsonl"];
/** The list of a mode's events in a session. */
const happenings = {
    count: "repetitions", coach: "repetitions", draw: "pinches", toss: "throws", classify: "segments",
};

/** The noun for a session's table; null without events. */
export function listedIn(session) {
    const key = happenings[session.mode];
    return session[key]?.length > 0 ? t(`after.${key}`) : null;
}

/** A session's result in a line. */
export function summaryWords(summary) {
    const parts = [];
    const { faulty, throws, score, topSpeed, pinches, segments } = outlineOf(summary);
    if (summary.mode === "count" || summary.mode === "coach") {
        const what = counted(summary.count ?? 0, "repetition");
        const exercise = summary.exercise && withinSentence(exerciseWords(summary.exercise));
        parts.push(exercise ? t("after.of", { what, exercise }) : what);
        if (summary.mode === "coach" && faulty > 0) parts.push(t("after.faulty", { n: faulty }));
    }
    if (throws > 0) {
        parts.push(counted(throws, "throw"), counted(score, "point"));
        if (topSpeed > 0) parts.push(t("after.topSpeed", { speed: speedOf({ speed_mps: topSpeed }, "speed") }));
    }
    if (summary.mode === "draw") parts.push(counted(pinches, "pinch"));
    if (segments > 0) parts.push(counted(segments, "action"));
    parts.push(clock(summary.duration));
    return parts.join(" · ");
}

/**
 * Shows the end of a run; `upload` is what the server said of the upload when there was one, `sets` what a plan came to.
 */
export function showAfter({ reason, kept, session, summary }, upload, sets = null) {
    element("after").hidden = false;
    say(element("after-title"), t(reason === "failed" ? "after.early" : "after.done"));
    const told = summary ? summaryWords(summary) : "";
    const where = t(kept || sets?.sessions.length > 0 ? "after.kept" : "after.notKept");
    const plan = sets?.results.length > 0
        ? t("plan.sum", { sets: counted(sets.results.length, "set"), counts: sets.results.join(", ") }) : "";
    say(element("after-text"), [plan || told, where].filter(Boolean).join(" · "));
    const links = [];
    for (const one of sets?.sessions ?? []) {
        if (one.session === session) continue;
        links.push(link(`review.html#${one.session}`, t("after.openSet", { set: one.set }), null));
    }
    for (const name of upload?.files ?? []) {
        if (summary?.mode === "draw" && !handFiles.includes(name)) continue;
        links.push(link(uploadAddress(upload.upload, name), fileWords(name), name));
    }
    if (kept && session) {
        const set = sets?.sessions.find((one) => one.session === session)?.set;
        links.push(link(`review.html#${session}`, set ? t("after.openSet", { set }) : t("after.open"), null));
        const what = listedIn(summary ?? {}) ?? t("after.events");
        const titles = { csv: t("after.table", { what }), png: t("after.chart") };
        for (const [format, title] of Object.entries(titles)) {
            if (summary?.exports?.includes(format)) links.push(link(exportAddress(session, format), title, ""));
        }
    }
    element("after-links").replaceChildren(...links);
    const rest = element("after").parentElement;
    // Makes room for the card where the window is upright, before it is scrolled into view.
    element("studio").style.setProperty("--card", `${element("after").offsetHeight}px`);
    // What came of a game stands first where both do not fit; upright they stand in the page's own order.
    if (!element("toss-summary").hidden && rest.scrollHeight > rest.clientHeight && rest.clientHeight > 0) {
        rest.scrollTop = 0;
    } else {
        element("after").scrollIntoView({ block: "nearest" });
    }
}

const link = (href, title, download) => make("li", {},
    make("a", download === null ? { className: "button", href } : { className: "button", href, download }, title));

export function hideAfter() {
    element("after").hidden = true;
}
