// Names in the reader's language.
import { decimal, has, language, locale, t } from "../i18n.js";
import { adviceFor, atJoint, faultWords } from "../words.js";
import { state } from "./state.js";

/** The advice for a fault, or null. */
export const adviceName = (fault) => (has(`advice.${fault.code}`) && adviceFor(fault) !== faultWords(fault) ? adviceFor(fault) : null);

export const dateOf = (session, style = "full") =>
    new Date(session.date).toLocaleString(locale, { dateStyle: style, timeStyle: "short" });

/** Seconds as m:ss.s */
export function moment(seconds) {
    const tenths = Math.max(0, Math.round(seconds * 10));
    const [minutes, rest] = [Math.floor(tenths / 600), tenths % 600];
    return `${minutes}:${rest < 100 ? "0" : ""}${decimal(rest / 10, 1)}`;
}

/** A number with its unit, or a dash. */
export const amount = (value, places, unit = "") =>
    (Number.isFinite(value) ? `${decimal(value, places)}${unit}` : "–");

export const seconds = (value) => amount(value, 1, "\u00a0s");
export const angle = (value) => amount(value, 0, "°");
export const turning = (value) => amount(value, 0, "°/s");
export const percent = (share) => amount(share === null || share === undefined ? NaN : 100 * share, 0, "\u00a0%");

/** The parts of a repetition as "0.8 · 0.2 · 0.9 s". */
export const tempoWords = (parts) => (parts
    ? `${decimal(parts.out, 1)} · ${decimal(parts.pause, 1)} · ${decimal(parts.back, 1)}\u00a0s` : "–");

const lowering = ["squat", "lunge", "deadlift", "push_up", "bench_press", "burpee"];
const raising = ["shoulder_press", "pull_up", "sit_up", "bicep_curl", "front_raise", "lateral_raise", "jumping_jack"];
/** Which way an exercise goes first, where that is known. */
const wayOf = (exercise) => (lowering.includes(exercise) ? "lowering" : raising.includes(exercise) ? "raising" : "neutral");
const parts = ["out", "back", "tempo"];

/** What a measure is called: the parts of a repetition by the way the exercise goes, those of a joint with the joint. */
export function factName(name, table = "facts", joint = state.session?.measured?.joint) {
    if (parts.includes(name)) return t(`review.ways.${wayOf(state.session?.exercise)}.${name}`);
    return atJoint(["range", "peak"].includes(name) ? joint : null, t(`review.${table}.${name}`));
}

const units = { degrees: "°", seconds: " s" };

/** A fault's measured and expected value in words; empty where there is nothing to compare, or its own words say it. */
export function comparison({ code, text, measured, expected, unit }) {
    if (code === "taught" || (text && language === "en") || !Number.isFinite(measured) || !Number.isFinite(expected)) return "";
    const written = (value) => (unit === "share" ? percent(value) : `${decimal(value, unit === "degrees" ? 0 : 2)}${units[unit] ?? ""}`);
    const what = unit === "torso lengths" ? ` ${t("review.torsoLengths")}` : "";
    return t("review.against", { measured: written(measured), expected: `${written(expected)}${what}` });
}
