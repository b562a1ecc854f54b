/** Castellan Board: the page of `castellan-board`, which also runs by itself. */
import { analysis } from "./analysis/analysis.js";
import { castling } from "./castling/castling.js";
import { start } from "./frame.js";
import { translatePage } from "./language.js";
import { setLook } from "./look.js";
import { openings } from "./openings/openings.js";
import { play } from "./play/play.js";
import "./settings.js";
import "./shortcuts.js";
import { claimTab } from "./storage.js";
import { training } from "./training/training.js";
import { tridim } from "./tridim/tridim.js";

setLook();
await translatePage();
await claimTab();
start({ play, analysis, training, openings, castling, tridim });
