// The page's words in the reader's language. All of them stand in words/en.js and, with the same keys, in words/de.js;
// those of the review page, in both languages, in words/review.js.
import { settings } from "./settings.js";
import { de } from "./words/de.js";
import { en } from "./words/en.js";
import * as review from "./words/review.js";

/** The languages there are, each by its own name. */
export const languages = { en: "English", de: "Deutsch" };
const tables = { en: { ...en, review: review.en }, de: { ...de, review: review.de } };

/** The reader's choice, else the first available language of the browser, else English. */
export const language = settings.language in tables ? settings.language
    : navigator.languages?.map((name) => name.slice(0, 2)).find((name) => name in tables) ?? "en";

/** How dates and numbers are written: as the browser does where it speaks the same language. */
export const locale = navigator.languages?.find((name) => name.startsWith(language)) ?? language;

const rules = new Intl.PluralRules(language);

/** The entry under a key such as "notices.denied.title"; null when there is none in any language. */
export function entry(key) {
    const find = (table) => key.split(".").reduce((node, name) => node?.[name], table);
    return find(tables[language]) ?? find(tables.en) ?? null;
}

/** Whether a key has words. */
export const has = (key) => entry(key) !== null;

/**
 * The words under a key, with `{name}` replaced by a value. Where the entry has forms (`{one, other}`), the value `n`
 * chooses among them. A key without words is shown as it is, so that it is seen.
 */
export function t(key, values = {}) {
    let words = entry(key);
    if (words !== null && typeof words === "object") words = words[rules.select(values.n ?? 0)] ?? words.other ?? null;
    if (typeof words !== "string") return key;
    return words.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** A number in the reader's language with this number of decimals. */
export const decimal = (value, places = 0) =>
    value.toLocaleString(locale, { minimumFractionDigits: places, maximumFractionDigits: places });

/** Puts the words into everything below a node that names them: `data-t` its text, `data-t-label` what a screen reader
 * says, `data-t-placeholder` what stands in an empty field. */
export function translate(root = document) {
    document.documentElement.lang = language;
    for (const node of root.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
    for (const node of root.querySelectorAll("[data-t-label]")) node.setAttribute("aria-label", t(node.dataset.tLabel));
    for (const node of root.querySelectorAll("[data-t-placeholder]")) node.placeholder = t(node.dataset.tPlaceholder);
}
