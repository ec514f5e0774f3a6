"""Randomness without a generator: places and signs that are the same in every process, on every machine, for ever.

Python's `hash()` changes with each process and numpy may change its streams; a cryptographic digest does neither.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

PROJECTION_ONE = 1 << 20  # a projected value is rounded to a millionth: whole numbers add up the same in any order


@lru_cache(maxsize=100_000)
def place_and_sign(feature: str, dimensions: int) -> tuple[int, int]:
    """Where a named feature goes, and with which sign, so that collisions cancel out on average."""
    number = int.from_bytes(hashlib.blake2b(feature.encode(), digest_size=8).digest(), "big")
    return (number >> 1) % dimensions, 1 if number & 1 else -1


def scatter(weights: Mapping[str, int], dimensions: int) -> NDArray[np.int64]:
    """Add whole-numbered weights of named features up into a vector."""
    vector = np.zeros(dimensions, np.int64)
    for feature, weight in weights.items():
        place, sign = place_and_sign(feature, dimensions)
        vector[place] += sign * weight
    return vector


def sign_matrix(name: str, rows: int, columns: int) -> NDArray[np.float64]:
    """A fixed matrix of ±1 that depends on its name and shape only."""
    count = rows * columns
    bits = hashlib.shake_256(f"{name}/{rows}x{columns}".encode()).digest(-(-count // 8))
    flat = np.unpackbits(np.frombuffer(bits, np.uint8), count=count)
    return (flat.astype(np.float64) * 2 - 1).reshape(rows, columns)


def project(values: NDArray[np.float64], matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Project values of at most 1 in size; exact in whole numbers, hence the same whatever the BLAS."""
    projected: NDArray[np.float64] = np.rint(values * PROJECTION_ONE) @ matrix
    return projected
