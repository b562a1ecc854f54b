"""Match results as text, Markdown and JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from .match import Results
from .stats import Sprt, Tally
from .uci import Fault

SHOWN_FAULTS = 20


def elo_text(tally: Tally) -> str:
    error = tally.elo_error()
    return f"{_number(tally.elo(), '+.1f')} ± {'?' if error is None else _number(error, '.1f')}"


def status(results: Results, sprt: Sprt | None = None) -> str:
    """For the progress bar."""
    tally = results.tally
    parts = [f"+{tally.wins} ={tally.draws} -{tally.losses} Elo {elo_text(tally)}"]
    if sprt is not None:
        parts.append(f"LLR {sprt.llr(tally):.2f}")
    if results.faults:
        parts.append(f"FAULTS {len(results.faults)}")
    return " ".join(parts)


def table(rows: Iterable[tuple[str, str, Tally]]) -> str:
    """A Markdown table of pairings."""
    lines = ["| engine | opponent | games | W – D – L | score | Elo (95 %) |", "|---|---|--:|--:|--:|--:|"]
    for first, second, tally in rows:
        lines.append(
            f"| {first} | {second} | {tally.games} | {tally.wins} – {tally.draws} – {tally.losses}"
            f" | {100 * tally.score:.1f} % | {elo_text(tally)} |"
        )
    return "\n".join(lines)


def text_report(results: Results, sprt: Sprt | None) -> str:
    tally, los = results.tally, results.tally.los()
    lines = [table([(results.first, results.second, tally)]), ""]
    lines.append(f"LOS {'?' if los is None else f'{100 * los:.1f} %'}  pairs 0, ½, 1, 1½, 2: {list(tally.pairs)}")
    if sprt is not None:
        verdicts = {"H1": f"H1 accepted: at least {sprt.elo1:g}", "H0": f"H0 accepted: at most {sprt.elo0:g}"}
        lines.append(
            f"SPRT elo0 {sprt.elo0:g} elo1 {sprt.elo1:g} alpha {sprt.alpha:g} beta {sprt.beta:g}: LLR {sprt.llr(tally):.3f}"
            f" in [{sprt.lower:.3f}, {sprt.upper:.3f}], {verdicts.get(sprt.verdict(tally) or '', 'undecided')}"
        )
    if results.endings:
        lines.append("Endings: " + ", ".join(f"{reason} {count}" for reason, count in results.endings.most_common()))
    lines.append(f"Faults: {len(results.faults) or 'none'}")
    for engine, counts in results.fault_counts().items():
        lines.append(f"  {engine}: " + ", ".join(f"{kind} {count}" for kind, count in counts.items()))
    return "\n".join([*lines, *fault_lines(results.faults)])


def fault_lines(faults: Iterable[Fault]) -> list[str]:
    described = [fault for fault in faults if fault.detail][:SHOWN_FAULTS]
    return [f"    {fault.engine}, ply {fault.ply}, {fault.kind}: {fault.detail}" for fault in described]


def json_report(results: Results, sprt: Sprt | None) -> dict[str, Any]:
    """The same facts for programs; infinite and unknown numbers are null."""
    tally = results.tally
    pairing = {"first": results.first, "second": results.second, "games": tally.games, "score": tally.score, **asdict(tally)}
    pairing |= {"elo": _finite(tally.elo()), "elo_error": _finite(tally.elo_error()), "los": tally.los()}
    if sprt is not None:
        bounds = {"llr": sprt.llr(tally), "lower": sprt.lower, "upper": sprt.upper, "verdict": sprt.verdict(tally)}
        pairing["sprt"] = asdict(sprt) | bounds
    return {
        "interrupted": results.interrupted,
        "pairings": [pairing],
        "endings": dict(results.endings),
        "faults": {engine: dict(counts) for engine, counts in results.fault_counts().items()},
        "fault_details": [asdict(fault) for fault in results.faults],
    }


def _number(value: float, style: str) -> str:
    return format(value, style) if math.isfinite(value) else "-∞" if value < 0 else "+∞" if "+" in style else "∞"


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
