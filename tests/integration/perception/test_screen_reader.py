"""Whole screens understood: one screenshot, one moment, signatures that hold, work that is not done twice."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from rpa_vision.detection.layout_likeness import layout_similarity
from rpa_vision.detection.screen_reader import ScreenReader
from rpa_vision.detection.ui_detector import UIDetector
from rpa_vision.models.frame import Frame
from rpa_vision.models.screen_state import ScreenState, StateSource
from rpa_vision.models.window import WindowContext

WHEN = datetime(2026, 8, 14, 14, 31, tzinfo=UTC)
WINDOW = WindowContext(title="Factures", app_name="chromium")


class Ticking:
    """A clock that moves when looked at."""

    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> datetime:
        return WHEN

    def monotonic(self) -> float:
        self.time += 0.001
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += seconds


@pytest.fixture(scope="module")
def screens(text_detector) -> ScreenReader:
    """As screens are read to learn by and to act on."""
    return ScreenReader(text_detector, UIDetector(text_detector), clock=Ticking())


def read(screens: ScreenReader, image, number: int = 1) -> ScreenState:
    return screens.read(
        image, window=WINDOW, screen_state_id=f"screen_{number}", timestamp=WHEN, screenshot_id=f"shot_{number}",
        session_id="session_1", screenshot_path=f"sessions/2026-08-14/session_1/shots/{number}.png",
        capture_method="x11", file_size_bytes=1234,
    )  # fmt: skip


def test_all_levels_point_to_one_screenshot_and_moment(pages, screens):
    """P003-2 L1-1"""
    state = read(screens, pages["list_light"].image)
    levels = (state.raw, state.perception, state.context)
    assert {level.screenshot_id for level in levels} == {"shot_1"}
    assert {level.captured_at for level in levels} == {WHEN}
    assert {element.screenshot_id for element in state.ui_elements} == {"shot_1"}
    assert ScreenState.from_json(state.to_json()) == state


def test_the_source_gives_screenshot_and_session(pages, screens):
    """L1-2"""
    source = StateSource(session_id="session_7", screenshot_id="shot_9", event_ids=(4, 5))
    state = screens.read(pages["login_light"].image, window=WINDOW, screen_state_id="s", timestamp=WHEN, source=source)
    assert (state.session_id, state.raw.screenshot_id) == ("session_7", "shot_9")


def test_a_frame_brings_its_window(pages, screens):
    pixels = np.dstack([pages["login_light"].image, np.zeros((1080, 1920), np.uint8)])
    state = screens.read(Frame(pixels, 0.0, 0.0, window=WINDOW), screen_state_id="s", timestamp=WHEN)
    assert state.window == WINDOW
    assert state.ui_elements


def test_a_screen_seen_before_is_not_read_again(pages, screens):
    first = read(screens, pages["detail_light"].image, 2)
    again = read(screens, pages["detail_light"].image.copy(), 3)
    assert again.metadata["seen_before"] is True
    assert [e.bbox for e in again.ui_elements] == [e.bbox for e in first.ui_elements]
    assert {element.screenshot_id for element in again.ui_elements} == {"shot_3"}


def test_stages_are_timed(pages, screens):
    state = read(screens, pages["settings_english"].image, 4)
    assert {"find_boxes_ms", "find_lines_ms", "read_lines_ms", "detect_elements_ms"} <= set(state.metadata)


def test_the_layout_is_the_same_for_other_content_and_theme_and_differs_for_another_screen(pages, screens):
    """L1-3"""
    light = read(screens, pages["list_light"].image, 5)
    same = ("list_light_other", "list_light_3_cells", "list_contrast")
    others = [read(screens, pages[name].image, 6) for name in same]
    dark = read(screens, pages["list_dark"].image, 7)
    assert {other.layout_signature.hash for other in others} == {light.layout_signature.hash}
    assert layout_similarity(light.layout_signature, dark.layout_signature) > 0.8
    assert {other.content_signature.hash for other in others}.isdisjoint({light.content_signature.hash})
    for name in ("login_light", "detail_light", "settings_english", "dialog_light"):
        other = read(screens, pages[name].image, 8)
        assert other.layout_signature.hash != light.layout_signature.hash
    away = read(screens, pages["login_light"].image, 9)
    assert layout_similarity(light.layout_signature, away.layout_signature) < 0.2


def test_three_changed_cells_change_three_texts(pages, screens):
    before = {(line.text, line.bbox) for line in read(screens, pages["list_light"].image).perception.text_lines}
    after = {(line.text, line.bbox) for line in read(screens, pages["list_light_3_cells"].image).perception.text_lines}
    assert {text for text, _ in after - before} == {"Refusée", "1 999,99 €", "Nouvelle Patiente"}


def test_the_summary_names_heading_and_dialog(pages, screens):
    """L1-4"""
    state = read(screens, pages["dialog_light"].image, 10)
    assert state.debug.generated_by == "template"
    assert "Confirmer la validation" in state.debug.summary
    assert state.regions_of_interest[0].name.startswith("dialog_")
