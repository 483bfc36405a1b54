// What the reader chose, kept in this browser.
import { element } from "./dom.js";

const key = "kinema";
const usualUnits = (locale) => (/-(US|LR|MM)$/i.test(locale) ? "imperial" : /-GB$/i.test(locale) ? "british" : "metric");
const defaults = {
    privacy: null, keepDrawings: true,
    theme: "auto", language: "auto", units: usualUnits(navigator.language), people: "prominent", size: "480", turn: "0", mirror: true, hands: false, readout: false, look: "plain", voice: "off",
    tick: false, handsUp: false, keep: true, keepPoses: true, keepVideo: false, hideFaces: false, plan: null, mode: "count",
    exercise: "auto", instruments: false, preview: true, guide: "corner", person: "", loadUnit: null, plans: [], goals: {}, direction: "towardBoard", throws: "8", colour: "#52d3b0",
};

/** The settings; change them with `change`, so that they are kept and listeners hear of it. */
export const settings = { ...defaults, ...Object.fromEntries(Object.entries(keptHere(key)).filter(([name]) => name in defaults)) };
if (!["british", "imperial"].includes(settings.units)) settings.units = "metric";
const listeners = new Set();

/** What is kept of a set, as one choice, and the settings that each comes to. */
const keeps = {
    nothing: { keep: false },
    count: { keep: true, keepPoses: false, keepVideo: false },
    skeleton: { keep: true, keepPoses: true, keepVideo: false },
    faceless: { keep: true, keepPoses: true, keepVideo: true, hideFaces: true },
    film: { keep: true, keepPoses: true, keepVideo: true, hideFaces: false },
};

/** What this browser keeps under a key; nothing where storage is forbidden or damaged. */
export function keptHere(name) {
    try {
        return JSON.parse(localStorage.getItem(name) ?? "{}");
    } catch {
        return {};
    }
}

/** Keeps a value in this browser, or forgets the one before; false where there is no room. Without storage it lasts as long as the page. */
export function keepHere(name, value) {
    try {
        if (value === undefined) localStorage.removeItem(name);
        else localStorage.setItem(name, JSON.stringify(value));
        return true;
    } catch {
        return false;
    }
}

/** The key of a session's drawing. */
export const drawingOf = (session) => `kinema-drawing-${session}`;

/** Calls back with the name of every setting that changes. */
export function onChange(listener) {
    listeners.add(listener);
}

/** Changes a setting and keeps it. */
export function change(name, value) {
    if (settings[name] === value) return;
    settings[name] = value;
    keepHere(key, settings);
    if (name === "theme") document.documentElement.dataset.theme = value;
    for (const listener of listeners) listener(name, value);
}

/** The address that opens the dialog with the page. */
export const opened = "#settings";

export function prepareSettings() {
    const dialog = element("settings");
    element("settings-open").addEventListener("click", () => dialog.showModal());
    dialog.addEventListener("click", (event) => {
        if (event.target === dialog) dialog.close();
    });
    for (const control of dialog.querySelectorAll("[data-setting]")) {
        const name = control.dataset.setting;
        const property = control.type === "checkbox" ? "checked" : "value";
        const show = () => (control[property] = settings[name]);
        show();
        onChange(show);
        control.addEventListener("change", () => change(name, control[property]));
    }
    const choice = element("keeps");
    const show = () => (choice.value = Object.keys(keeps).find((one) =>
        Object.entries(keeps[one]).every(([name, value]) => settings[name] === value)) ?? "film");
    show();
    onChange(show);
    choice.addEventListener("change", () => Object.entries(keeps[choice.value]).forEach(([name, value]) => change(name, value)));
    if (location.hash !== opened) return;
    history.replaceState(null, "", location.pathname);
    dialog.showModal();
}
