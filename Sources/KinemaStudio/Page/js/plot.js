// What all curves and tables are made of: where values lie, axes, bands, lines that break at gaps and few enough points.
import { draw, make } from "./dom.js";

/** The smallest step of 1, 2 or 5 times a power of ten of which at most `most` fit. */
export function niceStep(span, most) {
    const power = 10 ** Math.floor(Math.log10(span / most));
    return [1, 2, 5, 10].map((part) => part * power).find((step) => span / step <= most);
}

/** The multiples of a step from a number to another. */
export const roundsOf = (low, high, step) =>
    Array.from({ length: Math.max(0, Math.floor(high / step) - Math.ceil(low / step) + 1) }, (_, at) => (Math.ceil(low / step) + at) * step);

/** The lowest and highest known value, widened to whole tens. */
export function spanOf(lists) {
    let [low, high] = [Infinity, -Infinity];
    for (const value of lists.flatMap((list) => [...list])) {
        if (value < low) low = value;
        if (value > high) high = value;
    }
    if (low > high) return [0, 180];
    return [Math.max(0, Math.floor((low - 5) / 10) * 10), Math.ceil((high + 5) / 10) * 10];
}

/** The path of a line through known values, at most about two points a pixel: the lowest and highest of each column. */
export function pathOf(times, values, { x, y }, first = 0, last = values.length) {
    let [path, column] = ["", null];
    const flush = () => {
        if (!column) return;
        const order = column.low.time <= column.high.time ? [column.low, column.high] : [column.high, column.low];
        for (const { time, value } of order[0].time === order[1].time ? [order[0]] : order) {
            path += `${path && !column.breaks ? "L" : "M"}${x(time).toFixed(1)} ${y(value).toFixed(1)}`;
            column.breaks = false;
        }
        column = null;
    };
    let breaks = false;
    for (let at = first; at < last; at += 1) {
        const [time, value] = [times[at], values[at]];
        if (!Number.isFinite(value)) {
            flush();
            breaks = true;
            continue;
        }
        const pixel = Math.floor(x(time));
        if (column && column.pixel !== pixel) flush();
        column ??= { pixel, breaks, low: { time, value }, high: { time, value } };
        breaks = false;
        if (value < column.low.value) column.low = { time, value };
        if (value > column.high.value) column.high = { time, value };
    }
    flush();
    return path;
}

/** Where places from `from` to `to` and values from `low` to `high` lie within a picture's margins. */
export function area({ width, height, left = 40, right = 10, top = 12, bottom = 26, ...ends }) {
    const { from, to, low, high } = ends;
    const [wide, floor] = [width - left - right, height - bottom];
    return { width, height, left, right, top, floor, ...ends,
        x: (place) => left + ((place - from) / (to - from)) * wide,
        y: (value) => floor - ((value - low) / (high - low)) * (floor - top),
        placeAt: (across) => from + ((across - left) / wide) * (to - from) };
}

export const text = (x, y, anchor, words, name = "label") =>
    draw("text", { x, y, "text-anchor": anchor, class: name }, words);
export const rule = (x1, y1, x2, y2, name = "axis") => draw("line", { x1, y1, x2, y2, class: name });
const across = ({ left, width, right, y }, value, name) => rule(left, y(value), width - right, y(value), name);

/** Lines at round values, at most five with room for their words, and words `[place, words, anchor]` below; without `write` the lowest alone. */
export function axes(room, ticks, write) {
    const { low, high, left, height, top, floor, x, y } = room;
    const below = ticks.map(([place, words, anchor = "middle"]) => text(x(place), height - 6, anchor, words));
    if (!write) return [across(room, low), ...below];
    const step = niceStep(high - low, Math.min(5, Math.max(1, (floor - top) / 16)));
    return [...roundsOf(low, high, step).flatMap((value) => [across(room, value), text(left - 6, y(value) + 4, "end", write(value))]), ...below];
}

/** A value to be reached, with words or without. */
export const goalMark = (room, value, words) =>
    [across(room, value, "goal-mark"), ...words ? [text(room.left + 4, room.y(value) - 5, "start", words)] : []];

/** Values as dots that a line joins. */
export const courseOf = (room, points, r = 4) => [
    draw("path", { class: "curve-line", d: pathOf(...[0, 1].map((at) => points.map((point) => point[at])), room) }),
    ...points.map(([place, value]) => draw("circle", { class: "dot-mark", cx: room.x(place).toFixed(1), cy: room.y(value).toFixed(1), r })),
];

const ends = ({ x, from, to }, { start, end }) => [x(Math.max(start, from)), x(Math.min(end, to))];

/** What is in view of some stretches. */
export const inView = ({ from, to }, stretches) => stretches.filter(({ start, end }) => end > from && start < to);

/** A stretch as a band. */
export function bandOf(room, stretch, { y = 4, height = room.floor - 4, ...attributes }) {
    const [left, right] = ends(room, stretch);
    return draw("rect", { x: left + 1, y, width: Math.max(1, right - left - 2), height, rx: 6, ...attributes });
}

/** The words of the stretches that have room for theirs, in the middle of each. */
export function wordsOf(room, stretches, read) {
    let free = -Infinity;
    return stretches.flatMap((one) => {
        const [middle, wide] = [(ends(room, one)[0] + ends(room, one)[1]) / 2, String(read(one)).length * 9];
        if (middle - wide / 2 < free) return [];
        free = middle + wide / 2 + 6;
        return [text(middle, 18, "middle", read(one), "place")];
    });
}

/** The picture of an area; without words it says nothing to those who cannot see it. */
export const picture = ({ width, height }, words, parts, attributes = {}) => draw("svg", { viewBox: `0 0 ${width} ${height}`,
    ...words ? { role: "img", "aria-label": words } : { "aria-hidden": "true" }, ...attributes }, ...parts);

/** A table; what it shows is said to those who cannot see it. A row's name may be a cell of its own. */
export const tableOf = (caption, heads, rows) => make("table", {}, make("caption", { className: "unseen" }, caption),
    make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))),
    make("tbody", {}, ...rows.map((cells) => make("tr", {}, ...cells.map((cell) => (cell.tagName === "TH" ? cell : make("td", {}, cell)))))));

/** A row's name. */
export const rowName = (words) => make("th", { scope: "row" }, words);

/** A table that scrolls in its own room. */
export const tableRoom = (caption, heads, rows) =>
    make("div", { className: "table-room", tabIndex: 0, role: "region", ariaLabel: caption }, tableOf(caption, heads, rows));
