// The parts of a person that the camera cannot see. No document here.

const sure = 0.5; // confidence from which a joint counts as seen, as for faults
const lasting = 1200; // milliseconds until a part that appears or disappears is reported

const parts = {
    shoulders: ["leftShoulder", "rightShoulder"], elbows: ["leftElbow", "rightElbow"],
    wrists: ["leftWrist", "rightWrist"], hips: ["leftHip", "rightHip"], knees: ["leftKnee", "rightKnee"],
    ankles: ["leftAnkle", "rightAnkle"],
};

const legs = ["hips", "knees", "ankles"];
const arms = ["shoulders", "elbows", "wrists"];
/** The joints for an exercise's depth. */
const measured = {
    squat: legs, lunge: legs, deadlift: ["shoulders", "hips", "knees"], push_up: arms, bench_press: arms,
    shoulder_press: arms, pull_up: arms, sit_up: ["shoulders", "hips", "knees"], bicep_curl: arms, front_raise: arms,
    lateral_raise: arms, jumping_jack: ["wrists", "ankles"], burpee: ["shoulders", "hips", "ankles"],
    plank: ["shoulders", "hips", "ankles"],
};

/** Whether one of the pair is seen: from the side, one is enough. */
function isSeen(keypoints, names) {
    return names.some((name) => {
        const [x, y, confidence] = keypoints[name] ?? [0, 0, 0];
        return confidence >= sure && x >= 0 && x <= 1 && y >= 0 && y <= 1;
    });
}

/** Reports a state only after it has lasted. */
export class Sight {
    #told = [];
    #next = { key: "", since: 0 };

    /** The parts to report now, for the person of an exercise at a time in milliseconds. */
    take(person, exercise, now) {
        const unseen = person ? (measured[exercise] ?? []).filter((part) => !isSeen(person.keypoints ?? {}, parts[part])) : [];
        const key = unseen.join();
        if (key !== this.#next.key) this.#next = { key, since: now };
        if (now - this.#next.since >= lasting) this.#told = unseen;
        return this.#told;
    }

    reset() {
        this.#told = [];
        this.#next = { key: "", since: 0 };
    }
}
