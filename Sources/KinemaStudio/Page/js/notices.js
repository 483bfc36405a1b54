// Notices that cover the image, and hints over it: states, problems, progress.
import { announce } from "./announce.js";
import { element, say } from "./dom.js";
import { has, t } from "./i18n.js";

const notice = element("notice");
const hint = element("hint");
let action = null;

/** Covers the image with a notice; `text` adds to or replaces its words; `fraction` shows progress. */
export function showNotice(name, { text = "", fraction, note = "" } = {}, onAction = null) {
    const wasShown = !notice.hidden && notice.dataset.name === name;
    notice.hidden = false;
    notice.dataset.name = name;
    // While a video is analysed its skeletons are worth seeing.
    notice.classList.toggle("slim", name === "analysing");
    const title = t(`notices.${name}.title`);
    const told = text || t(`notices.${name}.text`);
    say(element("notice-title"), title);
    say(element("notice-text"), told);
    element("notice-progress").hidden = fraction === undefined;
    if (fraction === null) element("progress").removeAttribute("value");
    else if (fraction !== undefined) element("progress").value = fraction;
    say(element("progress-text"), fraction === undefined || fraction === null ? note
        : `${Math.round(100 * fraction)} %${note ? ` · ${note}` : ""}`);
    action = onAction;
    const isOffered = has(`notices.${name}.action`) && onAction !== null;
    element("notice-action").hidden = !isOffered;
    say(element("notice-action"), isOffered ? t(`notices.${name}.action`) : "");
    showHint("live");
    if (!wasShown) announce(`${title}${/[.?!]$/.test(title) ? "" : "."} ${told}`);
}

export const hideNotice = () => (notice.hidden = true);
export const isNoticeShown = () => !notice.hidden;

/** Shows a hint over the image; states without words remove it. */
export function showHint(state, text = "") {
    const words = text || (has(`hints.${state}`) ? t(`hints.${state}`) : "");
    const changed = hint.textContent !== words;
    hint.hidden = !words;
    hint.dataset.state = state;
    say(hint, words);
    if (changed && words) announce(words);
}

element("notice-action").addEventListener("click", () => action?.());
