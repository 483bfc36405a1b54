// Poses: who is in view.
import { element, list, make, say } from "../dom.js";
import { t } from "../i18n.js";
import { settings } from "../settings.js";
import { counted } from "../words.js";
import { BigNumber, colourDot, nameOf } from "./readout.js";

const number = new BigNumber(element("poses-number"));

export const poses = {
    options: () => ({ hands: settings.hands, people: "all" }),

    reset() {
        number.show(0);
        say(element("poses-words"), t("poses.nobody"));
        list(element("poses-people"), [], String, null);
    },

    result({ people = [], hands = [] }) {
        number.show(people.length);
        const found = t("poses.found", { n: people.length });
        say(element("poses-words"), hands.length > 0 ? `${found}, ${counted(hands.length, "hand")}` : found);
        const rows = people.length > 1 ? people : [];
        list(element("poses-people"), rows, ({ id }) => id, ({ id }) => make("li", {}, colourDot(id), rows.length > 8 ? String(id) : nameOf(id)));
    },
};
