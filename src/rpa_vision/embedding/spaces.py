"""Spaces: which vectors may be compared, and what every vector of one must be.

A space is named by an id that says everything that shaped its vectors: encoder, fusion, projection, versions. Two
vectors are comparable when their ids are equal, and in no other case. Arithmetic here does not depend on the order of
summation, so that the same screen gives the same bits on every machine.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rpa_vision.errors import RpaVisionError
from rpa_vision.ports.perception import Vector

STATE_DIMENSIONS = 512


class SpaceMismatchError(RpaVisionError):
    """Two vectors of different spaces were to be compared. Their cosine would mean nothing."""

    code = "embedding.space_mismatch"
    default_remedy = (
        "Learn the workflow again, or run it with the encoder it was learned with: RPA_VISION_ENCODER=hashed for those "
        "learned before the trained one."
    )


class InvalidVectorError(RpaVisionError):
    """A vector has the wrong dimensions, or numbers that are none."""

    code = "embedding.invalid_vector"
    default_remedy = "Compute the vector again from its screenshot."


class UncalibratedSpaceError(RpaVisionError):
    """Nobody has measured what a cosine means in this space."""

    code = "embedding.uncalibrated_space"
    default_remedy = "Use the embedded default space, or give a Calibration measured for this one."


def require_same_space(first: str, second: str) -> None:
    """Refuse to go on when two space ids differ."""
    if first != second:
        raise SpaceMismatchError(f"vectors of the spaces {first!r} and {second!r} cannot be compared")


def checked(vector: NDArray[Any], *, dimensions: int | None = None, what: str = "vector") -> NDArray[np.float64]:
    """Give the numbers of a flat, finite vector of those dimensions, or say what is wrong with it."""
    values = np.asarray(vector)
    if values.ndim != 1 or values.size == 0 or values.dtype.kind not in "fiu":
        raise InvalidVectorError(f"{what}: a flat vector of numbers was expected, not {values.dtype} {values.shape}")
    if dimensions is not None and values.size != dimensions:
        raise InvalidVectorError(f"{what}: {dimensions} dimensions were expected, not {values.size}")
    wide = values.astype(np.float64)
    if not np.isfinite(wide).all():
        raise InvalidVectorError(f"{what}: holds values that are not finite numbers")
    return wide


def unit(values: NDArray[Any]) -> Vector:
    """Scale to length 1. What has no direction becomes the blank vector, never NaN."""
    wide = values.astype(np.float64)
    largest = float(np.abs(wide).max(initial=0.0))
    if largest == 0.0:
        return blank(wide.size)
    wide = wide / largest  # keeps squares of tiny and huge values in range
    length = math.sqrt(math.fsum((wide * wide).tolist()))
    return (wide / length).astype(np.float32)


def blank(dimensions: int) -> Vector:
    """The one vector of everything empty: equal to itself, and near nothing that has content."""
    return np.full(dimensions, 1.0 / math.sqrt(dimensions), np.float32)
