"""Cosines, and what they are worth."""

from __future__ import annotations

import numpy as np
import pytest

from rpa_vision.embedding.similarity import CALIBRATIONS, Calibration, calibrate, cosine_similarity, similarity
from rpa_vision.embedding.spaces import InvalidVectorError, SpaceMismatchError, UncalibratedSpaceError
from rpa_vision.errors import RpaVisionError, UsageError


def test_vectors_of_different_spaces_are_never_compared() -> None:
    """L3-3"""
    vector = np.ones(4)
    assert similarity(vector, "a_v1", vector, "a_v1") == pytest.approx(1.0)
    with pytest.raises(SpaceMismatchError, match=r"a_v1.*a_v2") as caught:
        similarity(vector, "a_v1", vector, "a_v2")
    assert isinstance(caught.value, RpaVisionError)
    assert caught.value.code == "embedding.space_mismatch"


def test_vectors_of_different_lengths_are_refused() -> None:
    with pytest.raises(InvalidVectorError, match="3 dimensions"):
        cosine_similarity(np.ones(3), np.ones(4))


def test_a_vector_without_direction_is_like_nothing() -> None:
    assert cosine_similarity(np.zeros(3), np.ones(3)) == 0.0


@pytest.mark.parametrize("space_id", sorted(CALIBRATIONS))
def test_confidence_rises_from_nothing_to_certainty(space_id: str) -> None:
    """L4-10"""
    worth = [calibrate(raw, space_id) for raw in np.linspace(-1, 1, 401)]
    assert worth == sorted(worth)
    assert (worth[0], worth[-1]) == (0.0, 1.0)


def test_an_unmeasured_space_has_no_confidence() -> None:
    """L4-10"""
    with pytest.raises(UncalibratedSpaceError, match="open_clip"):
        calibrate(0.9, "open_clip_vit_b_32")


def test_a_similarity_that_is_no_number_is_refused() -> None:
    with pytest.raises(InvalidVectorError):
        calibrate(float("nan"))


@pytest.mark.parametrize(
    "points", [(), ((0.0, 0.0),), ((0.5, 0.1), (0.4, 0.9)), ((0.0, 0.9), (1.0, 0.1)), ((0.0, -0.1), (1.0, 1.0))]
)
def test_a_calibration_that_falls_is_refused(points: tuple[tuple[float, float], ...]) -> None:
    with pytest.raises(UsageError):
        Calibration(points)
