// The voice and the tick: short words, the newest at once. Silent unless the user enabled it.
import { language } from "./i18n.js";
import { settings } from "./settings.js";

const pause = 2500; // milliseconds before the same cue is said again
let lastCue = { text: "", at: -Infinity };
let sound = null;

function say(text, isUrgent) {
    if (!("speechSynthesis" in window)) return;
    // What is still being said is out of date.
    if (isUrgent) speechSynthesis.cancel();
    const words = new SpeechSynthesisUtterance(text);
    words.lang = language;
    speechSynthesis.speak(words);
}

/** Says a count, or what to do next in a plan. */
export function sayNow(text) {
    if (settings.voice !== "off") say(text, true);
}

/** Says what to change; not the same over and over, and not over a count. */
export function sayCue(text) {
    const now = performance.now();
    if (settings.voice !== "all" || lastCue.text === text && now - lastCue.at < pause) return;
    lastCue = { text, at: now };
    say(text, false);
}

/** A short tone. Browsers allow sound after a press only, which Start is. */
export function tick() {
    if (!settings.tick || !("AudioContext" in window)) return;
    sound ??= new AudioContext();
    const tone = new OscillatorNode(sound, { frequency: 880 });
    const loudness = new GainNode(sound, { gain: 0.2 });
    loudness.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + 0.08);
    tone.connect(loudness).connect(sound.destination);
    tone.start();
    tone.stop(sound.currentTime + 0.08);
}
