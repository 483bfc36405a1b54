// The camera's frames and their times of capture, from a video element or from the track.

/** The picture that a video element shows, the camera's own buffer where the browser gives it; the receiver closes it. */
export const shownPicture = async (video, taken) =>
    ("VideoFrame" in window ? new VideoFrame(video, { timestamp: Math.round(taken * 1000) }) : createImageBitmap(video));

/**
 * The frames a video element shows: every browser has them, but they come with the screen's refresh. `onFrame` gets
 * null for the picture, which is the one the element shows, and the time of capture.
 */
export class ShownFrames {
    #video;
    #onFrame;
    #handle = 0;

    constructor(video, onFrame) {
        this.#video = video;
        this.#onFrame = onFrame;
        this.#await();
    }

    stop() { this.#video.cancelVideoFrameCallback?.(this.#handle); }

    #await() {
        this.#handle = this.#video.requestVideoFrameCallback((now, { captureTime }) => {
            this.#await();
            // The time of capture where the browser knows it, else the time of display.
            this.#onFrame(null, Math.min(captureTime ?? now, performance.now()));
        });
    }
}

/**
 * The frames of the camera's track, up to a refresh of the screen sooner, where the browser provides them. `onFrame`
 * gets a VideoFrame, which is the receiver's to close, and the time of capture.
 */
export class TrackFrames {
    #shown;
    #reader;
    #clock = new CaptureClock();

    static get isPossible() { return "MediaStreamTrackProcessor" in window; }

    constructor(track, video, onFrame) {
        this.#reader = new MediaStreamTrackProcessor({ track, maxBufferSize: 1 }).readable.getReader();
        this.#shown = new ShownFrames(video, (_, taken) => this.#clock.saw(taken));
        this.#read(onFrame);
    }

    stop() {
        this.#shown.stop();
        this.#reader.cancel().catch(() => null);
    }

    async #read(onFrame) {
        for (;;) {
            const { done, value } = await this.#reader.read().catch(() => ({ done: true }));
            if (done) return;
            onFrame(value, this.#clock.timeOf(value.timestamp / 1000, performance.now()));
        }
    }
}

/**
 * Puts the track's times on the page's clock. They count from a moment that browsers keep to themselves, but the video
 * element tells the time of capture of some of the same frames: of the distances between those and the track's, the
 * largest by which no frame arrives before it was taken is the right one.
 */
export class CaptureClock {
    #recent = [];
    #distance = -Infinity;
    #most = Infinity;

    /** Takes a frame with the track's time; returns its time of capture, or of arrival while that is unknown. */
    timeOf(time, now) {
        this.#recent.push(time);
        if (this.#recent.length > 8) this.#recent.shift();
        this.#most = Math.min(this.#most, now - time);
        if (this.#distance > this.#most) this.#distance = -Infinity;
        return Number.isFinite(this.#distance) ? time + this.#distance : now;
    }

    /** A recent frame with this time of capture was displayed. */
    saw(taken) {
        for (const time of this.#recent) {
            const distance = taken - time;
            if (distance <= this.#most && distance > this.#distance) this.#distance = distance;
        }
    }
}
