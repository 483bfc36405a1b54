// After a run: what it came to, and what can be taken away.
import { exportAddress, uploadAddress } from "./api.js";
import { element, make, say } from "./dom.js";
import { clock, fileWords, named, plural } from "./words.js";

/** Those that make sense where only hands were looked for. */
const handFiles = ["overlay.mp4", "poses.jsonl"];
/** Where a mode's session has what happened in it, and what that is called. */
const happenings = {
    count: ["repetitions", "Repetitions"], coach: ["repetitions", "Repetitions"], draw: ["pinches", "Pinches"],
    toss: ["throws", "Throws"], classify: ["segments", "Actions"],
};

/** What a session's table lists, in a word; null when nothing happened that could be listed. */
export function listedIn(session) {
    const [key, word] = happenings[session.mode] ?? [];
    return session[key]?.length > 0 ? word : null;
}

/** What a session came to, in a line. */
export function summaryWords(summary) {
    const parts = [];
    if (summary.mode === "count" || summary.mode === "coach") {
        const what = summary.exercise ? ` of ${named(summary.exercise)}` : "";
        parts.push(plural(summary.count ?? 0, "repetition") + what);
        const faulty = (summary.repetitions ?? []).filter((repetition) => repetition.faults?.length > 0).length;
        if (summary.mode === "coach" && faulty > 0) parts.push(`${faulty} with something to change`);
    }
    if (summary.throws?.length) {
        parts.push(plural(summary.throws.length, "throw"));
        parts.push(plural(summary.throws.reduce((sum, { score }) => sum + score, 0), "point"));
        if (summary.game?.top_speed_mph > 0) parts.push(`top speed ${summary.game.top_speed_mph.toFixed(1)} mph`);
    }
    if (summary.mode === "draw") parts.push(plural(summary.pinches?.length ?? 0, "pinch", "pinches"));
    if (summary.segments?.length) parts.push(plural(summary.segments.length, "action"));
    parts.push(clock(summary.duration));
    return parts.join(" · ");
}

/** Shows the end of a run; `upload` is what the server said of the upload when there was one. */
export function showAfter({ reason, kept, session, summary }, upload) {
    element("after").hidden = false;
    say(element("after-title"), reason === "failed" ? "Ended early" : "Done");
    const told = summary ? summaryWords(summary) : "";
    const where = kept ? "Kept in the history." : "Not kept in the history.";
    say(element("after-text"), [told, where].filter(Boolean).join(" · "));
    const links = [];
    for (const name of upload?.files ?? []) {
        if (summary?.mode === "draw" && !handFiles.includes(name)) continue;
        links.push(link(uploadAddress(upload.upload, name), fileWords(name), name));
    }
    if (kept && session) {
        links.push(link(`history.html#${session}`, "Open in history", null));
        const titles = { csv: `${listedIn(summary ?? {}) ?? "Events"}, CSV`, png: "Chart" };
        for (const [format, title] of Object.entries(titles)) {
            if (summary?.exports?.includes(format)) links.push(link(exportAddress(session, format), title, ""));
        }
    }
    element("after-links").replaceChildren(...links);
    const rest = element("after").parentElement;
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
