"""Two heads: a fast fingerprint for run time, and a richer one of another space for offline work.

Search, clustering and pictures of the whole use the auxiliary head; matching never does. Each has its own space and its
own time, so that what the richer one costs is seen and never paid while a run waits. Screens can be embedded in
batches: pictures that are pixel for pixel the same are encoded once.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from rpa_vision.embedding.spaces import SpaceMismatchError
from rpa_vision.embedding.state_embedder import EmbeddedState, StateEmbedder
from rpa_vision.models.frame import Pixels
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.state_embedding import EmbeddingHead, EmbeddingSpace, StateEmbedding
from rpa_vision.ports.perception import Vector

BATCH: Final = 32


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddedHeads:
    """Both vectors of a screen, and the document that refers to both."""

    primary: Vector
    auxiliary: Vector
    document: StateEmbedding


class TwoHeads:
    """A primary and an auxiliary embedder, which lie in two different spaces."""

    def __init__(self, primary: StateEmbedder, auxiliary: StateEmbedder) -> None:
        if primary.space.id == auxiliary.space.id:
            raise SpaceMismatchError(
                f"both heads lie in the space {primary.space.id!r}",
                remedy="Give the auxiliary head another encoder or fusion.",
            )
        self._primary = primary
        self._auxiliary = auxiliary

    @property
    def spaces(self) -> tuple[EmbeddingSpace, EmbeddingSpace]:
        """Of the primary and the auxiliary head."""
        return self._primary.space, self._auxiliary.space

    def embed(self, state: ScreenState, pixels: Pixels) -> EmbeddedHeads:
        """Fingerprint a screen twice; keeping the vectors under the ids of the document is the caller's."""
        return _joined(self._primary.embed(state, pixels), self._auxiliary.embed(state, pixels))

    def embed_batch(self, screens: Sequence[tuple[ScreenState, Pixels]]) -> Iterator[EmbeddedHeads]:
        """Fingerprint many screens twice, in order; what is the same is computed once."""
        both = zip(embed_batch(self._primary, screens), embed_batch(self._auxiliary, screens), strict=True)
        return (_joined(first, second) for first, second in both)


def _joined(first: EmbeddedState, second: EmbeddedState) -> EmbeddedHeads:
    """One document for both heads, each vector under an id of its own."""
    main = first.document.primary
    document = first.document.model_copy(
        update={
            "primary": None if main is None else _for(main, "runtime_matching"),
            "auxiliary": EmbeddingHead(
                space=second.document.space.model_copy(update={"purpose": "offline_analysis"}),
                vector_id=f"embeddings/states/{first.document.embedding_id}_aux.npy",
                dimensions=second.document.dimensions,
                computation_time_ms=second.document.computation_time_ms,
            ),
        }
    )
    return EmbeddedHeads(first.vector, second.vector, document)


def _for(head: EmbeddingHead, purpose: str) -> EmbeddingHead:
    return head.model_copy(update={"space": head.space.model_copy(update={"purpose": purpose})})


def embed_batch(
    embedder: StateEmbedder, screens: Sequence[tuple[ScreenState, Pixels]], *, at_once: int = BATCH
) -> Iterator[EmbeddedState]:
    """Fingerprint many screens, in order. What is the same to the pixel and the word is computed once per batch."""
    for start in range(0, len(screens), max(1, at_once)):
        known: dict[bytes, EmbeddedState] = {}
        for state, pixels in screens[start : start + max(1, at_once)]:
            key = _key(state, pixels)
            if key not in known:
                known[key] = embedder.embed(state, pixels)
                yield known[key]
                continue
            same = known[key]
            own = f"emb_{state.screen_state_id}"
            vector_id = f"embeddings/states/{own}.npy"
            head = same.document.primary
            document = same.document.model_copy(
                update={
                    "embedding_id": own,
                    "vector_id": vector_id,
                    "primary": None if head is None else head.model_copy(update={"vector_id": vector_id}),
                    "metadata": {"screen_state_id": state.screen_state_id},
                }
            )
            yield EmbeddedState(same.vector, same.parts, document)


def _key(state: ScreenState, pixels: Pixels) -> bytes:
    said = state.model_dump_json(include={"perception", "ui_elements", "window"})
    digest = hashlib.sha256(said.encode())
    digest.update(repr(pixels.shape).encode())
    digest.update(np.ascontiguousarray(pixels).tobytes())
    return digest.digest()


class VectorCache:
    """Vectors that were read or computed lately, by space and id; the ones longest unused make room.

    A vector is handed out read-only: nobody can change what the next one gets.
    """

    def __init__(self, room: int = 4096) -> None:
        self._room = room
        self._known: OrderedDict[tuple[str, str], Vector] = OrderedDict()
        self.hits = self.misses = 0

    def get(self, space_id: str, vector_id: str) -> Vector | None:
        """A vector of that space, if it is remembered."""
        found = self._known.get((space_id, vector_id))
        if found is None:
            self.misses += 1
            return None
        self._known.move_to_end((space_id, vector_id))
        self.hits += 1
        return found

    def put(self, space_id: str, vector_id: str, vector: Vector) -> Vector:
        """Remember a vector, and give it as it will be handed out."""
        kept = np.array(vector, np.float32)
        kept.flags.writeable = False
        self._known[(space_id, vector_id)] = kept
        self._known.move_to_end((space_id, vector_id))
        while len(self._known) > self._room:
            self._known.popitem(last=False)
        return kept

    def __len__(self) -> int:
        return len(self._known)
