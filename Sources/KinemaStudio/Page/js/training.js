// Training by a plan, or by raised hands alone: what is asked, what stands over the picture, and when sets begin and end.
import { announce } from "./announce.js";
import { element, say } from "./dom.js";
import { t } from "./i18n.js";
import { limits, soundPlan, TrainingPlan } from "./plan.js";
import { RaisedHands } from "./raise.js";
import { change, settings } from "./settings.js";
import { sayStep } from "./speech.js";
import { clock, counted } from "./words.js";

const fields = Object.fromEntries(
    ["sets", "target", "unit", "rest", "ready"].map((name) => [name, element(`plan-${name}`)]));
/** Between these the camera cannot tell a pose from a stop: the hands are overhead anyway. */
const overhead = ["pull_up", "shoulder_press"];

export class Training {
    #plan = null;
    #hands = new RaisedHands();
    #isSeen = false;
    #id = "";
    #count = 0;
    /** The sessions of the sets so far. */
    sessions = [];

    /** Whether sets begin and end automatically in a mode. */
    static isWanted(mode) {
        return (mode === "count" || mode === "coach") && (soundPlan(settings.plan).on || settings.handsUp);
    }

    begin() {
        const chosen = soundPlan(settings.plan);
        this.#plan = new TrainingPlan(
            chosen.on ? { ...chosen, handsUp: settings.handsUp } : { ready: chosen.ready, handsUp: settings.handsUp });
        this.#hands.reset();
        this.#isSeen = false;
        this.#id = crypto.randomUUID();
        this.sessions = [];
        this.show();
    }

    end() {
        const results = this.results;
        this.#plan = null;
        this.show();
        return results;
    }

    get isOn() {
        return this.#plan !== null;
    }

    /** Whether only the skeleton is shown: before the first set and between sets. */
    get isWatching() {
        return this.#plan !== null && this.#plan.phase !== "work";
    }

    get isDone() {
        return this.#plan?.phase === "done";
    }

    /** The result of each set. */
    get results() {
        return this.#plan?.results ?? [];
    }

    /** What is kept with the session of the set; absent where there is no number of sets. */
    get kept() {
        if (this.#plan?.sets === null || this.#plan?.sets === undefined) return {};
        const { set, sets, target } = this.#plan;
        return { plan: { plan: this.#id, set, sets, target } };
    }

    /** The state of the picture, as the server names it. */
    hearState(name) {
        this.#isSeen = name === "live";
    }

    /** The session of a set was kept, with the count that its end made certain. */
    keep(set, { session, kept, summary }) {
        if (kept) this.sessions.push({ set, session });
        if (summary) this.#plan?.correct(set, summary.count);
    }

    /** The run is over with this session: a set that went on counts with what it has. */
    finish(message) {
        if (this.#plan?.phase === "work") this.#plan.results.push(message.summary.count);
        if (["work", "done"].includes(this.#plan?.phase)) this.keep(this.#plan.results.length, message);
    }

    get set() {
        return this.#plan?.set ?? 1;
    }

    /** Takes a result, or nothing if only time passed; true if the session has to change. */
    take(message, progress, exercise) {
        const plan = this.#plan;
        if (!plan) return false;
        const now = performance.now();
        const before = plan.phase;
        const isStop = before === "work";
        const isRaised = settings.handsUp && message !== null && !(isStop && overhead.includes(exercise))
            && (before === "raise" || isStop) && this.#hands.take(message.people ?? [], now, isStop);
        this.#count = progress.held === null ? progress.count : Math.floor(progress.held);
        // Between two sessions no person can be lost.
        const isSeen = message === null ? this.#isSeen : (message.people?.length ?? 0) > 0 && this.#isSeen;
        return this.#follow(before, plan.step(now, { isSeen, isRaised, ...progress }));
    }

    /** Ends a rest, a countdown or the set at once; true when the session has to change. */
    skip(progress) {
        return this.#plan !== null && this.#follow(this.#plan.phase, this.#plan.skip(performance.now(), progress));
    }

    #follow(before, steps) {
        for (const { key, values } of steps) {
            const words = t(key, values);
            sayStep(words);
            if (key !== "plan.countdown") announce(words);
        }
        const { phase } = this.#plan;
        if (phase !== before) this.#hands.reset();
        this.show();
        return (before === "work") !== (phase === "work") || phase === "done" && before !== "done";
    }

    /** Shows the phase over the picture. */
    show() {
        const plan = this.#plan;
        const isShown = plan !== null && !["work", "done"].includes(plan.phase);
        const goal = plan !== null && plan.phase === "work";
        element("training").hidden = !isShown;
        element("goal").hidden = !goal;
        element("plan-skip").hidden = plan === null || plan.phase === "done";
        element("studio").dataset.training = plan?.phase ?? "";
        if (goal) this.#showGoal();
        if (!isShown) return;
        const place = plan.sets === null ? t("plan.open", { set: plan.set })
            : t("plan.set", { set: plan.set, sets: plan.sets });
        const { phase, left } = plan;
        element("training").dataset.phase = phase;
        say(element("training-title"), phase === "rest" ? t("plan.resting") : place);
        say(element("training-number"), left === null ? "" : phase === "rest" ? clock(left) : String(left));
        element("training-number").style.setProperty("--letters", phase === "rest" ? clock(left).length : 2);
        say(element("training-text"), phase === "rest" ? t("plan.next", { set: plan.set, sets: plan.sets ?? "" })
            : t({ position: "plan.position", raise: "plan.raise", countdown: "plan.getReady" }[phase]));
    }

    /** The goal in words, and a bar that fills towards it. */
    #showGoal() {
        const { target, unit, worked, sets } = this.#plan;
        say(element("goal-words"), this.#goalWords());
        element("goal-bar").hidden = sets === null;
        element("goal-bar").value = Math.min(1, (unit === "seconds" ? worked : this.#count) / (target || 1));
    }

    #goalWords() {
        const { set, sets, target, unit, worked } = this.#plan;
        if (this.#hands.share > 0.3) return t("plan.keepUp");
        if (sets === null) return t("plan.open", { set });
        const goal = unit === "seconds" ? `${clock(worked)} / ${clock(target)}` : t("plan.of", { n: this.#count, target });
        return `${t("plan.set", { set, sets })} · ${goal}`;
    }
}

/** Wires the fields; `changed` gets another plan. */
export function preparePlan(changed) {
    const shown = soundPlan(settings.plan);
    const on = element("plan-on");
    on.checked = shown.on;
    for (const [name, node] of Object.entries(fields)) {
        if (limits[name]) [node.min, node.max] = limits[name];
        node.value = shown[name];
    }
    const take = () => {
        const values = Object.fromEntries(Object.entries(fields).map(([name, node]) => [name, node.value]));
        const plan = soundPlan({ ...values, on: on.checked });
        change("plan", plan);
        for (const [name, node] of Object.entries(fields)) node.value = plan[name];
        showPlan();
        changed();
    };
    for (const node of [on, ...Object.values(fields)]) node.addEventListener("change", take);
    showPlan();
}

function showPlan() {
    const plan = soundPlan(settings.plan);
    element("plan-fields").hidden = !plan.on;
    say(element("plan-outline"), plan.on ? t("plan.outline", { sets: counted(plan.sets, "set"), rest: plan.rest,
        target: counted(plan.target, plan.unit === "seconds" ? "second" : "repetition") }) : t("plan.off"));
}
