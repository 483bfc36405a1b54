// A repetition in one number and the one thing to change. No document here.
import { t } from "./i18n.js";
import { adviceFor, depthWords, partName } from "./words.js";

// Of a hundred points: the range reached, and form, from which each fault takes some.
const [ofRange, ofForm, aFault] = [70, 30, 12];

/** The angle at a repetition's turn: the farthest that was seen in it, else as its range says; null where neither was seen. */
export function turnAngle({ start, end, depth = 1 }, angle, seen) {
    if (!angle) return null;
    const { rest, full } = angle;
    const within = seen.filter(({ time }) => time >= start && time <= end).map(({ degrees }) => degrees);
    if (within.length === 0) return depth === null ? null : rest + depth * (full - rest);
    return full < rest ? Math.min(...within) : Math.max(...within);
}

/** A repetition's score from 0 to 100; of a taught exercise how alike it is. */
export function scoreOf({ depth, faults = [], likeness }) {
    if (Number.isFinite(likeness)) return Math.round(likeness);
    const form = ofForm - aFault * faults.filter(({ code }) => code !== "shallow").length;
    return Math.round(Math.max(0, ofRange * Math.min(1, depth ?? 1) + Math.max(0, form)));
}

/** The one thing to change, in words that say how much; `angle` is `{measure, rest, full}`, null without one. */
export function verdictOf(repetition, angle, seen, lowersFirst) {
    const { faults = [], depth = 1 } = repetition;
    const shallow = faults.find(({ code }) => code === "shallow");
    const worst = shallow ?? faults[0] ?? null;
    const range = () => (depth === null ? t("score.unseen") : depthWords(depth));
    const turn = turnAngle(repetition, angle, seen);
    if (turn === null) return { code: worst?.code ?? null, words: worst ? adviceFor(worst) : range() };
    const values = { part: partName(angle.measure), turn: Math.round(turn), more: Math.max(1, Math.round(Math.abs(turn - angle.full))) };
    const isShort = angle.full < angle.rest ? turn > angle.full : turn < angle.full;
    if (shallow && isShort) {
        const way = angle.full > angle.rest ? "higher" : lowersFirst === false ? "bend" : "deeper";
        return { code: shallow.code, words: t(`score.${way}`, values) };
    }
    if (worst) return { code: worst.code, words: t("score.other", { ...values, what: adviceFor(worst) }) };
    return { code: null, words: t(isShort && values.more > 3 ? "score.nearly" : "score.full", values) };
}
