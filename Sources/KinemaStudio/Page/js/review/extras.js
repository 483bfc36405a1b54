// What games, drawings and recognised actions have to show.
import { element, make } from "../dom.js";
import { figureList, pathPicture } from "../game.js";
import { t } from "../i18n.js";
import { tableRoom } from "../plot.js";
import { speedOf, unitOf, valueOf } from "../units.js";
import { wordsOr } from "../words.js";
import { amount, moment, percent } from "./names.js";

/** The kind of a throw, and how sure it is. */
const typeOf = ({ type, type_confidence: share }) =>
    `${wordsOr(`toss.types.${type}`, type)}${Number.isFinite(share) ? ` ${percent(share)}` : ""}`;

function game({ throws, game: figures }) {
    const best = throws.reduce((most, one) => ((one.speed_mps ?? 0) > (most.speed_mps ?? 0) ? one : most));
    const points = throws.reduce((sum, { score }) => sum + score, 0);
    const measured = (kind, name) => `${t(`review.throws.${name}`)}, ${unitOf(kind)}`;
    const heads = [...["number", "throw", "landed", "points"].map((name) => t(`review.throws.${name}`)),
        measured("speed", "speed"), measured("length", "distance"), t("review.throws.angle")];
    return [
        make("p", { className: "big-word" }, t("review.throws.sum", { n: throws.length, points })),
        make("p", {}, t("review.throws.best", { number: throws.indexOf(best) + 1, speed: speedOf(best, "speed") })),
        figureList(figures), pathPicture(throws, figures),
        tableRoom(t("review.tabs.toss"), heads, throws.map((one, at) => [String(at + 1), typeOf(one), wordsOr(`toss.landings.${one.landing}`, one.landing), String(one.score),
            amount(valueOf("speed", one), 1), amount(valueOf("length", one, "distance"), 1), amount(one.angle, 0, "°")])),
    ];
}

function drawing(session) {
    // As a picture, not as part of the page: whatever a drawing holds can do nothing there.
    const source = URL.createObjectURL(new Blob([session.drawing], { type: "image/svg+xml" }));
    return [make("img", { className: "drawing", src: source, alt: t("review.extras.drawing", { n: (session.pinches ?? []).length }) })];
}

const actions = (segments) => [tableRoom(t("review.tabs.classify"), ["from", "to", "action", "sure"].map((name) => t(`review.actions.${name}`)),
    segments.map((one) => [moment(one.start), moment(one.end), one.label ?? t("review.actions.none"), percent(one.confidence)]))];

/** What a session has besides repetitions, as elements. */
export function extrasOf(session) {
    if (session.throws?.length) return game(session);
    if (session.drawing) return drawing(session);
    return session.segments?.length ? actions(session.segments) : [];
}

/** Shows what a session has besides repetitions; false when it has nothing of the kind. */
export function showExtras(session) {
    const parts = extrasOf(session);
    element("extras").replaceChildren(...parts);
    return parts.length > 0;
}
