// Poses: who is in view.
import { element, list, make, say } from "../dom.js";
import { personColour } from "../skeleton.js";
import { settings } from "../settings.js";
import { plural } from "../words.js";
import { BigNumber } from "./readout.js";

const number = new BigNumber(element("poses-number"));

export const poses = {
    options: () => ({ hands: settings.hands, people: "all" }),

    reset() {
        number.show(0);
        say(element("poses-words"), "nobody yet");
        list(element("poses-people"), [], String, null);
    },

    result({ people = [], hands = [] }) {
        number.show(people.length);
        const found = people.length === 1 ? "person" : "people";
        say(element("poses-words"), hands.length > 0 ? `${found}, ${plural(hands.length, "hand")}` : found);
        const rows = people.length > 1 ? people : [];
        list(element("poses-people"), rows, ({ id }) => id, ({ id }) => chip(id, String(id)));
    },

    event() {},
};

/** A person's colour and a text. */
export function chip(id, text) {
    const dot = make("i", { ariaHidden: "true" });
    dot.style.background = personColour(id);
    return make("li", {}, dot, text);
}
