"""The screens of a dataset by their auxiliary fingerprints: groups, a map, and a search."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from drawn_dataset import dataset, picture

from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.app.dataset_screens import DatasetScreens, flat_map
from rpa_vision.app.wiring import vector_index
from rpa_vision.embedding.encoders import HashedScreenEncoder
from rpa_vision.embedding.fusion_engine import FusionEngine
from rpa_vision.embedding.heads import TwoHeads
from rpa_vision.embedding.state_embedder import StateEmbedder
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.moving import NODES, old_book

NAMES = tuple(f"{node}_{name}" for node in NODES for name in ("1", "2"))


@pytest.fixture
def data(tmp_path: Path) -> FileDataDirectory:
    data = FileDataDirectory(tmp_path, clock=ManualClock())
    for name in NAMES:
        data.screen_states.save(old_book()[name].state.model_copy(update={"screen_state_id": name}))
    return data


def looked_over(data: FileDataDirectory) -> DatasetScreens:
    embedders = [
        StateEmbedder(HashedScreenEncoder(), FusionEngine(method), ManualClock())
        for method in ("weighted", "concat_projection")
    ]
    screens = DatasetScreens(data, TwoHeads(*embedders), vector_index)
    screens.take_in(dataset(dict.fromkeys(NAMES, "any")), picture)
    return screens


def test_screens_with_other_words_are_one_group_and_lie_together(data: FileDataDirectory) -> None:
    """L3-4: clustering and visualisation by the auxiliary head"""
    told = looked_over(data).overview()
    assert sorted(sorted(group.samples) for group in told.groups) == [[f"{node}_1", f"{node}_2"] for node in NODES]
    assert all(group.typical in group.samples for group in told.groups)
    places = {name: np.array(place) for name, place in told.places.items()}
    for node in NODES:
        near = np.linalg.norm(places[f"{node}_1"] - places[f"{node}_2"])
        assert all(
            near < np.linalg.norm(places[f"{node}_1"] - places[f"{other}_1"]) for other in NODES if other != node
        )


def test_a_screen_is_found_again_among_them(data: FileDataDirectory) -> None:
    """L3-4: search"""
    screens, live = looked_over(data), old_book()["N2_live"]
    assert {one.sample_id for one in screens.like(live.state, live.pixels, 2)} == {"N2_1", "N2_2"}


def test_looking_again_computes_nothing_and_a_damaged_vector_once(data: FileDataDirectory, tmp_path: Path) -> None:
    """L3-4, L3-5"""
    first = looked_over(data).overview()
    assert (first.embedded, looked_over(data).overview().embedded) == (6, 0)
    next(tmp_path.rglob("N1_1.npy")).write_bytes(b"torn")
    again = looked_over(data).overview()
    assert (again.embedded, again.groups) == (1, first.groups)


def test_few_screens_have_a_map_too() -> None:
    """L3-4"""
    one = np.array([1.0, 0.0, 0.0], np.float32)
    assert flat_map({}) == {}
    assert flat_map({"a": one}) == {"a": (0.0, 0.0)}
    assert flat_map({"a": one, "b": one[::-1]})["a"][1] == 0.0
