// What the charts and tiles say, computed from the sessions. No document here.
import { secondsOf } from "../words.js";

const shownDays = 14;

/** The day of a session where the reader is, as YYYY-MM-DD. */
export function dayOf(session) {
    const date = new Date(session.date);
    const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
    return parts.map((part) => String(part).padStart(2, "0")).join("-");
}

/** Sessions grouped by day, the order kept. */
export function byDay(sessions) {
    const days = new Map();
    for (const session of sessions) {
        const day = dayOf(session);
        days.set(day, [...(days.get(day) ?? []), session]);
    }
    return days;
}

const isSet = (session) => session.mode === "count" || session.mode === "coach";
const dayName = (date, options) => date.toLocaleDateString(undefined, options);

/** Repetitions of each of the last days, those without any too; oldest first. */
export function repetitionsByDay(sessions, today = new Date()) {
    const sums = new Map();
    for (const session of sessions.filter(isSet)) {
        sums.set(dayOf(session), (sums.get(dayOf(session)) ?? 0) + session.count);
    }
    return Array.from({ length: shownDays }, (_, index) => {
        const date = new Date(today.getFullYear(), today.getMonth(), today.getDate() - (shownDays - 1 - index));
        return {
            label: String(date.getDate()), name: dayName(date, { weekday: "short", day: "numeric", month: "short" }),
            value: sums.get(dayOf({ date })) ?? 0,
        };
    });
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** One value a set, oldest first: the mean of what `read` takes from its repetitions, where it takes anything. */
function bySet(sessions, read) {
    return sessions.filter(isSet).toReversed().flatMap((session) => {
        const values = (session.repetitions ?? []).map(read).filter(Number.isFinite);
        if (values.length === 0) return [];
        const name = dayName(
            new Date(session.date), { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
        return [{ name, value: mean(values) }];
    }).slice(-40).map((row, index) => ({ ...row, label: String(index + 1) }));
}

/** Depth in percent of the full one. */
export const depths = (sessions) => bySet(sessions, ({ depth }) => (depth ?? NaN) * 100);

export const tempos = (sessions) => bySet(sessions, secondsOf);

const games = (sessions) =>
    sessions.filter((session) => session.mode === "toss" && session.throws?.length).toReversed();

/** The speed of each throw, metres a second, oldest first. */
export const speeds = (sessions) => games(sessions).flatMap((game) => game.throws)
    .filter((one) => Number.isFinite(one.speed_mps)).slice(-40)
    .map((one, index) => ({ label: String(index + 1), value: one.speed_mps }));

/** Points of each game, oldest first. */
export const scores = (sessions) => games(sessions).slice(-40).map((game, index) => ({
    label: String(index + 1), name: dayName(new Date(game.date), { day: "numeric", month: "short" }),
    value: game.throws.reduce((sum, { score }) => sum + score, 0),
}));

/** What the tiles show. */
export function totals(sessions, today = new Date()) {
    const week = today.getTime() - 7 * 86_400_000;
    const recent = sessions.filter((session) => new Date(session.date).getTime() > week);
    const count = (list) => list.filter(isSet).reduce((sum, session) => sum + session.count, 0);
    const days = new Set(sessions.map(dayOf));
    return [
        ["Repetitions, 7 days", count(recent)], ["Repetitions in all", count(sessions)],
        ["Sessions", sessions.length], ["Days in a row", streak(days, today)],
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
