"""Sheets to write on: the page of an editor stays one when it is written full."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rpa_vision.detection.controls import find_controls
from rpa_vision.detection.regions import find_regions
from rpa_vision.detection.scene import Scene
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import TextLine

SHEET = Box(100, 80, 900, 560)
PITCH, HIGH = 15, 16
SENTENCE = "douleur au genou droit"


def sheet() -> Pixels:
    image = np.full((640, 1000, 3), 206, np.uint8)
    image[SHEET.y1 : SHEET.y2, SHEET.x1 : SHEET.x2] = 130
    image[SHEET.y1 + 1 : SHEET.y2 - 1, SHEET.x1 + 1 : SHEET.x2 - 1] = 252
    return image


def written(image: Pixels, *, text: str = SENTENCE, pitch: int = PITCH, left: int = 4, width: int = 500) -> Scene:
    """Lines of made-up letters, from the first to the last the sheet has room for."""
    lines = []
    for y in range(SHEET.y1 + 3, SHEET.y2 - HIGH - 2, pitch):
        box = Box(SHEET.x1 + left, y, min(SHEET.x1 + left + width, SHEET.x2), y + HIGH)
        image[box.y1 + 3 : box.y2 - 3, box.x1 + 1 : box.x2 - 1 : 9] = 30
        lines.append(TextLine(text=text, bbox=box.bbox, confidence=0.9))
    return Scene(image, find_regions(image), lines)


def sheets(scene: Scene) -> list[Box]:
    return [draft.box for draft in find_controls(scene) if draft.kind == "textarea"]


def dashed(image: Pixels) -> Pixels:
    """As some programs say that more follows below."""
    for x in range(SHEET.x1 + 1, SHEET.x2 - 1, 8):
        image[SHEET.y2 - 3, x : x + 6] = 200
    return image


def test_a_page_written_full_is_a_sheet() -> None:
    """L2-1: be there words at its right edge, or a dashed line at its end"""
    assert sheets(written(sheet())) == [SHEET]
    assert sheets(written(sheet(), width=2000)) == [SHEET]
    assert sheets(written(dashed(sheet()))) == [SHEET]


def scrolled(*, cut: bool) -> Scene:
    """The first whole line stands lower than a text begins; above it, one that is cut off."""
    image = sheet()
    if cut:
        image[SHEET.y1 + 1, SHEET.x1 + 5 : SHEET.x1 + 400 : 3] = 30
    full = written(image)
    lines = [TextLine(text=line.text, bbox=line.box.bbox, confidence=0.9) for line in full.lines[1:]]
    top = full.lines[0].box
    image[top.y1 : top.y2, top.x1 : top.x2] = 252
    return Scene(image, find_regions(image), lines)


def test_a_text_that_was_scrolled_is_cut_off_at_the_upper_edge() -> None:
    """L2-1: where all lines are whole, it is a list with air above it"""
    assert sheets(scrolled(cut=True)) == [SHEET]
    assert sheets(scrolled(cut=False)) == []


@pytest.mark.parametrize(
    "how",
    [
        {"text": "Desktop"},
        {"pitch": 30},
        {"left": 60},
        {"text": "Relance : pièces manquantes au dossier de Mme Moreau"},
        {"text": "07 Votre facture est arrivée à échéance depuis"},
    ],
    ids=["single words", "far apart", "with air around it", "rows cut at the edge", "numbered rows"],
)
def test_what_is_no_text_up_to_its_edges_is_no_sheet(how: dict[str, Any]) -> None:
    """L2-1, EX-7: the rows of a list, a card; a list that were a sheet would be clicked by position"""
    assert sheets(written(sheet(), width=2000, **how)) == []


def test_a_card_with_a_few_lines_is_no_sheet() -> None:
    """L2-1"""
    full = written(sheet(), width=2000)
    few = [TextLine(text=line.text, bbox=line.box.bbox, confidence=0.9) for line in full.lines[:6]]
    assert sheets(Scene(full.image, full.regions, few)) == []
