// Takes frames from the camera, has them encoded, and hands over the newest when there is room for one.

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
    #worker = new Worker(new URL("capture-worker.js", import.meta.url), { type: "module" });
    #unanswered = new Map();
    #sequence = 0;
    #handle = 0;
    #running = false;
    #open = false;
    #encoding = false;
    #fresh = null;
    /** Frames up to so many bytes go as the camera has them; larger ones, and by default all, as JPEG. */
    mostBytes = 0;

    constructor(video, hooks) {
        this.#video = video;
        this.#hooks = hooks;
        this.#worker.onmessage = ({ data }) => this.#encoded(data);
    }

    start() {
        if (this.#running) return;
        this.#running = true;
        this.#await();
    }

    /** Whether frames may go out: not before the server has begun the session they belong to. */
    set isOpen(value) {
        this.#open = value;
        if (!value) this.forget();
    }

    stop() {
        this.#running = false;
        this.#open = false;
        this.#video.cancelVideoFrameCallback?.(this.#handle);
        this.forget();
        this.#worker.terminate();
    }

    forget() {
        for (const { picture } of this.#unanswered.values()) picture.close();
        this.#unanswered.clear();
    }

    /** An answer has come. A result settles what was sent before it too: those are answered or were left out. */
    settle(sequence, isResult) {
        const entry = this.#unanswered.get(sequence) ?? null;
        for (const [number, { picture }] of this.#unanswered) {
            if (number === sequence) this.#unanswered.delete(number);
            else if (isResult && number < sequence) {
                picture.close();
                this.#unanswered.delete(number);
            }
        }
        // Whatever the camera showed while there was no room is newer than nothing.
        if (this.#fresh !== null) this.#take(this.#fresh);
        return entry;
    }

    #await() {
        if (!this.#running) return;
        this.#handle = this.#video.requestVideoFrameCallback((now, frame) => this.#came(now, frame));
    }

    #came(now, frame) {
        this.#await();
        // Browsers that know when the camera took the frame say so; else it is when they showed it to us.
        const taken = Math.min(frame.captureTime ?? now, performance.now());
        this.#hooks.onTaken(now);
        this.#take(taken);
    }

    #take(taken) {
        this.#fresh = null;
        if (!this.#open || document.hidden) return;
        this.#giveUpOld();
        if (this.#encoding || this.#unanswered.size >= room) {
            this.#fresh = taken;
            return;
        }
        const { videoWidth: width, videoHeight: height } = this.#video;
        if (!width) return;
        this.#encoding = true;
        grab(this.#video, taken).then(([picture, copy]) => {
            const sequence = this.#sequence++;
            this.#unanswered.set(sequence, { picture, taken });
            const most = this.mostBytes;
            this.#worker.postMessage({ picture: copy, most, sequence, taken, width, height, quality }, [copy]);
        }, () => {
            this.#encoding = false;
        });
    }

    #encoded({ buffer, sequence }) {
        this.#encoding = false;
        // Meanwhile the session may have ended.
        if (this.#unanswered.has(sequence)) this.#hooks.onFrame(buffer, sequence);
    }

    #giveUpOld() {
        const oldest = performance.now() - patience;
        for (const [sequence, { picture, taken }] of this.#unanswered) {
            if (taken >= oldest) continue;
            picture.close();
            this.#unanswered.delete(sequence);
        }
    }
}

/** The frame the video shows, twice: one to draw with its result, one to encode. */
async function grab(video, taken) {
    if ("VideoFrame" in window) {
        // No pixel is copied: both are the camera's own buffer.
        const picture = new VideoFrame(video, { timestamp: Math.round(taken * 1000) });
        return [picture, picture.clone()];
    }
    const picture = await createImageBitmap(video);
    return [picture, await createImageBitmap(picture)];
}
