"""Beyond 10,000 vectors an index is an inverted file: quicker, and a vector is still its own best match."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from rpa_vision.adapters.vectors.faiss_index import FLAT_UP_TO, FaissIndex
from rpa_vision.embedding.faiss_manager import FAISSManager
from rpa_vision.models.state_embedding import EmbeddingSpace

DIMENSIONS = 16


def vectors(count: int, seed: int = 1) -> NDArray[np.float32]:
    """Vectors in heaps, as screens lie, some of them twice the same."""
    dice = np.random.default_rng(seed)
    heaps = dice.standard_normal((60, DIMENSIONS))
    rows = heaps[dice.integers(0, 60, count)] + 0.4 * dice.standard_normal((count, DIMENSIONS))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def filled(rows: NDArray[np.float32], *, flat_up_to: int = FLAT_UP_TO, at_once: int = 997) -> FaissIndex:
    index = FaissIndex(DIMENSIONS, flat_up_to=flat_up_to)
    for start in range(0, len(rows), at_once):
        index.add(list(range(start, min(len(rows), start + at_once))), rows[start : start + at_once])
    return index


@pytest.fixture(scope="module")
def rows() -> NDArray[np.float32]:
    return vectors(FLAT_UP_TO + 2_500)


@pytest.fixture(scope="module")
def large(rows: NDArray[np.float32]) -> FaissIndex:
    return filled(rows)


def test_every_vector_is_its_own_best_match_beyond_ten_thousand(large: FaissIndex, rows: NDArray[np.float32]) -> None:
    """P003-11, L3-2"""
    assert large.has_cells
    wrong = [one for one in range(0, len(rows), 5) if large.search(rows[one], 1) != [(one, 1.0)]]
    assert wrong == []


def test_neighbours_are_nearly_always_those_of_a_flat_list(large: FaissIndex, rows: NDArray[np.float32]) -> None:
    """L3-2"""
    flat = filled(rows, flat_up_to=len(rows))
    assert not flat.has_cells
    seen_again = rows[::60] + 0.2 * np.random.default_rng(2).standard_normal(rows[::60].shape).astype(np.float32)
    queries = seen_again / np.linalg.norm(seen_again, axis=1, keepdims=True)
    same = sum(large.search(query, 1) == flat.search(query, 1) for query in queries)
    assert same >= 0.99 * len(queries)


def test_up_to_ten_thousand_an_index_is_a_flat_list(rows: NDArray[np.float32]) -> None:
    """L3-2"""
    assert not filled(rows[:FLAT_UP_TO], at_once=5_000).has_cells


def test_a_large_index_is_kept_and_comes_back_the_same(large: FaissIndex, rows: NDArray[np.float32]) -> None:
    """L3-2"""
    again = FaissIndex.restore(large.serialise())
    assert (again.has_cells, again.ids) == (True, large.ids)
    for query in vectors(50, seed=3):
        assert again.search(query, 5) == large.search(query, 5)
    again.remove([3, 4])
    again.add([len(rows)], rows[3:4])
    assert again.search(rows[3], 1) == [(len(rows), 1.0)]


def test_removed_vectors_are_never_found_and_leave_room(rows: NDArray[np.float32]) -> None:
    """L3-2: removal and compaction"""
    index = filled(rows[:2_000], flat_up_to=500)
    index.remove(list(range(1_700)))
    before = len(index.serialise())
    assert all(one >= 1_700 for query in rows[:100] for one, _ in index.search(query, 5))
    found = [index.search(query, 3) for query in rows[1_700:1_720]]
    index.compact()
    assert not index.has_cells
    assert len(index.serialise()) < before
    assert [index.search(query, 1)[0] for query in rows[1_700:1_720]] == [one[0] for one in found]


def test_an_index_that_grows_chooses_its_cells_anew(rows: NDArray[np.float32]) -> None:
    """L3-2"""
    index = filled(rows[:9_000], flat_up_to=1_000, at_once=250)
    assert index.has_cells
    assert index.trained_on > 4_000
    assert all(index.search(rows[one], 1) == [(one, 1.0)] for one in range(0, 9_000, 31))


def test_a_manager_is_compacted_with_its_metadata(rows: NDArray[np.float32]) -> None:
    """L3-2"""
    space = EmbeddingSpace(id="small_v1", dimensions=DIMENSIONS)
    manager = FAISSManager(lambda size: FaissIndex(size, flat_up_to=100), workflow_id="wf_a", space=space)
    ids = manager.add_batch(list(rows[:400]), [{"n": n} for n in range(400)])
    manager.remove(ids[:350])
    manager.compact()
    assert manager.search_similar(rows[399], k=1)[0].metadata == {"n": 399}
    assert len(manager) == 50
