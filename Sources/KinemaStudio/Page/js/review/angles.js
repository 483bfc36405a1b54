// Joint angles of the poses in the plane of the picture, and the measures of a repetition's curve. No document here.

/** Confidence below which nothing is computed. */
export const sure = 0.5;
const enough = 0.7; // share of a repetition's frames that must be known to measure it
const nearTurn = 0.1; // share of the range within which the movement counts as pausing at the turn
const slope = 0.1; // seconds over which a speed is taken, so that jitter of single frames is none
const [gapSeconds, gapFrames] = [0.5, 3]; // the longest time without a value that counts as seen, in seconds or frames

/** The angles there are: the joint in the middle with its neighbours; the trunk's is taken against the vertical. */
export const limbs = {
    leftKnee: ["leftHip", "leftKnee", "leftAnkle"], rightKnee: ["rightHip", "rightKnee", "rightAnkle"],
    leftHip: ["leftShoulder", "leftHip", "leftKnee"], rightHip: ["rightShoulder", "rightHip", "rightKnee"],
    leftElbow: ["leftShoulder", "leftElbow", "leftWrist"], rightElbow: ["rightShoulder", "rightElbow", "rightWrist"],
    leftShoulder: ["leftHip", "leftShoulder", "leftElbow"], rightShoulder: ["rightHip", "rightShoulder", "rightElbow"],
};
export const angleNames = [...Object.keys(limbs), "trunk"];

/** The same joint of the other side; null for the trunk. */
export const otherSide = (name) =>
    (name.startsWith("left") ? name.replace("left", "right") : name.startsWith("right") ? name.replace("right", "left") : null);

const degrees = 180 / Math.PI;
const known = (keypoints, name) => {
    const point = keypoints[name];
    return point && point[2] >= sure ? point : null;
};

/** The angle in degrees, NaN if one of its joints is not sure. `shape` is width over height of the picture. */
export function angleOf(keypoints, name, shape) {
    if (name === "trunk") return leanOf(keypoints, shape);
    const [from, vertex, to] = limbs[name].map((joint) => known(keypoints, joint));
    return angleAt(vertex, from, to, shape);
}

/** The angle in degrees at a vertex between two points; NaN where one is missing or lies on the vertex. */
export function angleAt(vertex, from, to, shape) {
    const points = [from, to];
    if (!vertex || points.some((point) => !point || (point[0] === vertex[0] && point[1] === vertex[1]))) return NaN;
    const [one, other] = points.map(([x, y]) => Math.atan2(y - vertex[1], (x - vertex[0]) * shape));
    return Math.acos(Math.cos(one - other)) * degrees;
}

/** From the least of some values to the most. */
export const extentOf = (values) => Math.max(...values) - Math.min(...values);

/** The place in the middle between two. */
export const middleOf = (one, other) => [0, 1].map((axis) => (one[axis] + other[axis]) / 2);

function leanOf(keypoints, shape) {
    const joints = ["leftShoulder", "rightShoulder", "leftHip", "rightHip"].map((name) => known(keypoints, name));
    if (joints.includes(null)) return NaN;
    const [neck, hip] = [middleOf(joints[0], joints[1]), middleOf(joints[2], joints[3])];
    return angleAt(hip, neck, [hip[0], hip[1] + 1], shape);
}

/** Every angle of a person at every frame. */
export function seriesOf(frames, person, shape) {
    const bodies = frames.map(({ people }) => people.find(({ id }) => id === person)?.keypoints ?? null);
    return Object.fromEntries(angleNames.map((name) =>
        [name, Float32Array.from(bodies, (keypoints) => (keypoints ? angleOf(keypoints, name, shape) : NaN))]));
}

/** From the 5th to the 95th percentile; 0 where less than half is known. */
function reachOf(values) {
    const sorted = values.filter(Number.isFinite).toSorted();
    if (sorted.length < values.length / 2 || sorted.length === 0) return 0;
    return sorted[Math.floor(0.95 * (sorted.length - 1))] - sorted[Math.floor(0.05 * (sorted.length - 1))];
}

const largest = (names, value) => names.reduce((best, one) => (value(one) > value(best) ? one : best));

/** Of an angle and that of the other side the one to measure by: how far it goes, times how surely its joints are seen. */
export function betterSide(name, series, frames, person) {
    const sides = [name, otherSide(name)];
    if (sides.includes(null)) return name;
    const bodies = frames.map(({ people }) => people.find(({ id }) => id === person)?.keypoints ?? {});
    const sight = (joints) => bodies.reduce((sum, body) => sum + Math.min(...joints.map((joint) => body[joint]?.[2] ?? 0)), 0);
    return largest(sides, (one) => (reachOf(series[one]) + 1e-6) * sight(limbs[one]));
}

/** The angle that changes most, on the side that is seen better: of a hidden knee the model only guesses. */
export const busiest = (series, frames, person) =>
    betterSide(largest(angleNames, (name) => reachOf(series[name])), series, frames, person);

/** The usual time between two frames, and the longest that counts as seen: a longer one is a gap. */
export function paceOf(times) {
    const steps = Float64Array.from(times.slice(1), (time, at) => time - times[at]).sort();
    const usual = steps[steps.length >> 1] ?? 0;
    return { usual, gap: Math.max(gapSeconds, gapFrames * usual) };
}

/** The frames, with an empty one in each gap, so that nothing is drawn or computed across it. */
export function withGaps(frames) {
    const { usual, gap } = paceOf(frames.map(({ time }) => time));
    return frames.flatMap((frame, at) => (frames[at + 1]?.time - frame.time > gap
        ? [frame, { time: frame.time + usual, people: [], hands: [] }] : [frame]));
}

/** Whether times follow each other from start to end without a gap. */
const isUnbroken = (moments, { start, end }, gap) => [...moments, end].every((time, at) => time - (moments[at - 1] ?? start) <= gap);

/** Whether a person is in view all through a repetition, as far as poses were kept. */
export function isSeen({ start, end }, person, { frames, times, gap }) {
    if (end > times.at(-1) + gap) return true; // No poses were kept of it.
    const inView = frames.slice(frameAt(times, start), frameAt(times, end) + 1)
        .filter(({ time, people }) => time >= start && people.some(({ id }) => id === person));
    return isUnbroken(inView.map(({ time }) => time), { start, end }, gap);
}

/** The number of the last frame at or before a time; 0 before the first. */
export function frameAt(times, time) {
    let [low, high] = [0, times.length - 1];
    while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (times[middle] <= time + 1e-4) low = middle;
        else high = middle - 1;
    }
    return low;
}

/** The numbers of the frames of a stretch. */
export function framesOf({ times }, { start, end }) {
    const found = [];
    for (let at = frameAt(times, start); at < times.length && times[at] <= end + 1e-4; at += 1) if (times[at] >= start - 1e-4) found.push(at);
    return found;
}

/** The known values of a stretch as [time, value], and whether enough of it is known. */
function stretch({ times, gap }, values, { start, end }) {
    const all = framesOf({ times }, { start, end });
    const points = all.filter((at) => Number.isFinite(values[at])).map((at) => [times[at], values[at]]);
    const isKnown = all.length > 2 && points.length >= enough * all.length && isUnbroken(points.map(([time]) => time), { start, end }, gap);
    return { points, isKnown };
}

/** How far an angle goes in a repetition; null where too little of it is known. */
export function rangeOf(frames, values, repetition) {
    const { points, isKnown } = stretch(frames, values, repetition);
    return isKnown ? extentOf(points.map(([, value]) => value)) : null;
}

/** The point farthest from the line between the first and the last. */
function turnOf(points) {
    const [[t0, v0], [t1, v1]] = [points[0], points.at(-1)];
    const away = ([time, value]) => Math.abs(value - v0 - ((v1 - v0) * (time - t0)) / Math.max(t1 - t0, 1e-6));
    return points.reduce((best, point, at) => (away(point) > away(points[best]) ? at : best), 0);
}

/** The fastest change of a stretch, degrees a second. */
function peakOf(points) {
    let peak = null;
    for (let at = 0, to = 0; at < points.length; at += 1) {
        while (to < points.length && points[to][0] - points[at][0] < slope) to += 1;
        if (to === points.length) break;
        const speed = Math.abs(points[to][1] - points[at][1]) / (points[to][0] - points[at][0]);
        if (points[to][0] - points[at][0] < 3 * slope) peak = Math.max(peak ?? 0, speed);
    }
    return peak;
}

function partsOf(points, turn, { start, end }) {
    const heights = points.map(([, value]) => value);
    const close = nearTurn * extentOf(heights);
    let [first, last] = [turn, turn];
    while (first > 0 && Math.abs(heights[first - 1] - heights[turn]) < close) first -= 1;
    while (last < points.length - 1 && Math.abs(heights[last + 1] - heights[turn]) < close) last += 1;
    return { out: Math.max(0, points[first][0] - start), pause: points[last][0] - points[first][0],
        back: Math.max(0, end - points[last][0]) };
}

/**
 * What an angle's curve tells of a repetition: `range` in degrees, when it turns, its parts in seconds, the peak speed,
 * the range of each side and the smaller as a share of the larger. Null where joints were not sure or not seen for a while.
 */
export function measure(repetition, { times, gap, series, main }) {
    const [mine, other] = [main, otherSide(main)];
    const { points, isKnown } = stretch({ times, gap }, series[mine], repetition);
    const range = isKnown ? rangeOf({ times, gap }, series[mine], repetition) : null;
    const ranges = other ? { [mine]: range, [other]: rangeOf({ times, gap }, series[other], repetition) } : {};
    const sides = other ? Object.keys(ranges).toSorted().map((name) => ranges[name]) : [null, null];
    const isPair = sides.every((side) => side !== null) && Math.max(...sides) > 0;
    const found = { range, turn: null, parts: null, peak: null, left: sides[0], right: sides[1],
        symmetry: isPair ? Math.min(...sides) / Math.max(...sides) : null };
    if (!isKnown) return found;
    const turn = turnOf(points);
    return { ...found, turn: points[turn][0], parts: partsOf(points, turn, repetition), peak: peakOf(points) };
}

/** The best and the worst repetition: fewer faults, then the larger reach; null where fewer than two are known. */
export function extremes(repetitions, reach) {
    const order = repetitions.filter((one) => reach(one) !== null)
        .toSorted((a, b) => (a.faults?.length ?? 0) - (b.faults?.length ?? 0) || reach(b) - reach(a));
    return order.length < 2 ? null : { best: order[0], worst: order.at(-1) };
}
