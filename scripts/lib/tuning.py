"""The arithmetic of SPSA and its saved state; it knows no engines.

Simultaneous perturbation: every parameter is pushed up or down at random by its c, the two opposite points play each
other, and all parameters move along their push by how the pair went. The gains follow Spall's recommended schedule:
c_k = c / k^gamma, a_k = a / (A + k)^alpha, given through their values at the last iteration, which a person can judge.
"""

from __future__ import annotations

import json
import math
import os
import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ALPHA = 0.602
GAMMA = 0.101
STABILITY_SHARE = 0.1  # A as a share of all iterations
FORMAT = 1


class TuningError(ValueError):
    """The parameters or the state file cannot be used; the text says why."""


@dataclass(frozen=True)
class Parameter:
    """A row of the engine's table: `step` is the push that should still be felt at the end (c_end)."""

    name: str
    default: int
    minimum: int
    maximum: int
    step: float


@dataclass(frozen=True)
class Schedule:
    """How many iterations, and how far one won pair moves a parameter at the end, in units of its step squared."""

    iterations: int
    r_end: float

    def push(self, parameter: Parameter, k: int) -> float:
        """c_k for iteration k, counted from 1."""
        return parameter.step * math.pow(self.iterations / k, GAMMA)

    def gain(self, parameter: Parameter, k: int) -> float:
        """a_k / c_k: what one point of a pair's result moves the parameter."""
        stability = STABILITY_SHARE * self.iterations
        a_end = self.r_end * parameter.step**2
        a_k = a_end * math.pow((stability + self.iterations) / (stability + k), ALPHA)
        return a_k / self.push(parameter, k)


@dataclass(frozen=True)
class Probe:
    """One iteration's two opposite points, as the whole numbers an engine takes."""

    k: int
    signs: dict[str, int]
    plus: dict[str, int]
    minus: dict[str, int]


class Tuning:
    """The current values and how far the tuning is. Everything but the games is reproducible from the seed."""

    def __init__(self, parameters: Sequence[Parameter], schedule: Schedule, seed: int) -> None:
        self.parameters = list(parameters)
        self.schedule = schedule
        self.seed = seed
        self.values: dict[str, float] = {parameter.name: float(parameter.default) for parameter in parameters}
        self.finished = 0

    def probe(self, k: int) -> Probe:
        """The points of iteration k around the current values. Rounding is random, so that small pushes count too."""
        chance = random.Random(f"{self.seed}/{k}")
        signs: dict[str, int] = {}
        plus: dict[str, int] = {}
        minus: dict[str, int] = {}
        for parameter in self.parameters:
            sign = chance.choice((-1, 1))
            push = self.schedule.push(parameter, k)
            signs[parameter.name] = sign
            for point, direction in ((plus, sign), (minus, -sign)):
                value = self.values[parameter.name] + direction * push
                rounded = int(value // 1) + (chance.random() < value % 1)
                point[parameter.name] = min(max(rounded, parameter.minimum), parameter.maximum)
        return Probe(k, signs, plus, minus)

    def learn(self, probe: Probe, result: float) -> None:
        """Moves every value by the pair's result: wins minus losses of the plus side, from -2 to 2."""
        for parameter in self.parameters:
            value = self.values[parameter.name]
            value += self.schedule.gain(parameter, probe.k) * result * probe.signs[parameter.name]
            self.values[parameter.name] = min(max(value, float(parameter.minimum)), float(parameter.maximum))
        self.finished += 1

    def save(self, path: str, settings: Mapping[str, Any]) -> None:
        """Writes a new file and renames it: an interruption leaves the old state or the new one, whole."""
        data = {
            "format": FORMAT, "settings": settings, "seed": self.seed, "schedule": asdict(self.schedule),
            "parameters": [asdict(parameter) for parameter in self.parameters],
            "finished": self.finished, "values": self.values,
        }  # fmt: skip
        temporary = f"{path}.new"
        Path(temporary).write_text(json.dumps(data, indent=1) + "\n")
        os.replace(temporary, path)

    def load(self, path: str, settings: Mapping[str, Any]) -> None:
        """Takes values and progress from a state of the same tuning."""
        try:
            data = json.loads(Path(path).read_text())
            ours = {
                "settings": json.loads(json.dumps(settings)), "seed": self.seed, "schedule": asdict(self.schedule),
                "parameters": [asdict(parameter) for parameter in self.parameters],
            }  # fmt: skip
            for key, value in ours.items():
                if data[key] != value:
                    raise TuningError(f"{path} belongs to another tuning: {key} was {data[key]}, now {value}")
            self.values = {parameter.name: float(data["values"][parameter.name]) for parameter in self.parameters}
            self.finished = int(data["finished"])
        except (KeyError, TypeError, json.JSONDecodeError) as error:
            raise TuningError(f"{path} is not the state of a tuning ({error!r})") from None


def read_parameters(tune_lines: Sequence[str], offered: Mapping[str, str]) -> list[Parameter]:
    """Reads `info string tune NAME DEFAULT MIN MAX STEP` lines. `offered` maps option names (lower case) to kinds:
    a parameter that cannot be set as a spin option is an error."""
    parameters: list[Parameter] = []
    for line in tune_lines:
        words = line.split()
        if words[:3] != ["info", "string", "tune"]:
            continue
        try:
            name, default, minimum, maximum, step = words[3:]
            parameter = Parameter(name, int(default), int(minimum), int(maximum), float(step))
        except ValueError:
            raise TuningError(f"'{line}' is not 'info string tune NAME DEFAULT MIN MAX STEP'") from None
        if not parameter.minimum <= parameter.default <= parameter.maximum or parameter.step <= 0:
            raise TuningError(f"'{line}': the default must lie within the range and the step be positive")
        kind = offered.get(name.lower())
        if kind != "spin":
            raise TuningError(f"parameter '{name}' is {'no' if kind is None else f'a {kind}, not a spin'} option of the engine")
        parameters.append(parameter)
    return parameters
