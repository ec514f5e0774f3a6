"""One encoder for all books: making it costs more than a screen."""

from __future__ import annotations

import pytest

from rpa_vision.embedding.encoders import HashedScreenEncoder
from rpa_vision.embedding.fusion_engine import FusionEngine
from rpa_vision.embedding.state_embedder import StateEmbedder
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.screens import ScreenBook


@pytest.fixture(scope="session")
def embedder() -> StateEmbedder:
    return StateEmbedder(HashedScreenEncoder(), FusionEngine(), ManualClock())


@pytest.fixture
def book(embedder: StateEmbedder) -> ScreenBook:
    return ScreenBook(embedder=embedder)
