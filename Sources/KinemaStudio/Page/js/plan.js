// A training plan: sets of a number of repetitions or seconds, with rests between. It uses no document and no clock:
// the owner calls `step` with the time and the observations, and does what it returns.

/** What a plan is made of; times in seconds. */
export const usualPlan = { on: false, sets: 3, target: 10, unit: "repetitions", rest: 60, ready: 5 };

/** The least and most of each number. */
export const limits = { sets: [1, 20], target: [1, 500], rest: [0, 900], ready: [3, 60] };

const settled = 1000; // milliseconds a person must be in view before the countdown begins, and out of view to end it
const spoken = 3; // the last seconds of a countdown are said
const warning = 10; // seconds before the end of a rest at which the voice announces it
const longRest = 20; // seconds from which on a rest is worth that

/** A plan with every number in its limits; what is broken becomes as usual. */
export function soundPlan(plan) {
    const sound = { ...usualPlan, ...plan };
    for (const [name, [least, most]] of Object.entries(limits)) {
        const value = Math.round(Number(sound[name]));
        sound[name] = Number.isFinite(value) ? Math.min(Math.max(value, least), most) : usualPlan[name];
    }
    sound.unit = sound.unit === "seconds" ? "seconds" : "repetitions";
    sound.on = sound.on === true;
    return sound;
}

/**
 * The phases are `position` (a person must come into view), `raise` (both hands up start it), `countdown`, `work`,
 * `rest` and `done`. Without a number of sets the plan continues until it is stopped, and only raised hands end a set.
 */
export class TrainingPlan {
    phase = "position";
    set = 1;
    /** What each set came to: repetitions, or seconds. */
    results = [];
    #options;
    #since = 0;
    #seenSince = null;
    #unseenSince = null;
    #told = null;
    #now = 0;

    /** `handsUp`: both hands raised start a set and end it. */
    constructor({ sets = null, target = null, unit = "repetitions", rest = 0, ready = 3, handsUp = false }) {
        this.#options = { sets, target, unit, rest, ready, handsUp };
    }

    get sets() {
        return this.#options.sets;
    }

    get target() {
        return this.#options.target;
    }

    get unit() {
        return this.#options.unit;
    }

    /** Whole seconds until the countdown or the rest is over; null in other phases. */
    get left() {
        const length = { countdown: this.#options.ready, rest: this.#options.rest }[this.phase];
        return length === undefined ? null : Math.max(0, Math.ceil(length - (this.#now - this.#since) / 1000));
    }

    /** Seconds since the set began; 0 in other phases. */
    get worked() {
        return this.phase === "work" ? (this.#now - this.#since) / 1000 : 0;
    }

    /**
     * Takes the time in milliseconds and the observations: whether a person is in view, the count or the seconds held
     * so far, and whether both hands have just been raised. Returns what to say: `{key, values}` of the words' table.
     */
    step(now, { isSeen = false, count = 0, held = null, isRaised = false }) {
        this.#now = now;
        if (isSeen) this.#seenSince ??= now;
        else this.#seenSince = null;
        if (!isSeen) this.#unseenSince ??= now;
        else this.#unseenSince = null;
        const { sets, target, handsUp } = this.#options;
        switch (this.phase) {
        case "position":
            if (this.#seenSince === null || now - this.#seenSince < settled) return [];
            return handsUp ? this.#enter("raise") : this.#enter("countdown");
        case "raise":
            if (this.#isLost()) return this.#enter("position");
            return isRaised ? this.#enter("countdown") : [];
        case "countdown":
            if (this.#isLost()) return this.#enter("position");
            if (this.left === 0) return this.#enter("work");
            return this.#tell(this.left, spoken);
        case "work": {
            const reached = this.#reached(count, held);
            if (isRaised && handsUp || target !== null && reached >= target) return this.#endSet(reached, sets);
            return [];
        }
        case "rest":
            if (this.left === 0) return this.#isLost() ? this.#enter("position") : this.#enter("work");
            if (this.left === warning && this.#options.rest >= longRest && this.#told !== warning) {
                this.#told = warning;
                return [{ key: "plan.saidTen", values: {} }];
            }
            return this.#tell(this.left, spoken);
        default: return [];
        }
    }

    /** Ends what is going on: a rest or a countdown at once, a set with what it has. */
    skip(now, { count = 0, held = null } = {}) {
        this.#now = now;
        if (this.phase === "work") return this.#endSet(this.#reached(count, held), this.#options.sets);
        if (this.phase === "done") return [];
        return this.#enter("work");
    }

    /** What the end of a set made certain, such as a repetition that was still going on. */
    correct(set, result) {
        if (this.unit === "repetitions" && set <= this.results.length) this.results[set - 1] = result;
    }

    #reached(count, held) {
        if (this.unit !== "seconds") return count;
        // A position that is held counts while it is held; any other work by the clock.
        return held ?? this.worked;
    }

    #isLost() {
        return this.#unseenSince !== null && this.#now - this.#unseenSince >= settled;
    }

    #tell(seconds, from) {
        if (seconds > from || seconds === this.#told) return [];
        this.#told = seconds;
        return [{ key: "plan.countdown", values: { n: seconds } }];
    }

    #endSet(reached, sets) {
        this.results.push(this.unit === "seconds" ? Math.round(reached) : reached);
        if (sets !== null && this.set >= sets) return this.#enter("done");
        const ended = this.set;
        this.set += 1;
        if (this.#options.rest === 0) return this.#enter("position");
        return [...this.#enter("rest"), { key: "plan.saidRest", values: { set: ended, n: this.#options.rest } }];
    }

    #enter(phase) {
        this.phase = phase;
        this.#since = this.#now;
        this.#told = null;
        if (phase === "work") return [{ key: "plan.saidGo", values: {} }];
        if (phase === "done") return [{ key: "plan.saidDone", values: {} }];
        return [];
    }
}
