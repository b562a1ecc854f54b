/** The annotation of games in the background: its progress, in the header of every page. */
/** @import { AnnotatorView } from "../messages.js" */
import { byId, element } from "../shared/dom.js";
import { button, icon } from "./controls.js";
import { listen, request, show } from "./frame.js";

const bar = element("progress", { max: "1", value: "0", "aria-label": "Annotation" });
const count = element("span", { class: "number" }), rest = element("span", { class: "number rest" });
const open = button([bar, count, rest], () => show("training"), {
  class: "quiet", title: "Games are annotated in the background: show them in Train",
});
export const cancel = () => request("training", { type: "cancel_annotation" });
const box = element("div", { class: "background", role: "group", "aria-label": "Annotation in the background", hidden: true },
  open, icon("✕", "Cancel the annotation in the background", cancel, { class: "quiet" }));
byId("settings", HTMLButtonElement).before(box);

/** A time that is not known to the second. @param {number} seconds */
function roughly(seconds) {
  if (seconds < 60) return `${Math.max(5, 5 * Math.ceil(seconds / 5))} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The number of games, and the time left where it is known. @param {AnnotatorView} view */
export const timeLeft = ({ seconds_left: seconds }) => (seconds === null ? "" : `, ${roughly(seconds)} left`);

listen("annotation", ({ running }) => {
  box.hidden = !running;
  if (running) {
    bar.max = Math.max(1, running.of_positions);
    bar.value = running.positions;
    count.textContent = `${running.games} of ${running.of_games}`;
    rest.textContent = ` games${timeLeft(running)}`;
  }
});
