// Training by a plan, or by raised hands alone: what is asked, what stands over the picture, and when sets begin and end.
import { announce } from "./announce.js";
import { detailsAtStart } from "./details.js";
import { element, fill, keep, make, onFile, say, uuid } from "./dom.js";
import { entry, t } from "./i18n.js";
import { limits, planFile, planOf, soundPlan, TrainingPlan } from "./plan.js";
import { RaisedHands } from "./raise.js";
import { change, settings } from "./settings.js";
import { sayNow } from "./speech.js";
import { clock, counted, doseOf, exerciseWords, loadWords, withinSentence } from "./words.js";

const fields = Object.fromEntries(["exercise", "sets", "target", "unit", "rest", "load", "load-unit", "ready", "name"]
    .map((name) => [name, element(`plan-${name}`)]));
const mostSteps = 12;
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
        const { ready } = chosen;
        this.#plan = new TrainingPlan({ ...chosen.on ? chosen : { ready }, handsUp: settings.handsUp });
        this.#hands.reset();
        this.#isSeen = false;
        this.#id = uuid();
        this.sessions = [];
        const first = this.#plan.now;
        if (first?.exercise) sayNow(t("plan.saidNext", { next: stepWords(first) }));
        this.show();
    }

    end() {
        this.#plan = null;
        this.show();
    }

    get isOn() { return this.#plan !== null; }

    /** Whether only the skeleton is shown: before the first set and between sets. */
    get isWatching() { return this.#plan !== null && this.#plan.phase !== "work"; }

    get isDone() { return this.#plan?.phase === "done"; }

    /** How many sets the plan has; null where it has no end. */
    get sets() { return this.#plan?.sets ?? null; }

    /** The result of each set. */
    get results() { return this.#plan?.results ?? []; }

    /** What is kept with the session of a set, and the exercise that a plan asks for. */
    get kept() {
        if (!["count", "coach", "teach"].includes(settings.mode)) return {};
        const now = this.#plan?.now;
        if (!now) return { details: detailsAtStart() };
        const { exercise, load } = now;
        const isJudged = settings.mode === "coach" && isKnown(exercise);
        const details = detailsAtStart({ ...load && { load }, ...exercise && !isJudged && { name: stepWords(now) } });
        const { set, sets, target } = this.#plan;
        return { plan: { plan: this.#id, set, sets, target }, details, ...exercise && { exercise: isJudged ? exercise : "auto" } };
    }

    /** The state of the picture, as the server names it. */
    hearState(name) { this.#isSeen = name === "live"; }

    /** The session of a set was kept, with the count that its end made certain. */
    keep(set, { session, kept, summary }) {
        if (kept) this.sessions.push({ set, session, details: summary?.details });
        if (summary) this.#plan?.correct(set, summary.count);
    }

    /** The run is over with this session: a set that went on counts with what it has. */
    finish(message) {
        if (this.#plan?.phase === "work") this.#plan.results.push(message.summary.count);
        if (["work", "done"].includes(this.#plan?.phase)) this.keep(this.#plan.results.length, message);
    }

    /** Another exercise is done than the plan asks for. */
    change(exercise) { if (this.#plan?.now) this.#plan.now.exercise = exercise; }

    get set() { return this.#plan?.set ?? 1; }

    /** Takes a result, or nothing if only time passed; true if the session has to change. */
    take(message, progress, exercise) {
        const plan = this.#plan;
        if (!plan) return false;
        const now = performance.now();
        const before = plan.phase;
        const isStop = before === "work";
        const isRaised = settings.handsUp && message !== null && !(isStop && overhead.includes(plan.now?.exercise || exercise))
            && (before === "raise" || isStop) && this.#hands.take(message.people ?? [], now, isStop);
        this.#count = progress.held === null ? progress.count : Math.floor(progress.held);
        // Between two sessions no person can be lost.
        const isSeen = message === null ? this.#isSeen : (message.people?.length ?? 0) > 0 && this.#isSeen;
        // A plank that has not begun is no work by the clock.
        const held = progress.held ?? (plan.now?.exercise === "plank" && settings.mode === "coach" ? 0 : null);
        return this.#follow(before, plan.step(now, { isSeen, isRaised, ...progress, held }));
    }

    /** Ends a rest, a countdown or the set at once; true when the session has to change. */
    skip(progress) {
        return this.#plan !== null && this.#follow(this.#plan.phase, this.#plan.skip(performance.now(), progress));
    }

    #follow(before, steps) {
        for (const { key, values } of steps) {
            const words = t(key, values.next ? { ...values, next: stepWords(values.next) } : values);
            sayNow(words);
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
        const { phase, left } = plan;
        const place = this.#placeWords();
        element("training").dataset.phase = phase;
        say(element("training-title"), phase === "rest" ? t("plan.resting") : place);
        say(element("training-number"), left === null ? "" : phase === "rest" ? clock(left) : String(left));
        element("training-number").style.setProperty("--letters", phase === "rest" ? clock(left).length : 2);
        say(element("training-text"), phase === "rest" ? t("plan.next", { set: plan.now?.exercise ? place : withinSentence(place) })
            : t({ position: "plan.position", raise: "plan.raise", countdown: "plan.getReady" }[phase]));
    }

    /** The set that goes on or comes next: its exercise, its number, its load. */
    #placeWords() {
        const { set, now } = this.#plan;
        if (now === null) return t("plan.open", { set });
        return [stepWords(now), t("plan.set", { set: now.place, sets: now.sets }), now.load && loadWords(now.load)].filter(Boolean).join(" · ");
    }

    /** The goal in words, and a bar that fills towards it. */
    #showGoal() {
        const { target, unit, worked, sets } = this.#plan;
        say(element("goal-words"), this.#goalWords());
        element("goal-bar").hidden = sets === null;
        element("goal-bar").value = Math.min(1, (unit === "seconds" ? worked : this.#count) / (target || 1));
    }

    #goalWords() {
        const { sets, target, unit, worked } = this.#plan;
        if (this.#hands.share > 0.3) return t("plan.keepUp");
        if (sets === null) return this.#placeWords();
        const goal = unit === "seconds" ? `${clock(worked)} / ${clock(target)}` : t("plan.of", { n: Math.min(this.#count, target), target });
        return `${this.#placeWords()} · ${goal}`;
    }
}

// ---- the plan's fields

const isKnown = (exercise) => exercise in entry("exercises") || [...element("exercise").options].some(({ value }) => value === exercise);
const stepWords = ({ exercise }) => (isKnown(exercise) ? exerciseWords(exercise) : exercise);
/** The exercise that is meant by a text: its code where the studio knows it. */
const exerciseOf = (words) => Object.keys(entry("exercises")).find((name) =>
    exerciseWords(name).toLowerCase() === words.trim().toLowerCase()) ?? words;
const amountWords = ({ sets, target, unit }) => t("plan.amount", {
    sets: counted(sets, "set"), target: counted(target, unit === "seconds" ? "second" : "repetition") });
let chosen = 0; // the exercise whose fields are shown

/** Wires the fields; `changed` is called with another plan. */
export function preparePlan(changed) {
    for (const [name, node] of Object.entries(fields)) {
        if (limits[name]) [node.min, node.max] = limits[name];
    }
    const now = () => soundPlan(settings.plan);
    const take = (plan) => {
        change("plan", soundPlan(plan));
        showPlan();
        changed();
    };
    const saved = () => settings.plans.map(soundPlan);
    const store = (plans) => {
        change("plans", plans.toSorted((a, b) => a.name.localeCompare(b.name)));
        showPlan();
    };
    const acts = {
        add: (plan) => {
            chosen = plan.steps.length;
            take({ ...plan, steps: [...plan.steps, { ...plan.steps.at(-1), exercise: "", load: null }] });
            fields.exercise.focus();
        },
        remove: (plan) => take({ ...plan, steps: plan.steps.filter((_, at) => at !== chosen) }),
        earlier: (plan) => {
            [plan.steps[chosen - 1], plan.steps[chosen]] = [plan.steps[chosen], plan.steps[chosen - 1]];
            chosen -= 1;
            take(plan);
        },
        save: (plan) => {
            const named = { ...plan, name: plan.name || t("plan.unnamed", { n: saved().length + 1 }) };
            store([...saved().filter(({ name }) => name !== named.name), named]);
            take(named);
        },
        copy: (plan) => acts.save({ ...plan, name: t("plan.copyOf", { name: plan.name || t("plan.title") }) }),
        delete: (plan) => store(saved().filter(({ name }) => name !== plan.name)),
        export: (plan) => keep(planFile(plan), `${plan.name || t("plan.title")}.json`, "application/json"),
    };
    for (const [name, act] of Object.entries(acts)) element(`plan-${name}`).addEventListener("click", () => act(now()));
    element("plan-on").addEventListener("change", ({ target }) => {
        const [plan, dose] = [now(), settings.mode === "coach" ? doseOf(settings.exercise) : null];
        const isOpen = target.checked && plan.steps.length === 1 && !plan.steps[0].exercise;
        if (isOpen && dose) Object.assign(plan.steps[0], { sets: dose.sets, target: dose.repetitions, unit: "repetitions" });
        take({ ...plan, on: target.checked });
    });
    element("plan-circuit").addEventListener("change", ({ target }) => take({ ...now(), circuit: target.checked }));
    element("plan-saved").addEventListener("change", ({ target }) => {
        chosen = 0;
        const plan = saved().find(({ name }) => name === target.value);
        if (plan) take({ ...plan, on: true });
    });
    onFile("plan-file", async (file) => {
        const plan = planOf(await file.text());
        chosen = 0;
        if (plan) acts.save(plan);
        say(element("plan-told"), plan ? t("plan.imported", { name: now().name }) : t("plan.noPlan"));
    });
    element("plan-steps").addEventListener("click", ({ target }) => {
        const at = [...element("plan-steps").children].indexOf(target.closest("li"));
        if (at < 0) return;
        chosen = at;
        showPlan();
    });
    for (const node of Object.values(fields)) {
        node.addEventListener("change", () => {
            const plan = now();
            const { exercise, sets, target, unit, rest, load } = fields;
            plan.steps[chosen] = { exercise: exerciseOf(exercise.value), sets: sets.value, target: target.value, unit: unit.value,
                rest: rest.value, load: load.value.trim() ? { value: load.value.replace(",", "."), unit: fields["load-unit"].value } : null };
            take({ ...plan, ready: fields.ready.value, name: fields.name.value });
        });
    }
    element("plan-exercises").replaceChildren(...Object.keys(entry("exercises")).map((name) => make("option", { value: exerciseWords(name) })));
    showPlan();
}

function showPlan() {
    const plan = soundPlan(settings.plan);
    chosen = Math.min(chosen, plan.steps.length - 1);
    const step = plan.steps[chosen];
    const shown = { ...step, exercise: stepWords(step), load: step.load?.value ?? "", "load-unit": step.load?.unit ?? "kg", ready: plan.ready, name: plan.name };
    for (const [name, node] of Object.entries(fields)) node.value = shown[name];
    element("plan-on").checked = plan.on;
    element("plan-circuit").checked = plan.circuit;
    element("plan-fields").hidden = !plan.on;
    const [isOne, [first]] = [plan.steps.length === 1, plan.steps];
    element("plan-remove").disabled = isOne;
    element("plan-earlier").disabled = chosen === 0;
    element("plan-add").disabled = plan.steps.length === mostSteps;
    element("plan-circuit").closest("label").hidden = isOne;
    const outline = isOne ? t("plan.outline", { amount: [stepWords(first), amountWords(first)].filter(Boolean).join(", "), rest: first.rest })
        : [plan.name, counted(plan.steps.length, "exercise"), counted(plan.steps.reduce((sum, { sets }) => sum + sets, 0), "set")].filter(Boolean).join(", ");
    say(element("plan-outline"), plan.on ? outline : t("plan.off"));
    element("plan-steps").hidden = isOne;
    element("plan-steps").replaceChildren(...plan.steps.map((one, at) => make("li", {}, make("button",
        { type: "button", ariaPressed: String(at === chosen) }, make("b", {}, stepWords(one) || t("plan.any")),
        make("small", {}, [t("plan.brief", { ...one, unit: one.unit === "seconds" ? " s" : "" }), one.load && loadWords(one.load)].filter(Boolean).join(" · "))))));
    const names = settings.plans.map(({ name }) => name);
    fill(element("plan-saved"), [["", t("plan.saved")], ...names.map((name) => [name])], plan.name);
    element("plan-saved").closest("label").hidden = names.length === 0;
    element("plan-delete").disabled = !names.includes(plan.name);
}
