// Coach: repetitions of an exercise, and what to change.
import { announceCount, announceCue } from "../announce.js";
import { element, list, make, say } from "../dom.js";
import { decimal, t } from "../i18n.js";
import { settings } from "../settings.js";
import { Sight } from "../sight.js";
import { adviceFor, clock, counted, exerciseWords, faultWords, phaseWords, secondsOf } from "../words.js";
import { BigNumber, showSideBySide, Turns } from "./readout.js";

const number = new BigNumber(element("coach-number"));
const turns = new Turns();
const sight = new Sight();
const cueSpan = 2500; // milliseconds a cue stays to be read after it was last said
let total = 0;
let heldNow = 0;
let carried = 0;
let said = new Map();
let rows = [];
let unseen = [];

function showCues(cues) {
    const now = performance.now();
    for (const cue of cues) {
        const words = adviceFor(cue);
        if (!said.has(cue.code)) announceCue(words);
        said.set(cue.code, { words, at: now });
    }
    for (const [code, { at }] of said) if (now - at > cueSpan) said.delete(code);
    list(element("coach-cues"), [...said.entries()], ([code]) => code,
        ([code, { words }]) => make("li", { "data-code": code }, words));
}

function showRepetitions() {
    list(element("coach-repetitions"), rows, (row) => JSON.stringify(row), ({ number: place, faults = [], tempo }) => {
        const seconds = tempo ? ` · ${decimal(secondsOf({ tempo }), 1)} s` : "";
        const judged = faults.length > 0
            ? make("span", { className: "bad" }, faults.map(faultWords).join(", "))
            : make("span", { className: "good" }, t("coach.good"));
        return make("li", {}, make("span", {}, `${place}${seconds}`), judged);
    });
}

function showNumber(value, held) {
    if (value === 0 && held > 0) {
        number.show(Math.floor(held), clock(Math.floor(held)));
        return;
    }
    const rose = value + carried > total;
    total = value + carried;
    number.show(total);
    if (rose) announceCount(total, counted(total, "repetition"));
}

export const coach = {
    options: () => ({ exercise: settings.exercise, people: settings.people }),

    /** What a plan counts; a position that is held counts by its seconds. */
    progress: () => ({ count: total, held: heldNow > 0 ? heldNow : settings.exercise === "plank" ? 0 : null }),

    /** What cannot be judged, as a hint; empty when everything is in view. */
    hint: () => (unseen.length === 0 ? ""
        : t("hints.unseen", { parts: unseen.map((part) => t(`parts.${part}`)).join(", "), what: t("hints.depth") })),

    reset() {
        total = heldNow = carried = 0;
        said = new Map();
        rows = [];
        unseen = [];
        sight.reset();
        turns.reset();
        number.show(0);
        say(element("coach-phase"), t("phases.ready"));
        const chosen = element("exercise").selectedOptions[0];
        say(element("coach-title"), settings.exercise === "auto" ? t("coach.any") : chosen?.textContent ?? "");
        showCues([]);
        showRepetitions();
        showSideBySide("coach", []);
    },

    carry() {
        carried = total;
    },

    result(message, { strip }) {
        if (!message.coach) return;
        const { exercise, title, count, phase, held, cues = [], signal, people = [], id } = message.coach;
        if (exercise || title) say(element("coach-title"), exerciseWords(exercise, title));
        showNumber(count ?? 0, held ?? 0);
        heldNow = held ?? 0;
        say(element("coach-phase"), phaseWords(phase));
        turns.take(phase);
        const leader = message.people?.find((person) => person.id === id) ?? message.people?.[0];
        unseen = sight.take(leader, exercise, performance.now());
        showCues(cues);
        strip.add(message.time, signal);
        const counting = people.filter((one) => one.count > 0);
        showSideBySide("coach", settings.people === "all" ? counting.map((one) => ({ id: one.id, count: one.count,
            title: one.exercise === exercise || !one.exercise ? null : exerciseWords(one.exercise, one.title) })) : []);
    },

    finish(summary, isWhole) {
        if (isWhole) carried = 0;
        say(element("coach-phase"), t("phases.done"));
        unseen = [];
        // A position held counts as one repetition; its seconds stay.
        const repetitions = summary.repetitions ?? [];
        const told = [...repetitions, ...summary.holds ?? []].toSorted((a, b) => a.start - b.start);
        // The last word about each; what came before a lost connection stays as it was.
        rows = [...told.map((one, at) => ({ ...one, number: carried + at + 1 })).toReversed(),
            ...rows.filter(({ number: place }) => place <= carried)];
        showRepetitions();
        if (total > 0 || repetitions.length > 0) showNumber(summary.count, 0);
    },

    event(message, { strip }) {
        if (message.type !== "repetition") return;
        const { repetition } = message;
        strip.mark(repetition, carried);
        const place = carried + repetition.number;
        // Once another exercise is recognised, its repetitions are reported again: the latest report of a number is
        // valid.
        const others = rows.filter((row) => row.number !== place || row.id !== repetition.id);
        rows = [{ ...repetition, number: place }, ...others]
            .toSorted((a, b) => b.number - a.number || b.end - a.end).slice(0, 50);
        showRepetitions();
        // What a finished repetition lacked is a cue for the next.
        showCues(repetition.faults ?? []);
    },
};
