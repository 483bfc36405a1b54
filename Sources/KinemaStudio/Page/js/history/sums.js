// What the tiles, the bests and the charts say, computed from the sessions. No document here.
import { locale, t } from "../i18n.js";
import { countOf, isSet, mean, most, outlineOf } from "../outline.js";
import { unitOf, valueOf } from "../units.js";
import { nameOf as titleOf, pairOf } from "../words.js";

const shownWeeks = 26; // of a trend

const calendar = new Intl.DateTimeFormat("sv"); // Swedish dates are YYYY-MM-DD.
/** The day of a session where the reader is, as YYYY-MM-DD. */
export const dayOf = ({ date }) => calendar.format(new Date(date));

/** Sessions grouped by day, the order kept. */
export const byDay = (sessions) => Map.groupBy(sessions, dayOf);

/** Whether a session's text contains every search term; a number as a whole, for the 26th is not in each date of 2026. */
export const matches = (words, text) => {
    const plain = (value) => value.toLocaleLowerCase(locale).normalize("NFD").replace(/\p{M}/gu, "");
    const within = plain(text), numbers = within.match(/\d+/g) ?? [];
    return plain(words).split(/\s+/).every((word) => (/^\d+[.,]?$/.test(word) ? numbers.includes(word.match(/\d+/)[0]) : within.includes(word)));
};

const repetitionsOf = (sessions) => sessions.filter(isSet).reduce((sum, session) => sum + countOf(session), 0);

/** For each exercise by its name, the most repetitions and what else was best; sets without a name have nothing in common. */
export function bests(sessions) {
    const named = sessions.filter((session) => isSet(session) && countOf(session) > 0 && titleOf(session) !== null);
    return [...Map.groupBy(named, titleOf)].map(([name, sets]) => {
        const best = sets.reduce((before, one) => (countOf(one) > countOf(before) ? one : before));
        const outlines = sets.map(outlineOf);
        return {
            name, sets: sets.length, most: countOf(best), mostSession: best.id, total: repetitionsOf(sets),
            deepest: most(outlines.map(({ deepest }) => deepest)), longest: most(outlines.map(({ longestHold }) => longestHold)),
            heaviest: sets.map(({ details }) => details?.load).filter(Boolean).toSorted((a, b) => kilograms(b) - kilograms(a))[0] ?? null,
        };
    }).toSorted((a, b) => b.total - a.total);
}

/** A load for comparing; bands have numbers, and no weight. */
const kilograms = ({ value, unit }) => value * (unit === "lb" ? 0.45359237 : 1);
const share = (part) => (Number.isFinite(part) ? 100 * part : NaN);

/** What can be followed over weeks: how it is read from a set, what a week comes to, and its unit. */
export const measures = {
    count: { read: (session) => (isSet(session) && countOf(session)) || NaN, isMost: true },
    angle: { read: (session) => outlineOf(session).range ?? NaN, unit: "°" },
    range: { read: (session) => share(outlineOf(session).depth ?? NaN), unit: "%" },
    tempo: { read: (session) => outlineOf(session).seconds ?? NaN, unit: "s" },
    symmetry: { read: (session) => share(outlineOf(session).symmetry ?? NaN), unit: "%" },
    load: { read: ({ details }) => (details?.load ? kilograms(details.load) : NaN), unit: "kg", isMost: true },
    effort: { read: ({ details }) => details?.effort ?? NaN },
    pain: { read: ({ details }) => details?.pain ?? NaN },
    score: { read: (session) => {
        const { faulty, repetitions } = outlineOf(session);
        return session.mode === "coach" && repetitions > 0 ? 100 * (1 - faulty / repetitions) : NaN;
    }, unit: "%" },
    points: { read: (session) => (session.mode === "toss" ? outlineOf(session).score : NaN), isMost: true },
    speed: { read: (session) => valueOf("speed", { speed_mps: outlineOf(session).topSpeed ?? NaN }), unit: () => unitOf("speed"), isMost: true },
};

const midnight = (date, back = 0) => new Date(date.getFullYear(), date.getMonth(), date.getDate() - back);
/** What the values of a trend are of: when it starts for a date, and what it is called. */
const spans = {
    week: [(date) => midnight(date, (date.getDay() + 6) % 7), (label) => t("history.weekOf", { day: label }), { day: "numeric", month: "short" }],
    day: [midnight, (label) => label, { day: "numeric", month: "short" }],
    set: [(date) => date, (label) => label, { hour: "2-digit", minute: "2-digit" }],
};

const ofAll = ["effort", "pain", "points", "speed"];

/**
 * A measure of each week with sets, oldest first: the most of the week, or its mean. Of each day, or set, where all are of
 * one week, or day. What belongs to an exercise is that of the one done most, a range also that of one pair of joints.
 */
export function trend(sessions, measure) {
    const { read, isMost } = measures[measure];
    const every = sessions.filter((session) => Number.isFinite(read(session)));
    const kindOf = (session) => (ofAll.includes(measure) ? "" : `${titleOf(session) ?? ""} ${measure === "angle" ? pairOf(outlineOf(session).joint) : ""}`);
    const kinds = [...Map.groupBy(every, kindOf).values()];
    const known = kinds.toSorted((a, b) => b.length - a.length)[0] ?? [];
    const exercise = kinds.length > 1 && titleOf(known[0]);
    const joints = [...new Set(measure === "angle" ? known.map((session) => outlineOf(session).joint) : [])];
    const joint = joints.length > 1 ? pairOf(joints[0]) : joints[0];
    const grouped = (span) => Map.groupBy(known, ({ date }) => spans[span][0](new Date(date)).getTime());
    const span = Object.keys(spans).find((one) => grouped(one).size > 1) ?? "week";
    const [, nameOf, style] = spans[span];
    const rows = [...grouped(span)].toSorted(([one], [other]) => one - other).slice(-shownWeeks).map(([time, sets]) => {
        const label = new Date(time).toLocaleString(locale, style);
        return { label, name: nameOf(label), value: (isMost ? most : mean)(sets.map(read)) };
    });
    return { span, rows, joint, exercise };
}

/** Sessions in their order, those of one workout together. */
export const byWorkout = (sessions) =>
    [...Map.groupBy(sessions, ({ details, plan, id }) => details?.workout ?? plan?.plan ?? id).values()];

/** Seconds between the end of a set and the start of the next. */
export const restBefore = (set, earlier) => (new Date(set.date) - new Date(earlier.date)) / 1000 - earlier.duration;

/** The values of the tiles. */
export function totals(sessions, today = new Date()) {
    const week = today.getTime() - 7 * 86_400_000;
    const recent = sessions.filter((session) => new Date(session.date).getTime() > week);
    const days = new Set(sessions.map(dayOf));
    return [
        [t("history.week"), repetitionsOf(recent)], [t("history.inAll"), repetitionsOf(sessions)],
        [t("history.sessions"), sessions.length], [t("history.streak"), streak(days, today)],
    ];
}

/** Days without a gap up to today, or up to yesterday while today has none yet. */
export function streak(days, today) {
    const at = (back) => dayOf({ date: new Date(today.getFullYear(), today.getMonth(), today.getDate() - back) });
    const first = days.has(at(0)) ? 0 : 1;
    let length = 0;
    while (days.has(at(first + length))) length += 1;
    return length;
}
