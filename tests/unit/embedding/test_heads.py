"""Two heads in two spaces, batches, and the cache of vectors."""

from __future__ import annotations

import numpy as np
import pytest

from rpa_vision.embedding.encoders import HashedScreenEncoder
from rpa_vision.embedding.fusion_engine import FusionEngine
from rpa_vision.embedding.heads import TwoHeads, VectorCache, embed_batch
from rpa_vision.embedding.spaces import SpaceMismatchError
from rpa_vision.embedding.state_embedder import StateEmbedder
from rpa_vision.models.frame import Pixels
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.state_embedding import StateEmbedding
from rpa_vision.testing.gradient_encoder import DIMENSIONS, GradientScreenEncoder
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.screens import AnyItem, draw_screen, screen_state


@pytest.fixture(scope="module")
def primary() -> StateEmbedder:
    return StateEmbedder(HashedScreenEncoder(), FusionEngine(), ManualClock())


@pytest.fixture(scope="module")
def auxiliary() -> StateEmbedder:
    return StateEmbedder(GradientScreenEncoder(), FusionEngine(dimensions=DIMENSIONS), ManualClock())


def screen(label: str, name: str) -> tuple[ScreenState, Pixels]:
    items: list[AnyItem] = [("button", "submit", label, (40, 40, 200, 80))]
    return screen_state(items, screen_state_id=name), draw_screen(items)


def test_two_heads_lie_in_two_spaces_and_tell_their_times(primary: StateEmbedder, auxiliary: StateEmbedder) -> None:
    """L3-4"""
    heads = TwoHeads(primary, auxiliary)
    both = heads.embed(*screen("Valider", "one"))
    document = StateEmbedding.from_json(both.document.to_json())
    assert document.primary is not None
    assert document.auxiliary is not None
    assert (document.primary.space.purpose, document.auxiliary.space.purpose) == (
        "runtime_matching",
        "offline_analysis",
    )
    assert document.primary.space.id == document.space.id != document.auxiliary.space.id
    assert (document.primary.dimensions, document.auxiliary.dimensions) == (len(both.primary), len(both.auxiliary))
    assert document.primary.vector_id != document.auxiliary.vector_id
    assert None not in (document.primary.computation_time_ms, document.auxiliary.computation_time_ms)
    assert [space.id for space in heads.spaces] == [primary.space.id, auxiliary.space.id]


def test_one_space_twice_is_refused(primary: StateEmbedder) -> None:
    """L3-4"""
    with pytest.raises(SpaceMismatchError):
        TwoHeads(primary, primary)


def test_a_batch_gives_what_one_by_one_gives(primary: StateEmbedder) -> None:
    """L3-5: batching"""
    screens = [screen(label, f"s{number}") for number, label in enumerate(("Valider", "Annuler", "Valider", "Valider"))]
    batch = list(embed_batch(primary, screens, at_once=3))
    single = [primary.embed(*one) for one in screens]
    for one, other in zip(batch, single, strict=True):
        assert np.array_equal(one.vector, other.vector)
        assert one.document.vector_id == other.document.vector_id
        assert one.document.metadata == other.document.metadata
    assert batch[2].vector is batch[0].vector, "what is the same is computed once"
    assert batch[3].vector is not batch[0].vector, "but not beyond its batch"


def test_the_cache_keeps_spaces_apart_and_forgets_the_oldest() -> None:
    """L3-5: prototype cache, L3-3"""
    cache = VectorCache(room=2)
    kept = cache.put("space_a", "x.npy", np.ones(3, np.float32))
    assert cache.get("space_b", "x.npy") is None
    assert cache.get("space_a", "x.npy") is kept
    with pytest.raises(ValueError, match="read-only"):
        kept[0] = 2.0
    cache.put("space_b", "x.npy", np.zeros(3, np.float32))
    assert cache.get("space_a", "x.npy") is kept
    cache.put("space_a", "y.npy", np.zeros(3, np.float32))
    assert cache.get("space_b", "x.npy") is None
    assert (len(cache), cache.hits, cache.misses) == (2, 2, 2)
