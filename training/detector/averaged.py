"""The mean of the last checkpoints of a training, as one checkpoint.

Late in a training the weights go around the best ones; their middle does better on pages of a kind that was not trained
on than where the rate came to rest (`docs/models/detector.md`).
"""

from __future__ import annotations

from pathlib import Path

import torch

LAST = 9
"""How many checkpoints; with one every four minutes, the last half hour of one core."""


def averaged(run: Path, last: int = LAST) -> Path:
    """Average the mean weights that `train.py` kept on its way; the path of what was made of them."""
    kept = [torch.load(path) for path in sorted(run.glob("mean-*.pt"))[-last:]]
    mean = {
        name: sum(one["mean"][name].float() for one in kept) / len(kept) if value.dtype.is_floating_point else value
        for name, value in kept[-1]["mean"].items()
    }
    out = run / "averaged.pt"
    torch.save({"mean": mean, "step": kept[-1]["step"], "pixels": kept[-1]["pixels"]}, out)
    return out
