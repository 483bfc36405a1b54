// Numbers over the set: each with how it went from the first repetition to the last.
import { draw, element, make } from "../dom.js";
import { decimal, t } from "../i18n.js";
import { angle, angleName, factName, percent, seconds } from "./names.js";
import { on, state } from "./state.js";

const size = { width: 240, height: 64, edge: 6 };
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** What can be said of a set; values are null where joints were not sure. */
const measures = {
    range: { read: ({ measured }) => measured.range, write: angle },
    depth: { read: ({ depth }) => depth ?? null, write: percent },
    took: { read: ({ start, end }) => end - start, write: seconds },
    out: { read: ({ measured }) => measured.parts?.out ?? null, write: seconds },
    pause: { read: ({ measured }) => measured.parts?.pause ?? null, write: seconds },
    back: { read: ({ measured }) => measured.parts?.back ?? null, write: seconds },
    symmetry: { read: ({ measured }) => measured.symmetry, write: percent },
    peak: { read: ({ measured }) => measured.peak, write: (value) => `${angle(value)}/s` },
};

/** The slope of the line that fits the values best, a repetition (least squares). */
function slopeOf(points) {
    const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))];
    const across = points.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
    return across > 0 ? points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0) / across : 0;
}

/** How much slower the last repetition was than the fastest, as a share; null with fewer than two known. */
export function speedLoss(repetitions) {
    const known = repetitions.map(measures.peak.read).filter((value) => value !== null);
    if (known.length < 2 || measures.peak.read(repetitions.at(-1)) === null) return null;
    return 1 - known.at(-1) / Math.max(...known);
}

/** The values of each measure that anything is known of, with mean, least, most and trend. */
export function numbersOf(repetitions) {
    return Object.entries(measures).flatMap(([name, { read, write }]) => {
        const values = repetitions.map(read);
        const summed = summary(values);
        return summed ? [{ name, write, ...summed }] : [];
    });
}

/** Known values with their places, mean, ends and slope; null where none is known. */
export function summary(values) {
    const points = values.flatMap((value, at) => (Number.isFinite(value) && value !== null ? [[at, value]] : []));
    const known = points.map(([, value]) => value);
    return points.length === 0 ? null : { points, unknown: values.length - points.length, mean: mean(known), slope: slopeOf(points),
        least: Math.min(...known), most: Math.max(...known) };
}

/** Values from the first to the last as dots, with the line that fits them. */
export function trend({ what, points, mean: middle, slope, least, most, write }, count) {
    const x = (at) => size.edge + (at / Math.max(count - 1, 1)) * (size.width - 2 * size.edge);
    const room = Math.max(most - least, Math.abs(middle) * 0.1, 1e-6);
    const y = (value) => size.height / 2 - ((value - (most + least) / 2) / room) * (size.height - 2 * size.edge - 6);
    const centre = mean(points.map(([at]) => at));
    const end = (at) => y(middle + slope * (at - centre));
    const dots = points.map(([at, value]) => draw("circle", { class: "dot-mark", cx: x(at).toFixed(1), cy: y(value).toFixed(1), r: count > 40 ? 1.6 : 3 }));
    const line = points.length > 2
        ? [draw("line", { class: "trend", x1: x(0), y1: end(0), x2: x(count - 1), y2: end(count - 1) })] : [];
    const label = t("review.numbers.told", { what, first: write(points[0][1]), last: write(points.at(-1)[1]) });
    return draw("svg", { viewBox: `0 0 ${size.width} ${size.height}`, role: "img", "aria-label": label, class: "spark" }, ...line, ...dots);
}

function tile(one, count) {
    const change = one.slope * (count - 1);
    const ends = { least: one.write(one.least), most: one.write(one.most) };
    const words = ends.least === ends.most ? [] : [t("review.numbers.between", ends)];
    if (one.points.length > 2 && one.write(Math.abs(change)) !== one.write(0)) {
        words.push(t(change > 0 ? "review.numbers.rises" : "review.numbers.falls", { by: one.write(Math.abs(change)) }));
    }
    if (one.unknown > 0) words.push(t("review.numbers.unknown", { n: one.unknown }));
    return make("div", { className: "tile" }, make("dt", {}, factName(one.name, "numbers")),
        make("dd", {}, make("b", {}, one.write(one.mean)), make("small", {}, words.join(" · ")), trend({ ...one, what: factName(one.name, "numbers") }, count)));
}

function render() {
    const repetitions = state.repetitions;
    const tiles = numbersOf(repetitions).map((one) => tile(one, repetitions.length));
    const loss = speedLoss(repetitions);
    if (loss !== null) {
        tiles.push(make("div", { className: "tile" }, make("dt", {}, t("review.numbers.loss")),
            make("dd", {}, make("b", {}, `${decimal(100 * loss, 0)} %`), make("small", {}, t("review.numbers.lossMeans")))));
    }
    element("numbers").replaceChildren(...tiles);
    const why = state.series ? t("review.numbers.honest", { joint: angleName(state.main) }) : t("review.numbers.noPoses");
    element("numbers-why").textContent = why;
}

export const prepareNumbers = () => on("repetitions poses", render);
