"""One place on two pictures: is what was there still there, and is what stood around it as it was?

The recorded picture around the place is laid over the other one by its outlines and compared tile by tile, so that
colours, light on dark or dark on light, and zoom do not matter, but a word that was added beside it does. What counts
as the same tile goes by how alike the tiles around are: letters drawn at another size are never quite the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from rpa_vision.imaging.outlines import Edges, edges_of
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

AROUND_PX = 48
"""So far around a place what stands there is looked at."""
_SEARCH_PX = 14
_TILE_PX = 12
_SHIFT_PX = 2
_BOX_SHIFT_PX = 4
_INK = 0.02
_NEW_INK = 0.05
_STRONG = 0.25
"""Slopes of at least this share of the strongest ones are ink."""
_LEAST_ALIKE = 0.5
_AS_ALIKE = 0.75
_STRAIGHT = 0.015
_MAX_TILES_A_SIDE = 60
_SMALLEST_PX = 5

_Map = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Tiles:
    """Of the tiles with ink on the recorded picture, how many are the same; and how many have ink only now."""

    same: int
    inked: int
    new: int

    def share(self) -> float:
        """1 where nothing was there to compare."""
        return self.same / self.inked if self.inked else 1.0


@dataclass(frozen=True, slots=True)
class Comparison:
    """What became of a place."""

    box: Box
    """Where it is now."""
    likeness: float
    """Of its outlines as a whole, from 0 to 1."""
    clearness: float
    """How alike the tiles around it are in the middle: 1 for the same pixels, less for other letters or sizes."""
    inside: Tiles
    near: Tiles
    """What touches it: before it, above and below, and two tiles more after it."""
    around: Tiles


@dataclass(frozen=True, slots=True)
class _Tile:
    inside: bool
    near: bool
    then: float
    now: float
    alike: float

    @property
    def inked(self) -> bool:
        return self.then > _INK


def compared(then: Pixels, box: Box, now: Pixels, scale: float, dx: float, dy: float) -> Comparison | None:
    """Compare a recorded place with where x' = scale · x + shift puts it, give or take a few pixels."""
    context = box.padded(AROUND_PX).clamped(int(then.shape[1]), int(then.shape[0]))
    if context is None:
        return None
    straight = 1.0 if abs(scale - 1.0) < _STRAIGHT else scale
    edges = _edges_at(then, context, straight)
    margin = round(_SEARCH_PX * max(1.0, straight))
    left, top = round(scale * context.x1 + dx) - margin, round(scale * context.y1 + dy) - margin
    height, width = edges.shape[:2]
    live = _edges_around(now, Box(left, top, left + width + 2 * margin, top + height + 2 * margin))
    own = Box(
        *(
            round((value - start) * straight)
            for value, start in zip(box.bbox, (context.x1, context.y1) * 2, strict=True)
        )
    )
    if live is None or min(own.width, own.height) < _SMALLEST_PX:
        return None
    _, _, _, (x, y) = cv2.minMaxLoc(_alike(live, edges))
    tiles = _tiles(edges, live, (x, y), own, straight)
    alike = [tile.alike for tile in tiles if not tile.inside and tile.inked and tile.now > _INK]
    clearness = float(np.median(alike)) if alike else 0.0
    least = max(_LEAST_ALIKE, _AS_ALIKE * clearness)
    return Comparison(
        box=own.moved(left + x, top + y),
        likeness=_box_likeness(edges, live, (x, y), own),
        clearness=clearness,
        inside=_counted([tile for tile in tiles if tile.inside], least),
        near=_counted([tile for tile in tiles if tile.near], least),
        around=_counted([tile for tile in tiles if not tile.inside], least),
    )


def _counted(tiles: list[_Tile], least: float) -> Tiles:
    return Tiles(
        same=sum(tile.inked and tile.alike >= least for tile in tiles),
        inked=sum(tile.inked for tile in tiles),
        new=sum(not tile.inked and tile.now > _NEW_INK for tile in tiles),
    )


def _tiles(edges: Edges, live: Edges, at: tuple[int, int], own: Box, scale: float) -> list[_Tile]:
    x0, y0 = at
    height, width = edges.shape[:2]
    ink_then, ink_now = _ink(edges), _ink(live[y0 : y0 + height, x0 : x0 + width])
    side = max(8, round(_TILE_PX * scale), max(height, width) // _MAX_TILES_A_SIDE)
    shift = max(_SHIFT_PX, round(_SHIFT_PX * scale))
    close = Box(own.x1 - 2 * side, own.y1 - side, own.x2 + 3 * side, own.y2 + side)
    found = []
    for y in range(0, height - side // 2, side):
        for x in range(0, width - side // 2, side):
            part = (slice(y, y + side), slice(x, x + side))
            then, now = float(ink_then[part].mean()), float(ink_now[part].mean())
            alike = 0.0
            if then > _INK and now > _INK:
                region = live[
                    max(0, y0 + y - shift) : y0 + y + side + shift, max(0, x0 + x - shift) : x0 + x + side + shift
                ]
                alike = float(_alike(region, edges[part]).max())
            middle = (x + side // 2, y + side // 2)
            inside = own.x1 <= middle[0] <= own.x2 and own.y1 <= middle[1] <= own.y2
            found.append(_Tile(inside, not inside and close.contains(middle), then, now, alike))
    return found


def _box_likeness(edges: Edges, live: Edges, at: tuple[int, int], own: Box) -> float:
    x, y = at
    place = own.moved(x, y).padded(_BOX_SHIFT_PX).clamped(int(live.shape[1]), int(live.shape[0]))
    picture = edges[own.y1 : own.y2, own.x1 : own.x2]
    if place is None or place.width < picture.shape[1] or place.height < picture.shape[0]:
        return 0.0
    return float(_alike(live[place.y1 : place.y2, place.x1 : place.x2], picture).max())


def _alike(part: Edges, picture: Edges) -> _Map:
    if part.shape[0] < picture.shape[0] or part.shape[1] < picture.shape[1]:
        return np.zeros((1, 1), np.float32)
    found = cv2.matchTemplate(np.ascontiguousarray(part), np.ascontiguousarray(picture), cv2.TM_CCOEFF_NORMED)
    return np.asarray(np.abs(np.nan_to_num(found, posinf=0.0, neginf=0.0)), np.float32)


def _ink(edges: Edges) -> NDArray[np.bool_]:
    strength = np.linalg.norm(edges, axis=2)
    return np.asarray(strength > _STRONG * float(np.percentile(strength, 97)) + 1e-6, np.bool_)


def _grey(pixels: Pixels, box: Box) -> NDArray[np.uint8]:
    part = np.ascontiguousarray(pixels[box.y1 : box.y2, box.x1 : box.x2, :3])
    return np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8)


def _edges_at(pixels: Pixels, box: Box, scale: float) -> Edges:
    grey = _grey(pixels, box)
    size = (max(8, round(grey.shape[1] * scale)), max(8, round(grey.shape[0] * scale)))
    return edges_of(cv2.resize(grey, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR))


def _edges_around(pixels: Pixels, wanted: Box) -> Edges | None:
    """The edges of a part of the screen; beyond its edge nothing is drawn."""
    part = wanted.clamped(int(pixels.shape[1]), int(pixels.shape[0]))
    if part is None or min(part.width, part.height) < 2 * _SMALLEST_PX:
        return None
    rim = (part.y1 - wanted.y1, wanted.y2 - part.y2, part.x1 - wanted.x1, wanted.x2 - part.x2)
    return edges_of(cv2.copyMakeBorder(_grey(pixels, part), *rim, cv2.BORDER_REPLICATE))
