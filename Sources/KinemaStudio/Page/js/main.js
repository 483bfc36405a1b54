// The page: asks what the studio offers, and wires what is on the page to what it does.
import { ServerError, status as askStatus } from "./api.js";
import { prepareDetails, showWhose } from "./details.js";
import { element, make, onSubmit } from "./dom.js";
import { prepareGoniometer } from "./goniometer.js";
import { languages, translate } from "./i18n.js";
import * as live from "./live.js";
import { prepareDrawing } from "./modes/draw.js";
import { prepareTeach, showTaught } from "./modes/teach.js";
import { prepareToss } from "./modes/toss.js";
import { showNotice } from "./notices.js";
import { offer } from "./offers.js";
import "./offline.js";
import { change, onChange, opened, prepareSettings } from "./settings.js";
import { fillSources, prepareSources } from "./sources.js";
import { preparePlan } from "./training.js";

/** Chooses the model that a review has just trained, which the address names. */
function tryTrained() {
    const [name, id] = location.hash.slice(1).split("=");
    if (name !== "classify" || !id) return;
    history.replaceState(null, "", location.pathname);
    live.chooseMode("classify");
    element("classifier").value = decodeURIComponent(id);
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
    live.begin();
}

function trainWith(exercise) {
    live.chooseMode("coach");
    element("exercise").value = exercise;
    live.changeExercise(exercise);
    live.start();
}

async function seeYourself() {
    change("preview", true);
    await navigator.mediaDevices?.getUserMedia?.({ video: true }).then((stream) => stream.getTracks().forEach((track) => track.stop())).catch(() => null);
    live.preview();
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
    const presses = { preview: seeYourself, "plan-skip": live.skip, flip: live.flip, stop: live.tools.stop, full: toggleFullScreen };
    for (const [id, act] of Object.entries(presses)) element(id).addEventListener("click", act);
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
