// The review's own requests. See Documentation/studio.md.
import { ask } from "../api.js";

const address = (id, part) => `api/history/${encodeURIComponent(id)}/${part}`;
const send = (method, path, body) => ask(path, { method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }) });

export const videoAddress = (id) => address(id, "video");
export const saveCorrections = (id, repetitions) => send("PUT", address(id, "corrections"), { repetitions });
export const takeBackCorrections = (id) => send("DELETE", address(id, "corrections"));
export const saveMarks = (id, marks) => send("PUT", address(id, "marks"), { marks });
export const saveNote = (id, note) => send("PUT", address(id, "note"), { note });
export const train = (name, sessions) => send("POST", "api/classifiers", { name, sessions });
export const deleteVideo = (id) => send("DELETE", address(id, "video"));
