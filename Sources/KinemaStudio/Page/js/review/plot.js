// What curves and tables are made of: scales, lines that break at gaps, and few enough points.
import { draw, make } from "../dom.js";

/** The smallest step of 1, 2 or 5 times a power of ten of which at most `most` fit. */
export function niceStep(span, most) {
    const power = 10 ** Math.floor(Math.log10(span / most));
    return [1, 2, 5, 10].map((part) => part * power).find((step) => span / step <= most);
}

/** The lowest and highest known value, widened to whole tens. */
export function spanOf(lists) {
    let [low, high] = [Infinity, -Infinity];
    for (const list of lists) {
        for (const value of list) {
            if (value < low) low = value;
            if (value > high) high = value;
        }
    }
    if (low > high) return [0, 180];
    return [Math.max(0, Math.floor((low - 5) / 10) * 10), Math.ceil((high + 5) / 10) * 10];
}

/** The path of a line through known values, at most about two points a pixel: the lowest and highest of each column. */
export function pathOf(times, values, { x, y, from, to }) {
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
    for (let at = from; at < to; at += 1) {
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

export const text = (x, y, anchor, words, name = "label") =>
    draw("text", { x, y, "text-anchor": anchor, class: name }, words);
export const rule = (x1, y1, x2, y2, name = "axis") => draw("line", { x1, y1, x2, y2, class: name });

/** A table with its rows as texts; what it shows is said to those who cannot see it. */
export const tableOf = (caption, heads, rows) => make("table", {}, make("caption", { className: "unseen" }, caption),
    make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))),
    make("tbody", {}, ...rows.map((cells) => make("tr", {}, ...cells.map((cell) => make("td", {}, cell))))));
