// What came of a session in numbers. Lists carry them in place of the events; of a whole session they are computed.
import { secondsOf } from "./words.js";

const finite = (values) => values.filter(Number.isFinite);

/** The mean of the known values; null if there is none. */
export function mean(values) {
    const known = finite(values);
    return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
}

/** The largest of the known values; null if there is none. */
export const most = (values) => (finite(values).length > 0 ? Math.max(...finite(values)) : null);

function computed({ repetitions = [], holds = [], throws = [], pinches = [], segments = [], marks = [], game, corrections, measured }) {
    const depths = repetitions.map(({ depth }) => depth);
    const speeds = finite(throws.map((one) => one.speed_mps));
    return {
        repetitions: repetitions.length, throws: throws.length, pinches: pinches.length, segments: segments.length,
        faulty: repetitions.filter(({ faults }) => faults?.length > 0).length,
        score: throws.reduce((sum, { score }) => sum + (score ?? 0), 0),
        depth: mean(depths), deepest: most(depths), seconds: mean((corrections ?? [...repetitions, ...holds]).map(secondsOf)),
        joint: measured?.joint, range: measured?.range,
        symmetry: mean((measured?.repetitions ?? repetitions).map(({ symmetry }) => symmetry)), likeness: mean(repetitions.map(({ likeness }) => likeness)), longestHold: most(holds.map(({ start, end }) => end - start)), speeds,
        topSpeed: game?.top_speed_mps ?? most(speeds), marks: marks.length,
        labels: [...new Set(marks.map(({ label }) => label))].toSorted(),
    };
}

/** The numbers of a session, listed or whole. */
export const outlineOf = (session) => session.outline ?? computed(session);

/** Whether a session is a set, of which repetitions are counted. */
export const isSet = (session) => session?.mode === "count" || session?.mode === "coach";

/** The number of repetitions, as corrected if there is a correction. */
export const countOf = ({ count, correctedCount, corrections }) => correctedCount ?? corrections?.length ?? count;
