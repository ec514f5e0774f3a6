"""The net that knows screens again: four maps of a screen in, a direction out.

It looks at the whole in halves of halves and ends in two views of the same features: what there is anywhere, and what
there is where on a coarse grid. The first survives that a page flows anew, the second tells pages of one look apart.
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

DIMENSIONS = 512
GRID = (4, 8)


class Block(nn.Module):
    """Two convolutions beside a short cut, the first of which halves the picture."""

    def __init__(self, given: int, made: int) -> None:
        super().__init__()
        self.first = nn.Sequential(nn.Conv2d(given, made, 3, 2, 1, bias=False), nn.BatchNorm2d(made))
        self.second = nn.Sequential(nn.Conv2d(made, made, 3, 1, 1, bias=False), nn.BatchNorm2d(made))

    def forward(self, maps: torch.Tensor) -> torch.Tensor:
        halved = functional.relu(self.first(maps))
        return functional.relu(halved + self.second(halved))


class ScreenNet(nn.Module):
    """Maps of 144 × 256 → a vector of length 1."""

    def __init__(self, width: int = 24) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(4, width, 7, 4, 3, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
            Block(width, width * 2), Block(width * 2, width * 4),
        )  # fmt: skip
        self.places = nn.Conv2d(width * 4, 32, 1)
        self.head = nn.Linear(width * 8 + 32 * GRID[0] * GRID[1], DIMENSIONS)

    def forward(self, maps: torch.Tensor) -> torch.Tensor:
        seen = self.body(maps)
        anywhere = torch.cat([seen.mean(dim=(2, 3)), seen.amax(dim=(2, 3))], 1)
        somewhere = functional.avg_pool2d(self.places(seen), 2).flatten(1)
        return functional.normalize(self.head(torch.cat([anywhere, somewhere], 1)), dim=1)
