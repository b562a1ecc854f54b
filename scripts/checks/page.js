// Runs in a page of `castellan annotate --html`, presses keys and clicks, and records after each step what the page shows.
(() => {
  const notes = [], copied = [], at = (id) => document.getElementById(id);
  Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => void copied.push(text) } });

  /** The drawn pieces as the first field of a FEN. */
  function drawn() {
    const flipped = document.querySelector("#board text").textContent !== "8";
    const rows = Array.from({ length: 8 }, () => Array(8).fill(" "));
    for (const piece of document.querySelectorAll("#board use")) {
      const [x, y] = piece.getAttribute("transform").match(/\d+/g).map((number) => Number(number) / 100);
      const letter = piece.getAttribute("href").slice(1);
      rows[flipped ? 7 - y : y][flipped ? 7 - x : x] = piece.classList.contains("white") ? letter.toUpperCase() : letter;
    }
    return rows.map((row) => row.join("").replace(/ +/g, (gap) => gap.length)).join("/");
  }

  const note = (step) => notes.push({
    step,
    place: Number(document.body.dataset.place),
    line: document.body.dataset.line,
    board: drawn(),
    arrows: document.querySelectorAll("#board .arrow").length,
    white: parseFloat(document.querySelector("#bar i").style.height),
    marker: parseFloat(document.querySelector("#graph .marker").style.left),
    here: [...document.querySelectorAll("#moves .here")].map((move) => Number(move.dataset.place) || move.textContent),
    text: at("said").textContent,
    steps: [...document.querySelectorAll("#said .step")].map((move) => move.textContent),
    lowest: document.querySelector("#below b").textContent,
    clocks: [...document.querySelectorAll(".clock")].map((clock) => clock.textContent),
  });
  const press = (...keys) => {
    for (const key of keys)
      document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    note(keys.join(" "));
  };
  const click = (name, element, share = 0.5) => {
    const box = element.getBoundingClientRect();
    element.dispatchEvent(new MouseEvent("click", {
      bubbles: true, clientX: box.left + share * box.width, clientY: box.top + box.height / 2,
    }));
    note(name);
  };
  note("start");
  for (const key of ["ArrowLeft", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "ArrowLeft", "Home"])
    press(key);
  for (const key of ["ArrowDown", "ArrowDown", "ArrowUp", "f", "f", "x", "a", "a"]) press(key);
  press("e");
  press("ArrowRight");
  press("Escape");
  press("ArrowLeft", "e", "ArrowLeft");
  click("first", at("first"));
  click("forward", at("forward"));
  click("last", at("last"));
  click("back", at("back"));
  click("board right", at("board"), 0.9);
  click("board left", at("board"), 0.1);
  click("graph", at("graph"));
  // That of the game; the engine may have added others.
  const variation = [...document.querySelectorAll("#moves .variation")].find((one) => one.textContent.includes("Be7"));
  click("variation", variation.querySelectorAll(".step")[1]);
  click("leave", at("leave"));
  click("move", document.querySelector('#moves button[data-place="7"]'));
  click("moment", document.querySelector("#moments button"));
  click("comment", document.querySelector('#moves button[data-place="5"]'));
  click("copy FEN", at("copy-fen"));
  click("copy PGN", at("copy-pgn"));
  scrollTo(0, document.documentElement.scrollHeight);
  return {
    notes, copied, title: document.title,
    heading: document.querySelector("header").textContent,
    summary: [...document.querySelectorAll("#summary th, #summary td")].map((cell) => cell.textContent),
    unlabelled: [...document.querySelectorAll("button")].filter((button) => !button.textContent.trim()).length,
    requests: performance.getEntriesByType("resource").map((entry) => entry.name),
    scripts: document.scripts.length,
    toIndex: at("to-index").hidden ? null : at("to-index").getAttribute("href"),
    moments: [...document.querySelectorAll("#moments button")].map((moment) => Number(moment.dataset.place)),
    outline: document.querySelector("#graph path").getAttribute("d"),
    background: getComputedStyle(document.body).backgroundColor,
  };
})();
