"""One screen as two files: the picture, then its truth (the format is in README.md)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

VERSION = 1


def write_screen(
    out: Path,
    ident: str,
    picture: bytes,
    about: dict[str, Any],
    elements: list[dict[str, Any]],
    texts: list[dict[str, Any]],
    unsure: list[dict[str, Any]] | None = None,
) -> None:
    """Write the picture, then, as the sign that it is complete, the truth.

    `unsure` are places with words that cannot be read as they are known (`truth_readable.js`): neither text nor empty.
    """
    for text in texts:
        inside = [
            (_area(element["box"]), index)
            for index, element in enumerate(elements)
            if _holds(element["box"], text["box"])
        ]
        text["owner"] = min(inside)[1] if inside else None
    (out / f"{ident}.png").write_bytes(picture)
    truth = {"version": VERSION, "id": ident, **about, "elements": elements, "texts": texts, "unsure": unsure or []}
    partial = out / f"{ident}.json.part"
    partial.write_text(json.dumps(truth, ensure_ascii=False), encoding="utf-8")
    partial.rename(out / f"{ident}.json")


def scaled(box: list[float], scale: float, width: int, height: int) -> list[int]:
    """A box in device pixels, inside the picture."""
    x1, y1, x2, y2 = (round(value * scale) for value in box)
    return [max(0, x1), max(0, y1), min(width, x2), min(height, y2)]


def _area(box: list[int]) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def _holds(outer: list[int], inner: list[int]) -> bool:
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] <= x < outer[2] and outer[1] <= y < outer[3] and inner[2] - inner[0] <= (outer[2] - outer[0]) + 2
