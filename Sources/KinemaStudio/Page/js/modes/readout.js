// What modes share: the big number, a count, and several people's numbers beside each other.
import { announceCount } from "../announce.js";
import { element, list, make, say } from "../dom.js";
import { t } from "../i18n.js";
import { personColour, people as colours } from "../skeleton.js";
import { counted } from "../words.js";

/** A big number that beats when it rises; the style sheet sizes it by how many letters it has. */
export class BigNumber {
    #node;
    #value = null;

    constructor(node) {
        this.#node = node;
    }

    show(value, text = String(value)) {
        const rose = this.#value !== null && value > this.#value;
        this.#value = value;
        say(this.#node, text);
        this.#node.style.setProperty("--letters", text.length);
        if (!rose) return;
        this.#node.classList.remove("beat");
        // Reading a measure makes the browser see the class gone, so that the beat begins anew.
        void this.#node.offsetWidth;
        this.#node.classList.add("beat");
    }
}

/** A count of repetitions that goes on after a lost connection, and is said when it rises. */
export class Tally extends BigNumber {
    total = 0;
    carried = 0;

    reset() {
        this.total = this.carried = 0;
        this.show(0);
    }

    count(value) {
        const rose = value + this.carried > this.total;
        this.total = value + this.carried;
        this.show(this.total);
        if (rose) announceCount(this.total, counted(this.total, "repetition"));
    }

    carry() { this.carried = this.total; }
}

/** Says big words in up to three lines, a long name in five: the style sheet sizes them by their longest line. */
export function sayWords(node, text) {
    say(node, text);
    const words = text.split(" ");
    const most = Math.max(Math.ceil(text.length / (text.length > 24 ? 5 : 3)), ...words.map((word) => word.length));
    const lines = [];
    for (const word of words) {
        const longer = `${lines.at(-1) ?? ""} ${word}`.trim();
        if (lines.length > 0 && longer.length <= most) lines[lines.length - 1] = longer;
        else lines.push(word);
    }
    node.style.setProperty("--letters", most);
    node.style.setProperty("--lines", lines.length);
}

/** What a person is called: by the colour of the skeleton, and by number once colours repeat. */
export function nameOf(id) {
    const name = t(`people.${((id % colours.length) + colours.length) % colours.length}`);
    return id >= colours.length ? `${name} ${id}` : name;
}

/** A dot in a person's colour. */
export function colourDot(id) {
    const dot = make("i", { ariaHidden: "true" });
    dot.style.background = personColour(id);
    return dot;
}

const mostSideBySide = 4; // more numbers than these cannot be read from three metres

/** Shows several people's numbers side by side in place of the one big number; true when it does. */
export function showSideBySide(mode, rows) {
    const shown = rows.length > 1 ? rows.toSorted((a, b) => b.count - a.count).slice(0, mostSideBySide)
        .toSorted((a, b) => a.id - b.id) : [];
    const node = element(`${mode}-beside`);
    node.hidden = shown.length === 0;
    element(`${mode}-number`).hidden = shown.length > 0;
    node.style.setProperty("--shown", Math.max(shown.length, 1));
    node.style.setProperty("--letters", Math.max(2, ...shown.map(({ count }) => String(count).length)));
    list(node, shown, (row) => `${row.id}:${row.count}:${row.title ?? ""}`, ({ id, count, title }) => make("li", {},
        make("b", {}, String(count)),
        make("span", {}, colourDot(id), [nameOf(id), title].filter(Boolean).join(", "))));
    return shown.length > 0;
}
