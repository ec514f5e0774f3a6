"""An index over vectors of one space. The vectors on disk are the truth; an index can always be rebuilt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One neighbour of a query. `distance` is 1 - similarity."""

    id: int
    similarity: float
    metadata: dict[str, Any]

    @property
    def distance(self) -> float:
        return 1.0 - self.similarity


class VectorIndex(Protocol):
    """Nearest neighbours by cosine."""

    @property
    def dimension(self) -> int: ...

    def add(self, ids: Sequence[int], vectors: NDArray[np.float32]) -> None:
        """Add unit vectors under these ids."""

    def remove(self, ids: Sequence[int]) -> None:
        """Take vectors out."""

    def search(self, query: NDArray[np.float32], k: int) -> list[tuple[int, float]]:
        """The k nearest as (id, cosine similarity), nearest first."""

    def compact(self) -> None:
        """Give back the room of removed vectors, and put the others in the best order for finding."""

    def __len__(self) -> int: ...

    def serialise(self) -> bytes:
        """The index as bytes."""
