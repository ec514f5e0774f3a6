"""The shipped element detector: a whole frame in, the things on it that can be acted on or that hold others out.

The net answers for every cell of two maps (see `training/detector/net.py`): how sure it is that a thing to act on has
its centre there, what it would be, where it would end, whether it is on and enabled; and the same, simpler, for icons,
pictures and containers. Here the peaks are kept, the weaker of two that lie over each other is dropped, and nothing
depends on chance.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Self, get_args

import cv2
import numpy as np
from numpy.typing import NDArray

from rpa_vision.adapters.perception.element_net import Answers, Array, ElementNet, FollowingNet, LongPart
from rpa_vision.adapters.perception.shipped_model import load_model
from rpa_vision.errors import ModelMissingError
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import ElementType
from rpa_vision.ports.perception import FoundElement

MOST_PEAKS = 800
SAME_OVERLAP = 0.5
LEAST_SIDE_PX = 3
_WHAT = "element detector"
_PARTS = ("name", "interactive", "content", "containers", "strides", "thresholds", "near_margin")
_KINDS: dict[str, ElementType] = {kind: kind for kind in get_args(ElementType)}
FAINT = 0.12
"""What is hardly more than a guess, for a judge who hears other witnesses, too."""
_WORTH_TELLING = 0.02
STATED_BY_CHECK = frozenset({"checkbox", "radio", "toggle"})
STATED_BY_CHOICE = frozenset({"tab", "menu_item", "list_item", "button"})


@dataclass(frozen=True, slots=True)
class _Peaks:
    """Candidates of one group, the surest first."""

    boxes: Array
    scores: Array
    kinds: NDArray[np.intp]
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]


class NetLook:
    """Implements `ports.perception.Look`."""

    def __init__(self, long_part: LongPart | None, told: Callable[[Answers], list[FoundElement]]) -> None:
        self._long_part = long_part
        self._told = told
        self._answers: Answers | None = None

    def go_on(self) -> None:
        if self._long_part is not None:
            self._answers = self._long_part()

    def found(self) -> list[FoundElement]:
        return [] if self._answers is None else self._told(self._answers)


class OnnxElementFinder:
    """Finds elements with the net described by a JSON file beside it."""

    def __init__(self, description: Path, *, threads: int = 2, faint: bool = False) -> None:
        """`faint`: tell also what is hardly more than a guess, with a confidence below one half."""
        about, model = load_model(description, _WHAT, needs=_PARTS)
        self._interactive = _kinds(about["interactive"], description)
        self._content: list[str] = about["content"]
        self._containers = _kinds(about["containers"], description)
        self._faint = faint
        self._fine, self._coarse = (int(stride) for stride in about["strides"])
        self._thresholds: dict[str, float] = about["thresholds"]
        self._name = f"{about['name']}-{about['sha256'][:8]}"
        self._net: ElementNet | FollowingNet = ElementNet(
            model, cell_px=self._fine, margin=int(about["near_margin"]), threads=threads, what=_WHAT
        )

    @classmethod
    def shipped(cls, *, threads: int = 2, faint: bool = False) -> OnnxElementFinder:
        """The detector that comes with the package."""
        folder = resources.files("rpa_vision") / "resources" / "detector"
        return cls(Path(str(folder / "elements.json")), threads=threads, faint=faint)

    @property
    def name(self) -> str:
        return self._name

    def following(self) -> Self:
        """The same finder for one screen that is followed: what did not change is not looked at again."""
        follower = copy(self)
        follower._net = self._net.following()
        return follower

    def find(self, image: Pixels) -> list[FoundElement]:
        look = self.begin(image)
        look.go_on()
        return look.found()

    def begin(self, image: Pixels) -> NetLook:
        """A look at a picture that is followed up by its long part."""
        height, width = image.shape[:2]
        large = min(height, width) >= LEAST_SIDE_PX
        return NetLook(self._net.begin(image) if large else None, lambda answers: self._told(*answers, width, height))

    def _told(self, fine: Array, coarse: Array, width: int, height: int) -> list[FoundElement]:
        found = [
            *self._things_to_act_on(fine, width, height),
            *self._things_to_see(fine, width, height),
            *self._containers_of(coarse, width, height),
        ]
        return sorted(found, key=lambda element: (-element.confidence, element.box, element.kind))

    def _things_to_act_on(self, fine: Array, width: int, height: int) -> list[FoundElement]:
        kinds = len(self._interactive)
        limit = self._thresholds["act"]
        least = min(FAINT, limit) if self._faint else limit
        peaks = _peaks(fine[:1], fine[1 + kinds : 5 + kinds], self._fine, [limit], width, height, [least])
        kept = _apart(peaks.boxes, peaks.scores)
        rows, columns = peaks.rows[kept], peaks.columns[kept]
        doubts = _shares(fine[1 : 1 + kinds, rows, columns].T).tolist()
        states = (fine[5 + kinds : 7 + kinds, rows, columns].T > 0).tolist()
        boxes, scores = peaks.boxes[kept], peaks.scores[kept].tolist()
        found = []
        for box, score, shares, (on, enabled) in zip(boxes, scores, doubts, states, strict=True):
            kind = self._interactive[shares.index(max(shares))]
            found.append(
                FoundElement(
                    _box(box),
                    kind,
                    score,
                    checked=on if kind in STATED_BY_CHECK else None,
                    selected=on if kind in STATED_BY_CHOICE else None,
                    enabled=enabled,
                    doubts=tuple(
                        (name, share)
                        for name, share in zip(self._interactive, shares, strict=True)
                        if share >= _WORTH_TELLING
                    ),
                )
            )
        return found

    def _things_to_see(self, fine: Array, width: int, height: int) -> list[FoundElement]:
        """Icons and pictures; lines of text are the line finder's."""
        start = 1 + len(self._interactive) + 4 + 2
        heats = fine[start : start + len(self._content)]
        limits = [self._thresholds.get(kind, 1.0) if kind != "text" else 1.0 for kind in self._content]
        peaks = _peaks(heats, fine[start + len(self._content) :], self._fine, limits, width, height)
        return [
            FoundElement(
                _box(peaks.boxes[index]), _KINDS[self._content[peaks.kinds[index]]], float(peaks.scores[index])
            )
            for index in _apart(peaks.boxes, peaks.scores)
        ]

    def _containers_of(self, coarse: Array, width: int, height: int) -> list[FoundElement]:
        count = len(self._containers)
        found = []
        for kind, name in enumerate(self._containers):
            sides = coarse[count + 4 * kind : count + 4 * kind + 4]
            limit = [self._thresholds.get(name, 1.0)]
            peaks = _peaks(coarse[kind : kind + 1], sides, self._coarse, limit, width, height)
            found += [
                FoundElement(_box(peaks.boxes[index]), name, float(peaks.scores[index]))
                for index in _apart(peaks.boxes, peaks.scores)
            ]
        return found


def _kinds(names: list[str], description: Path) -> list[ElementType]:
    unknown = [name for name in names if name not in _KINDS]
    if unknown:
        raise ModelMissingError(
            f"the {_WHAT}'s description {description} names {unknown[0]!r}, which is no element type"
        )
    return [_KINDS[name] for name in names]


def _shares(logits: Array) -> Array:
    """Row by row."""
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Array = raised / raised.sum(axis=1, keepdims=True)
    return shares


def _peaks(
    heats: Array,
    sides: Array,
    stride: int,
    limits: list[float],
    width: int,
    height: int,
    least: list[float] | None = None,
) -> _Peaks:
    """Cells that are the highest around and above the limit of their kind, with the boxes told there.

    A score is told against the limit, which becomes one half: there, as was measured, about half are right. `least`
    keeps fainter ones, too.
    """
    spots = [np.zeros((3, 0), np.intp)]
    floors, lowest = (
        np.array([np.log(limit / (1 - limit)) if limit < 1.0 else np.inf for limit in given], np.float32)
        for given in (limits, least or limits)
    )
    for kind, (heat, floor) in enumerate(zip(heats, lowest, strict=True)):
        if np.isinf(floor) or not (above := heat > floor).any():
            continue  # a kind that is not told, or nowhere
        around = cv2.dilate(heat, np.ones((3, 3), np.uint8))
        rows, columns = np.nonzero(above & (heat >= around))
        spots.append(np.stack([np.full(len(rows), kind), rows, columns]))
    kinds, rows, columns = np.concatenate(spots, axis=1)
    scores = (1 / (1 + np.exp(floors[kinds] - heats[kinds, rows, columns]))).astype(np.float32)
    order = np.lexsort((columns, rows, kinds, -scores))[:MOST_PEAKS]
    kinds, rows, columns, scores = kinds[order], rows[order], columns[order], scores[order]
    reach = np.exp(np.clip(sides[:, rows, columns], -4, 6)) * stride
    x, y = (columns + 0.5) * stride, (rows + 0.5) * stride
    boxes = np.stack([x - reach[0], y - reach[1], x + reach[2], y + reach[3]], axis=1)
    boxes[:, 0::2] = boxes[:, 0::2].clip(0, width)
    boxes[:, 1::2] = boxes[:, 1::2].clip(0, height)
    large = ((boxes[:, 2] - boxes[:, 0]) >= LEAST_SIDE_PX) & ((boxes[:, 3] - boxes[:, 1]) >= LEAST_SIDE_PX)
    boxes = boxes.astype(np.float32)
    return _Peaks(boxes[large], scores[large], kinds[large], rows[large], columns[large])


def _apart(boxes: Array, scores: Array) -> list[int]:
    """The surest of those that lie over each other; they come sorted."""
    x1, y1, x2, y2 = boxes.T
    wide = np.minimum(x2[:, None], x2[None]) - np.maximum(x1[:, None], x1[None])
    high = np.minimum(y2[:, None], y2[None]) - np.maximum(y1[:, None], y1[None])
    common = np.maximum(wide, 0) * np.maximum(high, 0)
    areas = (x2 - x1) * (y2 - y1)
    apart = common / np.maximum(areas[None] + areas[:, None] - common, 1e-6) <= SAME_OVERLAP
    alive = np.ones(len(boxes), bool)
    kept: list[int] = []
    for index in range(len(boxes)):
        if alive[index]:
            kept.append(index)
            alive &= apart[index]
    return kept


def _box(sides: Array) -> Box:
    x1, y1, x2, y2 = (round(float(side)) for side in sides)
    return Box(x1, y1, max(x2, x1 + 1), max(y2, y1 + 1))
