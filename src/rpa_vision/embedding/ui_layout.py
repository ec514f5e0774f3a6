"""What kinds of elements are where, as a vector: type and role per cell of two coarse grids.

Cells and rows of tables are content and left out; how many there are of a kind counts by its square root.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

from rpa_vision.embedding.hashing import scatter
from rpa_vision.embedding.spaces import unit
from rpa_vision.models.ui_element import UIElement
from rpa_vision.ports.perception import Vector

VERSION: Final = "v1"
GRIDS: Final = ((8, 6), (4, 3))
CONTENT_TYPES: Final = frozenset({"cell", "table_row", "list_item", "label"})
WEIGHT_ONE = 64
DIALOG_FACTOR = 4  # a dialog changes what the whole screen is for


def encode_layout(elements: Sequence[UIElement], width_px: int, height_px: int, dimensions: int) -> Vector:
    """Encode the elements of a screen of that size; no elements give the blank vector."""
    counts: Counter[str] = Counter()
    for element in elements:
        if element.type in CONTENT_TYPES:
            continue
        for columns, rows in GRIDS:
            column = min(columns - 1, max(0, element.center[0] * columns // max(1, width_px)))
            row = min(rows - 1, max(0, element.center[1] * rows // max(1, height_px)))
            where = f"{columns}x{rows}:{column},{row}"
            counts[f"{element.type}@{where}"] += 1
            if element.role:
                counts[f"{element.type}/{element.role}@{where}"] += 1
    return unit(scatter({name: _weight(name, count) for name, count in counts.items()}, dimensions))


def _weight(name: str, count: int) -> int:
    return round(WEIGHT_ONE * math.sqrt(count)) * (DIALOG_FACTOR if name.startswith("dialog") else 1)
