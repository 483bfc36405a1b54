// The card after a run: what came of it, its best and worst repetition, its name, and the way to its review.
import { exportAddress, uploadAddress } from "./api.js";
import { showDetails } from "./details.js";
import { cardsOf, element, make, say } from "./dom.js";
import { decimal, has, t } from "./i18n.js";
import { playLoop } from "./loops.js";
import { isSet, outlineOf } from "./outline.js";
import { readMeasured } from "./review/poses.js";
import { settings } from "./settings.js";
import { speedOf } from "./units.js";
import { atJoint, clock, counted, depthWords, detailWords, fileWords, nameOf, withinSentence } from "./words.js";

const longest = 300; // seconds of a set whose poses are read for its card
/** Those for sessions of hands only. */
const handFiles = ["overlay.mp4", "poses.jsonl"];
/** The list of a mode's events in a session. */
const happenings = {
    count: "repetitions", coach: "repetitions", draw: "pinches", toss: "throws", classify: "segments",
};

/** A session's result in a line. */
export function summaryWords(summary) {
    const parts = [];
    const { faulty, throws, score, topSpeed, pinches, segments } = outlineOf(summary);
    if (isSet(summary)) {
        const what = counted(summary.count ?? 0, "repetition");
        const name = nameOf(summary);
        const exercise = name && (summary.details?.name || !has(`exercises.${summary.exercise}`) ? name : withinSentence(name));
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
 * Shows the end of a run; `shown` is the count before it, `upload` what the server said of the upload when there was one,
 * `sets` what a plan came to.
 */
export function showAfter({ reason, kept, session, summary, shown, continued }, upload, sets = null) {
    element("after").hidden = false;
    const isKept = kept || sets?.sessions.length > 0;
    say(element("after-title"), t(reason === "failed" || sets?.isStopped ? "after.early" : "after.done"));
    const told = summary ? summaryWords(summary) : "";
    const corrected = summary?.mode === "count" && !continued && shown !== summary.count ? [t("after.corrected", { n: shown })] : [];
    const plan = sets?.results.length > 0
        ? t(sets.isStopped ? "plan.stopped" : "plan.sum", { sets: counted(sets.results.length, "set"), all: sets.all, counts: sets.results.join(", ") }) : "";
    const words = plan ? [plan] : [told, ...corrected, ...detailWords(summary?.details)];
    say(element("after-text"), [...words, t(isKept ? "after.kept" : "after.notKept")].filter(Boolean).join(" · "));
    const review = kept && session ? session : sets?.sessions.at(-1)?.session;
    element("after-review").hidden = !review;
    element("after-review").href = `review.html#${review}`;
    const links = [];
    for (const one of sets?.sessions ?? []) {
        if (sets.sessions.length > 1) links.push(link(`review.html#${one.session}`, t("after.openSet", { set: one.set }), null));
    }
    const others = [];
    for (const name of upload?.files ?? []) {
        if (summary?.mode === "draw" && !handFiles.includes(name)) continue;
        (name === "overlay.mp4" ? links : others).push(link(uploadAddress(upload.upload, name), fileWords(name), name));
    }
    if (kept && session) {
        const events = happenings[summary?.mode];
        const what = t(summary?.[events]?.length > 0 ? `after.${events}` : "after.events");
        const titles = { csv: t("after.table", { what }), png: t("after.chart") };
        for (const [format, title] of Object.entries(titles)) {
            if (summary?.exports?.includes(format)) links.push(link(exportAddress(session, format), title, ""));
        }
    }
    if (others.length > 0) links.push(make("li", { className: "others" }, t("after.others"), make("ul", { className: "links" }, ...others)));
    element("after-menu").hidden = links.length === 0;
    element("after-menu").open = false;
    element("after-links").replaceChildren(...links);
    const done = sets?.sessions.length > 0 ? sets.sessions : [{ session, details: summary?.details }];
    showDetails(kept && isSet(summary) ? done : [], summary);
    showSet(summary, kept);
    reveal();
}

function reveal() {
    const rest = element("after").parentElement;
    // Makes room for the card where the window is upright, before it is scrolled into view.
    element("studio").style.setProperty("--card", `${element("after").offsetHeight}px`);
    if (rest.clientHeight > 0) rest.scrollTop = 0;
    else element("after").scrollIntoView({ block: "nearest" });
}

/** Range and tempo of a set, and its best and worst repetition as loops where poses were kept. */
async function showSet(summary, kept) {
    element("after-loops").hidden = true;
    const { seconds, depth, joint, range } = outlineOf(summary ?? {});
    const rows = [Number.isFinite(range) && [atJoint(joint, t("after.range")), `${decimal(range)}°`], depth && [t("after.depth"), depthWords(depth, "after.share")],
        seconds && [t("after.tempo"), t("after.each", { n: decimal(seconds, 1) })], settings.instruments && summary?.model && [t("after.model"), summary.model]];
    element("after-facts").replaceChildren(...cardsOf(rows.filter(Boolean)));
    element("after-facts").hidden = element("after-facts").children.length === 0;
    const isShort = kept && summary?.hasPoses && summary.duration <= longest && summary.repetitions?.length > 0;
    const set = isShort ? await readMeasured(summary).catch(() => null) : null;
    if (!set || element("after").hidden) return;
    const pair = Object.entries({ best: set.repetitions.find(({ isBest }) => isBest), worst: set.repetitions.find(({ isWeakest }) => isWeakest) });
    if (pair.some(([, one]) => !one)) return reveal();
    element("after-loops").replaceChildren(...pair.map(([name, one]) => {
        const canvas = make("canvas", { width: 220, height: 220, role: "img" });
        const words = [t("after.place", { place: one.place }), Number.isFinite(one.measured.range) && `${decimal(one.measured.range)}°`].filter(Boolean).join(" · ");
        canvas.setAttribute("aria-label", `${t(`after.${name}`)}: ${words}`);
        playLoop(canvas, set, one);
        return make("li", {}, canvas, make("span", {}, make("b", {}, t(`after.${name}`)), make("small", {}, words)));
    }));
    element("after-loops").hidden = false;
    return reveal();
}

const link = (href, title, download) => make("li", {}, make("a", { className: "button", href, download }, title));

export function hideAfter() {
    element("after").hidden = true;
    element("after-loops").replaceChildren();
}
