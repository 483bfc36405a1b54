// A phone's connection: a socket, or where the browser refuses that (iPhones do with a certificate that nobody signed)
// requests. A session goes on over either with its key, also after the network was lost. See Documentation/studio.md.
import { ask } from "../api.js";
import { Connection } from "../connection.js";

const patience = 4000; // milliseconds a socket has to say hello
const longest = 2; // seconds between two attempts: a set waits a minute for its phone
const answer = { POST: 8000, GET: 15000 }; // milliseconds a request has; the studio answers after 2 s and after 10 s
const together = 2; // requests on their way at once
const idle = 300; // milliseconds without a request after which the studio is asked what is new

/**
 * A connection that stays. Events as of `Connection`: `hello`, which says in `resumed` whether the session goes on,
 * `message`, `lost`, and `refused` with what the studio said where it no longer knows the phone.
 */
export class Link extends EventTarget {
    #way = null;
    #key = null;
    #hasSpoken = false;
    #isProbing = false;

    get isOpen() { return this.#way?.isOpen ?? false; }

    /** "socket" or "requests". */
    get name() { return this.#way instanceof Requests ? "requests" : "socket"; }

    open() {
        addEventListener("offline", this.#hasGoneOffline);
        this.#follow(new Connection({ query: () => (this.#key ? `key=${this.#key}` : ""), longest, patience }));
    }

    send(message) { this.#way?.send(message); }

    /** Nothing comes any more: connects anew, unless the studio answers otherwise and so is only busy. */
    async suspect() {
        const way = this.#way;
        if (this.#isProbing || !way) return;
        this.#isProbing = true;
        const isThere = await ask("api/status", { signal: AbortSignal.timeout(patience) }).then(() => true, ({ status }) => status > 0);
        this.#isProbing = false;
        if (!isThere && way === this.#way) way.renew();
    }

    #hasGoneOffline = () => this.#way?.renew();

    close() {
        removeEventListener("offline", this.#hasGoneOffline);
        this.#way?.close();
        this.#way = null;
    }

    #follow(way) {
        this.#way = way;
        const on = (name, handler) => way.addEventListener(name, ({ detail }) => {
            if (way === this.#way) handler(detail);
        });
        on("hello", (hello) => {
            this.#hasSpoken = true;
            this.#key = hello.key ?? null;
            this.#tell("hello", hello);
        });
        on("message", (message) => this.#tell("message", message));
        on("refused", (error) => this.#tell("refused", error));
        on("lost", (detail) => this.#lose(way, detail));
        way.open();
    }

    /** A socket that never opened may be one that the browser refuses; a studio that refuses it says why over HTTP. */
    async #lose(way, detail) {
        this.#tell("lost", detail);
        if (way instanceof Requests || (this.#hasSpoken && detail.attempt < 2)) return;
        try {
            await ask("api/status", { signal: AbortSignal.timeout(patience) });
        } catch (error) {
            if (way === this.#way && isRefusal(error)) this.#tell("refused", error);
            return;
        }
        if (way !== this.#way || this.#hasSpoken || way.isOpen) return;
        way.close();
        this.#follow(new Requests());
    }

    #tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }
}

const isRefusal = ({ status }) => status === 401 || status === 403;

/** The messages of a socket as requests: each is posted, and the answers bring what is new. */
class Requests extends EventTarget {
    #key = null;
    #queue = [];
    #out = 0;
    #attempt = 0;
    #timer = 0;
    /** Those on their way; a lost connection gives them up. */
    #flight = new AbortController();
    #isClosed = false;
    isOpen = false;

    /** Begins a session, or goes on with it. */
    open = async () => {
        clearTimeout(this.#timer);
        try {
            if (this.#key) {
                await this.#ask("api/status");
                this.#hasOpened({ key: this.#key, resumed: true });
                return;
            }
            const { key, messages } = await this.#ask("api/live", "POST");
            this.#key = key;
            this.#hasOpened({ ...messages.find(({ type }) => type === "hello"), key });
            this.#hear(messages.filter(({ type }) => type !== "hello"));
        } catch (error) {
            this.#lose(error);
        }
    };

    send(message) {
        if (!this.isOpen) return;
        this.#queue.push(message);
        this.#pump();
    }

    renew() { if (this.isOpen) this.#lose({}); }

    close() {
        const key = this.#key;
        [this.isOpen, this.#isClosed, this.#key] = [false, true, null];
        clearTimeout(this.#timer);
        this.#flight.abort();
        if (key) fetch(`api/live/${key}`, { method: "DELETE", keepalive: true }).catch(() => null);
    }

    #hasOpened(hello) {
        if (this.#isClosed) return;
        [this.isOpen, this.#attempt] = [true, 0];
        this.#tell("hello", hello);
        this.#pump();
    }

    #ask(path, method = "GET", body = undefined) {
        const isFrame = body instanceof ArrayBuffer;
        const content = body === undefined ? {} : { body: isFrame ? body : JSON.stringify(body),
            headers: { "Content-Type": isFrame ? "application/octet-stream" : "application/json" } };
        return ask(path, { method, ...content, signal: AbortSignal.any([this.#flight.signal, AbortSignal.timeout(answer[method])]) });
    }

    #pump() {
        if (!this.isOpen) return;
        clearTimeout(this.#timer);
        while (this.#queue.length > 0 && this.#out < together) this.#exchange("POST", this.#queue.shift());
        if (this.#out === 0) this.#timer = setTimeout(() => this.#out === 0 && this.#exchange("GET"), idle);
    }

    async #exchange(method, body) {
        const flight = this.#flight;
        this.#out += 1;
        try {
            this.#hear((await this.#ask(`api/live/${this.#key}`, method, body)).messages);
        } catch (error) {
            // What is too large or too much concerns one message; of two requests that fail one is enough.
            if (flight === this.#flight && error.status !== 413 && error.status !== 429) this.#lose(error);
        }
        if (flight !== this.#flight) return;
        this.#out -= 1;
        this.#pump();
    }

    #hear(messages) { for (const message of messages) this.#tell("message", message); }

    #lose(error) {
        if (this.#isClosed) return;
        this.#flight.abort();
        this.#flight = new AbortController();
        this.#out = 0;
        if (isRefusal(error)) {
            this.close();
            this.#tell("refused", error);
            return;
        }
        // That session is over; with a new key another begins.
        if (error.status === 404) this.#key = null;
        [this.isOpen, this.#queue] = [false, []];
        this.#attempt += 1;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(this.open, Math.min(0.5 * this.#attempt, longest) * 1000);
        this.#tell("lost", { attempt: this.#attempt, seconds: longest });
    }

    #tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }
}
