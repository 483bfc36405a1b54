// Marks: stretches with a label, from which a classifier is trained.
import { saveMarks, sessions as askSessions, train } from "../api.js";
import { attempt, element, make, onClick, onSubmit, say } from "../dom.js";
import { t } from "../i18n.js";
import { outlineOf } from "../outline.js";
import { titleOf } from "../words.js";
import { seek } from "./film.js";
import { dateOf, moment, percent } from "./names.js";
import { on, state, tell } from "./state.js";

let [setIn, setOut] = [null, null];
let others = [];

const labels = () => [...new Set([...others.flatMap((one) => outlineOf(one).labels), ...state.marks.map(({ label }) => label)])].toSorted();

/** Sets where a mark begins, or where it ends; an end that is not after the start is none. */
export function markHere(isEnd) {
    if (isEnd) setOut = state.time;
    else setIn = state.time;
    if (setIn !== null && setOut !== null && setOut <= setIn) [setIn, setOut] = isEnd ? [null, setOut] : [setIn, null];
    showStretch();
}

function showStretch() {
    const word = (time) => (time === null ? "–" : moment(time));
    say(element("mark-stretch"), t("review.marks.stretch", { start: word(setIn), end: word(setOut) }));
    element("mark-add").disabled = setIn === null || setOut === null;
}

// The list that the studio answers with is another one, of the same marks.
const isSame = (a, b) => a.start === b.start && a.end === b.end && a.label === b.label && a.id === b.id;

let saving = Promise.resolve();

/** Saves what `change` makes of the marks, after what is being saved already. */
function save(change, done) {
    const { id } = state.session;
    saving = saving.then(() => state.session.id === id && saveNow(change(state.marks), done));
    return saving;
}

const saveNow = (marks, done) => attempt("mark-message", async () => {
    state.session = await saveMarks(state.session.id, marks) ?? { ...state.session, marks };
    state.marks = state.session.marks ?? marks;
    tell("marks");
    tell("session");
    await showTraining();
}, t(done));

async function add() {
    const label = element("mark-label").value.trim();
    if (!label) {
        say(element("mark-message"), t("review.marks.needsLabel"));
        element("mark-label").focus();
        return;
    }
    const [start, end] = [setIn, setOut];
    const one = { start, end, label, ...(state.person === null ? {} : { id: state.person }) };
    // The next stretch may begin while this one is being saved.
    [setIn, setOut] = [null, null];
    showStretch();
    if (await save((marks) => [...marks, one].toSorted((a, b) => a.start - b.start), "review.marks.saved")) return;
    if (setIn === null && setOut === null) [setIn, setOut] = [start, end];
    showStretch();
}

function showMarks() {
    element("marks").replaceChildren(...state.marks.map((one, at) => {
        const what = `${one.label}, ${moment(one.start)} – ${moment(one.end)}`;
        const remove = async () => {
            await save((marks) => marks.filter((mark) => !isSame(mark, one)), "review.marks.removed");
            element("mark-label").focus();
        };
        return make("li", {}, make("button", { type: "button", className: "quiet", onclick: () => seek(one.start) }, what),
            make("button", { type: "button", className: "quiet", onclick: remove, ariaLabel: t("review.marks.removeOne", { what }) }, t("review.marks.remove")));
    }));
    element("no-marks").hidden = state.marks.length > 0;
    element("mark-labels").replaceChildren(...labels().map((label) => make("option", { value: label })));
}

/** The sessions with marks and poses, this one too. */
async function showTraining() {
    const { sessions } = await askSessions().catch(() => ({ sessions: [] }));
    others = sessions.filter((one) => outlineOf(one).marks > 0);
    const usable = others.filter(({ hasPoses }) => hasPoses);
    element("train").hidden = usable.length === 0;
    const wanted = new Set([...element("train-sessions").querySelectorAll("input:not(:checked)")].map(({ value }) => value));
    element("train-sessions").replaceChildren(...usable.map((session) => {
        const { marks: n, labels: classes } = outlineOf(session);
        return make("label", { className: "switch" },
            make("input", { type: "checkbox", value: session.id, checked: !wanted.has(session.id) }),
            make("span", {}, `${titleOf(session)}, ${dateOf(session, "short")}`,
                make("small", {}, `${t("review.marks.stretches", { n })}: ${classes.join(", ")}`)));
    }));
    showMarks();
}

async function trainNow() {
    const chosen = [...element("train-sessions").querySelectorAll("input:checked")].map(({ value }) => value);
    const name = element("train-name").value.trim();
    const tellResult = (...parts) => element("train-result").replaceChildren(...parts);
    if (!name || chosen.length === 0) return tellResult(t(name ? "review.train.needsSession" : "review.train.needsName"));
    element("train-go").disabled = true;
    tellResult(t("review.train.busy"));
    try {
        const { id, classes, clips, accuracy } = await train(name, chosen);
        const known = classes.map((label) => `${label} (${clips[label] ?? 0})`).join(", ");
        const n = classes.reduce((sum, label) => sum + (clips[label] ?? 0), 0);
        const told = t("review.train.done", { name, n, classes: known });
        const held = Number.isFinite(accuracy) ? ` ${t("review.train.accuracy", { accuracy: percent(accuracy) })}` : "";
        tellResult(make("span", {}, told + held, " "),
            make("a", { className: "button", href: `./#classify=${encodeURIComponent(id)}` }, t("review.train.try")));
    } catch (error) {
        tellResult(error.message);
    }
    element("train-go").disabled = false;
    return null;
}

/** Takes the session's marks. */
export function openMarks(session) {
    [setIn, setOut] = [null, null];
    state.marks = session.marks ?? [];
    say(element("mark-message"), "");
    element("train-result").replaceChildren();
    showStretch();
    tell("marks");
    return showTraining();
}

export function prepareMarks() {
    on("marks", showMarks);
    onClick({ "mark-in": () => markHere(false), "mark-out": () => markHere(true), "mark-add": add });
    onSubmit("mark-form", () => !element("mark-add").disabled && add());
    onSubmit("train-form", trainNow);
}
