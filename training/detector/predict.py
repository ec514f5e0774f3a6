"""Write what a detector finds on pictures as `{name: [[x, y, width, height, score], …]}`, for judges of others."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import cv2

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

from evaluate import OnnxElementFinder, OnnxElementJudge, whole_detector

from rpa_vision.testing.element_scores import KINDS


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("description", type=Path, help="elements.json of an exported net")
    options.add_argument("--pictures", type=Path, required=True)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--judge", type=Path, help="judge.json, if a judge is to decide")
    given = options.parse_args()
    finder = OnnxElementFinder(given.description, faint=given.judge is not None)
    find = whole_detector(finder, OnnxElementJudge(given.judge) if given.judge else None)
    found = {}
    for path in sorted(given.pictures.glob("*.png")):
        boxes = [item.box for item in find(cv2.imread(str(path))) if item.kind in KINDS]
        found[path.stem] = [[box.x1, box.y1, box.width, box.height, 1.0] for box in boxes]
    given.out.write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
