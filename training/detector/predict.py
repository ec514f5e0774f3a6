"""Write what a detector finds on pictures as `{name: [[x, y, width, height, score], …]}`, for judges of others."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import cv2

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

from evaluate import OnnxElementFinder, whole_detector

from detector.kinds import INTERACTIVE


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("description", type=Path, help="elements.json of an exported net")
    options.add_argument("--pictures", type=Path, required=True)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--whole", action="store_true", help="net, boxes, lines and rules together")
    given = options.parse_args()
    finder = OnnxElementFinder(given.description)
    find = whole_detector(finder) if given.whole else finder.find
    found = {}
    for path in sorted(given.pictures.glob("*.png")):
        boxes = [(item.box, item.confidence) for item in find(cv2.imread(str(path))) if item.kind in INTERACTIVE]
        found[path.stem] = [[box.x1, box.y1, box.width, box.height, round(sure, 4)] for box, sure in boxes]
    given.out.write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
