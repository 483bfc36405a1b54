// The videos that were sent to the studio and are still there, each with its size and a button to delete it.
import { deleteUpload, uploads } from "./api.js";
import { attempt, element, make, say } from "./dom.js";
import { t } from "./i18n.js";
import { counted, megabytes } from "./words.js";

/** Reads the list anew; `displaced` are the names of videos that left to make room for one. */
export const showUploads = (displaced = []) => attempt("uploads-told", async () => {
    const { uploads: all, minutes } = await uploads();
    element("uploads").hidden = all.length === 0 && displaced.length === 0;
    say(element("uploads-title"), t("uploads.title", { videos: counted(all.length, "video"), size: megabytes(all.reduce((sum, { bytes }) => sum + bytes, 0)) }));
    say(element("uploads-text"), t("uploads.text", { n: minutes }));
    element("uploads-list").replaceChildren(...all.map(({ upload, name, bytes, isNeeded }) => {
        const remove = async () => {
            await attempt("uploads-told", () => deleteUpload(upload));
            showUploads();
        };
        return make("li", {}, make("span", {}, name, make("small", {}, megabytes(bytes), isNeeded ? ` · ${t("uploads.needed")}` : "")),
            make("button", { type: "button", disabled: isNeeded, onclick: remove, ariaLabel: t("uploads.deleteOf", { name }) }, t("uploads.delete")));
    }));
}, displaced.length > 0 ? t("uploads.displaced", { names: displaced.join(", ") }) : "");
