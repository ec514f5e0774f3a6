"""What a screen holds, as numbers a net can compare: every element and every line of text that is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.graph.vocabulary import letters
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import ELEMENT_TYPES

MOST = 320
"""So many things are compared; a fuller screen shows its smallest crumbs in vain."""
UNKNOWN = "unknown"
KINDS = (*ELEMENT_TYPES, "line", UNKNOWN)
"""What a thing may be: an element of a type, a line of text that is none, or a box nobody knows."""
LOOK_CELLS, LOOK_TURNS = 4, 4
_LOOK_PX = 16
LOOK = LOOK_CELLS * LOOK_CELLS * LOOK_TURNS
PAINT = 3
_SAME_BOX = 0.5
_USUAL_LINE_PX = 16.0
_FAINT = 20.0
"""Outlines as faint as this are hardly any: they are not drawn up to full length."""
_GREY = np.array([0.114, 0.587, 0.299], np.float32)

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Things:
    """The things of a screen: boxes in pixels, kinds by number, what each says, and its outlines."""

    boxes: Floats
    kinds: npt.NDArray[np.int64]
    texts: tuple[str, ...]
    said: tuple[str, ...]
    """The letters of the texts, as they are compared."""
    enabled: Floats
    """1 and 0, or .5 where that cannot be seen."""
    looks: Floats
    paint: Floats
    """How much it rises and falls, how light it is, how colourful."""
    line_px: float
    size: tuple[int, int]

    def __len__(self) -> int:
        return len(self.kinds)

    def box(self, number: int) -> Box:
        x1, y1, x2, y2 = (round(float(edge)) for edge in self.boxes[number])
        return Box(x1, y1, x2, y2)


def things_of(screen: ObservedScreen, sought: Sequence[Box] = ()) -> tuple[Things, list[int]]:
    """All things of a screen, and which of them the boxes sought are; a box that is none of them is added."""
    elements = [(Box.of(one.bbox), one.type, one.label, _enabled(one)) for one in screen.state.ui_elements]
    labelled = [(box, letters(text)) for box, _, text, _ in elements if text]
    found = elements + [
        (Box.of(line.bbox), "line", line.text, 0.5)
        for line in screen.state.perception.text_lines
        if not _is_told(Box.of(line.bbox), letters(line.text), labelled)
    ]
    found = [one for one in found if one[0].width > 0 and one[0].height > 0]
    found = sorted(found, key=lambda one: -one[0].area)[:MOST]
    numbers = []
    for box in sought:
        number = max(range(len(found)), key=lambda index: overlap(found[index][0], box), default=None)
        if number is None or overlap(found[number][0], box) < _SAME_BOX:
            lines = [one.text for one in screen.state.perception.text_lines if box.contains(Box.of(one.bbox).center)]
            found.append((box, UNKNOWN, " ".join(lines), 0.5))
            number = len(found) - 1
        numbers.append(number)
    heights = [line.bbox[3] - line.bbox[1] for line in screen.state.perception.text_lines]
    height, width = screen.pixels.shape[:2]
    looks, paint = _seen(screen.pixels, [one[0] for one in found])
    return (
        Things(
            np.array([one[0].bbox for one in found], np.float32).reshape(-1, 4),
            np.array([KINDS.index(one[1]) for one in found], np.int64),
            tuple(one[2] for one in found),
            tuple(letters(one[2]) for one in found),
            np.array([one[3] for one in found], np.float32),
            looks,
            paint,
            float(np.median(heights)) if heights else _USUAL_LINE_PX,
            (int(width), int(height)),
        ),
        numbers,
    )


def _enabled(element: object) -> float:
    state = getattr(element, "state", None)
    enabled = state.enabled if state is not None else None
    return 0.5 if enabled is None else float(enabled)


def _is_told(line: Box, said: str, labelled: Sequence[tuple[Box, str]]) -> bool:
    """Whether an element says this line already."""
    return any(text == said and box.contains(line.center) for box, text in labelled)


def overlap(one: Box, other: Box) -> float:
    """What two boxes share, of all they cover."""
    common = one.intersection(other)
    shared = common.area if common is not None else 0
    return shared / max(1, one.area + other.area - shared)


def _seen(pixels: npt.NDArray[np.uint8], boxes: Sequence[Box]) -> tuple[Floats, Floats]:
    """Of each box its outlines in a few cells and directions, whatever the colours and the size; and its paint."""
    height, width = pixels.shape[:2]
    small = np.zeros((len(boxes), _LOOK_PX + 2, _LOOK_PX + 2, 3), np.float32)
    for number, box in enumerate(boxes):
        part = box.clamped(int(width), int(height))
        if part is not None:
            crop = pixels[part.y1 : part.y2, part.x1 : part.x2, :3]
            small[number] = cv2.resize(crop, (_LOOK_PX + 2, _LOOK_PX + 2), interpolation=cv2.INTER_AREA)
    grey, colour = small @ _GREY, small.max(axis=3) - small.min(axis=3)
    paint = np.stack([np.log1p(grey.std((1, 2))), grey.mean((1, 2)) / 128, colour.mean((1, 2)) / 128], axis=1)
    return _outlines(grey), paint.astype(np.float32)


def _outlines(grey: Floats) -> Floats:
    across = grey[:, 1:-1, 2:] - grey[:, 1:-1, :-2]
    down = grey[:, 2:, 1:-1] - grey[:, :-2, 1:-1]
    strength = np.hypot(across, down)
    turn = (np.arctan2(down, across) % np.pi) * (LOOK_TURNS / np.pi)
    parts = []
    for direction in range(LOOK_TURNS):
        near = np.clip(1 - np.abs((turn - direction + LOOK_TURNS / 2) % LOOK_TURNS - LOOK_TURNS / 2), 0, 1)
        size = _LOOK_PX // LOOK_CELLS
        cells = (strength * near).reshape(len(grey), LOOK_CELLS, size, LOOK_CELLS, size).sum((2, 4))
        parts.append(cells.reshape(len(grey), LOOK_CELLS * LOOK_CELLS))
    looks = np.concatenate(parts, axis=1)
    return np.asarray(looks / (np.linalg.norm(looks, axis=1, keepdims=True) + _FAINT), np.float32)
