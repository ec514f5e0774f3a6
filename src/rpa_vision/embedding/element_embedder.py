"""Two vectors of an element, made when somebody asks: how it looks and what it says (L2-3).

The look is the outlines of its picture, as targets are compared by (`imaging.outlines`): how steep the grey values are,
across and down, in a grid over its box. So colours, dark on light and size hardly matter. The words are hashed as those
of a screen are. Both are the same bits for the same pixels and label. Pictures are compared with pictures and words
with words: each has a space of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rpa_vision.embedding.encoders import fold_words, hashed_words
from rpa_vision.embedding.spaces import unit
from rpa_vision.imaging.outlines import edges_of
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.ids import checked_id
from rpa_vision.models.state_embedding import EmbeddingRef, EmbeddingSpace
from rpa_vision.models.ui_element import UIElement, UIElementEmbeddings
from rpa_vision.ports.perception import Vector

GRID: Final = 16
SIDE_PX: Final = 64
DIMENSIONS: Final = 2 * GRID * GRID
SMALLEST_PX: Final = 4
_FLAT: Final = 2.0
"""A mean slope below this is paper, not something drawn on it."""

IMAGE_SPACE: Final = EmbeddingSpace(
    id="rpav_element_outlines_v1", version="1", model_name="outlines in a grid", provider="rpa_vision",
    dimensions=DIMENSIONS, purpose="elements",
)  # fmt: skip
TEXT_SPACE: Final = EmbeddingSpace(
    id="rpav_element_words_v1", version="1", model_name="hashed words", provider="rpa_vision", dimensions=DIMENSIONS,
    purpose="elements",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddedElements:
    """Elements that name their vectors, and these vectors by their names."""

    elements: tuple[UIElement, ...]
    vectors: dict[str, Vector]


class ElementEmbedder:
    """Embeds elements of a picture. It keeps nothing."""

    def image(self, pixels: Pixels, element: UIElement) -> Vector | None:
        """How it looks; None where there is nothing to see."""
        box = Box.of(element.bbox).clamped(int(pixels.shape[1]), int(pixels.shape[0]))
        if box is None or min(box.width, box.height) < SMALLEST_PX:
            return None
        part = np.ascontiguousarray(pixels[box.y1 : box.y2, box.x1 : box.x2, :3])
        grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)
        how = cv2.INTER_AREA if max(box.width, box.height) > SIDE_PX else cv2.INTER_LINEAR
        steep = np.abs(edges_of(cv2.resize(grey, (SIDE_PX, SIDE_PX), interpolation=how)))
        if float(steep.mean()) < _FLAT:
            return None
        pooled: NDArray[np.float32] = np.asarray(cv2.resize(steep, (GRID, GRID), interpolation=cv2.INTER_AREA))
        centred = np.rint(16 * pooled.astype(np.float64))
        return unit((centred - np.rint(centred.mean(axis=(0, 1)))).ravel())

    def text(self, element: UIElement) -> Vector | None:
        """What it says; None where it says nothing."""
        return hashed_words([element.label], DIMENSIONS) if fold_words(element.label) else None

    def embed(self, elements: Sequence[UIElement], pixels: Pixels, *, name: str) -> EmbeddedElements:
        """Elements of one picture with their embeddings. `name` tells the picture from others: vectors are named
        `embeddings/elements/<name>/<element id>_img.npy` and `…_txt.npy`."""
        checked_id(name, what="picture")
        vectors: dict[str, Vector] = {}
        embedded = []
        for element in elements:
            refs = {}
            made = (("image", "img", self.image(pixels, element), IMAGE_SPACE),
                    ("text", "txt", self.text(element), TEXT_SPACE))  # fmt: skip
            for kind, ending, vector, space in made:
                if vector is not None:
                    vector_id = f"embeddings/elements/{name}/{element.element_id}_{ending}.npy"
                    vectors[vector_id] = vector
                    refs[kind] = EmbeddingRef(
                        provider=space.provider, vector_id=vector_id, dimensions=DIMENSIONS, space=space
                    )
            embedded.append(element.model_copy(update={"embeddings": UIElementEmbeddings(**refs)}))
        return EmbeddedElements(tuple(embedded), vectors)
