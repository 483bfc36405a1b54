// The review's own requests. See Documentation/studio.md.
import { ServerError } from "../api.js";
import { t } from "../i18n.js";

const address = (id, part) => `api/history/${encodeURIComponent(id)}/${part}`;

async function send(method, path, body) {
    const words = body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
    let answer;
    try {
        answer = await fetch(path, { method, credentials: "same-origin", cache: "no-store", ...words });
    } catch {
        throw new ServerError(0, "unreachable", t("server.silent"));
    }
    const told = await answer.json().catch(() => null);
    if (answer.ok) return told;
    const problem = told?.error ?? {};
    throw new ServerError(answer.status, problem.code, problem.message ?? t("server.status", { status: answer.status }));
}

export const videoAddress = (id) => address(id, "video");
export const saveCorrections = (id, repetitions) => send("PUT", address(id, "corrections"), { repetitions });
export const takeBackCorrections = (id) => send("DELETE", address(id, "corrections"));
export const saveMarks = (id, marks) => send("PUT", address(id, "marks"), { marks });
export const saveNote = (id, note) => send("PUT", address(id, "note"), { note });
export const train = (name, sessions) => send("POST", "api/classifiers", { name, sessions });
