"""What training further has in common: its options, its rate, and the running mean of the weights."""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import cv2
import torch
from torch import nn

WARM_STEPS, MEAN = 20, 0.98


def read_options(about: str | None, shipped: Path) -> argparse.Namespace:
    """The options of the command line; chance and threads are settled by them."""
    options = argparse.ArgumentParser(description=about)
    options.add_argument("--screens", type=Path, required=True)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--base", type=Path, default=shipped, help="description of the model to begin with")
    options.add_argument("--steps", type=int, default=400)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(given.seed)
    random.seed(given.seed)
    return given


def rated(optimiser: torch.optim.Optimizer, rate: float, step: int, steps: int) -> None:
    """Small steps at the beginning and towards the end."""
    for group in optimiser.param_groups:
        group["lr"] = rate * min(1.0, step / WARM_STEPS, (steps - step + 1) / max(1, steps // 4))


class RunningMean:
    """The mean of the weights on their way, which is what is kept."""

    def __init__(self, net: nn.Module) -> None:
        self.values = {name: value.clone() for name, value in net.state_dict().items()}

    def add(self, net: nn.Module, step: int) -> None:
        """The weights after a step."""
        keep = min(MEAN, step / (10 + step))
        with torch.no_grad():
            for name, value in net.state_dict().items():
                if value.dtype.is_floating_point:
                    self.values[name].mul_(keep).add_(value, alpha=1 - keep)
