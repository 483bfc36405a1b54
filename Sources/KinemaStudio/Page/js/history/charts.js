// A measure over the weeks as SVG, with its numbers as a table for screen readers.
import { make } from "../dom.js";
import { t } from "../i18n.js";
import { area, axes, courseOf, goalMark, niceStep, picture, tableRoom } from "../plot.js";

const most = 12; // labels under an axis
const short = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 1 : 0));

/** Values joined by a line, in the order given: rows `{label, value, name?}`, a `goal` or none. */
export function line({ title, note, rows, unit, goal = 0, first }) {
    const values = rows.map(({ value }) => value);
    const highest = Math.max(...values, goal) || 1;
    const step = niceStep(highest, 5);
    const room = area({ width: 480, height: 200, from: -0.5, to: rows.length - 0.5, low: 0, high: step * Math.ceil(highest / step) });
    const every = Math.ceil(rows.length / most);
    const labels = rows.flatMap(({ label }, at) => (at % every === 0 ? [[at, label]] : []));
    const written = (value) => `${short(value)} ${unit ?? ""}`.trim();
    const words = t("history.chart.aria", { title, n: rows.length, last: written(values.at(-1)) });
    return make("figure", { className: "chart" }, make("figcaption", {}, title, make("small", {}, note)),
        picture(room, words, [...axes(room, labels, (value) => `${short(value)}${unit === "%" ? "%" : ""}`),
            ...goal > 0 ? goalMark(room, goal, t("history.trend.goalOf", { n: short(goal) })) : [], ...courseOf(room, [...values.entries()])]),
        make("details", {}, make("summary", {}, t("history.chart.table")), tableRoom(t("history.chart.tableOf", { title }), [first, title],
            rows.map((row) => [row.name ?? row.label, written(row.value)]))));
}
