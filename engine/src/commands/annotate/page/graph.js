/** The graph of White's expected score in an element; `choose` gets the number of the position that is clicked or dragged to. */
const Graph = (element, nodes, choose) => {
  const { make, kindOf, called, signed } = Words;
  const end = nodes.length - 1;
  const marker = element.querySelector("#marker"), tip = element.querySelector("#hover");
  const left = (number) => `${(100 * number) / Math.max(end, 1)}%`;

  function draw() {
    const box = element.querySelector("svg");
    const width = Math.max(end, 1);
    box.setAttribute("viewBox", `0 0 ${width} 1`);
    const heights = nodes.map((node, number) => `L${number} ${1 - node.points}`);
    if (end === 0) heights.push(`L1 ${1 - nodes[0].points}`);
    box.querySelector("path").setAttribute("d", `M0 1${heights.join("")}L${width} 1Z`);
    const even = { x1: 0, x2: width, y1: 0.5, y2: 0.5 };
    for (const [key, value] of Object.entries(even)) box.querySelector("line").setAttribute(key, value);
    nodes.forEach((node, number) => {
      if (!node.costly) return;
      const dot = make("i", "", `moment ${kindOf(node) || "inaccuracy"}`);
      dot.style.left = left(number);
      dot.style.top = `${100 * (1 - node.points)}%`;
      element.append(dot);
    });
    element.setAttribute("aria-valuemax", end);
  }

  function numberUnder(event) {
    const box = element.getBoundingClientRect();
    return Math.min(Math.max(Math.round(((event.clientX - box.left) / box.width) * end), 0), end);
  }

  element.addEventListener("pointermove", (event) => {
    const number = numberUnder(event), node = nodes[number];
    tip.hidden = false;
    tip.textContent = node.san ? `${called(node)} ${node.eval ? signed(node.eval) : ""}` : "Start";
    tip.style.left = left(number);
    tip.style.transform = `translateX(${number > end / 2 ? "calc(-100% - 6px)" : "6px"})`;
    if (event.buttons & 1) choose(number);
  });
  element.addEventListener("pointerleave", () => (tip.hidden = true));
  element.addEventListener("click", (event) => choose(numberUnder(event)));
  draw();

  /** Marks a position, and says what it is. */
  function mark(number, text) {
    marker.style.left = left(number);
    element.setAttribute("aria-valuenow", number);
    element.setAttribute("aria-valuetext", text);
  }

  return { mark };
};
