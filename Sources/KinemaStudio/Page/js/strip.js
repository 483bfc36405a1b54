// The strip: the last seconds of the movement, repetitions shaded and numbered.
import { colour, element } from "./dom.js";
import { t } from "./i18n.js";

const seconds = 20; // shown
const inks = ["accent", "accent-soft", "fault", "fault-soft", "line", "ink"];
const gap = 0.5; // seconds without a value that break the line

export class Strip {
    #canvas = element("strip");
    #context = this.#canvas.getContext("2d");
    #points = [];
    #repetitions = [];
    #now = 0;
    /** What is added to the times of a session, so that it follows the one before a lost connection. */
    #offset = 0;
    #asked = false;
    #palette = null;

    constructor() {
        new ResizeObserver(() => this.#fit()).observe(this.#canvas);
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.recolour());
    }

    recolour() {
        this.#palette = null;
        this.#ask();
    }

    clear() {
        // An empty strip is not shown.
        this.#canvas.hidden = true;
        this.#points = [];
        this.#repetitions = [];
        this.#now = this.#offset = 0;
        this.#describe();
        this.#ask();
    }

    /** Adds a gap after a lost connection. */
    carry() {
        this.#offset = this.#now + 2 * gap;
    }

    /** A value of the movement, about 0...1 or null at rest, at a time in seconds. */
    add(since, value) {
        const time = since + this.#offset;
        if (!Number.isFinite(time)) return;
        this.#canvas.hidden = false;
        this.#now = Math.max(this.#now, time);
        this.#points.push({ time, value: Number.isFinite(value) ? value : null });
        while (this.#points.length > 1 && this.#points[1].time < this.#now - seconds) this.#points.shift();
        this.#ask();
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
        this.#canvas.setAttribute("aria-label", marked === 0
            ? t("strip.none") : t("strip.marked", { n: marked }));
        this.#canvas.dataset.repetitions = marked;
    }

    #fit() {
        const scale = Math.min(devicePixelRatio, 2);
        this.#canvas.width = Math.round(this.#canvas.clientWidth * scale);
        this.#canvas.height = Math.round(this.#canvas.clientHeight * scale);
        this.#ask();
    }

    #ask() {
        if (this.#asked) return;
        this.#asked = true;
        requestAnimationFrame(() => {
            this.#asked = false;
            this.#draw();
        });
    }

    #draw() {
        const { width, height } = this.#canvas;
        const context = this.#context;
        this.#palette ??= Object.fromEntries(inks.map((name) => [name, colour(`--${name}`)]));
        const scale = height / Math.max(1, this.#canvas.clientHeight);
        const margin = 12 * scale;
        const end = Math.max(this.#now, seconds);
        const x = (time) => margin + ((time - end + seconds) / seconds) * (width - 2 * margin);
        // Early values of a movement may be larger than later ones.
        const top = this.#points.reduce((most, point) => Math.max(most, point.value ?? 0), 1);
        const y = (value) => height - margin - (Math.max(value, 0) / top) * (height - margin - 28 * scale);
        context.clearRect(0, 0, width, height);
        this.#drawRepetitions(x, { height, scale, margin });
        context.strokeStyle = this.#palette.line;
        context.lineWidth = scale;
        context.beginPath();
        context.moveTo(margin, y(0));
        context.lineTo(width - margin, y(0));
        context.stroke();
        this.#drawCurve(x, y, scale);
    }

    #drawRepetitions(x, { height, scale, margin }) {
        const context = this.#context;
        context.font = `650 ${13 * scale}px ${colour("--face") || "sans-serif"}`;
        context.textAlign = "center";
        context.textBaseline = "top";
        for (const { number, start, end, isFaulty } of this.#repetitions) {
            if (x(end) < margin) continue;
            const left = Math.max(x(start), margin);
            context.fillStyle = isFaulty ? this.#palette["fault-soft"] : this.#palette["accent-soft"];
            context.beginPath();
            const width = Math.max(1, x(end) - left - 2 * scale);
            context.roundRect(left + scale, 4 * scale, width, height - 8 * scale, 8 * scale);
            context.fill();
            context.fillStyle = isFaulty ? this.#palette.fault : this.#palette.ink;
            context.fillText(String(number), (left + x(end)) / 2, 8 * scale);
        }
    }

    #drawCurve(x, y, scale) {
        const context = this.#context;
        context.strokeStyle = this.#palette.accent;
        context.lineWidth = 2.5 * scale;
        context.lineJoin = "round";
        context.beginPath();
        let before = null;
        for (const point of this.#points) {
            const value = point.value ?? 0;
            if (before === null || point.time - before > gap) context.moveTo(x(point.time), y(value));
            else context.lineTo(x(point.time), y(value));
            before = point.time;
        }
        context.stroke();
    }
}
