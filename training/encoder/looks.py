"""How the variations of a screen are shown: the window, the zoom in it, the theme, what was redrawn."""

from __future__ import annotations

import random
from typing import Any

SCORED = ("none", "content", "theme", "zoom", "scale", "all")
CHANGES = (*SCORED, "near", "redrawn")
"""New ones come last: the place of a change decides its content."""
SIZES = ((1280, 720), (1280, 720), (1366, 768), (1024, 768), (1280, 800), (1440, 900))
ZOOMS = (0.8, 0.9, 1.1, 1.25, 1.5)
SCALES = (1.25, 1.4, 1.5, 2.0)
WIDEST_PX = 2048
WIDE_SIZES = ((1920, 1080), (1920, 1080), (1600, 900), (1680, 1050))
NEAR_ZOOMS, REDRAWN_ZOOMS = (1.75, 1.9, 2.0), (1.0, 1.0, 1.2, 1.33)
MORE_COLUMNS = (0, 1, 2, 2)


def look(rng: random.Random, change: str, size: tuple[int, int]) -> dict[str, Any]:
    """How a variation is shown: window in device pixels, zoom in it, theme."""
    how: dict[str, Any] = {"size": size, "zoom": 1.0, "other_theme": change in ("theme", "all")}
    scales = [one for one in SCALES if size[0] * one <= WIDEST_PX] or SCALES[:1]
    scale, zoom = rng.choice(scales), rng.choice(ZOOMS)
    by_scale = change == "scale" or (change == "all" and rng.random() < 0.5)
    if by_scale:
        how |= {"size": (round(size[0] * scale), round(size[1] * scale)), "zoom": scale}
    elif change in ("zoom", "all"):
        how["zoom"] = zoom
    elif change == "near":
        how["zoom"] = rng.choice(NEAR_ZOOMS)
    elif change == "redrawn":
        how |= {"zoom": rng.choice(REDRAWN_ZOOMS), "contrast": True, "columns": rng.choice(MORE_COLUMNS)}
    return how | {"zoom_kind": "scale" if by_scale else "in_place" if how["zoom"] != 1.0 else ""}
