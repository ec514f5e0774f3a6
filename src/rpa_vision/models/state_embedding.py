"""Layer 3, StateEmbedding: the fingerprint of a screen, and the space in which it may be compared."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, JsonValue, model_validator

from rpa_vision.models.document import Document, JsonObject, Part, unwrapped
from rpa_vision.models.ids import Id
from rpa_vision.models.vector_ref import DataPath


class EmbeddingSpace(Part):
    """Vectors are comparable only within one space; its `id` says which."""

    id: Id
    version: str = ""
    model_name: str = ""
    provider: str = ""
    dimensions: int | None = Field(default=None, ge=1)
    metric: Literal["cosine"] = "cosine"
    normalization: Literal["l2", "none"] = "l2"
    purpose: str | None = None


def _check_dimensions(dimensions: int | None, space: EmbeddingSpace | None) -> None:
    declared = space.dimensions if space is not None else None
    if dimensions is not None and declared is not None and dimensions != declared:
        raise ValueError(f"dimensions: {dimensions}, but the space {space.id if space else ''!r} has {declared}")


class EmbeddingRef(Part):
    """Where one vector lies, and its space."""

    provider: str
    vector_id: DataPath
    dimensions: int = Field(ge=1)
    space: EmbeddingSpace | None = None

    @model_validator(mode="after")
    def _dimensions_agree(self) -> Self:
        _check_dimensions(self.dimensions, self.space)
        return self

    @property
    def space_id(self) -> str:
        """The space of the vector; one that names only its provider lies in the space of that provider."""
        return self.space.id if self.space is not None else self.provider


class EmbeddingComponent(Part):
    """One of the things that were fused: how much it weighed and who made it."""

    weight: float = Field(ge=0.0, le=1.0)
    provider: str = ""
    vector_id: DataPath | None = None
    dimensions: int | None = Field(default=None, ge=1)


class EmbeddingHead(Part):
    """One of the two fingerprints of a screen: for run time, or for offline analysis."""

    space: EmbeddingSpace
    vector_id: DataPath
    dimensions: int = Field(ge=1)
    computation_time_ms: float | None = Field(default=None, ge=0.0)

    @model_validator(mode="after")
    def _dimensions_agree(self) -> Self:
        _check_dimensions(self.dimensions, self.space)
        return self


class StateEmbedding(Document):
    """The fused fingerprint of one screen."""

    embedding_id: Id
    vector_id: DataPath
    dimensions: int = Field(ge=1)
    space: EmbeddingSpace
    fusion_method: Literal["weighted", "concat_projection"] = "weighted"
    components: dict[str, EmbeddingComponent] = {}
    primary: EmbeddingHead | None = None
    auxiliary: EmbeddingHead | None = None
    computation_time_ms: float | None = Field(default=None, ge=0.0)
    metadata: dict[str, JsonValue] = {}

    @classmethod
    def _accept(cls, data: JsonObject) -> JsonObject:
        """The block may be wrapped in its name; what only the primary head or the space says stands for the whole."""
        data = unwrapped(data, "state_embedding")
        primary = data.get("primary")
        if isinstance(primary, dict):
            data = {key: primary[key] for key in ("vector_id", "dimensions", "space") if key in primary} | data
        space = data.get("space")
        if "dimensions" not in data and isinstance(space, dict) and "dimensions" in space:
            data = {**data, "dimensions": space["dimensions"]}
        return data

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        _check_dimensions(self.dimensions, self.space)
        if self.fusion_method == "weighted" and self.components:
            total = sum(component.weight for component in self.components.values())
            if abs(total - 1.0) > 1e-6:
                raise ValueError(f"components: the weights of a weighted fusion add up to 1, not {total:g}")
        if self.primary and self.auxiliary and self.primary.space.id == self.auxiliary.space.id:
            raise ValueError("auxiliary.space.id: the two heads are two different spaces")
        return self
