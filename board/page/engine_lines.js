/**
 * The panel of the live search: a switch, the number of lines, and the lines with their evaluations. `handlers`: `engine(on,
 * lines)`, `play(moves)` and `preview(moves)` with moves in UCI notation, `preview(null)` when the pointer leaves.
 */
const EngineLines = (container, handlers) => {
  const { element } = App;
  const { unbroken, signed } = Words;
  const MAX_LINES = 5;
  let on = false, count = 3;
  /** What the rows show: the moves of each line. */
  let shown = [];

  const toggle = element("input", { type: "checkbox", role: "switch", id: "engine-on", onchange: () => handlers.engine(toggle.checked, count) });
  const numbers = Array.from({ length: MAX_LINES }, (_, index) => element("option", { value: index + 1 }, `${index + 1}`));
  const select = element("select", { "aria-label": "Number of lines", onchange: () => handlers.engine(on, Number(select.value)) }, ...numbers);
  const facts = element("p", { class: "facts faint number" });
  const parts = ["white", "draw", "black"].map((kind) => element("i", { class: kind }));
  const chances = element("div", { class: "chances", role: "img", hidden: true }, ...parts);
  const list = element("ol", { class: "lines", "aria-label": "Best lines" });
  container.append(
    element("div", { class: "engine-head" },
      element("label", { for: "engine-on", class: "switch" }, toggle, element("span", {}, "Engine")),
      element("label", { class: "count" }, select, element("span", { "aria-hidden": "true" }, "lines"))),
    chances, list, facts);

  /** 1234567 becomes 1.23 M. */
  function rounded(value) {
    const [divisor, unit] = value >= 1e9 ? [1e9, " G"] : value >= 1e6 ? [1e6, " M"] : value >= 1e3 ? [1e3, " k"] : [1, ""];
    const number = value / divisor;
    return `${unit && number < 10 ? number.toFixed(1) : Math.round(number)}${unit}`;
  }

  const written = (score) => signed(score.mate === undefined ? (score.cp / 100).toFixed(2) : `#${score.mate}`);

  function makeRow() {
    const score = element("b", { class: "score number" }), moves = element("span", { class: "pv" });
    list.append(element("li", {}, score, moves));
  }

  /** Changes the texts of a row in place, so that a click is not lost. */
  function fillRow(row, line, number) {
    const [score, moves] = row.children;
    const isBlack = line.points < 0.5;
    score.textContent = written(line.score);
    score.classList.toggle("black", isBlack);
    row.title = `Depth ${line.depth}`;
    while (moves.children.length > line.pv.length) moves.lastChild.remove();
    while (moves.children.length < line.pv.length) {
      const index = moves.children.length;
      moves.append(element("button", { type: "button", class: "step", tabindex: index === 0 ? "0" : "-1", "data-line": number, "data-index": index }));
    }
    line.pv.forEach(({ san, number: before }, index) => {
      const text = (index === 0 || !before.endsWith("...") ? `${before} ` : "") + unbroken(san);
      if (moves.children[index].textContent !== text) moves.children[index].textContent = text;
    });
  }

  /** The moves up to the one whose button is under the pointer or focused. */
  function movesOf(event) {
    const button = event.target.closest("button.step");
    const line = button && shown[Number(button.dataset.line)];
    return line ? line.pv.slice(0, Number(button.dataset.index) + 1).map((move) => move.uci) : null;
  }

  list.addEventListener("click", (event) => {
    const moves = movesOf(event);
    if (moves) handlers.play(moves);
  });
  list.addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse") handlers.preview(movesOf(event));
  });
  list.addEventListener("pointerleave", () => handlers.preview(null));
  list.addEventListener("focusin", (event) => {
    if (event.target.matches(":focus-visible")) handlers.preview(movesOf(event));
  });
  list.addEventListener("focusout", () => handlers.preview(null));
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: "nextElementSibling", ArrowLeft: "previousElementSibling" }[event.key];
    const next = step && event.target[step];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    if (next) next.focus();
  });

  function set({ lines, depth, selective_depth, nodes, nodes_per_second, tablebase_hits }) {
    shown = lines;
    while (list.children.length > lines.length) list.lastChild.remove();
    while (list.children.length < lines.length) makeRow();
    lines.forEach((line, number) => fillRow(list.children[number], line, number));
    const hits = tablebase_hits ? ` · ${rounded(tablebase_hits)} TB hits` : "";
    facts.textContent = `Depth ${depth}/${selective_depth} · ${rounded(nodes)} nodes · ${rounded(nodes_per_second)}/s${hits}`;
    const [win, draw, loss] = lines[0].wdl.map((permille) => permille / 10);
    chances.hidden = false;
    [win, draw, loss].forEach((percent, index) => {
      parts[index].style.flexGrow = percent;
      parts[index].textContent = percent >= 12 ? `${Math.round(percent)} %` : "";
    });
    chances.setAttribute("aria-label", `White wins ${win} %, draw ${draw} %, Black wins ${loss} %`);
    chances.title = chances.getAttribute("aria-label");
  }

  /** Without lines; `text` says why. */
  function clear(text = "") {
    shown = [];
    list.replaceChildren();
    chances.hidden = true;
    facts.textContent = text;
  }

  function setEngine(isOn, lines) {
    [on, count] = [isOn, lines];
    toggle.checked = isOn;
    select.value = String(lines);
    container.style.setProperty("--rows", isOn ? lines : 0);
  }

  return { set, clear, setEngine, toggle: () => handlers.engine(!on, count) };
};
