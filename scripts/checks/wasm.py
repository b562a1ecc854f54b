"""Uses the WebAssembly build in Node, beside the native program.

    scripts/web.sh dist/web && scripts/crosscheck.py wasm --files dist/web

Both must have the same bench, and find the same moves and scores in random positions with python-chess as their client. While
it searches without a limit, the build must answer and obey. Prints how fast it is beside the native program. As a package for
npm it is packed and installed into an empty folder, where a script uses it. Its rules are compared with python-chess.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from lib.cli import positive

import chess
import chess.engine

from . import moves
from .common import Result, run_program

VARIANTS = Path(__file__).parents[2] / "tests/data/variants.txt"

PLIES = 60
RUNS = 3
DIALOGUE_SECONDS = 60
# What the module of the rules may take, compressed.
RULES_BYTES = 150_000
# Each line is sent when the pattern before it has been answered.
DIALOGUE = (
    ("uci", "uciok"),
    ("isready", "readyok"),
    ("setoption name MultiPV value 2\nposition startpos moves e2e4\ngo infinite", "info depth 5 .* multipv 2 "),
    ("isready", "readyok"),
    ("stop", "bestmove "),
    ("position startpos\ngo ponder depth 3", "info depth 3 "),
    ("ponderhit", "bestmove "),
    ("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo infinite\nstop", r"bestmove \(none\)"),
    ("go depth 1 nonsense", "info string error: ignoring a part of 'go': unknown limit 'nonsense'"),
    ("position startpos\ngo perft 3", "Nodes searched: 8902"),
    ("go movetime 100", "bestmove "),
)
# Another thread notifies without a message, as it does late when the message has been read before.
LATE_NOTIFICATION = """
import { Worker } from "node:worker_threads";
const { Ring } = await import(process.argv[1]);
const ring = new Ring();
const notify = `import { workerData } from "node:worker_threads";
setInterval(() => Atomics.notify(new Int32Array(workerData, 0, 1), 0), 10)`;
const worker = new Worker(notify, { eval: true, workerData: ring.buffer });
console.log(ring.receive(500));
worker.terminate();
"""
# Answers questions about games, a line of JSON each.
RULES = """
import { createInterface } from "node:readline";
const { loadRules } = await import(process.argv[1]);
const rules = await loadRules();
for await (const line of createInterface({ input: process.stdin })) {
  const { start, chess960, played, text } = JSON.parse(line);
  const position = rules.position(start || undefined, { chess960, moves: played });
  const { fen, inCheck, outcome, claims } = position;
  const moves = position.legalMoves.map(({ uci, san }) => `${uci}=${san}`);
  const reasons = position.whyIllegal(text)?.reasons.map(({ code }) => code) ?? [];
  console.log(JSON.stringify({ fen, inCheck, end: outcome?.reason, claims, moves, reasons }));
}
"""
CLAIMS = {"fifty_moves": "fifty-move-claim", "threefold": "threefold-claim"}
SCRIPT = """
import { Castellan } from "castellan";
import { loadRules } from "castellan/rules";
const engine = await Castellan.create({ Hash: 1 });
const rejected = ({ message }) => console.log(message);
const { move, info } = await engine.go({ fen: "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", depth: 3 });
console.log(move, info.score.mate);
const search = engine.go();
for await (const { depth } of search) if (depth === 5) search.stop();
console.log((await search).move.length);
await engine.go({ fen: "k7/8/8/8/8/8/8/8 w - - 0 1", depth: 1 }).then(console.log, rejected);
await engine.go({ depth: -1 }).then(console.log, rejected);
const mate = { fen: "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", depth: 3 };
const first = engine.go({ searchmoves: ["e2e5"], depth: 30 });
const second = engine.go(mate);
await first.then(console.log, ({ message }) => console.log(message.split(":")[0]));
console.log((await second).move);
await engine.go({ ...mate, fen: `${mate.fen}\\nquit` }).then(console.log, ({ name }) => console.log(name));
await engine.setOptions({ Hash: "1\\nquit" }).then(console.log, ({ name }) => console.log(name));
for await (const _ of engine.go()) break;
console.log((await engine.go(mate).finally(() => console.log("finally"))).move);
await engine.go({ fen: "nonsense" }).catch(() => console.log("catch"));
const controller = new AbortController();
const [aborted, queued] = [engine.go({ signal: controller.signal, depth: 99 }), engine.go({ signal: controller.signal })];
console.log(aborted instanceof Promise);
try {
  for await (const _ of aborted) controller.abort();
} catch ({ name }) {
  console.log(name);
}
await queued.catch(({ name }) => console.log(name));
console.log((await engine.go(mate)).move);
console.log((await engine.go({ fen: "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", depth: 1 })).move);
const refused = engine.go({ fen: "nonsense" }).catch(() => console.log("refused"));
await engine.go({ signal: AbortSignal.abort() }).catch(({ name }) => console.log(name));
await refused;
await engine.go({ time: 1000 }).catch(({ name, message }) => console.log(name, message));
const analysis = engine.go();
await analysis[Symbol.asyncIterator]().next();
console.log((await engine.go(mate)).move, (await analysis).move.length);
await engine.go()[Symbol.asyncIterator]().next();
await engine.setOptions({ Hash: 2 });
await engine.go({ fen: "", depth: 1 }).then(console.log, rejected);
engine.quit();
await engine.go({ depth: 1 }).then(console.log, rejected);
const rules = await loadRules();
const { code, detail } = rules.position("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1").whyIllegal("Nc3").reasons[0];
console.log(code, detail.role, detail.square, detail.pinner.square);
const { legal, attacked, king } = rules.position("r3k2r/8/8/8/8/5q2/8/R3K2R w KQ").castling("king");
console.log(legal, king[1], attacked[0].square, attacked[0].attackers[0].role);
const movetext = "{first} 1. e4 {[%eval 0.3] [%clk 0:01:02.5] best} 1... e5 $1 (1... c5 (1... -- 2. d4)) 1-0";
const annotated = `[Event "A \\\\"game\\\\""]\\n\\n${movetext}`;
const [game] = rules.readPgn(annotated).games;
const [again] = rules.readPgn(rules.writePgn(game)).games;
const { comment, moves } = game;
console.log(JSON.stringify(again.moves) === JSON.stringify(moves), comment, moves[0].eval.cp, moves[0].clock);
const start = rules.position();
console.log(start.play(start.legalMoves[0]).moves[0] === start.legalMoves[0].uci);
start.legalMoves.splice(1)[0].san = "";
console.log(start.legalMoves.filter(({ san }) => san).length);
const mated = rules.position(undefined, { moves: ["f3", "e5", "g4", "Qh4#"] });
mated.outcome.winner = mated.toJSON().outcome.winner = "white";
for (const list of [mated.claims, mated.warnings, mated.toJSON().claims]) list.push("threefold");
console.log(mated.outcome.winner, mated.claims.length, mated.warnings.length);
const twice = rules.writePgn({ tags: [["Event", "A"], ["Event", "B"]], moves: [{ san: "e4" }] });
console.log(twice.split("\\n")[0], twice.trim().split("\\n").at(-1));
const unnamed = [{ uci: "g1f3", variations: [{ moves: [{ uci: "e2e4" }, {}, { uci: "d2d4" }] }] }, { uci: "g8f6" }];
console.log(rules.writePgn({ tags: [["Result", "1-0"]], moves: unnamed }).trim().split("\\n").slice(-3).join());
const [passed] = rules.readPgn("1. e4 -- 2. d4 *").games;
console.log(rules.writePgn(passed).trim().split("\\n").at(-1));
const long = ["e2e4", "e7e5"].map((uci) => ({ uci, comment: "long ".repeat(150000) }));
console.log(rules.writePgn({ moves: long }).length > 1 << 20);
const { role, capture, enPassant, check } = rules.position(undefined, { moves: ["e4", "a6", "e5", "d5"] }).find("exd6");
const castled = rules.position("r3k2r/8/8/8/8/8/8/R3K2R w KQ").find({ from: "e1", to: "c1" });
console.log(role, capture, enPassant, check, castled.castling, castled.capture, start.find("e4").castling);
const rooks = start.pieces({ color: "black", role: "rook" }).map(({ square }) => square);
console.log(start.get("d8").role, start.get("e4"), rooks.join());
const json = JSON.parse(JSON.stringify(start.play("e4").play("e5")));
console.log(rules.position(json.start, json).fen === json.fen, start.board[7][4].role);
const many = Array.from({ length: 20000 }, (_, at) => `[Event "${at}"]\n\n1. e4 {\u00e9}\n1... e5 (1... c5) *\n\n`).join("");
const bytes = new TextEncoder().encode(`${many}1. e4 e4 *\n`);
const pieces = async function* () {
  for (let at = 0; at < bytes.length; at += 999) yield bytes.subarray(at, at + 999);
};
const streamed = [], failed = [];
for await (const game of rules.readPgn(pieces(), { onError: (error) => failed.push(error) })) streamed.push(game);
const together = rules.readPgn(new TextDecoder().decode(bytes));
const isOrdered = streamed.every(({ tags }, at) => tags[0][1] === `${at}`);
console.log(streamed.length, isOrdered, failed[0].line, failed[0].text.split(",")[0]);
console.log(JSON.stringify([streamed, failed]) === JSON.stringify([together.games, together.errors]));
try {
  for await (const _ of rules.readPgn(new Blob(["1. e5 *"]).stream()));
} catch ({ line, message }) {
  console.log(line, message.split(",")[0]);
}
const fool = ["f2f3", "e7e5", "g2g4", "d8h4"].map((uci) => ({ uci }));
for (const wrong of [
  () => rules.position("8/8/8/8"),
  () => rules.position("\\0"),
  () => rules.position(""),
  () => rules.writePgn({ moves: [{ san: "e5" }] }),
  () => rules.writePgn({ moves: fool, result: "1-0" }),
  () => rules.writePgn({ tags: [["Result", "0-1"]], moves: [], result: "1-0" }),
  () => rules.writePgn({ moves: [{ san: "e4 *\\n\\n1. d4" }] }),
]) {
  try {
    wrong();
  } catch ({ message }) {
    console.log(message.split(" ")[0]);
  }
}
"""
# As on a page without shared memory, where every command has a worker of its own.
UNSHARED = """
globalThis.crossOriginIsolated = false;
const { Castellan } = await import("castellan");
const mate = { fen: "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", depth: 3 };
const told = (promise) => promise.then(({ move }) => console.log(move), () => console.log("rejected"));
await told(Castellan.create({ Hashh: 1 }));
const engine = await Castellan.create({ Hash: 1 });
await told(engine.setOptions({ Hash: 0 }));
await told(engine.go({ fen: "nonsense", depth: 1 }));
await told(engine.go({ ...mate, moves: ["e5"] }));
await told(engine.go({ depth: -1 }));
await told(engine.go(mate));
const stopped = engine.go();
stopped.stop();
console.log((await stopped).move.length);
engine.go();
await told(engine.go(mate));
engine.quit();
"""
UNSHARED_OUTPUT = [*["rejected"] * 5, "a1a8", "4", "a1a8"]
SCRIPT_OUTPUT = [
    "a1a8 1", "4", "illegal position: White has 0 kings; each side must have exactly one",
    "ignoring a part of 'go': expected a whole number, 0 or more after 'go depth', found '-1'",
    "ignoring a move of 'searchmoves'", "a1a8",
    "TypeError", "TypeError", "finally", "a1a8", "catch", "true", "AbortError", "AbortError", "a1a8", "null",
    "AbortError", "refused", "TypeError unknown limit 'time'; the limits are depth, nodes, movetime, mate", "a1a8 4",
    "expected a FEN after 'fen', found nothing", "the engine has ended",
    "pinned knight e2 e8", "false g1 f1 queen", "true first 30 62500", "true", "20", "black 0 0", '[Event "B"] 1. e4 *',
    '[Result "1-0"],,1. Nf3 (1. e4 -- 2. d4) 1... Nf6 1-0', "1. e4 -- 2. d4 *", "true",
    "pawn pawn true false queen undefined undefined", "queen null a8,h8", "true king", "20000 true 100001 game 20001", "true",
    "1 game 1", "invalid", "invalid", "empty", "game", "the", "the", "expected",
]  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--files", type=Path, required=True, metavar="FOLDER", help="what scripts/web.sh has written")
    parser.add_argument("--positions", type=positive, default=40, help="default %(default)s")
    parser.add_argument("--nodes", type=positive, default=5000, help="per position; default %(default)s")
    parser.add_argument("--rules", type=positive, default=20000, help="positions of the rules; default %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="of the random positions; default %(default)s")


def check(arguments: argparse.Namespace) -> Result:
    result = Result()
    program = ["node", str(arguments.files / "castellan.js")]
    result.differences += bench_differences([arguments.engine], program)
    result.differences += move_differences(arguments, program)
    result.differences += dialogue_differences(program)
    result.differences += ring_differences(arguments.files)
    result.differences += package_differences(arguments.files)
    result.differences += rules_differences(arguments)
    result.compared += {"positions": arguments.positions + arguments.rules, "dialogues": 1}
    return result


def bench_differences(native: list[str], program: list[str]) -> Iterator[str]:
    """Compares the nodes, and prints how the speeds compare, each the best of some runs in turn."""
    found = []
    for _ in range(RUNS):
        outputs = [run_program([*command, "bench"], text="") for command in (native, program)]
        found.append([tuple(map(int, re.findall(r"^(\d+) n", output, re.MULTILINE))) for output in outputs])
    (native_nodes, native_speed), (nodes, speed) = (max(runs) for runs in zip(*found, strict=True))
    print(f"bench: {speed} nodes a second, {speed / native_speed:.2f} of the native {native_speed}")
    if nodes != native_nodes:
        yield f"bench: {nodes} nodes, native {native_nodes}"


def move_differences(arguments: argparse.Namespace, program: list[str]) -> Iterator[str]:
    rng = random.Random(arguments.seed)
    with ExitStack() as stack:
        native, engine = (
            stack.enter_context(chess.engine.SimpleEngine.popen_uci(command, timeout=60))
            for command in ([arguments.engine], program)
        )
        for _ in range(arguments.positions):
            board = random_position(rng)
            limit = chess.engine.Limit(nodes=arguments.nodes)
            answers = [player.play(board, limit, game=object(), info=chess.engine.INFO_ALL) for player in (native, engine)]
            expected, found = (f"{answer.move} {answer.info.get('score')}" for answer in answers)
            if expected != found:
                yield f"{board.fen()}: {found}, native {expected}"


def ring_differences(files: Path) -> Iterator[str]:
    ring = (files / "ring.js").resolve().as_uri()
    found = run_program(["node", "--input-type=module", "--eval", LATE_NOTIFICATION, ring], text="").strip()
    if found != "undefined":
        yield f"a late notification is received as the message {found!r}"


def variant_differences(script: str) -> Iterator[str]:
    """The rows of variants.txt, with and without `chess960`."""
    rows = [[cell.strip() for cell in line.split("|")] for line in VARIANTS.read_text().splitlines() if line[0] != "#"]
    expected, requests = list[tuple[str, str]](), ""
    for fen, _, found, standard in rows:
        for rights, told in [(found, {}), (standard, {"chess960": False})]:
            expected.append((fen, rights))
            requests += json.dumps({"start": fen, "played": [], "text": "a1a1", **told}) + "\n"
    answers = run_program(["node", "--input-type=module", "--eval", RULES, script], requests).splitlines()
    for (fen, rights), line in zip(expected, answers, strict=True):
        if (read := json.loads(line)["fen"]).split()[2] != rights:
            yield f"{fen} is read as {read}, not with the rights {rights}"


def rules_differences(arguments: argparse.Namespace) -> Iterator[str]:
    size = len(gzip.compress((arguments.files / "castellan-rules.wasm").read_bytes()))
    if size > RULES_BYTES:
        yield f"the rules have {size} bytes"
    rng, looks = random.Random(arguments.seed), list[moves.Look]()
    while len(looks) < arguments.rules:
        looks += moves.play(rng, Result())
    texts = ["".join(rng.sample(chess.SQUARE_NAMES, 2)) for _ in looks]
    games = ({"start": look.start, "chess960": look.chess960, "played": look.played} for look in looks)
    requests = "".join(json.dumps({**game, "text": text}) + "\n" for game, text in zip(games, texts, strict=True))
    script = (arguments.files / "rules.js").resolve().as_uri()
    yield from variant_differences(script)
    answers = run_program(["node", "--input-type=module", "--eval", RULES, script], requests).splitlines()
    for look, text, line in zip(looks, texts, answers, strict=True):
        answer = json.loads(line)
        claims = {CLAIMS[claim] for claim in answer["claims"]}
        found = (answer["fen"], answer["inCheck"], set(answer["moves"]), claims)
        expected = (look.fen, "check" in look.state, look.moves, look.may_claim)
        if found != expected or answer.get("end", "none") not in (look.ends or {"none"}):
            yield f"{look.commands}\n  {found} {answer.get('end')}, python-chess {expected} {look.ends}"
        # A promotion needs its piece; castling may be king onto rook.
        against = set(answer["reasons"]) - {"missing_promotion"}
        is_legal = any(move.startswith(text) for move in look.moves)
        if bool(against) == is_legal and not any("O-O" in move for move in look.moves):
            yield f"{look.commands} {text}: {against or 'no reason against it'}"


def package_differences(files: Path) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        npm = ["npm", "--silent", "--no-audit", "--no-fund", "--offline"]
        packed = subprocess.run(
            [*npm, "pack", "--pack-destination", folder], cwd=files, check=True, capture_output=True, text=True
        ).stdout.strip()
        subprocess.run([*npm, "install", "--prefix", folder, f"{folder}/{packed}"], check=True)
        for script, expected in [(SCRIPT, SCRIPT_OUTPUT), (UNSHARED, UNSHARED_OUTPUT)]:
            Path(folder, "script.mjs").write_text(script)
            found = run_program(["node", f"{folder}/script.mjs"], text="").splitlines()
            if found != expected:
                yield f"the package prints {found} instead of {expected}"
        yield from type_differences(Path(folder))
        bench = run_program([f"{folder}/node_modules/.bin/castellan", "bench", "1"], text="")
        if " nodes" not in bench:
            yield f"the command of the package prints {bench!r}"


def type_differences(folder: Path) -> Iterator[str]:
    """Every type of the rules can be imported by its name."""
    package = folder / "node_modules/castellan"
    texts = [(package / name).read_text() for name in ("rules.d.ts", "rules_types.d.ts")]
    names = sorted(set(re.findall(r"^export (?:declare )?(?:type|class) (\w+)", "\n".join(texts), re.MULTILINE)))
    (folder / "package.json").write_text('{ "type": "module" }')
    (folder / "types.ts").write_text(
        f'import type {{ {", ".join(names)} }} from "castellan/rules";\nimport {{ loadRules }} from "castellan/rules";\n'
        f"export type All = [{', '.join(names)}];\nconst rules = await loadRules();\n"
        "for (const { role } of rules.position().legalMoves) { const known: Role = role; known.at(0); }\n"
        'const games: PgnGame[] = rules.readPgn("").games;\n'
        "for await (const game of rules.readPgn(new Blob([]).stream())) games.push(game);\n"
    )
    options = ["--noEmit", "--strict", "--target", "es2023", "--module", "nodenext", "--lib", "es2023,dom,dom.iterable"]
    compiler = Path(__file__).parents[2] / "web/node_modules/.bin/tsc"
    found = subprocess.run([compiler, *options, "types.ts"], cwd=folder, check=False, capture_output=True, text=True)
    if found.returncode != 0 or len(names) < 20:
        yield f"the types {names}: {found.stdout}"


def random_position(rng: random.Random) -> chess.Board:
    while True:
        board = chess.Board()
        for _ in range(rng.randrange(PLIES)):
            if board.is_game_over():
                break
            board.push(rng.choice(list(board.legal_moves)))
        if not board.is_game_over():
            return board


def dialogue_differences(program: list[str]) -> Iterator[str]:
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        assert process.stdin and process.stdout
        timer = threading.Timer(DIALOGUE_SECONDS, process.kill)
        timer.start()
        for sent, expected in DIALOGUE:
            process.stdin.write(f"{sent}\n")
            if not any(re.match(expected, line) for line in process.stdout):
                yield f"no answer '{expected}' to '{sent}'"
                return
        process.stdin.write("quit\n")
        process.stdin.close()
        process.stdout.read()
        timer.cancel()
    if process.returncode != 0:
        yield f"exit status {process.returncode} after quit"
