"""The index over all workflows: hints with their workflow, whole workflows in and out, one space."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from rpa_vision.adapters.vectors.faiss_index import FaissIndex
from rpa_vision.embedding.spaces import InvalidVectorError, SpaceMismatchError
from rpa_vision.embedding.whereabouts import Hint, Whereabouts
from rpa_vision.errors import InvalidIdError, UsageError
from rpa_vision.models.state_embedding import EmbeddingSpace

SPACE = EmbeddingSpace(id="small_v1", dimensions=8)


def nodes(count: int, seed: int) -> list[tuple[str, NDArray[np.float64]]]:
    rows = np.random.default_rng(seed).normal(size=(count, 8))
    return [(f"N{number}", row) for number, row in enumerate(rows)]


@pytest.fixture
def known() -> Whereabouts:
    whereabouts = Whereabouts(FaissIndex, SPACE)
    for number in range(20):
        whereabouts.put(f"WF_{number}", nodes(5, number), space_id="small_v1")
    return whereabouts


def test_a_known_screen_is_found_with_its_workflow(known: Whereabouts) -> None:
    """L3-2"""
    for number in range(20):
        for node_id, vector in nodes(5, number):
            best = known.hints(vector, 1, space_id="small_v1")[0]
            assert (best.workflow_id, best.node_id) == (f"WF_{number}", node_id)
            assert best.similarity == pytest.approx(1.0)


def test_a_workflow_is_replaced_and_forgotten_as_a_whole(known: Whereabouts) -> None:
    """L3-2: removal, isolation"""
    vector = nodes(5, 3)[2][1]
    known.put("WF_3", nodes(2, 77), space_id="small_v1")
    assert len(known) == 97
    assert all(
        hint.workflow_id != "WF_3" or hint.similarity < 0.999 for hint in known.hints(vector, space_id="small_v1")
    )
    known.drop("WF_3")
    known.drop("WF_3")
    known.compact()
    assert "WF_3" not in known.workflow_ids
    assert {hint.workflow_id for hint in known.hints(vector, 95, space_id="small_v1")} == known.workflow_ids


def test_another_space_is_never_asked(known: Whereabouts) -> None:
    """L3-3"""
    with pytest.raises(SpaceMismatchError):
        known.hints(np.ones(8), space_id="small_v2")
    with pytest.raises(SpaceMismatchError):
        known.put("WF_1", nodes(1, 1), space_id="small_v2")


def test_bad_input_changes_nothing(known: Whereabouts) -> None:
    with pytest.raises(InvalidVectorError):
        known.put("WF_1", [("N0", np.ones(7))], space_id="small_v1")
    with pytest.raises(InvalidIdError):
        known.put("../WF", nodes(1, 1), space_id="small_v1")
    with pytest.raises(UsageError):
        known.hints(np.ones(8), 0, space_id="small_v1")
    with pytest.raises(InvalidVectorError):
        Whereabouts(FaissIndex, EmbeddingSpace(id="small_v1"))
    assert known.hints(nodes(5, 1)[0][1], 1, space_id="small_v1") == [Hint("WF_1", "N0", pytest.approx(1.0))]
    assert Whereabouts(FaissIndex, SPACE).hints(np.ones(8), space_id="small_v1") == []
