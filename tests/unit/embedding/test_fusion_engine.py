"""Four vectors into one: weights, spaces, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from rpa_vision.embedding.encoders import HashedScreenEncoder
from rpa_vision.embedding.fusion_engine import DEFAULT_WEIGHTS, FusionEngine
from rpa_vision.embedding.similarity import cosine_similarity
from rpa_vision.embedding.spaces import InvalidVectorError, blank
from rpa_vision.errors import UsageError

D = 512


def _axis(place: int) -> NDArray[np.float32]:
    vector = np.zeros(D, np.float32)
    vector[place] = 3.0
    return vector


def test_the_default_weights_are_the_seeds() -> None:
    """P003-17"""
    assert dict(FusionEngine().weights) == {"image": 0.5, "text": 0.3, "title": 0.1, "ui": 0.1}


def test_weighted_fusion_adds_normalised_parts() -> None:
    """L3-1"""
    fused = FusionEngine().fuse(_axis(0), _axis(1), _axis(2), _axis(3))
    assert fused[:4] / fused[2] == pytest.approx([5.0, 3.0, 1.0, 1.0], rel=1e-5)


def test_concatenation_makes_the_cosine_a_weighted_mean() -> None:
    """L3-1, L3-4: within what a projection to a quarter of the dimensions leaves."""
    engine = FusionEngine("concat_projection")
    first = engine.fuse(_axis(0), _axis(1), _axis(2), _axis(3))
    second = engine.fuse(_axis(0), _axis(9), _axis(2), _axis(8))
    assert cosine_similarity(first, second) == pytest.approx(0.5 + 0.1, abs=0.12)


@pytest.mark.parametrize(
    "weights",
    [
        {"image": 0.5, "text": 0.3, "title": 0.1, "ui": 0.2},
        {"image": 1.5, "text": -0.5, "title": 0.0, "ui": 0.0},
        {"image": 1.0},
        {},
        {"image": float("nan"), "text": 0.3, "title": 0.1, "ui": 0.1},
        {"image": 0.5, "text": 0.3, "title": 0.1, "ui": 0.1, "sound": 0.0},
    ],
)
def test_weights_that_are_no_weights_are_refused(weights: dict[str, float]) -> None:
    """P003-17"""
    with pytest.raises(UsageError):
        FusionEngine(weights=weights)


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(UsageError, match="average"):
        FusionEngine("average")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "bad", [np.zeros(511), np.full(D, np.nan), np.full(D, np.inf), np.zeros((1, D)), np.array(["x"] * D)]
)
def test_a_part_that_is_no_vector_is_named_in_the_error(bad: NDArray[np.float64]) -> None:
    with pytest.raises(InvalidVectorError, match="text embedding"):
        FusionEngine().fuse(_axis(0), bad, _axis(2), _axis(3))


@pytest.mark.parametrize("method", ["weighted", "concat_projection"])
def test_nothing_at_all_is_the_blank_vector(method: str) -> None:
    """P003-4"""
    nothing = np.zeros(D)
    assert np.array_equal(FusionEngine(method).fuse(nothing, nothing, nothing, nothing), blank(D))  # type: ignore[arg-type]


def test_what_shapes_the_vectors_is_in_the_id_of_their_space(encoder: HashedScreenEncoder) -> None:
    """L3-3, L3-4"""
    even = {"image": 0.25, "text": 0.25, "title": 0.25, "ui": 0.25}
    ids = [
        FusionEngine().space(encoder.space).id,
        FusionEngine("concat_projection").space(encoder.space).id,
        FusionEngine(weights=even).space(encoder.space).id,
        FusionEngine("concat_projection", weights=even).space(encoder.space).id,
    ]
    assert len(set(ids)) == 4
    assert FusionEngine(weights=dict(DEFAULT_WEIGHTS)).space(encoder.space).id == ids[0]
