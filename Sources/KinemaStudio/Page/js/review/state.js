// What is under review: the session, its poses, its repetitions as found or corrected. Whoever shows a part listens.
import { angleNames, busiest, seriesOf } from "./angles.js";

const listeners = new Map();

/** Calls back when something of a name changed: `poses`, `repetitions`, `chosen`, `time`, `zoom`, `selected`, `marks`, `drawing`, `privacy`, `listed`. */
export function on(names, ...added) {
    for (const name of names.split(" ")) listeners.set(name, [...(listeners.get(name) ?? []), ...added]);
}

/** Tells that something changed. */
export const tell = (name) => (listeners.get(name) ?? []).forEach((listener) => listener());

/** What there is of no session. */
const empty = { frames: [], times: [], gap: Infinity, shape: 16 / 9, series: null, main: null, person: null, chosen: [],
    selected: 0, time: 0, zoom: null, loop: null, draft: null, marks: [] };

export const state = { ...empty, session: null, repetitions: [], isCorrecting: false, shapes: [], scale: null, listed: [], privacy: "film" };

/** Before another session is shown. */
export const clear = () => Object.assign(state, empty);

/** The last moment of the session. */
export const duration = () => Math.max(state.session?.duration ?? 0, state.times.at(-1) ?? 0, 0.1);

/** The counted and the corrected number, and the one that holds. */
export function counts() {
    const { session, draft } = state;
    const corrected = (draft ?? session.corrections)?.length ?? null;
    return { counted: session.count, corrected, number: corrected ?? session.count };
}

const length = ({ start, end }) => end - start;
const overlap = (one, other) => Math.min(one.end, other.end) - Math.max(one.start, other.start);

/** What was found, in order of time; a position that was held counts as one repetition. */
export function foundIn(session) {
    return [...session.repetitions ?? [], ...(session.holds ?? []).map((hold) => ({ ...hold, isHeld: true }))]
        .toSorted((a, b) => a.start - b.start);
}

/** Corrected ones keep what was found of the repetition they mostly cover; its parts only where the times stayed. */
function described(corrected, found) {
    return corrected.map((one) => {
        const near = found.filter((other) => other.id === one.id && overlap(one, other) > 0.5 * length(other))
            .toSorted((a, b) => overlap(one, b) - overlap(one, a))[0];
        if (!near) return { ...one, faults: [], isAdded: true };
        const isSame = Math.abs(near.start - one.start) < 0.01 && Math.abs(near.end - one.end) < 0.01;
        return isSame ? { ...near } : { ...one, faults: near.faults ?? [], isMoved: true };
    });
}

/** Computes the repetitions anew, from a list of corrections or from what was found. */
export function takeRepetitions() {
    const found = foundIn(state.session);
    const corrected = state.draft ?? state.session.corrections;
    const list = corrected ? described(corrected.toSorted((a, b) => a.start - b.start), found) : found;
    state.repetitions = list.map((one, at) => ({ ...one, place: at + 1, ...measuredIn(state.session, one) }));
    state.selected = Math.max(0, Math.min(state.selected, list.length - 1));
    tell("repetitions");
}

const nothing = { joint: null, range: null, turn: null, parts: null, peak: null, left: null, right: null, symmetry: null };
const isNear = (one, other) => Math.abs(one - other) < 0.01;

/** What the studio measured in a repetition; of one that was moved since, nothing yet. */
export function measuredIn({ measured }, one) {
    const at = (measured?.repetitions ?? []).findIndex(({ id, start, end }) => (one.id ?? 0) === id && isNear(start, one.start) && isNear(end, one.end));
    const { out, pause, back, isUnseen, ...found } = measured?.repetitions[at]
        ?? (one.tempo ? { out: one.tempo.eccentric, pause: one.tempo.pause, back: one.tempo.concentric, symmetry: one.symmetry } : {});
    const parts = Number.isFinite(out) ? { out, pause, back } : null;
    return { ...isUnseen ? { isUnseen, depth: null } : {}, isBest: at >= 0 && at === measured.best, isWeakest: at >= 0 && at === measured.weakest,
        measured: { ...nothing, ...found, parts } };
}

/** The people of the poses, who is most in view first. */
export function people() {
    const seen = new Map();
    for (const frame of state.frames) for (const { id } of frame.people) seen.set(id, (seen.get(id) ?? 0) + 1);
    return [...seen].toSorted((a, b) => b[1] - a[1]).map(([id]) => id);
}

/** Takes the poses that were read. */
export function takePoses({ frames, shape, gap }) {
    Object.assign(state, { frames, shape, gap, times: frames.map(({ time }) => time) });
    const known = people();
    const first = foundIn(state.session)[0]?.id;
    choosePerson(known.includes(first) ? first : known[0] ?? null);
}

/** Measures another person. */
export function choosePerson(id) {
    state.person = id;
    const series = id === null ? null : seriesOf(state.frames, id, state.shape);
    state.series = series && angleNames.some((name) => series[name].some(Number.isFinite)) ? series : null;
    state.main = state.series ? state.session.measured?.joint ?? busiest(state.series) : null;
    state.chosen = state.main ? [state.main] : [];
    takeRepetitions();
    tell("poses");
}

/** The index of the repetition in progress at a time, or -1. */
export const placeAt = (time) =>
    state.repetitions.findIndex(({ start, end }) => time >= start - 1e-3 && time < end - 1e-3);
