// The socket: connects, says hello, and comes back by itself when it was lost.
import { unpackFrame } from "./frames.js";

/** Pauses before the next attempt, seconds; the last one repeats. */
export const pauses = [0.5, 1, 2, 4, 8, 15];

/**
 * A socket that stays. Events: `hello` (limits), `message` (a JSON message), `picture` (a frame of the server's
 * source), `lost` ({attempt, seconds}), each as a CustomEvent's `detail`.
 */
export class Connection extends EventTarget {
    #socket = null;
    #timer = 0;
    #attempt = 0;
    #closed = true;
    #query;
    #longest;
    #patience;

    /**
     * `query()` gives what the address asks for, as a string. At most `longest` seconds lie between two attempts, and
     * one without a hello is given up after `patience` milliseconds.
     */
    constructor({ query = () => "", longest = pauses.at(-1), patience = Infinity } = {}) {
        super();
        [this.#query, this.#longest, this.#patience] = [query, longest, patience];
    }

    get isOpen() { return this.#socket?.readyState === WebSocket.OPEN; }

    open() {
        this.#closed = false;
        this.#connect();
        addEventListener("online", this.retry);
    }

    /** Tries again now instead of after the pause. */
    retry = () => {
        if (!this.#closed && !this.#socket) this.#connect();
    };

    /** Gives up a socket from which nothing comes, as if it had closed, and connects again. */
    renew() {
        const socket = this.#socket;
        if (!socket) return;
        this.#lose(socket);
        socket.close();
    }

    send(message) {
        if (this.isOpen) this.#socket.send(message instanceof ArrayBuffer ? message : JSON.stringify(message));
    }

    close() {
        this.#closed = true;
        clearTimeout(this.#timer);
        removeEventListener("online", this.retry);
        this.#socket?.close(1000);
        this.#socket = null;
    }

    #connect() {
        clearTimeout(this.#timer);
        const address = new URL("live", location.href);
        address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
        address.search = this.#query();
        address.hash = "";
        const socket = new WebSocket(address, "kinema.2");
        socket.binaryType = "arraybuffer";
        socket.onmessage = ({ data }) => this.#receive(socket, data);
        socket.onclose = () => this.#lose(socket);
        this.#socket = socket;
        if (Number.isFinite(this.#patience)) this.#timer = setTimeout(() => this.renew(), this.#patience);
    }

    #receive(socket, data) {
        if (socket !== this.#socket) return;
        if (data instanceof ArrayBuffer) {
            const frame = unpackFrame(data);
            if (frame) this.#tell("picture", frame);
            return;
        }
        const message = JSON.parse(data);
        const isHello = message.type === "hello";
        if (isHello) {
            this.#attempt = 0;
            clearTimeout(this.#timer);
        }
        this.#tell(isHello ? "hello" : "message", message);
    }

    #lose(socket) {
        if (socket !== this.#socket || this.#closed) return;
        this.#socket = null;
        // A little chance keeps many pages from knocking all at once after a restart.
        const seconds = Math.min(pauses[Math.min(this.#attempt, pauses.length - 1)], this.#longest) * (0.85 + 0.3 * Math.random());
        this.#attempt += 1;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(this.retry, seconds * 1000);
        this.#tell("lost", { attempt: this.#attempt, seconds });
    }

    #tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }
}
