"""PF: state embedding < 100 ms at 1920×1080, search among 100,000 vectors < 50 ms."""

from __future__ import annotations

from datetime import UTC, datetime

import cv2
import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.adapters.vectors.faiss_index import FaissIndex
from rpa_vision.app.wiring_plugins import ENCODER_VARIABLE, screen_encoder
from rpa_vision.embedding.faiss_manager import FAISSManager
from rpa_vision.embedding.fusion_engine import FusionEngine
from rpa_vision.embedding.state_embedder import StateEmbedder
from rpa_vision.models.frame import Pixels
from rpa_vision.models.screen_state import PerceptionLevel, RawLevel, ScreenState, TextLine
from rpa_vision.models.state_embedding import EmbeddingSpace
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.window import WindowContext

STATE_EMBEDDING_LIMIT_S = 0.100
SEARCH_LIMIT_S = 0.050
ROWS, COLUMNS = 40, 8


def _dense_screen() -> tuple[ScreenState, Pixels]:
    pixels = np.full((1080, 1920, 3), 245, np.uint8)
    lines, elements = [], []
    for index in range(ROWS * COLUMNS):
        x, y = 40 + index % COLUMNS * 230, 40 + index // COLUMNS * 25
        text = f"cellule {index} valeur {index * 7919 % 10007}"
        cv2.putText(pixels, text, (x, y + 14), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (30, 30, 30), 1, cv2.LINE_AA)
        lines.append(TextLine(text=text, bbox=(x, y, x + 200, y + 18), confidence=0.9))
        elements.append(
            UIElement(element_id=f"e{index}", type="button", role="navigation", bbox=(x, y, x + 200, y + 20),
                      center=(x + 100, y + 10), confidence=0.9)
        )  # fmt: skip
    state = ScreenState(
        screen_state_id="dense", timestamp=datetime(2025, 1, 1, tzinfo=UTC), window=WindowContext(title="Factures"),
        raw=RawLevel(screenshot_path="x.png", capture_method="drawn", file_size_bytes=0),
        perception=PerceptionLevel(text_lines=tuple(lines), text_detection_method="drawn", confidence_avg=0.9),
        ui_elements=tuple(elements),
    )  # fmt: skip
    return state, pixels


@pytest.mark.parametrize("method", ["weighted", "concat_projection"])
@pytest.mark.parametrize("encoder", ["embedded", "hashed"])
def test_a_full_hd_screen_is_embedded_within_its_time(benchmark: BenchmarkFixture, method: str, encoder: str) -> None:
    """PF, P003-19: a dense screen, 320 lines of text and 320 elements, by the default encoder and the one before."""
    made = screen_encoder({ENCODER_VARIABLE: encoder})
    embedder = StateEmbedder(made, FusionEngine(method), SystemClock())  # type: ignore[arg-type]
    state, pixels = _dense_screen()
    benchmark(embedder.embed, state, pixels)
    benchmark.extra_info["aim_s"] = STATE_EMBEDDING_LIMIT_S


def test_a_hundred_thousand_vectors_are_searched_within_their_time(benchmark: BenchmarkFixture) -> None:
    """PF"""
    manager = FAISSManager(FaissIndex, workflow_id="wf_bench", space=EmbeddingSpace(id="bench_v1", dimensions=512))
    dice = np.random.default_rng(1)
    for start in range(0, 100_000, 10_000):
        rows = dice.standard_normal((10_000, 512)).astype(np.float32)
        manager.add_batch(list(rows), [{"n": start + index} for index in range(len(rows))])
    query = dice.standard_normal(512)
    found = benchmark(manager.search_similar, query)
    assert len(found) == 5
    benchmark.extra_info["aim_s"] = SEARCH_LIMIT_S
