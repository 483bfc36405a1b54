// What the HUD shows, truly measured: rates from the times things happened, latency from capture to drawn.

const rateSpan = 2000; // milliseconds over which a rate is taken
const kept = 300; // latest drawn frames the latency is taken over: ten seconds at thirty a second

/** Counts frames and times of one run. Times are milliseconds of `performance.now()`. */
export class Meter {
    #captured = [];
    #analysed = [];
    #latencies = [];
    counted = { arrived: 0, analysed: 0, dropped: 0 };
    /** Whether latency begins at the camera; otherwise it begins where the server has the frame. */
    fromCamera = true;

    capture(now) { remember(this.#captured, now); }

    /** The server's own account, which comes with each result. */
    account({ arrived, analysed, dropped }, now) {
        remember(this.#analysed, now);
        if (Number.isFinite(arrived)) this.counted = { arrived, analysed, dropped };
    }

    /** A frame that was taken at one time has been drawn at another. */
    drawn(taken, now) {
        this.#latencies.push(Math.max(0, now - taken));
        if (this.#latencies.length > kept) this.#latencies.shift();
    }

    reading(now) {
        return {
            capture: rate(this.#captured, now),
            analysis: rate(this.#analysed, now),
            median: quantile(this.#latencies, 0.5),
            p95: quantile(this.#latencies, 0.95),
            drawn: this.#latencies.length,
            ...this.counted,
        };
    }
}

function remember(times, now) {
    times.push(now);
    while (times[0] < now - 2 * rateSpan) times.shift();
}

/** Events a second: the gaps between them, not how many fell into a window, which flickers. */
function rate(times, now) {
    const recent = times.filter((time) => time > now - rateSpan);
    if (recent.length < 2) return recent.length === 0 && times.length === 0 ? null : 0;
    return ((recent.length - 1) * 1000) / (recent.at(-1) - recent[0]);
}

/** The value below which a share of the values lies (nearest rank), or null without values. */
export function quantile(values, share) {
    if (values.length === 0) return null;
    const sorted = values.toSorted((a, b) => a - b);
    return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}
