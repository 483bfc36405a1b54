// The calendar of the last half year: a square a day, darker with more repetitions; selecting a day shows it alone.
import { draw } from "../dom.js";
import { t } from "../i18n.js";
import { counted } from "../words.js";

const cell = 14; // of the drawing's own units, with the gap
const side = 11;
const top = 14; // room for the months' names

/** The squares of the weeks; `choose` gets a selected day, `chosen` is highlighted. */
export function calendarPicture(weeks, chosen, choose) {
    const most = Math.max(1, ...weeks.flat().map((day) => day?.repetitions ?? 0));
    const parts = weeks.flatMap((days, week) => days.flatMap((day, weekday) => {
        if (day === null) return [];
        const level = day.sessions === 0 ? 0 : 1 + Math.min(3, Math.floor((3.999 * day.repetitions) / most));
        const said = `${day.name}: ${counted(day.sessions, "session")}, ${counted(day.repetitions, "repetition")}`;
        const square = draw("rect", {
            class: `square level-${level}${day.day === chosen ? " chosen" : ""}`, x: week * cell, y: top + weekday * cell,
            width: side, height: side, rx: 2.5, ...day.sessions > 0
                ? { tabindex: 0, role: "button", "aria-label": said, "aria-pressed": day.day === chosen, "data-day": day.day } : {},
        }, draw("title", {}, said));
        if (day.sessions > 0) {
            const press = () => choose(day.day === chosen ? null : day);
            square.addEventListener("click", press);
            square.addEventListener("keydown", (event) => {
                if (event.key !== "Enter" && event.key !== " ") return;
                event.preventDefault();
                press();
            });
        }
        const month = day.month ? [draw("text", { class: "month", x: week * cell, y: 9 }, day.month)] : [];
        return [square, ...month];
    }));
    return draw("svg", { class: "calendar-picture", viewBox: `0 0 ${weeks.length * cell} ${top + 7 * cell}`, role: "group",
        "aria-label": t("history.calendar") }, ...parts);
}
