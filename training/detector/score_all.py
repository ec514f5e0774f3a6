"""All scores of a detector on held-out looks, as one JSON document: by toolkit and by kit."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from evaluate import OnnxElementFinder, score_folder


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("description", type=Path)
    options.add_argument("--screens", type=Path, required=True)
    given = options.parse_args()
    finder = OnnxElementFinder(given.description)
    scores = {}
    for toolkit in ("web", "qt", "gtk", "tk"):
        paths = sorted(given.screens.glob(f"{toolkit}-*.json"))
        if paths:
            together, kits, _ = score_folder(finder.find, paths)
            scores[toolkit] = {
                "all": together.summary(),
                "kits": {kit: score.summary() for kit, score in sorted(kits.items())},
            }
    print(json.dumps(scores))


if __name__ == "__main__":
    main()
