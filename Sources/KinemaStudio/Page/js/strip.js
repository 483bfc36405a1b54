// The strip: the last seconds of the movement, repetitions shaded and numbered.
import { draw, element } from "./dom.js";
import { t } from "./i18n.js";
import { area, axes, bandOf, inView, pathOf, picture, wordsOf } from "./plot.js";

const seconds = 20; // shown
const gap = 0.5; // seconds without a value that break the line

export class Strip {
    #place = element("strip");
    #times = [];
    #values = [];
    #repetitions = [];
    #now = 0;
    /** What is added to the times of a session, so that it follows the one before a lost connection. */
    #offset = 0;
    #asked = false;

    constructor() {
        new ResizeObserver(() => this.#ask()).observe(this.#place);
    }

    clear() {
        // An empty strip is not shown.
        this.#place.hidden = true;
        [this.#times, this.#values, this.#repetitions] = [[], [], []];
        this.#now = this.#offset = 0;
        this.#describe();
    }

    /** Adds a gap after a lost connection. */
    carry() { this.#offset = this.#now + 2 * gap; }

    /** A value of the movement, about 0...1 or null at rest, at a time in seconds. */
    add(since, value) {
        const time = since + this.#offset;
        if (!Number.isFinite(time)) return;
        this.#place.hidden = false;
        if (time - this.#now > gap) this.#put(this.#now + gap, NaN);
        this.#now = Math.max(this.#now, time);
        this.#put(time, Number.isFinite(value) ? Math.max(value, 0) : 0);
        while (this.#times[1] < this.#now - seconds) [this.#times, this.#values].forEach((list) => list.shift());
        this.#ask();
    }

    #put(time, value) {
        this.#times.push(time);
        this.#values.push(value);
    }

    /** Marks a repetition, after the number carried over; the newest report of a person's number counts. */
    mark({ id, number: place, start, end, faults }, carried = 0) {
        const number = place + carried;
        const others = this.#repetitions.filter((one) => one.number !== number || one.id !== id);
        this.#repetitions = [...others, { id, number, start: start + this.#offset, end: end + this.#offset, isFaulty: (faults ?? []).length > 0 }].slice(-60);
        this.#describe();
        this.#ask();
    }

    #describe() {
        const marked = this.#repetitions.length;
        this.#place.setAttribute("aria-label", marked === 0 ? t("strip.none") : t("strip.marked", { n: marked }));
        this.#place.dataset.repetitions = marked;
    }

    /** Draws once a refresh, however much came. */
    #ask() {
        if (this.#asked) return;
        this.#asked = true;
        requestAnimationFrame(() => {
            this.#asked = false;
            this.#draw();
        });
    }

    #draw() {
        const { clientWidth: width, clientHeight: height } = this.#place;
        if (!width || !height) return;
        const to = Math.max(this.#now, seconds);
        // Early values of a movement may be larger than later ones.
        const high = this.#values.reduce((most, value) => (value > most ? value : most), 1);
        const room = area({ width, height, left: 12, right: 12, top: 28, bottom: 12, from: to - seconds, to, low: 0, high });
        const shown = inView(room, this.#repetitions);
        const bands = shown.map((one) => bandOf(room, one, { class: one.isFaulty ? "band faulty" : "band", height: height - 8 }));
        const line = draw("path", { class: "curve-line", d: pathOf(this.#times, this.#values, room) });
        this.#place.replaceChildren(picture(room, "", [...bands, ...axes(room, []), line, ...wordsOf(room, shown, ({ number }) => number)]));
    }
}
