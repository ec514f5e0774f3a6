"""The element detector: a small one-stage net over the whole frame.

The picture goes through 4×4 patches at once, so that almost nothing is computed at full resolution. Where a thing can
be acted on (one map), what it is (types, told only there) and where it ends are separate questions; things to act on,
things to read and containers have their own boxes, because their centres coincide. Long strips of depthwise weights
carry the width of a row and the height of a column to its centre.

It comes in two parts. `Near` sees 24×24 pixels for each cell of its map and nothing beyond, so that where a screen
changes a little, a little of its map changes: that half of the work is kept from one picture to the next. `Far` sees
everything. Channels come in sixteens, which is what processors compute at once.
"""

from __future__ import annotations

import torch
import torch.nn.functional as fn
from torch import Tensor, nn

from detector.kinds import INTERACTIVE

CONTENT = ("text", "icon", "image")
CONTAINER = ("dialog", "scrollbar", "table")
STATES = ("on", "enabled")
FINE, COARSE = 8, 16
"""Strides of the two output maps: things to act on and to read; containers."""
NEAR_CHANNELS = 48
NEAR_MARGIN = 1
"""How many cells around a cell of the near map matter to it."""
FINE_CHANNELS = 1 + len(INTERACTIVE) + 4 + len(STATES) + len(CONTENT) + 4
COARSE_CHANNELS = len(CONTAINER) * 5


class Mix(nn.Conv2d):
    """A 1×1 convolution. While training it runs as one product of matrices, which is faster on a CPU."""

    def forward(self, x: Tensor) -> Tensor:
        if not self.training:
            return super().forward(x)
        return fn.linear(x.permute(0, 2, 3, 1), self.weight.flatten(1), self.bias).permute(0, 3, 1, 2)


def conv(
    inputs: int, outputs: int, kernel: int, stride: int = 1, groups: int = 1, act: bool = True, pad: int | None = None
) -> nn.Sequential:
    """A convolution with its normalisation."""
    padding = kernel // 2 if pad is None else pad
    made = nn.Conv2d if kernel > 1 else Mix
    layers: list[nn.Module] = [
        made(inputs, outputs, kernel, stride, padding, groups=groups, bias=False),
        nn.BatchNorm2d(outputs),
    ]
    return nn.Sequential(*layers, *([nn.ReLU(inplace=True)] if act else []))


class Block(nn.Module):
    """Depthwise look around, then mixing of channels, added to what was there."""

    def __init__(self, channels: int, kernel: int = 5, widen: float = 2) -> None:
        super().__init__()
        middle = int(channels * widen)
        self.look = conv(channels, channels, kernel, groups=channels, act=False)
        self.mix = nn.Sequential(conv(channels, middle, 1), conv(middle, channels, 1, act=False))

    def forward(self, x: Tensor) -> Tensor:
        return fn.relu(x + self.mix(self.look(x)))


class Strip(nn.Module):
    """Far along the row and the column."""

    def __init__(self, channels: int, length: int) -> None:
        super().__init__()
        self.along = nn.Conv2d(channels, channels, (1, length), padding=(0, length // 2), groups=channels, bias=False)
        self.down = nn.Conv2d(channels, channels, (length, 1), padding=(length // 2, 0), groups=channels, bias=False)
        self.mix = conv(channels, channels, 1, act=False)

    def forward(self, x: Tensor) -> Tensor:
        return fn.relu(x + self.mix(self.along(x) + self.down(x)))


class Near(nn.Module):
    """Picture (0 … 1, red-green-blue) → map of stride 8, each cell of which knows its own pixels and those around."""

    def __init__(self, c4: int = 32, c8: int = NEAR_CHANNELS) -> None:
        super().__init__()
        self.stem = conv(3, c4, 4, 4, pad=0)
        self.down8 = conv(c4, c8, 2, 2, pad=0)
        self.stage8 = Block(c8, 3, 1)

    def forward(self, picture: Tensor) -> Tensor:
        return self.stage8(self.down8(self.stem(picture)))


class Far(nn.Module):
    """The near map → fine map (stride 8) and coarse map (stride 16), raw logits."""

    def __init__(self, c8: int = NEAR_CHANNELS, c16: int = 80, c32: int = 128) -> None:
        super().__init__()
        self.down16 = conv(c8, c16, 2, 2, pad=0)
        self.stage16 = nn.Sequential(Block(c16, 5, 1.6), Strip(c16, 15), Block(c16, 5, 1.6), Block(c16, 5, 1.6))
        self.down32 = conv(c16, c32, 2, 2, pad=0)
        self.stage32 = nn.Sequential(
            Block(c32), Strip(c32, 21), Block(c32), Strip(c32, 21), Block(c32), Strip(c32, 21), Block(c32),
            Block(c32, 5, 4), Block(c32, 5, 4),
        )  # fmt: skip
        self.up16 = conv(c32, c16, 1, act=False)
        self.fuse16 = Block(c16, 5, 1.6)
        self.up8 = conv(c16, c8, 1, act=False)
        self.fuse8 = nn.Sequential(Block(c8, 3, 1), Block(c8, 3, 1))
        self.fine = nn.Sequential(conv(c8, 64, 1), conv(64, 64, 3, groups=64), Mix(64, FINE_CHANNELS, 1))
        self.coarse = nn.Sequential(conv(c16, 48, 1), conv(48, 48, 3, groups=48), Mix(48, COARSE_CHANNELS, 1))
        for head in (self.fine[-1], self.coarse[-1]):
            nn.init.normal_(head.weight, 0, 0.01)
            nn.init.zeros_(head.bias)
        with torch.no_grad():
            self.fine[-1].bias[0] = -4
            self.fine[-1].bias[13:17] = 1
            self.fine[-1].bias[19:22] = -4
            self.fine[-1].bias[22:26] = 1
            self.coarse[-1].bias[0 : len(CONTAINER)] = -4
            self.coarse[-1].bias[len(CONTAINER) :] = 2

    def forward(self, x8: Tensor) -> tuple[Tensor, Tensor]:
        x16 = self.stage16(self.down16(x8))
        x32 = self.stage32(self.down32(x16))
        y16 = self.fuse16(fn.relu(x16 + fn.interpolate(self.up16(x32), scale_factor=2.0, mode="nearest")))
        y8 = self.fuse8(fn.relu(x8 + fn.interpolate(self.up8(y16), scale_factor=2.0, mode="nearest")))
        return self.fine(y8), self.coarse(y16)


class Detector(nn.Module):
    """Both parts: picture → fine map and coarse map."""

    def __init__(self) -> None:
        super().__init__()
        self.near = Near()
        self.far = Far()

    def forward(self, picture: Tensor) -> tuple[Tensor, Tensor]:
        return self.far(self.near(picture))
