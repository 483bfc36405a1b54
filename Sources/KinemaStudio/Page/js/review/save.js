// Saves what the film shows, with its drawing and as far as the reader lets it be seen: one picture, or a loop.
import { element, keep, make, onClick, say } from "../dom.js";
import { t } from "../i18n.js";
import { compose, pictureSize, showMoment } from "./film.js";
import { Gif } from "./gif.js";
import { placeAt, state } from "./state.js";

const most = 150; // pictures of a loop; of longer ones every second, third … frame
const [gifWide, filmWide] = [480, 1280]; // pixels across
const aside = 1.5; // seconds around the moment, where no repetition is
let isSaving = false;

/** The kinds of video there are, MP4 first. */
const videoType = () => ["video/mp4;codecs=avc1.42E01E", "video/mp4;codecs=avc1", "video/mp4", "video/webm;codecs=vp9", "video/webm"]
    .find((one) => globalThis.MediaRecorder?.isTypeSupported(one)) ?? null;

const nameFor = (what, ending) => `kinema-${state.session.date.slice(0, 10)}-${what}.${ending}`;

const surface = (wide) => make("canvas", pictureSize(wide)).getContext("2d", { willReadFrequently: true });

/** A picture of a moment, as the film shows it; with more drawn on it. */
export async function pictureOf(time, wide = filmWide, added = []) {
    await showMoment(time);
    const target = surface(wide);
    compose(target, { isSaved: true, added });
    return target.canvas;
}

const blobOf = (canvas, type) => new Promise((done) => canvas.toBlob(done, type, 0.95));
const until = (time) => new Promise((done) => setTimeout(done, Math.max(0, time - performance.now())));

/** Saves what a canvas shows. */
export async function savePicture(canvas, what) {
    keep(await blobOf(canvas, "image/png"), nameFor(what, "png"), "image/png");
}

/** What is looped: the repetition that was chosen, else the one that the film shows. */
function loopNow() {
    const one = state.repetitions[placeAt(state.time)];
    return state.loop ?? (one ? [one.start, one.end] : [Math.max(0, state.time - aside), state.time + aside]);
}

/** The times of a loop's pictures: those of the poses, else fifteen a second. */
function momentsOf([start, end]) {
    const known = state.times.length > 0 ? state.times : Array.from({ length: 15 * end }, (_, at) => at / 15);
    const times = known.filter((time) => time >= start - 1e-3 && time < end - 1e-3);
    const stride = Math.ceil(times.length / most);
    return times.filter((_, at) => at % stride === 0);
}

/** Saves pictures that are drawn one after the other, each with the seconds for which it is shown. */
export async function saveGif(pictures, { width, height }, what) {
    const gif = new Gif(width, height);
    for await (const { context, seconds } of pictures) gif.add(context.getImageData(0, 0, width, height).data, seconds);
    keep(gif.end(), nameFor(what, "gif"), "image/gif");
}

/** The same as a film. The browser writes it while the pictures are shown to it at their pace, so all are made before. */
async function saveFilm(pictures, canvas, what) {
    const [made, parts, type] = [[], [], videoType()];
    for await (const { seconds } of pictures) made.push({ blob: await blobOf(canvas, "image/jpeg"), seconds });
    const context = canvas.getContext("2d");
    const stream = canvas.captureStream(0);
    const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 6_000_000 });
    recorder.ondataavailable = ({ data }) => parts.push(data);
    const ended = new Promise((done) => (recorder.onstop = done));
    recorder.start();
    let due = performance.now();
    for (const { blob, seconds } of made) {
        context.drawImage(await createImageBitmap(blob), 0, 0);
        await until(due);
        stream.getVideoTracks()[0].requestFrame();
        due += 1000 * seconds;
    }
    await until(due);
    recorder.stop();
    await ended;
    const plain = type.split(";")[0];
    keep(new Blob(parts), nameFor(what, plain === "video/mp4" ? "mp4" : "webm"), plain);
}

async function* loopPictures(target) {
    const [loop, before] = [loopNow(), state.time];
    const times = momentsOf(loop);
    for (const [at, time] of times.entries()) {
        await showMoment(time);
        compose(target, { isSaved: true });
        say(element("save-message"), t("review.save.busy", { at: at + 1, all: times.length }));
        yield { context: target, seconds: ((times[at + 1] ?? loop[1]) - time) / Number(element("speed").value) };
    }
    await showMoment(before);
}

/** Runs one saving at a time, and says how it went. */
export async function saving(work, place = "save-message") {
    if (isSaving) return;
    isSaving = true;
    element("save-menu").open = false;
    try {
        await work();
        say(element(place), t("review.save.done"));
    } catch (error) {
        say(element(place), t("review.save.failed", { error: error.message }));
    }
    isSaving = false;
}

/** Wires the menu. */
export function prepareSave() {
    const hasFilm = videoType() !== null;
    element("save-film").hidden = !hasFilm;
    if (hasFilm) say(element("save-film"), t("review.save.film", { type: videoType().includes("mp4") ? "MP4" : "WebM" }));
    const loop = (wide, save) => () => saving(() => {
        const target = surface(wide);
        return save(loopPictures(target), target.canvas, "loop");
    });
    const picture = async () => savePicture(await pictureOf(state.time), state.time.toFixed(1).replace(".", "-"));
    onClick({ "save-picture": () => saving(picture), "save-gif": loop(gifWide, saveGif), "save-film": loop(filmWide, saveFilm) });
    // A menu closes as menus do.
    const menu = element("save-menu");
    const close = () => (menu.open = false);
    addEventListener("pointerdown", ({ target }) => !menu.contains(target) && close());
    menu.addEventListener("keydown", ({ key }) => key === "Escape" && close());
}
