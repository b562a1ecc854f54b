/** The castling inspector: why each castling move is legal or not, drawn on the board, and the halfmove clock. */
(() => {
  const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  const EXAMPLES = [
    ["All four are legal", "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 6 8"],
    ["Start position: the way is blocked", START],
    ["The king would cross an attacked square", "r3k2r/ppp2ppp/2n2n2/8/2b5/2N2N2/PPP2PPP/R3K2R w KQkq - 0 12"],
    ["The king is in check", "r3k2r/pppp1ppp/2n2n2/8/1b6/2N2N2/PPP2PPP/R3K2R w KQkq - 3 9"],
    ["An attacked rook may castle", "4k3/8/8/8/4b3/8/8/R3K2R w KQ - 0 1"],
    ["b1 may be attacked: only the rook crosses it", "4k3/8/8/8/8/6q1/8/R3K3 w Q - 0 1"],
    ["The rook can be captured, and the right with it", "r3k2r/8/8/8/8/2B5/8/R3K2R w KQkq - 4 20"],
    ["Fifty moves: a claim opens after the next move", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 99 80"],
    ["Chess960: king b1, rooks a1 and g1", "rk4r1/pppppppp/8/8/8/8/PPPPPPPP/RK4R1 w GAga - 0 1", true],
    ["Chess960: the rook gives up its shelter", "1k6/8/8/8/8/8/8/qRK5 w B - 0 1", true],
  ];
  const { element, send } = App;
  const section = document.getElementById("castling");
  /** The positions before the current one, as FEN and variant. */
  let past = [];
  let report = null;
  /** The castling whose squares are shown: color and side. */
  let chosen = { color: "white", side: "kingside" };
  /** A castling move that waits for confirmation. */
  let asked = null;
  let pending = null;
  /** The position asked for last; without a connection, it is asked for again. */
  let wanted = App.load("castling") || { fen: EXAMPLES[0][1], chess960: false };
  /** Whether the FEN field has a text that was not sent. */
  let edited = false;

  // The panels.

  const boardBox = element("div", {});
  const board = Chessboard(boardBox, {
    move: (from, to, promotion, move) => (isCastling(move) ? ask(move) : play(move.uci)),
    illegal: (from, to) => play(from + to),
  });
  const fen = element("input", { type: "text", "aria-label": "FEN", spellcheck: "false", autocomplete: "off", oninput: () => { edited = true; } });
  const chess960 = element("input", { type: "checkbox", id: "castling-960" });
  const examples = element("select", { "aria-label": "Example", onchange: chooseExample },
    element("option", { value: "" }, "Examples…"), ...EXAMPLES.map(([name], index) => element("option", { value: index }, name)));
  const shade = element("input", { type: "checkbox", id: "castling-shade", onchange: () => draw() });
  const undo = element("button", { type: "button", onclick: takeBack }, "Undo");
  const message = element("p", { class: "message", role: "status", "aria-live": "polite" });
  const question = element("div", { class: "card question", role: "group", "aria-label": "Confirm castling", hidden: "" });
  const colors = element("div", { class: "colors" });
  const clock = element("div", { class: "card" });
  const effects = element("ul", { class: "effects" });

  section.append(element("div", { class: "inspector" },
    element("div", { class: "board-side" },
      boardBox,
      element("form", { class: "position", onsubmit: submit },
        fen, element("button", { class: "primary" }, "Show"),
        element("label", { for: "castling-960" }, chess960, " Chess960"),
        examples, undo,
        element("button", { type: "button", onclick: () => board.flip() }, "Flip"),
        element("label", { for: "castling-shade" }, shade, " Attacked squares"))),
    element("div", { class: "facts" }, message, question, effects, colors, clock)));

  const isCastling = (move) => move.san.startsWith("O-O");
  const title = (name) => name[0].toUpperCase() + name.slice(1);

  // Requests.

  function inspect(text, is960) {
    pending = "inspect";
    wanted = { fen: text.trim(), chess960: is960 };
    send("castling", { type: "inspect", ...wanted });
  }

  function submit(submitted) {
    submitted.preventDefault();
    edited = false;
    past = [];
    inspect(fen.value, chess960.checked);
  }

  function play(uci) {
    if (!report) return;
    pending = "move";
    edited = false;
    send("castling", { type: "move", fen: report.fen, chess960: report.chess960, uci });
  }

  function takeBack() {
    const before = past.pop();
    if (before) inspect(before.fen, before.chess960);
  }

  function chooseExample() {
    const example = EXAMPLES[Number(examples.value)];
    if (examples.value === "" || !example) return;
    past = [];
    inspect(example[1], Boolean(example[2]));
    examples.value = "";
  }

  // Answers.

  function event(answer) {
    if (answer.type === "error") {
      message.textContent = answer.text;
      message.classList.add("wrong");
      board.set(boardState());
      return;
    }
    if (pending === "move" && report) past.push({ fen: report.fen, chess960: report.chess960 });
    pending = null;
    report = answer;
    asked = null;
    wanted = { fen: report.fen, chess960: report.chess960 };
    App.store("castling", wanted);
    const own = report.sides.find((side) => side.to_move);
    if (!find(chosen)) chosen = { ...chosen, color: own.color };
    if (!report.played) chosen = { color: own.color, side: (own.castling.find((one) => !one.uci) || own.castling[0]).side };
    draw();
  }

  const find = ({ color, side }) => report.sides.find((one) => one.color === color).castling.find((one) => one.side === side);

  function boardState() {
    const castling = report && find(chosen);
    const state = { fen: report ? report.fen : `${START.split(" ")[0]} w - - 0 1`, legal: report ? report.legal : [], movable: "both" };
    if (!report) return { ...state, movable: null };
    state.check = report.check;
    if (report.played) state.last = [report.played.from, report.played.to];
    state.marks = [];
    if (shade.checked) {
      const { attacked } = report.sides.find((one) => one.color === chosen.color);
      state.marks = attacked.map((square) => ({ square, kind: "shaded" }));
    }
    if (!castling) return state;
    state.paths = [{ squares: castling.king, kind: "king" }, { squares: castling.rook, kind: "rook" }].filter(({ squares }) => squares[0] !== squares[1]);
    state.arrows = castling.attackers.flatMap(({ square, from }) => from.map((origin) => ({ from: origin, to: square, kind: "threat" })));
    state.marks.push(...castling.attackers.map(({ square }) => ({ square, kind: "attacked", text: "" })));
    return state;
  }

  function draw() {
    if (!report) return;
    message.classList.remove("wrong");
    message.textContent = report.notes.join(" · ");
    if (!edited) {
      fen.value = report.fen;
      chess960.checked = report.chess960;
    }
    undo.disabled = past.length === 0;
    board.set(boardState());
    effects.replaceChildren(...(report.played ? [`${report.played.san}:`, ...report.played.effects] : []).map((text) => element("li", {}, text)));
    const ordered = [...report.sides].sort((one, other) => other.to_move - one.to_move);
    colors.replaceChildren(...ordered.map(colorCard));
    drawClock();
    drawQuestion();
  }

  function colorCard({ color, to_move, impossible, castling }) {
    const heading = element("h2", {}, `${title(color)}${to_move ? " to move" : ", if it were to move"}`);
    if (impossible) return element("div", { class: "card" }, heading, element("p", { class: "faint" }, impossible));
    return element("div", { class: "card" }, heading, element("div", { class: "sides" }, ...castling.map((one) => sideCard(color, to_move, one))));
  }

  function sideCard(color, toMove, castling) {
    const shown = chosen.color === color && chosen.side === castling.side;
    const verdict = castling.uci ? element("span", { class: "fulfilled" }, "legal") : element("span", { class: "failed" }, "not legal");
    const choose = () => { chosen = { color, side: castling.side }; draw(); };
    const button = element("button", { type: "button", "aria-pressed": String(shown), onclick: choose }, `${title(castling.side)} ${castling.san} `, verdict);
    const conditions = element("ol", {}, ...castling.conditions.map(condition));
    const card = element("div", { class: shown ? "side shown" : "side", "data-castling": `${color} ${castling.side}` }, button, conditions);
    if (castling.uci && toMove) {
      const move = report.legal.find((one) => one.uci === castling.uci);
      card.append(element("button", { type: "button", onclick: () => ask(move) }, `Castle ${castling.side}`));
    }
    return card;
  }

  function condition({ title: text, reason }) {
    const mark = reason ? element("b", { class: "failed" }, "✗") : element("b", { class: "fulfilled" }, "✓");
    const state = element("span", { class: "visually-hidden" }, reason ? "not fulfilled: " : "fulfilled: ");
    const item = element("li", {}, mark, " ", state, text);
    if (reason) item.append(element("span", { class: "reason" }, reason));
    return item;
  }

  function drawClock() {
    const { plies, text } = report.clock;
    const resets = report.legal.filter((move) => move.resets).map((move) => move.san);
    const revokes = report.legal.filter((move) => move.revokes).map((move) => `${move.san} (${move.revokes})`);
    const line = (name, words, none) => element("p", {}, element("strong", {}, name), words.length ? words.join(", ") : none);
    clock.replaceChildren(
      element("h2", {}, "Halfmove clock"),
      element("p", {}, element("span", { class: "number plies" }, String(plies)), " ", text),
      element("progress", { max: 100, value: Math.min(plies, 100), "aria-label": "Plies towards a claim" }),
      line("Set it to 0 (captures and pawn moves): ", resets, "no legal move"),
      line("Revoke castling rights: ", revokes, "no legal move"));
  }

  // A castling move is confirmed.

  function ask(move) {
    asked = move;
    const side = move.san.startsWith("O-O-O") ? "queenside" : "kingside";
    chosen = { color: report.side_to_move, side };
    draw();
    question.querySelector("button").focus();
  }

  function drawQuestion() {
    question.hidden = !asked;
    if (!asked) return question.replaceChildren();
    const { king, rook, side } = find(chosen);
    question.replaceChildren(
      element("p", {}, `Castle ${side}: the king goes from ${king[0]} to ${king[1]}, the rook from ${rook[0]} to ${rook[1]}.`),
      element("button", { type: "button", class: "primary", onclick: () => play(asked.uci) }, "Castle"),
      element("button", { type: "button", onclick: () => { asked = null; draw(); } }, "Cancel"));
  }

  draw();
  App.register("castling", {
    event,
    connected() {
      inspect(wanted.fen, wanted.chess960);
    },
  });
})();
