// How much a phone sends: the rate and size that the analysis makes use of and the network carries. No document here.

/** What is sent, the best first: the longest side in pixels, the quality of the JPEG. */
const levels = [
    { side: 640, quality: 0.8 }, { side: 512, quality: 0.75 },
    { side: 400, quality: 0.7 }, { side: 320, quality: 0.65 },
];
const rate = 15; // frames a second: more do not improve a count
const leastRate = 8; // below which quick repetitions are lost
const mostApart = 300; // milliseconds between frames that are still counted by
const [slow, quick] = [220, 70]; // milliseconds of a frame's way there and back beside the analysis
const [few, many] = [15, 90]; // answers after which less and more is tried
const wasted = 0.2; // share of the frames that the studio left out, from which one at a time is sent

export class Pace {
    #level = 0;
    #ways = [];
    #gap = 1000 / rate;
    #last = null;
    #left = 0;

    /** A frame was answered after so many milliseconds, of which the studio had it so many. */
    answered(roundTrip, inStudio, now) {
        if (this.#last !== null) this.#gap += 0.1 * (Math.min(now - this.#last, 500) - this.#gap);
        this.#last = now;
        this.#left *= 0.97;
        this.#ways.push(Math.max(0, roundTrip - inStudio));
        if (this.#ways.length > many) this.#ways.shift();
        const recent = this.#ways.slice(-few);
        if (recent.length === few && middle(recent) > slow) this.#turn(1);
        else if (this.#ways.length === many && middle(this.#ways) < quick) this.#turn(-1);
    }

    /** The studio left a frame out for a newer one: it has others to analyse. */
    leftOut() { this.#left = 0.97 * this.#left + 0.03; }

    /** The connection was lost: what was known of it is past. */
    forget() {
        this.#ways = [];
        this.#last = null;
    }

    /** Milliseconds between two frames; while frames wait to be sent, the studio must have time for those as well. */
    interval(isWaiting) {
        return isWaiting ? Math.max(1000 / leastRate, this.spacing) : 1000 / rate;
    }

    /** Milliseconds that lie at least between two frames that waited: a slow studio would not catch up with all of them. */
    get spacing() { return Math.min(1.5 * this.#gap, mostApart); }

    /** Frames unanswered: one that is analysed and one that waits, and more on a long way; just one where the other is left out. */
    get room() {
        if (this.#left > wasted) return 1;
        return this.#ways.length < few ? 2 : Math.min(2 + Math.floor(middle(this.#ways) / 100), 4);
    }

    /** The size of a picture to send, with its quality. */
    sizeOf(width, height) {
        const { side, quality } = levels[this.#level];
        const scale = Math.min(1, side / Math.max(width, height));
        return { width: Math.round(width * scale), height: Math.round(height * scale), quality };
    }

    #turn(step) {
        const next = Math.max(0, Math.min(levels.length - 1, this.#level + step));
        if (next !== this.#level) this.#ways = [];
        this.#level = next;
    }
}

const middle = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
