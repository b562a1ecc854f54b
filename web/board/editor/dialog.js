/** The dialog in which a position is edited: one for the page, made when it is first needed. */
import { element } from "../../shared/dom.js";
import { makeChessboard } from "../chessboard/chessboard.js";
import { button } from "../controls.js";
import { makeEditor } from "./editor.js";

/** @typedef {{ fen: string, chess960: boolean }} Edited */

/** @type {ReturnType<typeof makeDialog> | undefined} */
let made;

/**
 * Has the user edit a position.
 * @param {Edited & { flipped: boolean }} position
 * @param {string} action what is done with it
 * @param {(edited: Edited) => void} done
 */
export function editPosition(position, action, done) {
  made ??= makeDialog();
  made.open(position, action, done);
}

function makeDialog() {
  /** @type {(edited: Edited) => void} */
  let finish = () => {};
  /** The position was to be used before the server had judged it. */
  let isWaiting = false;
  const boardBox = element("div");
  /** @type {ReturnType<typeof makeEditor>} */
  const editor = makeEditor({
    changed() {
      isWaiting = false;
      use.disabled = false;
      show();
    },
    flip: () => board.flip(), squareAt: (event) => board.squareAt(event),
    checked({ problem }) {
      use.disabled = Boolean(problem);
      // Unless the dialog was canceled in the meantime.
      if (isWaiting && dialog.open && !problem) close();
      isWaiting = false;
    },
  });
  const board = makeChessboard(boardBox, editor.handlers);
  const use = element("button", { class: "primary", type: "submit" });
  const dialog = element("dialog", { class: "edit-position", "aria-labelledby": "edit-title" },
    element("form", { method: "dialog", onsubmit: submit }, boardBox,
      element("div", { class: "edit-side" }, element("h2", { id: "edit-title" }, "Edit the position"), editor.panel,
        element("div", { class: "buttons" }, button("Cancel", () => dialog.close()), use))));
  document.body.append(dialog);

  function show(flipped = /** @type {boolean | undefined} */ (undefined)) {
    board.set({ fen: editor.fen(), free: true, animate: false, flipped });
  }

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault();
    isWaiting = !editor.isChecked();
    // The first request is lost if there was no connection.
    if (isWaiting) editor.check();
    else if (!use.disabled) close();
  }

  function close() {
    dialog.close();
    finish({ fen: editor.fen(), chess960: editor.chess960() });
  }

  /** @param {Edited & { flipped: boolean }} position @param {string} action @param {(edited: Edited) => void} done */
  function open({ fen, chess960, flipped }, action, done) {
    finish = done;
    isWaiting = false;
    use.disabled = false;
    use.textContent = action;
    editor.load(fen, chess960);
    show(flipped);
    dialog.showModal();
    board.focus();
  }
  return { open };
}
