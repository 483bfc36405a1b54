// The requests over HTTP. See Documentation/studio.md.
import { t } from "./i18n.js";
import { learnExercises, problemWords } from "./words.js";

/** The error that the server answered; its message can be shown. */
export class ServerError extends Error {
    constructor(status, code, message) {
        super(message);
        this.status = status;
        this.code = code;
    }
}

/** Asks the server; null where it answers without words. Throws a `ServerError`. */
export async function ask(path, options = {}) {
    const answer = await fetch(path, { credentials: "same-origin", cache: "no-store", ...options }).catch(() => {
        throw new ServerError(0, "unreachable", t("server.silent"));
    });
    if (answer.ok) return answer.status === 204 ? null : answer.json();
    // An answer without JSON is reported by its status.
    throw failure(answer.status, (await answer.json().catch(() => ({}))).error ?? {});
}

function failure(status, problem) {
    if (status === 401) return new ServerError(status, "token", t("server.token"));
    return new ServerError(status, problem.code, problem.code ? problemWords(problem.code, problem.message, problem.limit) : t("server.status", { status }));
}

export const status = () => ask("api/status");

/** The exercises there are, each with its name, title and origin. */
export async function exercises() {
    const { exercises: found } = await ask("api/exercises");
    learnExercises(found);
    return found;
}
export const figure = (name) => ask(`api/exercises/${encodeURIComponent(name)}/figure`);
export const exerciseFile = (name) => `api/exercises/${encodeURIComponent(name)}/file`;

const part = 100; // sessions in one answer
const enough = 1000; // sessions read at once

/** The next newest sessions, of a person if one is given, as lists show them, and where those after them begin; null at the end. */
export async function sessions(after = null, person = "") {
    const found = [];
    let next = after;
    do {
        const answer = await ask(`api/history?limit=${part}${person ? `&person=${encodeURIComponent(person)}` : ""}${next ? `&after=${encodeURIComponent(next)}` : ""}`);
        found.push(...answer.sessions);
        next = answer.next ?? null;
    } while (next && found.length < enough);
    return { sessions: found, next };
}

/** The newest sessions of a filter, one answer's worth. */
export const sessionsPart = () => ask(`api/history?limit=${part}`);

/** Everyone whose sets are kept. */
export const people = () => ask("api/people");
const personAddress = (name, rest = "") => `api/people/${encodeURIComponent(name)}${rest}`;
export const personArchive = (name) => personAddress(name, "/archive?videos=true");

const send = (method, path, body) => ask(path, { method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }) });
const address = (id, part = "") => `api/history/${encodeURIComponent(id)}${part}`;

export const session = (id) => ask(address(id));
export const deleteSession = (id) => send("DELETE", address(id));
/** Replaces what is said of a set; answers the session, as the others do. */
export const saveDetails = (id, details) => send("PUT", address(id, "/details"), details);
export const saveCorrections = (id, repetitions) => send("PUT", address(id, "/corrections"), { repetitions });
export const takeBackCorrections = (id) => send("DELETE", address(id, "/corrections"));
export const saveMarks = (id, marks) => send("PUT", address(id, "/marks"), { marks });
export const saveNote = (id, note) => send("PUT", address(id, "/note"), { note });
export const videoAddress = (id) => address(id, "/video");
/** Other cameras of a set: `{session, offset, source}`, the offset in seconds from its first frame to theirs. */
export const views = async (id) => (await ask(address(id, "/views"))).views;
export const deleteVideo = (id) => send("DELETE", videoAddress(id));
export const train = (name, sessions) => send("POST", "api/classifiers", { name, sessions });
/** Deletes all sessions with everything that belongs to them, and all models trained here; or everything of a person. */
export const deleteEverything = (person = null) =>
    send("DELETE", person === null ? "api/history" : personAddress(person), { confirm: "delete everything" });
/** Takes in a file that the export of everything made; answers `{added, known}`. */
export const importArchive = (file) => ask("api/history/archive", {
    method: "POST", headers: { "Content-Type": "application/zip" }, body: file });

/** Keeps the film of a session. */
export const keepVideo = (id, film, isCovered = false) => ask(`${videoAddress(id)}${isCovered ? "?covered=true" : ""}`, {
    method: "PUT", headers: { "Content-Type": film.type }, body: film });

/** Pairs this phone by the secret of a code; answers what `phone` does. */
export const pair = (token, name) => send("POST", "api/pair", { token, name });
/** What the studio knows of this phone. */
export const phone = () => ask("api/phone");
/** The phones that are paired, and whether the studio lets phones in. */
export const phones = () => ask("api/phones");
export const allowPhones = (on) => send("POST", "api/phones", { on });
export const changePhone = (id, values) => send("PATCH", `api/phones/${encodeURIComponent(id)}`, values);
export const removePhone = (id) => send("DELETE", `api/phones/${encodeURIComponent(id)}`);
/** A new code to pair a phone by, and whether it was used. */
export const pairing = () => send("POST", "api/phones/pairing");
export const pairingState = (id) => ask(`api/phones/pairing/${encodeURIComponent(id)}`);
/** Chooses the session that a television shows; null for the newest. */
export const showInRoom = (session) => send("PUT", "api/room/now", { session });

/** Where a kept session can be fetched in a format. */
export const exportAddress = (id, format) => address(id, `/export?format=${format}`);
/** Where a file made from an upload lies. */
export const uploadAddress = (id, name) => `api/uploads/${encodeURIComponent(id)}/${name}`;

/** The videos this browser sent that are still there; with a ticket also the `position` in the queue, 0 for one's turn. */
export const uploads = (ticket = "") => ask(`api/uploads${ticket ? `?ticket=${ticket}` : ""}`);
export const deleteUpload = (id) => send("DELETE", `api/uploads/${encodeURIComponent(id)}`);

/** Sends a video; `progress` hears the share that has left. Not by fetch, which cannot tell. */
export function upload(file, ticket, progress, signal) {
    return new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        request.open("POST", `api/uploads?ticket=${ticket}&name=${encodeURIComponent(file.name)}`);
        request.responseType = "json";
        request.setRequestHeader("Content-Type", "application/octet-stream");
        request.upload.onprogress = (event) => progress(event.lengthComputable ? event.loaded / event.total : null);
        request.onload = () => {
            if (request.status === 201) resolve(request.response);
            else reject(failure(request.status, request.response?.error ?? {}));
        };
        request.onerror = () => reject(new ServerError(0, "unreachable", t("server.silent")));
        request.onabort = () => reject(new DOMException("stopped", "AbortError"));
        signal.addEventListener("abort", () => request.abort());
        request.send(file);
    });
}
