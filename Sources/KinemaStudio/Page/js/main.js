// The page: asks what the studio offers, and wires what is on the page to what it does.
import { ServerError, status as askStatus } from "./api.js";
import { closeCamera, isAllowedHere } from "./camera.js";
import { prepareDetails, showWhose } from "./details.js";
import { element, fill, make, onClick, onSubmit } from "./dom.js";
import { prepareGoniometer } from "./goniometer.js";
import { languages, t, translate } from "./i18n.js";
import * as live from "./live.js";
import { prepareDrawing } from "./modes/draw.js";
import { prepareTeach, showTaught } from "./modes/teach.js";
import { prepareToss } from "./modes/toss.js";
import { hideNotice, showNotice } from "./notices.js";
import "./offline.js";
import { change, onChange, opened, prepareSettings, settings } from "./settings.js";
import { fillSources, prepareSources } from "./sources.js";
import { preparePlan } from "./training.js";
import { cameraProblem, exerciseWords } from "./words.js";

/** Chooses the model that a review has just trained, which the address names. */
function tryTrained() {
    const [name, id] = location.hash.slice(1).split("=");
    if (name !== "classify" || !id) return;
    history.replaceState(null, "", location.pathname);
    live.chooseMode("classify");
    element("classifier").value = decodeURIComponent(id);
}

/** Fills the lists with what this studio offers, from its status: exercises, trained models, a history. */
function offer({ exercises = [], classifiers = [], history, phones }) {
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
    element("phone-link").hidden = phones !== true;
}

async function learn() {
    let status = null;
    try {
        status = await askStatus();
        offer(status);
        tryTrained();
        live.refresh();
    } catch (error) {
        if (error instanceof ServerError && error.code === "token") showNotice("failed", { text: error.message });
    }
    await Promise.all([fillSources(status), showTaught(), status?.history && showWhose()]);
    live.ready();
}

function trainWith(exercise) {
    live.chooseMode("coach");
    element("exercise").value = exercise;
    live.changeExercise(exercise);
    live.start();
}

async function seeYourself() {
    change("preview", true);
    if (!isAllowedHere()) return showNotice("insecure");
    try {
        closeCamera(await navigator.mediaDevices.getUserMedia({ video: true }));
    } catch (error) {
        return showNotice(cameraProblem(error), {}, seeYourself);
    }
    hideNotice();
    return live.preview(true);
}

function prepareParts() {
    prepareSettings();
    preparePlan(live.changePlan);
    prepareDetails();
    prepareGoniometer();
    prepareTeach(learn, trainWith);
    prepareDrawing((message) => live.tools.send(message));
    prepareToss(() => live.startAnew(false), () => live.startAnew(true));
    prepareSources((what) => (what === "devices" ? fillSources() : live.changeSource()));
}

function prepareButtons() {
    onClick({ preview: seeYourself, "plan-skip": live.skip, flip: live.flip, stop: live.tools.stop, full: toggleFullScreen });
    element("modes").addEventListener("change", ({ target }) => live.chooseMode(target.value));
    onSubmit("source", live.start);
    element("exercise").addEventListener("change", ({ target }) => live.changeExercise(target.value));
    element("classifier").addEventListener("change", live.changeModel);
    element("full").hidden = !document.fullscreenEnabled;
}

function toggleFullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else element("studio").requestFullscreen?.();
}

translate();
element("set-language").append(...Object.entries(languages).map(([value, name]) => make("option", { value }, name)));
prepareParts();
prepareButtons();
addEventListener("fullscreenchange", () => element("full").setAttribute("aria-pressed", Boolean(document.fullscreenElement)));
addEventListener("visibilitychange", live.changeVisibility);
// What was counted is kept by the studio, also where the reader leaves all the same.
addEventListener("beforeunload", (event) => live.isCounting() && event.preventDefault());
new ResizeObserver(([{ target }]) => element("studio").style.setProperty("--card", `${target.offsetHeight}px`)).observe(element("after"));
onChange((name) => {
    live.changeSetting(name);
    // Words are put in once; a page begun anew has them all.
    if (name !== "language") return;
    location.hash = opened;
    location.reload();
});
setInterval(live.tick, 250);
live.showReadout();
live.showInstruments();
live.showMode();
learn();
