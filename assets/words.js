/** Elements with text, and moves and evaluations as people write them. */
const Words = (() => {
  function make(name, text, kind) {
    const element = document.createElement(name);
    if (text) element.textContent = text;
    if (kind) element.className = kind;
    return element;
  }

  /** Controls of direction. Without their counterparts they would turn what follows a text, even out of an isolating element. */
  const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

  /** A text that somebody wrote, with a direction of its own. */
  const quoted = (text, kind) => make("bdi", text.replace(CONTROLS, ""), kind);

  /** Facts about a game, in a row. */
  const facts = (texts) => texts.filter(Boolean).flatMap((text, index) => (index ? [" · ", quoted(text)] : [quoted(text)]));

  function player({ title, name, rating }) {
    const parts = [quoted([title, name].filter(Boolean).join(" "))];
    if (rating) parts.push(make("small", ` ${rating}`));
    return parts;
  }

  const KINDS = { "?!": "inaccuracy", "?": "mistake", "??": "blunder" };
  const LABELS = { "?!": "Inaccuracy", "?": "Mistake", "??": "Blunder", "!": "Good move", "!!": "Brilliant move", "!?": "Interesting move" };
  const kindOf = (node) => KINDS[node.mark] || "";
  /** Keeps O-O from being broken at the end of a line. */
  const unbroken = (san) => san.replaceAll("-", "\u2011");
  const minus = (text) => text.replace("-", "−");
  const signed = (value) => (/^[#-]/.test(value) || Number(value) === 0 ? minus(value) : `+${value}`);
  const called = (node) => `${node.number} ${node.san}${node.mark || ""}`;
  const isBlack = (node) => (node.number || "").endsWith("...");

  /** The label of the evaluation bar: at most four characters. */
  function short(value) {
    if (value.startsWith("#")) return value.replace("-", "");
    const pawns = Math.abs(Number(value));
    return pawns < 10 ? pawns.toFixed(1) : pawns.toFixed(0);
  }

  /** Fills a table with the accuracy and the mistakes of both sides. */
  function fillSummary(table, white, black) {
    const rows = [
      ["Accuracy (lichess)", "accuracy", (value) => `${value.toFixed(1)}\u00a0%`],
      ["Average centipawn loss", "acpl", String],
      ["Inaccuracies ?!", "inaccuracies", String],
      ["Mistakes ?", "mistakes", String],
      ["Blunders ??", "blunders", String],
    ];
    table.replaceChildren();
    table.classList.add("summary");
    const head = table.createTHead().insertRow();
    head.append(make("td"), make("th", "White"), make("th", "Black"));
    const body = table.createTBody();
    for (const [title, key, written] of rows) {
      const row = body.insertRow();
      row.append(make("th", title));
      for (const side of [white, black]) row.append(make("td", side[key] === null ? "–" : written(side[key])));
    }
    table.title = "Accuracy by the formulas of lichess.org/page/accuracy";
  }

  /** Copies a text, and says so on the button. */
  async function copy(button, text) {
    let copied = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.body.appendChild(make("textarea", text));
      area.select();
      copied = document.execCommand("copy");
      area.remove();
    }
    button.dataset.label ||= button.textContent;
    button.textContent = copied ? "Copied" : "Not copied";
    button.classList.toggle("done", copied);
    setTimeout(() => {
      button.textContent = button.dataset.label;
      button.classList.remove("done");
    }, 1500);
  }

  return { make, quoted, facts, player, LABELS, kindOf, unbroken, signed, called, isBlack, short, fillSummary, copy };
})();
