#!/usr/bin/env python3
"""Measures how much of a deep search the static evaluation of a network explains.

    scripts/eval_quality.py games.pgn --net search/nets/gen20.net --net new.net

Takes quiet positions of the games (not in check, the move played not a capture or promotion), searches each with the
referee, and prints the share of the variance of the referee's expected points that each network leaves unexplained, at the
scale that fits it best: 0 is a static evaluation that knows what the search finds, 1 one that knows nothing. Use games of
other engines: in its own games an engine has chosen the positions that it misjudges. With --scores the referee's scores
are written to a file, or read from it if it exists.
Exit status: 0 measured, 2 it cannot be.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from lib.cli import DEFAULT_ENGINE, EXIT_OK, EXIT_USAGE, add_engine, parser_for, positive, program_path
from lib.uci import EngineError, UciEngine

import chess.pgn
from tqdm import tqdm

# One position of each stretch of this many plies, so that those of a game differ.
EVERY = 7
FIRST_PLY = 5
CENTIPAWNS_PER_LOGIT = 120
MATE = 3000
SEARCH_TIMEOUT_S = 600.0
GROUPS = (("all", 2, 32), ("24 and more", 24, 32), ("14 to 23", 14, 23), ("fewer", 2, 13))
VALUE = re.compile(r"Network: ([+-]\d+\.\d+) for White")


@dataclass(frozen=True)
class Scored:
    """A position and the referee's centipawns for White."""

    fen: str
    score: int

    @property
    def pieces(self) -> int:
        return sum(character.isalpha() for character in self.fen.split()[0])


def quiet_positions(pgn: Path, count: int, seed: int) -> list[str]:
    with pgn.open(errors="replace") as file:
        positions = [fen for game in iter(lambda: chess.pgn.read_game(file), None) for fen in quiet_of(game)]
    if not positions:
        raise ValueError(f"{pgn}: no quiet positions")
    return random.Random(seed).sample(positions, min(count, len(positions)))


def quiet_of(game: chess.pgn.Game) -> Iterator[str]:
    board = game.board()
    for ply, move in enumerate(game.mainline_moves()):
        quiet = not board.is_check() and not board.is_capture(move) and move.promotion is None
        if ply >= FIRST_PLY and ply % EVERY == FIRST_PLY and quiet:
            yield board.fen()
        board.push(move)


def centipawns(engine: UciEngine, fen: str, nodes: int) -> int:
    """The score of a search, for White."""
    engine.send(f"ucinewgame\nposition fen {fen}\ngo nodes {nodes}")
    score = 0
    for line in engine.lines(SEARCH_TIMEOUT_S):
        words = line.split()
        if words[:1] == ["bestmove"]:
            break
        if words[:1] == ["info"] and "score" in words:
            kind, number = words[words.index("score") + 1 :][:2]
            score = int(number) if kind == "cp" else MATE if int(number) > 0 else -MATE
    return score if " w " in fen else -score


def static_value(engine: UciEngine, fen: str) -> float:
    """The value of the network, for White."""
    engine.send(f"position fen {fen}\neval")
    for line in engine.lines():
        if found := VALUE.match(line):
            return float(found[1])
    raise EngineError("no value")


def configure(engine: UciEngine, options: Sequence[str]) -> None:
    for line in engine.answers("\n".join(["uci", *(f"setoption name {option}" for option in options)])):
        if line.startswith("info string error: "):
            raise EngineError(line.removeprefix("info string error: "))


def for_all(
    fens: Sequence[str], jobs: int, program: str, options: Sequence[str], ask: Callable[[UciEngine, str], float]
) -> list[float]:
    """Asks several engines about the positions, each about its share."""

    def share(job: int) -> list[float]:
        with UciEngine(program) as engine:
            configure(engine, options)
            answers = []
            for fen in fens[job::jobs]:
                answers.append(ask(engine, fen))
                bar.update()
            return answers

    answers: list[float] = [0.0] * len(fens)
    with tqdm(total=len(fens), unit="position", disable=None) as bar, ThreadPoolExecutor(jobs) as pool:
        for job, some in enumerate(pool.map(share, range(jobs))):
            answers[job::jobs] = some
    return answers


def expected(logit: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))


def unexplained(values: Sequence[float], scores: Sequence[int]) -> float:
    """The squared error of the expected points, over their variance, at the scale with the smallest; else NaN."""
    targets = [expected(score / CENTIPAWNS_PER_LOGIT) for score in scores]
    mean = sum(targets) / max(len(targets), 1)
    variance = sum((target - mean) ** 2 for target in targets)

    def error(scale: float) -> float:
        return sum((expected(value * scale) - target) ** 2 for value, target in zip(values, targets, strict=True))

    low, high = 0.01, 100.0
    for _ in range(40):  # ternary search by ratio
        third = (high / low) ** (1 / 3)
        if error(low * third) < error(high / third):
            high /= third
        else:
            low *= third
    return error(low) / variance if variance else math.nan


def read_scored(path: Path, line: str) -> Scored:
    try:
        position = json.loads(line)
        return Scored(position["fen"], position["score"])
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"{path}: expected a 'fen' and a 'score' in line '{line}'") from None


def referee_scores(arguments: argparse.Namespace) -> list[Scored]:
    cache: Path | None = arguments.scores
    if cache is not None and cache.exists():
        return [read_scored(cache, line) for line in cache.read_text().splitlines()]
    if arguments.pgn is None:
        raise ValueError("no games (name a PGN, or --scores with a file that exists)")
    fens = quiet_positions(arguments.pgn, arguments.positions, arguments.seed)
    nodes = arguments.nodes
    scores = for_all(
        fens, arguments.jobs, arguments.referee, ["Hash value 16"], lambda engine, fen: centipawns(engine, fen, nodes)
    )
    scored = [Scored(fen, int(score)) for fen, score in zip(fens, scores, strict=True)]
    if cache is not None:
        cache.write_text("".join(json.dumps(vars(position)) + "\n" for position in scored))
    return scored


def main(words: Sequence[str] | None = None) -> int:
    parser = parser_for(__doc__)
    parser.add_argument("pgn", type=Path, nargs="?", metavar="PGN")
    add_engine(parser)
    parser.add_argument(
        "--net", action="append", default=[], metavar="FILE", help="may be repeated; default: the built-in network"
    )
    parser.add_argument(
        "--referee", type=program_path, default=str(DEFAULT_ENGINE), metavar="PROGRAM", help="default: target/release/castellan"
    )
    parser.add_argument("--nodes", type=positive, default=100_000, help="of the referee, per position; default %(default)s")
    parser.add_argument("--positions", type=positive, default=2500, help="at most; default %(default)s")
    parser.add_argument("--scores", type=Path, metavar="FILE", help="the referee's scores as JSON lines")
    parser.add_argument("--jobs", type=positive, default=1, help="engines at the same time; default %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="of the choice of positions; default %(default)s")
    arguments = parser.parse_args(words)
    try:
        scored = referee_scores(arguments)
        print(f"{'network':<20}" + "".join(f"{name:>14}" for name, _, _ in GROUPS))
        for net in arguments.net or [None]:
            options = [f"EvalFile value {Path(net).resolve()}"] if net else []
            values = for_all([position.fen for position in scored], arguments.jobs, arguments.engine, options, static_value)
            row = f"{Path(net).name if net else 'built-in':<20}"
            for _, least, most in GROUPS:
                group = [number for number, position in enumerate(scored) if least <= position.pieces <= most]
                share = unexplained([values[number] for number in group], [scored[number].score for number in group])
                row += "-".rjust(14) if math.isnan(share) else f"{share:14.4f}"
            print(row)
    except (OSError, ValueError, EngineError) as error:
        print(f"eval_quality: {error}", file=sys.stderr)
        return EXIT_USAGE
    return EXIT_OK


if __name__ == "__main__":
    sys.exit(main())
