"""Results as text and as JSON. It computes nothing about strength itself: stats.py and ratings.py do."""

from __future__ import annotations

import math
from typing import Any

from .ratings import joint_ratings
from .results import Results
from .stats import Sprt, Tally

FAULT_DETAILS = 20


def elo_text(tally: Tally) -> str:
    error = tally.elo_error()
    return f"{_signed(tally.elo())} ± {'?' if error is None else _plain(error)}"


def short_status(results: Results, sprt: Sprt | None) -> str:
    """One line for the progress bar; with several pairings only the number of faults is worth the place."""
    parts: list[str] = []
    if len(results.tallies) == 1:
        tally = next(iter(results.tallies.values()))
        parts.append(f"+{tally.wins} ={tally.draws} -{tally.losses} Elo {elo_text(tally)}")
        if sprt is not None:
            parts.append(f"LLR {sprt.llr(tally):.2f}")
    if results.faults:
        parts.append(f"FAULTS {len(results.faults)}")
    return " ".join(parts)


def text_report(results: Results, sprt: Sprt | None, verdict: str | None) -> str:
    """Everything a person wants to read at the end."""
    lines: list[str] = []
    for (i, j), tally in results.tallies.items():
        if not tally.games:
            lines.append(f"{results.names[i]} vs {results.names[j]}: no game finished")
            continue
        los = tally.los()
        lines += [
            f"{results.names[i]} vs {results.names[j]}: {tally.games} games"
            f"  W {tally.wins}  D {tally.draws}  L {tally.losses}  score {100 * tally.score:.1f} %",
            f"  Elo {elo_text(tally)} (95 %)  LOS {'?' if los is None else f'{100 * los:.1f} %'}"
            f"  pairs 0, ½, 1, 1½, 2: {list(tally.pairs)}",
        ]
        if sprt is not None:
            state = {"H1": f"H1 accepted: at least {sprt.elo1:g}", "H0": f"H0 accepted: at most {sprt.elo0:g}"}
            lines.append(
                f"  SPRT elo0 {sprt.elo0:g} elo1 {sprt.elo1:g} alpha {sprt.alpha:g} beta {sprt.beta:g}:"
                f" LLR {sprt.llr(tally):.3f} in [{sprt.lower:.3f}, {sprt.upper:.3f}], {state.get(verdict or '', 'undecided')}"
            )
    if len(results.names) > 2:
        lines += ["", "Joint fit of all pairings (mean 0):"]
        width = max(len(name) for name in results.names)
        lines.append(f"  {'engine':<{width}}      Elo    ±95 %  games   score")
        for row in joint_ratings(results.names, results.tallies):
            lines.append(
                f"  {row.name:<{width}}  {row.elo:+7.1f}  {row.error:7.1f}  {row.games:5}  {100 * row.score:5.1f} %"
            )
    if results.endings:
        endings = ", ".join(f"{reason} {count}" for reason, count in results.endings.most_common())
        lines += ["", f"Endings: {endings}"]
    if results.think_ns:
        lines.append(f"Manager: {100 * results.manager_cpu_ns / results.think_ns:.2f} % CPU of the engines' thinking time")
    return "\n".join([*lines, *_fault_lines(results)])


def _fault_lines(results: Results) -> list[str]:
    if not results.faults:
        return ["Faults: none"]
    lines = [f"Faults: {len(results.faults)}"]
    for engine, counts in results.fault_counts().items():
        lines.append(f"  {engine}: " + ", ".join(f"{kind.value} {count}" for kind, count in counts.items()))
    told = [fault for fault in results.faults if fault.detail][:FAULT_DETAILS]
    lines += [f"    {fault.engine}, ply {fault.ply}, {fault.kind.value}: {fault.detail}" for fault in told]
    return lines


def json_report(results: Results, sprt: Sprt | None, verdict: str | None, interrupted: bool) -> dict[str, Any]:
    """The same facts for programs; infinite and unknown numbers are null."""
    matches: list[dict[str, Any]] = []
    for (i, j), tally in results.tallies.items():
        row: dict[str, Any] = {
            "first": results.names[i], "second": results.names[j], "games": tally.games,
            "wins": tally.wins, "draws": tally.draws, "losses": tally.losses, "pairs": list(tally.pairs),
            "score": tally.score, "elo": _finite(tally.elo()), "elo_error": _finite(tally.elo_error()),
            "los": tally.los(),
        }  # fmt: skip
        if sprt is not None:
            row["sprt"] = {**vars(sprt), "llr": sprt.llr(tally), "lower": sprt.lower, "upper": sprt.upper,
                           "verdict": verdict}  # fmt: skip
        matches.append(row)
    return {
        "interrupted": interrupted,
        "pairings": matches,
        "ratings": [vars(row) for row in joint_ratings(results.names, results.tallies)],
        "endings": dict(results.endings),
        "faults": {
            engine: {kind.value: count for kind, count in counts.items()}
            for engine, counts in results.fault_counts().items()
        },
        "fault_details": [fault.to_json() for fault in results.faults],
        "think_s": results.think_ns / 1e9,
        "manager_cpu_s": results.manager_cpu_ns / 1e9,
    }


def _signed(value: float) -> str:
    return f"{value:+.1f}" if math.isfinite(value) else ("+∞" if value > 0 else "-∞")


def _plain(value: float) -> str:
    return f"{value:.1f}" if math.isfinite(value) else "∞"


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
