"""The fingerprints of one workflow in one space, with what is known about each.

One manager per workflow and space: nothing of another workflow can be found in it. The vectors on disk are the truth;
what a manager writes is a cache, checked when it is read and rebuilt from the vectors when it is lost.
"""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from rpa_vision.embedding.spaces import InvalidVectorError, checked, require_same_space, unit
from rpa_vision.errors import DocumentError, UnknownIdError, UsageError
from rpa_vision.models.document import Document, JsonObject
from rpa_vision.models.ids import Id, checked_id
from rpa_vision.models.state_embedding import EmbeddingSpace
from rpa_vision.ports.vectors import SearchResult, VectorIndex

SCHEMA_VERSION: Final = "faissmetadata_v1"
DEFAULT_K: Final = 5

NewIndex = Callable[[int], VectorIndex]
RestoreIndex = Callable[[bytes], VectorIndex]


@dataclass(frozen=True, slots=True)
class SavedIndex:
    """What belongs on disk: `index.faiss` and `metadata.json`, which knows its index by checksum."""

    index: bytes
    metadata: bytes


class FAISSManager:
    """Adds, removes and finds; `new_index` gives an empty index of so many dimensions."""

    def __init__(self, new_index: NewIndex, *, workflow_id: str, space: EmbeddingSpace) -> None:
        if space.dimensions is None:
            raise InvalidVectorError(f"the space {space.id!r} does not say how many dimensions its vectors have")
        self.workflow_id = checked_id(workflow_id, what="workflow id")
        self.space = space
        self.dimension = space.dimensions
        self._new_index = new_index
        self._index = new_index(self.dimension)
        self._metadata: dict[int, JsonObject] = {}
        self._next_id = 0

    def __len__(self) -> int:
        return len(self._metadata)

    def add_embedding(self, vector: NDArray[Any], metadata: Mapping[str, Any]) -> int:
        """Add a vector of this space and give its id, which no other vector here will ever have."""
        return self.add_batch([vector], [metadata])[0]

    def add_batch(self, vectors: Sequence[NDArray[Any]], metadata: Sequence[Mapping[str, Any]]) -> list[int]:
        """Add several vectors, all or none."""
        if len(vectors) != len(metadata):
            raise UsageError(f"{len(vectors)} vectors with {len(metadata)} pieces of metadata")
        kept = [self._checked_metadata(one) for one in metadata]
        rows = [self._unit(vector) for vector in vectors]
        ids = list(range(self._next_id, self._next_id + len(rows)))
        if rows:
            self._index.add(ids, np.stack(rows))
        self._metadata.update(zip(ids, kept, strict=True))
        self._next_id += len(ids)
        return ids

    def remove(self, ids: Sequence[int]) -> None:
        """Take vectors out, all or none."""
        unknown = sorted(set(ids) - set(self._metadata))
        if unknown:
            raise UnknownIdError(f"workflow {self.workflow_id} has no vector {unknown[0]}", remedy="Search again.")
        self._index.remove(sorted(set(ids)))
        for one in set(ids):
            del self._metadata[one]

    def compact(self) -> None:
        """Give back the room of removed vectors. Ids stay what they are."""
        self._index.compact()

    def search_similar(
        self, query: NDArray[Any], k: int = DEFAULT_K, *, space_id: str | None = None
    ) -> list[SearchResult]:
        """The k nearest, nearest first. Give the query's `space_id` to have it checked."""
        if k < 1:
            raise UsageError(f"at least one neighbour is asked for, not {k}")
        if space_id is not None:
            require_same_space(space_id, self.space.id)
        found = self._index.search(self._unit(query), k)
        return [SearchResult(one, similarity, copy.deepcopy(self._metadata[one])) for one, similarity in found]

    def rebuild(self, entries: Iterable[tuple[NDArray[Any], Mapping[str, Any]]]) -> list[int]:
        """Start again from stored vectors. If one of them is bad, everything stays as it was."""
        fresh = FAISSManager(self._new_index, workflow_id=self.workflow_id, space=self.space)
        pairs = list(entries)
        ids = fresh.add_batch([vector for vector, _ in pairs], [metadata for _, metadata in pairs])
        self.take_over(fresh)
        return ids

    def take_over(self, other: FAISSManager) -> None:
        """Hold what another manager of the same workflow and space holds."""
        require_same_space(other.space.id, self.space.id)
        self._index, self._metadata, self._next_id = other._index, other._metadata, other._next_id

    def to_bytes(self) -> SavedIndex:
        """Everything, ready to be written."""
        index = self._index.serialise()
        metadata = IndexMetadata(
            workflow_id=self.workflow_id,
            space=self.space,
            index_sha256=hashlib.sha256(index).hexdigest(),
            next_id=self._next_id,
            entries={str(one): self._metadata[one] for one in sorted(self._metadata)},
        )
        return SavedIndex(index, json.dumps(metadata.to_json(), ensure_ascii=False).encode())

    @staticmethod
    def from_bytes(
        saved: SavedIndex, *, new_index: NewIndex, restore: RestoreIndex, workflow_id: str, space: EmbeddingSpace
    ) -> FAISSManager:
        """Read what `to_bytes` gave, for this workflow and space and no other; a DocumentError asks for a rebuild."""
        metadata = IndexMetadata.from_json(saved.metadata, where="index metadata")
        require_same_space(metadata.space.id, space.id)
        if metadata.workflow_id != workflow_id:
            raise _foreign(f"belongs to the workflow {metadata.workflow_id}, not to {workflow_id}")
        if hashlib.sha256(saved.index).hexdigest() != metadata.index_sha256:
            raise _foreign("belongs to another version of the index")
        manager = FAISSManager(new_index, workflow_id=workflow_id, space=space)
        index = restore(saved.index)
        ids = [int(one) for one in metadata.entries if one.isdecimal()]
        if index.dimension != manager.dimension or len(index) != len(metadata.entries) or len(ids) != len(index):
            raise _foreign("does not describe the vectors of its index")
        manager._index = index
        manager._metadata = {int(one): entry for one, entry in metadata.entries.items()}
        manager._next_id = max([metadata.next_id, *(one + 1 for one in ids)])
        return manager

    def _unit(self, vector: NDArray[Any]) -> NDArray[np.float32]:
        return unit(checked(vector, dimensions=self.dimension, what=f"vector for the space {self.space.id!r}"))

    def _checked_metadata(self, metadata: Mapping[str, Any]) -> JsonObject:
        """A copy of its own: what the caller changes afterwards changes nothing here."""
        if metadata.get("workflow_id", self.workflow_id) != self.workflow_id:
            raise UsageError(
                f"a vector of workflow {metadata['workflow_id']} is not for the index of {self.workflow_id}"
            )
        try:
            kept = json.loads(json.dumps(dict(metadata), allow_nan=False, ensure_ascii=False).encode())
        except (TypeError, ValueError) as error:
            raise UsageError(f"metadata of a vector must be JSON: {error}") from error
        if kept != dict(metadata):  # a tuple or a number as a key would come back as something else
            raise UsageError("metadata of a vector must come back from JSON as it went in")
        return dict(kept)


class IndexMetadata(Document):
    """`metadata.json` beside an index."""

    schema_version: str = Field(default=SCHEMA_VERSION, pattern=f"^{SCHEMA_VERSION}$")
    workflow_id: Id
    space: EmbeddingSpace
    index_sha256: str
    next_id: int = Field(ge=0)
    entries: dict[str, JsonObject] = Field(default={})


def _foreign(problem: str) -> DocumentError:
    return DocumentError(f"index metadata: {problem}", remedy="Rebuild the index from the stored vectors.")
