"""Score a detector on screens with truth; what is counted says `rpa_vision.testing.element_scores`.

Without an option the net alone is scored, with `--whole` what `rpa-vision detect` would say, with `--rules` the same
without the net; `--judge` has a judge decide. Needs no torch: it runs what ships.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "src"))
sys.path.insert(0, str(Path(__file__).parents[1]))

from rpa_vision.adapters.perception.onnx_elements import OnnxElementFinder
from rpa_vision.adapters.perception.onnx_judge import OnnxElementJudge
from rpa_vision.testing.element_scores import ElementScore, Seen, family

Find = Callable[[Any], list[Seen]]


def score_folder(find: Find, paths: Iterable[Path]) -> tuple[ElementScore, dict[str, ElementScore], list[float]]:
    """All screens together, by kit, and how long each took."""
    together, kits, times = ElementScore(), defaultdict(ElementScore), []
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
    options.add_argument("--judge", type=Path, help="judge.json: with --whole or --rules, the judge decides")
    given = options.parse_args()
    paths = sorted(path for path in given.screens.glob(f"{given.only}*.json"))
    paths = paths[:: max(1, len(paths) // given.limit)][: given.limit] if given.limit else paths
    finder = OnnxElementFinder(given.description, faint=given.judge is not None)
    judge = OnnxElementJudge(given.judge) if given.judge else None
    find = whole_detector(None if given.rules else finder, judge) if given.whole or given.rules else by_net(finder)
    together, kits, times = score_folder(find, paths)
    print(json.dumps({"all": together.summary(), "median_ms": round(1000 * float(np.median(times)))}))
    for kit, score in sorted(kits.items()):
        print(f"  {kit:18s}", json.dumps(score.summary()))
    if given.kinds:
        for kind, line in together.by_kind().items():
            print(f"  {kind:12s} {json.dumps(line)}")
        print("  confused:", [one for one in together.confused.most_common(40) if one[0][0] != one[0][1]][:14])


def by_net(finder: OnnxElementFinder) -> Find:
    """What the net alone says."""
    return lambda picture: [Seen(each.box, family(each.kind), each.checked) for each in finder.find(picture)]


def whole_detector(finder: OnnxElementFinder | None, judge: OnnxElementJudge | None = None) -> Find:
    """What `rpa-vision detect` would say of the same picture."""
    from rpa_vision.adapters.perception.ink_reader import InkTextReader
    from rpa_vision.detection.text_detector import TextDetector
    from rpa_vision.detection.ui_detector import UIDetector

    detector = UIDetector(TextDetector.over(InkTextReader.shipped()), finder=finder, judge=judge)
    return lambda picture: [Seen.of(element) for element in detector.detect_elements(picture)]


if __name__ == "__main__":
    main()
