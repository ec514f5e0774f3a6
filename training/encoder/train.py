"""Train the net that knows screens again.

Each batch holds two views of every page of a few applications and of many screens by themselves. A view must find its
other view among all of them: pages of its own application are the ones it can be taken for. The running mean of the
weights is kept, the rate falls to nothing at the end. `--minutes` ends a run early, with the rate falling by time.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn import functional

sys.path.insert(0, str(Path(__file__).parents[1]))

from encoder.net import ScreenNet
from encoder.views import Views

RATE, WARM_STEPS, MEAN, TEMPERATURE = 2e-3, 50, 0.99, 0.1


def loss_of(net: ScreenNet, batch: torch.Tensor) -> tuple[torch.Tensor, float]:
    """How badly views find each other, and how many of them do."""
    vectors = net(batch)
    pairs = vectors.shape[0] // 2
    likeness = vectors @ vectors.T / TEMPERATURE
    likeness.fill_diagonal_(-1e4)
    wanted = torch.cat([torch.arange(pairs) + pairs, torch.arange(pairs)])
    return functional.cross_entropy(likeness, wanted), float((likeness.argmax(1) == wanted).float().mean())


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--maps", type=Path, required=True, nargs="+", help="folders of maps.py")
    options.add_argument("--run", type=Path, required=True)
    options.add_argument("--steps", type=int, default=3000)
    options.add_argument("--minutes", type=float, default=0)
    options.add_argument("--apps", type=int, default=4, help="applications in a batch")
    options.add_argument("--alone", type=int, default=20, help="screens by themselves in a batch")
    options.add_argument("--share", type=float, default=1.0, help="part of the data, for the learning curve")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--resume", type=Path, help="weights to begin with")
    options.add_argument("--rate", type=float, default=RATE, help="the highest rate")
    given = options.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(given.seed)
    sets = []
    for path in sorted(path for folder in given.maps for path in folder.glob("*.npy")):
        told = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        most = round(len(told) * given.share)
        sets.append((np.load(path, mmap_mode="r")[:most], told[:most]))
    views = Views(sets, given.seed)
    net = ScreenNet().train()
    before = torch.load(given.resume) if given.resume else {"screens": 0, "seconds": 0, "step": 0}
    if given.resume:
        net.load_state_dict(before["mean"])
    optimiser = torch.optim.AdamW(net.parameters(), lr=given.rate, weight_decay=1e-2)
    mean = {name: value.clone() for name, value in net.state_dict().items()}
    given.run.mkdir(parents=True, exist_ok=True)
    start, sums = time.monotonic(), [0.0, 0.0]
    step, screens = 0, 0
    while True:
        spent_s = time.monotonic() - start
        done = max(step / given.steps, spent_s / (given.minutes * 60) if given.minutes else 0.0)
        if done >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = given.rate * min(1.0, (step + 1) / WARM_STEPS) * 0.5 * (1 + math.cos(math.pi * done))
        batch = torch.from_numpy(views.batch(given.apps, given.alone))
        loss, found = loss_of(net, batch)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        step, screens = step + 1, screens + batch.shape[0]
        keep = min(MEAN, (1 + step) / (10 + step))
        with torch.no_grad():
            for name, value in net.state_dict().items():
                if value.dtype.is_floating_point:
                    mean[name].mul_(keep).add_(value, alpha=1 - keep)
                else:
                    mean[name].copy_(value)
        sums = [sums[0] + float(loss.detach()), sums[1] + found]
        if step % 25 == 0:
            told = {"step": step, "seconds": round(spent_s), "screens": screens}
            print(json.dumps(told | {"loss": round(sums[0] / 25, 3), "found": round(sums[1] / 25, 3)}), flush=True)
            sums = [0.0, 0.0]
        if step % 250 == 0:
            save(given.run, mean, step, screens, spent_s, before)
    save(given.run, mean, step, screens, time.monotonic() - start, before)


def save(run: Path, mean: dict[str, torch.Tensor], step: int, screens: int, seconds: float, before: dict) -> None:
    """The mean weights, and what they cost in all."""
    kept = {
        "mean": mean, "step": before["step"] + step, "screens": before["screens"] + screens,
        "seconds": before["seconds"] + round(seconds),
    }  # fmt: skip
    torch.save(kept, run / f"mean-{kept['step']:05d}.pt")
    torch.save(kept, run / "latest.pt")


if __name__ == "__main__":
    main()
