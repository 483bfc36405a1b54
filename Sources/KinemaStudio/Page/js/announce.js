// What a screen reader hears: politely, the newest only, never a flood.
import { element } from "./dom.js";
import { sayCue, sayNow } from "./speech.js";

const pause = 1500; // milliseconds between two announcements of a kind

class Speaker {
    #node;
    #next = null;
    #timer = 0;
    #last = 0;

    constructor(id) {
        this.#node = element(id);
    }

    /** Says it now, or the newest of what came meanwhile after the pause. */
    say(text) {
        this.#next = text;
        const wait = this.#last + pause - performance.now();
        clearTimeout(this.#timer);
        if (wait <= 0) this.#speak();
        else this.#timer = setTimeout(() => this.#speak(), wait);
    }

    #speak() {
        this.#last = performance.now();
        this.#node.textContent = this.#next;
    }
}

const states = new Speaker("says");
const counts = new Speaker("counts");

/** Tells a state. */
export const announce = (text) => states.say(text);

/** Tells what to change; aloud too when asked to. */
export function announceCue(text) {
    states.say(text);
    sayCue(text);
}

/** Tells a count; aloud too when asked to. */
export function announceCount(number, words) {
    counts.say(words);
    sayNow(String(number));
}
