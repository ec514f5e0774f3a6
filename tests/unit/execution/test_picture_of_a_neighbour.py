"""A picture that is found beside an element is the picture of something else."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.strategies import anchor_template
from rpa_vision.execution.target_resolver import Resolved, TargetResolver
from rpa_vision.models.frame import Pixels
from rpa_vision.models.target import TargetSpec
from rpa_vision.testing.screens import ScreenBook

SHEET, WHEEL = (104, 202, 122, 222), (124, 200, 152, 224)


def with_signs(pixels: Pixels) -> Pixels:
    """A sheet, and a wheel right beside it."""
    drawn = np.ascontiguousarray(pixels.copy())
    cv2.rectangle(drawn, (106, 204), (118, 220), (30, 30, 30, 255), -1)
    cv2.line(drawn, (109, 209), (115, 209), (240, 240, 240, 255), 1)
    cv2.circle(drawn, (140, 212), 8, (30, 30, 30, 255), 3)
    return drawn


def test_the_picture_of_what_stands_beside_it_is_not_its_own(book: ScreenBook) -> None:
    """EX-7: a wheel beside the sheet was taken for the sheet"""
    screen = book.draw("signs", [("icon", "action", "", SHEET), ("icon", "action", "", WHEEL)])
    screen = replace(screen, pixels=with_signs(screen.pixels))
    x1, y1, x2, y2 = SHEET
    look = screen.pixels[y1:y2, x1:x2].copy()
    target = TargetSpec(type="icon", role="action")
    answer = TargetResolver(strategies=((anchor_template.NAME, 1.0, anchor_template.judge),)).resolve(
        target, screen, {}, HealingProfile.at_level(2), look
    )
    assert isinstance(answer, Resolved), answer
    assert answer.best.element.bbox == SHEET
