// Reads the kept poses line by line as they come.
import { exportAddress, ServerError } from "../api.js";
import { paceOf, withGaps } from "./angles.js";

/** The frames of a session with the picture's shape and the longest time that is no gap; `progress` hears how many there are so far. */
export async function readPoses(id, progress = () => {}) {
    const answer = await fetch(exportAddress(id, "poses.jsonl"), { credentials: "same-origin", cache: "no-store" });
    if (!answer.ok) throw new ServerError(answer.status, "poses", "");
    const frames = [];
    let shape = 16 / 9;
    const take = (line) => {
        if (!line.trim()) return;
        let frame = null;
        try {
            frame = JSON.parse(line);
        } catch {
            return; // A line that was cut off has no frame in it.
        }
        if (!Number.isFinite(frame.time)) return;
        if (frame.width > 0 && frame.height > 0) shape = frame.width / frame.height;
        const people = (frame.people ?? []).map(({ id: number, keypoints }) => ({ id: number, keypoints }));
        const hands = (frame.hands ?? []).map(({ keypoints }) => ({ keypoints }));
        frames.push({ time: frame.time, people, hands });
    };
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        const lines = (rest + value).split("\n");
        rest = lines.pop();
        lines.forEach(take);
        progress(frames.length);
    }
    take(rest);
    return { frames: withGaps(frames), shape, gap: paceOf(frames.map(({ time }) => time)).gap };
}
