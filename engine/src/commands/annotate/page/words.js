/** Elements with text, and moves and evaluations as people write them. */
const Words = (() => {
  function make(name, text, kind) {
    const element = document.createElement(name);
    if (text) element.textContent = text;
    if (kind) element.className = kind;
    return element;
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

  return { make, LABELS, kindOf, unbroken, signed, called, isBlack, short };
})();
