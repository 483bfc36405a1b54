// The list of sources, and the fields beside it.
import { cameras, isAllowedHere } from "./camera.js";
import { element, make, say } from "./dom.js";
import { t } from "./i18n.js";

const kind = element("source-kind");
const phone = matchMedia("(pointer: coarse)").matches;

let known = null;

/** Fills the list from the server's status (as told last, null while it is not known) and this machine's cameras. */
export async function fillSources(status = known) {
    known = status;
    const chosen = kind.value;
    const here = await cameras();
    const named = here.filter((camera) => camera.label);
    const own = named.length > 0 && !phone
        ? named.map((camera, index) => [`device:${camera.deviceId}`, camera.label || t("source.camera", { n: index + 1 })])
        : [["facing:user", t(phone ? "source.front" : "source.own")]];
    if (phone) {
        own.push(["facing:environment", t("source.back")]);
        named.slice(2).forEach((camera) => own.push([`device:${camera.deviceId}`, camera.label]));
    }
    const server = [
        ...(status?.cameras ?? []).map(({ device, name }) => [`camera:${device}`, name || device]),
        ...(status?.inputs ?? []).map((name) => [`input:${name}`, name]),
        ["stream", t("source.stream")],
    ];
    kind.replaceChildren(
        group(t("source.browser"), own), group(t("source.server"), server),
        group(t("source.file"), [["upload", t("source.upload")]]));
    const values = [...kind.options].map((option) => option.value);
    if (values.includes(chosen)) kind.value = chosen;
    else if (chosen.startsWith("facing:")) kind.value = own[0][0];
    else if (!isAllowedHere() && status?.inputs?.length) kind.value = `input:${status.inputs[0]}`;
    showFields();
}

const group = (label, rows) =>
    make("optgroup", { label }, ...rows.map(([value, text]) => make("option", { value }, text)));

function showFields() {
    element("stream-field").hidden = kind.value !== "stream";
    element("upload-field").hidden = element("uploads-field").hidden = kind.value !== "upload";
}

/** Wires the list; `changed` hears of another choice. */
export function prepareSources(changed) {
    kind.addEventListener("change", () => {
        showFields();
        complain("");
        changed();
    });
    navigator.mediaDevices?.addEventListener?.("devicechange", () => changed("devices"));
}

/** Says what is wrong with what was chosen. */
export const complain = (text) => say(element("source-error"), text);

/** What is chosen as `{source, camera?, file?}`, or null after saying what is missing. */
export function chosenSource() {
    complain("");
    const [name, ...rest] = kind.value.split(":");
    const value = rest.join(":");
    switch (name) {
    case "facing": case "device": return { source: { kind: "browser", name: "camera" }, camera: { [name]: value } };
    case "camera": return { source: { kind: "camera", device: value } };
    case "input": return { source: { kind: "input", name: value } };
    case "stream": return streamSource();
    default: return uploadSource();
    }
}

function streamSource() {
    const url = element("stream-url").value.trim();
    if (/^(rtsps?|https?):\/\/./i.test(url)) return { source: { kind: "stream", url } };
    complain(t("source.needsAddress"));
    element("stream-url").focus();
    return null;
}

function uploadSource() {
    const [file] = element("upload-file").files;
    if (file) return { source: { kind: "upload" }, file };
    complain(t("source.needsVideo"));
    element("upload-file").focus();
    return null;
}
