"""From the truth of a crop to what the net should say in each cell of its maps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detector.kinds import INTERACTIVE
from detector.net import COARSE, CONTAINER, CONTENT, FINE

Array = NDArray[np.float32]
TYPE_INDEX = {name: index for index, name in enumerate(INTERACTIVE)} | {
    "password_input": INTERACTIVE.index("text_input")
}
CONTENT_INDEX = {name: index for index, name in enumerate(CONTENT)}
CONTAINER_INDEX = {name: index for index, name in enumerate(CONTAINER)}
SPREAD, LEAST, MOST = 0.12, 0.45, 3.0
"""How far around its centre an element is told, as a share of its size, in cells at least and at most."""


@dataclass
class Truth:
    """Boxes of one crop: `group` 0 to act on, 1 to read, 2 containers; `kind` within it; states -1 where unknown."""

    boxes: Array
    group: NDArray[np.int64]
    kind: NDArray[np.int64]
    on: Array
    enabled: Array
    ignore: NDArray[np.bool_]


@dataclass
class Maps:
    """Targets of one crop, as arrays of the net's maps."""

    act: Array  # 1 × h × w: heat
    act_kind: NDArray[np.int64]  # h × w
    act_box: Array  # 4 × h × w
    act_weight: Array  # h × w: > 0 where box, kind and states are told
    states: Array  # 2 × h × w, -1 unknown
    read: Array  # kinds × h × w
    read_box: Array
    read_weight: Array
    hold: Array  # kinds × H × W, coarse
    hold_box: Array  # kinds*4 × H × W
    hold_weight: Array  # kinds × H × W
    care: Array  # h × w: 0 where nothing is asked of the heat
    care_coarse: Array


def truth_of(document: dict) -> Truth:
    """All boxes of a screen's truth file."""
    rows: list[tuple] = []
    for element in document["elements"]:
        kind, hidden = element["type"], bool(element.get("covered"))
        state = element["checked"] if element["checked"] is not None else element["selected"]
        on = -1.0 if state is None else float(state)
        enabled = -1.0 if element["enabled"] is None else float(element["enabled"])
        if kind in TYPE_INDEX:
            rows.append((element["box"], 0, TYPE_INDEX[kind], on, enabled, hidden))
        elif kind in CONTENT_INDEX:
            rows.append((element["box"], 1, CONTENT_INDEX[kind], -1, -1, hidden))
        elif kind in CONTAINER_INDEX:
            rows.append((element["box"], 2, CONTAINER_INDEX[kind], -1, -1, hidden))
    rows += [(text["box"], 1, CONTENT_INDEX["text"], -1, -1, False) for text in document["texts"]]
    columns = list(zip(*rows, strict=True)) if rows else [[], [], [], [], [], []]
    return Truth(
        np.array(columns[0], np.float32).reshape(-1, 4), np.array(columns[1], np.int64), np.array(columns[2], np.int64),
        np.array(columns[3], np.float32), np.array(columns[4], np.float32), np.array(columns[5], bool),
    )  # fmt: skip


def maps_of(truth: Truth, width: int, height: int) -> Maps:
    """Draw all boxes, large ones first: where two of one group meet, the smaller is told."""
    h, w, ch, cw = height // FINE, width // FINE, height // COARSE, width // COARSE
    n, k = len(CONTENT), len(CONTAINER)
    fine, coarse = (h, w), (ch, cw)
    maps = Maps(
        act=_filled(0, 1, *fine),
        act_kind=np.zeros(fine, np.int64),
        act_box=_filled(1, 4, *fine),
        act_weight=_filled(0, *fine),
        states=_filled(-1, 2, *fine),
        read=_filled(0, n, *fine),
        read_box=_filled(1, 4, *fine),
        read_weight=_filled(0, *fine),
        hold=_filled(0, k, *coarse),
        hold_box=_filled(1, k * 4, *coarse),
        hold_weight=_filled(0, k, *coarse),
        care=_filled(1, *fine),
        care_coarse=_filled(1, *coarse),
    )
    sizes = (truth.boxes[:, 2] - truth.boxes[:, 0]) * (truth.boxes[:, 3] - truth.boxes[:, 1])
    for index in np.argsort(-sizes):
        box, group, kind = truth.boxes[index], int(truth.group[index]), int(truth.kind[index])
        if truth.ignore[index]:
            x1, y1, x2, y2 = (int(v) for v in box)
            if group == 2:
                maps.care_coarse[y1 // COARSE : y2 // COARSE + 1, x1 // COARSE : x2 // COARSE + 1] = 0
            else:
                maps.care[y1 // FINE : y2 // FINE + 1, x1 // FINE : x2 // FINE + 1] = 0
            continue
        if group == 2:
            rows, columns, heat, sides = _spot(box, COARSE, cw, ch)
            maps.hold[kind, rows, columns] = np.maximum(maps.hold[kind, rows, columns], heat)
            told = heat > 0.3
            maps.hold_weight[kind, rows, columns][told] = heat[told]
            for side in range(4):
                maps.hold_box[kind * 4 + side, rows, columns][told] = sides[side][told]
            continue
        rows, columns, heat, sides = _spot(box, FINE, w, h)
        told = (heat > 0.3) & (np.minimum(np.minimum(sides[0], sides[2]), np.minimum(sides[1], sides[3])) > -6)
        layer = 0 if group == 0 else kind
        heats, boxes, weights = (
            (maps.act, maps.act_box, maps.act_weight) if group == 0 else (maps.read, maps.read_box, maps.read_weight)
        )
        heats[layer, rows, columns] = np.maximum(heats[layer, rows, columns], heat)
        weights[rows, columns][told] = heat[told]
        for side in range(4):
            boxes[side, rows, columns][told] = np.maximum(sides[side][told], 0.5)
        if group == 0:
            maps.act_kind[rows, columns][told] = kind
            maps.states[0, rows, columns][told] = truth.on[index]
            maps.states[1, rows, columns][told] = truth.enabled[index]
            near = heat > 0.3
            maps.care[rows, columns][near] = 1
    return maps


def _filled(value: float, *shape: int) -> Array:
    return np.full(shape, value, np.float32)


def _spot(box: Array, stride: int, width: int, height: int) -> tuple[slice, slice, Array, list[Array]]:
    x1, y1, x2, y2 = (float(v) for v in box)
    sx = min(MOST, max(LEAST, (x2 - x1) / stride * SPREAD))
    sy = min(MOST, max(LEAST, (y2 - y1) / stride * SPREAD))
    ix = min(width - 1, max(0, round((x1 + x2) / 2 / stride - 0.5)))
    iy = min(height - 1, max(0, round((y1 + y2) / 2 / stride - 0.5)))
    rx, ry = int(2.6 * sx + 1), int(2.6 * sy + 1)
    xs = np.arange(max(0, ix - rx), min(width, ix + rx + 1))
    ys = np.arange(max(0, iy - ry), min(height, iy + ry + 1))
    heat = np.exp(-((xs - ix)[None] ** 2) / (2 * sx * sx) - ((ys - iy)[:, None] ** 2) / (2 * sy * sy)).astype(
        np.float32
    )
    px, py = (xs[None] + 0.5) * stride, (ys[:, None] + 0.5) * stride
    shape = heat.shape
    sides = [np.broadcast_to(side, shape).astype(np.float32) for side in (px - x1, py - y1, x2 - px, y2 - py)]
    return slice(int(ys[0]), int(ys[-1]) + 1), slice(int(xs[0]), int(xs[-1]) + 1), heat, sides
