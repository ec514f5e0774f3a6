"""What a judge learns from: the candidates of screens with truth, each with what it really is.

Runs the whole detector up to the point where a judge is asked, so nothing differs from what a judge sees later. The
screens must be ones the net was not trained on: a witness is only as good as it is on what it never saw.

Each candidate is the true element it overlaps by half, or else the one a click on its middle would hit; how well its
box fits is told, too. What lies under a dialog's veil is left out.
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "src"))
sys.path.insert(0, str(Path(__file__).parents[1]))

from detector.kept_lines import KeptLines
from rpa_vision.adapters.perception.onnx_elements import OnnxElementFinder
from rpa_vision.detection.box_arrays import overlaps
from rpa_vision.detection.candidates import KINDS, Candidates, gather
from rpa_vision.detection.controls import find_controls
from rpa_vision.detection.scene import Scene

FAMILIES = {"password_input": "text_input"}
FITS, LARGEST = 0.5, 4.0
LEAST_FIT = 0.1
"""What shares less with a thing than this is a part of it, though a click there would hit."""


def truth_of(candidates: Candidates, document: dict[str, Any]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Of each candidate: its kind (0 nothing), how well it fits, which element it is (-1 none), whether it counts."""
    items = [item for item in document["elements"] if FAMILIES.get(item["type"], item["type"]) in KINDS]
    hidden = np.array([item["box"] for item in items if item.get("covered")], np.int64).reshape(-1, 4)
    items = [item for item in items if not item.get("covered")]
    true = np.array([item["box"] for item in items], np.int64).reshape(-1, 4)
    kinds = np.array([1 + KINDS.index(FAMILIES.get(item["type"], item["type"])) for item in items], np.int64)
    count = len(candidates)
    kind, fit, which = np.zeros(count, np.int64), np.zeros(count, np.float32), np.full(count, -1)
    counts = np.ones(count, bool)
    if len(hidden):
        counts &= overlaps(candidates.boxes, hidden).max(axis=1) < 0.3
    if len(true):
        shares = overlaps(candidates.boxes, true)
        x, y = (candidates.boxes[:, :2] + candidates.boxes[:, 2:]).T / 2
        hit = (true[:, 0] <= x[:, None]) & (x[:, None] < true[:, 2])
        hit &= (true[:, 1] <= y[:, None]) & (y[:, None] < true[:, 3])
        sizes = (candidates.boxes[:, 2:] - candidates.boxes[:, :2]).prod(axis=1)
        hit &= sizes[:, None] <= LARGEST * (true[:, 2:] - true[:, :2]).prod(axis=1)[None]
        worth = np.where(shares >= FITS, 1 + shares, np.where(hit & (shares >= LEAST_FIT), shares, 0))
        best, value = worth.argmax(axis=1), worth.max(axis=1)
        is_one = value > 0
        kind, which = np.where(is_one, kinds[best], 0), np.where(is_one, best, -1)
        fit = np.where(is_one, shares[np.arange(count), best], 0).astype(np.float32)
    return kind, fit, which, counts


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--screens", type=Path, nargs="+", required=True)
    options.add_argument("--net", type=Path, help="elements.json; the shipped one if not given")
    options.add_argument("--out", type=Path, required=True, help="an .npz file")
    options.add_argument("--limit", type=int, default=0)
    options.add_argument("--kept", type=Path, help="folder of boxes and lines, for the next net on the same screens")
    given = options.parse_args()
    cv2.setNumThreads(1)
    net = OnnxElementFinder(given.net, faint=True) if given.net else OnnxElementFinder.shipped(faint=True)
    lines = KeptLines(given.kept)
    paths = sorted(path for folder in given.screens for path in folder.glob("*.json"))
    kept: dict[str, list[np.ndarray]] = {}
    paths = paths[:: max(1, len(paths) // given.limit)] if given.limit else paths
    for number, path in enumerate(paths):
        document = json.loads(path.read_text(encoding="utf-8"))
        image = cv2.imread(str(path.with_suffix(".png")))
        scene = Scene(image, *lines.of(image, path.stem))
        candidates = gather(scene, find_controls(scene), net.find(image))
        kind, fit, which, counts = truth_of(candidates, document)
        rows = {
            "facts": candidates.facts.astype(np.float16), "looks": candidates.looks.astype(np.float16), "kind": kind,
            "fit": fit, "which": which, "boxes": candidates.boxes.astype(np.int16),
            "screen": np.full(len(kind), zlib.crc32(document["family"].encode()), np.int64),
        }  # fmt: skip
        for name, values in rows.items():
            kept.setdefault(name, []).append(values[counts])
        if number % 50 == 49:
            print(number + 1, "screens", sum(len(part) for part in kept["kind"]), "candidates", flush=True)
    np.savez(given.out, **{name: np.concatenate(parts) for name, parts in kept.items()})


if __name__ == "__main__":
    main()
