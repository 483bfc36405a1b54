// What a coach says of a set: its name, whose it is, load and effort, with suggestions from what was done before.
import { people as askPeople, saveDetails, sessionsPart } from "./api.js";
import { attempt, element, fill, make, say } from "./dom.js";
import { locale, t } from "./i18n.js";
import { isSet } from "./outline.js";
import { change, onChange, settings } from "./settings.js";
import { exerciseWords } from "./words.js";

const chips = 3;
const parts = Object.fromEntries(["name", "load", "unit", "effort", "pain", "person"].map((name) => [name, element(`after-${name}`)]));
/** The kept sets that the fields are about: `{session, details}`. */
let sets = [];
/** Hears of each set that is saved later, in its review; null straight after a set, when what is said holds for the next one too. */
let heard = null;
let earlier = [];
let saving = Promise.resolve();

/** What is kept with a set from its start: whose it is, for which the studio finds the workout, and what a plan says of it. */
export const detailsAtStart = (more = {}) => ({ ...settings.person && { person: settings.person }, ...more });

/** A load as it is typed in the reader's language. */
const loadOf = ({ value }) => value.toLocaleString(locale, { useGrouping: false });
const unitNow = () => settings.loadUnit ?? (navigator.language.endsWith("-US") ? "lb" : "kg");

function taken() {
    const value = Number(parts.load.value.replace(",", "."));
    const hasLoad = parts.load.value.trim() !== "" && value >= 0;
    return {
        name: parts.name.value.trim() || undefined, person: parts.person.value.trim() || undefined,
        load: hasLoad ? { value, unit: parts.unit.value } : undefined,
        effort: Number(parts.effort.value) || undefined, pain: parts.pain.value === "" ? undefined : Number(parts.pain.value),
    };
}

/** Saves the fields, one change after the other. */
function save() {
    const [details, those] = [taken(), sets];
    if (!heard) {
        change("person", details.person ?? "");
        change("loadUnit", parts.unit.value);
    }
    saving = saving.then(() => saveAll(details, those));
}

const saveAll = (details, those) => attempt("after-saved", async () => {
    for (const set of those) {
        // Of several sets, effort and load are the last one's.
        const own = set === those.at(-1) ? details
            : { ...set.details, person: details.person, name: set.details?.name ?? details.name };
        set.details = { ...own, workout: set.details?.workout };
        const saved = await saveDetails(set.session, set.details);
        heard?.(saved);
    }
}, t("details.saved"));

/** The load of the newest earlier set of the same name and person. */
function fillLoad() {
    if (heard || parts.load.value !== "") return;
    const same = earlier.find(({ details }) => details?.load && details.name === parts.name.value && (details.person ?? "") === parts.person.value.trim());
    if (!same) return;
    parts.load.value = loadOf(same.details.load);
    parts.unit.value = same.details.load.unit;
}

/** The names of earlier sets, newest first, the recognised exercise before all. */
function namesOf(exercise) {
    const before = earlier.map((one) => one.details?.name ?? (one.exercise ? exerciseWords(one.exercise) : "")).filter(Boolean);
    return [...new Set([...(exercise ? [exerciseWords(exercise)] : []), ...before])];
}

function offer(names, persons) {
    element("after-names").replaceChildren(...names.map((value) => make("option", { value })));
    element("after-people").replaceChildren(...persons.map(({ name }) => make("option", { value: name })));
    // What has its name, as a plan gives it, needs no suggestion.
    element("after-chips").replaceChildren(...(sets.at(-1)?.details?.name ? [] : names.slice(0, chips)).map((name) => {
        const onclick = ({ target }) => {
            parts.name.value = name;
            for (const chip of element("after-chips").children) chip.ariaPressed = String(chip === target);
            fillLoad();
            save();
        };
        return make("button", { type: "button", className: "chip", ariaPressed: String(parts.name.value === name), onclick }, name);
    }));
}

/** Shows the fields for kept sets; `summary` is the newest's session; a review has `hear` called with what was saved. */
export async function showDetails(kept, summary, hear = null) {
    [sets, heard] = [kept, hear];
    element("after-details").hidden = kept.length === 0;
    say(element("after-saved"), "");
    const { name = "", person = (hear ? null : settings.person) ?? "", load, effort = "", pain = "" } = summary?.details ?? {};
    Object.entries({ name, person, load: load ? loadOf(load) : "", unit: load?.unit ?? unitNow(), effort, pain })
        .forEach(([key, value]) => (parts[key].value = String(value)));
    parts.name.placeholder = summary?.exercise ? exerciseWords(summary.exercise) : "";
    if (kept.length === 0) return;
    offer(namesOf(summary?.exercise), []);
    try {
        const [found, persons] = await Promise.all([sessionsPart(), askPeople()]);
        earlier = found.sessions.filter((one) => isSet(one) && one.id !== summary.id);
        offer(namesOf(summary?.exercise), persons.people);
        fillLoad();
    } catch {
        // Without suggestions one types.
    }
}

/** Whose set the next one will be, of those whose sets are kept; nothing to choose while there are none. */
export async function showWhose() {
    const known = await askPeople().then(({ people }) => people.map(({ name }) => name), () => []);
    const names = [...new Set([settings.person, ...known])].filter(Boolean);
    fill(element("whose"), [["", t("live.nobody")], ...names.map((name) => [name])], settings.person);
    element("whose").hidden = names.length === 0;
}

/** Wires the fields; a change is saved at once. */
export function prepareDetails() {
    const scale = (from) => [["", "–"], ...Array.from({ length: 11 - from }, (_, at) => [from + at])];
    fill(parts.effort, scale(1));
    fill(parts.pain, scale(0));
    element("whose")?.addEventListener("change", ({ target }) => change("person", target.value));
    onChange((name) => name === "person" && showWhose());
    element("after-details").addEventListener("submit", (event) => event.preventDefault());
    element("after-details").addEventListener("change", ({ target }) => {
        if (target === parts.name) fillLoad();
        save();
    });
}
