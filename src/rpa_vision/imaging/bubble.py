"""Draw the bubble and the sign of the overlay, and find their place. Pixels and boxes in, pixels and boxes out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from rpa_vision.imaging.colour import Colour
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.guidance import Choice, Suggestion

HIGHLIGHT: dict[str, Colour] = {"strong": (0, 120, 255), "weak": (180, 160, 90)}
"""Colours are blue, green, red: a strong suggestion is orange, a weak one a quiet blue."""
_INK: Colour = (40, 34, 30)
_PALE: Colour = (120, 112, 104)
_PAPER: Colour = (255, 253, 250)
_EDGE: Colour = (170, 160, 150)
_BUTTON: Colour = (240, 236, 230)
_ACTING: Colour = (40, 40, 200)
_CALM: Colour = (110, 100, 90)

_WIDEST_PX = 380
_NARROWEST_PX = 220
_MARGIN_PX = 12
_GAP_PX = 8
_LINE_PX = 20
_BUTTON_HEIGHT_PX = 28
_TITLE_PX, _TEXT_PX, _HINT_PX = 15, 14, 11
_BOLD, _REGULAR = 700, 400
_FAINT = 12
"""Neighbours that differ by less are one colour, for a person."""
_AWAY_PX = 14
"""How far the bubble stays from the target."""


@dataclass(frozen=True, slots=True, eq=False)
class Bubble:
    """A picture, and where in it each button is."""

    pixels: Pixels
    buttons: tuple[tuple[Box, Choice], ...]

    @property
    def size(self) -> tuple[int, int]:
        return int(self.pixels.shape[1]), int(self.pixels.shape[0])


def draw_bubble(suggestion: Suggestion) -> Bubble:
    """The bubble of a suggestion, as small as its words allow."""
    colour = HIGHLIGHT[suggestion.strength]
    inner = _WIDEST_PX - 2 * _MARGIN_PX
    title = _wrapped(suggestion.title, _TITLE_PX, _BOLD, inner)
    text = _wrapped(suggestion.text, _TEXT_PX, _REGULAR, inner)
    hint = _wrapped(suggestion.hint, _HINT_PX, _REGULAR, inner) if suggestion.hint else []
    rows = _button_rows(suggestion.choices, inner)
    lines = [(line, _TITLE_PX, _BOLD, _INK) for line in title]
    lines += [(line, _TEXT_PX, _REGULAR, _INK) for line in text]
    widest = max((_width(line, size, weight) for line, size, weight, _ in lines), default=0)
    widest = max([widest, *(row[-1][0].x2 for row in rows if row)], default=0)
    width = max(_NARROWEST_PX, min(_WIDEST_PX, widest + 2 * _MARGIN_PX))
    height = 2 * _MARGIN_PX + len(lines) * _LINE_PX + len(rows) * (_BUTTON_HEIGHT_PX + _GAP_PX) + len(hint) * 16
    canvas = np.full((height, width, 3), _PAPER, np.uint8)
    cv2.rectangle(canvas, (0, 0), (width - 1, height - 1), _EDGE, 1)
    cv2.rectangle(canvas, (0, 0), (4, height - 1), colour, -1)
    y = _MARGIN_PX
    for line, size, weight, ink in lines:
        _write(canvas, line, (_MARGIN_PX, y + _LINE_PX - 5), ink, size, weight)
        y += _LINE_PX
    buttons: list[tuple[Box, Choice]] = []
    for row in rows:
        y += _GAP_PX
        for box, choice in row:
            here = box.moved(_MARGIN_PX, y)
            primary = not buttons and suggestion.strength == "strong"
            _draw_button(canvas, here, choice.label, colour if primary else None)
            buttons.append((here, choice))
        y += _BUTTON_HEIGHT_PX
    for line in hint:
        y += 16
        _write(canvas, line, (_MARGIN_PX, y), _PALE, _HINT_PX, _REGULAR)
    return Bubble(_opaque(canvas), tuple(buttons))


def draw_sign(text: str, *, calm: bool = False, widest_px: int = 1000) -> Pixels:
    """The sign that the robot acts: light words on red; grey when it does nothing."""
    text = _cut(text, _TEXT_PX, _BOLD, widest_px - 3 * _MARGIN_PX)
    width = _width(text, _TEXT_PX, _BOLD) + 3 * _MARGIN_PX
    canvas = np.full((28, width, 3), _CALM if calm else _ACTING, np.uint8)
    cv2.circle(canvas, (_MARGIN_PX, 14), 5, (255, 255, 255), 2 if calm else -1, cv2.LINE_AA)
    _write(canvas, text, (2 * _MARGIN_PX, 19), (255, 255, 255), _TEXT_PX, _BOLD)
    return _opaque(canvas)


def frame_bars(target: Box, thickness_px: int = 3, gap_px: int = 3) -> tuple[Box, list[Box]]:
    """The box of a highlight around a target, and its four bars, relative to that box: the target stays visible."""
    outer = target.padded(thickness_px + gap_px)
    width, height, bar = outer.width, outer.height, thickness_px
    bars = [
        Box(0, 0, width, bar),
        Box(0, height - bar, width, height),
        Box(0, bar, bar, height - bar),
        Box(width - bar, bar, width, height - bar),
    ]
    return outer, bars


def place_aside(size: tuple[int, int], room: Box, look: Callable[[Box], Pixels]) -> Point:
    """Where a bubble without a target goes: to the place at the edges of its monitor where it hides the least. `look`
    gives what is on the screen there."""
    width, height = size
    right, bottom = room.x2 - width - 2 * _AWAY_PX, room.y2 - height - 4 * _AWAY_PX
    left, top = room.x1 + 2 * _AWAY_PX, room.y1 + 4 * _AWAY_PX
    middle = room.center[0] - width // 2
    corners = ((right, bottom), (right, top), (left, bottom), (left, top), (middle, bottom), (middle, top))
    places = [_inside(corner, size, room) for corner in corners]
    return min(places, key=lambda place: _busyness(look(Box(0, 0, width, height).moved(*place))))


def _busyness(pixels: Pixels) -> float:
    """How much there is to see: the share of pixels that differ from the one beside them, and from the one above."""
    colours = pixels[:, :, :3].astype(np.int16)
    edges = ((np.abs(np.diff(colours, axis=axis)).max(axis=2) > _FAINT).mean() for axis in (0, 1))
    return round(float(sum(edges)), 3)


def place_bubble(size: tuple[int, int], target: Box, monitors: Sequence[Box]) -> Point:
    """Where the bubble goes: on the monitor of the target, below, above or beside it; over it only where it must."""
    width, height = size
    room = max(monitors, key=lambda monitor: _shared(monitor, target))
    wanted = (
        (target.x1, target.y2 + _AWAY_PX),
        (target.x1, target.y1 - _AWAY_PX - height),
        (target.x2 + _AWAY_PX, target.y1),
        (target.x1 - _AWAY_PX - width, target.y1),
    )
    for x, y in wanted:
        inside = _inside((x, y), size, room)
        if Box(inside[0], inside[1], inside[0] + width, inside[1] + height).intersection(target) is None:
            return inside
    return _inside((room.x2 - width, room.y2 - height), size, room)


def _shared(monitor: Box, target: Box) -> int:
    common = monitor.intersection(target)
    return common.area if common is not None else 0


def _inside(corner: Point, size: tuple[int, int], room: Box) -> Point:
    x = max(room.x1, min(corner[0], room.x2 - size[0]))
    y = max(room.y1, min(corner[1], room.y2 - size[1]))
    return x, y


def _button_rows(choices: Sequence[Choice], room_px: int) -> list[list[tuple[Box, Choice]]]:
    rows: list[list[tuple[Box, Choice]]] = []
    x = 0
    for choice in choices:
        width = _width(choice.label, _TEXT_PX, _REGULAR) + 20
        if not rows or x + width > room_px:
            rows.append([])
            x = 0
        rows[-1].append((Box(x, 0, x + width, _BUTTON_HEIGHT_PX), choice))
        x += width + _GAP_PX
    return rows


def _draw_button(canvas: Any, box: Box, label: str, colour: Colour | None) -> None:
    corners = (box.x1, box.y1), (box.x2 - 1, box.y2 - 1)
    cv2.rectangle(canvas, *corners, colour or _BUTTON, -1)
    cv2.rectangle(canvas, *corners, colour or _EDGE, 1)
    ink = (255, 255, 255) if colour is not None else _INK
    _write(canvas, label, (box.x1 + 10, box.y2 - 9), ink, _TEXT_PX, _REGULAR)


def _wrapped(text: str, size: int, weight: int, room_px: int) -> list[str]:
    lines: list[str] = []
    for word in re.findall(r"«\s\S+|\S+", text):  # a quotation mark never ends a line
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and _width(longer, size, weight) <= room_px:
            lines[-1] = longer
        else:
            lines.append(word)
    return [_cut(line, size, weight, room_px) for line in lines]


def _cut(line: str, size: int, weight: int, room_px: int) -> str:
    while len(line) > 1 and _width(line, size, weight) > room_px:
        line = line[:-2] + "…" if line.endswith("…") else line[:-1] + "…"
    return line


def _opaque(canvas: Any) -> Pixels:
    pixels: Pixels = np.dstack([canvas, np.full(canvas.shape[:2], 255, np.uint8)])
    return pixels


_HAS_LETTERS = hasattr(cv2, "FontFace")
"""OpenCV 5 writes any letter; earlier ones know ASCII only."""


def _write(canvas: Any, text: str, at: Point, ink: Colour, size: int, weight: int) -> None:
    if _HAS_LETTERS:
        cv2.putText(canvas, text, at, ink, cv2.FontFace("sans"), size, weight)
    else:
        bold = 2 if weight == _BOLD else 1
        cv2.putText(canvas, _ascii(text), at, cv2.FONT_HERSHEY_SIMPLEX, size / 30, ink, bold, cv2.LINE_AA)


def _width(text: str, size: int, weight: int) -> int:
    if not text:
        return 0
    if _HAS_LETTERS:
        _, _, width, _ = cv2.getTextSize((0, 0), text, (0, 0), cv2.FontFace("sans"), size, weight)
        return int(width) + 2
    bold = 2 if weight == _BOLD else 1
    return int(cv2.getTextSize(_ascii(text), cv2.FONT_HERSHEY_SIMPLEX, size / 30, bold)[0][0])


def _ascii(text: str) -> str:
    plain = text.replace("«", '"').replace("»", '"').replace("…", "...").replace("’", "'").replace("—", "-")
    return unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
