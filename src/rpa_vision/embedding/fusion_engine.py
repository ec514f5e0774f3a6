"""Four fingerprints of a screen into one: its picture, its words, its window's title, its elements.

`weighted` adds them up, as the seeds do. `concat_projection` lays them side by side, scaled so that the cosine of two
results is the weighted mean of the four cosines, and projects back by a fixed matrix. Method, version and any weights
other than the default are part of the id of the space the result lies in.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from rpa_vision.embedding import ui_layout
from rpa_vision.embedding.hashing import project, sign_matrix
from rpa_vision.embedding.spaces import STATE_DIMENSIONS, checked, unit
from rpa_vision.errors import UsageError
from rpa_vision.models.state_embedding import EmbeddingSpace
from rpa_vision.ports.perception import Vector

FusionMethod = Literal["weighted", "concat_projection"]
METHODS: Final = ("weighted", "concat_projection")
COMPONENTS: Final = ("image", "text", "title", "ui")
DEFAULT_WEIGHTS: Final = MappingProxyType({"image": 0.5, "text": 0.3, "title": 0.1, "ui": 0.1})
VERSION: Final = "v1"


class FusionEngine:
    """How the parts are put together, and how much each of them counts."""

    def __init__(
        self,
        method: FusionMethod = "weighted",
        weights: Mapping[str, float] | None = None,
        *,
        dimensions: int = STATE_DIMENSIONS,
    ) -> None:
        if method not in METHODS:
            raise UsageError(f"fusion method {method!r} is unknown", remedy=f"Choose one of {', '.join(METHODS)}.")
        self.method: FusionMethod = method
        self.weights = _checked_weights(DEFAULT_WEIGHTS if weights is None else weights)
        self.dimensions = dimensions

    def fuse(
        self, img_emb: NDArray[Any], text_emb: NDArray[Any], title_emb: NDArray[Any], ui_emb: NDArray[Any]
    ) -> Vector:
        """Fuse four vectors into one of length 1. A part of length 0 says nothing and is left out."""
        parts = [
            _scaled(part, self.dimensions, name)
            for name, part in zip(COMPONENTS, (img_emb, text_emb, title_emb, ui_emb), strict=True)
        ]
        weights = [self.weights[name] for name in COMPONENTS]
        if self.method == "weighted":
            total = np.zeros(self.dimensions, np.float64)
            for weight, part in zip(weights, parts, strict=True):
                total += weight * part
            return unit(total)
        side_by_side = np.concatenate([math.sqrt(weight) * part for weight, part in zip(weights, parts, strict=True)])
        return unit(project(side_by_side, _projection(self.dimensions)))

    def space(self, encoder: EmbeddingSpace) -> EmbeddingSpace:
        """The space of what `fuse` makes of an encoder's vectors."""
        own = "" if self.weights == DEFAULT_WEIGHTS else f"-{_digest(self.weights)}"
        return EmbeddingSpace(
            id=f"{encoder.id}.{self.method}_{VERSION}{own}.ui_{ui_layout.VERSION}",
            version=encoder.version,
            model_name=encoder.model_name,
            provider=encoder.provider,
            dimensions=self.dimensions,
            purpose=encoder.purpose,
        )


def _checked_weights(weights: Mapping[str, float]) -> Mapping[str, float]:
    if set(weights) != set(COMPONENTS):
        raise UsageError(
            f"fusion weights are for {', '.join(COMPONENTS)}, not for {', '.join(sorted(weights)) or 'none'}"
        )
    values = {name: float(weights[name]) for name in COMPONENTS}
    if not all(math.isfinite(value) and value >= 0.0 for value in values.values()):
        raise UsageError(f"fusion weights are 0 or more, not {values}")
    if abs(math.fsum(values.values()) - 1.0) > 1e-6:
        raise UsageError(f"fusion weights add up to 1, not {math.fsum(values.values()):g}")
    return MappingProxyType(values)


def _scaled(part: NDArray[Any], dimensions: int, name: str) -> NDArray[np.float64]:
    values = checked(part, dimensions=dimensions, what=f"{name} embedding")
    return unit(values).astype(np.float64) if values.any() else values


def _digest(weights: Mapping[str, float]) -> str:
    text = ",".join(f"{name}={weights[name]!r}" for name in COMPONENTS)
    return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()


@lru_cache(maxsize=2)
def _projection(dimensions: int) -> NDArray[np.float64]:
    return sign_matrix(f"concat_projection_{VERSION}", len(COMPONENTS) * dimensions, dimensions)
