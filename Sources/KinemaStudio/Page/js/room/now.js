// One session's count, for a television: as large as the screen takes.
import { element, onClick, say } from "../dom.js";
import { t, translate } from "../i18n.js";
import { keepAwake } from "../awake.js";
import { BigNumber } from "../modes/readout.js";
import { follow, numberOf, stateOf, whatOf } from "./entries.js";

const big = new BigNumber(element("count"));

function show({ session }) {
    element("now").dataset.state = session?.state ?? "waiting";
    element("target").hidden = !session?.target;
    if (!session) {
        say(element("name"), "");
        big.show(-1, "–");
        say(element("what"), t("phone.television.none"));
        return say(element("state"), "");
    }
    say(element("name"), session.name || "");
    big.show(session.count || Math.floor(session.held ?? 0), numberOf(session));
    say(element("what"), [whatOf(session), session.target && t("phone.room.of", { n: session.target })].filter(Boolean).join(" · "));
    const words = stateOf(session);
    say(element("state"), words && `· ${words}`);
    if (session.target) element("target").value = Math.min(1, session.count / session.target);
    return null;
}

translate();
show({});
onClick({ full: () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.()) });
element("full").hidden = !document.fullscreenEnabled;
keepAwake(true);
follow("api/room/now/events", show, () => say(element("state"), `· ${t("server.silent")}`));
