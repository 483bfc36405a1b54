// Asks before something is deleted.
import { element, say } from "./dom.js";

/** Whether the reader wants it. */
export function isSure(title, text, yes) {
    const dialog = element("confirm");
    say(element("confirm-title"), title);
    say(element("confirm-text"), text);
    say(element("confirm-delete"), yes);
    dialog.returnValue = "keep";
    dialog.showModal();
    element("confirm-keep").focus();
    return new Promise((done) => {
        dialog.addEventListener("close", () => done(dialog.returnValue === "delete"), { once: true });
    });
}
