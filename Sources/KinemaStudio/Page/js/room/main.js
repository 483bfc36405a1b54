// The room: every session as a tile, the phones that are paired, and the code that pairs another.
import { allowPhones, changePhone, pairing, pairingState, phones as askPhones, removePhone, ServerError, showInRoom } from "../api.js";
import { attempt, element, fill, isSure, list, make, say } from "../dom.js";
import { decimal, t, translate } from "../i18n.js";
import { clock } from "../words.js";
import { follow, numberOf, stateOf, whatOf, worthShowing } from "./entries.js";

const pause = 1500; // milliseconds between two looks at whether the code was used
let code = null;
let known = null;
let timer = 0;

// ---- the sessions

function showRoom({ sessions: all, now, chosen }) {
    const sessions = worthShowing(all);
    say(element("message"), sessions.length === 0 ? t("phone.room.empty") : "");
    list(element("tiles"), sessions, (one) => JSON.stringify([one, now === one.id, chosen === one.id]), (one) => tile(one, now, chosen));
}

function tile(one, now, chosen) {
    const number = numberOf(one);
    const big = make("p", { className: "big" }, number);
    big.style.setProperty("--letters", number.length);
    const rate = one.framesPerSecond ? t("phone.room.rate", { n: decimal(one.framesPerSecond), ms: decimal(one.milliseconds) }) : "";
    return make("li", { "data-state": one.state, "data-session": one.id },
        make("h2", {}, one.name || t("phone.room.laptop")),
        make("div", { className: "tile-room" }, big),
        make("p", { className: "what" }, [whatOf(one), one.target && t("phone.room.of", { n: one.target })].filter(Boolean).join(" · ")),
        make("p", { className: "state" }, [one.beside ? t("phone.room.beside") : "", stateOf(one), clock(one.seconds)].filter(Boolean).join(" · ")),
        make("p", { className: "rate" }, rate),
        make("button", { type: "button", ariaPressed: String(now === one.id), className: chosen === one.id ? "chosen" : "",
            onclick: () => attempt("problem", () => showInRoom(chosen === one.id ? null : one.id)) }, t("phone.room.show")));
}

// ---- the phones

async function know() {
    try {
        known = await askPhones();
    } catch (error) {
        element("phones").hidden = error instanceof ServerError && error.status === 404;
        say(element("problem"), error.message);
        return;
    }
    showPhones();
}

function showPhones() {
    element("on").checked = known.on;
    // Who may film the same person changes with every phone.
    const all = known.phones.map(({ id, name }) => [id, name]);
    list(element("list"), known.phones, ({ id, name, connected, history, with: other }) => JSON.stringify([id, name, connected, history, other, all]), row);
    say(element("fingerprint"), known.fingerprint ?? "");
    if (known.on && !code) offer();
    if (!known.on) {
        code = null;
        element("pair").hidden = true;
    }
}

function row(one) {
    const name = make("input", { type: "text", value: one.name, maxLength: 40, ariaLabel: t("phone.room.name"),
        onchange: () => save(() => changePhone(one.id, { name: name.value.trim() || one.name })) });
    const mayRead = make("input", { type: "checkbox", checked: one.history,
        onchange: () => save(() => changePhone(one.id, { history: mayRead.checked })) });
    const others = known.phones.filter(({ id }) => id !== one.id);
    const partner = make("select", { onchange: () => save(() => changePhone(one.id, { with: partner.value })) });
    fill(partner, [["", t("phone.room.nobody")], ...others.map(({ id, name: other }) => [id, other])], one.with ?? "");
    return make("li", { "data-phone": one.id, "data-connected": one.connected },
        name, make("p", { className: "note" }, t(one.connected ? "phone.room.connected" : "phone.room.away")),
        make("label", { className: "switch" }, mayRead, make("span", {}, t("phone.room.history"))),
        others.length === 0 ? null : make("label", { className: "field" }, make("span", {}, t("phone.room.with")), partner),
        make("button", { type: "button", className: "danger", onclick: () => remove(one) }, t("phone.room.remove")));
}

async function save(work) {
    await attempt("problem", work, "");
    await know();
}

async function remove(one) {
    if (await isSure(t("phone.room.sure", { name: one.name }), t("phone.room.sureText"), t("phone.room.remove"))) await save(() => removePhone(one.id));
}

// ---- the code

async function offer() {
    const found = await attempt("problem", pairing, "");
    if (!found) return;
    code = found;
    element("pair").hidden = false;
    const { urls = [found.url] } = found;
    element("addresses").replaceChildren(...urls.map((url, value) => make("option", { value }, new URL(url).host)));
    element("addresses").closest("label").hidden = urls.length < 2;
    draw(0);
}

/** Draws the code of one of the studio's addresses. */
function draw(place) {
    const { urls = [code.url], image } = code;
    element("code").src = `${image.replace(/^\//, "")}?address=${place}`;
    say(element("address"), urls[place].split("#")[0]);
}

async function look() {
    clearTimeout(timer);
    if (code && !document.hidden) {
        const { id } = code;
        const { state } = await pairingState(id).catch(() => ({ state: "expired" }));
        if (state !== "waiting" && code?.id === id) {
            if (state === "used") say(element("pair-said"), t("phone.room.paired"));
            code = null;
        }
    }
    // Not while a name is being written.
    if (!document.hidden && !element("list").contains(document.activeElement)) await know();
    timer = setTimeout(look, pause);
}

translate();
element("code").alt = t("phone.room.code");
element("on").addEventListener("change", ({ target }) => save(() => allowPhones(target.checked)));
element("addresses").addEventListener("change", ({ target }) => draw(Number(target.value)));
follow("api/room/events", showRoom, () => say(element("message"), t("server.silent")));
look();
