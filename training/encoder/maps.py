"""Structure maps of many screens in one file, made once: training then needs no pictures.

`maps.npy` (screens × 4 × 144 × 256 bytes) and `about.json` (for each its family, its application, and where its content
lies) are written into the folder of the screens.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "src"))

from rpa_vision.imaging.structure import CHANNELS, COLUMNS, ROWS, structure_maps

CONTENT_OWNERS = frozenset({"text_input", "textarea", "dropdown", "list_item", "cell", "table_row"})


def content_boxes(about: dict[str, Any]) -> list[list[int]]:
    """Where words stand that are other ones tomorrow, in cells of the maps; known only of screens with truth."""
    across, down = COLUMNS / about["width"], ROWS / about["height"]
    boxes = []
    for text in about.get("texts", ()):
        owner = about["elements"][text["owner"]]["type"] if text.get("owner") is not None else ""
        if owner in CONTENT_OWNERS or (not owner and len(text["text"]) > 12):
            x1, y1, x2, y2 = text["box"]
            boxes.append([int(x1 * across), int(y1 * down), int(np.ceil(x2 * across)), int(np.ceil(y2 * down))])
    return boxes


def collect(folder: Path, out: Path, name: str, most: int = 0) -> None:
    """The maps of the finished screens of a folder, or of `most` of them, evenly taken."""
    paths = sorted(path for path in folder.glob("*.json") if not path.name.endswith(".state.json"))
    made, told = [], []
    for path in paths[:: max(1, len(paths) // most) if most else 1][: most or None]:
        about = json.loads(path.read_text(encoding="utf-8"))
        maps = structure_maps(cv2.imread(str(path.with_suffix(".png"))))
        if maps is None:
            continue
        made.append(maps)
        family = about.get("family") or about["id"]
        one = {"id": about["id"], "family": family, "app": about.get("app") or family, "kit": about["kit"]}
        told.append(one | {"change": about.get("change", ""), "content": content_boxes(about)})
    out.mkdir(parents=True, exist_ok=True)
    np.save(out / f"{name}.npy", np.stack(made) if made else np.zeros((0, CHANNELS, ROWS, COLUMNS), np.uint8))
    (out / f"{name}.json").write_text(json.dumps(told), encoding="utf-8")
    print(f"{name}: {len(made)} screens")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--name", required=True)
    options.add_argument("--most", type=int, default=0)
    given = options.parse_args()
    cv2.setNumThreads(1)
    collect(given.folder, given.out, given.name, given.most)


if __name__ == "__main__":
    main()
