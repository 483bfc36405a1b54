// The card: a picture of 1080 x 1350 with the count, the exercise, the date, the curve and the best numbers.
import { t } from "../i18n.js";
import { angle, angleName, dateOf, moment, percent, titleOf } from "./names.js";
import { pathOf, spanOf } from "./plot.js";
import { duration, hasRepetitions, state } from "./state.js";
import { speedOf } from "../units.js";

const [width, height, edge] = [1080, 1350, 80];
const inks = { ground: "#0e1413", surface: "#171f1d", ink: "#eaf2ef", muted: "#a3b3ad", accent: "#52d3b0", band: "#1d3d35", fault: "#5a2a26" };
const face = "Inter, system-ui, \"Segoe UI\", Roboto, \"Noto Sans\", sans-serif";

/** Writes a text as large as asked, smaller where it would not fit. */
function write(context, words, [x, y], { size, weight = 600, ink = inks.ink, room = width - 2 * edge }) {
    let fitting = size;
    do context.font = `${weight} ${fitting}px ${face}`;
    while (context.measureText(words).width > room && (fitting -= 2) > 16);
    context.fillStyle = ink;
    context.fillText(words, x, y);
}

function bestNumbers() {
    const read = (take) => state.repetitions.map(take).filter((value) => Number.isFinite(value) && value !== null);
    const best = (list) => (list.length > 0 ? Math.max(...list) : null);
    const [range, peak, symmetry] = [best(read(({ measured }) => measured.range)), best(read(({ measured }) => measured.peak)),
        best(read(({ measured }) => measured.symmetry))];
    const list = [[t("review.card.time"), moment(state.session.duration)]];
    if (range !== null) list.push([t("review.card.range"), angle(range)]);
    if (peak !== null) list.push([t("review.card.peak"), `${angle(peak)}/s`]);
    if (symmetry !== null && list.length < 4) list.push([t("review.card.symmetry"), percent(symmetry)]);
    const { game, throws = [] } = state.session;
    if (throws.length > 0) list.push([t("review.card.throws"), String(throws.length)]);
    if (game?.top_speed_mps) list.push([t("review.card.speed"), speedOf(game, "top_speed")]);
    return list.slice(0, 4);
}

function curve(context, top, high) {
    context.fillStyle = inks.surface;
    context.beginPath();
    context.roundRect(edge, top, width - 2 * edge, high, 32);
    context.fill();
    const [all, inner] = [duration(), width - 2 * edge - 60];
    const x = (time) => edge + 30 + (time / all) * inner;
    for (const { start, end, faults } of state.repetitions) {
        context.fillStyle = faults?.length ? inks.fault : inks.band;
        context.beginPath();
        context.roundRect(x(start) + 1, top + 24, Math.max(2, x(end) - x(start) - 2), high - 48, 8);
        context.fill();
    }
    if (!state.main) return;
    const values = state.series[state.main];
    const [low, most] = spanOf([values]);
    context.strokeStyle = inks.accent;
    context.lineWidth = 5;
    context.lineJoin = "round";
    const y = (value) => top + high - 40 - ((value - low) / (most - low)) * (high - 80);
    context.stroke(new Path2D(pathOf(state.times, values, { x, y, from: 0, to: values.length })));
}

/** Draws the card. */
export function paintCard(canvas, { number }) {
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext("2d");
    const { session } = state;
    context.fillStyle = inks.ground;
    context.fillRect(0, 0, width, height);
    context.textBaseline = "alphabetic";
    write(context, titleOf(session), [edge, 150], { size: 76, weight: 700 });
    write(context, dateOf(session, "long"), [edge, 212], { size: 36, weight: 400, ink: inks.muted });
    const score = (session.throws ?? []).reduce((sum, one) => sum + (one.score ?? 0), 0);
    const big = hasRepetitions() ? number : session.throws?.length ? score : null;
    if (big !== null) {
        write(context, String(big), [edge - 12, 600], { size: 420, weight: 750, ink: inks.accent });
        write(context, t(hasRepetitions() ? "review.word" : "review.card.points", { n: big }), [edge, 680], { size: 48, ink: inks.muted });
    }
    curve(context, 740, 300);
    if (state.main) write(context, angleName(state.main), [edge, 1086], { size: 28, weight: 400, ink: inks.muted });
    const numbers = bestNumbers();
    numbers.forEach(([name, value], at) => {
        const room = (width - 2 * edge) / numbers.length;
        const x = edge + at * room;
        write(context, value, [x, 1180], { size: 52, weight: 700, room: room - 36 });
        write(context, name, [x, 1224], { size: 26, weight: 400, ink: inks.muted, room: room - 36 });
    });
    write(context, "Kinema", [edge, height - 44], { size: 28, ink: inks.muted });
}
