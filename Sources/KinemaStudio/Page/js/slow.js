// Whether enough frames are analysed for a count to hold, and what is done where they are not. No document here.

const slowest = 8; // frames a second below which repetitions are missed, see Documentation/performance.md
const fine = 12; // from which they are not, so that what is said does not flicker
const patience = 4000; // milliseconds until something is done

/** Watches one rate after the other: a machine that is too slow is first given less to do, then the page says so. */
export class SpeedWatch {
    #since = null;
    /** Whether page and camera do less; for as long as the page is open. */
    isLight = false;
    isTooSlow = false;

    /** Another run begins. */
    reset() { [this.#since, this.isTooSlow] = [null, false]; }

    /** Takes the rate now, null while there is none. */
    take(rate, now) {
        const isSlow = rate !== null && rate < slowest;
        this.#since = isSlow ? this.#since ?? now : null;
        this.isTooSlow &&= rate === null || rate < fine;
        if (!isSlow || now - this.#since < patience) return;
        if (this.isLight) this.isTooSlow = true;
        else [this.isLight, this.#since] = [true, now];
    }
}
