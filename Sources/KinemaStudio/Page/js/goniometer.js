// A goniometer on the live picture: the angle of a joint that is tapped, and what it reached since then.
import { element, make, onClick, say } from "./dom.js";
import { t } from "./i18n.js";
import { angleOf, limbs } from "./review/angles.js";
import { angle } from "./review/names.js";
import { jointAngle, jointNear, paintShapes } from "./review/shapes.js";
import { drawingOf, keepHere, settings } from "./settings.js";
import { counted, jointName } from "./words.js";

const [card, choice, overlay] = ["goniometer", "goniometer-joint", "overlay"].map(element);
const reach = 32; // pixels from a joint within which a finger means it
const steady = 3; // frames whose middle value counts, so that one misread frame is no extreme
/** The person who is measured, null for the first; the newest angles, and the extremes. */
let [person, recent, extremes] = [null, [], null];
let result = null;
/** The joints that were measured in this session. */
const joints = new Set();

const shapeOf = ({ width, height }) => width / height;
const measured = ({ people = [] } = {}) => people.find(({ id }) => id === person) ?? (person === null ? people[0] : undefined);

function restart() {
    [recent, extremes] = [[], null];
    show(NaN);
}

function show(now) {
    say(element("goniometer-now"), angle(now));
    const [low, high] = (extremes ?? []).map(Math.round);
    say(element("goniometer-most"), extremes ? t("live.reached", { low: angle(low), high: angle(high), range: angle(high - low) }) : t("live.tapJoint"));
}

function pick(joint, whose = null) {
    person = whose;
    card.hidden = joint === null;
    element("measure").setAttribute("aria-pressed", joint !== null);
    if (joint) choice.value = joint;
    restart();
}

/** The joint under a tap, of those that have an angle. */
function tap({ clientX, clientY }) {
    if (!result) return;
    const { left, top, width, height } = overlay.getBoundingClientRect();
    const across = (clientX - left) / width;
    const at = [overlay.dataset.mirrored === "true" ? 1 - across : across, 1 - (clientY - top) / height];
    for (const { id, keypoints } of result.people ?? []) {
        const places = Object.fromEntries(Object.keys(limbs).map((name) => [name, keypoints[name]]));
        const joint = jointNear(at, places, shapeOf(result), reach / height);
        if (joint) return pick(joint, id);
    }
}

/** Takes a result of the server. */
export function measureLive(message) {
    result = message;
    const { count } = message.count ?? message.coach ?? {};
    say(element("goniometer-count"), count === undefined ? "" : counted(count, "repetition"));
    const body = measured(message);
    if (card.hidden || !body) return;
    recent = [...recent.slice(1 - steady), angleOf(body.keypoints, choice.value, shapeOf(message))];
    const known = recent.filter(Number.isFinite).toSorted((a, b) => a - b);
    const now = known[known.length >> 1] ?? NaN;
    // Of fewer frames neither the value nor an extreme is sure.
    if (known.length < steady) return show(NaN);
    extremes = [Math.min(now, extremes?.[0] ?? now), Math.max(now, extremes?.[1] ?? now)];
    joints.add(choice.value);
    show(now);
}

/** Has what was measured in a session on its review and in its report, as angles drawn on its film; without one it is forgotten. */
export function keepMeasured(session) {
    if (session && joints.size > 0 && settings.keepDrawings) keepHere(drawingOf(session), { shapes: [...joints].map(jointAngle), scale: null });
    joints.clear();
}

/** Whether an angle is measured, so that no other stands beside it. */
export const isMeasuring = () => !card.hidden;

/** Draws the angle at its joint. */
export function paintMeasured(surface, message) {
    const body = measured(message);
    if (card.hidden || !body) return;
    paintShapes(surface, { frames: [message], times: [0], person: body.id, shape: shapeOf(message), shapes: [jointAngle(choice.value)] },
        { at: 0, write: (_, value) => angle(value) });
}

export function prepareGoniometer() {
    choice.append(...Object.keys(limbs).map((value) => make("option", { value }, jointName(value))));
    choice.addEventListener("change", restart);
    overlay.addEventListener("click", tap);
    onClick({ measure: () => pick(card.hidden ? choice.value : null), "goniometer-again": restart, "goniometer-end": () => pick(null) });
}
