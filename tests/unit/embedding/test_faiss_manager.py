"""An index of one workflow in one space: finding, removing, keeping, and never mixing."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rpa_vision.adapters.vectors.faiss_index import FaissIndex
from rpa_vision.embedding.faiss_manager import FAISSManager, SavedIndex
from rpa_vision.embedding.spaces import InvalidVectorError, SpaceMismatchError
from rpa_vision.errors import DocumentError, InvalidIdError, UnknownIdError, UsageError
from rpa_vision.models.state_embedding import EmbeddingSpace

SPACE = EmbeddingSpace(id="small_v1", dimensions=8)


def _manager(workflow_id: str = "wf_a", space: EmbeddingSpace = SPACE) -> FAISSManager:
    return FAISSManager(FaissIndex, workflow_id=workflow_id, space=space)


def _vectors(count: int, seed: int = 1) -> NDArray[np.float64]:
    return np.random.default_rng(seed).normal(size=(count, 8))


def _restored(saved: SavedIndex, workflow_id: str = "wf_a", space: EmbeddingSpace = SPACE) -> FAISSManager:
    return FAISSManager.from_bytes(
        saved, new_index=FaissIndex, restore=FaissIndex.restore, workflow_id=workflow_id, space=space
    )


def test_an_added_vector_is_its_own_best_match() -> None:
    """P003-11"""
    manager, vectors = _manager(), _vectors(50)
    ids = manager.add_batch(list(vectors), [{"node_id": f"n{index}"} for index in range(50)])
    for index, vector in enumerate(vectors):
        best = manager.search_similar(vector, k=1)[0]
        assert (best.id, best.metadata, best.similarity) == (ids[index], {"node_id": f"n{index}"}, 1.0)
        assert best.distance == 0.0


def test_neighbours_a_rounding_error_away_do_not_come_first() -> None:
    """P003-11"""
    manager = _manager()
    vector = np.linspace(0.1, 0.9, 8).astype(np.float32)
    near = [vector]
    for _ in range(6):
        near.append(np.nextafter(near[-1], np.float32(2.0)))
    ids = manager.add_batch(near, [{"step": step} for step in range(7)])
    for expected, query in zip(ids, near, strict=True):
        found = manager.search_similar(query, k=1)[0]
        assert np.array_equal(_unit(near[found.metadata["step"]]), _unit(near[ids.index(expected)]))


def _unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    wide = vector.astype(np.float64)
    return (wide / np.linalg.norm(wide)).astype(np.float32)


def test_neighbours_come_nearest_first_and_no_more_than_there_are() -> None:
    manager = _manager()
    assert manager.search_similar(np.ones(8)) == []
    manager.add_batch(list(_vectors(3)), [{}, {}, {}])
    found = manager.search_similar(np.ones(8), k=10)
    assert [one.similarity for one in found] == sorted((one.similarity for one in found), reverse=True)
    assert len(found) == 3
    with pytest.raises(UsageError):
        manager.search_similar(np.ones(8), k=0)


def test_a_removed_vector_is_never_found_and_its_id_never_reused() -> None:
    """L3-2"""
    manager, vectors = _manager(), _vectors(3)
    first, second, third = manager.add_batch(list(vectors), [{"n": 0}, {"n": 1}, {"n": 2}])
    manager.remove([third, third])
    assert {one.id for one in manager.search_similar(vectors[2])} == {first, second}
    assert manager.add_embedding(vectors[2], {"n": 3}) > third
    with pytest.raises(UnknownIdError):
        manager.remove([first, third])
    assert len(manager) == 3


def test_two_managers_know_nothing_of_each_other() -> None:
    """L3-2: one index per workflow and space."""
    one, other, vector = _manager("wf_a"), _manager("wf_b"), np.ones(8)
    one.add_embedding(vector, {"workflow_id": "wf_a", "node_id": "n1"})
    assert other.search_similar(vector) == []
    other.add_embedding(vector, {"workflow_id": "wf_b", "node_id": "n9"})
    one.remove([0])
    assert [found.metadata["node_id"] for found in other.search_similar(vector)] == ["n9"]
    with pytest.raises(UsageError, match="wf_b"):
        one.add_embedding(vector, {"workflow_id": "wf_b"})


def test_a_query_of_another_space_is_refused() -> None:
    """L3-3"""
    with pytest.raises(SpaceMismatchError):
        _manager().search_similar(np.ones(8), space_id="small_v2")


@pytest.mark.parametrize("bad", [np.ones(7), np.full(8, np.nan), np.ones((1, 8))])
def test_a_bad_vector_of_a_batch_leaves_the_index_as_it_was(bad: NDArray[Any]) -> None:
    manager = _manager()
    with pytest.raises(InvalidVectorError):
        manager.add_batch([np.ones(8), bad], [{}, {}])
    with pytest.raises(UsageError):
        manager.add_batch([np.ones(8)], [])
    assert len(manager) == 0
    assert manager.search_similar(np.ones(8)) == []


@pytest.mark.parametrize("bad", [{"x": float("nan")}, {"x": object()}, {1: "x"}, {"x": (1, 2)}, {"x": "\ud800"}])
def test_metadata_that_json_cannot_keep_is_refused(bad: dict[Any, Any]) -> None:
    with pytest.raises(UsageError):
        _manager().add_embedding(np.ones(8), bad)


def test_metadata_is_the_managers_own() -> None:
    manager, mine = _manager(), {"tags": ["a"]}
    manager.add_embedding(np.ones(8), mine)
    mine["tags"].append("b")
    manager.search_similar(np.ones(8))[0].metadata["tags"].append("c")
    assert manager.search_similar(np.ones(8))[0].metadata == {"tags": ["a"]}


def test_what_was_kept_comes_back_the_same() -> None:
    """L3-2"""
    manager, vectors = _manager(), _vectors(20)
    manager.add_batch(list(vectors), [{"node_id": f"n{index}", "libellé": "é"} for index in range(20)])
    manager.remove([3, 19])
    again = _restored(manager.to_bytes())
    assert len(again) == 18
    for query in vectors:
        assert again.search_similar(query) == manager.search_similar(query)
    assert again.add_embedding(vectors[0], {}) == 20


def test_an_empty_index_can_be_kept() -> None:
    assert len(_restored(_manager().to_bytes())) == 0


def test_torn_or_foreign_bytes_are_refused() -> None:
    """L3-2"""
    manager = _manager()
    manager.add_embedding(np.ones(8), {})
    saved = manager.to_bytes()
    older = manager.to_bytes()
    manager.add_embedding(-np.ones(8), {})
    newer = manager.to_bytes()
    flipped = bytearray(saved.index)
    flipped[-1] ^= 1
    for bad in (
        SavedIndex(saved.index[:-5], saved.metadata),
        SavedIndex(bytes(flipped), saved.metadata),
        SavedIndex(b"", saved.metadata),
        SavedIndex(saved.index, saved.metadata[:-9]),
        SavedIndex(saved.index, b"[]"),
        SavedIndex(newer.index, older.metadata),
    ):
        with pytest.raises(DocumentError):
            _restored(bad)
    with pytest.raises(DocumentError, match="wf_b"):
        _restored(saved, "wf_b")
    with pytest.raises(SpaceMismatchError):
        _restored(saved, space=EmbeddingSpace(id="small_v2", dimensions=8))


def test_metadata_that_does_not_describe_its_index_is_refused() -> None:
    manager = _manager()
    manager.add_embedding(np.ones(8), {})
    saved = manager.to_bytes()
    told = json.loads(saved.metadata)
    for entries in ({}, {"0": {}, "1": {}}, {"zero": {}}):
        with pytest.raises(DocumentError):
            _restored(SavedIndex(saved.index, json.dumps(told | {"entries": entries}).encode()))


@pytest.mark.parametrize("data", [b"", b"RPAVFAISS1\n", b"x" * 500])
def test_the_index_itself_refuses_corrupt_bytes(data: bytes) -> None:
    with pytest.raises(DocumentError):
        FaissIndex.restore(data)


def test_a_rebuild_starts_from_the_vectors_or_changes_nothing() -> None:
    """L3-2"""
    manager, vectors = _manager(), _vectors(4)
    manager.add_embedding(-vectors[0], {"old": True})
    with pytest.raises(InvalidVectorError):
        manager.rebuild([(vectors[0], {}), (np.ones(3), {})])
    assert manager.search_similar(-vectors[0], k=1)[0].metadata == {"old": True}
    assert manager.rebuild((vector, {"n": index}) for index, vector in enumerate(vectors)) == [0, 1, 2, 3]
    assert [manager.search_similar(vector, k=1)[0].metadata["n"] for vector in vectors] == [0, 1, 2, 3]


def test_a_workflow_id_that_is_a_path_is_refused() -> None:
    with pytest.raises(InvalidIdError):
        _manager("../other")


def test_a_space_without_dimensions_is_refused() -> None:
    with pytest.raises(InvalidVectorError):
        _manager(space=EmbeddingSpace(id="small_v1"))


def test_the_adapter_refuses_ids_it_has_and_ids_it_has_not() -> None:
    index = FaissIndex(2)
    index.add([1], np.array([[1, 0]], np.float32))
    with pytest.raises(UsageError):
        index.add([1], np.array([[0, 1]], np.float32))
    with pytest.raises(UsageError):
        index.add([2], np.array([[0, 1, 0]], np.float32))
    with pytest.raises(UnknownIdError):
        index.remove([7])
    with pytest.raises(UsageError):
        index.search(np.zeros(3, np.float32), 1)
    assert (len(index), index.ids) == (1, frozenset({1}))
