// What all modes share: the big number.
import { say } from "../dom.js";

/** A big number that beats when it rises; long ones are set smaller. */
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
        this.#node.classList.toggle("long", text.length > 3);
        if (!rose) return;
        this.#node.classList.remove("beat");
        // Reading a measure makes the browser see the class gone, so that the beat begins anew.
        void this.#node.offsetWidth;
        this.#node.classList.add("beat");
    }
}
