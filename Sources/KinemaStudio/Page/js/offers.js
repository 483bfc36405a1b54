// What this studio offers: exercises, trained models, a history.
import { element, make } from "./dom.js";
import { t } from "./i18n.js";
import { change, settings } from "./settings.js";
import { exerciseWords } from "./words.js";

/** Fills the lists from the server's status. */
export function offer({ exercises = [], classifiers = [], history }) {
    const exercise = element("exercise");
    exercise.replaceChildren(
        make("option", { value: "auto" }, t("coach.recognise")),
        ...exercises.map(({ name, title }) => make("option", { value: name }, exerciseWords(name, title))));
    exercise.value = settings.exercise;
    // An exercise chosen once may be unknown to this studio.
    if (exercise.selectedIndex < 0) exercise.value = "auto";
    change("exercise", exercise.value);
    element("classifier").replaceChildren(
        ...classifiers.map(({ id, name }) => make("option", { value: id }, name)));
    // The trained models that classify throws.
    const types = ["overhand", "underhand", "underleg"];
    const models = classifiers.filter(({ classes }) => classes?.some((name) => types.includes(name.toLowerCase())));
    element("toss-classifier").replaceChildren(
        make("option", { value: "" }, t("toss.byPosture")),
        ...models.map(({ id, name }) => make("option", { value: id }, name)));
    element("toss-classifier").closest("label").hidden = models.length === 0;
    element("classify-none").hidden = classifiers.length > 0;
    element("classifier").closest("label").hidden = classifiers.length === 0;
    element("history-link").hidden = history === false;
}
