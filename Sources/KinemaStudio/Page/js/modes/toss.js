// Toss: a game of bean-bag toss.
import { announce } from "../announce.js";
import { BoardBox } from "../board-box.js";
import { element, list, make, onClick, say } from "../dom.js";
import { figureList, pathColours, pathOf, pathPicture, percent } from "../game.js";
import { decimal, t } from "../i18n.js";
import { strokeCircle, strokeLine } from "../pen.js";
import { plate } from "../review/shapes.js";
import { change, settings } from "../settings.js";
import { lengthOf, speedOf, unitOf, valueOf } from "../units.js";
import { counted, wordsOr } from "../words.js";
import { BigNumber } from "./readout.js";

const number = new BigNumber(element("toss-number"));
const pathSpan = 2000; // milliseconds a flight stays to be seen
const guideBox = [0.7, 0.3, 0.28, 0.3]; // where Apple's Action & Vision asks for the board
// The dial of Action & Vision: to 30 mph in metres a second, from 150° by 240°, clockwise.
const dial = { limit: 13.4, start: (5 * Math.PI) / 6, sweep: (4 * Math.PI) / 3, radius: 40 };
let rows = [];
let path = { points: [], at: -Infinity };
let game = null;
/** The board's box as the player dragged it; null while the studio finds it by itself. */
let boardBox = null;
let isMarking = false;
let seenBoard = null;
let box = null;

/** The kind of a throw and what was measured of it, as far as it is known. */
const factsOf = (one) => [[wordsOr(`toss.types.${one.type}`, one.type), percent(one.type_confidence)].filter(Boolean).join(" "),
    speedOf(one, "speed"), Number.isFinite(one.angle) ? `${Math.round(one.angle)}°` : "", lengthOf(one, "distance")].filter(Boolean);

function showThrows() {
    list(element("toss-throws"), rows, (row) => JSON.stringify([row.place, row.score, settings.units]), (row) => {
        const landed = make("span", { className: row.score > 0 ? "good" : "" }, `${wordsOr(`toss.landings.${row.landing}`, row.landing)} +${row.score}`);
        return make("li", {}, make("span", {}, `${row.place}. ${factsOf(row).join(" · ")}`), landed);
    });
}

// ---- the gauge

function arc(share) {
    const at = (angle) => `${(50 + dial.radius * Math.cos(angle)).toFixed(2)} ${(50 + dial.radius * Math.sin(angle)).toFixed(2)}`;
    const end = dial.start + dial.sweep * share;
    return `M${at(dial.start)}A${dial.radius} ${dial.radius} 0 ${dial.sweep * share > Math.PI ? 1 : 0} 1 ${at(end)}`;
}

function showGauge(last) {
    const speed = valueOf("speed", last);
    const isKnown = Number.isFinite(speed);
    const share = isKnown ? Math.min(Math.max(last.speed_mps / dial.limit, 0.001), 1) : 0.001;
    element("gauge-needle").setAttribute("d", arc(share));
    element("gauge-needle").toggleAttribute("hidden", !isKnown);
    say(element("gauge-speed"), isKnown ? decimal(speed, 1) : "–");
    say(element("gauge-unit"), unitOf("speed"));
    // The speed stands on the dial.
    const facts = last ? factsOf(last).filter((fact) => fact !== speedOf(last, "speed")) : [];
    list(element("gauge-facts"), facts, String, (fact) => make("li", {}, fact));
}

/** The points of a throw rise from where the bag ended. */
function popPoints({ score, point }) {
    const [x, y] = point ?? seenBoard?.hole ?? [0.5, 0.5];
    const isMirrored = element("overlay").dataset.mirrored === "true";
    const node = make("p", { className: `plus${score > 0 ? "" : " none"}` }, `+${score}`);
    node.style.left = `${100 * Math.min(Math.max(isMirrored ? 1 - x : x, 0.06), 0.94)}%`;
    node.style.bottom = `${100 * Math.min(Math.max(y, 0.05), 0.75)}%`;
    element("layer").append(node);
    node.addEventListener("animationend", () => node.remove());
    // Where nothing moves, as for who asked for that, it goes all the same.
    setTimeout(() => node.remove(), 2500);
}

// ---- the summary

function showSummary() {
    const isOver = game !== null && rows.length > 0;
    element("toss-summary").hidden = !isOver;
    element("toss-again").hidden = !isOver;
    if (!isOver) return;
    element("toss-figures").replaceChildren(figureList(game), pathPicture(rows.toReversed(), game));
}

// ---- the board's box

function showBox(guide) {
    if (isMarking) {
        // While the player moves it nobody else does.
        if (!box?.isShown) box?.show(boardBox ?? seenBoard?.box ?? guide ?? guideBox);
    } else if (guide) box?.show(boardBox ?? guide);
    else box?.hide();
    element("toss-mark").setAttribute("aria-pressed", isMarking);
    element("toss-find").hidden = boardBox === null;
}

/** Wires what is chosen; `changed` hears that the game is to begin anew, `again` that another is wanted. */
export function prepareToss(changed, again) {
    element("gauge-dial").setAttribute("d", arc(1));
    const take = (found, words) => {
        [boardBox, isMarking] = [found, false];
        showBox(null);
        say(element("toss-board"), words);
        changed();
    };
    box = new BoardBox((value) => take(value.map((one) => Number(one.toFixed(4))), t("toss.searched")), () => element("overlay").dataset.mirrored === "true");
    const mark = () => {
        isMarking = !isMarking;
        showBox(null);
        if (isMarking) box.focus();
        say(element("toss-board"), isMarking ? t("toss.drag") : "");
    };
    onClick({ "toss-mark": mark, "toss-find": () => take(null, ""), "toss-again": again });
    for (const [id, name] of [["toss-direction", "direction"], ["toss-length", "throws"]]) {
        element(id).value = settings[name];
        element(id).addEventListener("change", ({ target }) => {
            change(name, target.value);
            changed();
        });
    }
    element("toss-classifier").addEventListener("change", changed);
}

export const toss = {
    options: () => ({
        direction: settings.direction, throws: settings.throws, people: settings.people,
        ...(element("toss-classifier").value ? { classifier: element("toss-classifier").value } : {}),
        ...(boardBox ? { board: boardBox } : {}),
    }),

    reset() {
        rows = [];
        path = { points: [], at: -Infinity };
        game = seenBoard = null;
        number.show(0);
        say(element("toss-phase"), t("phases.ready"));
        showThrows();
        showGauge(null);
        showSummary();
        showBox(null);
    },

    result({ toss: seen }) {
        if (!seen) return;
        seenBoard = seen.board ?? seenBoard;
        number.show(seen.total ?? 0);
        if (seen.path?.length) path = { points: seen.path, at: performance.now() };
        const made = seen.count ?? rows.length;
        say(element("toss-phase"), made > 0
            ? (seen.most ? t("toss.made", { made, n: seen.most }) : counted(made, "throw")) : wordsOr(`toss.states.${seen.state ?? "ready"}`, seen.state ?? "ready"));
        showBox(seen.guide ?? null);
        if (!seen.game || game) return;
        game = seen.game;
        showSummary();
        announce(t("toss.over", { points: counted(seen.total, "point") }));
    },

    event(message) {
        if (message.type !== "throw") return;
        const made = message.throw;
        rows = [{ ...made, place: made.number ?? rows.length + 1 }, ...rows].slice(0, 50);
        showThrows();
        showGauge(made);
        popPoints(made);
        const parts = [wordsOr(`toss.landings.${made.landing}`, made.landing), counted(made.score, "point"), wordsOr(`toss.types.${made.type}`, made.type)];
        announce(parts.join(", "));
    },

    /** Other units were chosen. */
    refresh() {
        showThrows();
        showGauge(rows[0]);
        showSummary();
    },

    finish(summary) {
        game = summary.game ?? null;
        isMarking = false;
        showBox(null);
        const throws = summary.throws ?? [];
        // A throw that became certain only at the end was reported with it.
        rows = throws.map((one, index) => ({ ...one, place: one.number ?? index + 1 })).toReversed();
        showThrows();
        if (throws.length > 0) showGauge(throws.at(-1));
        number.show(throws.reduce((sum, { score }) => sum + score, 0));
        say(element("toss-phase"), throws.length > 0 ? counted(throws.length, "throw") : t("phases.done"));
        showSummary();
    },

    paint(surface, { toss: seen }) {
        if (!seen) return;
        const { context, short } = surface;
        context.lineJoin = context.lineCap = "round";
        if (seen.line) paintLine(surface, seen.line);
        if (seen.player?.box) frame(surface, seen.player.box);
        if (seen.board) traceLine(surface, seen.board.corners, "#ffa81e", 0.006, true);
        if (seen.board?.hole) strokeCircle(context, surface.place(...seen.board.hole), 0.02 * short, "#ffa81e", short * 0.006);
        if (game) {
            rows.toReversed().forEach((one, index) =>
                paintPath(surface, pathOf(one), pathColours[index % pathColours.length]));
        } else if (performance.now() - path.at < pathSpan) {
            paintPath(surface, path.points, "#ffffff");
        }
    },
};

function paintPath(surface, points, style) {
    if (points.length < 2) return;
    traceLine(surface, points, "rgb(255 255 255 / 35%)", 0.022);
    traceLine(surface, points, style, 0.008);
}

/** A line through normalised points, its width a share of the picture's shorter side. */
const traceLine = ({ context, short, place }, points, style, share, isClosed) =>
    strokeLine(context, points.map((at) => place(...at)), style, share * short, isClosed);

/** The player's box. */
function frame(surface, [x, y, width, height]) {
    traceLine(surface, [[x, y], [x + width, y], [x + width, y + height], [x, y + height]], "rgb(255 255 255 / 80%)", 0.004, true);
}

/** The line to throw from, with its distance from the hole. */
function paintLine(surface, { ends, ...line }) {
    const distance = lengthOf(line, "distance", settings.units === "imperial" ? 0 : 1);
    traceLine(surface, ends, "rgb(0 0 0 / 50%)", 0.012);
    traceLine(surface, ends, "#ffffff", 0.006);
    const [x, y] = ends.map((end) => surface.place(...end)).reduce((near, end) => (end[1] > near[1] ? end : near));
    plate(surface, distance, [x, y + surface.short * 0.05], "#ffffff");
}
