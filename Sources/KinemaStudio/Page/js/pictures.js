// The pictures of a source that is not the browser: they come before their results and take a while to decode.

export class Pictures {
    #decoding = new Map();
    #shown = Promise.resolve();

    /** Keeps a picture until its result comes. */
    keep({ sequence, jpeg }) { this.#decoding.set(sequence, createImageBitmap(jpeg).catch(() => null)); }

    /** Calls back with the picture of a sequence number, or null, once it is decoded; in the order of the calls. */
    take(sequence, show) {
        const picture = this.#decoding.get(sequence) ?? null;
        // Older ones are of frames whose results were left out.
        for (const [number, other] of this.#decoding) {
            if (number > sequence) continue;
            this.#decoding.delete(number);
            if (number < sequence) other.then((bitmap) => bitmap?.close());
        }
        this.#shown = this.#shown.then(() => picture).then(show);
    }

    /** Done when everything taken so far was shown. */
    settled() { return this.#shown; }
}
