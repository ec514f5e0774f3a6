"""A caption is no button: « Name: » before a field, however often such a place holds something to press.

Nets go by what usually stands somewhere; at the left end of a bar that is often a button. But words that end with a
colon and have no edge of their own around them announce something else, and a field without its caption has no name.
"""

from __future__ import annotations

from collections.abc import Iterable

from rpa_vision.detection.scene import Draft, Scene
from rpa_vision.detection.visible_edges import shows_own_edge

_LETTERS = 2
_PRESSED = frozenset({"button", "link", "tab", "menu_item"})


def without_captions(scene: Scene, drafts: Iterable[Draft]) -> list[Draft]:
    """The drafts but for captions that were taken for something to press; their words are free again."""
    kept = []
    for draft in drafts:
        if draft.kind in _PRESSED and _announces(draft.text) and not shows_own_edge(scene, draft.box):
            for line in scene.lines:
                line.used = line.used and not draft.box.contains(line.box.center)
        else:
            kept.append(draft)
    return kept


def _announces(text: str) -> bool:
    """Words and a colon; three dots above each other, which open a menu, are read as a colon, too."""
    return text.rstrip().endswith(":") and sum(map(str.isalpha, text)) >= _LETTERS
