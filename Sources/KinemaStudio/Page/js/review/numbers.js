// Numbers over the set: each with how it went from the first repetition to the last.
import { cardsOf, element, make, say } from "../dom.js";
import { decimal, entry, t } from "../i18n.js";
import { mean } from "../outline.js";
import { area, courseOf, goalMark, picture } from "../plot.js";
import { scoreOf } from "../score.js";
import { jointName } from "../words.js";
import { amount, angle, factName, percent, seconds, turning } from "./names.js";
import { on, state } from "./state.js";

/** What can be measured of a repetition; values are null where joints were not sure. */
export const measures = {
    range: { read: ({ measured }) => measured.range, write: angle },
    depth: { read: ({ depth }) => depth ?? null, write: percent },
    took: { read: ({ start, end }) => end - start, write: seconds },
    ...Object.fromEntries(["out", "pause", "back"].map((part) => [part, { read: ({ measured }) => measured.parts?.[part] ?? null, write: seconds }])),
    symmetry: { read: ({ measured }) => measured.symmetry, write: percent },
    peak: { read: ({ measured }) => measured.peak, write: turning },
    likeness: { read: ({ likeness }) => likeness ?? null, write: (value) => amount(value, 0) },
    score: { read: (one) => (Number.isFinite(one.depth) && !Number.isFinite(one.likeness) ? scoreOf(one) : null), write: (value) => amount(value, 0) },
};

/** A measure of a repetition in words; a dash where it is not known. */
export const written = (name, one) => measures[name].write(measures[name].read(one));

/** The slope of the line that fits the values best, a repetition (least squares). */
function slopeOf(points) {
    const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))];
    const across = points.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
    return across > 0 ? points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0) / across : 0;
}

/** How much slower the last repetition was than the fastest, as a share; null with fewer than two known. */
function speedLoss(repetitions) {
    const known = repetitions.map(measures.peak.read).filter((value) => value !== null);
    if (known.length < 2 || measures.peak.read(repetitions.at(-1)) === null) return null;
    return 1 - known.at(-1) / Math.max(...known);
}

/** The values of each measure that anything is known of, with mean, least, most and trend, and what is said besides. */
export function numbersOf(repetitions) {
    const found = Object.entries(measures).flatMap(([name, { read, write }]) => {
        const summed = summary(repetitions.map(read));
        if (!summed) return [];
        const [ends, change] = [{ least: write(summed.least), most: write(summed.most) }, summed.slope * (repetitions.length - 1)];
        const isTrend = summed.points.length > 2 && write(Math.abs(change)) !== write(0);
        const note = [entry(`review.numbers.means.${name}`), ends.least === ends.most ? "" : t("review.numbers.between", ends),
            isTrend && t(change > 0 ? "review.numbers.rises" : "review.numbers.falls", { by: write(Math.abs(change)) })];
        return [{ name, write, ...summed, value: write(summed.mean), note: note.filter(Boolean).join(" · ") }];
    });
    const loss = speedLoss(repetitions);
    return loss === null ? found : [...found, { name: "loss", value: `${decimal(100 * loss, 0)} %`, note: t("review.numbers.means.loss") }];
}

/** Known values with their places, mean, ends and slope; null where none is known. */
export function summary(values) {
    const points = values.flatMap((value, at) => (Number.isFinite(value) && value !== null ? [[at, value]] : []));
    const known = points.map(([, value]) => value);
    return points.length === 0 ? null : { points, unknown: values.length - points.length, mean: mean(known), slope: slopeOf(points),
        least: Math.min(...known), most: Math.max(...known) };
}

/** Values from the first to the last, joined by a line; with a goal or none. */
export function trend({ what, points, mean: middle, least, most, write, goal = null }, count) {
    const [edge, last] = [6, Math.max(count - 1, 1)];
    const [low, high] = [Math.min(least, goal ?? least), Math.max(most, goal ?? most)];
    const half = Math.max(high - low, Math.abs(middle) * 0.1, 1e-6) / 2;
    const room = area({ width: 240, height: 64, left: edge, right: edge, top: edge + 3, bottom: edge + 3, from: 0, to: last,
        low: (high + low) / 2 - half, high: (high + low) / 2 + half });
    const words = t("review.numbers.told", { what, first: write(points[0][1]), last: write(points.at(-1)[1]) });
    return picture(room, words, [...goal === null ? [] : goalMark(room, goal), ...courseOf(room, points, count > 40 ? 1.6 : 3)], { class: "spark" });
}

/** A measure as a card: its value, what is said besides, and how it went. */
export function tileOf(one, count) {
    const words = [one.note, one.unknown > 0 && t("review.numbers.unknown", { n: one.unknown })];
    return [one.what, make("b", {}, one.value), make("small", {}, words.filter(Boolean).join(" · ")), one.points ? trend(one, count) : null];
}

function render() {
    const { repetitions, series, main, session } = state;
    element("numbers").replaceChildren(...cardsOf(numbersOf(repetitions).map((one) => tileOf({ ...one, what: factName(one.name, "numbers") }, repetitions.length))));
    say(element("numbers-why"), series ? t(`review.numbers.${session.measured?.basis === "exercise" ? "led" : "honest"}`, { joint: jointName(main) }) : t("review.numbers.noPoses"));
}

export const prepareNumbers = () => on("repetitions poses", render);
