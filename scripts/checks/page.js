// Runs in a page of `castellan annotate --html`, presses keys and clicks, and records after each step what the page shows.
(() => {
  const notes = [], at = (id) => document.getElementById(id);
  const note = (step) => notes.push({
    step,
    place: Number(document.body.dataset.place),
    board: at("board").dataset.position,
    pieces: document.querySelectorAll("#board .piece").length,
    marker: parseFloat(at("marker").style.left),
    here: [...document.querySelectorAll("#moves .here")].map((move) => Number(move.dataset.place)),
    text: at("said").textContent,
    lowest: document.querySelector("#below b").textContent,
  });
  const press = (key) => {
    document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    note(key);
  };
  const click = (name, element, share) => {
    const box = element.getBoundingClientRect();
    element.dispatchEvent(new MouseEvent("click", {
      bubbles: true, clientX: box.left + share * box.width, clientY: box.top + box.height / 2,
    }));
    note(name);
  };
  note("start");
  for (const key of ["ArrowLeft", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "ArrowLeft", "Home"])
    press(key);
  for (const key of ["ArrowDown", "ArrowDown", "ArrowUp", "f", "f", "x"]) press(key);
  click("first", at("first"), 0.5);
  click("forward", at("forward"), 0.5);
  click("last", at("last"), 0.5);
  click("back", at("back"), 0.5);
  click("board right", at("board"), 0.9);
  click("board left", at("board"), 0.1);
  click("graph", at("graph"), 0.5);
  click("move", document.querySelector('#moves button[data-place="7"]'), 0.5);
  click("moment", document.querySelector("#moments button"), 0.5);
  click("comment", document.querySelector('#moves button[data-place="5"]'), 0.5);
  const wide = [...document.querySelectorAll("main *")].filter((element) =>
    element.getBoundingClientRect().right > innerWidth + 1).map((element) => element.tagName + "#" + element.id);
  const report = {
    notes, wide, title: document.title, width: innerWidth, page: document.documentElement.scrollWidth,
    requests: performance.getEntriesByType("resource").map((entry) => entry.name),
    moments: [...document.querySelectorAll("#moments button")].map((moment) => Number(moment.dataset.place)),
    dots: document.querySelectorAll("#graph .moment").length,
    outline: document.querySelector("#graph path").getAttribute("d"),
    paper: getComputedStyle(document.body).backgroundColor,
  };
  const output = document.createElement("pre");
  output.id = "report";
  output.textContent = JSON.stringify(report);
  (parent === window ? document : parent.document).body.append(output);
})();
