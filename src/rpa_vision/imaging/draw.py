"""Draw on a copy of a picture: what was detected, and what is about to be acted on. Pixels in, pixels out."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import cv2
import numpy as np

from rpa_vision.imaging.colour import Colour, luminance
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import UIElement

COLOURS: dict[str, Colour] = {
    "button": (60, 20, 220), "link": (200, 90, 0), "text_input": (0, 140, 0), "password_input": (150, 0, 150),
    "textarea": (0, 140, 0), "dropdown": (0, 160, 130), "checkbox": (0, 120, 230), "radio": (0, 120, 230),
    "toggle": (0, 120, 230), "menu_item": (180, 120, 0), "tab": (180, 120, 0), "heading": (90, 0, 170),
    "dialog": (0, 0, 0), "table": (120, 120, 120), "table_row": (200, 200, 200), "cell": (170, 150, 110),
}  # fmt: skip
OTHER: Colour = (140, 140, 140)
QUIET = frozenset({"table_row", "cell", "label"})
"""Types that get a box but no caption: there are hundreds, and their text can be read anyway."""
_FONT = cv2.FONT_HERSHEY_SIMPLEX


def draw_elements(image: Pixels, elements: Sequence[UIElement]) -> Pixels:
    """Every element boxed in the colour of its type, captioned with type, label and confidence."""
    canvas = _copy(image)
    for element in sorted(elements, key=lambda e: (-Box.of(e.bbox).area, e.element_id)):
        colour = COLOURS.get(element.type, OTHER)
        thickness = 1 if element.type in QUIET else 2
        _outline(canvas, Box.of(element.bbox), colour, thickness)
    taken: list[Box] = []
    for element in elements:
        if element.type not in QUIET:
            label = f" {element.label}" if element.label else ""
            caption = f"{element.type}{label} {element.confidence:.2f}"
            _caption(canvas, Box.of(element.bbox), caption, COLOURS.get(element.type, OTHER), taken)
    return canvas


def draw_target(image: Pixels, target: Box, *, caption: str = "", runner_up: Box | None = None) -> Pixels:
    """The one element that is meant, framed so that nobody can miss it; the runner-up thinly."""
    canvas = _copy(image)
    shade = canvas.astype(np.float32) * 0.72
    bright = target.padded(12).clamped(canvas.shape[1], canvas.shape[0])
    if bright is not None:
        inside = canvas[bright.y1 : bright.y2, bright.x1 : bright.x2].copy()
        canvas[:] = shade.astype(np.uint8)
        canvas[bright.y1 : bright.y2, bright.x1 : bright.x2] = inside
    if runner_up is not None:
        _outline(canvas, runner_up.padded(2), (0, 165, 255), 1)
    _outline(canvas, target.padded(3), (40, 20, 230), 3)
    if caption:
        _caption(canvas, target.padded(5), caption, (40, 20, 230), [], scale=0.55)
    return canvas


def _copy(image: Pixels) -> Pixels:
    return np.array(image[:, :, :3], dtype=np.uint8, order="C", copy=True)


def _outline(canvas: Pixels, box: Box, colour: Colour, thickness: int) -> None:
    cv2.rectangle(canvas, (box.x1, box.y1), (box.x2 - 1, box.y2 - 1), colour, thickness)


def _caption(canvas: Pixels, box: Box, text: str, colour: Colour, taken: list[Box], scale: float = 0.38) -> None:
    """Words on a plate above the box, or below it where above is full or out of the picture."""
    shown = _plain(text)
    shown = shown if len(shown) <= 46 else shown[:43] + "..."
    (width, height), base = cv2.getTextSize(shown, _FONT, scale, 1)
    plate_width, plate_height = width + 4, height + base + 2
    left = max(0, min(box.x1, canvas.shape[1] - plate_width))
    places = [box.y1 - plate_height, box.y2, box.y1 - 2 * plate_height]
    plate = Box(left, 0, left + plate_width, plate_height)
    for top in places:
        candidate = plate.moved(0, max(0, min(top, canvas.shape[0] - plate_height)))
        if not any(candidate.intersection(other) for other in taken):
            break
    taken.append(candidate)
    cv2.rectangle(canvas, (candidate.x1, candidate.y1), (candidate.x2 - 1, candidate.y2 - 1), colour, -1)
    ink = (0, 0, 0) if luminance(colour) > 0.4 else (255, 255, 255)
    cv2.putText(canvas, shown, (candidate.x1 + 2, candidate.y2 - base - 1), _FONT, scale, ink, 1, cv2.LINE_AA)


def _plain(text: str) -> str:
    """The drawing font has no accents: « À valider » becomes "A valider" rather than question marks."""
    replaced = text.replace("œ", "oe").replace("Œ", "OE").replace("€", "EUR").replace("’", "'").replace("—", "-")
    folded = unicodedata.normalize("NFKD", replaced)
    return "".join(char for char in folded if char.isascii() and char.isprintable())
