// Count: repetitions of anything.
import { element, list, make, say } from "../dom.js";
import { t } from "../i18n.js";
import { Movement } from "../movement.js";
import { settings } from "../settings.js";
import { colourDot, nameOf, showSideBySide, Tally } from "./readout.js";

const tally = new Tally(element("count-number"));
const movement = new Movement();

export const count = {
    options: () => ({ people: settings.people }),

    /** What a plan counts. */
    progress: () => ({ count: tally.total, held: null }),

    reset() {
        tally.reset();
        movement.reset();
        say(element("count-phase"), t("phases.ready"));
        list(element("count-people"), [], String, null);
        showSideBySide("count", []);
    },

    /** A connection was lost: the new session counts on from here. */
    carry: () => tally.carry(),

    result(message, { strip }) {
        if (!message.count) return;
        const { count: value, people = [], phase, signal } = message.count;
        tally.count(value);
        const leader = message.people?.find(({ id }) => id === people.find((one) => one.count === value)?.id);
        say(element("count-phase"), movement.words(phase, { person: leader ?? message.people?.[0], hasCounted: tally.total > 0 }));
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
        if (isWhole) tally.carried = 0;
        else for (const one of summary.repetitions ?? []) strip.mark(one, tally.carried);
        tally.count(summary.count);
        say(element("count-phase"), t("phases.done"));
    },

    event(message, { strip }) {
        if (message.type === "repetition") strip.mark(message.repetition, tally.carried);
    },
};
