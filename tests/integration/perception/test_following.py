"""Real pages that change in part: following them gives, to the last field, what a first look gives."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rpa_vision.detection.screen_reader import ScreenReader
from rpa_vision.models.window import WindowContext

WHEN = datetime(2026, 8, 14, 14, 31, tzinfo=UTC)
WINDOW = WindowContext(title="Factures", app_name="chromium")


def screen_reader(text_detector, ui_detector) -> ScreenReader:
    return ScreenReader(text_detector, ui_detector)


def understood(screens: ScreenReader, image) -> dict[str, object]:
    state = screens.read(image, window=WINDOW, screen_state_id="s", timestamp=WHEN, screenshot_id="p")
    return state.model_dump(exclude={"metadata"})


def test_from_page_to_page(pages, text_detector, ui_detector):
    """L1-5 L2-2"""
    following = screen_reader(text_detector, ui_detector)
    for name in ("list_light", "list_light_3_cells", "dialog_light", "list_light_other", "list_dark", "detail_dark"):
        assert understood(following, pages[name].image) == understood(
            screen_reader(text_detector, ui_detector), pages[name].image
        ), name


@st.composite
def patches(draw):
    """Parts of one page that come up on another, at another place."""
    x, y = st.integers(0, 1900), st.integers(0, 1060)
    return [
        (draw(x), draw(y), draw(st.integers(2, 500)), draw(st.integers(2, 160)), draw(x), draw(y))
        for _ in range(draw(st.integers(1, 3)))
    ]


@given(changes=patches())
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_with_parts_of_other_pages_drawn_over_it(pages, text_detector, ui_detector, changes):
    """L1-5 L2-2"""
    image, other = pages["list_light"].image.copy(), pages["settings_english"].image
    following = screen_reader(text_detector, ui_detector)
    understood(following, image)
    for x, y, w, h, to_x, to_y in changes:
        patch = other[y : y + h, x : x + w]
        room = image[to_y : to_y + h, to_x : to_x + w]
        size = np.minimum(patch.shape[:2], room.shape[:2])
        room[: size[0], : size[1]] = patch[: size[0], : size[1]]
        assert understood(following, image) == understood(screen_reader(text_detector, ui_detector), image)


def test_three_changed_cells_are_all_that_is_read_again(pages, reader):
    """PF"""

    class CountingReader:
        name = reader.name

        def __init__(self) -> None:
            self.lines = 0

        def read(self, lines):
            self.lines += len(lines)
            return reader.read(lines)

    counting = CountingReader()
    screens = ScreenReader.over(counting)
    understood(screens, pages["list_light"].image)
    before = counting.lines
    understood(screens, pages["list_light_3_cells"].image)
    assert 3 <= counting.lines - before <= 9
