// What codes of the server are called in the reader's language, and words for numbers and times.
import { decimal, entry, has, language, locale, t } from "./i18n.js";
import { settings } from "./settings.js";

/** A set's name: the coach's own, else the exercise's; null for one without. */
export const nameOf = ({ details, exercise }) => details?.name ?? (exercise ? exerciseWords(exercise) : null);

/** What a session is called in lists. */
export const titleOf = (session) => nameOf(session) ?? t(`history.titles.${session.mode}`);

/** A load with its unit. */
export const loadWords = ({ value, unit }) => t(`details.units.${unit}`, { n: value.toLocaleString(locale) });

/** What is said of a set besides its name, in short. */
export const detailWords = ({ load, effort, pain } = {}) => [load && loadWords(load), effort && t("details.rpe", { n: effort }),
    pain === undefined ? null : t("details.painOf", { n: pain })].filter(Boolean);

/** The words of a key; the name itself where there are none. */
export const wordsOr = (key, name) => entry(key) ?? named(name);

// From shoulders to hips: 0.288 of a height of 1.70 m (Drillis and Contini, in Winter, Biomechanics of Human Movement).
const [trunkCentimetres, centimetresAnInch] = [49, 2.54];
const trunkLength = (share) => (settings.units === "imperial" ? `${Math.round(trunkCentimetres * share / centimetresAnInch)} in` : `${5 * Math.max(1, Math.round(trunkCentimetres * share / 5))} cm`);

/** What differs from what was shown, how much, which way and when; a fault that was taught by its name; null for others. */
export function shownWords({ code, text, measure, side, phase, unit, measured, expected }) {
    if (!text || code === "taught") return text?.replace(/ \(by .*\)$/, "") ?? null;
    const percent = (share) => Math.round(100 * share), size = Math.abs(measured - expected), ratio = measured / expected;
    const n = unit === "degrees" ? `${Math.round(size)}°` : unit === "share" ? `${percent(size)} %` : t("shown.amount", { n: trunkLength(size) });
    const values = { n, limb: t(`shown.limbs.${measure}.${side}`), side: t(`shown.sides.${side}`), moment: t(`shown.moments.${phase}`), expected: decimal(expected, 1) };
    if (measure) return t(`shown.measures.${measure}.${measured > expected ? "more" : "less"}`, values);
    if (unit === "seconds") return phase === "turn" ? t("shown.pause", { ...values, n: decimal(measured, 1) }) : t(`shown.${code}`, { ...values, n: decimal(Math.max(ratio, 1 / ratio), 1) });
    if (code === "uneven" ? side : unit === "share" && expected === 1) return t(side ? "shown.uneven" : "shown.range", { ...values, n: percent(side ? size : measured) });
    return language === "en" ? text : null; // of an earlier version
}

/** What to do about a fault, to be read while moving; any other fault is shown by its name. */
export const adviceFor = (fault) => shownWords(fault) ?? wordsOr(`advice.${fault.code}`, fault.code);

/** What a fault is called. */
export const faultWords = (fault) => shownWords(fault) ?? wordsOr(`faults.${fault.code}`, fault.code);

/** What faults of one kind are called together: without an amount. */
export function kindWords(fault) {
    if (fault.code === "taught") return faultWords(fault);
    const words = wordsOr(`faults.${fault.code}`, fault.code);
    return fault.code === "different" && fault.joint ? `${partName(fault.joint)}: ${words}` : words;
}

/** What faults of one kind have in common: against what was shown, also the joint or the name. */
export const kindOf = (fault) => [fault.code, { taught: shownWords(fault), different: fault.joint }[fault.code] ?? ""].join(" ").trim();

/** What a part of the body is called; unknown ones by their angle. */
export const partName = (name) => entry(`joints.${name}`) ?? jointName(name);

/** The exercises by name, as the studio said them last. */
const learnt = new Map();
export const learnExercises = (exercises) => exercises.forEach((one) => learnt.set(one.name, one));

/** The sets and repetitions that an exercise prescribes; none of most. */
export const doseOf = (name) => learnt.get(name)?.dose;

/** What an exercise is called; one of the user's own by its title, or its name. */
export const exerciseWords = (name, title) => entry(`exercises.${name}`) ?? title ?? learnt.get(name)?.title ?? named(name);

/** What a joint's angle is called; unknown ones by their name. */
export const jointName = (name) => wordsOr(`angles.${name}`, name);

/** A joint without its side: the pair that it is one of. */
export const pairOf = (joint) => joint?.replace(/left|right/, "") ?? "";

/** What was measured, with the joint at which it was; one that is not known is not named. */
export const atJoint = (joint, what) => (joint ? t("angles.at", { joint: jointName(joint), what: withinSentence(what) }) : what);

/** A name as it stands within a sentence: German writes nouns large, English small. */
export const withinSentence = (name) => (language === "de" ? name : name.toLowerCase());

const wellPast = 1.2; // of the full range: beyond it more per cent tell a coach nothing

/** How far a repetition went, as a share of the full range. */
export const depthWords = (depth, key = "score.range") => t(depth >= wellPast ? "score.past" : key, { percent: Math.round(100 * depth) });

/** Seconds a repetition took. */
export const secondsOf = ({ start, end }) => end - start;

/** What a phase is called; unknown ones as they come. */
export const phaseWords = (phase) =>
    ((phase ?? "") === "" ? t("phases.ready") : entry(`phases.${phase}`) ?? String(phase).replace(/[_-]/g, " "));

/** What a file to take away is called, whose name or format the server says; unknown ones as they come. */
export const fileWords = (name) => entry("files")[name] ?? entry("files")[name.replace(/^poses\./, "")] ?? name;

/** The source of a session's frames; a name is shown unchanged. */
export const sourceWords = (source) => entry("sources")[source] ?? source;

/** Problems whose code says too little without the server's own words. */
const open = ["bad-request", "not-possible", "not-kept", "unreadable", "missing-component", "crowd"];

/** What the server says went wrong: in its own words to those who read English, else by its code. */
export function problemWords(code, message, limit) {
    if (Number.isFinite(limit)) return t("problems.limit", { words: t(`problems.${code}`), n: decimal(limit / 1e6) });
    if (language === "en" && message) return message;
    const words = t(has(`problems.${code}`) ? `problems.${code}` : "problems.failed");
    return open.includes(code) && message ? t("problems.said", { words, message }) : words;
}

/** A number of things of a kind of the table `count`: "repetition", "throw" … */
export const counted = (n, kind) => t(`count.${kind}`, { n });

/** A size in megabytes. */
export const megabytes = (bytes) => `${decimal(bytes / 1e6, bytes < 1e7 ? 1 : 0)} MB`;

/** Seconds as m:ss. */
export function clock(seconds) {
    const whole = Math.max(0, Math.round(seconds ?? 0));
    return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** A name such as `push_up` or `jumpingJack` as words. */
export const named = (name) =>
    String(name ?? "").replace(/[_-]+/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

/** The notices for what getUserMedia throws. */
const cameraProblems = { NotAllowedError: "denied", SecurityError: "denied", NotFoundError: "none", OverconstrainedError: "none",
    NotReadableError: "busy", AbortError: "busy" };

/** Which notice fits what getUserMedia threw. */
export const cameraProblem = (error) => cameraProblems[error?.name] ?? "failed";
