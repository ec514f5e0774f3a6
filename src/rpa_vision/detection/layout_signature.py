"""Two signatures of a screen: its structure without its content, and its content.

The structure is the set of its controls by type and name: what stays when other invoices are listed, the theme is
changed or things move a little. Names are folded and numbers dropped, repeated controls count once. The hash is made of
the few kinds that are told apart the same way in every theme and size: buttons, named fields, titles of columns, a
dialog; and letters that readers take for each other count as one, so that a slip does not make another screen. A screen
that has none of these is known by its headings, or else by where its text stands.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence

from pydantic import JsonValue

from rpa_vision.detection.words import fold, has_digit, without_numbers
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import ContentSignature, LayoutSignature, TextLine
from rpa_vision.models.ui_element import UIElement

METHOD = "controls_2"
_STRUCTURE = frozenset(
    {"button", "text_input", "password_input", "textarea", "dropdown", "checkbox", "radio", "toggle", "tab",
     "menu_item", "dialog"}
)  # fmt: skip
_FIELDS = frozenset({"text_input", "password_input", "textarea", "dropdown"})
_LOOKALIKES = ("aceo0", "iljtf1", "nhumr", "vwy", "gqp9", "bdk6", "szx5")
_SAME_SHAPE = str.maketrans({letter: letters[0] for letters in _LOOKALIKES for letter in letters})
_GRID = (4, 3)


def layout_signature(elements: Sequence[UIElement]) -> LayoutSignature:
    """The structure: the same for the same screen with other content (L1-3)."""
    controls = structure_of(elements)
    firm = [(kind, element) for element in elements if (kind := _firm_kind(element)) is not None]
    parts = {f"{kind}:{_shape(_name(element)) if kind != 'dialog' else ''}" for kind, element in firm}
    sure = [element.label_confidence * element.confidence for kind, element in firm if kind != "dialog"]
    if not any(kind != "dialog" for kind, _ in firm):
        parts |= _fallback(elements)
    return LayoutSignature(
        hash=_digest(sorted(parts)),
        method=METHOD,
        components={
            "controls": list(controls),
            "dialog": any(element.type == "dialog" for element in elements),
            **_topology(elements),
        },
        stability_score=round(min(1.0, sum(sure) / len(sure)), 4) if sure else 0.0,
    )


def _firm_kind(element: UIElement) -> str | None:
    """What an element counts as in the hash, if it does."""
    if element.type == "dialog":
        return "dialog"
    name = _name(element)
    if len(name) < 2 or "#" in name:
        return None
    if element.metadata.get("header") and element.type == "cell":
        return "header"
    if element.type in _FIELDS:
        return "field" if element.metadata.get("label_from") in ("left", "above", None) else None
    return "button" if element.type == "button" and "row" not in element.metadata else None


def _fallback(elements: Sequence[UIElement]) -> set[str]:
    """Headings; where there are none, the parts of the screen that hold text, coarsely."""
    headings = {f"heading:{_shape(_name(e))}" for e in elements if e.type == "heading" and len(_name(e)) > 1}
    if headings or not elements:
        return headings
    right, bottom = max(e.bbox[2] for e in elements), max(e.bbox[3] for e in elements)
    left, top = min(e.bbox[0] for e in elements), min(e.bbox[1] for e in elements)
    columns, rows = _GRID
    places = {
        (columns * (e.center[0] - left) // (right - left + 1), rows * (e.center[1] - top) // (bottom - top + 1))
        for e in elements
    }
    return {f"place:{column}:{row}" for column, row in places}


def _topology(elements: Sequence[UIElement]) -> dict[str, JsonValue]:
    """For people: how many of what, and where."""
    counts = Counter(element.type for element in elements)
    named = "_".join(f"{counts[kind]}_{kind}s" for kind in ("button", "table") if counts[kind])
    tables = [e for e in elements if e.type == "table"]
    around = Box.of(elements[0].bbox) if elements else None
    for element in elements[1:]:
        around = around.union(Box.of(element.bbox)) if around is not None else None
    return {
        "ui_topology": f"{len(elements)}_elements" + (f"_{named}" if named else ""),
        "spatial_layout": "+".join(f"table_{e.metadata.get('rows', 0)}_rows" for e in tables) or "free",
        "element_types": [kind for kind, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))],
        "extent": list(around.bbox) if around is not None else [],
    }


def _name(element: UIElement) -> str:
    return without_numbers(element.label).replace(" ", "")  # narrow spaces are read or not


def _shape(name: str) -> str:
    return name.translate(_SAME_SHAPE)


def structure_of(elements: Iterable[UIElement]) -> tuple[str, ...]:
    """The controls as sorted words, each once: `button:valider`, `header:montant`."""
    found = set()
    for element in elements:
        name = _name(element)
        if element.metadata.get("header") and element.type == "cell":
            found.add(f"header:{name}")
        elif element.type in _FIELDS:
            found.add("field:" + (name if element.metadata.get("label_from") != "content" else ""))
        elif element.type in _STRUCTURE and "#" not in name and (len(name) > 1 or element.type == "dialog"):
            kind = "mark" if element.type in ("checkbox", "radio", "toggle") else element.type
            found.add(f"{kind}:{name if kind != 'dialog' else ''}")
    return tuple(sorted(found))


def layout_similarity(first: LayoutSignature, second: LayoutSignature) -> float:
    """How much of their controls two screens share, 0 to 1; 1 for equal hashes."""
    if first.hash == second.hash and first.method == second.method:
        return 1.0
    one, two = _controls(first), _controls(second)
    return len(one & two) / len(one | two) if one | two else 1.0


def content_signature(lines: Sequence[TextLine], elements: Sequence[UIElement]) -> ContentSignature:
    """The content: every word on the screen, and which named parts of it can be expected to vary."""
    words = [fold(line.text) for line in lines]
    variable, static = set(), set()
    for element in elements:
        title = element.metadata.get("column_title")
        if element.type in _FIELDS and element.label:
            variable.add(fold(element.label))
        elif isinstance(title, str) and title:
            variable.add(fold(title))
        elif element.type in _STRUCTURE and element.label and not has_digit(element.label):
            static.add(fold(element.label))
    return ContentSignature(
        hash=_digest(words),
        variable_fields=tuple(sorted(variable - {""})),
        static_fields=tuple(sorted(static - {""})),
    )


def _controls(signature: LayoutSignature) -> set[str]:
    controls = signature.components.get("controls")
    return {str(control) for control in controls} if isinstance(controls, list) else set()


def _digest(parts: Iterable[str]) -> str:
    return hashlib.blake2b("\n".join(parts).encode(), digest_size=16).hexdigest()
