// What a screen reader hears: politely, the newest only, never a flood.
import { element } from "./dom.js";
import { sayCue, sayNow } from "./speech.js";

const pause = 1500; // milliseconds between two announcements of a kind

/** Says a text now, or the newest of what came meanwhile after the pause. */
function speaker(id) {
    let [next, timer, last] = ["", 0, 0];
    const speak = () => {
        last = performance.now();
        element(id).textContent = next;
    };
    return (text) => {
        next = text;
        clearTimeout(timer);
        const wait = last + pause - performance.now();
        if (wait <= 0) speak();
        else timer = setTimeout(speak, wait);
    };
}

const sayCounted = speaker("counts");
/** Tells a state. */
export const announce = speaker("says");

/** Tells what to change; aloud too when asked to. */
export function announceCue(text) {
    announce(text);
    sayCue(text);
}

/** Tells a count; aloud too when asked to. */
export function announceCount(number, words) {
    sayCounted(words);
    sayNow(String(number));
}
