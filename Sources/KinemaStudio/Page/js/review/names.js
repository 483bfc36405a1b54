// What things are called, in the reader's language.
import { decimal, has, language, t } from "../i18n.js";

/** A name such as `push_up` or `jumpingJack` as words, where no table has any. */
export const named = (name) =>
    String(name ?? "").replace(/[_-]+/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

const own = (table, name) => (has(`${table}.${name}`) ? t(`${table}.${name}`)
    : has(`review.${table}.${name}`) ? t(`review.${table}.${name}`) : null);
const upper = (text) => text.charAt(0).toLocaleUpperCase(language) + text.slice(1);

export const exerciseName = (name) => upper(own("exercises", name) ?? named(name));
export const faultName = ({ code }) => own("faults", code) ?? named(code);
/** What to do about a fault; null where nobody has said. */
export const adviceName = ({ code }) => own("advice", code);
export const fileName = (format) => own("files", format) ?? format;
export const angleName = (name) => t(`review.angles.${name}`);
export const jointName = (name) => (has(`review.angles.${name}`) ? t(`review.angles.${name}`) : upper(named(name)));

/** The reader's own way to write dates, in the page's language. */
const locale = navigator.languages?.find((name) => name.startsWith(language)) ?? language;

/** What a session is called. */
export const titleOf = (session) => (session.exercise ? exerciseName(session.exercise) : t(`review.titles.${session.mode}`));

export const dateOf = (session, style = "full") =>
    new Date(session.date).toLocaleString(locale, { dateStyle: style, timeStyle: "short" });

/** Seconds as m:ss.s */
export function moment(seconds) {
    const tenths = Math.max(0, Math.round(seconds * 10));
    const [minutes, rest] = [Math.floor(tenths / 600), tenths % 600];
    return `${minutes}:${rest < 100 ? "0" : ""}${decimal(rest / 10, 1)}`;
}

/** A number with its unit, or a dash where there is none. */
export const amount = (value, places, unit = "") =>
    (Number.isFinite(value) && value !== null ? `${decimal(value, places)}${unit}` : "–");

export const seconds = (value) => amount(value, 1, "\u00a0s");
export const angle = (value) => amount(value, 0, "°");
export const percent = (share) => amount(share === null || share === undefined ? NaN : 100 * share, 0, "\u00a0%");

/** The parts of a repetition as "0.8 · 0.2 · 0.9 s". */
export const tempoWords = (parts) => (parts
    ? `${decimal(parts.out, 1)} · ${decimal(parts.pause, 1)} · ${decimal(parts.back, 1)}\u00a0s` : "–");

const units = { degrees: "°", seconds: " s" };

/** A fault's measured and expected value in words; empty where there is nothing to compare. */
export function comparison({ measured, expected, unit }) {
    if (!Number.isFinite(measured) || !Number.isFinite(expected)) return "";
    const written = (value) => (unit === "share" ? percent(value)
        : `${decimal(value, unit === "degrees" ? 0 : 2)}${units[unit] ?? ""}`);
    const what = unit === "torso lengths" ? ` ${t("review.torsoLengths")}` : "";
    return t("review.against", { measured: written(measured), expected: `${written(expected)}${what}` });
}
