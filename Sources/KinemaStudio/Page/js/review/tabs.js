// The parts beside the film, one at a time: tabs as the ARIA practices have them.
import { element, goByKeys } from "../dom.js";

const tabs = [...document.querySelectorAll("[role=tab]")];
let heard = () => {};

/** Opens a tab by its name. */
export function openTab(name) {
    for (const tab of tabs) {
        const isOpen = tab.dataset.tab === name;
        tab.setAttribute("aria-selected", isOpen);
        tab.tabIndex = isOpen ? 0 : -1;
        element(`panel-${tab.dataset.tab}`).hidden = !isOpen;
        if (isOpen) tab.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    heard(name);
}

/** Shows those that a session has something for; the first stays open where the open one has gone. */
export function shownTabs(wanted) {
    for (const tab of tabs) tab.hidden = !wanted[tab.dataset.tab];
    const open = tabs.find((tab) => tab.getAttribute("aria-selected") === "true" && !tab.hidden);
    openTab((open ?? tabs.find((tab) => !tab.hidden)).dataset.tab);
}

/** Wires the tabs; `opened` hears of each. */
export function prepareTabs(opened) {
    heard = opened;
    for (const tab of tabs) tab.addEventListener("click", () => openTab(tab.dataset.tab));
    goByKeys(element("tabs"), () => tabs, ["ArrowLeft", "ArrowRight"], (tab) => {
        openTab(tab.dataset.tab);
        tab.focus();
    });
}
