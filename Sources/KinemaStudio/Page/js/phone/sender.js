// A phone's frames: as many and as large as is of use, encoded and sent in order. While the network is gone they wait, and
// go out once it is back.
import { ShownFrames, shownPicture } from "../camera-frames.js";
import { Pace } from "./pace.js";

const patience = 3000; // milliseconds after which an unanswered frame is given up
const [early, doubt] = [400, 1500]; // milliseconds without a word after which frames wait, and after which those that did are sent
const mostBytes = 24 << 20; // of frames that wait: a minute of them at the least rate

export class Sender {
    pace = new Pace();
    #video;
    #hooks;
    #frames = null;
    #worker = new Worker(new URL("../capture-worker.js", import.meta.url), { type: "module" });
    #state = "closed";
    #queue = [];
    #bytes = 0;
    #unanswered = new Map();
    #encoding = new Set();
    #sequence = 0;
    #due = 0;
    #isEnding = false;
    #heard = 0;
    #sentTaken = -Infinity;
    /** Whether frames only wait for a studio that may just be slow. */
    #isDoubtful = false;
    /** What was sent, for the instruments. */
    sent = { frames: 0, bytes: 0, width: 0, height: 0 };

    /**
     * `send(buffer)` sends; `onTaken(now)` hears of each frame of the camera, `onLeft(milliseconds)` of time that was not
     * kept, `onSilence` of an open connection from which nothing comes, `onDrained` once all is sent after `finish`.
     */
    constructor(video, hooks) {
        [this.#video, this.#hooks] = [video, hooks];
        this.#worker.onmessage = ({ data }) => this.#encoded(data);
    }

    /** How many frames wait for the network. */
    get waiting() { return this.#queue.length; }

    /** Of how many milliseconds they are. */
    get span() { return this.#queue.length > 0 ? this.#queue.at(-1).taken - this.#queue[0].taken : 0; }

    /** Begins to take frames, as soon as a session runs; `isNew` forgets those of the one before. */
    open(isNew) {
        if (isNew) {
            this.#forget();
            this.#isEnding = false;
        }
        this.#frames ??= new ShownFrames(this.#video, (_, taken) => this.#came(taken));
        this.#state = "open";
        this.#heard = performance.now();
        this.#flush();
    }

    /** Takes no more frames, and sends those that wait. */
    finish() {
        this.#isEnding = true;
        this.#flush();
    }

    /** The network is gone: frames wait. What was on its way may have arrived or not, and is not sent again. */
    hold() {
        if (this.#state !== "open") return;
        this.#state = "held";
        this.#isDoubtful = false;
        this.#unanswered.clear();
        this.pace.forget();
    }

    /** No frames any more, until it is opened. */
    close() {
        this.#state = "closed";
        this.#forget();
    }

    stop() {
        this.close();
        this.#frames?.stop();
        this.#worker.terminate();
    }

    /** Something came from the studio. */
    hear() {
        const silent = performance.now() - this.#heard;
        this.#heard += silent;
        // It was only slow: what is newest is of use.
        if (this.#isDoubtful && silent < doubt) while (this.#queue.length > 1) this.#bytes -= this.#queue.shift().buffer.byteLength;
        this.#isDoubtful = false;
    }

    /** An answer to a frame: gives when it was taken, or null. A result settles those before it too. */
    settle({ sequence, milliseconds }, isResult) {
        const now = performance.now();
        const one = this.#unanswered.get(sequence) ?? null;
        this.#unanswered.delete(sequence);
        if (isResult) for (const number of this.#unanswered.keys()) if (number < sequence) this.#unanswered.delete(number);
        if (one && !isResult) this.pace.leftOut();
        if (one && isResult) this.pace.answered(now - one.sent, milliseconds ?? 0, now);
        this.#flush();
        return one?.taken ?? null;
    }

    #forget() {
        [this.#queue, this.#bytes] = [[], 0];
        this.#unanswered.clear();
        this.#encoding.clear();
    }

    /** Whether all that was taken has been answered. */
    get #isDrained() { return this.#state === "open" && this.#queue.length + this.#unanswered.size + this.#encoding.size === 0; }

    async #came(taken) {
        const now = performance.now();
        this.#hooks.onTaken(now);
        this.#giveUp(now);
        const { videoWidth, videoHeight } = this.#video;
        if (this.#state === "closed" || this.#isEnding || document.hidden || !videoWidth || now < this.#due) return;
        const waits = this.#state === "held" || this.#queue.length > 0 || now - this.#heard > early;
        if (waits && this.#queue.length === 0 && this.#state === "open") this.#isDoubtful = true;
        if (this.#encoding.size > (waits ? 1 : this.pace.room - 1 - this.#unanswered.size)) return;
        this.#due = now + this.pace.interval(waits) - 8;
        const sequence = this.#sequence++;
        const { width, height, quality } = this.pace.sizeOf(videoWidth, videoHeight);
        this.#encoding.add(sequence);
        Object.assign(this.sent, { width, height });
        try {
            const picture = await shownPicture(this.#video, taken);
            this.#worker.postMessage({ picture, most: 0, sequence, taken, width, height, quality }, [picture]);
        } catch {
            this.#encoding.delete(sequence);
        }
    }

    #encoded({ buffer, sequence }) {
        // Meanwhile the session may have ended.
        if (!this.#encoding.delete(sequence) || !buffer) return;
        this.#queue.push({ buffer, sequence, taken: 1000 * new DataView(buffer).getFloat64(8, true) });
        this.#bytes += buffer.byteLength;
        while (this.#bytes > mostBytes) {
            const { buffer: old, taken } = this.#queue.shift();
            this.#bytes -= old.byteLength;
            this.#hooks.onLeft((this.#queue[0]?.taken ?? taken) - taken);
        }
        this.#flush();
    }

    #flush() {
        // What waited goes one by one: a frame that waits at the studio would be left out for the next.
        const waits = this.#queue.length > 2;
        while (this.#state === "open" && this.#queue.length > 0 && this.#unanswered.size < (waits ? 1 : this.pace.room)) {
            const { buffer, sequence, taken } = this.#queue.shift();
            this.#bytes -= buffer.byteLength;
            if (waits && this.#queue.length > 0 && taken - this.#sentTaken < this.pace.spacing) continue;
            this.#sentTaken = taken;
            this.#unanswered.set(sequence, { taken, sent: performance.now() });
            this.sent.frames += 1;
            this.sent.bytes = buffer.byteLength;
            this.#hooks.send(buffer);
        }
        if (this.#isEnding && this.#isDrained) this.#hooks.onDrained();
    }

    /** Expects no answer to what was sent too long ago; where nothing at all comes, the connection is suspect. */
    #giveUp(now) {
        if (this.#state !== "open") return;
        const before = this.#unanswered.size;
        for (const [sequence, { sent }] of this.#unanswered) if (sent < now - patience) this.#unanswered.delete(sequence);
        if (this.#unanswered.size === before) return;
        if (this.#heard < now - patience) this.#hooks.onSilence();
        this.#flush();
    }
}
