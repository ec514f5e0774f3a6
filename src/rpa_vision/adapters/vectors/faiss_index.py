"""Nearest neighbours by FAISS: inner products of unit vectors under ids of our own.

FAISS adds in whatever order its kernels like, so two vectors a rounding error apart may come back in the wrong order.
The nearest few are therefore ranked again with exact arithmetic: a vector that is in the index is its own best match.
Bytes are sealed with a checksum, because FAISS trusts what it reads and a torn file could take the process down.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final, Self

import faiss
import numpy as np
from numpy.typing import NDArray

from rpa_vision.errors import DocumentError, UnknownIdError, UsageError

MAGIC: Final = b"RPAVFAISS1\n"
_DIGEST_BYTES: Final = 32
_RERANKED: Final = 16  # how many more than asked for are looked at again
FLAT_UP_TO: Final = 10_000
_GROWTH: Final = 4  # when there are so many times as many vectors, the cells are chosen anew
_MOST_CELLS: Final = 1024  # more are searched faster, but take minutes to choose
_PER_CELL: Final = 24
_ROUNDS: Final = 5
_PROBES: Final = 32  # how many cells a query looks into: enough that its neighbours are nearly always among them
_CHUNK: Final = 20_000
_HASHED: Final[Any] = faiss.DirectMap.Hashtable  # type: ignore[attr-defined]  # vectors by id, also after removals


class FaissIndex:
    """Implements `ports.vectors.VectorIndex`: a flat list up to 10,000 vectors, an inverted file beyond.

    Beyond, a vector lies in the cell of its nearest centre, and a query looks into the cells whose centres are nearest
    to it: so a vector that is in the index is still its own best match, and others are found nearly always.
    """

    def __init__(self, dimension: int, *, flat_up_to: int = FLAT_UP_TO) -> None:
        if dimension < 1:
            raise UsageError(f"an index has at least one dimension, not {dimension}")
        # One query reads memory once, which one thread does at full speed; several only wait for each other when the
        # cores are busy (measured: 31 ms against 131 ms), and the person's own work comes first.
        faiss.omp_set_num_threads(1)
        self._flat_up_to = flat_up_to
        self._index: Any = _flat(dimension)
        self._ids: set[int] = set()
        self._trained_on = 0

    @classmethod
    def restore(cls, data: bytes) -> Self:
        """The index that `serialise` wrote, or a DocumentError."""
        body = _unsealed(data)
        try:
            index: Any = faiss.deserialize_index(np.frombuffer(body, np.uint8))
        except Exception as error:  # FAISS raises RuntimeError and others, all meaning the same here
            raise DocumentError(f"vector index: cannot be read ({error})", remedy=_REBUILD) from error
        if not isinstance(index, (faiss.IndexIDMap2, faiss.IndexIVFFlat)):
            raise DocumentError("vector index: not an index of this program", remedy=_REBUILD)
        ids = _ids_of(index)
        if len(set(ids)) != len(ids) or len(ids) != index.ntotal:
            raise DocumentError("vector index: its ids and its vectors do not agree", remedy=_REBUILD)
        restored = cls(int(index.d))
        if isinstance(index, faiss.IndexIVFFlat):
            index.set_direct_map_type(_HASHED)
            index.nprobe = min(_PROBES, int(index.nlist))
            restored._trained_on = len(ids)
        restored._index = index
        restored._ids = set(ids)
        return restored

    @property
    def dimension(self) -> int:
        return int(self._index.d)

    @property
    def has_cells(self) -> bool:
        """Whether it is an inverted file by now."""
        return self._trained_on > 0

    @property
    def trained_on(self) -> int:
        """How many vectors the cells were chosen by; 0 while it is a flat list."""
        return self._trained_on

    @property
    def ids(self) -> frozenset[int]:
        """The ids that are in the index."""
        return frozenset(self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, ids: Sequence[int], vectors: NDArray[np.float32]) -> None:
        rows = np.ascontiguousarray(vectors, np.float32)
        if rows.shape != (len(ids), self.dimension):
            raise UsageError(f"{len(ids)} vectors of {self.dimension} dimensions were expected, not {rows.shape}")
        if len(set(ids)) != len(ids) or not self._ids.isdisjoint(ids) or any(one < 0 for one in ids):
            raise UsageError("vectors are added under new, different ids of 0 or more")
        if not ids:
            return
        self._index.add_with_ids(rows, np.asarray(ids, np.int64))
        self._ids.update(ids)
        if len(self) > max(self._flat_up_to, _GROWTH * self._trained_on):
            self.compact()

    def remove(self, ids: Sequence[int]) -> None:
        unknown = sorted(set(ids) - self._ids)
        if unknown:
            raise UnknownIdError(
                f"no vector has the id {unknown[0]}", remedy="Search again: ids leave with their vectors."
            )
        if not ids:
            return
        self._index.remove_ids(faiss.IDSelectorArray(np.asarray(ids, np.int64)))
        self._ids.difference_update(ids)

    def compact(self) -> None:
        """Build it anew from its own vectors: without gaps, and with cells that fit how many there are now."""
        ids = np.asarray(sorted(self._ids), np.int64)
        if len(ids) <= self._flat_up_to:
            fresh, self._trained_on = _flat(self.dimension), 0
        else:
            fresh, self._trained_on = self._cells(ids), len(ids)
        for start in range(0, len(ids), _CHUNK):
            part = ids[start : start + _CHUNK]
            fresh.add_with_ids(self._vectors(part), part)
        self._index = fresh

    def _cells(self, ids: NDArray[np.int64]) -> Any:
        """An empty inverted file whose cells are chosen by a fixed sample of the vectors."""
        cells = min(_MOST_CELLS, max(1, int(2 * np.sqrt(len(ids)))))
        quantizer = faiss.IndexFlatIP(self.dimension)
        fresh = faiss.IndexIVFFlat(quantizer, self.dimension, cells, faiss.METRIC_INNER_PRODUCT)
        fresh.cp.niter, fresh.cp.seed, fresh.cp.min_points_per_centroid = _ROUNDS, 1, 1
        sample = ids[:: max(1, len(ids) // (_PER_CELL * cells))]
        fresh.train(self._vectors(sample))
        fresh.set_direct_map_type(_HASHED)
        fresh.nprobe = min(_PROBES, cells)
        return fresh

    def _vectors(self, ids: NDArray[np.int64]) -> NDArray[np.float32]:
        return np.stack([np.asarray(self._index.reconstruct(int(one)), np.float32) for one in ids])

    def search(self, query: NDArray[np.float32], k: int) -> list[tuple[int, float]]:
        vector = np.ascontiguousarray(query, np.float32)
        if vector.shape != (self.dimension,):
            raise UsageError(f"a query of {self.dimension} dimensions was expected, not {vector.shape}")
        wanted = min(k, len(self))
        if wanted < 1:
            return []
        _, found = self._index.search(vector[None, :], min(len(self), wanted + _RERANKED))
        ranked = [self._exact(int(one), vector) for one in found[0] if one >= 0]
        ranked.sort(key=lambda entry: (not entry[2], -entry[1], entry[0]))
        return [(one, similarity) for one, similarity, _ in ranked[:wanted]]

    def _exact(self, one: int, query: NDArray[np.float32]) -> tuple[int, float, bool]:
        stored = np.asarray(self._index.reconstruct(one), np.float32)
        if np.array_equal(stored, query):
            return one, 1.0, True
        left, right = stored.astype(np.float64), query.astype(np.float64)
        lengths = float(np.sqrt(left @ left) * np.sqrt(right @ right))
        return one, min(1.0, max(-1.0, float(left @ right) / lengths)) if lengths else 0.0, False

    def serialise(self) -> bytes:
        body = faiss.serialize_index(self._index).tobytes()
        return MAGIC + hashlib.sha256(body).digest() + body


def _flat(dimension: int) -> Any:
    return faiss.IndexIDMap2(faiss.IndexFlatIP(dimension))


def _ids_of(index: Any) -> list[int]:
    if isinstance(index, faiss.IndexIDMap2):
        return [int(one) for one in faiss.vector_to_array(index.id_map)]
    lists = index.invlists
    sizes = [(cell, int(lists.list_size(cell))) for cell in range(int(index.nlist))]
    parts = [faiss.rev_swig_ptr(lists.get_ids(cell), size).copy() for cell, size in sizes if size]
    return [int(one) for part in parts for one in part]


_REBUILD: Final = "Rebuild the index from the stored vectors; nothing is lost."


def _unsealed(data: bytes) -> bytes:
    start = len(MAGIC) + _DIGEST_BYTES
    if data[: len(MAGIC)] != MAGIC or len(data) <= start:
        raise DocumentError("vector index: not a vector index, or cut short", remedy=_REBUILD)
    if hashlib.sha256(data[start:]).digest() != data[len(MAGIC) : start]:
        raise DocumentError("vector index: its checksum is wrong", remedy=_REBUILD)
    return data[start:]
