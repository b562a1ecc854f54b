// Runs in a page of `castellan annotate --html`: the sizes, what overflows the window, and what is not in view.
(() => {
  const boxOf = (element) => element.getBoundingClientRect();
  return {
    width: innerWidth,
    page: document.documentElement.scrollWidth,
    wide: [...document.querySelectorAll("body *")].filter((element) => boxOf(element).right > innerWidth + 1)
      .map((element) => element.tagName + "#" + element.id),
    outside: ["board", "bar", "now", "graph"].filter((id) => {
      const element = document.getElementById(id);
      if (element === null) return false;
      const box = boxOf(element);
      return box.top < -1 || box.left < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || box.height < 10;
    }),
  };
})();
