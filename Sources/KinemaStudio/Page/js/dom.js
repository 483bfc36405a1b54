// The few things done to the document, everywhere the same way.

/** The element of an id. */
export const element = (id) => document.getElementById(id);

/** Sets a text only when it differs: a result comes thirty times a second, and untouched nodes cost nothing. */
export function say(node, text) {
    const words = String(text);
    if (node.textContent !== words) node.textContent = words;
}

/** Makes an element; a property is set as such when the element has it, as an attribute otherwise. */
export function make(name, properties = {}, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
        if (value === undefined || value === null) continue;
        if (key in node) node[key] = value;
        else node.setAttribute(key, value);
    }
    node.append(...children.filter((child) => child !== null && child !== undefined));
    return node;
}

/** Fills a choice with `[value, words]`, or with values that are words; the chosen one stays where it is still there, else the first is. */
export function fill(select, rows, chosen = select.value) {
    select.replaceChildren(...rows.map(([value, words = value]) => make("option", { value }, words)));
    select.value = chosen;
    if (select.selectedIndex < 0) select.selectedIndex = 0;
}

/** Terms with what is said of them, one card each. */
export const cardsOf = (rows) => rows.map(([term, ...told]) => make("div", { className: "tile" }, make("dt", {}, term), make("dd", {}, ...told)));

/** Wires buttons by their ids. */
export function onClick(acts) {
    for (const [id, act] of Object.entries(acts)) element(id).addEventListener("click", act);
}

/** Takes each file that is chosen in a field, the same one again too. */
export const onFile = (id, take) => element(id).addEventListener("change", ({ target }) => {
    const [file] = target.files;
    target.value = "";
    if (file) take(file);
});

/** Does something in place of sending a form. */
export const onSubmit = (id, act) => element(id).addEventListener("submit", (event) => {
    event.preventDefault();
    act();
});

const svgSpace = "http://www.w3.org/2000/svg";

/** Makes an SVG element with presentation attributes, which the strict policy allows. */
export function draw(name, attributes = {}, ...children) {
    const node = document.createElementNS(svgSpace, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
}

/** Replaces the rows of a list only when what they say changed. */
export function list(node, rows, key, build) {
    const signature = rows.map(key).join("\u0001");
    if (node.dataset.signature === signature) return;
    node.dataset.signature = signature;
    node.replaceChildren(...rows.map((row) => build(row)));
}

/** Does something and says at a place what came of it: `done`, if that is given, or what went wrong. Gives what `work` gives, or true; false where it went wrong. */
export async function attempt(place, work, done = null) {
    try {
        const found = await work();
        if (done !== null) say(element(place), done);
        return found ?? true;
    } catch (error) {
        say(element(place), error.message);
        return false;
    }
}

/** Asks before something is deleted or ended: whether the reader wants it. */
export function isSure(title, text, yes, no = element("confirm-keep").textContent) {
    const dialog = element("confirm");
    say(element("confirm-title"), title);
    say(element("confirm-text"), text);
    say(element("confirm-delete"), yes);
    say(element("confirm-keep"), no);
    dialog.returnValue = "keep";
    dialog.showModal();
    element("confirm-keep").focus();
    return new Promise((done) => {
        dialog.addEventListener("close", () => done(dialog.returnValue === "delete"), { once: true });
    });
}

/** Goes round the shown ones of some nodes by keys, as the ARIA practices have it; `go` gets the one to go to. */
export function goByKeys(room, nodes, [before, after], go) {
    room.addEventListener("keydown", (event) => {
        const shown = nodes().filter((node) => !node.hidden);
        const at = shown.indexOf(document.activeElement);
        const to = { [after]: at + 1, [before]: at - 1, Home: 0, End: -1 }[event.key];
        if (to === undefined || at < 0) return;
        event.preventDefault();
        event.stopPropagation();
        go(shown[(to + shown.length) % shown.length]);
    });
}

/** Gives a canvas the pixels of its place on the screen, at most so many across; false where it has no place. */
export function sharpen(canvas, { clientWidth, clientHeight }, most = Infinity) {
    if (!clientWidth || !clientHeight) return false;
    canvas.width = Math.min(Math.round(clientWidth * Math.min(devicePixelRatio, 2)), most);
    canvas.height = Math.round((canvas.width * clientHeight) / clientWidth);
    return true;
}

/** A random UUID (version 4); browsers have `crypto.randomUUID` only on this machine and over https. */
export const uuid = () => "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (digit) =>
    (digit ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (digit / 4)))).toString(16));

/** Lets the reader keep a text or blob as a file. */
export function keep(content, name, type) {
    const address = URL.createObjectURL(new Blob([content], { type }));
    make("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
