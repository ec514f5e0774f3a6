"""Steps that put something on the clipboard or take it from there: by keys, and by what controls are called."""

from __future__ import annotations

import re
from typing import Final

from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.models.wording import folded

_COPY: Final = ({"CTRL", "C"}, {"CTRL", "INSERT"})
_CUT: Final = ({"CTRL", "X"}, {"SHIFT", "DELETE"})
_PASTE: Final = ({"CTRL", "V"}, {"SHIFT", "INSERT"})
_FILLING_WORDS: Final = re.compile(r"^(copier|copy|couper|cut)\b")
_PASTING_WORDS: Final = re.compile(r"^(coller|paste)( ctrl ?\+ ?v)?$")


def copies(step: DemoStep) -> bool:
    """Whether the keys of a step copy. Cutting also takes away, and stays the key it is."""
    return step.kind == "key_press" and set(step.keys) in _COPY


def pastes(step: DemoStep) -> bool:
    """Whether the keys of a step paste."""
    return step.kind == "key_press" and set(step.keys) in _PASTE


def pastes_by_click(step: DemoStep) -> bool:
    """Whether « Coller » was clicked."""
    return step.kind == "mouse_click" and _PASTING_WORDS.match(_clicked(step)) is not None


def fills_clipboard(step: DemoStep) -> bool:
    """Whether something was copied or cut, by keys or by a click on what is called so."""
    if step.kind == "key_press":
        return set(step.keys) in (*_COPY, *_CUT)
    return step.kind == "mouse_click" and _FILLING_WORDS.match(_clicked(step)) is not None


def _clicked(step: DemoStep) -> str:
    return folded(step.element.label) if step.element is not None else ""
