"""The mean of the last checkpoints of a training, as one checkpoint.

Late in a training the weights go around the best ones; their middle does better on pages of a kind that was not trained
on than where the rate came to rest (`docs/models/detector.md`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Weights = Mapping[str, NDArray[Any]]

LAST = 9
"""How many checkpoints; with one every four minutes, the last half hour of one core."""


def averaged(run: Path, last: int = LAST) -> Path:
    """Average the mean weights that `train.py` kept on its way; the path of what was made of them."""
    import torch  # only training has it; what is computed needs none of it

    kept = [torch.load(path) for path in last_checkpoints(run, last)]
    mean = mean_of([{name: value.numpy() for name, value in one["mean"].items()} for one in kept])
    out = run / "averaged.pt"
    weights = {name: torch.from_numpy(value) for name, value in mean.items()}
    torch.save({"mean": weights, "step": kept[-1]["step"], "pixels": kept[-1]["pixels"]}, out)
    return out


def last_checkpoints(run: Path, last: int) -> list[Path]:
    """The last checkpoints of a training, the oldest first: their names are their steps, with zeros in front."""
    found = sorted(run.glob("mean-*.pt"))[-last:]
    if not found:
        raise SystemExit(f"{run} holds no checkpoint mean-*.pt: train.py has not kept one yet")
    return found


def mean_of(kept: Sequence[Weights]) -> dict[str, NDArray[Any]]:
    """The mean of every weight. What is counted, not weighed, is as it was last."""
    return {
        name: np.asarray(sum(one[name].astype(np.float32) for one in kept) / np.float32(len(kept)))
        if np.issubdtype(value.dtype, np.floating)
        else value
        for name, value in kept[-1].items()
    }
