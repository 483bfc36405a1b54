// Teach: an exercise from a few repetitions that are shown; then what it is called, and those taught so far.
import { announceCount } from "../announce.js";
import { ask, exerciseFile, exercises } from "../api.js";
import { element, list, make, say } from "../dom.js";
import { forgetFigures } from "../guide.js";
import { t } from "../i18n.js";
import { Movement } from "../movement.js";
import { counted } from "../words.js";
import { BigNumber } from "./readout.js";

const number = new BigNumber(element("teach-number"));
const movement = new Movement();
const wanted = 3; // repetitions
const still = 2500; // milliseconds at rest after them until it ends by itself
let total = 0;
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
        total = 0;
        restingSince = session = null;
        movement.reset();
        number.show(0);
        say(element("teach-phase"), t("teach.do", { n: wanted }));
        element("teach-form").hidden = element("teach-train").hidden = true;
        complain("");
    },

    result(message, { strip, stop }) {
        if (!message.count) return;
        const { count, phase, signal } = message.count;
        if (count > total) announceCount(count, counted(count, "repetition"));
        total = count;
        number.show(total);
        strip.add(message.time, signal);
        const isStill = total >= wanted && !["out", "back"].includes(phase);
        restingSince = isStill ? restingSince ?? performance.now() : null;
        if (isStill && performance.now() - restingSince >= still) stop();
        say(element("teach-phase"), total < wanted ? t("teach.more", { n: wanted - total })
            : isStill ? t("teach.stay") : movement.words(phase, { person: message.people?.[0] }));
    },

    event(message, { strip }) {
        if (message.type === "repetition") strip.mark(message.repetition);
    },

    finish(summary, isWhole, ended) {
        total = summary.count;
        number.show(total);
        session = ended.kept && total >= 2 ? ended.session : null;
        element("teach-form").hidden = session === null;
        say(element("teach-phase"), session === null ? t("teach.few") : t("teach.seen"));
        for (const [name, value] of [["teach-from", 1], ["teach-to", total]]) Object.assign(element(name), { value, min: 1, max: total });
        if (session === null) return;
        element("teach-form").scrollIntoView({ block: "nearest" });
        element("teach-name").focus({ preventScroll: true });
    },
};

function complain(text) {
    element("teach-error").hidden = !text;
    say(element("teach-error"), text);
}

const body = (method, value) => ({ method, body: JSON.stringify(value) });

/** Asks, says what went wrong, and has the list anew. */
async function change(path, options) {
    complain("");
    try {
        const answer = await ask(path, options);
        forgetFigures();
        await told();
        return answer ?? true;
    } catch (error) {
        complain(error.message);
        return null;
    }
}

const row = ({ name, title }) => {
    const path = `api/exercises/${encodeURIComponent(name)}`;
    const button = (word, press) => {
        const node = make("button", { type: "button" }, t(`teach.${word}`));
        node.addEventListener("click", press);
        return node;
    };
    const field = make("input", { value: title, maxLength: 60, ariaLabel: t("teach.name") });
    field.addEventListener("change", () => change(path, body("PUT", { title: field.value })));
    return make("li", {}, field,
        make("a", { className: "button", href: exerciseFile(name), download: "" }, t("teach.export")),
        button("delete", () => change(path, { method: "DELETE" })));
};

/** Shows those taught; none where the studio cannot teach. */
export async function showTaught() {
    const all = await exercises().catch(() => []);
    list(element("teach-list"), all.filter(({ origin }) => origin === "taught"), ({ name, title }) => `${name}:${title}`, row);
}

/** Wires the form; `refresh` has the page's lists anew, also that of those taught; `train` begins with an exercise. */
export function prepareTeach(refresh, train) {
    told = refresh;
    element("teach-form").addEventListener("submit", async (event) => {
        event.preventDefault();
        const ends = ["teach-from", "teach-to"].map((name) => Number(element(name).value));
        const learnt = await change("api/exercises", body("POST", { session, name: element("teach-name").value, repetitions: ends }));
        if (!learnt) return;
        element("teach-form").hidden = true;
        say(element("teach-phase"), t("teach.learnt", { title: learnt.title }));
        element("teach-train").hidden = false;
        element("teach-train").onclick = () => train(learnt.name);
        element("teach-train").focus();
    });
    element("teach-import").addEventListener("change", async ({ target }) => {
        const [file] = target.files;
        if (file) await change("api/exercises/file", { method: "POST", body: file });
        target.value = "";
    });
}
