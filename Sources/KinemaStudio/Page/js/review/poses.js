// Reads the kept poses line by line as they come.
import { exportAddress, ServerError } from "../api.js";
import { paceOf, seriesOf, withGaps } from "./angles.js";
import { pairOf } from "../words.js";
import { foundIn, measuredIn } from "./state.js";

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

/** A session's repetitions, as corrected if they were, with what was measured in them and what its film needs; the curve is that of `wanted`, where that is of the joint measured. */
export async function readMeasured(session, wanted = null) {
    const list = session.corrections ?? foundIn(session);
    const { frames, shape, gap } = await readPoses(session.id);
    const person = list[0]?.id || frames.find(({ people }) => people.length > 0)?.people[0].id;
    const joint = session.measured?.joint ?? wanted;
    // Who is seen from the other side is measured at the other side's joint.
    const isSame = wanted === null || pairOf(joint) === pairOf(wanted);
    return { session, frames, times: frames.map(({ time }) => time), gap, shape, person, series: seriesOf(frames, person, shape), main: isSame ? joint : wanted,
        repetitions: list.map((one, at) => ({ ...one, place: at + 1, ...measuredIn(session, one) })) };
}
