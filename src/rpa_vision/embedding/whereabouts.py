"""Where am I? One index over the screens of all workflows, per space.

What it gives are hints: this screen may be that node of that workflow. Whether it is, the workflow's own index and its
matcher decide; nothing here is ever acted upon alone. It is built from the prototypes and can be thrown away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rpa_vision.embedding.spaces import InvalidVectorError, checked, require_same_space, unit
from rpa_vision.errors import UsageError
from rpa_vision.models.ids import checked_id
from rpa_vision.models.state_embedding import EmbeddingSpace
from rpa_vision.ports.vectors import VectorIndex

DEFAULT_K: Final = 5


@dataclass(frozen=True, slots=True)
class Hint:
    """A screen may be this node of this workflow."""

    workflow_id: str
    node_id: str
    similarity: float


class Whereabouts:
    """The prototypes of all workflows in one space. A workflow is put in, replaced and taken out as a whole."""

    def __init__(self, new_index: Callable[[int], VectorIndex], space: EmbeddingSpace) -> None:
        if space.dimensions is None:
            raise InvalidVectorError(f"the space {space.id!r} does not say how many dimensions its vectors have")
        self.space = space
        self._dimension = space.dimensions
        self._index = new_index(space.dimensions)
        self._nodes: dict[int, tuple[str, str]] = {}
        self._ids: dict[str, list[int]] = {}
        self._next_id = 0

    def __len__(self) -> int:
        return len(self._nodes)

    @property
    def workflow_ids(self) -> frozenset[str]:
        """The workflows that are known here."""
        return frozenset(self._ids)

    def put(self, workflow_id: str, nodes: Iterable[tuple[str, NDArray[Any]]], *, space_id: str) -> None:
        """Make these (node, prototype) all that is known of a workflow; if one of them is bad, nothing changes."""
        require_same_space(space_id, self.space.id)
        checked_id(workflow_id, what="workflow id")
        pairs = [(node_id, self._unit(vector)) for node_id, vector in nodes]
        self.drop(workflow_id)
        if not pairs:
            return
        ids = list(range(self._next_id, self._next_id + len(pairs)))
        self._next_id += len(pairs)
        self._index.add(ids, np.stack([vector for _, vector in pairs]))
        self._ids[workflow_id] = ids
        self._nodes.update({one: (workflow_id, node_id) for one, (node_id, _) in zip(ids, pairs, strict=True)})

    def drop(self, workflow_id: str) -> None:
        """Forget a workflow, if it is known."""
        ids = self._ids.pop(workflow_id, [])
        self._index.remove(ids)
        for one in ids:
            del self._nodes[one]

    def compact(self) -> None:
        """Give back the room of what was dropped."""
        self._index.compact()

    def hints(self, vector: NDArray[Any], k: int = DEFAULT_K, *, space_id: str) -> list[Hint]:
        """The nodes whose prototypes are nearest, nearest first. The vector's space is always checked."""
        if k < 1:
            raise UsageError(f"at least one hint is asked for, not {k}")
        require_same_space(space_id, self.space.id)
        found = self._index.search(self._unit(vector), k)
        return [Hint(*self._nodes[one], similarity) for one, similarity in found]

    def _unit(self, vector: NDArray[Any]) -> NDArray[np.float32]:
        values = checked(vector, dimensions=self._dimension, what=f"vector for the space {self.space.id!r}")
        length = float(np.sqrt(values @ values))
        # What has length 1 already, as prototypes have, is taken as it is: bit for bit what its own index holds.
        return np.asarray(vector, np.float32) if abs(length - 1.0) < 1e-5 else unit(values)
