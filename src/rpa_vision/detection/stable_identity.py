"""The same element, next time: a hash of where it belongs, what it says and roughly where it is; and who is who.

The hash rounds places to 50 pixels, so an element that moves by two may get another hash. A tracker links the hashes:
on a screen of the same window, what has the same role and nearly the same words and stands near where it stood before
is the same element, and what stands where it stood but says something else is that element with another label. Each
element seen is given to at most one identity and each identity to at most one element, the nearest first. What stands
in the rows of a table is content, not a part of the interface, and is not followed.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from rapidfuzz import fuzz

from rpa_vision.detection.words import fold, without_numbers
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import StabilityTracking, UIElement
from rpa_vision.models.window import WindowContext

GRID_PX = 50
NEAR_PX = 2 * GRID_PX
"""As far as an element may have moved between two screens and still be the same by its words."""
STAYED = 0.6
"""As much must two boxes share for an element with other words to be the same."""
SAID_ALIKE = 85.0
MOST_VARIANTS = 8
MOST_IDENTITIES = 20_000
_APART = re.compile(r"\s[-–—|·]\s")


def stable_id(app_name: str, title: str, role: str, label: str, bbox: tuple[int, int, int, int]) -> str:
    """Application, normalised title, role, normalised label, box rounded to 50 pixels (L2-4)."""
    rounded = tuple(GRID_PX * round(value / GRID_PX) for value in bbox)
    words = "|".join((fold(app_name), normalised_title(title), role, fold(label), str(rounded)))
    return hashlib.blake2b(words.encode(), digest_size=12).hexdigest()


def normalised_title(title: str) -> str:
    """A window title without what changes: numbers, and the mark of an unsaved document."""
    parts = [without_numbers(part.lstrip("*• ")) for part in _APART.split(title)]
    return " - ".join(part for part in parts if part)


def stability_confidence(label: str, label_confidence: float) -> float:
    """How far the identity can be trusted: a name that was read well carries it, a bare place does not."""
    return round(0.35 + 0.6 * label_confidence, 4) if fold(label) else 0.3


@dataclass(slots=True, eq=False)
class _Identity:
    """One element over all screens it was seen on."""

    stable_id: str
    """The hash it was first seen under: its name from then on."""
    kind: str
    role: str
    box: Box
    first_seen: datetime
    last_seen: datetime
    count: int = 0
    mean: tuple[float, float] = (0.0, 0.0)
    spread: float = 0.0
    labels: OrderedDict[str, None] = field(default_factory=OrderedDict)

    def meet(self, element: UIElement, moment: datetime) -> None:
        self.count += 1
        self.first_seen, self.last_seen = min(self.first_seen, moment), max(self.last_seen, moment)
        self.box = Box.of(element.bbox)
        (x, y), (old_x, old_y) = element.center, self.mean
        new_x, new_y = old_x + (x - old_x) / self.count, old_y + (y - old_y) / self.count
        self.mean = (new_x, new_y)
        self.spread += (x - old_x) * (x - new_x) + (y - old_y) * (y - new_y)
        if element.label:
            self.labels[element.label] = None
            while len(self.labels) > MOST_VARIANTS:
                self.labels.popitem(last=False)

    def tracking(self) -> StabilityTracking:
        return StabilityTracking(
            first_seen=self.first_seen,
            last_seen=self.last_seen,
            appearance_count=self.count,
            position_variance=round(self.spread / self.count, 3),
            label_variants=tuple(self.labels),
        )


@dataclass(slots=True, eq=False)
class _Window:
    """The elements known of one window, also by their hashes."""

    known: list[_Identity] = field(default_factory=list)
    by_hash: dict[str, _Identity] = field(default_factory=dict)


class IdentityTracker:
    """Knows the elements of the windows seen so far. Bounded: what was not seen for longest is forgotten."""

    def __init__(self, most: int = MOST_IDENTITIES) -> None:
        self._most = max(1, most)
        self._windows: OrderedDict[tuple[str, str], _Window] = OrderedDict()
        self._size = 0

    def track(self, elements: Sequence[UIElement], window: WindowContext, moment: datetime) -> tuple[UIElement, ...]:
        """The elements with their life so far.

        One that has another hash now than it was first seen under says which: `metadata["identity"]`.
        """
        place = (fold(window.app_name), normalised_title(window.title))
        known = self._windows.setdefault(place, _Window())
        self._windows.move_to_end(place)
        followed = [index for index, element in enumerate(elements) if _is_followed(element)]
        pairs = _pair({index: elements[index] for index in followed}, known)
        told = list(elements)
        for index in followed:
            element, who = elements[index], pairs.get(index)
            if who is None:
                box, name = Box.of(element.bbox), element.stable_id or element.element_id
                who = _Identity(name, element.type, element.role, box, moment, moment)
                known.known.append(who)
                self._size += 1
            who.meet(element, moment)
            if element.stable_id is not None:
                known.by_hash.setdefault(element.stable_id, who)
            told[index] = _told(element, who)
        self._forget()
        return tuple(told)

    def same(self, first: str, second: str) -> bool:
        """Whether two hashes are of one element, as far as is known."""
        return first == second or any(
            first in window.by_hash and window.by_hash[first] is window.by_hash.get(second)
            for window in self._windows.values()
        )

    def __len__(self) -> int:
        return self._size

    def _forget(self) -> None:
        while self._size > self._most:
            place, window = next(iter(self._windows.items()))
            if len(self._windows) > 1:
                del self._windows[place]
                self._size -= len(window.known)
                continue
            window.known.sort(key=lambda who: who.last_seen)
            del window.known[: self._size - self._most]
            self._size = self._most
            kept = {id(who) for who in window.known}
            window.by_hash = {name: who for name, who in window.by_hash.items() if id(who) in kept}


def _is_followed(element: UIElement) -> bool:
    return element.type not in ("cell", "table_row") and "row" not in element.metadata


def _told(element: UIElement, who: _Identity) -> UIElement:
    trust = element.stability_confidence
    if trust is not None and who.count > 1:
        trust = round(min(0.99, trust + 0.05 * math.log2(who.count)), 4)
    update: dict[str, object] = {"stability_confidence": trust, "stability_tracking": who.tracking()}
    if element.stable_id != who.stable_id:
        update["metadata"] = {**element.metadata, "identity": who.stable_id}
    return element.model_copy(update=update)


def _pair(elements: dict[int, UIElement], window: _Window) -> dict[int, _Identity]:
    """Which element is which identity: the same hash first, then the nearest likeness."""
    pairs: dict[int, _Identity] = {}
    taken: set[int] = set()
    for index, element in elements.items():
        who = window.by_hash.get(element.stable_id or "")
        if who is not None and id(who) not in taken:
            pairs[index] = who
            taken.add(id(who))
    rest = [index for index in elements if index not in pairs]
    if not rest:
        return pairs
    cells = _by_cell(who for who in window.known if id(who) not in taken)
    likeness = [(cost, index, who) for index in rest for cost, who in _candidates(elements[index], cells)]
    for _, index, who in sorted(likeness, key=lambda each: (each[0], each[1], each[2].stable_id)):
        if index not in pairs and id(who) not in taken:
            pairs[index] = who
            taken.add(id(who))
    return pairs


def _by_cell(identities: Iterable[_Identity]) -> dict[tuple[int, int], list[_Identity]]:
    cells: dict[tuple[int, int], list[_Identity]] = {}
    for who in identities:
        x, y = who.box.center
        cells.setdefault((x // NEAR_PX, y // NEAR_PX), []).append(who)
    return cells


def _candidates(
    element: UIElement, cells: dict[tuple[int, int], list[_Identity]]
) -> list[tuple[tuple[int, float], _Identity]]:
    x, y = element.center
    box = Box.of(element.bbox)
    label = fold(element.label)
    found = []
    for column in range(x // NEAR_PX - 1, x // NEAR_PX + 2):
        for row in range(y // NEAR_PX - 1, y // NEAR_PX + 2):
            for who in cells.get((column, row), ()):
                if who.kind != element.type or who.role != element.role:
                    continue
                away = math.dist(who.box.center, (x, y))
                words = any(_alike(label, fold(known)) for known in who.labels) if who.labels else not label
                if words and away <= NEAR_PX and (label or box.overlap(who.box) >= STAYED):
                    found.append(((0, away), who))
                elif box.overlap(who.box) >= STAYED and _may_rename(element):
                    found.append(((1, away), who))
    return found


def _alike(first: str, second: str) -> bool:
    return first == second or (min(len(first), len(second)) >= 4 and fuzz.ratio(first, second) >= SAID_ALIKE)


def _may_rename(element: UIElement) -> bool:
    """A button may say something else tomorrow; another cell at the same place is another value."""
    return element.type not in ("cell", "table_row", "label", "link", "list_item")
