// What this studio offers: exercises, trained models, a history.
import { element, fill } from "./dom.js";
import { t } from "./i18n.js";
import { change, settings } from "./settings.js";
import { exerciseWords } from "./words.js";

/** Fills the lists from the server's status. */
export function offer({ exercises = [], classifiers = [], history }) {
    // An exercise chosen once may be unknown to this studio.
    fill(element("exercise"), [["auto", t("coach.recognise")], ...exercises.map(({ name, title }) => [name, exerciseWords(name, title)])], settings.exercise);
    change("exercise", element("exercise").value);
    fill(element("classifier"), classifiers.map(({ id, name }) => [id, name]));
    // The trained models that classify throws.
    const types = ["overhand", "underhand", "underleg"];
    const models = classifiers.filter(({ classes }) => classes?.some((name) => types.includes(name.toLowerCase())));
    fill(element("toss-classifier"), [["", t("toss.byPosture")], ...models.map(({ id, name }) => [id, name])]);
    element("toss-classifier").closest("label").hidden = models.length === 0;
    element("classify-none").hidden = classifiers.length > 0;
    element("classifier").closest("label").hidden = classifiers.length === 0;
    element("history-link").hidden = history === false;
}
