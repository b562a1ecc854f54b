// Runs in a page of `castellan annotate --html` whose game has long texts and bidi controls.
(() => {
  /** Whether elements follow each other from left to right and down, as they do in the page. */
  const inOrder = (elements) => elements.every((one, index) => {
    if (index === 0) return true;
    const start = one.getClientRects()[0], end = [...elements[index - 1].getClientRects()].pop();
    return start.top >= end.bottom - 1 || start.left >= end.right - 1;
  });
  document.querySelector('#moves button[data-place="3"]').click();
  return {
    title: document.title,
    order: ["#players", "#occasion", "#moves .variation"].map((place) => inOrder([...document.querySelector(place).children])),
    comments: [...document.querySelectorAll("#moves .aside > p")].map((comment) => comment.textContent.length),
  };
})();
