// Takes frames from the camera, has them encoded, and hands over the newest when there is room for one.
import { ShownFrames, shownPicture, TrackFrames } from "./camera-frames.js";

const room = 2; // frames unanswered: one being analysed, one waiting (Documentation/studio.md, Flow)
const patience = 3000; // milliseconds after which an unanswered frame is given up
export const quality = 0.8; // of the JPEG; see Tests/Browser for its size and time

/**
 * `onFrame(buffer, sequence)` gets what goes over the socket; `onTaken(now)` hears of each frame of the camera;
 * `settle` answers with what was taken for a sequence number: `{picture, taken}`, the caller closes the picture.
 */
export class Capture {
    #video;
    #hooks;
    #frames = null;
    #worker = new Worker(new URL("capture-worker.js", import.meta.url), { type: "module" });
    #unanswered = new Map();
    #sequence = 0;
    #running = true;
    #open = false;
    #encoding = false;
    #fresh = null;
    #mostBytes;

    /**
     * Begins at once. Frames up to `mostBytes` go as the camera has them, as early as the browser gives them; larger
     * ones, and with 0 all, as JPEG.
     */
    constructor(video, track, mostBytes, hooks) {
        this.#video = video;
        this.#hooks = hooks;
        this.#mostBytes = mostBytes;
        this.#worker.onmessage = ({ data }) => this.#encoded(data);
        this.replace(track);
    }

    /** Takes the frames of another camera from now on. */
    replace(track) {
        this.#frames?.stop();
        this.#keep(null);
        const came = (picture, taken) => this.#came(picture, taken);
        this.#frames = this.#mostBytes > 0 && TrackFrames.isPossible
            ? new TrackFrames(track, this.#video, came) : new ShownFrames(this.#video, came);
    }

    /** Whether frames may go out: not before the server has begun the session they belong to. */
    set isOpen(value) {
        this.#open = value;
        if (!value) this.forget();
    }

    stop() {
        this.#running = this.#open = false;
        this.#frames.stop();
        this.forget();
        this.#worker.terminate();
    }

    forget() {
        this.#giveUp(() => true);
        this.#keep(null);
    }

    /** An answer has come. A result settles what was sent before it too: those are answered or were left out. */
    settle(sequence, isResult) {
        const entry = this.#unanswered.get(sequence) ?? null;
        this.#unanswered.delete(sequence);
        if (isResult) this.#giveUp((number) => number < sequence);
        // Whatever the camera showed while there was no room is newer than nothing.
        const fresh = this.#fresh;
        this.#fresh = null;
        if (fresh) this.#take(fresh);
        return entry;
    }

    #came(picture, taken) {
        if (this.#running) {
            this.#hooks.onTaken(performance.now());
            this.#take({ picture, taken });
        } else {
            picture?.close();
        }
    }

    /** The frame to send once there is room. */
    #keep(frame) {
        this.#fresh?.picture?.close();
        this.#fresh = frame;
    }

    #take(frame) {
        const oldest = performance.now() - patience;
        this.#giveUp((_, taken) => taken < oldest);
        if (this.#open && (this.#encoding || this.#unanswered.size >= room)) {
            this.#keep(frame);
            return;
        }
        this.#keep(null);
        const { videoWidth: width, videoHeight: height } = this.#video;
        if (!this.#open || document.hidden || !width) {
            frame.picture?.close();
            return;
        }
        this.#encoding = true;
        const { taken } = frame;
        twice(frame, this.#video).then(([picture, copy]) => {
            if (!this.#open) {
                // Meanwhile the session has ended.
                for (const one of [picture, copy]) one.close();
                this.#encoding = false;
                return;
            }
            const sequence = this.#sequence++;
            this.#unanswered.set(sequence, { picture, taken });
            const most = this.#mostBytes;
            this.#worker.postMessage({ picture: copy, most, sequence, taken, width, height, quality }, [copy]);
        }, () => {
            this.#encoding = false;
        });
    }

    #encoded({ buffer, sequence }) {
        this.#encoding = false;
        // Meanwhile the session may have ended.
        if (!this.#unanswered.has(sequence)) return;
        if (buffer) this.#hooks.onFrame(buffer, sequence);
        else this.settle(sequence, false)?.picture.close();
    }

    /** Expects no answer to some frames any more, by their number and time of capture. */
    #giveUp(isGone) {
        for (const [sequence, { picture, taken }] of this.#unanswered) {
            if (!isGone(sequence, taken)) continue;
            picture.close();
            this.#unanswered.delete(sequence);
        }
    }
}

/** A frame, or the one the video shows, twice: to draw with its result, and to encode. */
async function twice({ picture, taken }, video) {
    const first = picture ?? await shownPicture(video, taken);
    // No pixel of a frame is copied: both are the camera's own buffer.
    return [first, "clone" in first ? first.clone() : await createImageBitmap(first)];
}
