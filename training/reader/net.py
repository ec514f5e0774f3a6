"""The reader's network: dense convolutions, no recurrence, two answers a step.

A picture 32 px high is narrowed four times and its height folded away; a residual convolution before that tells strokes
apart in thin and in heavy faces, residual convolutions along the line let each place see its neighbours. Every place gives two answers, so that « ll » in small type has room for the blank between
its letters without paying for a finer grid.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

STRIDE = 4
ANSWERS = 2


def _block(
    into: int, out: int, kernel: tuple[int, int], stride: tuple[int, int] = (1, 1), *, bend: bool = True
) -> nn.Sequential:
    padding = (kernel[0] // 2, kernel[1] // 2)
    layers: list[nn.Module] = [nn.Conv2d(into, out, kernel, stride, padding, bias=False), nn.BatchNorm2d(out)]
    return nn.Sequential(*layers, *([nn.ReLU(inplace=True)] if bend else []))


class _More(nn.Module):
    """A residual convolution."""

    def __init__(self, width: int, kernel: tuple[int, int]) -> None:
        super().__init__()
        self.change = _block(width, width, kernel, bend=False)

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.change(x))


class Net(nn.Module):
    """Ink (batch × 1 × 32 × width, width a multiple of 4) → scores (batch × classes × 2·width/4)."""

    def __init__(
        self, classes: int, widths: tuple[int, int, int, int] = (16, 32, 64, 144), depth: int = 5, reach: int = 5
    ) -> None:
        super().__init__()
        first, second, third, fourth = widths
        self.body = nn.Sequential(
            _block(1, first, (3, 3), (2, 2)),
            _block(first, second, (3, 3), (2, 2)),
            _block(second, second, (3, 3)),
            _block(second, third, (3, 3), (2, 1)),
            _block(third, third, (3, 3)),
            _More(third, (3, 3)),
            nn.Conv2d(third, fourth, (4, 1), bias=False),
            nn.BatchNorm2d(fourth),
            nn.ReLU(inplace=True),
            *(_More(fourth, (1, reach)) for _ in range(depth)),
        )
        self.head = nn.Conv2d(fourth, classes * ANSWERS, 1)
        self.classes = classes

    def forward(self, x: Tensor) -> Tensor:
        answers = self.head(self.body(x)).squeeze(2)
        batch, _, steps = answers.shape
        split = answers.view(batch, ANSWERS, self.classes, steps).permute(0, 2, 3, 1)
        return split.reshape(batch, self.classes, steps * ANSWERS)
