"""What is on a screen before it has names: boxes, lines of text, and which lies in which."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, TypeVar, cast

import numpy as np
from pydantic import JsonValue

from rpa_vision.detection.pixel_work import PixelWork, PlainWork
from rpa_vision.detection.regions import Region
from rpa_vision.detection.selections import without_selections
from rpa_vision.detection.words import count_alnum, fold
from rpa_vision.imaging.colour import Colour, paper_and_ink
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import TextLine
from rpa_vision.models.ui_element import ElementType

Value = TypeVar("Value")
Shape = Literal["rectangle", "rounded", "circle", "line", "text", "irregular"]

MARGIN = 1.4
"""A line's box is that much higher than its ink."""


_MENU_STARTS = {("file", "edit"), ("file", "view"), ("fichier", "edition"), ("fichier", "affichage")}
_TALL, _LOW, _DEEP, _ACCENT = 0.72, 0.54, 0.2, 0.17
_ASCENDERS = frozenset("bdfhkltßàâäéèêëîïôöùûüÿñáíóúij()[]{}/|!?€$&%@#'\"°")
_DESCENDERS = frozenset("gjpqyç()[]{},;|@Q")


@dataclass(slots=True)
class Line:
    """A line of text, its colours, and the smallest box around it."""

    text: str
    box: Box
    confidence: float
    paper: Colour
    ink: Colour
    home: int = -1
    used: bool = False

    @property
    def font_px(self) -> float:
        """The size of type, from the height of the ink and the kind of letters in it."""
        return (self.box.height / MARGIN - 1) / _ink_share(self.text)


@lru_cache(maxsize=16_384)  # the same texts come back on every screen
def _ink_share(text: str) -> float:
    """How much of the size of type the ink of these letters is high."""
    share = _TALL if any(char.isupper() or char.isdigit() or char in _ASCENDERS for char in text) else _LOW
    share += _DEEP * any(char in _DESCENDERS for char in text)
    return share + _ACCENT * any(char.isupper() and not char.isascii() and char not in "ÇŒÆØ" for char in text)


@dataclass(slots=True, eq=False)
class Draft:
    """An element in the making."""

    kind: ElementType
    box: Box
    confidence: float
    label: str = ""
    label_confidence: float = 0.0
    text: str = ""
    paper: Colour = (255, 255, 255)
    ink: Colour = (0, 0, 0)
    shape: Shape = "rectangle"
    stands_out: bool = False
    has_icon: bool = False
    border: Colour | None = None
    enabled: bool | None = None
    checked: bool | None = None
    focused: bool | None = None
    selected: bool | None = None
    tags: list[str] = field(default_factory=list)
    metadata: dict[str, JsonValue] = field(default_factory=dict)
    parent: Draft | None = None
    caption: Draft | None = None
    """The words that name it, where they stand beside it."""


def split_menu_bar(line: Line, image: Pixels) -> list[Line]:
    """« File Edit View » stands as close as a sentence, but is a menu bar: one line for each word.

    Only the words tell, so only bars that begin as nearly all do are taken apart, and only where the picture shows as
    many groups of ink as there are words.
    """
    words = line.text.split()
    if len(words) < 3 or tuple(fold(word) for word in words[:2]) not in _MENU_STARTS:
        return [line]
    box = line.box
    off = np.abs(image[box.y1 : box.y2, box.x1 : box.x2].astype(np.int16) - np.array(line.paper)).max(axis=2)
    inked = np.flatnonzero((off > 0.35 * off.max()).any(axis=0))
    breaks = np.argsort(np.diff(inked))[::-1][: len(words) - 1]
    gaps = np.sort(np.diff(inked))[::-1]
    if len(gaps) < len(words) or gaps[len(words) - 2] < 1.3 * gaps[len(words) - 1]:
        return [line]
    edges = [0, *(sorted(int(index) + 1 for index in breaks)), len(inked)]
    parts = []
    for word, start, end in zip(words, edges[:-1], edges[1:], strict=True):
        left, right = box.x1 + int(inked[start]) - 3, box.x1 + int(inked[end - 1]) + 4
        own = Box(max(left, box.x1), box.y1, min(right, box.x2), box.y2)
        parts.append(Line(word, own, line.confidence, line.paper, line.ink))
    return parts


class Scene:
    """Boxes and lines of one picture, in its own pixels. `work` saves what was done for the picture before."""

    def __init__(
        self, image: Pixels, regions: Sequence[Region], lines: Sequence[TextLine], work: PixelWork | None = None
    ) -> None:
        self.image = image
        self.work: PixelWork = work or PlainWork()
        self.height, self.width = image.shape[:2]
        self.regions = without_selections(regions, lines)
        self.lines = [part for line in self._coloured(lines) for part in split_menu_bar(line, image)]
        sizes = [line.font_px for line in self.lines if count_alnum(line.text) >= 2]
        self.font_px = max(8.0, float(np.median(sizes))) if sizes else 14.0
        self.unit = 0.9 * self.font_px
        """What sizes are measured in, whatever the zoom: a little less than the usual size of type."""
        self._notes: dict[str, object] = {}
        self._find_homes()

    def noted(self, what: str, do: Callable[[], Value]) -> Value:
        """`do()`, once for a scene: what it tells does not change while the scene is looked at."""
        if what not in self._notes:
            self._notes[what] = do()
        return cast(Value, self._notes[what])

    def lines_in(self, region: int) -> list[Line]:
        """Lines whose smallest box this is, left to right."""
        return self._tenants.get(region, [])

    def boxes_in(self, box: Box) -> list[Region]:
        """Boxes that lie wholly inside another."""
        return [region for region in self.regions if region.box != box and box.encloses(region.box)]

    def _coloured(self, lines: Sequence[TextLine]) -> list[Line]:
        """The lines with their colours."""
        boxes = [Box.of(line.bbox) for line in lines]
        return [
            Line(line.text, box, line.confidence, paper, ink)
            for line, box, (paper, ink) in zip(lines, boxes, self.colours(boxes), strict=True)
        ]

    def colours(self, boxes: Sequence[Box]) -> list[tuple[Colour, Colour]]:
        """Paper and ink of each place."""
        return self.work.of_places(
            "colours", self.image, boxes, [None] * len(boxes), lambda _, crop: paper_and_ink(crop)
        )

    def _find_homes(self) -> None:
        self._tenants: dict[int, list[Line]] = {}
        if not self.regions:
            return
        if not self.lines:
            return
        left, top, right, bottom = np.array([region.box.bbox for region in self.regions]).T
        areas = np.array([region.box.area for region in self.regions], np.float64)
        boxes = np.array([line.box.bbox for line in self.lines])
        sizes = np.array([line.box.area for line in self.lines])
        x, y = (boxes[:, :2] + boxes[:, 2:]).T[:, :, None] // 2
        around = (left <= x) & (top <= y) & (right > x) & (bottom > y)
        around &= (left <= boxes[:, :1] + 4) & (right >= boxes[:, 2:3] - 4)
        around &= areas >= 0.9 * sizes[:, None]  # the inside of a letter is no home
        homes = np.where(around, areas, np.inf).argmin(axis=1)
        for line, home, housed in zip(self.lines, homes.tolist(), around.any(axis=1).tolist(), strict=True):
            if housed:
                line.home = home
                self._tenants.setdefault(home, []).append(line)
        for lines in self._tenants.values():
            lines.sort(key=lambda line: line.box.x1)
