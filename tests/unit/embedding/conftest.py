"""An embedder as the house uses it, on a clock that is told the time."""

from __future__ import annotations

import pytest
from embedding_screens import SteppingClock

from rpa_vision.embedding.encoders import HashedScreenEncoder
from rpa_vision.embedding.fusion_engine import FusionEngine
from rpa_vision.embedding.state_embedder import StateEmbedder


@pytest.fixture(scope="session")
def encoder() -> HashedScreenEncoder:
    return HashedScreenEncoder()


@pytest.fixture
def embedder(encoder: HashedScreenEncoder) -> StateEmbedder:
    return StateEmbedder(encoder, FusionEngine(), SteppingClock())
