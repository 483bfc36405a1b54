// Speeds and lengths in the units that the reader chose. The server gives both.
import { decimal } from "./i18n.js";
import { settings } from "./settings.js";

const [metres, miles] = [["m", "m", 1], ["mph", "mph", 3600 / 1609.344]];
const units = {
    metric: { speed: ["m/s", "mps", 1], length: metres },
    british: { speed: miles, length: metres },
    imperial: { speed: miles, length: ["ft", "ft", 1 / 0.3048] },
};
const chosen = (kind) => units[settings.units][kind];

/** What a speed or a length is measured in. */
export const unitOf = (kind) => chosen(kind)[0];

/** A speed or a length of something by its name, such as `top_speed`, as a number; NaN where it is not known. */
export function valueOf(kind, one, name = kind) {
    const [, key, factor] = chosen(kind);
    const value = one?.[`${name}_${key}`] ?? one?.[`${name}_${kind === "speed" ? "mps" : "m"}`] * factor;
    return Number.isFinite(value) ? value : NaN;
}

const written = (kind) => (one, name, places = 1) => {
    const value = valueOf(kind, one, name);
    return Number.isFinite(value) ? `${decimal(value, places)} ${unitOf(kind)}` : "";
};

/** A speed with its unit; empty where it is not known. */
export const speedOf = written("speed");
/** A length with its unit; empty where it is not known. */
export const lengthOf = written("length");
