// Classify: what a trained model sees.
import { announce } from "../announce.js";
import { element, list, make, say } from "../dom.js";
import { percent } from "../game.js";
import { t } from "../i18n.js";
import { named } from "../words.js";
import { sayWords } from "./readout.js";

let said = "";

export const classify = {
    options: () => ({ classifier: element("classifier").value }),

    reset() {
        said = "";
        sayWords(element("classify-label"), "–");
        say(element("classify-phase"), t("phases.ready"));
        list(element("classify-bars"), [], String, null);
    },

    result({ classify: seen }) {
        if (!seen) return;
        const label = seen.label ? named(seen.label) : "–";
        sayWords(element("classify-label"), label);
        say(element("classify-phase"), seen.label ? t("classify.sure", { percent: percent(seen.confidence ?? 0) }) : t("classify.looking"));
        if (label !== said && seen.label) {
            said = label;
            announce(label);
        }
        const rows = Object.entries(seen.probabilities ?? {}).toSorted(([, a], [, b]) => b - a).slice(0, 6);
        list(element("classify-bars"), rows, ([name, value]) => `${name}${percent(value)}`, ([name, value]) =>
            make("li", {}, make("span", {}, named(name)), make("span", {}, percent(value)),
                make("meter", { min: 0, max: 1, value, ariaLabel: `${named(name)} ${percent(value)}` })));
    },
};
