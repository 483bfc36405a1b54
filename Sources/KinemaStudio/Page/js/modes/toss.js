// Toss: a game of bean-bag toss.
import { announce } from "../announce.js";
import { element, list, make, say } from "../dom.js";
import { named, plural } from "../words.js";
import { BigNumber } from "./readout.js";

const number = new BigNumber(element("toss-number"));
const pathSpan = 2000; // milliseconds a flight stays to be seen
let rows = [];
let path = { points: [], at: -Infinity };

function speed({ speed_mps: metres, speed_mph: miles }) {
    if (!Number.isFinite(metres)) return "";
    return `${metres.toFixed(1)} m/s${Number.isFinite(miles) ? ` (${miles.toFixed(0)} mph)` : ""}`;
}

function showThrows() {
    list(element("toss-throws"), rows, (row) => row.place, (row) => {
        const facts = [`${row.place}. ${named(row.type)}`, speed(row),
            Number.isFinite(row.angle) ? `${Math.round(row.angle)}°` : ""].filter(Boolean).join(" · ");
        const landed = make("span", { className: row.score > 0 ? "good" : "" }, `${named(row.landing)} +${row.score}`);
        return make("li", {}, make("span", {}, facts), landed);
    });
}

export const toss = {
    options: () => ({}),

    reset() {
        rows = [];
        path = { points: [], at: -Infinity };
        number.show(0);
        say(element("toss-phase"), "ready");
        showThrows();
    },

    result({ toss: game }) {
        if (!game) return;
        number.show(game.total ?? 0);
        if (game.path?.length) path = { points: game.path, at: performance.now() };
        const made = game.count ?? rows.length;
        say(element("toss-phase"), made > 0 ? plural(made, "throw") : named(game.state) || "ready");
    },

    event(message) {
        if (message.type !== "throw") return;
        const made = message.throw;
        rows = [{ ...made, place: rows.length + 1 }, ...rows].slice(0, 50);
        showThrows();
        announce(`${named(made.landing)}, ${plural(made.score, "point")}`);
    },

    paint(surface, { toss: game }) {
        if (!game) return;
        const { context, short } = surface;
        context.lineJoin = context.lineCap = "round";
        if (game.board) outline(surface, game.board.corners, "#ffa81e", short * 0.006, true);
        if (game.board?.hole) mark(surface, game.board.hole);
        if (path.points.length > 1 && performance.now() - path.at < pathSpan) {
            outline(surface, path.points, "rgb(255 255 255 / 35%)", short * 0.022, false);
            outline(surface, path.points, "#ffffff", short * 0.008, false);
        }
    },
};

function outline({ context, place }, points, style, width, closed) {
    context.strokeStyle = style;
    context.lineWidth = width;
    context.beginPath();
    points.forEach(([x, y], index) => (index ? context.lineTo(...place(x, y)) : context.moveTo(...place(x, y))));
    if (closed) context.closePath();
    context.stroke();
}

function mark({ context, short, place }, [x, y]) {
    context.strokeStyle = "#ffa81e";
    context.lineWidth = short * 0.006;
    context.beginPath();
    context.arc(...place(x, y), 0.02 * short, 0, 2 * Math.PI);
    context.stroke();
}
