// What came of a game of toss: its averages, and all its paths as a picture.
import { cardsOf, draw, make } from "./dom.js";
import { t } from "./i18n.js";
import { lengthOf, speedOf } from "./units.js";

/** Colours of paths, distinct for colour-blind readers (Okabe and Ito 2008), as the charts have them. */
export const pathColours = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#7f7f7f"];

export const percent = (share) => (Number.isFinite(share) ? `${Math.round(100 * share)} %` : "");

/** The points of a throw's path, [x, y]: normalised, origin at the lower left. */
export const pathOf = ({ path }) => (path ?? []).map(([, x, y]) => [x, y]);

/** The averages as a list of terms; empty without throws. */
export const figureList = (game) => make("dl", { className: "game-figures" }, ...cardsOf(!Number.isFinite(game?.average_speed_mps) ? [] : [
    [t("toss.averageSpeed"), speedOf(game, "average_speed")], [t("toss.topSpeed"), speedOf(game, "top_speed")],
    [t("toss.angle"), `${Math.round(game.average_angle)}°`], [t("toss.distance"), lengthOf(game, "average_distance")],
    ...(game.throws_not_scored > 0 ? [[t("toss.notScored"), String(game.throws_not_scored)]] : []),
]));

/** All paths and the board, in the shape of the picture they were seen in. */
export function pathPicture(throws, game) {
    const shape = game?.aspect_ratio > 0 ? game.aspect_ratio : 16 / 9;
    const [width, height] = [100 * shape, 100];
    const points = (list) => list.map(([x, y]) => `${(x * width).toFixed(1)},${((1 - y) * height).toFixed(1)}`).join(" ");
    const board = game?.board ? [draw("polygon", { class: "path-board", points: points(game.board.corners) })] : [];
    const line = game?.line ? [draw("polyline", { class: "path-line", points: points(game.line.ends) })] : [];
    const paths = throws.map((one, index) => draw("polyline", {
        class: "path-mark", stroke: pathColours[index % pathColours.length], points: points(pathOf(one)) }));
    return draw("svg", { class: "game-paths", viewBox: `0 0 ${width} ${height}`, role: "img",
        "aria-label": t("toss.paths", { n: throws.length }) }, ...board, ...line, ...paths);
}
