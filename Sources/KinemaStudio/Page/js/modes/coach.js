// Coach: repetitions of an exercise, and what to change.
import { announce, announceCount } from "../announce.js";
import { element, list, make, say } from "../dom.js";
import { settings } from "../settings.js";
import { adviceFor, clock, faultWords, named, phaseWords, plural, secondsOf } from "../words.js";
import { BigNumber } from "./readout.js";

const number = new BigNumber(element("coach-number"));
const cueSpan = 2500; // milliseconds a cue stays to be read after it was last said
let total = 0;
let carried = 0;
let said = new Map();
let rows = [];

function showCues(cues) {
    const now = performance.now();
    for (const cue of cues) {
        const words = adviceFor(cue);
        if (!said.has(cue.code)) announce(words);
        said.set(cue.code, { words, at: now });
    }
    for (const [code, { at }] of said) if (now - at > cueSpan) said.delete(code);
    list(element("coach-cues"), [...said.entries()], ([code]) => code,
        ([code, { words }]) => make("li", { "data-code": code }, words));
}

function showRepetitions() {
    list(element("coach-repetitions"), rows, (row) => JSON.stringify(row), ({ number: place, faults = [], tempo }) => {
        const seconds = tempo ? ` · ${secondsOf({ tempo }).toFixed(1)} s` : "";
        const judged = faults.length > 0
            ? make("span", { className: "bad" }, faults.map(faultWords).join(", "))
            : make("span", { className: "good" }, "good");
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
    if (rose) announceCount(total, plural(total, "repetition"));
}

export const coach = {
    options: () => ({ exercise: settings.exercise, people: settings.people }),

    reset() {
        total = carried = 0;
        said = new Map();
        rows = [];
        number.show(0);
        say(element("coach-phase"), "ready");
        const chosen = element("exercise").selectedOptions[0];
        say(element("coach-title"), settings.exercise === "auto" ? "Any exercise" : chosen?.textContent ?? "");
        showCues([]);
        showRepetitions();
    },

    carry() {
        carried = total;
    },

    result(message, { strip }) {
        if (!message.coach) return;
        const { exercise, title, count, phase, held, cues = [], signal } = message.coach;
        if (exercise || title) say(element("coach-title"), title ?? named(exercise));
        showNumber(count ?? 0, held ?? 0);
        say(element("coach-phase"), phaseWords(phase));
        showCues(cues);
        strip.add(message.time, signal);
    },

    finish(summary) {
        say(element("coach-phase"), "done");
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
        strip.mark(repetition);
        const place = carried + repetition.number;
        // Once another exercise is recognised its repetitions are told anew: the newest word about a number counts.
        const others = rows.filter((row) => row.number !== place || row.id !== repetition.id);
        rows = [{ ...repetition, number: place }, ...others]
            .toSorted((a, b) => b.number - a.number || b.end - a.end).slice(0, 50);
        showRepetitions();
        // What a finished repetition lacked is a cue for the next.
        showCues(repetition.faults ?? []);
    },
};
