"""What the numbers of a detector mean: the layouts in which YOLO and DETR models answer.

| layout | outputs | made by |
|---|---|---|
| `yolo_v8` | [1, 4 + C, N]: centre, size, a score per class | YOLO v8, v9, 11, 12 |
| `yolo_v5` | [1, N, 5 + C]: centre, size, objectness, a score per class | YOLO v5, v6, v7, X |
| `end_to_end` | [1, N, 6]: corners, score, class | YOLO v10, 26; exports with NMS inside |
| `detr` | boxes [1, Q, 4] and logits [1, Q, C or C + 1] | DETR, RT-DETR (Transformers), RF-DETR |
| `detr_scored` | [1, Q, 4 + C]: centre, size in fractions, a score per class | RT-DETR (Ultralytics) |
| `detr_labelled` | labels [1, Q], boxes [1, Q, 4], scores [1, Q] | RT-DETR, D-FINE, DEIM with their post-processing |

Where the shapes leave two readings open, the sheet must say; a guess would turn scores into coordinates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rpa_vision.adapters.perception.detector_sheet import DetectorSheet, Layout
from rpa_vision.errors import PluginError

Numbers = NDArray[np.float64]
Shapes = Mapping[str, tuple[int, ...]]
"""Names of outputs and their shapes."""
MAX_CANDIDATES: Final = 3000
STRETCHED: Final = frozenset({"detr", "detr_scored", "detr_labelled"})
"""Layouts whose models are trained on pictures stretched to their input, not padded."""
WITHOUT_NMS: Final = frozenset({"end_to_end", "detr", "detr_scored", "detr_labelled"})
_REMEDY: Final = "Say what the model is with `layout` in its sheet; docs/plugins.md has the list."


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Boxes as corners in pixels of the model's input, each with its score and class, the surest first."""

    boxes: Numbers
    scores: Numbers
    classes: NDArray[np.int64]


def layout_of(shapes: Shapes, classes: int, sheet: DetectorSheet, where: str) -> Layout:
    """The layout in which a model answers, by the sheet or by shapes that allow one reading only."""
    fitting = [name for name, fits in _FITS.items() if fits(shapes, classes)]
    shown = ", ".join(f"{name} {list(shape)}" for name, shape in shapes.items())
    if sheet.layout is not None:
        if sheet.layout not in fitting:
            raise PluginError(
                f"{where}: with {classes} classes the outputs {shown} are not of the layout {sheet.layout!r}",
                remedy=f"Check the number of names in the sheet. {_REMEDY}",
            )
        return sheet.layout
    if len(fitting) != 1:
        why = f"could be {' or '.join(fitting)}" if fitting else "are of no layout that is known"
        raise PluginError(f"{where}: with {classes} classes the outputs {shown} {why}", remedy=_REMEDY)
    return fitting[0]


def decode(
    outputs: Mapping[str, NDArray[Any]],
    layout: Layout,
    sheet: DetectorSheet,
    classes: int,
    size: tuple[int, int],
    where: str,
) -> Candidates:
    """Candidates that are sure enough; numbers that are none are left out."""
    wide = {name: np.asarray(value, np.float64)[0] for name, value in outputs.items()}
    arrays = list(wide.values())
    if layout == "yolo_v8":
        boxes, scores, kinds = _scored(arrays[0].T[:, :4], arrays[0].T[:, 4:], sheet, "plain")
    elif layout == "yolo_v5":
        boxes, scores, kinds = _scored(arrays[0][:, :4], arrays[0][:, 5:], sheet, "plain")
        scores = scores * arrays[0][:, 4]
    elif layout == "end_to_end":
        boxes, scores, kinds = arrays[0][:, :4], arrays[0][:, 4], arrays[0][:, 5]
    elif layout == "detr_scored":
        boxes, scores, kinds = _scored(arrays[0][:, :4], arrays[0][:, 4:], sheet, "plain")
    elif layout == "detr":
        box_name = _box_output({name: value.shape for name, value in wide.items()})
        (logits,) = (value for name, value in wide.items() if name != box_name)
        _check_scores_are_told(sheet, logits.shape[1], classes, where)
        boxes, scores, kinds = _scored(wide[box_name], logits, sheet, "sigmoid", classes)
    else:
        boxes, scores, kinds = _labelled(wide)
    are_centres = layout not in ("end_to_end", "detr_labelled")
    in_fractions = sheet.boxes == "fractions" if sheet.boxes else layout in ("detr", "detr_scored")
    boxes = boxes * np.array([*size, *size], np.float64) if in_fractions else boxes
    corners = (
        np.concatenate([boxes[:, :2] - boxes[:, 2:] / 2, boxes[:, :2] + boxes[:, 2:] / 2], 1) if are_centres else boxes
    )
    good = np.isfinite(corners).all(1) & np.isfinite(scores) & np.isfinite(kinds) & (scores >= sheet.min_confidence)
    corners, scores, kinds = corners[good], np.clip(scores[good], 0.0, 1.0), kinds[good]
    if len(kinds) and not (kinds.min() >= 0 and kinds.max() < classes and (kinds == np.rint(kinds)).all()):
        wrong = next(kind for kind in kinds if not (0 <= kind < classes and kind == round(kind)))
        raise PluginError(
            f"{where}: the model answered with class {wrong:g}, but {classes} are named",
            remedy="Name every class in the sheet, in the order of their numbers.",
        )
    order = np.lexsort((*corners.T[::-1], kinds, -scores))[:MAX_CANDIDATES]
    return Candidates(corners[order], scores[order], kinds[order].astype(np.int64))


def suppress(found: Candidates, groups: Sequence[str | None], max_overlap: float) -> list[int]:
    """Which candidates stay when, within a group, one that covers a surer one too much goes."""
    boxes, kept = found.boxes, list[int]()
    areas = np.maximum(0, boxes[:, 2] - boxes[:, 0]) * np.maximum(0, boxes[:, 3] - boxes[:, 1])
    by_group: dict[str | None, list[int]] = {}
    for index, kind in enumerate(found.classes):
        rivals = by_group.setdefault(groups[kind], [])
        if rivals:
            others = boxes[rivals]
            width = np.minimum(boxes[index, 2], others[:, 2]) - np.maximum(boxes[index, 0], others[:, 0])
            height = np.minimum(boxes[index, 3], others[:, 3]) - np.maximum(boxes[index, 1], others[:, 1])
            common = np.maximum(0, width) * np.maximum(0, height)
            union = areas[index] + areas[rivals] - common
            if (common > max_overlap * union).any():
                continue
        rivals.append(index)
        kept.append(index)
    return kept


def _scored(
    boxes: Numbers, values: Numbers, sheet: DetectorSheet, usual: str, classes: int | None = None
) -> tuple[Numbers, Numbers, Numbers]:
    how = sheet.scores or usual
    with np.errstate(over="ignore", invalid="ignore"):
        if how == "softmax":
            powers = np.exp(values - values.max(1, keepdims=True))
            values = powers / powers.sum(1, keepdims=True)
        elif how == "sigmoid":
            values = 1 / (1 + np.exp(-values))
    values = values[:, :classes]
    best = values.argmax(1) if values.size else np.zeros(len(values), np.int64)
    return boxes, values[np.arange(len(values)), best], best.astype(np.float64)


def _check_scores_are_told(sheet: DetectorSheet, columns: int, classes: int, where: str) -> None:
    if columns == classes + 1 and sheet.scores is None:
        raise PluginError(
            f"{where}: the model has {columns} scores for {classes} classes, and `scores` is not said",
            remedy="Say `scores: softmax` (DETR: the last is “nothing”) or `scores: sigmoid` (RF-DETR) in the sheet.",
        )


def _labelled(outputs: Mapping[str, Numbers]) -> tuple[Numbers, Numbers, Numbers]:
    boxes = next(value for value in outputs.values() if value.ndim == 2)
    labels = next(value for name, value in outputs.items() if value.ndim == 1 and "label" in name.lower())
    scores = next(value for name, value in outputs.items() if value.ndim == 1 and "label" not in name.lower())
    return boxes, scores, labels


def _box_output(shapes: Shapes) -> str:
    """Which of two outputs holds the boxes: the one that is four wide, or is called so where both are; else none."""
    wide = [name for name, shape in shapes.items() if shape[-1] == 4]
    called = [name for name in wide if "box" in name.lower() or "det" in name.lower()]
    return wide[0] if len(wide) == 1 else called[0] if len(called) == 1 else ""


def _is(shapes: Shapes, *, rows: int | None = None, columns: int | None = None) -> bool:
    """One output [1, rows, columns], either of which may be anything."""
    (shape, *others) = shapes.values()
    if others or len(shape) != 3 or shape[0] != 1:
        return False
    return (rows is None or shape[1] == rows) and (columns is None or shape[2] == columns)


def _are_boxes_and_logits(shapes: Shapes, classes: int) -> bool:
    values = list(shapes.values())
    if len(values) != 2 or any(len(shape) != 3 or shape[0] != 1 for shape in values) or values[0][1] != values[1][1]:
        return False
    boxes = _box_output(shapes)
    return bool(boxes) and all(shape[2] in (classes, classes + 1) for name, shape in shapes.items() if name != boxes)


def _are_labelled(shapes: Shapes, classes: int) -> bool:
    flat = [name for name, shape in shapes.items() if len(shape) == 2]
    boxes = [shape for shape in shapes.values() if len(shape) == 3]
    return (
        len(flat) == 2 and len(boxes) == 1 and boxes[0][2] == 4 and sum("label" in name.lower() for name in flat) == 1
    )


_FITS: Final[Mapping[Layout, Callable[[Shapes, int], bool]]] = {
    "yolo_v8": lambda shapes, classes: _is(shapes, rows=4 + classes),
    "yolo_v5": lambda shapes, classes: _is(shapes, columns=5 + classes),
    "end_to_end": lambda shapes, classes: _is(shapes, columns=6),
    "detr": _are_boxes_and_logits,
    "detr_scored": lambda shapes, classes: _is(shapes, columns=4 + classes),
    "detr_labelled": _are_labelled,
}
