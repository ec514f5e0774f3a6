"""Train the element detector further on screens of one's own, from weights that are there already.

The weights are read back from the shipped file (`shipped_weights.py`) and trained on with small steps; the
normalisation stays as it is, for a few screens would spoil its statistics. What is kept is the running mean of the
weights.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parents[1]))

from fine_tuning import RunningMean, rated, read_options

from detector.crops import CropSource
from detector.export import export
from detector.losses import losses, total
from detector.net import Detector
from detector.shipped_weights import SHIPPED, put_shipped
from detector.targets import truth_of

RATE = 2e-4


def main() -> None:
    given = read_options(__doc__, SHIPPED)
    net = Detector()
    about = put_shipped(net, given.base)
    net.eval()  # the normalisation stays as it is; everything else learns
    optimiser = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=1e-4)
    mean, pixels = RunningMean(net), 0
    for path in given.screens.glob("*.json"):
        truth_of(json.loads(path.read_text(encoding="utf-8")))  # a bad one ends it here, not in a thread
    source = CropSource([given.screens], given.seed)
    if not source.screens:
        raise SystemExit(f"there are no screens in {given.screens}")
    print(f"{source.screens} screens, {given.steps} steps", flush=True)
    sums, since = 0.0, 0
    for step, (pictures, targets) in zip(range(1, given.steps + 1), source, strict=False):
        rated(optimiser, RATE, step, given.steps)
        parts = losses(*net(pictures.float() / 255), targets)
        loss = total(parts)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 10.0)
        optimiser.step()
        pixels += pictures.shape[0] * pictures.shape[2] * pictures.shape[3]
        mean.add(net, step)
        sums, since = sums + float(loss.detach()), since + 1
        if step % 20 == 0 or step == given.steps:
            print(f"step {step} of {given.steps}, loss {sums / since:.3f}", flush=True)
            sums, since = 0.0, 0
    given.out.mkdir(parents=True, exist_ok=True)
    checkpoint = given.out / "mean.pt"
    before = about.get("training", {})
    steps = int(before.get("steps", 0)) + given.steps
    torch.save(
        {"mean": mean.values, "step": steps, "pixels": int(before.get("megapixels", 0)) * 10**6 + pixels}, checkpoint
    )
    print(export(checkpoint, given.out, thresholds=about["thresholds"], screens=[given.screens]))
    checkpoint.unlink()


if __name__ == "__main__":
    main()
