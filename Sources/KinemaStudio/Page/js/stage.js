// The picture and what is drawn over it: two canvases, so that a small picture is enlarged by the compositor while the
// lines over it stay sharp. A frame is shown together with its own result.
import { element, sharpen } from "./dom.js";
import { drawBodies, drawHand } from "./figures.js";
import { coarsenAll, HeadCover } from "./privacy.js";

const lightPause = 240; // milliseconds between two results drawn while a machine is too slow
const sharpest = 1600; // widest overlay in pixels: sharper costs time and shows nothing

export class Stage {
    #stage = element("stage");
    #frame = element("frame");
    #picture = element("picture");
    #overlay = element("overlay");
    #layer = element("layer");
    #pictureContext = this.#picture.getContext("2d", { alpha: false });
    #context = this.#overlay.getContext("2d");
    #size = { width: 4, height: 3 };
    #mirrored = false;
    /** Whether joints are shown with their positions and angles. */
    readout = false;
    #pending = null;
    #lastResult = -Infinity;
    #lastDrawn = -Infinity;
    /** Whether few results are drawn, so that a slow machine has time to analyse. */
    isLight = false;
    #last = null;
    #cover = null;

    constructor() {
        new ResizeObserver(() => this.#fit()).observe(this.#stage);
    }

    set mirrored(value) {
        this.#mirrored = value;
        this.#picture.classList.toggle("mirrored", value);
        this.#overlay.dataset.mirrored = value;
    }

    /** Whether heads are hidden on the picture. */
    set hidesFaces(value) { this.#cover = value ? new HeadCover() : null; }

    /** The picture as it is shown, without what is drawn over it, as a stream. */
    get stream() { return this.#picture.captureStream(); }

    /** Whether there are results, so that the camera's own picture is not shown. */
    get isFresh() { return performance.now() - this.#lastResult < 600; }

    /** The camera's own picture, before and between results. */
    showLive(video) {
        if (!video.videoWidth) return;
        this.#resize(video.videoWidth, video.videoHeight);
        if (this.#cover) coarsenAll(this.#pictureContext, video, video.videoWidth, video.videoHeight);
        else this.#pictureContext.drawImage(video, 0, 0);
        this.#context.clearRect(0, 0, this.#overlay.width, this.#overlay.height);
    }

    /**
     * Shows a result with its picture (closed here; null keeps the one before) at the next refresh. `paint` draws the
     * mode's parts; `done` is called once it is drawn.
     */
    show(result, picture, paint, done) {
        this.#lastResult = performance.now();
        if (this.isLight && this.#lastResult - this.#lastDrawn < lightPause) {
            picture?.close();
            return;
        }
        this.#lastDrawn = this.#lastResult;
        const waits = this.#pending !== null;
        this.#pending?.picture?.close();
        this.#pending = { result, picture: picture ?? null, paint, done };
        if (!waits) requestAnimationFrame(() => this.#draw());
    }

    clear() {
        this.#pending?.picture?.close();
        this.#pending = this.#last = null;
        this.#lastResult = -Infinity;
        delete this.#overlay.dataset.time;
        this.#mirrored = false;
        this.#pictureContext.clearRect(0, 0, this.#picture.width, this.#picture.height);
        this.#context.clearRect(0, 0, this.#overlay.width, this.#overlay.height);
    }

    /** How bright the picture is, 0 to 1; null without one. */
    get brightness() {
        if (!this.#picture.width) return null;
        const small = new OffscreenCanvas(16, 12).getContext("2d");
        small.drawImage(this.#picture, 0, 0, 16, 12);
        const { data } = small.getImageData(0, 0, 16, 12);
        return data.reduce((sum, value, at) => (at % 4 === 3 ? sum : sum + value), 0) / (16 * 12 * 3 * 255);
    }

    /** Redraws the overlay, as after the end of a run. */
    repaint() { if (!this.#pending) this.#paint(); }

    describe(words) {
        if (this.#overlay.getAttribute("aria-label") !== words) this.#overlay.setAttribute("aria-label", words);
    }

    #draw() {
        const pending = this.#pending;
        if (!pending) return;
        this.#pending = null;
        const { result, picture, paint, done } = pending;
        const width = result.width || picture?.displayWidth || picture?.width || this.#size.width;
        const height = result.height || picture?.displayHeight || picture?.height || this.#size.height;
        this.#resize(width, height);
        if (picture) {
            this.#pictureContext.drawImage(picture, 0, 0, width, height);
            this.#cover?.cover(this.#pictureContext, result.people ?? [], width, height);
            picture.close();
        }
        this.#last = { result, paint };
        this.#overlay.dataset.time = result.time;
        this.#paint();
        // The task after the refresh, when everything is on the screen.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => done?.(performance.now());
        port2.postMessage(null);
    }

    #paint() {
        const context = this.#context;
        const { width, height } = this.#overlay;
        context.clearRect(0, 0, width, height);
        if (!this.#last) return;
        const { result, paint } = this.#last;
        const place = this.#mirrored
            ? (x, y) => [(1 - x) * width, (1 - y) * height]
            : (x, y) => [x * width, (1 - y) * height];
        const surface = { context, width, height, short: Math.min(width, height), place, readout: this.readout };
        drawBodies(surface, result.people ?? []);
        for (const hand of result.hands ?? []) drawHand(surface, hand);
        paint?.(surface, result);
    }

    #resize(width, height) {
        if (this.#size.width === width && this.#size.height === height && this.#picture.width === width) return;
        this.#size = { width, height };
        Object.assign(this.#picture, { width, height });
        // The style sheet gives the stage the picture's shape where the window is upright.
        element("studio").style.setProperty("--shape", width / height);
        this.#fit();
    }

    /** The largest rectangle of the picture's aspect ratio inside the stage. */
    #fit() {
        const { clientWidth, clientHeight } = this.#frame;
        if (!clientWidth || !clientHeight) return;
        const scale = Math.min(clientWidth / this.#size.width, clientHeight / this.#size.height);
        const width = this.#size.width * scale;
        const height = this.#size.height * scale;
        for (const { style } of [this.#picture, this.#overlay, this.#layer]) {
            style.width = `${width}px`;
            style.height = `${height}px`;
        }
        if (sharpen(this.#overlay, { clientWidth: width, clientHeight: height }, sharpest)) this.#paint();
    }
}
