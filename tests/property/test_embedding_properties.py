"""The seed's promises about fingerprints, for whatever comes."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from rpa_vision.adapters.vectors.faiss_index import FaissIndex
from rpa_vision.embedding.encoders import HashedScreenEncoder
from rpa_vision.embedding.faiss_manager import FAISSManager
from rpa_vision.embedding.fusion_engine import COMPONENTS, FusionEngine
from rpa_vision.embedding.similarity import calibrate, cosine_similarity
from rpa_vision.embedding.spaces import unit
from rpa_vision.errors import UsageError
from rpa_vision.models.state_embedding import EmbeddingSpace

D = 16
ENCODER = HashedScreenEncoder()
numbers = st.floats(-1e6, 1e6, width=32)
vectors = hnp.arrays(np.float32, D, elements=numbers)
wild_vectors = hnp.arrays(np.float64, D, elements=st.floats(allow_nan=False, allow_infinity=False))
methods: st.SearchStrategy[Literal["weighted", "concat_projection"]] = st.sampled_from(
    ["weighted", "concat_projection"]
)
shares = st.lists(st.floats(0, 1), min_size=4, max_size=4).filter(lambda values: sum(values) > 1e-3)


def _weights(values: list[float]) -> dict[str, float]:
    total = math.fsum(values)
    return {name: value / total for name, value in zip(COMPONENTS, values, strict=True)}


@given(methods, shares, wild_vectors, wild_vectors, wild_vectors, wild_vectors)
def test_a_fused_vector_has_length_one(
    method: Literal["weighted", "concat_projection"],
    values: list[float],
    image: NDArray[np.float64],
    text: NDArray[np.float64],
    title: NDArray[np.float64],
    ui: NDArray[np.float64],
) -> None:
    """P003-4"""
    fused = FusionEngine(method, _weights(values), dimensions=D).fuse(image, text, title, ui)
    assert abs(float(np.linalg.norm(fused.astype(np.float64))) - 1.0) < 1e-5


@settings(max_examples=50, deadline=None)
@given(
    hnp.arrays(np.uint8, hnp.array_shapes(min_dims=3, max_dims=3, max_side=40).map(lambda s: (s[0], s[1], 3))),
    st.lists(st.text(max_size=30), max_size=6),
)
def test_any_picture_and_any_words_have_length_one(picture: NDArray[np.uint8], texts: list[str]) -> None:
    """P003-4"""
    for vector in (ENCODER.encode_image(picture), ENCODER.encode_text(texts)):
        assert abs(float(np.linalg.norm(vector.astype(np.float64))) - 1.0) < 1e-5


@given(wild_vectors, wild_vectors)
def test_similarity_is_the_same_both_ways(first: NDArray[np.float64], second: NDArray[np.float64]) -> None:
    """P003-5"""
    assert cosine_similarity(first, second) == cosine_similarity(second, first)


@given(wild_vectors, wild_vectors)
def test_similarity_is_between_minus_one_and_one(first: NDArray[np.float64], second: NDArray[np.float64]) -> None:
    """P003-6"""
    value = cosine_similarity(first, second)
    assert -1.0 <= value <= 1.0
    assert 0.0 <= calibrate(value) <= 1.0


@given(wild_vectors.filter(lambda vector: bool(vector.any())))
def test_a_vector_is_like_itself(vector: NDArray[np.float64]) -> None:
    """P003-6"""
    assert cosine_similarity(vector, vector) > 1.0 - 1e-9


@settings(deadline=None)
@given(
    st.lists(vectors, min_size=1, max_size=12),
    st.lists(
        st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5), max_size=3), min_size=12, max_size=12
    ),
    st.data(),
)
def test_an_added_vector_is_the_top_result_with_its_metadata(
    added: list[NDArray[np.float32]], notes: list[dict[str, int | str]], data: st.DataObject
) -> None:
    """P003-11"""
    manager = FAISSManager(FaissIndex, workflow_id="wf", space=EmbeddingSpace(id="s", dimensions=D))
    ids = [manager.add_embedding(vector, note) for vector, note in zip(added, notes, strict=False)]
    chosen = data.draw(st.integers(0, len(added) - 1))
    best = manager.search_similar(added[chosen], k=1)[0]
    # A vector added twice is found where it was added first.
    first = next(place for place, vector in enumerate(added) if np.array_equal(unit(vector), unit(added[chosen])))
    assert (best.id, best.metadata, best.similarity) == (ids[first], notes[first], 1.0)


@given(shares)
def test_weights_that_add_up_to_one_are_kept(values: list[float]) -> None:
    """P003-17"""
    assert abs(math.fsum(FusionEngine(weights=_weights(values)).weights.values()) - 1.0) <= 1e-6


@given(shares.filter(lambda values: abs(math.fsum(values) - 1.0) > 1e-5))
def test_weights_that_do_not_add_up_to_one_are_refused(values: list[float]) -> None:
    """P003-17"""
    with pytest.raises(UsageError, match="add up to 1"):
        FusionEngine(weights=dict(zip(COMPONENTS, values, strict=True)))
