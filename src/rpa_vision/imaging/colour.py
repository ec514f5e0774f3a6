"""Colours of small pictures: what they are written on, what they are written with, and how well that can be seen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rpa_vision.models.frame import Pixels

Colour = tuple[int, int, int]
"""Blue, green, red."""


def as_hex(colour: Colour) -> str:
    """`#RRGGBB`."""
    blue, green, red = colour
    return f"#{red:02X}{green:02X}{blue:02X}"


def paper_and_ink(image: Pixels) -> tuple[Colour, Colour]:
    """The commonest colour of a picture, and the colour that stands out most against it."""
    pixels = image[:, :, :3].reshape(-1, 3)
    coarse = pixels.astype(np.int32) >> 4
    bins = (coarse[:, 0] << 8) | (coarse[:, 1] << 4) | coarse[:, 2]
    paper = pixels[bins == np.bincount(bins).argmax()].mean(axis=0)
    distance = np.abs(pixels.astype(np.float32) - paper).sum(axis=1)
    ink = pixels[distance >= 0.75 * distance.max()].mean(axis=0)
    return _colour(paper), _colour(ink)


def chroma(colour: Colour) -> int:
    """How far from grey, 0 to 255."""
    return max(colour) - min(colour)


def distance(first: Colour, second: Colour) -> int:
    """The largest difference in any channel."""
    return max(abs(a - b) for a, b in zip(first, second, strict=True))


def luminance(colour: Colour) -> float:
    """Relative luminance as web accessibility rules define it, 0 to 1."""
    blue, green, red = (_linear(channel / 255) for channel in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: Colour, second: Colour) -> float:
    """Contrast ratio of two colours, 1 to 21."""
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _colour(values: NDArray[np.floating]) -> Colour:
    blue, green, red = (round(float(value)) for value in values)
    return (blue, green, red)
