// A chart as SVG, with its numbers as a table for screen readers.
import { draw, make } from "../dom.js";
import { t } from "../i18n.js";

const size = { width: 480, height: 200, left: 40, right: 8, top: 12, bottom: 26 };
const most = 12; // labels under an axis

/** A value rounded up to a small number times a power of ten, so that an axis ends at a round number. */
function roundTop(value) {
    if (!(value > 0)) return 1;
    const power = 10 ** Math.floor(Math.log10(value));
    return [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((top) => top >= value * 0.999);
}

const short = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 1 : 0));

function frame(rows, unit, goal = 0) {
    const top = roundTop(Math.max(...rows.map((row) => row.value), goal, 0));
    const inner = size.width - size.left - size.right;
    const step = inner / Math.max(rows.length, 1);
    const x = (index) => size.left + step * (index + 0.5);
    const y = (value) => size.height - size.bottom - (value / top) * (size.height - size.top - size.bottom);
    const parts = [0, top / 2, top].flatMap((value) => [
        draw("line", { class: "axis", x1: size.left, x2: size.width - size.right, y1: y(value), y2: y(value) }),
        label(size.left - 6, y(value) + 4, "end", `${short(value)}${unit === "%" ? "%" : ""}`),
    ]);
    const every = Math.ceil(rows.length / most);
    rows.forEach((row, index) => {
        if (index % every === 0) parts.push(label(x(index), size.height - 6, "middle", row.label));
    });
    return { parts, x, y };
}

const label = (x, y, anchor, text) => draw("text", { x, y, "text-anchor": anchor }, text);

function figure({ title, note, rows, unit, first, second }, parts) {
    const last = rows.length > 0 ? `${short(rows.at(-1).value)} ${unit ?? ""}`.trim() : t("history.chart.noneAria");
    const told = t("history.chart.aria", { title, n: rows.length, last });
    const viewBox = `0 0 ${size.width} ${size.height}`;
    const picture = draw("svg", { viewBox, role: "img", "aria-label": told }, ...parts);
    const table = make("table", {},
        make("caption", { className: "unseen" }, title),
        make("thead", {}, make("tr", {}, make("th", { scope: "col" }, first),
            make("th", { scope: "col", className: "number" }, second ?? title))),
        make("tbody", {}, ...rows.map((row) => make("tr", {}, make("td", {}, row.name ?? row.label),
            make("td", { className: "number" }, `${short(row.value)}${unit ? ` ${unit}` : ""}`)))));
    return make("figure", { className: "chart" },
        make("figcaption", {}, title, note ? make("small", {}, note) : null), picture,
        make("details", {}, make("summary", {}, t("history.chart.table")),
            make("div", { className: "table-room", tabIndex: 0, role: "region", ariaLabel: t("history.chart.tableOf", { title }) },
                table)));
}

/** Values joined by a line, in the order given: rows `{label, value, name?}`, a `goal` or none. */
export function line(chart) {
    const { parts, x, y } = frame(chart.rows, chart.unit, chart.goal);
    if (chart.goal > 0) {
        parts.push(draw("line", { class: "goal-mark", x1: size.left, x2: size.width - size.right, y1: y(chart.goal), y2: y(chart.goal) }),
            label(size.width - size.right, y(chart.goal) - 5, "end", t("history.trend.goalOf", { n: short(chart.goal) })));
    }
    const points = chart.rows.map((row, index) => `${x(index).toFixed(1)},${y(row.value).toFixed(1)}`);
    parts.push(draw("polyline", { class: "line-mark", points: points.join(" ") }));
    chart.rows.forEach((row, index) =>
        parts.push(draw("circle", { class: "dot-mark", cx: x(index), cy: y(row.value), r: 4 })));
    return figure(chart, parts);
}
