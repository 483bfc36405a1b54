// Standing still in view: the sign that begins a set without touching anything. No document here.

const sure = 0.5; // confidence a joint needs
const needed = 3000; // milliseconds to stand still
const most = 0.07; // how far a joint may go meanwhile, a share of the body's height
const patience = 600; // milliseconds in which the person may be lost
const pairs = ["Shoulder", "Hip", "Knee", "Ankle", "Wrist"];

export class Stillness {
    #anchor = null;
    #since = 0;
    #seen = -Infinity;

    reset() {
        this.#anchor = null;
    }

    /**
     * Takes the person in view, or null, at a time in milliseconds; the milliseconds still to stand, null while there is
     * nobody or they move, and 0 when it is done.
     */
    take(person, now) {
        const body = person && bodyOf(person.keypoints ?? {});
        if (!body) {
            if (now - this.#seen > patience) this.reset();
            return this.#anchor && Math.max(1, needed - (this.#seen - this.#since));
        }
        this.#seen = now;
        if (!this.#anchor || hasMoved(this.#anchor, body)) {
            this.#anchor = body;
            this.#since = now;
            return null;
        }
        return Math.max(0, needed - (now - this.#since));
    }
}

/** The joints that are seen by name, and the body's height; null where less than a whole body is in view: of each pair one is enough. */
function bodyOf(keypoints) {
    const seen = Object.entries(keypoints).filter(([name, [x, y, confidence]]) =>
        confidence >= sure && x >= 0 && x <= 1 && y >= 0 && y <= 1 && pairs.some((pair) => name.endsWith(pair)));
    if (!pairs.slice(0, 4).every((pair) => seen.some(([name]) => name.endsWith(pair)))) return null;
    const of = (place) => seen.map(([, joint]) => joint[place]);
    const extent = (values) => Math.max(...values) - Math.min(...values);
    return { joints: new Map(seen), size: Math.max(extent(of(0)), extent(of(1))) };
}

function hasMoved({ joints, size }, now) {
    return [...now.joints].some(([name, [x, y]]) => {
        const before = joints.get(name);
        return before && Math.hypot(x - before[0], y - before[1]) > most * size;
    });
}
