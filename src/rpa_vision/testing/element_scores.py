"""How well elements were found where the truth is known: can each be clicked, are its box, name and state right?

- *click*: one to one, the centre of the found box lies in the true one, and it is at most four times as large;
- *F1@.5*: one to one, boxes overlap by half;
- *type accuracy*: of the pairs matched at .5, how many are called right;
- *checked accuracy*: of the marks called right, how many have their state right.

What lies under a dialog's veil or under another window counts neither for nor against. The format of a screen's truth
is that of `training/factory`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import UIElement

Boxes = NDArray[np.float64]
KINDS = frozenset(
    {"button", "link", "text_input", "textarea", "checkbox", "radio", "toggle", "dropdown", "tab", "menu_item",
     "list_item", "slider"}
)  # fmt: skip
"""What one acts on; a password field counts as a text field."""
FAMILIES = {"password_input": "text_input"}
DECORATION = "decoration"
"""What the window manager draws around a program: nobody knows the truth there."""
LARGEST = 4.0
HALF = 0.5
VEILED = 0.3
ONCE = 0.8


@dataclass(frozen=True, slots=True)
class Seen:
    """An element as it was found."""

    box: Box
    kind: str
    checked: bool | None = None

    @classmethod
    def of(cls, element: UIElement) -> Seen:
        """What the product says of it."""
        return cls(Box.of(element.bbox), family(element.type), element.state.checked if element.state else None)


def family(kind: str) -> str:
    """The kind as it is scored."""
    return FAMILIES.get(kind, kind)


class ElementScore:
    """Counts over many screens."""

    def __init__(self) -> None:
        self.screens = self.found = self.true = self.clicked = self.boxed = self.typed = 0
        self.states = self.states_right = 0
        self.confused: Counter[tuple[str, str]] = Counter()
        self.kinds: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])

    def add(self, truth: Sequence[dict[str, Any]], found: Sequence[Seen]) -> None:
        """One more screen."""
        items = [item for item in truth if family(item["type"]) in KINDS]
        hidden = _array(item["box"] for item in truth if item.get("covered"))
        wanted = _once([item for item in items if not item.get("covered")])
        given = [item for item in found if item.kind in KINDS]
        if len(hidden):
            given = [item for item in given if overlaps(_array([item.box.bbox]), hidden).max() < VEILED]
        frames = [Box(*item["box"]) for item in truth if item["type"] == DECORATION]
        given = [item for item in given if not any(frame.contains(item.box.center) for frame in frames)]
        boxes, true = _array(item.box.bbox for item in given), _array(item["box"] for item in wanted)
        self.screens += 1
        self.found += len(given)
        self.true += len(wanted)
        clicks = _pairs(_click_worth(boxes, true), 1e-6)
        self.clicked += len(clicks)
        for item in wanted:
            self.kinds[family(item["type"])][0] += 1
        for _, index in clicks:
            self.kinds[family(wanted[index]["type"])][1] += 1
        for mine, index in _pairs(overlaps(boxes, true), HALF):
            self._pair(given[mine], wanted[index])

    def _pair(self, found: Seen, item: dict[str, Any]) -> None:
        kind = family(item["type"])
        right = found.kind == kind
        self.boxed += 1
        self.typed += right
        self.kinds[kind][2] += right
        self.confused[kind, found.kind] += 1
        if right and item.get("checked") is not None:
            self.states += 1
            self.states_right += found.checked == item["checked"]

    def summary(self) -> dict[str, int | float | None]:
        """The figures; None where there was nothing to score."""
        both = self.found + self.true
        return {
            "screens": self.screens,
            "elements": self.true,
            "found": self.found,
            "click_f1": _share(2 * self.clicked, both),
            "click_recall": _share(self.clicked, self.true),
            "click_precision": _share(self.clicked, self.found),
            "f1_at_50": _share(2 * self.boxed, both),
            "type_accuracy": _share(self.typed, self.boxed),
            "checked_accuracy": _share(self.states_right, self.states),
        }

    def by_kind(self) -> dict[str, dict[str, int | float | None]]:
        """Of each kind: how many there are, how many a click would hit, how many are boxed and named right."""
        return {
            kind: {"elements": count, "clicked": _share(clicked, count), "named": _share(named, count)}
            for kind, (count, clicked, named) in sorted(self.kinds.items())
        }


def overlaps(a: Boxes, b: Boxes) -> Boxes:
    """Intersection over union of each with each."""
    if not len(a) or not len(b):
        return np.zeros((len(a), len(b)))
    low, high = np.maximum(a[:, None, :2], b[None, :, :2]), np.minimum(a[:, None, 2:], b[None, :, 2:])
    common = np.clip(high - low, 0, None).prod(axis=2)
    areas = (a[:, 2:] - a[:, :2]).prod(axis=1)[:, None] + (b[:, 2:] - b[:, :2]).prod(axis=1)[None]
    shares: Boxes = common / np.maximum(areas - common, 1e-6)
    return shares


def _array(boxes: Iterable[Any]) -> Boxes:
    return np.array(list(boxes), np.float64).reshape(-1, 4)


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None


def _once(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Two marks on nearly the same box are one element."""
    kept: list[dict[str, Any]] = []
    for item in items:
        if not kept or overlaps(_array([item["box"]]), _array(other["box"] for other in kept)).max() < ONCE:
            kept.append(item)
    return kept


def _click_worth(found: Boxes, true: Boxes) -> Boxes:
    """What is shared where a click on the found centre would hit, else nothing."""
    if not len(found) or not len(true):
        return np.zeros((len(found), len(true)))
    x, y = (found[:, 0] + found[:, 2])[:, None] / 2, (found[:, 1] + found[:, 3])[:, None] / 2
    hits = (x >= true[None, :, 0]) & (x < true[None, :, 2]) & (y >= true[None, :, 1]) & (y < true[None, :, 3])
    sizes, wanted = (found[:, 2:] - found[:, :2]).prod(axis=1), (true[:, 2:] - true[:, :2]).prod(axis=1)
    hits &= sizes[:, None] <= LARGEST * wanted[None]
    return np.where(hits, overlaps(found, true) + 1e-3, 0.0)


def _pairs(worth: Boxes, least: float) -> list[tuple[int, int]]:
    """One to one, best first."""
    rows, columns = np.nonzero(worth >= least)
    order = np.argsort(-worth[rows, columns], kind="stable")
    used_rows: set[int] = set()
    used_columns: set[int] = set()
    kept = []
    for row, column in zip(rows[order].tolist(), columns[order].tolist(), strict=True):
        if row not in used_rows and column not in used_columns:
            used_rows.add(row)
            used_columns.add(column)
            kept.append((row, column))
    return kept
