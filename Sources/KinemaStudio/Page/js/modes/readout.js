// What all modes share: the big number.
import { say } from "../dom.js";

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
