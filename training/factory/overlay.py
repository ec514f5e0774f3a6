"""Draw truth or detections over a picture, so that a person can judge them."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2

COLOURS = {
    "button": (0, 0, 255), "link": (255, 128, 0), "text_input": (0, 160, 0), "password_input": (0, 220, 160), "textarea": (0, 120, 80), "checkbox": (255, 0, 255),
    "radio": (200, 0, 120), "toggle": (120, 0, 200), "dropdown": (0, 140, 255), "tab": (255, 0, 0), "menu_item": (160, 120, 0), "list_item": (180, 180, 0), "slider": (0, 255, 255),
    "icon": (128, 128, 128), "image": (90, 90, 200), "dialog": (0, 0, 120), "scrollbar": (60, 200, 60), "table": (200, 100, 200),
}  # fmt: skip


def draw(picture, elements, texts=()):
    """The picture with boxes, one colour per type."""
    out = picture.copy()
    for text in texts:
        x1, y1, x2, y2 = text["box"]
        cv2.rectangle(out, (x1, y1), (x2, y2), (210, 210, 120), 1)
    for element in elements:
        if element["type"] in ("table_row", "cell", "heading"):
            continue
        x1, y1, x2, y2 = element["box"]
        colour = COLOURS.get(element["type"], (0, 0, 0))
        cv2.rectangle(out, (x1, y1), (x2 - 1, y2 - 1), colour, 1 if element.get("covered") else 2)
        mark = (
            element["type"][:4]
            + ("+" if element.get("checked") or element.get("selected") else "")
            + ("!" if element.get("enabled") is False else "")
        )
        if "confidence" in element:
            mark += f" {element['confidence']:.2f}"
        if element["type"] != "icon":
            cv2.putText(out, mark, (x1, max(8, y1 - 2)), cv2.FONT_HERSHEY_SIMPLEX, 0.35, colour, 1, cv2.LINE_AA)
    return out


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("screens", nargs="+", type=Path, help="truth files (.json)")
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for path in given.screens:
        truth = json.loads(path.read_text(encoding="utf-8"))
        picture = cv2.imread(str(path.with_suffix(".png")))
        cv2.imwrite(str(given.out / f"{path.stem}.png"), draw(picture, truth["elements"], truth["texts"]))


if __name__ == "__main__":
    main()
