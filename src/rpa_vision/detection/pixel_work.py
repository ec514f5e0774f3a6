"""Work on the pixels of a screen that is not done twice: what came of the last picture is kept, tile by tile.

Three kinds of work are shared out so. A filter looks at most so far around a pixel, so only what lies that near to a
change is done again. Connected parts are labelled by tile and joined. What depends on a small crop alone is kept by
its place while nothing changes there, and by the crop itself where it moved. None of the three is an approximation: a
screen that was followed and the same screen seen for the first time give the same, to the last pixel.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Protocol, TypeVar, cast

import numpy as np

from rpa_vision.detection.components import Parts, TiledLabels, joined_parts
from rpa_vision.imaging.changed_tiles import TILE_HEIGHT_PX, TILE_WIDTH_PX, changed_tiles
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import BBox, Box

_MOSTLY = 0.4
"""When more of a picture than this changed, it is filtered as a whole."""


Value = TypeVar("Value")
Also = TypeVar("Also", bound=Hashable)
_UNKNOWN = object()


class PixelWork(Protocol):
    """How work on pixels is done. A stage's name stands for one place in the code, always with the same function."""

    def filtered(self, stage: str, source: Pixels, reach: tuple[int, int], do: Callable[[Pixels], Pixels]) -> Pixels:
        """`do(source)`, where a pixel of the result depends on pixels at most `reach` (across, down) away.

        The caller may write into the result: it is its own. Between two pictures the source is not written into.
        """

    def parts(self, stage: str, mask: Pixels, *, connectivity: int = 8) -> Parts:
        """The connected parts of a 0/1 mask."""

    def of_crop(self, stage: str, crop: Pixels, also: Hashable, do: Callable[[], Value]) -> Value:
        """`do()`, which depends on nothing but the pixels of the crop and on `also`."""

    def of_place(self, stage: str, picture: Pixels, box: Box, also: Hashable, do: Callable[[Pixels], Value]) -> Value:
        """`do(crop)` for what the picture shows in a box (inside of it), which depends on nothing else but `also`."""

    def of_places(
        self,
        stage: str,
        picture: Pixels,
        boxes: Sequence[Box],
        also: Sequence[Also],
        do: Callable[[Also, Pixels], Value],
    ) -> list[Value]:
        """The same for many boxes of a picture at once: `do(also, crop)` for each."""

    def made(self, stage: str, key: Hashable, do: Callable[[], Value]) -> Value:
        """`do()`, which depends on nothing but the key."""

    def in_box(self, stages: str | tuple[str, ...], box: Box, do: Callable[[], Value]) -> Value:
        """`do()`, which depends on nothing but what these stages (filters' sources, or masks) were given inside the
        box. Their names stand for one place in the code, too."""

    def once(self, stage: str, source: Pixels, do: Callable[[Pixels], Value]) -> Value:
        """`do(source)`; asked again for the same array while one picture is looked at, what it gave."""


class PlainWork:
    """Does all work when it is asked for, and keeps nothing."""

    def filtered(self, stage: str, source: Pixels, reach: tuple[int, int], do: Callable[[Pixels], Pixels]) -> Pixels:
        del stage, reach
        return do(source)

    def parts(self, stage: str, mask: Pixels, *, connectivity: int = 8) -> Parts:
        del stage
        return joined_parts(TiledLabels(mask, connectivity))

    def of_crop(self, stage: str, crop: Pixels, also: Hashable, do: Callable[[], Value]) -> Value:
        del stage, crop, also
        return do()

    def of_place(self, stage: str, picture: Pixels, box: Box, also: Hashable, do: Callable[[Pixels], Value]) -> Value:
        del stage, also
        return do(_cut(picture, box))

    def of_places(
        self,
        stage: str,
        picture: Pixels,
        boxes: Sequence[Box],
        also: Sequence[Also],
        do: Callable[[Also, Pixels], Value],
    ) -> list[Value]:
        del stage
        return [do(about, _cut(picture, box)) for box, about in zip(boxes, also, strict=True)]

    def made(self, stage: str, key: Hashable, do: Callable[[], Value]) -> Value:
        del stage, key
        return do()

    def in_box(self, stages: str | tuple[str, ...], box: Box, do: Callable[[], Value]) -> Value:
        del stages, box
        return do()

    def once(self, stage: str, source: Pixels, do: Callable[[Pixels], Value]) -> Value:
        del stage
        return do(source)


class KeptWork:
    """Keeps what came of the last picture. One for each screen that is followed; not for several threads."""

    def __init__(self) -> None:
        self._pictures = 0
        self._picture: Pixels | None = None
        """The one that is looked at now, as it was given."""
        self._seen: Pixels | None = None
        """A copy of it, to compare the next one with."""
        self._touched: list[Box] | None = None
        """Where it differs from the one before; None where all is new."""
        self._touched_sides: list[BBox] = []
        """The same, for those who ask a thousand times."""
        self._filters: dict[str, _Filtered] = {}
        self._done: dict[str, Pixels] = {}
        self._once: dict[str, tuple[Pixels, object]] = {}
        self._changed: dict[str, list[BBox]] = {}
        """What changed since the picture before in what each stage was given; nothing is said where all is new."""
        self._masks: dict[str, _TiledMask] = {}
        self._now: dict[Hashable, object] = {}
        self._before: dict[Hashable, object] = {}
        self._places: dict[str, dict[Hashable, tuple[object, Hashable]]] = {}
        """By stage: what each place gave, and its look."""
        self._places_before: dict[str, dict[Hashable, tuple[object, Hashable]]] = {}
        self._looks: dict[str, dict[Hashable, object]] = {}

    def begin(self, picture: Pixels | None = None) -> None:
        """Another picture comes: what was not asked for during the last one is forgotten."""
        self._before, self._now = self._now, {}
        self._places_before, self._places = self._places, {}
        self._looks.clear()
        self._done.clear()
        self._once.clear()
        self._changed.clear()
        self._pictures += 1
        self._take(picture)

    def is_untouched(self, box: Box) -> bool:
        """Whether the picture is known to show in a box what the one before showed there."""
        return self._touched is not None and not _touches(self._touched_sides, box)

    def filtered(self, stage: str, source: Pixels, reach: tuple[int, int], do: Callable[[Pixels], Pixels]) -> Pixels:
        kept = self._filters.get(stage)
        if self._done.get(stage) is source and kept is not None:
            return kept.result.copy()
        changed = self._changes(kept, source)
        if kept is None or changed is None:
            kept = self._filters[stage] = _Filtered(do(source), None)
        else:
            _refresh(kept.result, source, changed, reach, do)
            self._changed[stage] = self._changed.get(stage, []) + _sides(changed)
        kept.keep(source, changed, is_picture=source is self._picture)
        kept.of_picture = self._pictures
        self._done[stage] = source
        return kept.result.copy()

    def parts(self, stage: str, mask: Pixels, *, connectivity: int = 8) -> Parts:
        kept = self._masks.get(stage)
        if kept is None or kept.mask.shape != mask.shape or kept.connectivity != connectivity:
            kept = self._masks[stage] = _TiledMask(mask.copy(), connectivity)
        else:
            # Labelled twice while one picture is looked at, what changed is what changed either time.
            self._changed[stage] = self._changed.get(stage, []) + _sides(kept.take(mask))
        return kept.parts()

    def of_crop(self, stage: str, crop: Pixels, also: Hashable, do: Callable[[], Value]) -> Value:
        return self.made(stage, (crop.shape, crop.tobytes(), also), do)

    def of_place(self, stage: str, picture: Pixels, box: Box, also: Hashable, do: Callable[[Pixels], Value]) -> Value:
        return self.of_places(stage, picture, [box], [also], lambda _, crop: do(crop))[0]

    def of_places(
        self,
        stage: str,
        picture: Pixels,
        boxes: Sequence[Box],
        also: Sequence[Also],
        do: Callable[[Also, Pixels], Value],
    ) -> list[Value]:
        if picture is not self._picture:
            crops = [_cut(picture, box) for box in boxes]
            return [
                self.of_crop(stage, crop, about, partial(do, about, crop))
                for crop, about in zip(crops, also, strict=True)
            ]
        now, before = self._places.setdefault(stage, {}), self._places_before.get(stage, {})
        all_new, touched = self._touched is None, self._touched_sides
        values = []
        for box, about in zip(boxes, also, strict=True):
            place = (box.x1, box.y1, box.x2, box.y2, about)
            kept = before.get(place)
            if kept is None or all_new or _touches(touched, box):
                kept = now.get(place) or self._looked_at(stage, _cut(picture, box), about, do)
            now[place] = kept
            values.append(cast(Value, kept[0]))
        return values

    def made(self, stage: str, key: Hashable, do: Callable[[], Value]) -> Value:
        return self._recalled((stage, key), do)

    def in_box(self, stages: str | tuple[str, ...], box: Box, do: Callable[[], Value]) -> Value:
        key = (stages, box.x1, box.y1, box.x2, box.y2)
        value = self._before.get(key, _UNKNOWN)
        if value is _UNKNOWN or not self._is_as_it_was(stages, box):
            value = do()
        self._now[key] = value if key not in self._now else _UNKNOWN  # asked of one box twice, it is not told apart
        return cast(Value, value)

    def once(self, stage: str, source: Pixels, do: Callable[[Pixels], Value]) -> Value:
        kept = self._once.get(stage)
        if kept is None or kept[0] is not source:
            self._once[stage] = kept = (source, do(source))
        return cast(Value, kept[1])

    def _looked_at(
        self, stage: str, crop: Pixels, about: Also, do: Callable[[Also, Pixels], Value]
    ) -> tuple[object, Hashable]:
        """What a crop gives, and its look: where it only moved, it is known by that."""
        looks = self._looks.get(stage)
        if looks is None:
            kept = self._places_before.get(stage, {}).values()
            looks = self._looks[stage] = {look: value for value, look in kept}
        look = (crop.shape, crop.tobytes(), about)
        value = looks.get(look, _UNKNOWN)
        if value is _UNKNOWN:
            value = looks[look] = do(about, crop)
        return value, look

    def _is_as_it_was(self, stages: str | tuple[str, ...], box: Box) -> bool:
        """Whether these stages are known to have been given in a box what they were given for the picture before."""
        for stage in (stages,) if isinstance(stages, str) else stages:
            changed = self._changed.get(stage)
            if changed is None or _touches(changed, box):
                return False
        return True

    def _take(self, picture: Pixels | None) -> None:
        """Compare the picture with the one before."""
        self._picture, self._touched = picture, None
        if picture is None or self._seen is None or self._seen.shape != picture.shape:
            self._seen = None if picture is None else picture.copy()
            return
        self._touched = changed_tiles(self._seen, picture)
        self._touched_sides = _sides(self._touched)
        _copy_parts(picture, self._seen, self._touched)

    def _changes(self, kept: _Filtered | None, source: Pixels) -> list[Box] | None:
        """What changed in the source of a filter since it was filtered; None where that is not known."""
        if kept is None or kept.result.shape[:2] != source.shape[:2]:
            return None
        if kept.source is not None:
            return changed_tiles(kept.source, source) if kept.source.shape == source.shape else None
        follows = source is self._picture and kept.of_picture == self._pictures - 1
        return self._touched if follows else None

    def _recalled(self, key: Hashable, do: Callable[[], Value]) -> Value:
        value = self._before.get(key, _UNKNOWN)
        if value is _UNKNOWN:
            value = self._now.get(key, _UNKNOWN)
            if value is _UNKNOWN:
                value = do()
        self._now[key] = value
        return cast(Value, value)


class _Filtered:
    """What came of a filter, and of what: a copy of its source, or of the picture with that number."""

    def __init__(self, result: Pixels, source: Pixels | None) -> None:
        self.result = result
        self.source = source
        self.of_picture = 0

    def keep(self, source: Pixels, changed: list[Box] | None, *, is_picture: bool) -> None:
        """Remember what was filtered last."""
        if is_picture:
            self.source = None  # which picture came before is known
        elif self.source is None or changed is None:
            self.source = source.copy()
        else:
            _copy_parts(source, self.source, changed)


def _cut(picture: Pixels, box: Box) -> Pixels:
    return picture[box.y1 : box.y2, box.x1 : box.x2]


def _sides(boxes: list[Box]) -> list[BBox]:
    return [box.bbox for box in boxes]


def _touches(changed: list[BBox], box: Box) -> bool:
    """Whether anything changed in a box."""
    x1, y1, x2, y2 = box.x1, box.y1, box.x2, box.y2
    for left, top, right, bottom in changed:  # noqa: SIM110 - asked a thousand times for every picture
        if left < x2 and x1 < right and top < y2 and y1 < bottom:
            return True
    return False


def _copy_parts(source: Pixels, target: Pixels, boxes: list[Box]) -> None:
    for box in boxes:
        target[box.y1 : box.y2, box.x1 : box.x2] = source[box.y1 : box.y2, box.x1 : box.x2]


def _refresh(
    result: Pixels, source: Pixels, changed: list[Box], reach: tuple[int, int], do: Callable[[Pixels], Pixels]
) -> None:
    """Bring what came of the last source up to date."""
    if sum(box.area for box in changed) > _MOSTLY * source.shape[0] * source.shape[1]:
        result[...] = do(source)
    else:
        for box in changed:
            _redo(source, result, box, reach, do)


def _redo(source: Pixels, result: Pixels, changed: Box, reach: tuple[int, int], do: Callable[[Pixels], Pixels]) -> None:
    """Filter again what lies within reach of a change, seeing all that lies within reach of that."""
    height, width = int(source.shape[0]), int(source.shape[1])
    touched, seen = (changed.padded(n * reach[0], n * reach[1]).clamped(width, height) for n in (1, 2))
    if touched is None or seen is None:
        return
    part = do(np.ascontiguousarray(source[seen.y1 : seen.y2, seen.x1 : seen.x2]))
    own = touched.moved(-seen.x1, -seen.y1)
    result[touched.y1 : touched.y2, touched.x1 : touched.x2] = part[own.y1 : own.y2, own.x1 : own.x2]


class _TiledMask:
    """A mask and the parts of its tiles."""

    def __init__(self, mask: Pixels, connectivity: int) -> None:
        self.mask = mask
        self.connectivity = connectivity
        self._labels = TiledLabels(mask, connectivity, (TILE_WIDTH_PX, TILE_HEIGHT_PX))
        self._parts: Parts | None = None

    def take(self, mask: Pixels) -> list[Box]:
        """The mask is another now: label the tiles that changed, and say what did."""
        changed = changed_tiles(self.mask, mask)
        _copy_parts(mask, self.mask, changed)
        for row, column in {(box.y1 // TILE_HEIGHT_PX, box.x1 // TILE_WIDTH_PX) for box in changed}:
            self._labels.label(self.mask, row, column)
        if changed:
            self._parts = None
        return changed

    def parts(self) -> Parts:
        if self._parts is None:
            self._parts = joined_parts(self._labels)
        return self._parts
