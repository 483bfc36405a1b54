// One run: from Start to Stop, over as many connections as it takes.
import { ServerError, status, upload, uploads } from "./api.js";
import { closeCamera, isAllowedHere, openCamera } from "./camera.js";
import { Capture } from "./capture.js";
import { Connection } from "./connection.js";
import { uuid } from "./dom.js";
import { t } from "./i18n.js";
import { Meter } from "./meter.js";
import { Pictures } from "./pictures.js";
import { Recorder } from "./recorder.js";
import { cameraProblem, problemWords } from "./words.js";

const isThisMachine = () => ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
const lightSide = 360; // pixels of the shorter side of pictures that a slow machine takes
const queuePause = 2000; // milliseconds between two questions for the place in the queue
const settling = 5000; // milliseconds the server has to say how a run ended

/**
 * `plan()` says what to do: `{mode, options, source, camera, file, size, turn}`. Events, as CustomEvents: `notice` (a name of
 * words.js, a text), `state`, `live` (the camera's own picture may be shown), `result` ({message, picture, taken}),
 * `event`, `progress`, `resumed`, `started`, `uploaded`, `flipped`, `replaced`, `ended`, `over`, `unkept` (a film could
 * not be kept), `paused`, `filmed`.
 */
export class Run extends EventTarget {
    meter = new Meter();
    #plan;
    #video;
    #connection = new Connection();
    #capture = null;
    #camera = null;
    #pictures = new Pictures();
    /** What the server said of the upload: its number and its files; null when nothing was uploaded. */
    upload = null;
    #recorder = null;
    #mostBytes = 0;
    #abort = new AbortController();
    /** Whether a session runs, so that another can follow it with the same camera. */
    isStarted = false;
    /** The session that runs, or ran when the connection was lost: `{session, mode}`. */
    #session = null;
    #isLost = false;
    /** Whether the camera is only recorded, to be counted afterwards. */
    isFilming = false;
    #ending = false;
    #over = false;
    #timer = 0;

    constructor(plan, video) {
        super();
        this.#plan = plan;
        this.#video = video;
        this.#connection.addEventListener("hello", ({ detail }) => {
            this.#mostBytes = detail.limits.uploadBytes;
            if (this.#camera) this.#capture ??= this.#makeCapture(detail.limits);
            this.#begin();
        });
        this.#connection.addEventListener("message", ({ detail }) => this.#hear(detail));
        this.#connection.addEventListener("picture", ({ detail }) => this.#keepPicture(detail));
        this.#connection.addEventListener("lost", ({ detail }) => this.#lose(detail));
    }

    /** Whether a session runs that was not asked to end. */
    get goesOn() { return this.isStarted && !this.#ending; }

    /** What the camera in use is called by the browser; null without one. */
    get device() { return this.#camera?.device ?? null; }

    get looksAtUser() { return this.#camera?.looksAtUser ?? false; }

    /** Prepares the source, then connects; problems appear as notices. */
    async start() {
        const plan = this.#plan();
        try {
            if (plan.camera && !(await this.#openCamera(plan))) return this.#finish();
            if (plan.file) await this.#sendFile(plan.file);
        } catch (error) {
            if (error.name !== "AbortError") this.#tell("notice", { name: "failed", text: error.message });
            return this.#finish();
        }
        if (this.#over || this.#ending) return this.#finish();
        this.#tell("notice", { name: "connecting" });
        this.#connection.open();
        return null;
    }

    send(message) { if (this.isStarted) this.#connection.send(message); }

    retry() { this.#connection.retry(); }

    /** The mode or an option changed: the same source continues under a new plan. */
    change() { if (this.goesOn) this.#begin(); }

    /** Switches to another camera within the session. Problems appear as notices, and the previous camera is kept. */
    async flip(camera) {
        if (!this.#camera || this.#over) return;
        const before = this.#camera;
        // Phones open one camera at a time.
        closeCamera(before.stream);
        const { size, turn } = this.#plan();
        const found = await openCamera(camera, size, turn).catch(() => null)
            ?? await openCamera({ device: before.device }, size, turn).catch(() => null);
        if (this.#over) return closeCamera(found?.stream);
        if (!found) {
            this.#tell("notice", { name: "ended" });
            return this.#finish();
        }
        await this.#use(found);
        this.#capture?.replace(found.track);
        this.#tell("flipped");
        return null;
    }

    /** Has the camera take fewer and, unless they are recorded, smaller pictures. */
    lighten() {
        const { width, height } = this.#camera?.track.getSettings() ?? {};
        const share = this.#recorder ? 1 : Math.min(1, lightSide / Math.min(width, height));
        // In its own shape: in another the browser would cut off what is wider or higher.
        this.#camera?.track.applyConstraints({ width: Math.round(width * share), height: Math.round(height * share), frameRate: 15 }).catch(() => null);
    }

    /** Ends the session, which comes as `paused`, and records the camera until the run ends; then the video comes as `filmed`. */
    film() {
        if (!this.goesOn || !this.#camera || this.isFilming) return;
        this.isFilming = true;
        if (this.#recorder?.isCovered ?? true) this.#recorder = new Recorder(this.#camera.stream, this.#mostBytes);
        else this.#recorder.isWhole = true;
        this.#capture.isOpen = false;
        this.#connection.send({ type: "stop" });
    }

    async #endFilm() {
        const film = await this.#recorder.take();
        this.#finish();
        if (film) this.#tell("filmed", film);
    }

    /** Ends the run; the server settles what is in flight and says how it went. */
    stop() {
        if (this.#ending) return;
        this.#ending = true;
        this.#abort.abort();
        if (this.#capture) this.#capture.isOpen = false;
        if (this.isFilming) {
            this.#endFilm();
            return;
        }
        if (!this.isStarted || !this.#connection.isOpen) {
            this.#finish();
            return;
        }
        this.#connection.send({ type: "stop" });
        this.#timer = setTimeout(() => this.#finish(), settling);
    }

    async #openCamera({ camera, size, turn }) {
        if (!isAllowedHere()) {
            this.#tell("notice", { name: "insecure" });
            return false;
        }
        this.#tell("notice", { name: "asking" });
        try {
            this.#camera = await openCamera(camera, size, turn);
        } catch (error) {
            const name = cameraProblem(error);
            this.#tell("notice", { name, text: name === "failed" ? error.message : "" });
            return false;
        }
        await this.#use(this.#camera);
        return true;
    }

    async #use(camera) {
        this.#camera = camera;
        camera.track.addEventListener("ended", () => {
            // Not said of a track that is stopped here.
            if (this.#camera !== camera) return;
            this.#tell("notice", { name: "ended" });
            this.#finish();
        });
        this.#video.srcObject = camera.stream;
        await this.#video.play();
    }

    #makeCapture(limits) {
        // On this machine bytes cost nothing, and encoding them does.
        const mostBytes = isThisMachine() ? limits.frameBytes : 0;
        return new Capture(this.#video, this.#camera.track, mostBytes, {
            onFrame: (buffer) => this.#connection.send(buffer),
            onTaken: (now) => {
                this.meter.capture(now);
                this.#tell("live");
            },
        });
    }

    async #sendFile(file) {
        if (this.upload) return;
        const ticket = uuid();
        for (let place = 1; (place = (await uploads(ticket)).position) > 0 && !this.#ending;) {
            this.#queue(place);
            await new Promise((done) => setTimeout(done, queuePause));
        }
        if (this.#ending) return;
        const words = { name: "uploading", text: file.name };
        this.#tell("notice", { ...words, fraction: 0 });
        this.upload = await upload(
            file, ticket, (fraction) => this.#tell("notice", { ...words, fraction }), this.#abort.signal);
        this.#tell("uploaded", this.upload);
    }

    #queue(n) { this.#tell("notice", { name: "queued", text: t("hints.queued", { n }) }); }

    #begin() {
        const { mode, options, source } = this.#plan();
        if (this.#capture) this.#capture.isOpen = false;
        if (this.upload) source.id = this.upload.upload;
        if (this.#camera) source.name = this.#camera.name;
        this.meter.fromCamera = this.#capture !== null;
        this.#isLost &&= ["count", "coach"].includes(mode) && this.#session?.mode === mode;
        const continues = this.#isLost ? { continues: this.#session.session } : {};
        this.#connection.send({ type: "start", mode, source, ...options, ...continues });
    }

    #hear(message) {
        switch (message.type) {
        case "started": this.#hearStarted(message); break;
        case "result": this.#hearResult(message); break;
        case "dropped": this.#capture?.settle(message.sequence, false)?.picture.close(); break;
        case "ended": this.#hearEnded(message); break;
        case "error": this.#hearError(message); break;
        case "state": case "progress":
            if (message.state === "queued") this.#queue(message.position);
            else this.#tell(message.type, message);
            break;
        default: this.#tell("event", message);
        }
    }

    #hearStarted(message) {
        this.isStarted = true;
        const isContinued = this.#isLost;
        [this.#session, this.#isLost] = [message, false];
        if (this.#capture) this.#capture.isOpen = true;
        const { isFilmed, film } = this.#plan();
        // The film of a set continues while the connection is lost.
        if (isContinued && this.#recorder) this.#recorder.isInterrupted = true;
        else if (isFilmed && this.#camera && Recorder.isPossible) {
            this.#recorder = new Recorder(film?.() ?? this.#camera.stream, this.#mostBytes, Boolean(film));
        }
        this.#tell("started", { isContinued });
    }

    #hearResult(message) {
        const arrived = performance.now();
        this.meter.account(message, arrived);
        if (this.#capture) {
            const { picture = null, taken = null } = this.#capture.settle(message.sequence, true) ?? {};
            this.#tell("result", { message, picture, taken });
            return;
        }
        // A video that is sent is analysed as fast as it goes: it has no moment of capture.
        const taken = this.upload ? null : arrived - (message.milliseconds ?? 0);
        this.#pictures.take(message.sequence, (picture) => this.#tell("result", { message, picture, taken }));
    }

    #keepPicture(frame) {
        if (!this.upload) this.meter.capture(performance.now());
        this.#pictures.keep(frame);
    }

    async #hearEnded(message) {
        if (this.isFilming) {
            this.isStarted = false;
            this.#connection.close();
            this.#tell("paused", { ...message, isWhole: this.#recorder.isWhole === true });
            return;
        }
        // The one of the session that follows is made when that has begun.
        const recorder = this.#recorder;
        this.#recorder = null;
        if (message.reason === "replaced") {
            this.#tell("replaced", message);
            await this.#keepFilm(recorder, message);
            return;
        }
        await this.#pictures.settled();
        const filmed = this.#keepFilm(recorder, message);
        this.#tell("ended", message);
        this.#finish();
        await filmed;
    }

    async #keepFilm(recorder, { session, kept, continued }) {
        // Of a set whose first part was not kept, the film has other times.
        const isFitting = kept && (continued || !recorder?.isInterrupted);
        try {
            await recorder?.end(isFitting ? session : null);
        } catch (error) {
            this.#tell("unkept", { text: error.message });
        }
    }

    #hearError({ code, message, fatal, sequence }) {
        if (sequence !== undefined) this.#capture?.settle(sequence, false)?.picture.close();
        if (!fatal) {
            this.#tell("problem", { code, text: problemWords(code, message) });
            return;
        }
        this.#tell("notice", { name: "failed", text: problemWords(code, message) });
        this.#finish();
    }

    async #lose({ attempt, seconds }) {
        if (this.#capture) this.#capture.isOpen = false;
        if (this.isStarted) {
            this.#isLost = true;
            this.#tell("resumed");
        }
        this.isStarted = false;
        if (this.#ending) {
            this.#finish();
            return;
        }
        this.#tell("notice", { name: "lost", text: attempt === 1 ? t("notices.lost.again")
            : t("notices.lost.next", { seconds: Math.ceil(seconds) }) });
        // A server that answers but refuses the socket says why over HTTP.
        if (attempt < 2) return;
        await status().catch((error) => {
            if (!(error instanceof ServerError) || error.status === 0 || this.#over) return;
            // A studio that was started anew may have another token; that it is busy passes.
            if (attempt > 2 && error.code !== "token") return;
            this.#tell("notice", { name: "failed", text: error.message });
            this.#finish();
        });
    }

    #finish() {
        if (this.#over) return;
        this.#over = true;
        clearTimeout(this.#timer);
        this.#capture?.stop();
        this.#connection.close();
        closeCamera(this.#camera?.stream);
        if (this.#video.srcObject === this.#camera?.stream) this.#video.srcObject = null;
        this.#tell("over");
    }

    #tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }
}
