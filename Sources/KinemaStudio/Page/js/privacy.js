// Hides heads on the studio's own picture, and so in the film that is made of it: as `kinema --hide faces` does.

const patience = 500; // milliseconds for which a head that is found no more stays hidden where it was
const plain = "rgb(150, 150, 150)"; // no colour of skin, in which detectors find faces
export const generous = 1.27; // of the radius of a head that is drawn: that of HiddenParts.swift
const small = document.createElement("canvas");

export class HeadCover {
    #heads = [];

    /** Covers the heads of the people; where no body is seen there may still be a face, so all is covered. */
    cover(context, people, width, height) {
        const now = performance.now();
        const seen = people.map((person) => headOf(person.keypoints ?? {}, width, height)).filter(Boolean);
        this.#heads = [
            ...this.#heads.filter((known) => now - known.time < patience && !seen.some((one) => touch(one, known))),
            ...seen.map((one) => ({ ...one, radius: generous * one.radius, time: now })),
        ];
        if (this.#heads.length === 0) coarsenAll(context, context.canvas, width, height);
        for (const { x, y, radius } of this.#heads) {
            hide(context, { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius });
        }
    }
}

/** The joints of a body by name in a picture, as `{x, y}`. */
const within = (keypoints, width, height) => (name) => keypoints[name] && { x: keypoints[name][0] * width, y: (1 - keypoints[name][1]) * height };

/** The circle of a body's head in a picture. */
export const headOf = (keypoints, width, height) => head(within(keypoints, width, height));

/** The circle of a head, from the places of joints by name; null where none of the face is known. */
export function head(point) {
    const middle = (one, other) => {
        const [a, b] = [point(one), point(other)];
        return a && b ? { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } : a ?? b;
    };
    const apart = (a, b) => a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
    const face = [point("nose"), middle("leftEye", "rightEye"), middle("leftEar", "rightEar")].filter(Boolean);
    if (face.length === 0) return null;
    const x = face.reduce((sum, one) => sum + one.x, 0) / face.length;
    const y = face.reduce((sum, one) => sum + one.y, 0) / face.length;
    const neck = middle("leftShoulder", "rightShoulder") ?? point("neck");
    const radius = Math.max(
        0.3 * apart(neck, middle("leftHip", "rightHip")), 1.1 * apart(point("leftEar"), point("rightEar")),
        0.8 * apart(neck, { x, y }));
    const up = neck ? { x: 0.15 * (x - neck.x), y: 0.15 * (y - neck.y) } : { x: 0, y: 0 };
    return radius > 0 ? { x: x + up.x, y: y + up.y, radius } : null;
}

const touch = (one, other) => Math.hypot(one.x - other.x, one.y - other.y) < Math.max(one.radius, other.radius);

/** Hides a part of a picture behind a plain square. */
export function hide(context, { x, y, width, height }) {
    context.fillStyle = plain;
    context.fillRect(x, y, width, height);
}

/** Shows a whole picture in so few squares that nobody is recognised, as long as nothing is known of it. */
export function coarsenAll(context, source, width, height) {
    small.width = small.height = 12;
    small.getContext("2d").drawImage(source, 0, 0, width, height, 0, 0, 12, 12);
    context.imageSmoothingEnabled = false;
    context.drawImage(small, 0, 0, 12, 12, 0, 0, width, height);
    context.imageSmoothingEnabled = true;
}
