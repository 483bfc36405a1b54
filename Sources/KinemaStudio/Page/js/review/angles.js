// Joint angles of the poses in the plane of the picture. What is measured of them the studio says. No document here.

/** Confidence below which nothing is computed. */
export const sure = 0.5;
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

/** The angle that changes most, where no repetitions say which one matters. */
export const busiest = (series) => largest(angleNames, (name) => reachOf(series[name]));

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
