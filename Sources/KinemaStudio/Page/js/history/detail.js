// One session: its chart, its tables, its exports, and deleting it.
import { deleteSession, exportAddress, session as askSession } from "../api.js";
import { summaryWords } from "../after.js";
import { element, make, say } from "../dom.js";
import { figureList, pathPicture, percent } from "../game.js";
import { faultWords, fileWords, named, plural, secondsOf } from "../words.js";
import { bars } from "./charts.js";

const dialog = element("detail");
const decimals = (value, places, unit = "") => (Number.isFinite(value) ? `${value.toFixed(places)}${unit}` : "–");
let open = null;

/** What a session is called in a list. */
export const titleOf = (session) =>
    session.exercise ? named(session.exercise) : { count: "repetitions", coach: "coached", draw: "drawing",
        toss: "bean-bag toss", classify: "actions", poses: "poses" }[session.mode] ?? session.mode;

function table(caption, heads, rows) {
    return make("div", { className: "table-room", tabIndex: 0, role: "region", ariaLabel: caption }, make("table", {},
        make("caption", { className: "unseen" }, caption),
        make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))),
        make("tbody", {}, ...rows.map((cells) => make("tr", {}, ...cells.map((cell) => make("td", {}, cell)))))));
}

function repetitions(session) {
    // A position held counts as one repetition.
    const rows = [...session.repetitions ?? [], ...session.holds ?? []].toSorted((a, b) => a.start - b.start);
    if (rows.length === 0) return [];
    const chart = bars({
        title: "Seconds a repetition", first: "Repetition", second: "Seconds", unit: "s",
        note: rows.some((row) => row.faults?.length) ? "Red: with something to change" : "",
        rows: rows.map((row, index) => ({
            label: String(index + 1), value: secondsOf(row), isFaulty: (row.faults ?? []).length > 0 })),
    });
    const several = new Set(rows.map((row) => row.id)).size > 1;
    const cells = rows.map((row, index) => [
        String(index + 1), ...(several ? [String(row.id)] : []),
        decimals(row.start, 1), decimals(secondsOf(row), 1), decimals((row.depth ?? NaN) * 100, 0, " %"),
        (row.faults ?? []).map(faultWords).join(", ") || "–",
    ]);
    const heads = ["No.", ...(several ? ["Person"] : []), "At, s", "Took, s", "Depth", "To change"];
    return [chart, table("Repetitions", heads, cells)];
}

function throws(session) {
    const rows = session.throws ?? [];
    if (rows.length === 0) return [];
    const heads = ["No.", "Throw", "Sure", "Speed, m/s", "Angle", "Distance, ft", "Landed", "Points"];
    return [figureList(session.game), pathPicture(rows, session.game), table("Throws", heads, rows.map((one, index) => [
        String(index + 1), named(one.type), percent(one.type_confidence) || "–", decimals(one.speed_mps, 1),
        decimals(one.angle, 0, "°"), decimals(one.distance_ft ?? NaN, 1), named(one.landing), String(one.score)]))];
}

function segments(session) {
    const rows = session.segments ?? [];
    if (rows.length === 0) return [];
    return [table("Actions", ["From, s", "To, s", "Action", "Sure"], rows.map((one) => [
        decimals(one.start, 1), decimals(one.end, 1), one.label ? named(one.label) : "none of the classes", decimals(one.confidence * 100, 0, " %")]))];
}

function drawing(session) {
    if (!session.drawing) return [];
    // As a picture, not as part of the page: whatever a drawing holds can do nothing there.
    const source = URL.createObjectURL(new Blob([session.drawing], { type: "image/svg+xml" }));
    const alt = `Drawing of ${plural((session.pinches ?? []).length, "pinch", "pinches")}`;
    return [make("img", { className: "drawing", src: source, alt })];
}

/** Opens a session by its number; throws what the server says when there is none. */
export async function showDetail(id) {
    const session = await askSession(id);
    open = session;
    const title = titleOf(session);
    say(element("detail-title"), title[0].toUpperCase() + title.slice(1));
    const when = new Date(session.date).toLocaleString(undefined, { dateStyle: "full", timeStyle: "short" });
    say(element("detail-when"), `${when} · ${session.source} · ${summaryWords(session)}`);
    element("detail-body").replaceChildren(
        ...drawing(session), ...repetitions(session), ...throws(session), ...segments(session));
    element("detail-exports").replaceChildren(...session.exports.map((format) => make("li", {},
        make("a", { className: "button", href: exportAddress(id, format), download: "" }, fileWords(format)))));
    if (!dialog.open) dialog.showModal();
}

/** Wires the dialog; `deleted` hears of a session that is gone, `closed` of the dialog shut. */
export function prepareDetail(deleted, closed, failed) {
    const confirm = element("confirm");
    element("detail-close").addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", closed);
    element("detail-delete").addEventListener("click", () => {
        say(element("confirm-text"), `${element("detail-title").textContent}, ${element("detail-when").textContent}. `
            + "This cannot be undone.");
        confirm.returnValue = "keep";
        confirm.showModal();
        element("confirm-keep").focus();
    });
    confirm.addEventListener("close", async () => {
        if (confirm.returnValue !== "delete" || !open) return;
        try {
            await deleteSession(open.id);
            dialog.close();
            deleted(open.id);
        } catch (error) {
            dialog.close();
            failed(error.message);
        }
    });
}
