// Both hands raised: the sign that starts and ends a set without touching anything. No document here.

const sure = 0.5; // confidence a joint needs
const toStart = 900; // milliseconds the hands have to stay up to start
const toStop = 2000; // and to stop, since many exercises pass through the same posture
const still = 0.1; // how far the wrists may go meanwhile, a share of the body's height
const patience = 300; // milliseconds in which the hands may be lost

/** Whether both wrists are above the head; null if that is unknown. */
export function handsAreUp({ keypoints = {} }) {
    const at = (name) => (keypoints[name]?.[2] >= sure ? keypoints[name] : null);
    const [left, right, nose] = [at("leftWrist"), at("rightWrist"), at("nose")];
    const shoulders = [at("leftShoulder"), at("rightShoulder")].filter(Boolean);
    if (!left || !right || shoulders.length === 0) return null;
    const shoulder = Math.max(...shoulders.map(([, y]) => y));
    // Above the eyes, and as far above the shoulders again as the nose is.
    const level = nose ? nose[1] + 0.6 * Math.max(nose[1] - shoulder, 0) : shoulder + 0.12;
    return left[1] > level && right[1] > level;
}

/** Watches for the sign of one person. */
export class RaisedHands {
    #upSince = null;
    #lastUp = -Infinity;
    #anchor = null;
    #isArmed = false;
    /** How far the sign has come, 0...1. */
    share = 0;

    reset() {
        this.#upSince = null;
        this.#isArmed = false;
        this.share = 0;
    }

    /** Takes the people in view at a time in milliseconds; true once, when the sign was given. `isStop` asks for longer. */
    take(people, now, isStop) {
        const person = people.toSorted((a, b) => height(b) - height(a))[0];
        const isUp = person ? handsAreUp(person) : null;
        // Who already hangs from a bar gives no sign: the hands have to be down once.
        if (isUp === false) this.#isArmed = true;
        if (isUp) this.#lastUp = now;
        if (!isUp && now - this.#lastUp > patience) this.#upSince = null;
        if (isUp && this.#isArmed && (this.#upSince === null || this.#hasMoved(person))) {
            this.#upSince = now;
            this.#anchor = wristsOf(person);
        }
        const needed = isStop ? toStop : toStart;
        this.share = this.#upSince === null ? 0 : Math.min((now - this.#upSince) / needed, 1);
        if (this.share < 1) return false;
        this.reset();
        return true;
    }

    /** Whether the wrists go somewhere, as in a press or a jumping jack. */
    #hasMoved(person) {
        const most = still * height(person);
        return wristsOf(person).some(([x, y], side) =>
            Math.hypot(x - this.#anchor[side][0], y - this.#anchor[side][1]) > most);
    }
}

const wristsOf = ({ keypoints }) => [keypoints.leftWrist, keypoints.rightWrist];

function height({ keypoints = {} }) {
    const ys = Object.values(keypoints).filter(([, , confidence]) => confidence >= 0.3).map(([, y]) => y);
    return ys.length < 2 ? 0 : Math.max(...ys) - Math.min(...ys);
}
