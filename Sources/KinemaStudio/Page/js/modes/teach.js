// Teach: an exercise from a few repetitions that are shown; then what it is called, and those taught so far.
import { ask, exerciseFile, exercises } from "../api.js";
import { attempt, element, isSure, list, make, onFile, onSubmit, say } from "../dom.js";
import { forgetFigures } from "../guide.js";
import { t } from "../i18n.js";
import { Movement } from "../movement.js";
import { Tally } from "./readout.js";

const tally = new Tally(element("teach-number"));
const movement = new Movement();
const wanted = 3; // repetitions
const still = 2500; // milliseconds at rest after them until it ends by itself
let restingSince = null;
let session = null;
let told = () => null;

export const teach = {
    /** The analysis of the server that is used. */
    server: "count",
    options: () => ({ people: "prominent" }),
    /** What is learnt from is kept, with its poses. */
    kept: { keep: true, keepPoses: true },

    reset() {
        restingSince = session = null;
        tally.reset();
        movement.reset();
        say(element("teach-phase"), t("teach.do", { n: wanted }));
        element("teach-form").hidden = element("teach-train").hidden = true;
        say(element("teach-error"), "");
    },

    result(message, { strip, stop }) {
        if (!message.count) return;
        const { count, phase, signal } = message.count;
        tally.count(count);
        strip.add(message.time, signal);
        const isStill = count >= wanted && !["out", "back"].includes(phase);
        restingSince = isStill ? restingSince ?? performance.now() : null;
        if (isStill && performance.now() - restingSince >= still) stop();
        say(element("teach-phase"), count < wanted ? t("teach.more", { n: wanted - count })
            : isStill ? t("teach.stay") : movement.words(phase, { person: message.people?.[0] }));
    },

    event(message, { strip }) {
        if (message.type === "repetition") strip.mark(message.repetition);
    },

    finish(summary, isWhole, ended) {
        const { count } = summary;
        tally.show(count);
        session = ended.kept && count >= 2 ? ended.session : null;
        element("teach-form").hidden = session === null;
        say(element("teach-phase"), session === null ? t("teach.few") : t("teach.seen"));
        for (const [name, value] of [["teach-from", 1], ["teach-to", count]]) Object.assign(element(name), { value, min: 1, max: count });
        if (session === null) return;
        element("teach-form").scrollIntoView({ block: "nearest" });
        element("teach-name").focus({ preventScroll: true });
    },
};

const body = (method, value) => ({ method, body: JSON.stringify(value) });

/** Asks, says what went wrong, and has the list anew. */
const change = (path, options) => attempt("teach-error", async () => {
    const answer = await ask(path, options);
    forgetFigures();
    await told();
    return answer;
}, "");

const listed = (name) => document.querySelector(`#teach-list [data-name="${name}"] input`);

/** The copy can be renamed at once. */
async function copy(path) {
    const made = await change(`${path}/copy`, { method: "POST" });
    if (made) listed(made.name)?.select();
}

async function remove(path, title) {
    const isWanted = await isSure(t("teach.deleteTitle", { title }), t("teach.deleteText"), t("teach.delete"));
    if (isWanted && await change(path, { method: "DELETE" })) element("teach-import").focus();
}

const row = ({ name, title }) => {
    const path = `api/exercises/${encodeURIComponent(name)}`;
    const button = (word, onclick, className = "") => make("button", { type: "button", className, onclick }, t(`teach.${word}`));
    const rename = ({ target }) => change(path, body("PUT", { title: target.value }));
    return make("li", { "data-name": name },
        make("input", { value: title, maxLength: 60, ariaLabel: t("teach.name"), onchange: rename }),
        button("copy", () => copy(path)),
        make("a", { className: "button", href: exerciseFile(name), download: "" }, t("teach.export")),
        button("delete", () => remove(path, title), "danger"));
};

/** Shows those taught; none where the studio cannot teach. */
export async function showTaught() {
    const all = await exercises().catch(() => []);
    list(element("teach-list"), all.filter(({ origin }) => origin === "taught"), ({ name, title }) => `${name}:${title}`, row);
}

/** Wires the form; `refresh` has the page's lists anew, also that of those taught; `train` begins with an exercise. */
export function prepareTeach(refresh, train) {
    told = refresh;
    onSubmit("teach-form", async () => {
        const ends = ["teach-from", "teach-to"].map((name) => Number(element(name).value));
        const learnt = await change("api/exercises", body("POST", { session, name: element("teach-name").value, repetitions: ends }));
        if (!learnt) return;
        element("teach-form").hidden = true;
        say(element("teach-phase"), t("teach.learnt", { title: learnt.title }));
        element("teach-train").hidden = false;
        element("teach-train").onclick = () => train(learnt.name);
        element("teach-train").focus();
    });
    onFile("teach-import", (file) => change("api/exercises/file", { method: "POST", body: file }));
}
