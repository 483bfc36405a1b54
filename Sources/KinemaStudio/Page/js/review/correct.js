// Correcting the count: repetitions are added, removed, merged and moved, then saved.
import { saveCorrections, takeBackCorrections } from "../api.js";
import { attempt, element, fill, say } from "../dom.js";
import { t } from "../i18n.js";
import { zoom } from "./curve.js";
import { angle, moment } from "./names.js";
import { counts, duration, foundIn, on, placeAt, state, takeRepetitions, tell } from "./state.js";

const least = 0.2; // seconds a repetition takes at least
const usual = 2; // seconds, if there are no others
const history = [];
const fields = { start: element("correct-start"), end: element("correct-end") };

const plain = ({ id, start, end }) => ({ id: id ?? state.person ?? 1, start, end });
const current = () => state.draft ?? (state.session.corrections ?? foundIn(state.session)).map(plain);

function change(list, chosen, isNew = true) {
    if (isNew) history.push({ draft: state.draft, selected: state.selected });
    state.draft = list.toSorted((a, b) => a.start - b.start);
    state.selected = Math.max(0, chosen ? state.draft.indexOf(chosen) : state.selected);
    refresh();
}

function refresh() {
    takeRepetitions();
    tell("selected");
}

/** A new one at the film's place, as long as the others, in the free time there. */
function add() {
    const list = current();
    const lengths = list.map(({ start, end }) => end - start).toSorted((a, b) => a - b);
    const long = lengths[Math.floor(lengths.length / 2)] ?? usual;
    const before = list.filter(({ end }) => end <= state.time + 1e-3).at(-1);
    const after = list.find(({ start }) => start > state.time);
    if (placeAt(state.time) >= 0) return say(element("correct-message"), t("review.correct.taken"));
    const start = Math.max(before?.end ?? 0, state.time);
    const end = Math.min(start + long, after?.start ?? duration(), duration());
    if (end - start < least) return say(element("correct-message"), t("review.correct.tight"));
    const one = { id: list[0]?.id ?? state.person ?? 1, start, end };
    return change([...list, one], one);
}

function remove() {
    const list = current();
    if (list.length > 0) change(list.toSpliced(state.selected, 1));
}

function merge() {
    const list = current();
    const [one, next] = [list[state.selected], list[state.selected + 1]];
    if (!one || !next) return;
    const both = { ...one, end: Math.max(one.end, next.end) };
    change(list.toSpliced(state.selected, 2, both), both);
}

/** Moves the start or the end of the chosen one; neighbours and the session's ends stop it. A drag is undone as one. */
export function moveEnd(side, time, isNew = true) {
    const list = current();
    const one = list[state.selected];
    if (!one || !Number.isFinite(time)) return;
    const [low, high] = side === "start"
        ? [list[state.selected - 1]?.end ?? 0, one.end - least]
        : [one.start + least, list[state.selected + 1]?.start ?? duration()];
    const to = Math.round(Math.min(Math.max(time, low), high) * 1000) / 1000;
    if (to === one[side]) return;
    const moved = { ...one, [side]: to };
    change(list.with(state.selected, moved), moved, isNew);
}

function undo() {
    const last = history.pop();
    if (!last) return;
    Object.assign(state, last);
    refresh();
}

function store(request, done) {
    say(element("correct-message"), "");
    return attempt("correct-message", async () => {
        state.session = await request() ?? state.session;
        forgetChanges();
        refresh();
        tell("session");
    }, t(done));
}

/** Whether something was changed and not saved. */
export const isChanged = () => state.draft !== null;

function showChosen() {
    const one = state.repetitions[state.selected];
    element("correct-one").disabled = !one;
    fill(element("correct-which"), state.repetitions.map((each) => [each.place - 1,
        t("review.correct.option", { place: each.place, at: moment(each.start), range: each.measured.range === null ? "" : angle(each.measured.range) })]), state.selected);
    for (const [side, field] of Object.entries(fields)) {
        field.max = duration().toFixed(2);
        if (document.activeElement !== field || !one || Math.abs(Number(field.value) - one[side]) > 0.006) {
            field.value = one ? one[side].toFixed(2) : "";
        }
    }
    element("correct-merge").disabled = !one || state.selected >= state.repetitions.length - 1;
    const { counted, corrected } = counts();
    say(element("correct-sum"), corrected === null ? t("review.correct.counted", { counted })
        : t("review.correct.corrected", { counted, corrected }));
    element("correct-save").disabled = !isChanged();
    element("correct-undo").disabled = history.length === 0;
    element("correct-back").disabled = !isChanged() && !state.session.corrections;
}

export function prepareCorrections(seek) {
    on("repetitions selected poses session", () => state.session && showChosen());
    const act = (id, work) => element(id).addEventListener("click", () => {
        say(element("correct-message"), "");
        work();
    });
    for (const [name, work] of Object.entries({ add, remove, merge, undo })) act(`correct-${name}`, work);
    act("correct-save", () => store(() => saveCorrections(state.session.id, current().map(plain)), "review.correct.saved"));
    act("correct-back", () => {
        if (state.session.corrections) return store(() => takeBackCorrections(state.session.id), "review.correct.takenBack");
        forgetChanges();
        return refresh();
    });
    for (const [side, field] of Object.entries(fields)) {
        field.addEventListener("change", () => moveEnd(side, Number(field.value)));
        act(`correct-${side}-here`, () => moveEnd(side, state.time));
    }
    element("correct-which").addEventListener("change", ({ target }) => select(Number(target.value), seek));
    addEventListener("beforeunload", (event) => isChanged() && event.preventDefault());
}

/** Selects a repetition to correct and seeks there. */
export function select(place, seek) {
    state.selected = place;
    const one = state.repetitions[place];
    if (one) seek(one.start);
    if (one && state.zoom) zoom(one);
    tell("selected");
}

/** Discards what was changed and not saved. */
export function forgetChanges() {
    state.draft = null;
    history.length = 0;
}
