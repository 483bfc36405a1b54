// What the studio says, in plain words: states, problems, phases.

/** Notices cover the picture: nothing can go on until something is done. */
export const notices = {
    asking: { title: "May I use the camera?", text: "Your browser is asking. The pictures go to the studio on this "
        + "machine and nowhere else." },
    denied: { title: "The camera is not allowed", text: "Allow it with the camera or lock sign beside the page's "
        + "address, then try again. Nothing is recorded.", action: "Try again" },
    none: { title: "No camera found", text: "Plug one in and try again, or choose another source: a camera at the "
        + "server, a stream, or a video.", action: "Try again" },
    busy: { title: "The camera is in use", text: "Another program or page holds it. Close that one, then try again.",
        action: "Try again" },
    insecure: { title: "The camera needs HTTPS here", text: "Browsers give the camera to pages on this machine or over "
        + "HTTPS only. Open the studio at http://localhost, or put it behind an HTTPS proxy; the other sources work "
        + "as they are." },
    ended: { title: "The camera has gone", text: "It was unplugged or switched off.", action: "Try again" },
    connecting: { title: "Connecting", text: "Getting ready." },
    lost: { title: "Connection lost", text: "", action: "Try now" },
    uploading: { title: "Sending the video", text: "" },
    analysing: { title: "Analysing", text: "" },
    failed: { title: "That did not work", text: "", action: "Start again" },
};

/** Hints stand over the picture while everything goes on. */
export const hints = {
    connecting: "Connecting to the camera…",
    reconnecting: "The camera is gone. Trying again…",
    nobody: "Nobody in view",
    "step-back": "Step back so your head and feet show",
    "finding-board": "Locating the board",
    "keep-still": "Keep the device still",
    "place-board": "Place the board into the box",
    "board-only": "Move the camera to the side, so that it sees the player too",
    calibrating: "The board is found; step in to throw",
    playing: "Throw",
    "game-over": "Game over",
    live: "",
    hidden: "Paused while this tab is hidden",
};

/** Title and text of each mode before the start. */
export const welcomes = {
    poses: ["See every joint", "Everyone in view, as a skeleton over the picture."],
    count: ["Count anything you repeat", "Stand where the camera sees you from head to feet, then press Start."],
    coach: ["Count it and correct it", "Pick an exercise, or let the studio recognise it. It says what to change as you move."],
    draw: ["Draw in the air", "Put thumb and index finger together, and move. Open them to lift the pen."],
    toss: ["Play bean-bag toss", "Place the camera at the side, with thrower and board in the picture, and keep it still."],
    classify: ["Name the action", "A model that you trained says which action it sees."],
};

/** What to do about a fault, to be read while moving; any other is told by its name. */
const advice = {
    shallow: "Go all the way", not_locked_out: "Come back all the way", knees_in: "Push your knees out",
    hips_sagging: "Lift your hips", hips_high: "Lower your hips", leaning: "Keep your chest up",
    swinging: "Keep your trunk still", uneven: "Both sides alike", too_fast: "Slow down",
    arms_bent: "Stretch your arms", elbows_drifting: "Keep your elbows in", legs_narrow: "Legs farther apart",
};

export const adviceFor = ({ code }) => advice[code] ?? named(code);

/** What a fault is called. */
export const faultWords = ({ code }) => named(code);

/** Seconds a repetition took: its tempo's parts, else from its start to its end. */
export const secondsOf = ({ tempo, start, end }) =>
    (tempo ? tempo.eccentric + tempo.pause + tempo.concentric : end - start);

/** What a phase is called; unknown ones as they come. */
export function phaseWords(phase) {
    if (phase === null || phase === undefined || phase === "" || phase === "start") return "ready";
    return String(phase).replaceAll("_", " ").replaceAll("-", " ");
}

const files = {
    "overlay.mp4": "Overlay video", json: "JSON", jsonl: "JSON Lines", csv: "CSV", svg: "Chart, SVG", png: "Chart, PNG",
    "poses.jsonl": "Poses, JSON Lines", "poses.csv": "Poses, CSV", trc: "TRC", mot: "MOT angles", "coco.json": "COCO",
    "openpose.zip": "OpenPose",
};

/** What a file to take away is called, whose name or format the server says; unknown ones as they come. */
export const fileWords = (name) => files[name] ?? files[name.replace(/^poses\./, "")] ?? name;

/** A number of things, with its word. */
export const plural = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

/** Seconds as m:ss. */
export function clock(seconds) {
    const whole = Math.max(0, Math.round(seconds ?? 0));
    return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** A name such as `push_up` or `jumpingJack` as words. */
export const named = (name) =>
    String(name ?? "").replace(/[_-]+/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

/** Which notice fits what getUserMedia threw. */
export function cameraProblem(error) {
    switch (error?.name) {
    case "NotAllowedError": case "SecurityError": return "denied";
    case "NotFoundError": case "OverconstrainedError": return "none";
    case "NotReadableError": case "AbortError": return "busy";
    default: return "failed";
    }
}
