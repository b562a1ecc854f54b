#!/usr/bin/env python3
"""Trains a network on an NVIDIA GPU: the epochs of `castellan-train train`.

    castellan-train train games.cg --out new.net --hidden 512 --export     # new.checkpoint, new.train, new.validation
    training/train_gpu.py new.checkpoint                                   # all epochs
    castellan-train quantise new.checkpoint --out new.net

Needs NumPy, PyTorch with CUDA, and Triton. Arithmetic and hyperparameters are those of `castellan-train`, but the sums of a
step have no fixed order: two runs differ in their last digits, and so does a run from what the CPU makes of the same recipe.
Exit status: 0 trained, 2 the files cannot be used.
"""

from __future__ import annotations

import argparse
import math
import struct
import sys
import time
import tomllib
import zlib
from pathlib import Path

import numpy as np
import torch
import triton
import triton.language as tl

FEATURES = 768
LANES = 64  # columns of a tile
QA, QB = 160, 64  # quantisation of the feature layer and of the output weights
FEATURE_CLIP, OUTPUT_CLIP, BIAS_CLIP = 0.79, 0.99, 1.98
BETA1, BETA2 = 0.9, 0.999
HEAD = struct.Struct("<3I64sHQQQdI")
EPOCH = struct.Struct("<QQdddd")
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


class Checkpoint:
    """The file of `training/src/train/checkpoint.rs`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        content = path.read_bytes()
        if content[:12] != b"CASTLRUN\x02\0\0\0" or zlib.crc32(content[:-4]) != int.from_bytes(content[-4:], "little"):
            raise ValueError(f"{path}: damaged or not a checkpoint of this version")
        at = 12
        for _ in range(2):
            at += 4 + int.from_bytes(content[at : at + 4], "little")
        self.before = content[:at]
        length = int.from_bytes(content[12:16], "little")
        recipe = tomllib.loads(content[16 : 16 + length].decode())
        self.recipe, self.from_network = recipe["training"], "init" in recipe
        *counts, king_map, self.scale, self.epochs, epoch, batch, _, history = HEAD.unpack_from(content, at)
        if epoch or batch or history:
            raise ValueError(f"{path}: the run has begun (write it anew with --export)")
        self.counts, self.king_map = counts, king_map
        at += HEAD.size + 8
        tiles = np.frombuffer(content[at:-4], dtype="<f4").copy()
        hidden, kings, outputs = counts
        rows = [kings * FEATURES, 1, outputs * 2]
        self.rows, self.parts = rows, hidden // LANES
        self.size = sum(rows) * hidden + LANES
        self.weights = self.tensors(torch.from_numpy(tiles[: self.size]))

    def tensors(self, tiles: torch.Tensor) -> list[torch.Tensor]:
        """Feature weights and biases, output weights and biases, from tiles: parts of 64 columns, rows of each part."""
        found, at = [], 0
        for rows in self.rows:
            size = rows * self.parts * LANES
            tensor = tiles[at : at + size].view(self.parts, rows, LANES)
            found.append(tensor.transpose(0, 1).reshape(rows, -1).contiguous().to(DEVICE))
            at += size
        return [*found, tiles[at : at + LANES].clone().to(DEVICE)]

    def tiles(self, tensors: list[torch.Tensor]) -> bytes:
        parts = [t.view(t.shape[0], -1, LANES).transpose(0, 1) if t.dim() > 1 else t for t in tensors]
        return torch.cat([part.reshape(-1) for part in parts]).cpu().numpy().astype("<f4").tobytes()

    def save(self, weights: list[torch.Tensor], history: list[tuple[float, ...]], steps: int) -> None:
        """The finished run. The moments are those of a new optimiser: nothing reads them again."""
        hidden, kings, _ = self.counts
        shared = 2 * FEATURES * hidden if kings > 1 else 0
        content = self.before + HEAD.pack(
            *self.counts, self.king_map, self.scale, self.epochs, len(history), 0, 0.0, len(history)
        )
        content += b"".join(EPOCH.pack(*row) for row in history) + struct.pack("<Q", steps)
        content += self.tiles(weights) + bytes(4 * (2 * self.size + shared))
        new = self.path.with_name(self.path.name + ".new")
        new.write_bytes(content + struct.pack("<I", zlib.crc32(content)))
        new.replace(self.path)


class Positions:
    """Active features of both sides (−1 past the last piece), output buckets and targets, on the device."""

    def __init__(self, path: Path, run: Checkpoint) -> None:
        records = (
            np.memmap(path, dtype=np.uint8, mode="r").reshape(-1, 32) if path.stat().st_size else np.empty((0, 32), np.uint8)
        )
        count = len(records)
        self.features = torch.full((count, 2, 32), -1, dtype=torch.int16, device=DEVICE)
        self.buckets = torch.empty(count, dtype=torch.int32, device=DEVICE)
        self.targets = torch.empty(count, dtype=torch.float32, device=DEVICE)
        king_map = torch.tensor(list(run.king_map), device=DEVICE)
        for start in range(0, count, 1 << 20):
            part = torch.from_numpy(np.array(records[start : start + (1 << 20)])).to(DEVICE)
            self.fill(slice(start, start + len(part)), part, king_map, run)

    def __len__(self) -> int:
        return len(self.targets)

    def fill(self, places: slice, records: torch.Tensor, king_map: torch.Tensor, run: Checkpoint) -> None:
        squares = torch.arange(64, device=DEVICE)
        occupied = (records[:, squares // 8] >> (squares % 8).to(torch.uint8)) & 1
        count = occupied.sum(1, dtype=torch.int32)
        number, square = occupied.nonzero(as_tuple=True)
        place = (occupied.cumsum(1, dtype=torch.int32) - 1)[number, square].long()
        piece = (records[number, 8 + place // 2].long() >> (place % 2 * 4)) & 15
        own, role = piece < 8, piece % 8
        kings = records[:, 27:29].long()
        sides = ((own, square, kings[:, 0], kings[:, 0]), (~own, square ^ 56, kings[:, 1], kings[:, 1] ^ 56))
        for side, (ours, seen, king, relative) in enumerate(sides):
            feature = (torch.where(ours, role, role + 6) * 64 + seen) ^ torch.where(king[number] % 8 > 3, 7, 0)
            feature += king_map[relative][number].long() * FEATURES
            self.features[places][number, side, place] = feature.to(torch.int16)
        outputs = run.counts[2]
        self.buckets[places] = ((count - 2) * outputs // 32).clamp(max=outputs - 1)
        scores = records[:, 24].int() + records[:, 25].int() * 256
        scores = torch.where(scores > 32767, scores - 65536, scores)
        expected = torch.sigmoid(scores.float() / run.scale)
        results, wdl = records[:, 26], run.recipe["wdl"]
        self.targets[places] = torch.where(results == 255, expected, wdl * results.float() / 2 + (1 - wdl) * expected)


@triton.jit
def forward_backward(
    order, features, buckets, targets, weights, biases, outputs, output_biases,  # inputs
    gradient, bias_gradient, output_gradient, slopes, losses,  # results
    UNIT: tl.constexpr, HIDDEN: tl.constexpr, BACKWARD: tl.constexpr,
):  # fmt: skip
    """One position: its loss, and the gradient of it for all weights."""
    example = tl.program_id(0)
    position = tl.load(order + example).to(tl.int64)
    column = tl.arange(0, HIDDEN)
    bucket = tl.load(buckets + position)
    ours = tl.load(biases + column).to(tl.int32)
    theirs = ours
    count = 0
    feature = tl.load(features + position * 64).to(tl.int32)
    while feature >= 0:
        ours += tl.load(weights + feature * HIDDEN + column)
        opposite = tl.load(features + position * 64 + 32 + count).to(tl.int32)
        theirs += tl.load(weights + opposite * HIDDEN + column)
        count += 1
        feature = tl.load(features + position * 64 + count, mask=count < 32, other=-1).to(tl.int32)
    ours = ours.to(tl.float32) * UNIT
    theirs = theirs.to(tl.float32) * UNIT
    our_clipped = tl.minimum(tl.maximum(ours, 0.0), 1.0)
    their_clipped = tl.minimum(tl.maximum(theirs, 0.0), 1.0)
    our_outputs = tl.load(outputs + bucket * 2 * HIDDEN + column)
    their_outputs = tl.load(outputs + (bucket * 2 + 1) * HIDDEN + column)
    products = our_clipped * our_clipped * our_outputs + their_clipped * their_clipped * their_outputs
    logit = tl.sum(products, 0) + tl.load(output_biases + bucket)
    prediction = 1.0 / (1.0 + tl.exp(-logit))
    error = prediction - tl.load(targets + position)
    tl.store(losses + example, error * error)
    if BACKWARD:
        slope = 2.0 * error * prediction * (1.0 - prediction)
        tl.store(slopes + example, slope)
        tl.store(output_gradient + example * 2 * HIDDEN + column, slope * our_clipped * our_clipped)
        tl.store(output_gradient + (example * 2 + 1) * HIDDEN + column, slope * their_clipped * their_clipped)
        our_gradient = tl.where(ours < 1.0, slope * our_outputs * 2.0 * our_clipped, 0.0)
        their_gradient = tl.where(theirs < 1.0, slope * their_outputs * 2.0 * their_clipped, 0.0)
        tl.store(bias_gradient + example * HIDDEN + column, our_gradient + their_gradient)
        for place in range(0, count):
            feature = tl.load(features + position * 64 + place).to(tl.int32)
            tl.atomic_add(gradient + feature * HIDDEN + column, our_gradient, sem="relaxed")
            opposite = tl.load(features + position * 64 + 32 + place).to(tl.int32)
            tl.atomic_add(gradient + opposite * HIDDEN + column, their_gradient, sem="relaxed")


@triton.jit
def adam_features(
    weights, origin, first, second, shared_first, shared_second, gradient, rounded,
    mean_factor, kept, rate, correction, epsilon, own_rate,
    CLIP: tl.constexpr, ONE: tl.constexpr, SIZE: tl.constexpr, KINGS: tl.constexpr, BLOCK: tl.constexpr,
    BETA1: tl.constexpr, BETA2: tl.constexpr,
):  # fmt: skip
    """A step of the same feature weights in all king buckets, each the sum of its own and of shared ones (factoriser)."""
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    shared = tl.zeros((BLOCK,), tl.float32)
    if KINGS > 1:
        total = tl.zeros((BLOCK,), tl.float32)
        for king in range(KINGS):
            total += tl.load(gradient + king * SIZE + place)
        total *= mean_factor
        mean = tl.load(shared_first + place) * BETA1 + total * (1.0 - BETA1)
        square = tl.load(shared_second + place) * BETA2 + total * total * (1.0 - BETA2)
        tl.store(shared_first + place, mean)
        tl.store(shared_second + place, square)
        shared = rate * mean / tl.sqrt(square * correction + epsilon * epsilon)
    for king in range(KINGS):
        at = king * SIZE + place
        own = tl.load(gradient + at) * mean_factor
        tl.store(gradient + at, tl.zeros((BLOCK,), tl.float32))
        mean = tl.load(first + at) * BETA1 + own * (1.0 - BETA1)
        square = tl.load(second + at) * BETA2 + own * own * (1.0 - BETA2)
        tl.store(first + at, mean)
        tl.store(second + at, square)
        step = own_rate * rate * mean / tl.sqrt(square * correction + epsilon * epsilon) + shared
        start = tl.load(origin + at)
        moved = start + (tl.load(weights + at) - start) * kept - step
        moved = tl.minimum(tl.maximum(moved, -CLIP), CLIP)
        tl.store(weights + at, moved)
        # Adding and subtracting 1.5 · 2²³ rounds to the nearest integer, the even one of two.
        tl.store(rounded + at, ((moved * ONE + 12582912.0) - 12582912.0).to(tl.int16))


class Trainer:
    def __init__(self, run: Checkpoint) -> None:
        self.run = run
        self.hidden, self.kings, self.outputs = run.counts
        self.weights = run.weights
        # What weight decay pulls the weights towards: the network that the run starts from, or zero.
        self.origin = [weights.clone() if run.from_network else torch.zeros_like(weights) for weights in run.weights]
        self.first = [torch.zeros_like(weights) for weights in run.weights]
        self.second = [torch.zeros_like(weights) for weights in run.weights]
        self.shared = torch.zeros(2, FEATURES * self.hidden, device=DEVICE)
        self.gradient = torch.zeros_like(run.weights[0])
        # The unit of the output layer: the finest with which clipped output weights fit into a byte.
        header = math.ceil(run.scale * QB / (127 / OUTPUT_CLIP))
        self.output_one = QB * run.scale / header
        self.steps = 0
        self.rounded = [quantise(self.weights[0], QA).to(torch.int16), *([self.weights[1]] * 3)]
        self.round()

    def round(self) -> None:
        """The weights as the quantised network has them, but for the feature weights."""
        _, biases, outputs, output_biases = self.weights
        one = self.output_one
        self.rounded[1:] = [
            quantise(biases, QA).to(torch.int16),
            quantise(outputs, one) / one,
            quantise(output_biases, one * QA) / (one * QA),
        ]

    def buffers(self, batch: int) -> tuple[torch.Tensor, ...]:
        shapes = ((batch, self.hidden), (batch, 2 * self.hidden), (batch,), (batch,))
        return tuple(torch.empty(shape, device=DEVICE) for shape in shapes)

    def passes(self, data: Positions, order: torch.Tensor, buffers: tuple[torch.Tensor, ...], backward: bool) -> None:
        forward_backward[(len(order),)](
            order, data.features, data.buckets, data.targets, *self.rounded, self.gradient, *buffers,
            UNIT=1 / QA, HIDDEN=self.hidden, BACKWARD=backward, num_warps=4,
        )  # fmt: skip

    def step(self, data: Positions, order: torch.Tensor, buffers: tuple[torch.Tensor, ...], rate: float) -> torch.Tensor:
        """One step; returns the summed loss before it."""
        self.passes(data, order, buffers, backward=True)
        bias_gradient, output_gradient, slopes, losses = buffers
        chosen = torch.nn.functional.one_hot(data.buckets[order].long(), self.outputs).float().T
        gradients = [
            bias_gradient.sum(0, keepdim=True),
            (chosen @ output_gradient).view(self.outputs * 2, self.hidden),
            torch.nn.functional.pad(chosen @ slopes, (0, LANES - self.outputs)),
        ]
        self.steps += 1
        recipe, mean = self.run.recipe, 1 / len(order)
        kept, epsilon = 1 - rate * recipe["decay"], recipe["epsilon"]
        corrected, correction = rate / (1 - BETA1**self.steps), 1 / (1 - BETA2**self.steps)
        size, block = FEATURES * self.hidden, 256
        own_rate = recipe["bucket_rate"] if self.kings > 1 else 1.0
        adam_features[(size // block,)](
            self.weights[0], self.origin[0], self.first[0], self.second[0], *self.shared, self.gradient, self.rounded[0],
            mean, kept, corrected, correction, epsilon, own_rate,
            CLIP=FEATURE_CLIP, ONE=QA, SIZE=size, KINGS=self.kings, BLOCK=block, BETA1=BETA1, BETA2=BETA2,
        )  # fmt: skip
        for index, gradient in enumerate(gradients, 1):
            gradient *= mean
            weights, first, second = self.weights[index], self.first[index], self.second[index]
            first.mul_(BETA1).add_(gradient, alpha=1 - BETA1)
            second.mul_(BETA2).addcmul_(gradient, gradient, value=1 - BETA2)
            clip = OUTPUT_CLIP if index == 2 else BIAS_CLIP
            step = corrected * first / torch.sqrt(second * correction + epsilon * epsilon)
            moved = self.origin[index] + (weights - self.origin[index]) * kept - step
            weights.copy_(moved.clamp(-clip, clip))
        self.round()
        return losses.sum()

    def loss(self, data: Positions, batch: int) -> float:
        """The mean loss over positions."""
        if not len(data):
            return math.nan
        total = torch.zeros((), dtype=torch.float64, device=DEVICE)
        for order in torch.arange(len(data), device=DEVICE).split(batch):
            buffers = self.buffers(len(order))
            self.passes(data, order, buffers, backward=False)
            total += buffers[3].sum(dtype=torch.float64)
        return total.item() / len(data)


def quantise(weights: torch.Tensor, one: float) -> torch.Tensor:
    return (weights * one).round()


def train(run: Checkpoint, positions: Positions, validation: Positions) -> None:
    trainer, recipe = Trainer(run), run.recipe
    batch = min(recipe["batch"], len(positions))
    batches = len(positions) // batch
    generator = torch.Generator(DEVICE).manual_seed(recipe["seed"])
    buffers, history = trainer.buffers(batch), []
    print(f"before: validation {trainer.loss(validation, batch):.6f}", flush=True)
    for epoch in range(run.epochs):
        started, total = time.monotonic(), torch.zeros((), dtype=torch.float64, device=DEVICE)
        shuffled = torch.randperm(len(positions), generator=generator, device=DEVICE)
        for number in range(batches):
            done = (epoch * batches + number) / (batches * run.epochs)
            rate = recipe["rate"] * (0.01 + 0.99 * (1 + math.cos(done * math.pi)) / 2)
            total += trainer.step(positions, shuffled[number * batch : (number + 1) * batch], buffers, rate)
        mean = total.item() / (batches * batch)
        loss, speed = trainer.loss(validation, batch), batches * batch / (time.monotonic() - started)
        history.append((epoch + 1, batches * batch * (epoch + 1), mean, loss, rate, speed))
        print(f"epoch {epoch + 1}/{run.epochs}  train {mean:.6f}  validation {loss:.6f}  {speed:.0f} positions/s", flush=True)
    run.save(trainer.weights, history, trainer.steps)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "checkpoint", type=Path, help="written by castellan-train train --export; replaced with the finished run"
    )
    arguments = parser.parse_args()
    try:
        run = Checkpoint(arguments.checkpoint)
        positions, validation = (Positions(arguments.checkpoint.with_suffix(end), run) for end in (".train", ".validation"))
    except (OSError, ValueError) as error:
        print(f"train_gpu.py: {error}", file=sys.stderr)
        return 2
    print(f"{len(positions)} positions, {len(validation)} for validation; {DEVICE}", flush=True)
    train(run, positions, validation)
    return 0


if __name__ == "__main__":
    sys.exit(main())
