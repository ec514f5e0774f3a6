"""Train the reader on the lines of the shards, with checkpoints to go on from.

    python training/reader/train.py --shards DIRECTORY --run DIRECTORY --minutes 60 [--seed 0] [--from-shipped --peak 1e-3]

`--minutes` is time of the processor, not of the clock, so that a busy machine gives the same training. New shards are
taken in as they appear. `last.pt` in the run's directory holds everything; the same command goes on from it. A new run
begins from nothing, or with `--from-shipped` from the weights that ship (`weights.py`): then a third of the usual peak of
the rate is enough.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import random
import time
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import torch
from alphabet import CLASSES, INDEX
from net import ANSWERS, STRIDE, Net
from shading import shaded
from shards import Line, load
from torch import nn
from weights import LINES, start

from rpa_vision.imaging.line_picture import HEIGHT_PX, as_ink

PEAK = 3e-3
COLUMNS = 12_000
"""Columns of ink in a batch."""
WIDEST = 900
MOST = 3000
"""Lines drawn from one file at a time."""
SHADED = 0.3
"""The share of lines laid on shaded paper."""
SHARES = {"web": 6, "qt": 1, "pango": 1, "factory": 3, "factoryqt": 2, "factorygtk": 1, "faces": 4}
"""Files drawn of each source at a time."""


class Shards:
    """Draws lines from files of every source alike, those least used first.

    Sources are told by the file's name up to the first dash. A mixture that shifts while the rate falls would leave the
    net good at what came last only.
    """

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self.folder, self.chance = folder, chance
        self.used: dict[str, int] = {}
        self.kept: dict[str, list[Line]] = {}

    def draw(self) -> list[Line]:
        by_source: dict[str, list[str]] = {}
        for path in sorted(self.folder.glob("*.npz")):
            by_source.setdefault(path.name.split("-")[0], []).append(path.name)
        lines = []
        for source, names in by_source.items():
            least_used = sorted(names, key=lambda name: (self.used.get(name, 0), self.chance.random()))
            for name in least_used[: SHARES.get(source, 1)]:
                self.used[name] = self.used.get(name, 0) + 1
                if name not in self.kept:
                    self.kept[name] = load(self.folder / name)
                lines += self.chance.sample(self.kept[name], min(MOST, len(self.kept[name])))
        return lines


def batches(lines: list[Line], chance: random.Random) -> Iterator[list[tuple[np.ndarray, list[int]]]]:
    """Lines of like width together, in random order."""
    made = []
    for line in lines:
        ink = as_ink(_changed(line.picture, chance), _stretch(chance))
        wanted = [INDEX[char] for char in line.text]
        twins = sum(a == b for a, b in pairwise(wanted))
        if ink.shape[1] <= WIDEST and len(wanted) + twins <= ANSWERS * (ink.shape[1] // STRIDE):
            made.append((ink, wanted))
    made.sort(key=lambda item: item[0].shape[1] + chance.uniform(-6, 6))
    groups, at = [], 0
    while at < len(made):
        size = max(6, min(96, COLUMNS // made[min(at + 8, len(made) - 1)][0].shape[1]))
        groups.append(made[at : at + size])
        at += size
    chance.shuffle(groups)
    yield from groups


def _changed(picture: np.ndarray, chance: random.Random) -> np.ndarray:
    """Changes that leave the text as it is: heavier or finer strokes, softer edges, other contrast, a frame at the edge."""
    rows, columns = picture.shape
    if chance.random() < SHADED:
        picture = shaded(picture, chance)
    if chance.random() < 0.24 and rows >= 12 and columns >= 12:
        grow = cv2.dilate if chance.random() < 0.5 else cv2.erode
        kernel = np.ones(chance.choice(((1, 2), (2, 1), (2, 2) if rows >= 24 else (1, 2))), np.uint8)
        share = chance.uniform(0.25, 1.0 if rows >= 22 else 0.7)
        picture = cv2.addWeighted(picture, 1 - share, grow(picture, kernel), share, 0)
    if chance.random() < 0.06:
        picture = cv2.GaussianBlur(picture, (3, 3), chance.uniform(0.3, 0.7 if rows < 20 else 1.1))
    if chance.random() < 0.12:
        curve = 255 * (np.arange(256) / 255) ** chance.choice((0.6, 0.75, 1.35, 1.7))
        picture = cv2.LUT(picture, curve.astype(np.uint8))
    if chance.random() < 0.05 and rows >= 12:
        lean = chance.uniform(-0.12, 0.24)
        move = np.array([[1, -lean, lean * rows / 2], [0, 1, 0]], np.float32)
        picture = cv2.warpAffine(picture, move, (columns, rows), borderMode=cv2.BORDER_REPLICATE)
    if chance.random() < 0.12:
        picture = _framed(picture, chance)
    dice = chance.random()
    if dice < 0.1 and picture.shape[0] >= 12:
        return picture[chance.randint(0, 1) : picture.shape[0] - chance.randint(0, 1)]
    if dice < 0.16:
        return np.pad(
            picture,
            ((chance.randint(0, 2), chance.randint(0, 2)), (chance.randint(0, 3), chance.randint(0, 3))),
            mode="edge",
        )
    return picture


def _framed(picture: np.ndarray, chance: random.Random) -> np.ndarray:
    """Parts of a frame or a rule along some sides, whole or broken off, outside the letters."""
    above, below, left, right = (chance.random() < often for often in (0.35, 0.55, 0.35, 0.3))
    framed = np.pad(picture, ((int(above), int(below)), (int(left), int(right))), mode="edge")
    shade, thick = chance.randint(0, 255), chance.choice((1, 1, 1, 2))
    start = 0 if chance.random() < 0.7 else chance.randint(0, framed.shape[1] // 2)
    if above:
        framed[:thick, start:] = shade
    if below:
        framed[-thick:, start:] = shade
    if left:
        framed[:, :thick] = shade
    if right:
        framed[:, -thick:] = shade
    return framed


def _stretch(chance: random.Random) -> float:
    """Mostly a little wider or slimmer than drawn, now and then much: there are narrow and wide faces."""
    return chance.uniform(0.7, 1.4) if chance.random() < 0.25 else chance.uniform(0.86, 1.16)


def stacked(
    group: list[tuple[np.ndarray, list[int]]], chance: random.Random, noise: np.random.Generator
) -> torch.Tensor:
    width = -(-max(ink.shape[1] for ink, _ in group) // 16) * 16
    pixels = np.zeros((len(group), 1, HEIGHT_PX, width), np.float32)
    for row, (ink, _) in zip(pixels, group, strict=True):
        shift = chance.randint(0, min(3, width - ink.shape[1]))
        row[0, :, shift : shift + ink.shape[1]] = ink
    pixels *= noise.uniform(0.85, 1.12, (len(group), 1, 1, 1)).astype(np.float32)
    if chance.random() < 0.2:
        pixels += noise.normal(0, 0.03, pixels.shape).astype(np.float32)
    return torch.from_numpy(pixels).to(memory_format=torch.channels_last)


class Training:
    """The net, its slow average, and everything needed to go on."""

    def __init__(self, run: Path, seed: int) -> None:
        torch.manual_seed(seed)
        self.run = run
        self.net = Net(len(CLASSES)).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.average = copy.deepcopy(self.net)
        shrunk = [p for p in self.net.parameters() if p.ndim > 1]
        free = [p for p in self.net.parameters() if p.ndim <= 1]
        self.optimizer = torch.optim.AdamW(
            [{"params": shrunk, "weight_decay": 0.02}, {"params": free, "weight_decay": 0}], lr=PEAK, betas=(0.9, 0.98)
        )
        self.loss = nn.CTCLoss(zero_infinity=True, reduction="sum")
        self.step = self.lines = 0
        self.spent_s = self.cycle_s = 0.0

    def start_from_shipped(self, shards: Shards) -> str:
        """Begin with the weights that ship; where they come from."""
        lines = [line for line in shards.draw() if line.text]
        inks = [as_ink(line.picture) for line in shards.chance.sample(lines, min(8 * LINES, len(lines)))]
        middle = sorted(inks, key=lambda ink: ink.shape[1])[len(inks) // 2 :][:LINES]
        group: list[tuple[np.ndarray, list[int]]] = [(ink, []) for ink in middle]
        source = start(self.net, stacked(group, shards.chance, np.random.default_rng(1)))
        self.net.train()
        self.average = copy.deepcopy(self.net)
        return source

    def resume(self) -> bool:
        """Go on from the last checkpoint, if there is one."""
        path = self.run / "last.pt"
        if path.exists():
            kept = torch.load(path)
            self.net.load_state_dict(kept["net"])
            self.average.load_state_dict(kept["average"])
            self.optimizer.load_state_dict(kept["optimizer"])
            self.step, self.lines, self.spent_s = kept["step"], kept["lines"], kept["spent_s"]
            self.cycle_s = kept.get("cycle_s", 0.0)
        return path.exists()

    def save(self, name: str = "last.pt") -> None:
        part = self.run / (name + ".part")
        torch.save({"net": self.net.state_dict(), "average": self.average.state_dict(), "optimizer": self.optimizer.state_dict(),
                    "step": self.step, "lines": self.lines, "spent_s": self.spent_s, "cycle_s": self.cycle_s}, part)  # fmt: skip
        part.rename(self.run / name)

    def learn(self, pixels: torch.Tensor, group: list[tuple[np.ndarray, list[int]]], rate: float) -> float:
        for part in self.optimizer.param_groups:
            part["lr"] = rate
        with torch.autocast("cpu", torch.bfloat16):  # 1.6 times as fast
            answers = self.net(pixels)
        scores = answers.float().permute(2, 0, 1).log_softmax(2)
        sizes = torch.tensor([len(text) for _, text in group])
        room = torch.tensor([min(scores.shape[0], ANSWERS * (ink.shape[1] // STRIDE + 2)) for ink, _ in group])
        wanted = torch.tensor([index for _, text in group for index in text])
        loss = self.loss(scores, wanted, room, sizes) / max(1, int(sizes.sum()))
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)
        self.optimizer.step()
        keep = min(0.9985, (self.step + 1) / (self.step + 20))
        with torch.no_grad():
            for slow, fast in zip(self.average.state_dict().values(), self.net.state_dict().values(), strict=True):
                if slow.dtype.is_floating_point:
                    slow.lerp_(fast, 1 - keep)
                else:
                    slow.copy_(fast)
        self.step += 1
        self.lines += len(group)
        return float(loss.detach())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--shards", type=Path, required=True)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument(
        "--until", type=datetime.fromisoformat, help="end by then, on a shared machine, however much was learned"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--peak", type=float, default=PEAK)
    parser.add_argument(
        "--restart", action="store_true", help="begin another cycle of the rate from here, for --minutes"
    )
    parser.add_argument("--from-shipped", action="store_true", help="begin with the weights that ship")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    arguments.run.mkdir(parents=True, exist_ok=True)
    training = Training(arguments.run, arguments.seed)
    resumed = training.resume()
    if arguments.restart:
        training.cycle_s = training.spent_s
    chance = random.Random(arguments.seed + training.step)
    noise = np.random.default_rng(arguments.seed + training.step)
    shards = Shards(arguments.shards, chance)
    if arguments.from_shipped and not resumed:
        print("begins with", training.start_from_shipped(shards), flush=True)
    whole, before, began = arguments.minutes * 60, training.spent_s, time.process_time()
    told = kept = time.monotonic()
    room_s = (
        (arguments.until.astimezone() - datetime.now().astimezone()).total_seconds() if arguments.until else math.inf
    )
    until = time.monotonic() + room_s
    losses: list[float] = []
    marks = [m * 60 for m in (5, 10, 15, 20, 30, 40, 50, 60, 80, 100, 120, 160, 200, 240) if m * 60 > before]
    share = 0.0
    while share < 1:
        for group in batches(shards.draw(), chance):
            training.spent_s = before + time.process_time() - began
            by_clock = 1 - (until - time.monotonic()) / room_s if arguments.until else 0.0
            share = min(1.0, max((training.spent_s - training.cycle_s) / whole, by_clock))
            rate = (
                arguments.peak
                * min(1.0, (training.step + 1) / 250)
                * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * share)))
            )
            losses.append(training.learn(stacked(group, chance, noise), group, rate))
            if marks and training.spent_s >= marks[0]:
                training.save(f"at-{int(marks.pop(0) // 60):03d}-minutes.pt")
            if time.monotonic() - kept > 120:
                training.save()
                kept = time.monotonic()
            if time.monotonic() - told > 30:
                row = {"cpu_min": round(training.spent_s / 60, 2), "step": training.step, "lines": training.lines,
                       "loss": round(float(np.mean(losses)), 4), "rate": round(rate, 6), "files": len(shards.used)}  # fmt: skip
                print(json.dumps(row), flush=True)
                losses, told = [], time.monotonic()
            if share >= 1:
                break
    training.save()
    training.save("final.pt")
    print("done", training.step, training.lines, round(training.spent_s / 60, 1), flush=True)


if __name__ == "__main__":
    main()
