"""Connected parts of a mask with their boxes, over the whole picture or tile by tile.

Parts that were labelled tile by tile are the same parts: labels that meet at the edge of two tiles are one. They are
numbered by their boxes, not by the order in which they were found, so both ways give the same numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

Labels = NDArray[np.integer]
Numbers = NDArray[np.int32]
Stats = NDArray[np.int32]
"""One row a component: x, y, width, height, area; row 0 is what the mask leaves out."""


def components(mask: Pixels, *, connectivity: int = 8) -> tuple[Labels, Stats]:
    """Label the parts of a 0/1 mask. Small labels where they suffice: they halve the time."""
    try:
        _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=connectivity, ltype=cv2.CV_16U)
    except cv2.error:  # a noisy picture has more parts than 16 bits can count
        _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=connectivity, ltype=cv2.CV_32S)
    return cast(Labels, labels), cast(Stats, stats)


class TiledLabels:
    """Labels of a mask, tile by tile; every tile counts its parts from 1."""

    def __init__(self, mask: Pixels, connectivity: int, tile: tuple[int, int] | None = None) -> None:
        height, width = int(mask.shape[0]), int(mask.shape[1])
        self.connectivity = connectivity
        self.tile_width, self.tile_height = tile or (width, height)
        self.columns = -(-width // self.tile_width)
        self.rows = -(-height // self.tile_height)
        self.stats: list[Stats] = []
        if self.columns == self.rows == 1:
            self.labels, stats = components(mask, connectivity=connectivity)
            self.stats.append(stats)
            return
        self.labels = np.zeros((height, width), np.uint16)
        self.stats = [np.zeros((1, 5), np.int32)] * (self.rows * self.columns)
        for row in range(self.rows):
            for column in range(self.columns):
                self.label(mask, row, column)

    def label(self, mask: Pixels, row: int, column: int) -> None:
        """Label one tile again."""
        x, y = column * self.tile_width, row * self.tile_height
        part = np.ascontiguousarray(mask[y : y + self.tile_height, x : x + self.tile_width])
        labels, stats = components(part, connectivity=self.connectivity)
        self.labels[y : y + self.tile_height, x : x + self.tile_width] = labels
        moved = stats.copy()
        moved[:, 0] += x
        moved[:, 1] += y
        self.stats[row * self.columns + column] = moved


@dataclass(frozen=True, slots=True)
class Parts:
    """The connected parts of a mask, and which is where. Good until the labels it was made of are changed."""

    stats: Stats
    _tiles: TiledLabels
    _numbers: Numbers
    """The number of every label, tile after tile."""
    _starts: Numbers
    """Where in these the labels of each tile begin, less the one that 0 is not counted."""

    def at(self, box: Box) -> Labels:
        """The number of the part at every pixel of a box inside the picture; 0 where there is none."""
        tiles = self._tiles
        top, bottom = box.y1 // tiles.tile_height, (box.y2 - 1) // tiles.tile_height
        left, right = box.x1 // tiles.tile_width, (box.x2 - 1) // tiles.tile_width
        labels = tiles.labels[box.y1 : box.y2, box.x1 : box.x2].astype(np.int32)
        if (top, left) == (bottom, right):
            start = self._starts[top * tiles.columns + left]
        else:
            across = np.arange(box.x1, box.x2) // tiles.tile_width
            down = np.arange(box.y1, box.y2) // tiles.tile_height
            start = self._starts[down[:, None] * tiles.columns + across]
        return self._numbers[np.where(labels > 0, labels + start, 0)]


def joined_parts(tiles: TiledLabels) -> Parts:
    """Put the parts of the tiles together."""
    counts = np.array([len(stats) - 1 for stats in tiles.stats], np.int32)
    starts = (np.cumsum(counts) - counts).astype(np.int32)
    table = np.concatenate([stats[1:] for stats in tiles.stats])
    stats, order = _joined(table, _roots(len(table), _meetings(tiles, starts)))
    height, width = tiles.labels.shape
    rest = np.array([[0, 0, width, height, width * height - int(stats[:, 4].sum())]], np.int32)
    return Parts(np.concatenate((rest, stats)), tiles, np.concatenate(([0], order)).astype(np.int32), starts)


def _joined(table: Stats, root: Numbers) -> tuple[Stats, Numbers]:
    """One row for all with the same root, in the order of their boxes; and for each, which row that is, from 1."""
    if not len(table):
        return np.zeros((0, 5), np.int32), np.zeros(0, np.int32)
    roots, member = np.unique(root, return_inverse=True)
    if len(roots) == len(table):
        merged = table[roots]
    else:
        corners = np.stack((table[:, 0], table[:, 1], table[:, 0] + table[:, 2], table[:, 1] + table[:, 3]))
        merged = np.zeros((len(roots), 5), np.int32)
        low = np.full((2, len(roots)), np.iinfo(np.int32).max, np.int32)
        high = np.zeros((2, len(roots)), np.int32)
        for axis in (0, 1):
            np.minimum.at(low[axis], member, corners[axis])
            np.maximum.at(high[axis], member, corners[axis + 2])
        merged[:, 0:2], merged[:, 2:4] = low.T, (high - low).T
        merged[:, 4] = np.bincount(member, weights=table[:, 4], minlength=len(roots)).astype(np.int32)
    y, x, w, h = (merged[:, axis].astype(np.int64) for axis in (1, 0, 2, 3))
    order = np.lexsort((merged[:, 4], (y << 48) | (x << 32) | (w << 16) | h))
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(1, len(order) + 1, dtype=np.int32)
    return merged[order], place[member]


def _meetings(tiles: TiledLabels, starts: Numbers) -> Numbers:
    """Pairs of labels (counted through all tiles, from 0) that touch across an edge."""
    height, width = tiles.labels.shape
    down, across = np.arange(height) // tiles.tile_height, np.arange(width) // tiles.tile_width
    rows, columns = np.arange(1, tiles.rows) * tiles.tile_height, np.arange(1, tiles.columns) * tiles.tile_width

    def lines(labels: Labels, tile_of: NDArray[np.integer]) -> Numbers:
        """Rows or columns of the picture, counted through all tiles; −1 where nothing is, and after each of them."""
        counted = np.full((labels.shape[0], labels.shape[1] + 1), -1, np.int32)
        np.copyto(counted[:, :-1], labels + (starts[tile_of] - 1), where=labels > 0, casting="unsafe")
        return counted.ravel()

    pairs = []
    if rows.size:
        above, below = (lines(tiles.labels[y], (down[y] * tiles.columns)[:, None] + across) for y in (rows - 1, rows))
        pairs += _touching(above, below, tiles.connectivity)
    if columns.size:
        left, right = (
            lines(tiles.labels[:, x].T, across[x][:, None] + down * tiles.columns) for x in (columns - 1, columns)
        )
        pairs += _touching(left, right, tiles.connectivity)
    return np.concatenate(pairs, axis=1) if pairs else np.zeros((2, 0), np.int32)


def _touching(one: Numbers, two: Numbers, connectivity: int) -> list[Numbers]:
    """Labels of two lines, or of many such pairs one after the other, that lie beside each other."""
    found = []
    shifts = ((one, two),) if connectivity == 4 else ((one, two), (one[:-1], two[1:]), (one[1:], two[:-1]))
    for first, second in shifts:
        both = np.flatnonzero((first >= 0) & (second >= 0))
        if both.size:
            a, b = first[both], second[both]
            new = np.flatnonzero((np.diff(a) != 0) | (np.diff(b) != 0)) + 1  # neighbours mostly say the same
            kept = np.concatenate(([0], new))
            found.append(np.stack((a[kept], b[kept])))
    return found


def _roots(total: int, pairs: Numbers) -> Numbers:
    """For each label the least of all it is connected to."""
    root = np.arange(total, dtype=np.int32)
    while True:
        low, high = np.minimum(root[pairs[0]], root[pairs[1]]), np.maximum(root[pairs[0]], root[pairs[1]])
        apart = low != high
        if not apart.any():
            return root
        np.minimum.at(root, high[apart], low[apart])
        while (shorter := root[root]).tobytes() != root.tobytes():
            root = shorter
