// What goes on in the room: the sessions as the studio tells them, and their words.
import { entry, t } from "../i18n.js";
import { adviceFor, clock, exerciseWords } from "../words.js";

/** Hears what the studio tells at an address, again and again; `lost` hears of a connection that broke. */
export function follow(path, told, lost) {
    const source = new EventSource(path);
    source.onmessage = ({ data }) => told(JSON.parse(data));
    source.onerror = () => {
        lost();
        // Browsers give up where the answer was no stream, as after a restart.
        if (source.readyState === EventSource.CLOSED) setTimeout(() => follow(path, told, lost), 3000);
    };
}

/** The big number of a session: its count, or the seconds of a position held. */
export const numberOf = ({ count, held }) => (!count && held >= 1 ? clock(held) : String(count ?? 0));

/** What is done in a session. */
export const whatOf = ({ exercise, title, mode, phone }) => (exercise ? exerciseWords(exercise, title)
    : t(mode === "count" ? "coach.any" : mode === "poses" && phone ? "phone.room.ready" : `modes.${mode}`));

/** The sessions worth a tile: not those in which somebody only stood in view until a set began. */
export const worthShowing = (sessions) => sessions.filter(({ state, mode }) => mode !== "poses" || state !== "ended");

/** How a session stands, in words, or what to change; empty while all is well. */
export const stateOf = ({ state, message, cues = [] }) =>
    (entry("phone.room.states")[state] ?? entry(`hints.${state}`) ?? message ?? "") || (cues.length > 0 ? adviceFor({ code: cues[0] }) : "");
