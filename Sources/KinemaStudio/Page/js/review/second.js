// The other camera of a set: its film and skeleton at the moment at which the first one's film is.
import { session as askSession, videoAddress, views } from "../api.js";
import { element, say, sharpen } from "../dom.js";
import { drawBodies } from "../figures.js";
import { t } from "../i18n.js";
import { isSet } from "../outline.js";
import { frameAt } from "./angles.js";
import { coverHeads } from "./cover.js";
import { readPoses } from "./poses.js";
import { on, state } from "./state.js";

const canvas = element("second-film");
const context = canvas.getContext("2d");
const video = element("second-video");
const drift = 0.12; // seconds the films may be apart while they play
let other = null;

/** Shows the other camera of a session, where there is one. */
export async function openSecond(session) {
    other = null;
    element("second").hidden = true;
    video.removeAttribute("src");
    if (!isSet(session)) return;
    const found = await views(session.id).catch(() => []);
    if (found.length === 0 || state.session?.id !== session.id) return;
    const [{ session: id, offset }] = found;
    const seen = await askSession(id).catch(() => null);
    const poses = seen?.hasPoses ? await readPoses(id).catch(() => null) : null;
    if (!seen || (!poses && !seen.video) || state.session?.id !== session.id) return;
    const frames = poses?.frames ?? [];
    other = { session: seen, offset, frames, times: frames.map(({ time }) => time), gap: poses?.gap ?? 0, shape: poses?.shape ?? 16 / 9 };
    if (seen.video) video.src = videoAddress(id);
    element("second").style.setProperty("--shape", other.shape);
    say(element("second-name"), t("review.second"));
    element("second").hidden = false;
    element("second").dataset.offset = offset;
    sharpen(canvas, element("second"), 1200);
    follow();
}

/** Goes to the moment of the first film, or plays beside it. */
function follow() {
    if (!other) return;
    const time = state.time - other.offset;
    const plays = element("play").dataset.playing === "true" && time >= 0;
    if (other.session.video) {
        video.playbackRate = Number(element("speed").value);
        if (Math.abs(video.currentTime - time) > (plays ? drift : 0.001)) video.currentTime = Math.max(0, time);
        if (plays && video.paused) video.play().catch(() => {});
        if (!plays && !video.paused) video.pause();
    }
    paint();
}

function paint() {
    if (!other) return;
    const { width, height } = canvas;
    const time = state.time - other.offset;
    context.fillStyle = "#0b100f";
    context.fillRect(0, 0, width, height);
    if (other.session.video && state.privacy !== "skeleton" && video.readyState >= 2) {
        context.drawImage(video, 0, 0, width, height);
        if (state.privacy === "faces") coverHeads(context, other, time);
    }
    const at = frameAt(other.times, time);
    canvas.dataset.frame = at;
    if (!other.frames[at] || Math.abs(other.times[at] - time) > other.gap) return;
    if (other.session.video && state.privacy !== "skeleton" && !element("bones").checked) return;
    drawBodies({ context, width, height, short: Math.min(width, height), place: (x, y) => [x * width, (1 - y) * height] }, other.frames[at].people);
}

export function prepareSecond() {
    new ResizeObserver(() => other && sharpen(canvas, element("second"), 1200) && paint()).observe(element("second"));
    on("time", follow);
    on("privacy", paint);
    for (const name of ["seeked", "loadeddata"]) video.addEventListener(name, paint);
    element("bones").addEventListener("change", paint);
}
