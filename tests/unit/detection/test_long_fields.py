"""Fields as long as a window, captions that are no buttons, and text that is selected."""

from __future__ import annotations

import numpy as np
import pytest

from rpa_vision.detection.bare_captions import without_captions
from rpa_vision.detection.controls import find_controls
from rpa_vision.detection.long_fields import with_long_fields
from rpa_vision.detection.regions import find_regions
from rpa_vision.detection.scene import Draft, Scene
from rpa_vision.imaging.colour import contrast
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import TextLine

PAGE, PAPER, FRAME, MARK = (244, 245, 246), (255, 255, 255), (190, 190, 190), (228, 132, 53)
FIELD, CAPTION = Box(80, 30, 1500, 62), Box(12, 38, 64, 56)


def page(*boxes: Box, paper: tuple[int, int, int] = PAPER) -> Pixels:
    image = np.full((300, 1600, 3), PAGE, np.uint8)
    for box in boxes:
        image[box.y1 : box.y2, box.x1 : box.x2] = FRAME
        image[box.y1 + 1 : box.y2 - 1, box.x1 + 1 : box.x2 - 1] = paper
    return image


def ink(image: Pixels, box: Box) -> TextLine:
    """A line of made-up letters."""
    image[box.y1 + 4 : box.y2 - 4, box.x1 + 2 : box.x2 - 2 : 4] = (30, 30, 30)
    return TextLine(text="Name:" if box == CAPTION else "words", bbox=box.bbox, confidence=0.9)


def scene(image: Pixels, lines: list[TextLine]) -> Scene:
    return Scene(image, find_regions(image), lines)


def kinds(drafts: list[Draft]) -> list[tuple[str, Box]]:
    return [(draft.kind, draft.box) for draft in drafts]


def seen(image: Pixels, lines: list[TextLine], judged: list[Draft] | None = None) -> list[tuple[str, Box]]:
    """What is there when the judge says only this."""
    all_of_it = scene(image, lines)
    return kinds(with_long_fields(all_of_it, find_controls(all_of_it), judged or []))


def test_a_field_as_long_as_the_window_stays_though_nobody_but_the_rules_sees_it() -> None:
    """L2-1"""
    image = page(FIELD)
    assert seen(image, [ink(image, CAPTION)]) == [("text_input", FIELD)]
    assert seen(page(FIELD), []) == [("text_input", FIELD)]


def test_a_long_field_with_words_needs_a_caption_before_it() -> None:
    """L2-1: an example of code is framed, too"""
    image = page(FIELD)
    words = ink(image, Box(88, 36, 300, 56))
    assert seen(image, [words]) == []
    assert seen(image, [ink(image, CAPTION), words]) == [("text_input", FIELD)]


def test_the_air_of_a_caption_may_reach_into_the_frame() -> None:
    """L2-1: it ends right before the field"""
    image = page(FIELD)
    caption = ink(image, CAPTION).model_copy(update={"bbox": (12, 38, FIELD.x1 + 3, 56)})
    words = ink(image, Box(88, 36, 300, 56))
    assert seen(image, [caption, words]) == [("text_input", FIELD)]


def test_a_bar_that_shows_how_far_something_has_come_is_no_field() -> None:
    """L2-1: empty before it begins, with a caption or without"""
    trough = (224, 225, 226)
    image = page(FIELD, paper=trough)
    assert seen(image, []) == []
    assert seen(image, [ink(image, CAPTION)]) == []
    low = Box(FIELD.x1, 38, FIELD.x2, 38 + 14)
    image = page(low)
    assert seen(image, [ink(image, CAPTION)]) == []


def test_a_field_on_a_dark_page_may_be_darker() -> None:
    """L2-1"""
    image = page(FIELD, paper=(30, 30, 30))
    image[(image == PAGE).all(axis=2)] = (45, 45, 45)
    assert seen(image, []) == [("text_input", FIELD)]


def test_a_piece_of_a_card_is_no_field() -> None:
    """L2-1: a bar lies over its upper end"""
    image = page(FIELD)
    image[: FIELD.y1 + 1] = (90, 40, 20)
    assert seen(image, []) == []


def test_what_reaches_beyond_the_screen_is_no_field() -> None:
    """L2-1"""
    assert seen(page(Box(80, 30, 1600, 62)), []) == []


def test_what_the_judge_knows_better_is_left_to_it() -> None:
    """L2-1: a bar with several things to press; a button as long"""
    image = page(FIELD)
    keys = [Draft("button", Box(x, 34, x + 60, 58), 0.9) for x in (90, 400, 700)]
    assert seen(image, [], keys) == kinds(keys)
    wide = [Draft("button", FIELD.padded(-2), 0.9)]
    assert seen(image, [], wide) == kinds(wide)


def test_a_piece_of_a_field_is_not_another_field() -> None:
    """L2-1"""
    image = page(FIELD)
    lines = [ink(image, CAPTION), ink(image, Box(88, 36, 300, 56))]
    assert seen(image, lines, [Draft("text_input", Box(84, 32, 310, 60), 0.6)]) == [("text_input", FIELD)]


@pytest.mark.parametrize("read_as", [[(90, 200)], [(90, 120), (126, 200)], [(90, 152), (152, 200)]])
def test_selected_text_is_text(read_as: list[tuple[int, int]]) -> None:
    """L2-1: however its mark makes readers cut the line"""
    image = page(FIELD)
    image[35:57, 92:150] = MARK
    lines = [ink(image, CAPTION), *(ink(image, Box(x1, 36, x2, 56)) for x1, x2 in read_as)]
    assert seen(image, lines) == [("text_input", FIELD)]


@pytest.mark.parametrize("marked", [150, 200])
def test_a_field_is_not_disabled_because_its_text_is_selected(marked: int) -> None:
    """L2-3: bright words on the mark are pale on the field's own paper"""
    image = page(FIELD)
    image[35:57, 92:marked] = MARK
    image[40:52, 92:marked:4] = PAPER
    image[40:52, marked:200:4] = (30, 30, 30)
    ends = [(90, marked + 1), (marked + 1, 200)][: 1 if marked == 200 else 2]
    lines = [TextLine(text="words", bbox=(x1, 36, x2, 56), confidence=0.9) for x1, x2 in ends]
    all_of_it = scene(image, [ink(image, CAPTION), *lines])
    (field,) = find_controls(all_of_it)
    assert contrast(field.paper, field.ink) > 5


def test_a_button_in_a_field_is_no_selection() -> None:
    """L2-1: it leaves air around its words"""
    image = page(FIELD)
    image[35:57, 92:190] = MARK
    button = scene(image, [ink(image, Box(110, 36, 170, 56))])
    assert any(region.box.overlap(Box(92, 35, 190, 57)) > 0.8 for region in button.regions)


def test_a_number_at_the_end_of_a_row_is_no_selection() -> None:
    """L2-1: how many there are, on a ground of its own"""
    image = page(FIELD)
    image[35:57, 1400:1424] = MARK
    lines = [ink(image, Box(88, 36, 300, 56)), ink(image, Box(1399, 36, 1425, 56))]
    row = scene(image, lines)
    assert any(region.box.overlap(Box(1400, 35, 1424, 57)) > 0.8 for region in row.regions)


def test_words_that_end_with_a_colon_are_no_button_unless_they_have_an_edge() -> None:
    """L2-1: « Name: » before a field"""
    image = page()
    bare = scene(image, [ink(image, CAPTION)])
    bare.lines[0].used = True
    caption = Draft("button", CAPTION.padded(4), 0.7, text="Name:")
    assert without_captions(bare, [caption]) == []
    assert not bare.lines[0].used
    named = Draft("button", CAPTION.padded(4), 0.7, text="Name")
    assert without_captions(bare, [named]) == [named]
    dots = Draft("button", CAPTION.padded(4), 0.7, text=":")
    assert without_captions(bare, [dots]) == [dots]  # that open a menu
    framed = page(CAPTION.padded(4))
    assert without_captions(scene(framed, [ink(framed, CAPTION)]), [caption]) == [caption]


def test_the_end_of_a_bar_above_a_caption_is_no_edge_of_its_own() -> None:
    """L2-1: a tall box around « Name: » reaches up to the title bar"""
    image = page(FIELD)
    image[:18] = (200, 120, 60)
    caption = Draft("button", Box(8, 19, 70, 70), 0.7, text="Name:")
    assert without_captions(scene(image, [ink(image, CAPTION)]), [caption]) == []
