// The modes by name: how each reads results and events, and what it draws.
import { classify } from "./classify.js";
import { coach } from "./coach.js";
import { count } from "./count.js";
import { draw } from "./draw.js";
import { poses } from "./poses.js";
import { teach } from "./teach.js";
import { toss } from "./toss.js";

export const modes = { poses, count, coach, draw, toss, classify, teach };
