// A training plan: exercises, each with sets of a number of repetitions or seconds, a load and rests. It uses no document
// and no clock: the owner calls `step` with the time and the observations, and does what it returns.

/** An exercise of a plan: its code, any other name, or none; times in seconds. */
const usualStep = { exercise: "", sets: 3, target: 10, unit: "repetitions", rest: 60, load: null };
const usualPlan = { on: false, name: "", circuit: false, ready: 5 };

/** The least and most of each number. */
export const limits = { sets: [1, 20], target: [1, 500], rest: [0, 900], ready: [3, 60], load: [0, 2000] };
const most = { steps: 12, sets: 100, letters: 60, bytes: 65_536 };
const format = "kinema-plan";

const settled = 1000; // milliseconds a person must be in view before the countdown begins, and out of view to end it
const spoken = 3; // the last seconds of a countdown are said
const warning = 10; // seconds before the end of a rest at which the voice announces it
const longRest = 20; // seconds from which on a rest is worth that

const within = (name, value, usual) => {
    const [least, greatest] = limits[name];
    return value !== null && Number.isFinite(Number(value)) ? Math.min(Math.max(Number(value), least), greatest) : usual;
};
const text = (value) => (typeof value === "string" ? value.replace(/[\p{Cc}\p{Cf}]/gu, "").trim().slice(0, most.letters) : "");

function soundStep(step) {
    const whole = (name) => Math.round(within(name, step?.[name] ?? null, usualStep[name]));
    const load = within("load", step?.load?.value ?? null, null);
    const unit = ["kg", "lb", "band"].includes(step?.load?.unit) ? step.load.unit : "kg";
    return { exercise: text(step?.exercise), sets: whole("sets"), target: whole("target"), rest: whole("rest"),
        unit: step?.unit === "seconds" ? "seconds" : "repetitions", load: load === null ? null : { value: load, unit } };
}

/** A plan with every number in its limits; what is broken becomes as usual. */
export function soundPlan(plan) {
    // A plan of one exercise was once written without a list.
    const steps = Array.isArray(plan?.steps) && plan.steps.length > 0 ? plan.steps.slice(0, most.steps) : [plan];
    return { on: plan?.on === true, name: text(plan?.name), circuit: plan?.circuit === true,
        ready: Math.round(within("ready", plan?.ready ?? null, usualPlan.ready)), steps: steps.map(soundStep) };
}

/** A plan as the text of a file. */
export const planFile = (plan) => JSON.stringify({ format, version: 1, ...soundPlan(plan), on: undefined }, null, 2);

/** The plan of a file's text; null if it is none. */
export function planOf(file) {
    try {
        const plan = file.length <= most.bytes ? JSON.parse(file) : null;
        const isPlan = plan?.format === format && plan.version === 1 && Array.isArray(plan.steps) && plan.steps.length > 0
            && plan.steps.every((step) => typeof step === "object" && step !== null);
        return isPlan ? { ...soundPlan(plan), on: true } : null;
    } catch {
        return null;
    }
}

/** The sets in the order they are done, each with the number of its exercise's set; a circuit goes round. */
export function orderOf({ steps, circuit = false }) {
    const set = (step, at) => ({ ...step, place: at + 1 });
    const rounds = Array.from({ length: Math.max(...steps.map(({ sets }) => sets)) }, (_, at) => at);
    const order = circuit ? rounds.flatMap((at) => steps.filter(({ sets }) => at < sets).map((step) => set(step, at)))
        : steps.flatMap((step) => rounds.slice(0, step.sets).map((at) => set(step, at)));
    return order.slice(0, most.sets);
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
    /** The sets in order; null without a number of sets. */
    #order;
    #since = 0;
    #seenSince = null;
    #unseenSince = null;
    #told = null;
    #now = 0;

    /** `handsUp`: both hands raised start a set and end it. */
    constructor({ steps = null, circuit = false, sets = null, target = null, unit = "repetitions", rest = 0, ready = 3, handsUp = false }) {
        this.#options = { ready, handsUp };
        const list = steps ?? (sets === null ? null : [{ sets, target, unit, rest }]);
        this.#order = list && orderOf({ steps: list, circuit });
    }

    get sets() { return this.#order?.length ?? null; }

    /** The set that goes on, or that comes next; null without a plan. */
    get now() { return this.#order?.[this.set - 1] ?? null; }

    get target() { return this.now?.target ?? null; }

    get unit() { return this.now?.unit ?? "repetitions"; }

    /** Seconds of the rest after the set that was done last. */
    get #rest() { return this.#order?.[this.set - 2]?.rest ?? 0; }

    /** Whole seconds until the countdown or the rest is over; null in other phases. */
    get left() {
        const length = { countdown: this.#options.ready, rest: this.#rest }[this.phase];
        return length === undefined ? null : Math.max(0, Math.ceil(length - (this.#now - this.#since) / 1000));
    }

    /** Seconds since the set began; 0 in other phases. */
    get worked() { return this.phase === "work" ? (this.#now - this.#since) / 1000 : 0; }

    /**
     * Takes the time in milliseconds and the observations: whether a person is in view, the count or the seconds held
     * so far, and whether both hands have just been raised. Returns what to say: `{key, values}` of the words' table.
     */
    step(now, { isSeen = false, count = 0, held = null, isRaised = false }) {
        this.#now = now;
        this.#seenSince = isSeen ? this.#seenSince ?? now : null;
        this.#unseenSince = isSeen ? null : this.#unseenSince ?? now;
        const { sets, target } = this;
        const { handsUp } = this.#options;
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
            if (this.left === warning && this.#rest >= longRest && this.#told !== warning) {
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
        if (this.phase === "work") return this.#endSet(this.#reached(count, held), this.sets);
        if (this.phase === "done") return [];
        return this.#enter("work");
    }

    /** What the end of a set made certain, such as a repetition that was still going on. */
    correct(set, result) {
        if ((this.#order?.[set - 1]?.unit ?? "repetitions") === "repetitions" && set <= this.results.length) this.results[set - 1] = result;
    }

    #reached(count, held) {
        if (this.unit !== "seconds") return count;
        // A position that is held counts while it is held; any other work by the clock.
        return held ?? this.worked;
    }

    #isLost() { return this.#unseenSince !== null && this.#now - this.#unseenSince >= settled; }

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
        const [before, next] = [this.#order?.[ended - 1], this.now];
        const values = { set: before?.place ?? ended, n: this.#rest };
        // A further exercise is said, so that one can go there.
        const isOther = next !== null && next.exercise !== before.exercise;
        if (this.#rest === 0) return [...this.#enter("position"), ...isOther ? [{ key: "plan.saidNext", values: { next } }] : []];
        return [...this.#enter("rest"), isOther ? { key: "plan.saidRestNext", values: { ...values, next } } : { key: "plan.saidRest", values }];
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
