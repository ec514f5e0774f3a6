"""From an understood screen and its pixels to its fingerprint, and the document that tells how it was made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from rpa_vision.embedding.fusion_engine import COMPONENTS, FusionEngine
from rpa_vision.embedding.salience import TextGroups, front_of, group_texts
from rpa_vision.embedding.spaces import InvalidVectorError, blank, unit
from rpa_vision.embedding.ui_layout import encode_layout
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.state_embedding import EmbeddingComponent, EmbeddingHead, EmbeddingSpace, StateEmbedding
from rpa_vision.ports.perception import ScreenEncoder, Vector
from rpa_vision.ports.runtime import Clock

FRONT_PICTURE_SHARE: Final = 1.0  # beside the whole picture: a small dialog changes few pixels and everything else
FRONT_SHARE: Final = 2.0
LABELS_SHARE: Final = 1.0
CONTENT_SHARE: Final = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddedState:
    """The fused vector, the four it was made of, and the document that refers to it."""

    vector: Vector
    parts: dict[str, Vector]
    document: StateEmbedding

    @property
    def space_id(self) -> str:
        return self.document.space.id


class StateEmbedder:
    """An encoder and a fusion; what they make lies in `space`."""

    def __init__(self, encoder: ScreenEncoder, fusion: FusionEngine, clock: Clock) -> None:
        if encoder.space.dimensions != fusion.dimensions:
            raise InvalidVectorError(
                f"the encoder {encoder.space.id!r} gives {encoder.space.dimensions} dimensions, "
                f"the fusion takes {fusion.dimensions}"
            )
        self._encoder = encoder
        self._fusion = fusion
        self._clock = clock
        self._space = fusion.space(encoder.space)

    @property
    def space(self) -> EmbeddingSpace:
        """The space of the fused vectors."""
        return self._space

    def embed(self, state: ScreenState, pixels: Pixels, *, embedding_id: str | None = None) -> EmbeddedState:
        """Fingerprint a screen. The vector belongs under the document's `vector_id`; keeping it is the caller's."""
        began_s = self._clock.monotonic()
        height, width = pixels.shape[:2]
        parts = {
            "image": self._picture(pixels, front_of(state.ui_elements)),
            "text": self._text(group_texts(state.perception, state.ui_elements)),
            "title": self._words((state.window.title,)),
            "ui": encode_layout(state.ui_elements, width, height, self._fusion.dimensions),
        }
        vector = self._fusion.fuse(parts["image"], parts["text"], parts["title"], parts["ui"])
        took_ms = max(0.0, (self._clock.monotonic() - began_s) * 1000)
        return EmbeddedState(vector, parts, self._document(state, embedding_id, took_ms))

    def _picture(self, pixels: Pixels, front: Box | None) -> Vector:
        whole = self._encoder.encode_image(pixels)
        inside = front.clamped(pixels.shape[1], pixels.shape[0]) if front is not None else None
        if inside is None:
            return whole
        part = self._encoder.encode_image(pixels[inside.y1 : inside.y2, inside.x1 : inside.x2])
        return unit(whole.astype(np.float64) + FRONT_PICTURE_SHARE * part.astype(np.float64))

    def _text(self, groups: TextGroups) -> Vector:
        """Each kind of text has its share however long it is, so content never drowns the labels."""
        shares = ((FRONT_SHARE, groups.front), (LABELS_SHARE, groups.labels), (CONTENT_SHARE, groups.content))
        total = np.zeros(self._fusion.dimensions, np.float64)
        for share, texts in shares:
            if any(text.strip() for text in texts):
                total += share * self._encoder.encode_text(texts).astype(np.float64)
        return unit(total)

    def _words(self, texts: tuple[str, ...]) -> Vector:
        """No words are the blank vector, whatever an encoder makes of empty text."""
        if not any(text.strip() for text in texts):
            return blank(self._fusion.dimensions)
        return self._encoder.encode_text(texts)

    def _document(self, state: ScreenState, embedding_id: str | None, took_ms: float) -> StateEmbedding:
        own_id = embedding_id or f"emb_{state.screen_state_id}"
        vector_id = f"embeddings/states/{own_id}.npy"
        dimensions = self._fusion.dimensions
        made_by = dict.fromkeys(COMPONENTS, self._encoder.space.id) | {"ui": "rpa_vision"}
        return StateEmbedding(
            embedding_id=own_id,
            vector_id=vector_id,
            dimensions=dimensions,
            space=self._space,
            fusion_method=self._fusion.method,
            components={
                name: EmbeddingComponent(
                    weight=self._fusion.weights[name], provider=made_by[name], dimensions=dimensions
                )
                for name in COMPONENTS
            },
            primary=EmbeddingHead(
                space=self._space, vector_id=vector_id, dimensions=dimensions, computation_time_ms=took_ms
            ),
            computation_time_ms=took_ms,
            metadata={"screen_state_id": state.screen_state_id},
        )
