"""Train the element detector.

The rate stays the same until the end and then falls over `--cooldown` steps, so a run can be stopped, resumed and
prolonged at will; what is kept is the running mean of the weights. Checkpoints are whole: `--resume` goes on where they
were written. `--base` goes on from an exported file instead, of which only the mean is known. Where the processor
computes with 16-bit numbers, `--half` has it do so; weights, normalisation and losses keep 32 bits.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
import time
from pathlib import Path

import cv2
import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parents[1]))

from detector.crops import CropSource
from detector.losses import losses, total
from detector.net import Detector
from detector.photos import photographs
from detector.shipped_weights import measure, put_shipped

RATE, WARM_STEPS, MEAN = 2e-3, 100, 0.998
MEASURED = 60
"""Batches by which the normalisation of an exported file gets its statistics back."""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--screens", type=Path, nargs="+", required=True)
    options.add_argument("--run", type=Path, required=True, help="folder for checkpoints and the log")
    options.add_argument("--steps", type=int, default=100_000, help="in all, those of earlier runs included")
    options.add_argument("--cooldown", type=int, default=0, help="the last steps, over which the rate falls to nothing")
    options.add_argument("--minutes", type=float, default=1e9)
    options.add_argument("--falling", type=float, default=0, help="the last minutes, over which the rate falls")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--resume", type=Path, help="a checkpoint to go on from")
    options.add_argument("--base", type=Path, help="elements.json of an exported net to go on from")
    options.add_argument("--rate", type=float, default=RATE)
    options.add_argument("--half", action="store_true", help="compute with 16-bit numbers where that does no harm")
    options.add_argument("--overfit", type=int, default=0, help="only that many screens: the first check")
    options.add_argument("--part", type=float, default=1.0, help="of the screens: what more of them would buy")
    options.add_argument("--photos", type=Path, help="folder of packages whose photographs are laid into crops")
    options.add_argument("--save-minutes", type=float, default=5)
    given = options.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(given.seed)
    random.seed(given.seed)
    given.run.mkdir(parents=True, exist_ok=True)
    net = Detector()
    optimiser = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=1e-3)
    mean = {name: value.clone() for name, value in net.state_dict().items()}
    step, pixels = 0, 0
    if given.resume:
        kept = torch.load(given.resume)
        net.load_state_dict(kept["net"])
        optimiser.load_state_dict(kept["optimiser"])
        mean, step, pixels = kept["mean"], kept["step"], kept["pixels"]
        if step >= given.steps:  # before anybody begins to draw: who is stopped while drawing takes the process along
            print(f"nothing is left to train: step {step} of {given.steps}", flush=True)
            return
    fixed = None
    if given.overfit or given.part < 1:
        every = sorted(path for folder in given.screens for path in folder.glob("*.json"))
        random.Random(0).shuffle(every)
        fixed = every[: given.overfit or round(len(every) * given.part)]
    photos = photographs(given.photos) if given.photos else ()
    source = CropSource(given.screens, given.seed + step, fixed=fixed, photos=photos)
    if given.base and not given.resume:
        before = put_shipped(net, given.base)["training"]
        first = itertools.islice(source, MEASURED)
        measure(net, (as_input(pictures) for pictures, _ in first))
        mean = {name: value.clone() for name, value in net.state_dict().items()}
        step, pixels = before["steps"], before["megapixels"] * 10**6
    begun = step
    print(f"{source.screens} screens, from step {step}", flush=True)
    net = net.to(memory_format=torch.channels_last).train()
    start = saved = time.monotonic()
    sums: dict[str, float] = {}
    since = 0
    for pictures, targets in source:
        if step >= given.steps or time.monotonic() - start > given.minutes * 60:
            break
        rate = given.rate * min(1.0, (step - begun + 1) / WARM_STEPS)
        if given.cooldown:
            rate *= min(1.0, max(0.0, (given.steps - step) / given.cooldown))
        if given.falling:
            rate *= min(1.0, given.minutes / given.falling - (time.monotonic() - start) / 60 / given.falling)
        for group in optimiser.param_groups:
            group["lr"] = rate
        with torch.autocast("cpu", torch.bfloat16, enabled=given.half):
            fine, coarse = net(as_input(pictures))
        parts = losses(fine.float(), coarse.float(), targets)
        loss = total(parts)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 10.0)
        optimiser.step()
        step += 1
        pixels += pictures.shape[0] * pictures.shape[2] * pictures.shape[3]
        keep = min(MEAN, (1 + step) / (20 + step))
        with torch.no_grad():
            for name, value in net.state_dict().items():
                if value.dtype.is_floating_point:
                    mean[name].mul_(keep).add_(value, alpha=1 - keep)
                else:
                    mean[name].copy_(value)
        for name, value in parts.items():
            sums[name] = sums.get(name, 0.0) + float(value.detach())
        since += 1
        if step % 50 == 0:
            told = {name: round(value / since, 3) for name, value in sums.items()}
            print(
                json.dumps(
                    {
                        "step": step,
                        "seconds": round(time.monotonic() - start),
                        "mpx": round(pixels / 1e6),
                        "rate": round(rate, 6),
                        "screens": source.screens,
                        **told,
                    }
                ),
                flush=True,
            )
            sums, since = {}, 0
        if time.monotonic() - saved > given.save_minutes * 60:
            save(given.run, net, optimiser, mean, step, pixels)
            saved = time.monotonic()
    save(given.run, net, optimiser, mean, step, pixels)


def as_input(pictures: torch.Tensor) -> torch.Tensor:
    """Levels 0 … 1, in the order in which the processor computes fastest."""
    return (pictures.float() / 255).contiguous(memory_format=torch.channels_last)


def save(run: Path, net: Detector, optimiser: torch.optim.Optimizer, mean: dict, step: int, pixels: int) -> None:
    """The latest checkpoint whole, and the mean weights of every one for the learning curve."""
    partial = run / "latest.part"
    torch.save(
        {"net": net.state_dict(), "optimiser": optimiser.state_dict(), "mean": mean, "step": step, "pixels": pixels},
        partial,
    )
    partial.replace(run / "latest.pt")
    torch.save({"mean": mean, "step": step, "pixels": pixels}, run / f"mean-{step:07d}.pt")


if __name__ == "__main__":
    np.seterr(all="raise", under="ignore")
    main()
