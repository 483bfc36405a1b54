// The repetitions as a list: each goes to its place in the film, and the one that plays is lit.
import { element, make } from "../dom.js";
import { t } from "../i18n.js";
import { faultWords } from "../words.js";
import { adviceName, angle, comparison, factName, moment, percent, seconds, tempoWords } from "./names.js";
import { on, placeAt, state } from "./state.js";

const list = element("repetition-list");
let lit = -1;

/** The measures of a repetition with their names. */
export function factsOf({ measured, depth, start, end, isUnseen }) {
    const facts = [["took", seconds(end - start)]];
    if (isUnseen) facts.push(["range", t("review.unseen")]);
    else if (measured.range !== null) facts.push(["range", angle(measured.range)]);
    else if (state.series) facts.push(["range", t("review.unsure")]);
    if (Number.isFinite(depth)) facts.push(["depth", percent(depth)]);
    if (measured.parts) facts.push(["tempo", tempoWords(measured.parts)]);
    if (measured.peak !== null) facts.push(["peak", `${angle(measured.peak)}/s`]);
    if (measured.symmetry !== null) facts.push(["symmetry", percent(measured.symmetry)]);
    if (measured.left !== null && measured.right !== null) {
        facts.push(["sides", `${angle(measured.left)} / ${angle(measured.right)}`]);
    }
    return facts;
}

function row(one, isFirst) {
    const facts = factsOf(one).map(([name, value]) =>
        make("span", { className: "fact" }, make("small", {}, `${factName(name)} `), value));
    const brief = facts.splice(0, 2);
    const faults = (one.faults ?? []).map((fault) => make("span", { className: "fault" },
        make("b", {}, faultWords(fault)), adviceName(fault) ? ` – ${adviceName(fault)}` : null, comparison(fault) ? make("small", {}, ` (${comparison(fault)})`) : null));
    const tag = one.isAdded ? "added" : one.isMoved ? "moved" : one.isHeld ? "held" : null;
    const button = make("button", { className: "repetition quiet", type: "button", tabIndex: isFirst ? 0 : -1 },
        make("span", { className: "place" }, String(one.place)),
        make("span", { className: "told" },
            make("span", { className: "brief" }, make("span", { className: "at" }, moment(one.start), tag ? make("em", {}, t(`review.tags.${tag}`)) : null), ...brief),
            make("span", { className: "facts" }, ...facts), ...faults));
    button.dataset.place = one.place;
    return make("li", {}, button);
}

function render() {
    const held = list.contains(document.activeElement) ? document.activeElement.dataset.place : null;
    list.replaceChildren(...state.repetitions.map((one, at) => row(one, at === 0)));
    element("no-repetitions").hidden = state.repetitions.length > 0;
    lit = -1;
    if (held) focus(Number(held) - 1);
    light();
}

const buttons = () => [...list.querySelectorAll("button")];

function focus(at) {
    const all = buttons();
    const to = all[Math.min(Math.max(at, 0), all.length - 1)];
    if (!to) return;
    for (const button of all) button.tabIndex = button === to ? 0 : -1;
    to.focus();
}

function light() {
    const place = placeAt(state.time);
    if (place === lit) return;
    lit = place;
    for (const button of buttons()) {
        const isLit = Number(button.dataset.place) === place + 1;
        button.classList.toggle("current", isLit);
        if (isLit) button.setAttribute("aria-current", "true");
        else button.removeAttribute("aria-current");
        // In its own list only: the page does not move under the reader.
        if (isLit && !list.matches(":focus-within")) list.scrollTop = button.offsetTop - list.clientHeight / 3;
    }
}

/** Wires the list; `go` gets the selected repetition. */
export function prepareRepetitions(go) {
    on("repetitions poses", render);
    on("time", light);
    list.addEventListener("click", ({ target }) => {
        const button = target.closest("button");
        if (!button) return;
        focus(Number(button.dataset.place) - 1);
        go(state.repetitions[Number(button.dataset.place) - 1]);
    });
    list.addEventListener("keydown", (event) => {
        const at = buttons().indexOf(document.activeElement);
        const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: Infinity }[event.key];
        if (to === undefined || at < 0) return;
        event.preventDefault();
        event.stopPropagation();
        focus(to);
    });
}
