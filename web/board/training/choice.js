/** The choice of exercises: their groups, and their number a day. */
/** @import { Group, TrainingNumbers, TrainingRequest } from "../../messages.js" */
import { element } from "../../shared/dom.js";
import { button } from "../controls.js";

const DAILY = [5, 10, 20, 30, 50, 100];
/** @type {[string, string[]][]} */
const GROUPS = [["Phase", ["Opening", "Middlegame", "Endgame"]], ["Color", ["White", "Black"]], ["Kind", ["??", "?", "Openings"]], ["Opening", []]];

/** @param {(request: TrainingRequest) => void} request */
export function choicePanel(request) {
  const groups = GROUPS.map(([name, values]) => {
    const select = element("select", { "aria-label": `${name} of the exercises`, onchange: choose });
    fill(select, name, values);
    return select;
  });
  const openings = groups[groups.length - 1];
  const daily = element("select", { "aria-label": "Exercises a day", onchange: () => request({ type: "daily", count: Number(daily.value) }) });
  const restore = button("", () => request({ type: "restore" }), { title: "Bring back the exercises that were not useful" });
  const panel = element("details", { class: "choice" }, element("summary", {}, "Which exercises"),
    element("div", { class: "buttons" }, ...groups, element("label", {}, daily, " a day"), restore));

  /** @param {HTMLSelectElement} select @param {string} name @param {string[]} values */
  function fill(select, name, values) {
    const before = select.value;
    select.replaceChildren(element("option", { value: "" }, `${name}: all`), ...values.map((value) => element("option", { value, translate: name === "Opening" && "no" }, value)));
    if (values.includes(before)) select.value = before;
  }

  const chosen = () => groups.map((select) => select.value).filter(Boolean);

  function choose() {
    request({ type: "filter", groups: chosen() });
  }

  return {
    panel,
    /** Chooses only a group. @param {string} name */
    limit(name) {
      for (const select of groups) select.value = [...select.options].some(({ value }) => value === name) ? name : "";
      choose();
    },
    isLimited: () => chosen().length > 0,
    /** A new session knows no choice. */
    connected: () => chosen().length > 0 && choose(),
    /** @param {Group[]} all those of the progress */
    setGroups(all) {
      fill(openings, "Opening", all.filter(({ aspect }) => aspect === "opening").map(({ name }) => name));
    },
    /** @param {TrainingNumbers} numbers */
    setNumbers({ daily: count, dropped }) {
      const counts = [...new Set([...DAILY, count])].sort((one, other) => one - other);
      daily.replaceChildren(...counts.map((one) => element("option", { value: one }, `${one}`)));
      daily.value = String(count);
      restore.hidden = !dropped;
      restore.textContent = `Bring back ${dropped}`;
    },
  };
}
