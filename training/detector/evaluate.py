"""Score a detector on screens with truth: can what is there be clicked, is its box right, is it called what it is?

- *click*: one to one, the centre of the found box lies in the true one, and it is at most four times as large;
- *F1@.5*: one to one, boxes overlap by half;
- *type accuracy*: of the pairs matched at .5, how many are called right;
- *state accuracy*: of those with a state, how many have it right.

What lies under a dialog's veil counts neither for nor against. Needs no torch: it runs what ships.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "src"))
sys.path.insert(0, str(Path(__file__).parents[1]))

from detector.kinds import INTERACTIVE
from rpa_vision.adapters.perception.onnx_elements import OnnxElementFinder
from rpa_vision.models.geometry import Box
from rpa_vision.ports.perception import FoundElement

FAMILIES = {"password_input": "text_input"}
Boxes = np.ndarray
LOWEST = 0.1


class Score:
    """Counts over many screens."""

    def __init__(self) -> None:
        self.found = self.true = self.clicked = self.boxed = self.typed = self.states = self.states_right = (
            self.screens
        ) = 0
        self.confused: Counter[tuple[str, str]] = Counter()
        self.kinds: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])

    def add(self, truth: list[dict[str, Any]], found: list[FoundElement]) -> None:
        wanted = [item for item in truth if FAMILIES.get(item["type"], item["type"]) in INTERACTIVE]
        hidden = _array(item["box"] for item in wanted if item.get("covered"))
        wanted = _once([item for item in wanted if not item.get("covered")])
        given = [item for item in found if item.kind in INTERACTIVE]
        given = [item for item in given if not len(hidden) or _overlaps(_array([item.box.bbox]), hidden).max() < 0.3]
        boxes, true = _array(item.box.bbox for item in given), _array(item["box"] for item in wanted)
        self.screens += 1
        self.found += len(given)
        self.true += len(wanted)
        clicks = _pairs(_click_scores(boxes, true), 1e-6)
        self.clicked += len(clicks)
        for item in wanted:
            self.kinds[FAMILIES.get(item["type"], item["type"])][0] += 1
        for _, index in clicks:
            self.kinds[FAMILIES.get(wanted[index]["type"], wanted[index]["type"])][1] += 1
        for mine, index in _pairs(_overlaps(boxes, true), 0.5):
            self.boxed += 1
            kind = FAMILIES.get(wanted[index]["type"], wanted[index]["type"])
            self.kinds[kind][2] += given[mine].kind == kind
            self.typed += given[mine].kind == kind
            self.confused[kind, given[mine].kind] += 1
            if given[mine].kind == kind and wanted[index]["checked"] is not None:
                self.states += 1
                self.states_right += given[mine].checked == wanted[index]["checked"]

    def summary(self) -> dict[str, Any]:
        def f1(hits: int) -> float:
            return round(2 * hits / max(1, self.found + self.true), 3)

        return {
            "screens": self.screens,
            "elements": self.true,
            "found": self.found,
            "click_f1": f1(self.clicked),
            "click_recall": round(self.clicked / max(1, self.true), 3),
            "click_precision": round(self.clicked / max(1, self.found), 3),
            "f1_at_50": f1(self.boxed),
            "type_accuracy": round(self.typed / max(1, self.boxed), 3),
            "checked_accuracy": round(self.states_right / max(1, self.states), 3),
        }

    def by_kind(self) -> dict[str, str]:
        return {
            kind: f"n={n} click={c / max(1, n):.2f} typed={t / max(1, n):.2f}"
            for kind, (n, c, t) in sorted(self.kinds.items())
        }


def score_folder(
    find: Callable[[Any], list[FoundElement]], paths: Iterable[Path]
) -> tuple[Score, dict[str, Score], list[float]]:
    """All screens together, by kit, and how long each took."""
    together, kits, times = Score(), defaultdict(Score), []
    for path in paths:
        document = json.loads(path.read_text(encoding="utf-8"))
        picture = cv2.imread(str(path.with_suffix(".png")))
        begin = time.perf_counter()
        found = find(picture)
        times.append(time.perf_counter() - begin)
        together.add(document["elements"], found)
        kits[document["kit"]].add(document["elements"], found)
    return together, dict(kits), times


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("description", type=Path, help="elements.json of an exported net")
    options.add_argument("--screens", type=Path, required=True)
    options.add_argument("--only", default="", help="screens whose name begins so: web, qt, gtk, tk")
    options.add_argument("--limit", type=int, default=0)
    options.add_argument("--kinds", action="store_true", help="print by kind and the confusions")
    options.add_argument("--whole", action="store_true", help="score the whole detector: net, boxes, lines and rules")
    options.add_argument("--rules", action="store_true", help="score boxes, lines and rules without the net")
    options.add_argument("--thresholds", action="store_true", help="try others (on screens of trained kits only)")
    given = options.parse_args()
    paths = sorted(path for path in given.screens.glob(f"{given.only}*.json"))
    paths = paths[:: max(1, len(paths) // given.limit)][: given.limit] if given.limit else paths
    finder = OnnxElementFinder(given.description)
    if given.thresholds:
        everything = [
            (
                json.loads(path.read_text(encoding="utf-8"))["elements"],
                _with(finder, LOWEST)(cv2.imread(str(path.with_suffix(".png")))),
            )
            for path in paths
        ]
        for limit in (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5):
            score = Score()
            for truth, found in everything:
                score.add(truth, [item for item in found if _raw(item.confidence, LOWEST) >= limit])
            print(limit, json.dumps(score.summary()))
        return
    find = whole_detector(None if given.rules else finder) if given.whole or given.rules else finder.find
    together, kits, times = score_folder(find, paths)
    print(json.dumps({"all": together.summary(), "median_ms": round(1000 * float(np.median(times)))}))
    for kit, score in sorted(kits.items()):
        print(f"  {kit:18s}", json.dumps(score.summary()))
    if given.kinds:
        for kind, line in together.by_kind().items():
            print(f"  {kind:12s} {line}")
        print(
            "  confused:",
            [(pair, count) for pair, count in together.confused.most_common(40) if pair[0] != pair[1]][:14],
        )


def whole_detector(finder: OnnxElementFinder | None) -> Callable[[Any], list[FoundElement]]:
    """What `rpa-vision detect` would say of the same picture."""
    from rpa_vision.adapters.perception.onnx_reader import OnnxTextRecognizer
    from rpa_vision.detection.text_detector import TextDetector
    from rpa_vision.detection.ui_detector import UIDetector

    detector = UIDetector(TextDetector.over(OnnxTextRecognizer.shipped()), finder=finder)

    def find(picture: Any) -> list[FoundElement]:
        return [
            FoundElement(
                Box.of(item.bbox),
                FAMILIES.get(item.type, item.type),
                item.confidence,
                item.state.checked if item.state else None,
            )
            for item in detector.detect_elements(picture)
        ]

    return find


def _raw(confidence: float, limit: float) -> float:
    """What the net said, from a confidence told against a limit."""
    odds = confidence / max(1e-9, 1 - confidence) * limit / (1 - limit)
    return odds / (1 + odds)


def _with(finder: OnnxElementFinder, limit: float) -> Callable[[Any], list[FoundElement]]:
    finder._thresholds = {**finder._thresholds, "act": limit}
    return finder.find


def _array(boxes: Iterable[Any]) -> Boxes:
    return np.array(list(boxes), float).reshape(-1, 4)


def _once(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Two marks on nearly the same box are one element."""
    kept: list[dict[str, Any]] = []
    for item in items:
        if not kept or _overlaps(_array([item["box"]]), _array(other["box"] for other in kept)).max() < 0.8:
            kept.append(item)
    return kept


def _overlaps(a: Boxes, b: Boxes) -> Boxes:
    if not len(a) or not len(b):
        return np.zeros((len(a), len(b)))
    common = np.clip(
        np.minimum(a[:, None, 2:], b[None, :, 2:]) - np.maximum(a[:, None, :2], b[None, :, :2]), 0, None
    ).prod(2)
    areas = (a[:, 2:] - a[:, :2]).prod(1)[:, None] + (b[:, 2:] - b[:, :2]).prod(1)[None]
    return common / np.maximum(areas - common, 1e-6)


def _click_scores(found: Boxes, true: Boxes) -> Boxes:
    """Overlap where a click on the found centre would hit, else nothing."""
    if not len(found) or not len(true):
        return np.zeros((len(found), len(true)))
    x, y = (found[:, 0] + found[:, 2]) / 2, (found[:, 1] + found[:, 3]) / 2
    inside = (
        (x[:, None] >= true[None, :, 0])
        & (x[:, None] < true[None, :, 2])
        & (y[:, None] >= true[None, :, 1])
        & (y[:, None] < true[None, :, 3])
    )
    small = (found[:, 2:] - found[:, :2]).prod(1)[:, None] <= 4 * (true[:, 2:] - true[:, :2]).prod(1)[None]
    return np.where(inside & small, _overlaps(found, true) + 1e-3, 0)


def _pairs(scores: Boxes, least: float) -> list[tuple[int, int]]:
    """One to one, best first."""
    rows, columns = np.nonzero(scores >= least)
    order = np.argsort(-scores[rows, columns], kind="stable")
    used_rows, used_columns, kept = set(), set(), []
    for row, column in zip(rows[order].tolist(), columns[order].tolist(), strict=True):
        if row not in used_rows and column not in used_columns:
            used_rows.add(row)
            used_columns.add(column)
            kept.append((row, column))
    return kept


if __name__ == "__main__":
    main()
