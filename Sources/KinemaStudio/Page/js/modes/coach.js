// Coach: repetitions of an exercise, and what to change.
import { announceCue } from "../announce.js";
import { element, list, make, say } from "../dom.js";
import { drawAngle, drawGuide, showExercise } from "../guide.js";
import { decimal, entry, t } from "../i18n.js";
import { Movement } from "../movement.js";
import { scoreOf, turnAngle, verdictOf } from "../score.js";
import { settings } from "../settings.js";
import { Sight } from "../sight.js";
import { adviceFor, clock, exerciseWords, kindOf, secondsOf } from "../words.js";
import { showSideBySide, Tally } from "./readout.js";

const tally = new Tally(element("coach-number"));
const sight = new Sight();
const movement = new Movement();
const verdictSpan = 4000; // milliseconds for which the last repetition's score is shown
const cueSpan = 2500; // milliseconds a cue stays to be read after it was last said
let heldNow = 0;
let said = new Map();
let rows = [];
let unseen = [];
/** What the server said last of the movement, and the angles of the last half minute. */
let now = {};
let angles = [];
/** The score of the last repetition and the one thing to change. */
let verdictAt = { since: -Infinity };

function showCues(cues) {
    const now = performance.now();
    for (const cue of cues) {
        const kind = kindOf(cue), words = cue.words ?? said.get(kind)?.words ?? adviceFor(cue);
        if (!said.has(kind)) announceCue(words);
        said.set(kind, { words, at: now, code: cue.code });
    }
    for (const [kind, { at }] of said) if (now - at > cueSpan) said.delete(kind);
    const verdict = now - verdictAt.since < verdictSpan ? verdictAt : null;
    const rest = [...said.entries()].filter(([kind]) => kind !== verdict?.kind).map(([, one]) => one);
    list(element("coach-cues"), verdict ? [{ ...verdict, code: verdict.code ?? "fine" }, ...rest] : rest,
        ({ code, words, score = "" }) => `${code} ${score} ${words}`, ({ code, words, score }) => make("li",
            { "data-code": code, className: code === "fine" ? "fine" : "" }, score === undefined ? null : make("b", {}, String(score)), words));
}

/** The judgement of a repetition that was seen to turn at an angle, else as its range says. */
const judged = (row, turn) => verdictOf(row, now.angle ?? null, Number.isFinite(turn) ? [{ time: row.start, degrees: turn }] : [], now.lowersFirst);

function showRepetitions() {
    list(element("coach-repetitions"), rows, (row) => JSON.stringify(row), (row) => {
        const seconds = row.tempo ? ` · ${decimal(secondsOf(row), 1)} s` : "";
        const { code, words } = row.verdict ?? judged(row, row.turn);
        return make("li", { "data-faults": (row.faults ?? []).map((fault) => fault.code).join(" ") }, make("span", {}, `${row.number}${seconds}`),
            make("span", { className: code ? "bad" : "good" }, row.before === undefined ? words : `${words} · ${t("score.corrected", { n: row.before })}`), make("b", { title: t("score.title") }, String(scoreOf(row))));
    });
}

function showNumber(value, held) {
    if (value === 0 && held > 0) tally.show(Math.floor(held), clock(Math.floor(held)));
    else tally.count(value);
}

export const coach = {
    options: () => ({ exercise: settings.exercise, people: settings.people }),

    /** What a plan counts; a position that is held counts by its seconds. */
    progress: () => ({ count: tally.total, held: heldNow > 0 ? heldNow : settings.exercise === "plank" ? 0 : null }),

    /** What cannot be judged, as a hint; empty when everything is in view. */
    hint: () => (unseen.length > 0 ? t("hints.unseen", { parts: unseen.map((part) => t(`parts.${part}`)).join(", "), what: t("hints.depth") })
        : now.unjudged ? t("hints.unjudged", { parts: now.unjudged.map((part) => entry(`shown.parts.${part}`) ?? part).join(", ") }) : ""),

    reset() {
        heldNow = 0;
        tally.reset();
        said = new Map();
        rows = [];
        unseen = [];
        [now, angles, verdictAt] = [{}, [], { since: -Infinity }];
        movement.reset();
        showExercise(settings.exercise);
        sight.reset();
        say(element("coach-phase"), t("phases.ready"));
        const chosen = element("exercise").selectedOptions[0];
        say(element("coach-title"), settings.exercise === "auto" ? t("coach.any") : chosen?.textContent ?? "");
        showCues([]);
        showRepetitions();
        showSideBySide("coach", []);
    },

    carry: () => tally.carry(),

    result(message, { strip }) {
        if (!message.coach) return;
        const { exercise, title, count, phase, held, cues = [], signal, people = [], id } = message.coach;
        if (exercise || title) say(element("coach-title"), exerciseWords(exercise, title));
        showNumber(count ?? 0, held ?? 0);
        heldNow = held ?? 0;
        now = message.coach;
        if (exercise) showExercise(exercise);
        const leader = message.people?.find((person) => person.id === id) ?? message.people?.[0];
        say(element("coach-phase"), movement.words(phase, { lowersFirst: now.lowersFirst, person: leader, hasCounted: tally.total > 0 }));
        if (Number.isFinite(now.angle?.degrees)) angles = [...angles.slice(-900), { time: message.time, degrees: now.angle.degrees }];
        unseen = sight.take(leader, exercise, performance.now());
        showCues(cues);
        strip.add(message.time, signal);
        const counting = people.filter((one) => one.count > 0);
        showSideBySide("coach", settings.people === "all" ? counting.map((one) => ({ id: one.id, count: one.count,
            title: one.exercise === exercise || !one.exercise ? null : exerciseWords(one.exercise, one.title) })) : []);
    },

    /** The exercise in a loop or on the person, and the angle that matters at its joint. */
    paint(surface, result, isMeasuring) {
        const person = result.people?.find(({ id }) => id === now.id) ?? result.people?.[0];
        drawGuide(surface, person, Number.isFinite(now.signal) && now.phase ? { share: Math.min(1, Math.max(0, now.signal)), isBack: movement.isBack } : null);
        if (person && now.angle && !isMeasuring) drawAngle(surface, person, now.angle);
    },

    finish(summary, isWhole) {
        if (isWhole) tally.carried = 0;
        const { carried } = tally;
        say(element("coach-phase"), t("phases.done"));
        unseen = [];
        // A position held counts as one repetition; its seconds stay.
        const repetitions = summary.repetitions ?? [];
        // The end may judge a repetition of a shown exercise anew.
        const before = new Map(rows.map((row) => [`${row.id}:${row.number}`, row]));
        const told = [...repetitions, ...summary.holds ?? []].toSorted((a, b) => a.start - b.start);
        // The last word about each; what came before a lost connection stays as it was.
        rows = [...told.map((one, at) => {
            const live = before.get(`${one.id}:${carried + at + 1}`);
            const isSame = live && scoreOf(live) === scoreOf(one);
            return { ...one, number: carried + at + 1, turn: live?.turn, verdict: isSame && Number.isFinite(live.turn) ? live.verdict : undefined, before: live && !isSame ? scoreOf(live) : undefined };
        }).toReversed(),
            ...rows.filter(({ number: place }) => place <= carried)];
        showRepetitions();
        if (tally.total > 0 || repetitions.length > 0) showNumber(summary.count, 0);
    },

    event(message, { strip }) {
        if (message.type !== "repetition") return;
        const { repetition } = message;
        strip.mark(repetition, tally.carried);
        const place = tally.carried + repetition.number;
        // Once another exercise is recognised, its repetitions are reported again: the latest report of a number is
        // valid.
        const others = rows.filter((row) => row.number !== place || row.id !== repetition.id);
        const turn = turnAngle(repetition, now.angle, angles);
        const verdict = judged(repetition, turn);
        const worst = (repetition.faults ?? []).find(({ code }) => code === verdict.code);
        const row = { ...repetition, number: place, turn, verdict };
        rows = [row, ...others].toSorted((a, b) => b.number - a.number || b.end - a.end).slice(0, 50);
        showRepetitions();
        verdictAt = { ...verdict, kind: worst && kindOf(worst), score: scoreOf(row), since: performance.now() };
        // What a finished repetition lacked is a cue for the next, the one thing first.
        showCues((repetition.faults ?? []).map((fault) => ({ ...fault, words: fault === worst ? verdict.words : undefined }))
            .toSorted((a, b) => Boolean(b.words) - Boolean(a.words)));
    },
};
