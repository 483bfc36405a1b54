// The page's words in the reader's language, of `words/LANGUAGE.json`; those of the parts that a page names in its
// `data-words` are in `words/PART.LANGUAGE.json`. All languages have the same keys, and only one is fetched.
import { settings } from "./settings.js";

/** The languages there are, each by its own name. */
export const languages = { en: "English", de: "Deutsch" };

/** The reader's choice, else the first available language of the browser, else English. */
export const language = settings.language in languages ? settings.language
    : navigator.languages?.map((name) => name.slice(0, 2)).find((name) => name in languages) ?? "en";

/** How dates and numbers are written: as the browser does where it speaks the same language. */
export const locale = navigator.languages?.find((name) => name.startsWith(language)) ?? language;

const rules = new Intl.PluralRules(language);

const read = async (name) => (await fetch(new URL(`../words/${name}.json`, import.meta.url))).json();
const parts = document.documentElement.dataset.words?.split(" ") ?? [];
const [words, ...more] = await Promise.all([language, ...parts.map((part) => `${part}.${language}`)].map(read));
parts.forEach((part, place) => {
    words[part] = more[place];
});

/** The entry under a key such as "notices.denied.title"; null when there is none. */
export const entry = (key) => key.split(".").reduce((node, name) => node?.[name], words) ?? null;

/** Whether a key has words. */
export const has = (key) => entry(key) !== null;

/**
 * The words under a key, with `{name}` replaced by a value. Where the entry has forms (`{one, other}`), the value `n`
 * chooses among them. A key without words is shown as it is, so that it is seen.
 */
export function t(key, values = {}) {
    let text = entry(key);
    if (text !== null && typeof text === "object") text = text[rules.select(values.n ?? 0)] ?? text.other ?? null;
    if (typeof text !== "string") return key;
    return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
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
