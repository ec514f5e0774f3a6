"""The fingerprint is that of the window in front, wherever it stands."""

from __future__ import annotations

from datetime import UTC, datetime

import cv2
import numpy as np
import pytest

from rpa_vision.embedding.encoders import HashedScreenEncoder
from rpa_vision.embedding.fusion_engine import FusionEngine
from rpa_vision.embedding.screen_observer import in_window
from rpa_vision.embedding.similarity import cosine_similarity
from rpa_vision.embedding.state_embedder import StateEmbedder
from rpa_vision.models.frame import Pixels
from rpa_vision.models.screen_state import PerceptionLevel, RawLevel, ScreenState, TextLine
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.window import WindowContext
from rpa_vision.testing.manual_clock import ManualClock

SIZE = (600, 400)
NOW = datetime(2026, 1, 5, tzinfo=UTC)


def screen_with_window_at(x: int, y: int) -> tuple[ScreenState, Pixels]:
    pixels = np.full((1080, 1920, 4), 90, np.uint8)
    width, height = SIZE
    pixels[y : y + height, x : x + width] = 240
    cv2.rectangle(pixels, (x + 40, y + 60), (x + 300, y + 100), (30, 30, 30, 255), 2)
    cv2.putText(pixels, "Patient", (x + 50, y + 90), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (20, 20, 20, 255), 2)
    box = (x + 40, y + 60, x + 300, y + 100)
    state = ScreenState(
        screen_state_id="s1",
        timestamp=NOW,
        window=WindowContext(title="Dossier", app_name="app", geometry=(x, y, x + width, y + height)),
        raw=RawLevel(screenshot_path="memory.png", capture_method="test", file_size_bytes=0),
        perception=PerceptionLevel(
            text_detection_method="test",
            confidence_avg=1.0,
            text_lines=(TextLine(text="Patient", bbox=box, confidence=1.0),),
        ),
        ui_elements=(
            UIElement(
                element_id="e1", type="text_input", role="form_input", bbox=box, center=(x + 170, y + 80),
                label="Patient", confidence=0.9,
            ),
        ),
    )  # fmt: skip
    return state, pixels


@pytest.mark.parametrize("place", [(200, 60), (1200, 600), (0, 0)])
def test_a_moved_window_is_the_same_screen(place: tuple[int, int]) -> None:
    """L4-9: never for where"""
    embedder = StateEmbedder(HashedScreenEncoder(), FusionEngine(), ManualClock())
    here = embedder.embed(*in_window(*screen_with_window_at(10, 10))).vector
    there = embedder.embed(*in_window(*screen_with_window_at(*place))).vector
    assert cosine_similarity(here, there) == pytest.approx(1.0, abs=1e-6)


def test_without_a_window_the_whole_screen_is_taken() -> None:
    state, pixels = screen_with_window_at(10, 10)
    bare = state.model_copy(update={"window": WindowContext(title="Dossier")})
    assert in_window(bare, pixels) == (bare, pixels)
