/**
 * A game with its variations as a table of moves. `choose(id)` is called with the node that is clicked. `set` takes the nodes
 * of the game, `show` marks one; the rest finds neighbours.
 */
const MoveTree = (container, choose) => {
  const { make, quoted, kindOf, unbroken, signed, isBlack } = Words;
  const SYMBOLS = {
    1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 10: "=", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓",
    18: "+−", 19: "−+", 22: "⨀", 23: "⨀", 32: "⟳", 33: "⟳", 36: "↑", 37: "↑", 40: "→", 41: "→", 132: "⇆", 133: "⇆", 146: "N",
  };
  let nodes = new Map(), buttons = new Map(), here = 0;
  /** Moves that come while a button is pressed are drawn afterwards, so that the click is not lost. */
  let pressed = false, waiting = null;

  container.classList.add("moves");
  container.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) choose(Number(button.dataset.node));
  });
  addEventListener("pointerdown", () => (pressed = true), true);
  for (const kind of ["pointerup", "pointercancel"]) {
    addEventListener(kind, () => setTimeout(() => {
      pressed = false;
      if (waiting) draw(waiting);
    }), true);
  }

  const node = (id) => nodes.get(id);
  const evaluation = ({ score }) => score && (score.mate === undefined ? (score.cp / 100).toFixed(2) : `#${score.mate}`);

  function moveButton(one, text, kind) {
    const button = make("button", "", kind);
    button.type = "button";
    button.tabIndex = -1;
    button.dataset.node = one.id;
    const name = make(kind === "step" ? "span" : "b", text);
    for (const nag of one.nags) {
      const symbol = SYMBOLS[nag] || `$${nag}`;
      name.append(make("span", nag > 6 ? ` ${symbol}` : symbol, `mark ${kindOf({ mark: symbol })}`));
    }
    button.append(name);
    buttons.set(one.id, button);
    return button;
  }

  /** Variations, and those inside them, from their first moves. */
  function variationParts(starts) {
    return starts.map((start) => {
      const part = make("div", "", "variation line");
      if (start.opening) part.append(make("span", `${start.opening} `, "faint"));
      let needsNumber = true;
      for (let one = start; one; one = one.children[0]) {
        const text = (needsNumber || !isBlack(one) ? `${one.number} ` : "") + unbroken(one.san);
        part.append(moveButton(one, text, "step"), " ");
        if (one.comment) part.append(quoted(one.comment, "faint"), " ");
        const others = one === start ? [] : one.parent.children.slice(1);
        if (others.length) part.append(...variationParts(others));
        needsNumber = Boolean(one.comment) || others.length > 0;
      }
      return part;
    });
  }

  function draw(root) {
    waiting = null;
    buttons = new Map();
    const parts = [];
    if (root.comment) parts.push(make("p", root.comment, "aside"));
    let whiteMissing = true;
    for (let one = root.children[0]; one; one = one.children[0]) {
      if (!isBlack(one)) parts.push(make("i", one.number));
      else if (whiteMissing) parts.push(make("i", one.number.replace("...", ".")), make("span", "…", "gap"));
      const button = moveButton(one, unbroken(one.san));
      const value = evaluation(one);
      if (value) button.append(make("small", signed(value)));
      parts.push(button);
      const below = variationParts(one.parent.children.slice(1));
      if (one.comment) below.unshift(make("p", one.comment));
      whiteMissing = isBlack(one) || below.length > 0;
      if (!below.length) continue;
      if (!isBlack(one)) parts.push(make("span", "…", "gap"));
      const aside = make("div", "", "aside");
      aside.append(...below);
      parts.push(aside);
    }
    container.replaceChildren(...parts);
    mark();
  }

  function mark() {
    for (const button of container.querySelectorAll(".here")) {
      button.classList.remove("here");
      button.removeAttribute("aria-current");
      button.tabIndex = -1;
    }
    const button = buttons.get(here);
    const first = button || container.querySelector("button");
    if (first) first.tabIndex = 0;
    if (!button) {
      if (here === 0) container.scrollTop = 0;
      return;
    }
    button.classList.add("here");
    button.setAttribute("aria-current", "true");
    const box = container.getBoundingClientRect(), top = button.getBoundingClientRect().top - box.top;
    // On upright screens only the page scrolls, and it stays where the reader has put it.
    if (container.scrollHeight > container.clientHeight && (top < 0 || top + button.offsetHeight > box.height)) {
      container.scrollTop += top - (box.height - button.offsetHeight) / 2;
    }
  }

  function set(list) {
    nodes = new Map();
    for (const one of list) {
      const parent = one.parent === undefined ? null : nodes.get(one.parent);
      const made = { nags: [], comment: "", opening: "", number: "", san: "", ...one, parent, children: [] };
      nodes.set(one.id, made);
      if (parent) parent.children.push(made);
    }
    if (pressed) waiting = nodes.get(0);
    else draw(nodes.get(0));
  }

  function show(id) {
    here = id;
    mark();
  }

  /** The nodes of the main line with the start position. */
  function mainLine() {
    const line = [];
    for (let one = nodes.get(0); one; one = one.children[0]) line.push(one);
    return line;
  }

  function last(id) {
    let one = node(id);
    while (one && one.children.length) one = one.children[0];
    return one;
  }

  /** The alternative before or after a move; of a move without any, that of the next move before it with some. */
  function sibling(id, step) {
    for (let one = node(id); one && one.parent; one = one.parent) {
      const { children } = one.parent;
      const found = children[children.indexOf(one) + step];
      if (children.length > 1) return found || null;
    }
    return null;
  }

  /** The number of moves of the main line before a node leaves it. */
  function mainPly(id) {
    const line = mainLine();
    for (let one = node(id); one; one = one.parent) {
      const ply = line.indexOf(one);
      if (ply >= 0) return ply;
    }
    return 0;
  }

  const isMain = (id) => mainLine().includes(node(id));
  /** The assessment of a move: `?!` and the like. */
  const markOf = ({ nags }) => SYMBOLS[nags.find((nag) => nag <= 6)] || "";

  return { set, show, node, mainLine, last, sibling, mainPly, isMain, markOf, evaluation };
};
