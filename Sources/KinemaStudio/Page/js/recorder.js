// Records a session for its review, if the user enabled that: in this browser, then to the studio once the session is
// kept.
import { keepVideo } from "./api.js";

const bitsPerSecond = 1_500_000; // of 640x480: clear enough to see a knee

export class Recorder {
    #recorder = null;
    #parts = [];
    #bytes = 0;
    #most;
    isCovered;

    static get isPossible() { return "MediaRecorder" in window; }

    /** Begins to film a camera's stream; what grows beyond `most` bytes is not kept. */
    constructor(stream, most, isCovered = false) {
        this.#most = most;
        this.isCovered = isCovered;
        const type = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"]
            .find((one) => MediaRecorder.isTypeSupported(one));
        if (!type) return;
        this.#recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: bitsPerSecond });
        this.#recorder.ondataavailable = ({ data }) => {
            this.#bytes += data.size;
            if (this.#bytes <= this.#most) this.#parts.push(data);
        };
        this.#recorder.start(1000);
    }

    /** Ends the film; it goes to the session of that number, or nowhere without one. Throws what the studio says. */
    async end(session) {
        const film = await this.take();
        if (session && film) await keepVideo(session, film, this.isCovered);
    }

    /** Ends the film and gives it; null where nothing was recorded, or too much. */
    async take() {
        const recorder = this.#recorder;
        this.#recorder = null;
        if (!recorder) return null;
        if (recorder.state !== "inactive") {
            await new Promise((done) => {
                recorder.onstop = done;
                recorder.stop();
            });
        }
        if (this.#bytes === 0 || this.#bytes > this.#most) return null;
        return new Blob(this.#parts, { type: recorder.mimeType.split(";")[0] });
    }
}
