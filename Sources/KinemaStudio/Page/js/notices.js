// What covers the picture or stands over it: states, problems, progress.
import { announce } from "./announce.js";
import { element, say } from "./dom.js";
import { hints, notices } from "./words.js";

const notice = element("notice");
const hint = element("hint");
let action = null;

/** Covers the picture with a notice; `text` adds to or replaces its words; `fraction` shows progress. */
export function showNotice(name, { text = "", fraction, note = "" } = {}, onAction = null) {
    const words = notices[name];
    const wasShown = !notice.hidden && notice.dataset.name === name;
    notice.hidden = false;
    notice.dataset.name = name;
    // While a video is analysed its skeletons are worth seeing.
    notice.classList.toggle("slim", name === "analysing");
    say(element("notice-title"), words.title);
    say(element("notice-text"), text || words.text);
    element("notice-progress").hidden = fraction === undefined;
    if (fraction === null) element("progress").removeAttribute("value");
    else if (fraction !== undefined) element("progress").value = fraction;
    say(element("progress-text"), fraction === undefined || fraction === null ? note
        : `${Math.round(100 * fraction)} %${note ? ` · ${note}` : ""}`);
    action = onAction;
    element("notice-action").hidden = !(words.action && onAction);
    say(element("notice-action"), words.action ?? "");
    showHint("live");
    if (!wasShown) announce(`${words.title}. ${text || words.text}`);
}

export function hideNotice() {
    notice.hidden = true;
}

export const isNoticeShown = () => !notice.hidden;

/** Stands a hint over the picture; states without words take it away. */
export function showHint(state, text = "") {
    const words = text || hints[state] || "";
    const changed = hint.textContent !== words;
    hint.hidden = !words;
    hint.dataset.state = state;
    say(hint, words);
    if (changed && words) announce(words);
}

element("notice-action").addEventListener("click", () => action?.());
