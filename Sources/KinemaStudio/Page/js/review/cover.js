// What the reader lets be seen of a film: all, heads covered, or skeletons only; for the page and everything saved from it.
import { deleteVideo } from "../api.js";
import { attempt, element, say } from "../dom.js";
import { decimal, t } from "../i18n.js";
import { coarsenAll, generous, headOf, hide } from "../privacy.js";
import { change, onChange, settings } from "../settings.js";
import { frameAt } from "./angles.js";
import { on, state, tell } from "./state.js";

const around = 0.5; // seconds before and after in which a head is covered too: a film and its poses are not quite in step

/** Covers the heads of everyone seen around a time; the whole picture where nobody is. */
export function coverHeads(context, { frames, times }, time) {
    const { width, height } = context.canvas;
    const boxes = new Map();
    for (let at = frameAt(times, time - around); at < frames.length && times[at] <= time + around; at += 1) {
        if (times[at] < time - around) continue;
        for (const { id, keypoints } of frames[at].people) {
            const found = headOf(keypoints, width, height);
            if (!found) continue;
            const radius = generous * found.radius;
            const box = boxes.get(id) ?? { left: Infinity, top: Infinity, right: 0, bottom: 0 };
            boxes.set(id, { left: Math.min(box.left, found.x - radius), top: Math.min(box.top, found.y - radius),
                right: Math.max(box.right, found.x + radius), bottom: Math.max(box.bottom, found.y + radius) });
        }
    }
    if (boxes.size === 0) coarsenAll(context, context.canvas, width, height);
    for (const box of boxes.values()) {
        const [x, y] = [Math.max(0, box.left), Math.max(0, box.top)];
        const room = { x, y, width: Math.min(width, box.right) - x, height: Math.min(height, box.bottom) - y };
        if (room.width > 0 && room.height > 0) hide(context, room);
    }
}

/** Says what the studio and this browser keep of the session, and shows what can be chosen. */
export function showPrivacy() {
    const { session, privacy, shapes, scale } = state;
    if (!session) return;
    const bytes = session.video ? decimal(session.video.bytes / 1e6, 1) : "";
    const kept = [session.video && t(session.video.isCovered ? "review.privacy.keptCovered" : "review.privacy.keptFilm", { bytes }), session.hasPoses && t("review.privacy.keptPoses"), t("review.privacy.keptCount")];
    say(element("kept-studio"), [t("review.privacy.studio", { what: kept.filter(Boolean).join(", ") }), settings.instruments && session.model && t("review.privacy.model", session)].filter(Boolean).join(" "));
    const hasDrawing = shapes.length > 0 || scale !== null;
    say(element("kept-here"), t(!settings.keepDrawings ? "review.privacy.hereNothing" : hasDrawing ? "review.privacy.hereDrawing" : "review.privacy.hereNone"));
    element("film-delete").hidden = !session.video;
    element("privacy-choice").hidden = !session.video;
    element("privacy").value = privacy;
    element("keep-drawing").checked = settings.keepDrawings;
    say(element("privacy-now"), session.video ? t(`review.privacy.now.${privacy}`) : t("review.privacy.now.none"));
}

/** Wires the choice; `ask` asks before the film is deleted, `gone` hears that it was. */
export function preparePrivacy(ask, gone) {
    // Where faces are hidden while moving, they are hidden here too.
    const chosen = () => (state.privacy = settings.privacy ?? (settings.hideFaces ? "faces" : "film"));
    chosen();
    onChange((name) => {
        if (!["privacy", "keepDrawings"].includes(name)) return;
        chosen();
        tell("privacy");
    });
    on("privacy drawing session", showPrivacy);
    element("privacy").addEventListener("change", ({ target }) => change("privacy", target.value));
    element("keep-drawing").addEventListener("change", ({ target }) => change("keepDrawings", target.checked));
    element("film-delete").addEventListener("click", async () => {
        if (await ask()) await attempt("privacy-now", async () => {
            state.session = await deleteVideo(state.session.id) ?? { ...state.session, video: undefined };
            gone(state.session);
            tell("privacy");
        });
    });
}
