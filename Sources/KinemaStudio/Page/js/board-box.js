// The box around the board, as the player drags it over the picture.
import { element } from "./dom.js";

const smallest = 0.02; // share of the picture, each way
const step = 0.01; // share of the picture an arrow key moves by
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/** A box [x, y, width, height] within the picture: normalised, origin at the lower left. */
export function within([x, y, width, height]) {
    const wide = clamp(width, smallest, 1);
    const high = clamp(height, smallest, 1);
    return [clamp(x, 0, 1 - wide), clamp(y, 0, 1 - high), wide, high];
}

/** The box between two points. */
export const between = ([x, y], [left, low]) =>
    within([Math.min(x, left), Math.min(y, low), Math.abs(x - left), Math.abs(y - low)]);

/** Moves a box, or one of its corners: "nw", "ne", "sw", "se", north being up. */
export function dragged([x, y, width, height], corner, across, up) {
    if (!corner) return within([x + across, y + up, width, height]);
    const [west, south] = [corner.includes("w"), corner.includes("s")];
    const fixed = [west ? x + width : x, south ? y + height : y];
    const moved = [(west ? x : x + width) + across, (south ? y : y + height) + up];
    return between(fixed, moved.map((value) => clamp(value, 0, 1)));
}

export class BoardBox {
    #layer = element("layer");
    #node = element("board-box");
    #box = null;
    #drag = null;
    #changed;
    #isMirrored;

    /** `changed` gets the box after a drag or Enter; `isMirrored` says how the picture is shown. */
    constructor(changed, isMirrored) {
        this.#changed = changed;
        this.#isMirrored = isMirrored;
        this.#layer.addEventListener("pointerdown", (event) => this.#begin(event));
        this.#layer.addEventListener("pointermove", (event) => this.#move(event));
        for (const name of ["pointerup", "pointercancel"]) this.#layer.addEventListener(name, () => this.#end());
        this.#node.addEventListener("keydown", (event) => this.#press(event));
    }

    get isShown() { return !this.#node.hidden; }

    /** Shows the box to be dragged. */
    show(box) {
        this.#node.hidden = false;
        this.#layer.classList.add("takes-drags");
        if (!this.#drag) this.#place(within(box));
    }

    hide() {
        this.#node.hidden = true;
        this.#layer.classList.remove("takes-drags");
        this.#drag = null;
    }

    focus() { this.#node.focus(); }

    #place(box) {
        const [x, y, width, height] = box;
        this.#box = box;
        Object.assign(this.#node.style, {
            left: `${100 * (this.#isMirrored() ? 1 - x - width : x)}%`, bottom: `${100 * y}%`,
            width: `${100 * width}%`, height: `${100 * height}%` });
        this.#node.dataset.box = box.map((value) => value.toFixed(4)).join(" ");
    }

    /** A pointer's position: normalised, origin at the lower left. */
    #point({ clientX, clientY }) {
        const { left, top, width, height } = this.#layer.getBoundingClientRect();
        const x = clamp((clientX - left) / width, 0, 1);
        return [this.#isMirrored() ? 1 - x : x, clamp(1 - (clientY - top) / height, 0, 1)];
    }

    #begin(event) {
        if (!this.isShown || event.button !== 0) return;
        event.preventDefault();
        this.#layer.setPointerCapture(event.pointerId);
        const corner = event.target.dataset.corner;
        // A corner is held, the box is moved, and anywhere else a new box begins.
        const isNew = !corner && event.target !== this.#node;
        this.#drag = { from: this.#point(event), box: this.#box, corner, isNew };
        this.#node.focus();
    }

    #move(event) {
        if (!this.#drag) return;
        const { from, box, corner, isNew } = this.#drag;
        const at = this.#point(event);
        this.#drag.hasMoved = true;
        const side = corner && this.#isMirrored() ? corner.replace(/[we]/, (one) => (one === "w" ? "e" : "w")) : corner;
        this.#place(isNew ? between(from, at) : dragged(box, side, at[0] - from[0], at[1] - from[1]));
    }

    #end() {
        const hasMoved = this.#drag?.hasMoved;
        this.#drag = null;
        if (hasMoved) this.#changed(this.#box);
    }

    #press(event) {
        if (event.key === "Enter") this.#changed(this.#box);
        const [across, up] = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step],
            ArrowDown: [0, -step] }[event.key] ?? [];
        if (across === undefined) return;
        event.preventDefault();
        const right = this.#isMirrored() ? -across : across;
        const [x, y, width, height] = this.#box;
        this.#place(within(event.shiftKey ? [x, y, width + right, height + up] : [x + right, y + up, width, height]));
    }
}
