// Runs in the index of `castellan annotate --html`, and records which games it lists after filtering and sorting.
(() => {
  const at = (id) => document.getElementById(id);
  const listed = () => [...at("games").tBodies[0].rows].map((row) => row.textContent);
  const filter = (text) => {
    at("filter").value = text;
    at("filter").dispatchEvent(new Event("input"));
    return listed();
  };
  const sort = (title) => {
    [...document.querySelectorAll("th button")].find((button) => button.textContent === title).click();
    return listed();
  };
  return {
    all: listed(),
    links: [...document.querySelectorAll("td a")].map((link) => link.getAttribute("href")),
    filtered: filter("LEGALL 1750"),
    none: filter("nobody"),
    back: filter(""),
    sorted: sort("Date"),
    reversed: sort("Date"),
    scripts: document.scripts.length,
  };
})();
