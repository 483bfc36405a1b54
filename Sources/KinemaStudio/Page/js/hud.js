// The row of measurements under the picture.
import { element, say } from "./dom.js";
import { locale, t } from "./i18n.js";

const row = element("hud");
const cells = Object.fromEntries([...row.querySelectorAll("[data-hud]")].map((node) => [node.dataset.hud, node]));
const whole = (value) => (value === null || value === undefined ? "–" : Math.round(value).toLocaleString(locale));

/** Shows a meter's reading; with `title` saying between what and what the latency is. */
export function showMeter(reading, fromCamera) {
    for (const name of ["capture", "median", "p95", "dropped"]) say(cells[name], whole(reading[name]));
    say(cells.analysed, whole(reading.analysis));
    // As traffic lights: the rate of film, half of it, less.
    const { analysis } = reading;
    cells.analysed.dataset.rate = analysis === null ? "" : analysis >= 24 ? "good" : analysis >= 12 ? "fair" : "poor";
    const onTheWay = reading.arrived - reading.analysed - reading.dropped;
    const account = `${whole(reading.arrived)} = ${whole(reading.analysed)} + ${whole(reading.dropped)}`;
    say(cells.account, onTheWay > 0 ? t("hud.onTheWay", { account, n: onTheWay }) : account);
    row.title = t(fromCamera ? "hud.fromCamera" : "hud.fromServer");
    // For programs that measure: the numbers as they are.
    row.dataset.reading = JSON.stringify(reading);
}

/** As before the first run. */
export function clearMeter() {
    for (const cell of Object.values(cells)) say(cell, "–");
    delete cells.analysed.dataset.rate;
    delete row.dataset.reading;
}
