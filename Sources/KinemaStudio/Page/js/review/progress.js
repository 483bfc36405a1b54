// How a set's joints, tempo and likeness went over the sets of its name, beside what was shown of a taught exercise.
import { exercises, figure, session as askSession } from "../api.js";
import { attempt, cardsOf, element, say } from "../dom.js";
import { decimal, t } from "../i18n.js";
import { outlineOf } from "../outline.js";
import { jointName, nameOf } from "../words.js";
import { angleOf, extentOf, limbs } from "./angles.js";
import { angle, dateOf, factName } from "./names.js";
import { measures, summary, tileOf } from "./numbers.js";
import { on, state } from "./state.js";

const moves = 15; // degrees from which on a joint counts as moving
const mostJoints = 6;

/** Earlier sets of the same name or exercise, of the same person, the last eight; this one is the last of them. */
export function setsSoFar() {
    const { session, listed } = state;
    const isSame = (one) => one.id !== session.id && one.date < session.date && nameOf(one) === nameOf(session)
        && (one.details?.person ?? "") === (session.details?.person ?? "");
    return nameOf(session) === null ? [] : [...listed.filter(isSame).toSorted((a, b) => (a.date < b.date ? -1 : 1)).slice(-7), session];
}

/** What was measured in a set: the mean range of each joint, and of what was reported of its repetitions. */
async function measured(id) {
    const session = await askSession(id);
    const { seconds, symmetry, likeness } = outlineOf(session);
    return { ...session.measured?.ranges, took: seconds, symmetry, likeness };
}

/** The exercise of a set, where that was taught. */
const taughtOf = async ({ exercise }) => (await exercises()).find(({ name, repetitions }) => name === exercise && repetitions > 0);

/** The ranges of a moving figure as one looks at it, and the seconds that it takes; some degrees off those of a picture. */
function drawn({ duration, frames }) {
    const bodies = frames.map((frame) => Object.fromEntries(Object.entries(frame).map(([name, [x, y]]) => [name, [x, y, 1]])));
    const range = (joint) => extentOf(bodies.map((body) => angleOf(body, joint, 1)).filter(Number.isFinite));
    return { isRough: true, took: duration, ...Object.fromEntries(Object.keys(limbs).map((joint) => [joint, range(joint)])) };
}

/** What was shown of a taught exercise, measured as the sets are; by its figure where that set is not here. Nothing of others. */
export async function shownOf(set) {
    const { name, session } = await taughtOf(set).catch(() => null) ?? {};
    const found = session ? await measured(session).catch(() => null) : null;
    return found ?? (name ? figure(name).then(drawn).catch(() => ({})) : {});
}

/** What stands before a value that was shown. */
export const aboutOf = ({ isRough }) => (isRough ? "≈\u00a0" : "");

function card(name, sets, shown) {
    const found = summary(sets.map((one) => one[name]));
    if (!found) return [];
    const [what, write] = name in limbs ? [jointName(name), angle] : [factName(name, "numbers"), measures[name].write];
    const [first, last] = [found.points[0][1], found.points.at(-1)[1]].map(write);
    const goal = Number.isFinite(shown[name]) ? shown[name] : null;
    const note = [goal !== null && t("review.progress.shown", { value: aboutOf(shown) + write(goal) }), first !== last && t("review.progress.from", { first, last })];
    return [tileOf({ ...found, unknown: 0, what, write, goal, note: note.filter(Boolean).join(" · "), value: last }, sets.length)];
}

let shownFor = null;

async function show() {
    const { session } = state;
    const sets = setsSoFar().filter(({ hasPoses }) => hasPoses);
    if (!element("progress").open || shownFor === session.id) return;
    shownFor = session.id;
    say(element("progress-note"), t("review.loading"));
    await attempt("progress-note", async () => {
        const shown = await shownOf(session);
        const values = [];
        for (const { id } of sets) values.push(await measured(id));
        if (state.session.id !== session.id) return;
        const most = (joint) => Math.max(...[shown, ...values].map((one) => one[joint] ?? 0));
        const joints = Object.keys(limbs).filter((joint) => most(joint) >= moves).toSorted((a, b) => most(b) - most(a)).slice(0, mostJoints);
        element("progress-tiles").replaceChildren(...cardsOf([...joints, "took", "symmetry", "likeness"].flatMap((name) => card(name, values, shown))));
        say(element("progress-note"), t("review.progress.honest", { n: decimal(sets.length), date: dateOf(sets[0], "short").split(",")[0] }));
    });
}

/** Wires the part: its sets are read once it is opened. */
export function prepareProgress() {
    element("progress").addEventListener("toggle", show);
    on("listed session", async () => {
        const { session } = state;
        if (!session) return;
        const { length } = setsSoFar().filter(({ hasPoses }) => hasPoses);
        const isHidden = length < 2 && !(length === 1 && await taughtOf(session).catch(() => null));
        if (state.session?.id !== session.id) return;
        element("progress").hidden = isHidden;
        shownFor = null;
        show();
    });
}
