/**
 * The graph of White's expected score in an element; `choose` gets the number of the position that is clicked or dragged to.
 * `set` takes the positions: `points`, missing where they are not known, `eval`, `number`, `san`, `mark` and `costly`.
 */
const Graph = (element, choose) => {
  const { make, kindOf, called, signed } = Words;
  let nodes = [], end = 0;
  const box = Board.draw(element, "svg", { preserveAspectRatio: "none", "aria-hidden": "true" });
  const area = Board.draw(box, "path", {}), even = Board.draw(box, "line", { x1: 0, y1: 0.5, y2: 0.5 });
  const dots = make("div"), marker = make("i", "", "marker"), tip = make("span", "", "tip");
  tip.hidden = true;
  element.classList.add("graph");
  element.append(dots, marker, tip);
  const left = (number) => `${(100 * number) / Math.max(end, 1)}%`;

  function set(next) {
    nodes = next;
    end = nodes.length - 1;
    const width = Math.max(end, 1);
    box.setAttribute("viewBox", `0 0 ${width} 1`);
    even.setAttribute("x2", width);
    const known = nodes.find((node) => node.points !== undefined);
    let points = known ? known.points : 0.5;
    const heights = nodes.map((node, number) => `L${number} ${1 - (points = node.points === undefined ? points : node.points)}`);
    if (end === 0) heights.push(`L1 ${1 - points}`);
    area.setAttribute("d", `M0 1${heights.join("")}L${width} 1Z`);
    dots.replaceChildren();
    nodes.forEach((node, number) => {
      if (!node.costly || node.points === undefined) return;
      const dot = make("i", "", `moment ${kindOf(node) || "inaccuracy"}`);
      dot.style.left = left(number);
      dot.style.top = `${100 * (1 - node.points)}%`;
      dots.append(dot);
    });
    element.setAttribute("aria-valuemax", end);
  }

  function numberUnder(event) {
    const { left: start, width } = element.getBoundingClientRect();
    return Math.min(Math.max(Math.round(((event.clientX - start) / width) * end), 0), end);
  }

  element.addEventListener("pointermove", (event) => {
    const number = numberUnder(event), node = nodes[number];
    if (!node) return;
    tip.hidden = false;
    tip.textContent = node.san ? `${called(node)} ${node.eval ? signed(node.eval) : ""}` : "Start";
    tip.style.left = left(number);
    tip.style.transform = `translateX(${number > end / 2 ? "calc(-100% - 6px)" : "6px"})`;
    if (event.buttons & 1) choose(number);
  });
  element.addEventListener("pointerleave", () => (tip.hidden = true));
  element.addEventListener("click", (event) => choose(numberUnder(event)));

  /** Marks a position, and says what it is. */
  function mark(number, text) {
    marker.style.left = left(number);
    element.setAttribute("aria-valuenow", number);
    element.setAttribute("aria-valuetext", text);
  }

  return { set, mark };
};
