"""Train the net that pairs the things of two screens.

    .venv-train/bin/python training/pairing/train.py FAMILIES --run RUN --minutes 60 [--resume RUN/latest.pt]

Each lesson is two pictures of one page, whatever was done to it in between; for every element of the first the net says
which thing of the second it is, or that it is none. The running mean of the weights is kept, the rate falls by time.
Families that are read while it runs are taken in.
"""

from __future__ import annotations

import argparse
import json
import math
import pickle
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2] / "src"))

from pairing.data import Lesson, lesson, prepare
from pairing.net import PairingNet
from rpa_vision.execution.locating.pairing.features import OF_A_PAIR, OF_EACH, OF_TWO

RATE, WARM_STEPS, MEAN, DECAY = 1.5e-3, 100, 0.995, 1e-2
AT_ONCE = 4
"""Lessons whose gradients are one step."""
FEWEST_FAMILIES = 8
TOLD_EVERY, KEPT_EVERY, LOOKED_EVERY = 50, 250, 200


def tensors(told: Any) -> list[torch.Tensor]:
    return [torch.from_numpy(part) for part in (told.then, told.now, told.within_then, told.within_now, told.across)]


def loss_of(net: PairingNet, one: Lesson) -> tuple[torch.Tensor, float, float]:
    """How badly the things were paired; how many of them rightly, and their number."""
    scores = net(*tensors(one.told))[one.queries]
    wanted = torch.from_numpy(np.stack(one.answers))
    weights = torch.tensor(one.weights)
    logs = torch.log_softmax(scores, dim=1)
    missed = -torch.logsumexp(logs.masked_fill(~wanted, -1e4), dim=1)
    found = wanted.gather(1, scores.argmax(1, keepdim=True))[:, 0]
    return (missed * weights).sum() / weights.sum().sqrt(), float((found * weights).sum()), float(weights.sum())


class Families:
    """What is read so far; asked again, also what was read since."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders, self._known = folders, dict[Path, dict[str, Any]]()

    def look(self) -> list[dict[str, Any]]:
        for folder in self._folders:
            prepare(folder, folder / "things")
            for path in sorted((folder / "things").glob("*.pkl")):
                if path not in self._known:
                    self._known[path] = pickle.loads(path.read_bytes())
        return list(self._known.values())


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folders", type=Path, nargs="+")
    options.add_argument("--run", type=Path, required=True)
    options.add_argument("--minutes", type=float, default=60)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--rate", type=float, default=RATE)
    options.add_argument("--resume", type=Path, help="weights to begin with")
    given = options.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(given.seed)
    rng, source = random.Random(given.seed), Families(given.folders)
    families = source.look()
    while len(families) < FEWEST_FAMILIES:
        time.sleep(5)
        families = source.look()
    net = PairingNet(OF_EACH, OF_TWO, OF_A_PAIR).train()
    before = torch.load(given.resume) if given.resume else {"step": 0, "seconds": 0}
    if given.resume:
        net.load_state_dict(before["mean"])
    optimiser = torch.optim.AdamW(net.parameters(), lr=given.rate, weight_decay=DECAY)
    mean = {name: value.clone() for name, value in net.state_dict().items()}
    given.run.mkdir(parents=True, exist_ok=True)
    began, step, sums = time.monotonic(), 0, [0.0, 0.0, 0.0]
    while (done := (time.monotonic() - began) / (60 * given.minutes)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = given.rate * min(1.0, (step + 1) / WARM_STEPS) * 0.5 * (1 + math.cos(math.pi * done))
        optimiser.zero_grad(set_to_none=True)
        for _ in range(AT_ONCE):
            one = lesson(rng.choice(families), rng)
            if one is None:
                continue
            loss, found, count = loss_of(net, one)
            (loss / AT_ONCE).backward()
            sums = [sums[0] + float(loss.detach()) * math.sqrt(count), sums[1] + found, sums[2] + count]
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        step += 1
        keep = min(MEAN, (1 + step) / (10 + step))
        with torch.no_grad():
            for name, value in net.state_dict().items():
                mean[name].mul_(keep).add_(value, alpha=1 - keep)
        if step % TOLD_EVERY == 0:
            told = {"step": step, "seconds": round(time.monotonic() - began), "families": len(families)}
            told |= {"loss": round(sums[0] / sums[2], 3), "right": round(sums[1] / sums[2], 4)}
            print(json.dumps(told), flush=True)
            sums = [0.0, 0.0, 0.0]
        if step % LOOKED_EVERY == 0:
            families = source.look()
        if step % KEPT_EVERY == 0:
            save(given.run, mean, step, time.monotonic() - began, before)
    save(given.run, mean, step, time.monotonic() - began, before)


def save(run: Path, mean: dict[str, torch.Tensor], step: int, seconds: float, before: dict[str, Any]) -> None:
    """The mean weights, and what they cost in all."""
    kept = {"mean": mean, "step": before["step"] + step, "seconds": before["seconds"] + round(seconds)}
    torch.save(kept, run / "part.pt")
    (run / "part.pt").replace(run / "latest.pt")


if __name__ == "__main__":
    main()
