// Runs in a page of `castellan annotate --html` whose game has long texts and marks of direction.
(() => {
  const boxOf = (element) => element.getBoundingClientRect();
  /** Whether elements follow each other from left to right and down, as they do in the page. */
  const inOrder = (elements) => elements.every((one, index) => {
    if (index === 0) return true;
    const start = one.getClientRects()[0], end = [...elements[index - 1].getClientRects()].pop();
    return start.top >= end.bottom - 1 || start.left >= end.right - 1;
  });
  document.querySelector('#moves button[data-place="3"]').click();
  const outside = ["board", "bar", "now", "graph"].filter((id) => {
    const box = boxOf(document.getElementById(id));
    return box.top < -1 || box.left < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || box.height < 10;
  });
  const wide = [...document.querySelectorAll("body *")].filter((element) => boxOf(element).right > innerWidth + 1)
    .map((element) => element.tagName + "#" + element.id);
  const report = {
    outside, wide, width: innerWidth, page: document.documentElement.scrollWidth, title: document.title,
    order: ["#players", "#occasion", "#moves .variation"].map((place) => inOrder([...document.querySelector(place).children])),
    comments: [...document.querySelectorAll("#moves .aside > p")].map((comment) => comment.textContent.length),
  };
  const output = document.createElement("pre");
  output.id = "report";
  output.textContent = JSON.stringify(report);
  parent.document.body.append(output);
})();
