// A phone's camera and its sessions, over as many connections as it takes.
import { closeCamera, openCamera, otherCamera } from "../camera.js";
import { Meter } from "../meter.js";
import { Recorder } from "../recorder.js";
import { Link } from "./link.js";
import { Sender } from "./sender.js";

const size = "native"; // of the pictures: what is sent is scaled
const settling = 8000; // milliseconds the studio has to say how a set ended
const draining = 300_000; // and for what waits to be sent before
const mostBytes = 200_000_000; // of a film: a quarter of an hour
const resting = 1000; // milliseconds a camera may show nothing when the page is shown again

/**
 * Events, as CustomEvents: `started`, `result` ({message, taken}), `repetition`, `state`, `problem` ({code, message}),
 * `lost`, `resumed`, `left` (milliseconds that were not kept), `gone` (the session did not wait), `ended`, `refused`,
 * `camera` (another camera shows), `unplugged`.
 */
export class PhoneSession extends EventTarget {
    meter = new Meter();
    #video;
    #link = new Link();
    #sender;
    #camera = null;
    #wanted = null;
    #started = null;
    #timer = 0;
    #isOver = false;
    #ending = false;
    #unsent = 0;
    /** Whether the set is filmed, and its film: false once a part of it is missing. */
    #films = false;
    #film = null;

    constructor(video) {
        super();
        this.#video = video;
        this.#sender = new Sender(video, {
            send: (buffer) => this.#link.send(buffer),
            onTaken: (now) => this.meter.capture(now),
            onLeft: (milliseconds) => this.#tell("left", milliseconds),
            onSilence: () => this.#link.suspect(),
            onDrained: () => this.#end(),
        });
        const on = (name, act) => this.#link.addEventListener(name, ({ detail }) => !this.#isOver && act(detail));
        on("hello", (hello) => this.#greet(hello));
        on("message", (message) => this.#hear(message));
        on("lost", () => {
            this.#sender.hold();
            this.#tell("lost");
        });
        on("refused", (error) => this.#tell("refused", error));
    }

    get looksAtUser() { return this.#camera?.looksAtUser ?? true; }

    /** How many frames wait for the network. */
    get waiting() { return this.#sender.waiting; }

    /** Of how many milliseconds they are, or were when the set ended without them. */
    get unsent() { return this.#unsent + this.#sender.span; }

    /** The session that runs, as the studio calls it. */
    get id() { return this.#started?.session ?? null; }

    /** What is sent and how: for the instruments. */
    get sending() {
        return { ...this.#sender.sent, waiting: this.#sender.waiting, way: this.#link.name };
    }

    /** Opens the camera and the connection; throws what the browser says of the camera. */
    async open(facing) {
        await this.#use(await openCamera({ facing }, size));
        this.#link.open();
    }

    /** Begins a session in place of the one that runs: `{mode, …}` as `start` takes it; and films it. */
    run(options, films = false) {
        [this.#wanted, this.#films] = [options, films];
        if (this.#link.isOpen) this.#begin();
    }

    /** Ends the set once all of it was sent; the second time at once. */
    stop() {
        if (this.#ending) return this.#end();
        this.#ending = true;
        this.#timer = setTimeout(() => this.#end(), draining);
        return this.#sender.finish();
    }

    /** Ends the film and gives it: null where none was made, false where a part of it is missing. */
    takeFilm() {
        const film = this.#film;
        this.#film = null;
        return film ? film.take().then((whole) => whole ?? false) : Promise.resolve(film);
    }

    /** Ends everything; what was counted stays with the studio. */
    close() {
        this.#isOver = true;
        clearTimeout(this.#timer);
        this.#sender.stop();
        // A session without an end would wait a minute for its phone.
        if (this.#started) this.#link.send({ type: "stop" });
        this.#link.close();
        closeCamera(this.#camera?.stream);
        this.#video.srcObject = null;
    }

    /** Takes the other camera, where there is one; the session goes on. */
    async flip() {
        const other = await otherCamera(this.#camera.device, this.looksAtUser);
        if (other) await this.#change(other);
    }

    /** The page is shown again: browsers take the camera from hidden ones. */
    async wake() {
        const { track } = this.#camera ?? {};
        if (!track || this.#isOver) return;
        if (track.muted) await new Promise((done) => setTimeout(done, resting));
        if (track.readyState === "ended" || track.muted) await this.#change({ facing: this.looksAtUser ? "user" : "environment" });
        else await this.#video.play().catch(() => null);
    }

    async #change(wanted) {
        const before = this.#camera;
        // A film has one camera from its beginning to its end.
        if (this.#film) this.#film = false;
        // Phones open one camera at a time.
        closeCamera(before.stream);
        const found = await openCamera(wanted, size).catch(() => openCamera({ device: before.device }, size)).catch(() => null);
        if (this.#isOver) return closeCamera(found?.stream);
        if (!found) return this.#tell("unplugged");
        return this.#use(found);
    }

    async #use(camera) {
        this.#camera = camera;
        camera.track.addEventListener("ended", () => {
            if (this.#camera === camera && !document.hidden && !this.#isOver) this.#tell("unplugged");
        });
        this.#video.srcObject = camera.stream;
        await this.#video.play();
        this.#tell("camera");
    }

    #greet({ resumed }) {
        if (resumed && this.#started) {
            this.#sender.open(false);
            this.#tell("resumed");
        } else if (this.#started && this.#wanted.mode !== "poses") {
            this.#tell("gone");
        } else if (this.#wanted) {
            this.#begin();
        }
    }

    #begin() {
        this.#sender.close();
        this.#started = null;
        this.#link.send({ type: "start", source: { kind: "browser", name: this.#camera.name }, ...this.#wanted });
    }

    #end() {
        clearTimeout(this.#timer);
        this.#unsent = this.#sender.span;
        this.#sender.close();
        if (!this.#link.isOpen) return this.#tell("gone");
        this.#link.send({ type: "stop" });
        this.#timer = setTimeout(() => this.#tell("gone"), settling);
        return null;
    }

    #hear(message) {
        this.#sender.hear();
        switch (message.type) {
        case "started":
            this.#started = message;
            this.#ending = false;
            if (this.#films && Recorder.isPossible) this.#film = new Recorder(this.#camera.stream, mostBytes);
            this.#sender.open(true);
            this.#tell("started", message);
            break;
        case "result": {
            const taken = this.#sender.settle(message, true);
            this.meter.account(message, performance.now());
            this.#tell("result", { message, taken });
            break;
        }
        case "dropped": this.#sender.settle(message, false); break;
        case "ended":
            if (message.reason === "replaced") break;
            this.#started = null;
            this.#tell("ended", message);
            break;
        case "error":
            if (message.sequence !== undefined) this.#sender.settle(message, false);
            else this.#tell("problem", message);
            break;
        default: this.#tell(message.type, message);
        }
    }

    #tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }
}
