// What the movement is called while it goes on: lowering and raising where that is known, rest between sets.
import { t } from "./i18n.js";
import { mean } from "./outline.js";
import { tick } from "./speech.js";
import { phaseWords } from "./words.js";

const resting = 3000; // milliseconds at the start posture after which it is a rest
const clear = 0.15; // lengths of the trunk by which hips, shoulders or hands have to rise or fall
const out = ["out", "down", "up"];
const pairs = [["leftHip", "rightHip"], ["leftShoulder", "rightShoulder"], ["leftWrist", "rightWrist"]];

/** The heights of hips, shoulders and hands, and the trunk's length; null where too little is seen. */
function heightsOf({ keypoints = {} } = {}) {
    const heights = pairs.map((pair) => mean(pair.map((name) => keypoints[name]?.[1])));
    return heights.includes(null) ? null : { heights, trunk: Math.max(0.1, Math.abs(heights[1] - heights[0])) };
}

export class Movement {
    #start = null;
    #lowersFirst = null;
    #isOut = false;
    #stillSince = null;
    #way = null;

    reset() {
        this.#start = this.#lowersFirst = this.#stillSince = this.#way = null;
        this.#isOut = false;
    }

    /** Whether the phase taken last was on the way back. */
    isBack = false;

    /** The words of a phase; `lowersFirst` where the server knows it, else it is seen from the person. */
    words(phase, { lowersFirst = null, person, hasCounted = false, now = performance.now() } = {}) {
        const isOut = out.includes(phase) && !(phase === "up" && lowersFirst === true) && !(phase === "down" && lowersFirst === false);
        const isBack = !isOut && ["back", "up", "down"].includes(phase);
        this.isBack = isBack;
        this.#follow(isOut, person);
        this.#stillSince = isOut || isBack ? null : this.#stillSince ?? now;
        if (isOut || isBack) {
            if (this.#way !== null && this.#way !== isOut) tick();
            this.#way = isOut;
            const lowers = lowersFirst ?? this.#lowersFirst;
            if (lowers === null) return t(isOut ? "phases.out" : "phases.back");
            return t(lowers === isOut ? "phases.down" : "phases.up");
        }
        const isRest = ["top", "bottom", "start", "rest", "ready"].includes(phase);
        return hasCounted && isRest && now - this.#stillSince >= resting ? t("phases.rest") : phaseWords(phase);
    }

    #follow(isOut, person) {
        const seen = heightsOf(person);
        if (!isOut || !seen) {
            this.#isOut = isOut;
            this.#start = seen ?? this.#start;
            return;
        }
        if (!this.#isOut || !this.#start) this.#start ??= seen;
        this.#isOut = true;
        const moves = seen.heights.map((height, at) => (height - this.#start.heights[at]) / this.#start.trunk);
        const most = moves.reduce((best, move) => (Math.abs(move) > Math.abs(best) ? move : best), 0);
        if (Math.abs(most) >= clear) this.#lowersFirst = most < 0;
    }
}
