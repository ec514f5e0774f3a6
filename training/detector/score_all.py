"""All scores of a detector on held-out looks, as one JSON document: by toolkit and by kit."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from evaluate import OnnxElementFinder, OnnxElementJudge, by_net, score_folder, whole_detector


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("description", type=Path)
    options.add_argument("--screens", type=Path, required=True)
    options.add_argument("--judge", type=Path, help="judge.json: score the whole detector as it ships")
    given = options.parse_args()
    finder = OnnxElementFinder(given.description, faint=given.judge is not None)
    find = whole_detector(finder, OnnxElementJudge(given.judge)) if given.judge else by_net(finder)
    scores = {}
    for toolkit in ("web", "qt", "gtk", "tk"):
        paths = sorted(given.screens.glob(f"{toolkit}-*.json"))
        if paths:
            together, kits, _ = score_folder(find, paths)
            scores[toolkit] = {
                "all": together.summary(),
                "kits": {kit: score.summary() for kit, score in sorted(kits.items())},
            }
    print(json.dumps(scores))


if __name__ == "__main__":
    main()
