// Count: repetitions of anything.
import { announceCount } from "../announce.js";
import { element, list, say } from "../dom.js";
import { phaseWords, plural } from "../words.js";
import { settings } from "../settings.js";
import { chip } from "./poses.js";
import { BigNumber } from "./readout.js";

const number = new BigNumber(element("count-number"));
let total = 0;
let carried = 0;

function show(value) {
    if (value + carried === total) return;
    const rose = value + carried > total;
    total = value + carried;
    number.show(total);
    if (rose) announceCount(total, plural(total, "repetition"));
}

export const count = {
    options: () => ({ people: settings.people }),

    reset() {
        total = carried = 0;
        number.show(0);
        say(element("count-phase"), "ready");
        list(element("count-people"), [], String, null);
    },

    /** A connection was lost: the new session counts on from here. */
    carry() {
        carried = total;
    },

    result(message, { strip }) {
        if (!message.count) return;
        const { count: value, people = [], phase, signal } = message.count;
        show(value);
        say(element("count-phase"), phaseWords(phase));
        strip.add(message.time, signal);
        const rows = people.length > 1 ? people : [];
        const key = (row) => `${row.id}:${row.count}`;
        list(element("count-people"), rows, key, (row) => chip(row.id, String(row.count)));
    },

    /** What the end of the session added, such as a repetition that was still going on. */
    finish(summary) {
        show(summary.count);
        say(element("count-phase"), "done");
    },

    event(message, { strip }) {
        if (message.type === "repetition") strip.mark(message.repetition);
    },
};
