"""Everything on a screen that might be something to act on, and what can be said of each before it has a name.

Boxes of the picture, lines of text, what a finder proposed and what the rules made of them are all candidates. Of each
the same questions are asked, in units of the usual size of type: how large, where, which box lies there, what is
written in it and beside it, how many others are like it, what the finder and the rules take it for; and three small
pictures are cut: the whole of it, its left end and its right end. A judge decides by these alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rpa_vision.detection.box_arrays import Boxes, array_of, inside, overlaps
from rpa_vision.detection.candidate_looks import LOOK_SHAPE, Looks, looks_of
from rpa_vision.detection.candidate_words import WORD_FACTS, Facts, word_facts
from rpa_vision.detection.regions import Region
from rpa_vision.detection.scene import Draft, Scene
from rpa_vision.imaging.colour import chroma, distance, luminance
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import ElementType
from rpa_vision.ports.perception import FoundElement

KINDS: tuple[ElementType, ...] = (
    "button", "link", "text_input", "textarea", "checkbox", "radio", "toggle", "dropdown", "tab", "menu_item",
    "list_item", "slider",
)  # fmt: skip
"""What a candidate may be; a password field is a text field whose words are hidden."""
DRAFTED: tuple[ElementType, ...] = (*KINDS, "label", "icon")
MOST = 900
_TOO_HIGH, _TOO_LARGE, _LEAST_PX = 14, 0.5, 5
_SAME = 0.82
"""Boxes that share this much are one candidate."""
_SAME_PLACE = 0.5
"""A candidate and a find that share more than this are of one thing."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Places, facts and looks, row by row."""

    boxes: Boxes
    facts: Facts
    looks: Looks

    def __len__(self) -> int:
        return len(self.boxes)

    @property
    def seen(self) -> NDArray[np.float32]:
        """How sure the finder is of something in the very place; 0 where it saw nothing there."""
        share, sure = self.facts[:, _SIZE], self.facts[:, _SIZE + 1]
        return np.where(share > _SAME_PLACE, sure, np.float32(0))


def gather(scene: Scene, drafts: Sequence[Draft], found: Sequence[FoundElement]) -> Candidates:
    """All candidates of a screen, in one fixed order."""
    drafted = [draft for draft in drafts if draft.kind in DRAFTED]
    proposed = [each for each in found if each.kind in KINDS]
    boxes = _places(scene, drafted, proposed)
    if not len(boxes):
        return Candidates(boxes, np.zeros((0, fact_count()), np.float32), np.zeros((0, *LOOK_SHAPE), np.float32))
    own, looks = _prepared(scene).of(scene, boxes)
    facts = np.concatenate(
        [
            own[:, :_SIZE],
            _of_finder(boxes, proposed),
            _of_rules(boxes, drafted),
            own[:, _SIZE:],
            _of_likes(scene, boxes),
        ],
        axis=1,
    )
    return Candidates(boxes, facts.astype(np.float32), looks)


def prepare(scene: Scene, drafts: Sequence[Draft], likely: Sequence[FoundElement] = ()) -> None:
    """Look, before a finder has spoken, at what will be candidates whatever it says, and at what it is likely to say;
    `gather` finds that done."""
    places = [array_of(draft.box for draft in drafts if draft.kind in DRAFTED), _proposed(scene, likely)]
    places.append(_lines(scene).candidates)
    if len(scene.regions) <= MOST:
        places.append(_handy_regions(scene).candidates)
    _prepared(scene, _each_once(np.concatenate(places)))


class _Prepared:
    """What can be told of places whatever else is a candidate, and their looks."""

    def __init__(self, scene: Scene, boxes: Boxes) -> None:
        self._rows = {tuple(box): row for row, box in enumerate(boxes.tolist())}
        self._facts, self._looks = _own_facts(scene, boxes), looks_of(scene, boxes)

    def of(self, scene: Scene, boxes: Boxes) -> tuple[Facts, Looks]:
        """Facts and looks of other boxes; only those are looked at that are not among the prepared ones."""
        rows = np.array([self._rows.get(tuple(box), -1) for box in boxes.tolist()], np.intp)
        known, new = np.flatnonzero(rows >= 0), np.flatnonzero(rows < 0)
        facts = np.empty((len(boxes), self._facts.shape[1]), np.float32)
        looks = np.empty((len(boxes), *LOOK_SHAPE), np.float32)
        facts[known], looks[known] = self._facts[rows[known]], self._looks[rows[known]]
        if len(new):
            facts[new], looks[new] = _own_facts(scene, boxes[new]), looks_of(scene, boxes[new])
        return facts, looks


def _prepared(scene: Scene, boxes: Boxes | None = None) -> _Prepared:
    """What was prepared for a scene, once for all."""
    return scene.noted("candidates", lambda: _Prepared(scene, np.zeros((0, 4), np.int64) if boxes is None else boxes))


def _own_facts(scene: Scene, boxes: Boxes) -> Facts:
    parts = [_of_size(scene, boxes), _of_regions(scene, boxes), word_facts(scene, boxes), _of_neighbours(scene, boxes)]
    return np.concatenate(parts, axis=1).astype(np.float32)


def fact_count() -> int:
    """How many questions are asked."""
    return _SIZE + _FINDER + _RULES + _REGION + WORD_FACTS + _NEIGHBOURS + _LIKES


def _places(scene: Scene, drafts: Sequence[Draft], found: Sequence[FoundElement]) -> Boxes:
    """Boxes of drafts first, then of the picture, of the finder and of lines; of two alike the first is kept."""
    regions, lines = _handy_regions(scene), _lines(scene)
    proposed = _proposed(scene, found)
    likeliest = _likeliest(regions.all, proposed, lines.all, max(MOST - len(proposed) - len(lines.all), MOST // 4))
    groups = (
        _Places.of(draft.box for draft in drafts).candidates,
        regions.candidates if likeliest is regions.all else _each_once(likeliest),
        _each_once(proposed),
        lines.candidates,
    )
    kept = np.zeros((0, 4), np.int64)
    for group in groups:
        if len(kept) and len(group):
            group = group[overlaps(group, kept).max(axis=1) < _SAME]
        kept = np.concatenate([kept, group])
    return kept


@dataclass(frozen=True, slots=True)
class _Places:
    """Boxes as they come, and those of a size to be candidates, each once."""

    all: Boxes
    candidates: Boxes

    @classmethod
    def of(cls, boxes: Iterable[Box]) -> _Places:
        every = array_of(boxes)
        return cls(every, _each_once(every))


def _proposed(scene: Scene, found: Sequence[FoundElement]) -> Boxes:
    inside = (each.box.clamped(scene.width, scene.height) for each in found if each.kind in KINDS)
    return array_of(box for box in inside if box is not None)


def _handy_regions(scene: Scene) -> _Places:
    handy = (region.box for region in scene.regions if _is_handy(scene, region.box))
    return scene.noted("handy regions", lambda: _Places.of(handy))


def _lines(scene: Scene) -> _Places:
    return scene.noted("places of lines", lambda: _Places.of(line.box for line in scene.lines))


def _each_once(boxes: Boxes) -> Boxes:
    return _sizeable(np.unique(boxes, axis=0))


def _is_handy(scene: Scene, box: Box) -> bool:
    """Not so large that it can only hold others."""
    return box.height <= _TOO_HIGH * scene.unit and box.area <= _TOO_LARGE * scene.width * scene.height


def _sizeable(boxes: Boxes) -> Boxes:
    return boxes[((boxes[:, 2] - boxes[:, 0]) >= _LEAST_PX) & ((boxes[:, 3] - boxes[:, 1]) >= _LEAST_PX)]


def _likeliest(regions: Boxes, proposed: Boxes, lines: Boxes, most: int) -> Boxes:
    """Of very many boxes (a sheet has thousands) first those a finder saw, then those with words, then the smallest."""
    if len(regions) <= most:
        return regions
    seen = overlaps(regions, proposed).max(axis=1, initial=0.0) > 0.3
    middles = (lines[:, :2] + lines[:, 2:]) // 2
    worded = inside(middles[:, 0], middles[:, 1], regions).any(axis=0)
    areas = (regions[:, 2:] - regions[:, :2]).prod(axis=1)
    order = np.lexsort((np.arange(len(regions)), areas, ~worded, ~seen))
    return regions[np.sort(order[:most])]


_SIZE = 10


def _of_size(scene: Scene, boxes: Boxes) -> Facts:
    x1, y1, x2, y2 = boxes.T.astype(np.float32)
    wide, high = x2 - x1, y2 - y1
    columns = [
        np.log(wide / scene.unit), np.log(high / scene.unit), np.log(wide / high), wide / scene.width,
        high / scene.height, x1 / scene.width, x2 / scene.width, y1 / scene.height, y2 / scene.height,
        np.full(len(boxes), scene.unit / 16),
    ]  # fmt: skip
    return np.stack(columns, axis=1)


_FINDER = 4 + 3 + len(KINDS)


def _of_finder(boxes: Boxes, found: Sequence[FoundElement]) -> Facts:
    """What the finder saw there, how sure, how well the boxes agree, and what it took it for."""
    facts = np.zeros((len(boxes), _FINDER), np.float32)
    if not found:
        return facts
    shares = overlaps(boxes, array_of(each.box for each in found))
    sure = np.array([each.confidence for each in found], np.float32)
    best = (shares * (0.5 + 0.5 * sure)).argmax(axis=1)
    rows = np.arange(len(boxes))
    share = shares[rows, best]
    seen = share > 0.3
    names = np.zeros((len(found), len(KINDS)), np.float32)
    states = np.zeros((len(found), 3), np.float32)
    for index, each in enumerate(found):
        for kind, how in each.doubts or ((each.kind, 1.0),):
            if kind in KINDS:
                names[index, KINDS.index(kind)] = how
        on = each.checked if each.checked is not None else each.selected
        states[index] = (on is True, on is False, each.enabled is False)
    facts[:, 0] = np.where(seen, share, 0)
    facts[:, 1] = np.where(seen, sure[best], 0)
    x, y = (boxes[:, 0] + boxes[:, 2]) // 2, (boxes[:, 1] + boxes[:, 3]) // 2
    theirs = array_of(each.box for each in found)
    over = inside(x, y, theirs)
    facts[:, 2] = np.where(over, sure[None], 0).max(axis=1)  # something found that it lies in
    middles = (theirs[:, :2] + theirs[:, 2:]) // 2
    facts[:, 3] = np.minimum(inside(middles[:, 0], middles[:, 1], boxes).T.sum(axis=1), 5) / 5  # found inside it
    facts[:, 4:7] = np.where(seen[:, None], states[best], 0)
    facts[:, 7:] = np.where(seen[:, None], names[best], 0)
    return facts


_RULES = 2 + len(DRAFTED)


def _of_rules(boxes: Boxes, drafts: Sequence[Draft]) -> Facts:
    facts = np.zeros((len(boxes), _RULES), np.float32)
    if not drafts:
        return facts
    shares = overlaps(boxes, array_of(draft.box for draft in drafts))
    best = shares.argmax(axis=1)
    share = shares.max(axis=1)
    names = np.zeros((len(drafts), len(DRAFTED)), np.float32)
    for index, draft in enumerate(drafts):
        names[index, DRAFTED.index(draft.kind)] = draft.confidence
    facts[:, 0] = share
    facts[:, 1] = np.where(share > 0.5, 1, 0)
    facts[:, 2:] = np.where(share[:, None] > 0.5, names[best], 0)
    return facts


_REGION = 20


def _of_regions(scene: Scene, boxes: Boxes) -> Facts:
    """The box of the picture that lies there, what lies in it and what it lies in."""
    facts = np.zeros((len(boxes), _REGION), np.float32)
    regions = scene.regions
    if not regions:
        return facts
    theirs = scene.noted("boxes of regions", lambda: array_of(region.box for region in regions))
    shares = overlaps(boxes, theirs)
    best, share = shares.argmax(axis=1), shares.max(axis=1)
    looks = _region_looks(scene)
    seen = share > 0.6
    facts[:, 0], facts[:, 1] = share, seen
    facts[:, 2:11] = np.where(seen[:, None], looks[best], 0)
    a, b = boxes[:, None].astype(np.int32), theirs[None].astype(np.int32)
    areas = ((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])).astype(np.float64)
    sizes = ((theirs[:, 2] - theirs[:, 0]) * (theirs[:, 3] - theirs[:, 1])).astype(np.float64)
    around = (b[..., 0] <= a[..., 0] + 2) & (b[..., 1] <= a[..., 1] + 2)
    around &= (b[..., 2] >= a[..., 2] - 2) & (b[..., 3] >= a[..., 3] - 2) & (sizes[None] > 1.25 * areas[:, None])
    within = (b[..., 0] >= a[..., 0]) & (b[..., 1] >= a[..., 1]) & (b[..., 2] <= a[..., 2]) & (b[..., 3] <= a[..., 3])
    within &= (sizes[None] < 0.8 * areas[:, None]) & (sizes[None] > scene.unit * scene.unit)
    facts[:, 11] = np.minimum(within.sum(axis=1), 6) / 6
    home = np.where(around, sizes[None], np.inf).argmin(axis=1)
    housed = np.asarray(around.any(axis=1), np.bool_)
    house = theirs[home].astype(np.float32)
    columns = [
        (house[:, 2] - house[:, 0]) / scene.width, (house[:, 3] - house[:, 1]) / scene.height,
        np.minimum((house[:, 3] - house[:, 1]) / scene.unit, 40) / 10, house[:, 1] / scene.height,
        looks[home, 4], looks[home, 7], looks[home, 2], np.minimum(sizes[home] / np.maximum(areas, 1), 50) / 10,
    ]  # fmt: skip
    facts[:, 12:20] = np.where(housed[:, None], np.stack(columns, axis=1), 0)
    return facts


def _region_looks(scene: Scene) -> Facts:
    return scene.noted("region looks", lambda: np.array([_region_look(region) for region in scene.regions], np.float32))


@lru_cache(maxsize=4096)  # most boxes stand where they stood
def _region_look(region: Region) -> tuple[float, ...]:
    return (
        region.squareness, region.is_bordered, region.is_filled, region.is_tinted, chroma(region.fill) / 255,
        distance(region.fill, region.around) / 255, distance(region.border, region.fill) / 255,
        luminance(region.fill), luminance(region.around),
    )  # fmt: skip


_NEIGHBOURS = 6
_FAR, _FAR_PX = 20.0, 1_000_000


def _of_neighbours(scene: Scene, boxes: Boxes) -> Facts:
    """How near words stand at its right, at its left and above it, and how many there are in its row."""
    facts = np.zeros((len(boxes), _NEIGHBOURS), np.float32)
    lines = scene.noted("boxes of words", lambda: array_of(line.box for line in scene.lines if len(line.text) > 1))
    facts[:, :3] = 1.0
    if not len(lines):
        return facts
    # Whole numbers as long as many are compared with many: half the time of fractions, and the same answers.
    x1, y1, x2, y2 = (side[:, None] for side in boxes.T.astype(np.int32))
    left, top, right, bottom = (side[None] for side in lines.T.astype(np.int32))
    level = np.abs((y1 + y2) - (top + bottom)) <= int(1.4 * scene.unit)
    starts = np.abs(left - x1)
    after, before, over = left - x2, x1 - right, y1 - bottom
    gaps = (
        np.where(level & (after >= -4), after, _FAR_PX).min(axis=1),
        np.where(level & (before >= -4), before, _FAR_PX).min(axis=1),
        np.where((starts <= int(1.5 * scene.unit)) & (over >= -5), over, _FAR_PX).min(axis=1),
    )
    for column, gap in enumerate(gaps):
        facts[:, column] = np.clip(gap.astype(np.float32) / scene.unit, -1, _FAR) / _FAR
    facts[:, 3] = np.minimum(level.sum(axis=1), 12) / 12
    facts[:, 4] = np.minimum((starts <= int(0.3 * scene.unit)).sum(axis=1), 20) / 20
    facts[:, 5] = (gaps[1].astype(np.float32) / scene.unit < _FAR).astype(np.float32)
    return facts


_LIKES = 6
_SMALL = 2**14


def _of_likes(scene: Scene, boxes: Boxes) -> Facts:
    """How many candidates are of its size, and stand in its row or in its column."""
    # Numbers as small as they may be: many are compared with many.
    x1, y1, x2, y2 = boxes.T.astype(np.int16 if boxes.max() < _SMALL else np.int32)
    wide, high = x2 - x1, y2 - y1
    near = int(max(2.0, 0.15 * scene.unit))

    def alike(values: NDArray[np.integer]) -> NDArray[np.bool_]:
        return np.asarray(np.abs(values[:, None] - values[None]) <= near, np.bool_)

    as_high, as_wide = alike(high), alike(wide)
    in_row, in_column = alike(y1) & as_high, alike(x1)
    pitch = np.abs(y1[:, None] - y1[None])
    touching = in_column & as_wide & as_high & (np.abs(pitch - high[:, None]) <= near)
    beside = in_row & (np.minimum(np.abs(x1[:, None] - x2[None]), np.abs(x2[:, None] - x1[None])) <= near)
    counts = [
        in_row.sum(axis=1) - 1, (in_row & as_wide).sum(axis=1) - 1, (in_column & as_wide & as_high).sum(axis=1) - 1,
        touching.sum(axis=1), beside.sum(axis=1), (in_column & as_high).sum(axis=1) - 1,
    ]  # fmt: skip
    return np.stack([np.minimum(count, 12) / 12 for count in counts], axis=1).astype(np.float32)
