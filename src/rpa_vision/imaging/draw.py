"""Draw on a copy of a picture: what was detected, and what is about to be acted on. Pixels in, pixels out."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from rpa_vision.imaging.colour import Colour, luminance
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import ElementGroup
from rpa_vision.models.ui_element import FIELD_TYPES, UIElement

COLOURS: dict[str, Colour] = {
    "button": (60, 20, 220), "link": (200, 90, 0), "text_input": (0, 140, 0), "password_input": (150, 0, 150),
    "textarea": (0, 140, 0), "dropdown": (0, 160, 130), "checkbox": (0, 120, 230), "radio": (0, 120, 230),
    "toggle": (0, 120, 230), "menu_item": (180, 120, 0), "tab": (180, 120, 0), "heading": (90, 0, 170),
    "dialog": (0, 0, 0), "table": (120, 120, 120), "table_row": (200, 200, 200), "cell": (170, 150, 110),
}  # fmt: skip
OTHER: Colour = (140, 140, 140)
GROUP: Colour = (200, 60, 200)
LARGE = frozenset({"table", "table_row", "dialog", "textarea", "image"})
"""Types whose inside has room for captions of others."""
CROWDED = frozenset({"menu_item", "icon", "link", "tab", "list_item"})
"""Types that stand close together and can do without a caption."""
PLAIN_ROLES = frozenset(
    {"action", "form_input", "title", "dialog", "data_display", "icon", "image", "navigation", "scroll", "unknown"}
)
"""Roles that say no more than the type."""
QUIET = frozenset({"table_row", "cell", "label"})
"""Types that get a box but no caption: there are hundreds, and their text can be read anyway."""
_FONT = cv2.FONT_HERSHEY_SIMPLEX


def draw_elements(image: Pixels, elements: Sequence[UIElement], groups: Sequence[ElementGroup] = ()) -> Pixels:
    """Every element boxed in the colour of its type and captioned with type, role, score and state.

    Words that can be read in the box are not repeated. Groups are framed by dashes, a little outside of their members.
    What lies behind a dialog is boxed thinly, and not over the dialog.
    """
    canvas = _copy(image)
    scale = max(1.0, min(canvas.shape[:2]) / 1440)
    behind = [element for element in elements if element.metadata.get("behind_dialog")]
    front = [element for element in elements if not element.metadata.get("behind_dialog")]
    for element in behind:
        _outline(canvas, Box.of(element.bbox), COLOURS.get(element.type, OTHER), 1)
    for element in front if behind else ():
        if element.type == "dialog":
            x1, y1, x2, y2 = element.bbox
            canvas[y1:y2, x1:x2] = image[y1:y2, x1:x2, :3]
    for group in sorted(groups, key=lambda g: (-Box.of(g.bbox).area, g.group_id)):
        _dashes(canvas, Box.of(group.bbox).padded(4), GROUP)
    for element in sorted(front, key=lambda e: (-Box.of(e.bbox).area, e.element_id)):
        _outline(canvas, Box.of(element.bbox), COLOURS.get(element.type, OTHER), 1 if element.type in QUIET else 2)
    taken = [Box.of(element.bbox) for element in elements if element.type not in LARGE]
    for element in front:
        if element.type not in QUIET and "row" not in element.metadata:
            _caption(
                canvas, Box.of(element.bbox), _words(element), COLOURS.get(element.type, OTHER), taken, 0.38 * scale
            )
    for group in groups:
        _caption(canvas, Box.of(group.bbox).padded(4), f"[{group.kind}]", GROUP, taken, 0.36 * scale)
    return canvas


def _words(element: UIElement) -> str:
    """Type, role where it says more, the name where it does not stand in the box, score, and the states that hold."""
    state = element.state
    facts = (
        ("off", state is not None and state.enabled is False),
        ("checked", state is not None and state.checked is True),
        ("focused", state is not None and state.focused is True),
        ("selected", state is not None and state.selected is True),
    )
    role = "" if element.role in PLAIN_ROLES else f":{element.role}"
    label = f" {element.label[:24]}" if element.type in FIELD_TYPES and element.label else ""
    told = "".join(f" {name}" for name, holds in facts if holds)
    return f"{element.type}{role}{label} {element.confidence:.2f}{told}"


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


def draw_numbers(image: Pixels, boxes: Mapping[int, Box]) -> Pixels:
    """Boxes framed and numbered, each in a colour of its own; a point of the picture is a point of the image."""
    canvas = _copy(image)
    palette = list(dict.fromkeys(COLOURS.values()))
    taken = list(boxes.values())
    for number, box in boxes.items():
        _outline(canvas, box.padded(2), palette[number % len(palette)], 2)
    for number, box in boxes.items():
        _caption(canvas, box.padded(2), str(number), palette[number % len(palette)], taken, scale=0.6)
    return canvas


def _copy(image: Pixels) -> Pixels:
    return np.array(image[:, :, :3], dtype=np.uint8, order="C", copy=True)


def _outline(canvas: Pixels, box: Box, colour: Colour, thickness: int) -> None:
    cv2.rectangle(canvas, (box.x1, box.y1), (box.x2 - 1, box.y2 - 1), colour, thickness)


def _dashes(canvas: Pixels, box: Box, colour: Colour) -> None:
    inside = box.clamped(canvas.shape[1], canvas.shape[0])
    if inside is None:
        return
    x1, y1, x2, y2 = inside.x1, inside.y1, inside.x2 - 1, inside.y2 - 1
    for x in range(x1, x2, 12):
        for y in (y1, y2):
            cv2.line(canvas, (x, y), (min(x + 6, x2), y), colour, 1)
    for y in range(y1, y2, 12):
        for x in (x1, x2):
            cv2.line(canvas, (x, y), (x, min(y + 6, y2)), colour, 1)


def _caption(
    canvas: Pixels, box: Box, text: str, colour: Colour, taken: list[Box], scale: float = 0.38, *, must: bool = True
) -> None:
    """Words on a plate beside the box where nothing stands yet; where there is no room, above it if they must be."""
    shown = _plain(text)
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    (width, height), base = cv2.getTextSize(shown, _FONT, scale, 1)
    plate = Box(0, 0, width + 4, height + base + 2)
    right, bottom = canvas.shape[1] - plate.width, canvas.shape[0] - plate.height
    places = [
        (box.x1, box.y1 - plate.height), (box.x1, box.y2), (box.x2 + 2, box.y1), (box.x2 - plate.width, box.y2),
        (box.x2 - plate.width, box.y1 - plate.height), (box.x1 - plate.width - 2, box.y1),
    ]  # fmt: skip
    seats = [plate.moved(max(0, min(x, right)), max(0, min(y, bottom))) for x, y in places]
    free = (seat for seat in seats if not any(seat.intersection(other) for other in taken if other != box))
    seat = next(free, seats[0] if must else None)
    if seat is None:
        return
    taken.append(seat)
    cv2.rectangle(canvas, (seat.x1, seat.y1), (seat.x2 - 1, seat.y2 - 1), colour, -1)
    ink = (0, 0, 0) if luminance(colour) > 0.4 else (255, 255, 255)
    cv2.putText(canvas, shown, (seat.x1 + 2, seat.y2 - base - 1), _FONT, scale, ink, 1, cv2.LINE_AA)


def _plain(text: str) -> str:
    """The drawing font has no accents: « À valider » becomes "A valider" rather than question marks."""
    replaced = text.replace("œ", "oe").replace("Œ", "OE").replace("€", "EUR").replace("’", "'").replace("—", "-")
    folded = unicodedata.normalize("NFKD", replaced)
    return "".join(char for char in folded if char.isascii() and char.isprintable())
