// The repetitions as a list: each goes to its place in the film, and the one that plays is lit.
import { element, goByKeys, make } from "../dom.js";
import { t } from "../i18n.js";
import { faultWords } from "../words.js";
import { adviceName, angle, comparison, factName, moment, tempoWords } from "./names.js";
import { written } from "./numbers.js";
import { on, placeAt, state } from "./state.js";

const list = element("repetition-list");
let lit = -1;

/** The measures of a repetition with their names. */
function factsOf(one) {
    const { measured: { joint, range, parts, left, right }, isUnseen } = one;
    const known = (name) => (written(name, one) === "–" ? [] : [[name, written(name, one)]]);
    const why = isUnseen ? t("review.unseen") : range === null && state.series ? t("review.unsure") : null;
    return [...known("took"), ...why ? [["range", why]] : known("range"), ...known("depth"), ...parts ? [["tempo", tempoWords(parts)]] : [],
        ...known("score"), ...known("peak"), ...known("likeness"), ...known("symmetry"), ...left !== null && right !== null ? [["sides", `${angle(left)} / ${angle(right)}`]] : []]
        .map(([name, value]) => [factName(name, "facts", joint ?? undefined), value]);
}

function row(one, isFirst) {
    const facts = factsOf(one).map(([name, value]) =>
        make("span", { className: "fact" }, make("small", {}, `${name} `), value));
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
    if (held) focus(buttons()[Math.min(Number(held), state.repetitions.length) - 1]);
    light();
}

const buttons = () => [...list.querySelectorAll("button")];

function focus(to) {
    for (const button of buttons()) button.tabIndex = button === to ? 0 : -1;
    to?.focus();
}

function light() {
    const place = placeAt(state.time);
    if (place === lit) return;
    lit = place;
    for (const button of buttons()) {
        const isLit = Number(button.dataset.place) === place + 1;
        button.classList.toggle("current", isLit);
        button.ariaCurrent = isLit ? "true" : null;
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
        focus(button);
        go(state.repetitions[Number(button.dataset.place) - 1]);
    });
    goByKeys(list, buttons, ["ArrowUp", "ArrowDown"], focus);
}
