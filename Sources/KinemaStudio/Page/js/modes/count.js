// Count: repetitions of anything.
import { announceCount } from "../announce.js";
import { element, list, make, say } from "../dom.js";
import { t } from "../i18n.js";
import { Movement } from "../movement.js";
import { settings } from "../settings.js";
import { counted } from "../words.js";
import { BigNumber, colourDot, nameOf, showSideBySide, Turns } from "./readout.js";

const number = new BigNumber(element("count-number"));
const turns = new Turns();
const movement = new Movement();
let total = 0;
let carried = 0;

function show(value) {
    if (value + carried === total) return;
    const rose = value + carried > total;
    total = value + carried;
    number.show(total);
    if (rose) announceCount(total, counted(total, "repetition"));
}

export const count = {
    options: () => ({ people: settings.people }),

    /** What a plan counts. */
    progress: () => ({ count: total, held: null }),

    reset() {
        total = carried = 0;
        turns.reset();
        movement.reset();
        number.show(0);
        say(element("count-phase"), t("phases.ready"));
        list(element("count-people"), [], String, null);
        showSideBySide("count", []);
    },

    /** A connection was lost: the new session counts on from here. */
    carry() {
        carried = total;
    },

    result(message, { strip }) {
        if (!message.count) return;
        const { count: value, people = [], phase, signal } = message.count;
        show(value);
        const leader = message.people?.find(({ id }) => id === people.find((one) => one.count === value)?.id);
        say(element("count-phase"), movement.words(phase, { person: leader ?? message.people?.[0], hasCounted: total > 0 }));
        turns.take(phase);
        strip.add(message.time, signal);
        // Nobody stands beside a number who does not repeat: passers-by have a signal too.
        const rows = settings.people === "all" ? people : [];
        const repeating = rows.filter((row) => row.count > 0);
        const others = showSideBySide("count", repeating) ? rows.filter((row) => !repeating.includes(row)) : rows;
        list(element("count-people"), others.length > 1 || repeating.length > 1 ? others : [],
            (row) => `${row.id}:${row.count}`,
            (row) => make("li", {}, colourDot(row.id), `${nameOf(row.id)} ${row.count}`));
    },

    /** What the end of the session added, such as a repetition that was still going on; all of it where it is whole. */
    finish(summary, isWhole, ended, { strip }) {
        // Which repetition was the first may have become clear later; after a lost connection the times are others.
        if (isWhole) carried = 0;
        else for (const one of summary.repetitions ?? []) strip.mark(one, carried);
        show(summary.count);
        say(element("count-phase"), t("phases.done"));
    },

    event(message, { strip }) {
        if (message.type === "repetition") strip.mark(message.repetition, carried);
    },
};
