"""Two signatures of a screen: its structure without its content, and its content.

The structure is the set of its controls by type and name: what stays when other invoices are listed, the theme is
changed or things move a little. Names are folded and numbers dropped, repeated controls count once. The hash is made of
the few kinds that are told apart the same way in every theme and size: buttons, named fields, titles of columns, a
dialog; and letters that readers take for each other count as one, so that a slip does not make another screen. A screen
that has none of these is known by its headings, or else by where its text stands.

Equal hashes mean the same screen; the same screen has not always the same hash, because in another zoom other controls
are in view and in another theme other things are taken for controls. So a signature also carries all its short labels,
which kinds of elements stand where, and which of both stand in the bars that all pages of an application share; these
are what `layout_likeness` compares. And it carries many small hashes of its structure (`layout_hashes`).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from pydantic import JsonValue

from rpa_vision.detection.layout_hashes import is_in_bar, structure_hashes
from rpa_vision.detection.words import fold, has_digit, without_numbers
from rpa_vision.models.geometry import BBox
from rpa_vision.models.screen_state import ContentSignature, LayoutSignature, TextLine
from rpa_vision.models.ui_element import FIELD_TYPES, UIElement

METHOD = "controls_2"
_STRUCTURE = frozenset(
    {"button", "text_input", "password_input", "textarea", "dropdown", "checkbox", "radio", "toggle", "tab",
     "menu_item", "dialog"}
)  # fmt: skip
_LOOKALIKES = ("aceo0", "iljtf1", "nhumr", "vwy", "gqp9", "bdk6", "szx5")
_SAME_SHAPE = str.maketrans({letter: letters[0] for letters in _LOOKALIKES for letter in letters})
_GRID = (4, 3)
_CONTENT = frozenset({"cell", "table_row", "list_item"})
_LABEL_WORDS = 3
_LABEL_LETTERS = 3


def layout_signature(elements: Sequence[UIElement]) -> LayoutSignature:
    """The structure: the same for the same screen with other content (L1-3)."""
    controls, named = structure_of(elements), _named_places(elements)
    places, bar_places = _places(elements)
    labels, bar_labels = _labels(elements, named)
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
            "hashes": [*structure_hashes(named)],
            "labels": [*sorted(labels)],
            "bar_labels": [*sorted(bar_labels)],
            "places": [*sorted(places)],
            "bar_places": [*sorted(bar_places)],
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
    if element.type in FIELD_TYPES:
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
    x1, y1, x2, y2 = zip(*(element.bbox for element in elements), strict=True) if elements else ((), (), (), ())
    return {
        "ui_topology": f"{len(elements)}_elements" + (f"_{named}" if named else ""),
        "spatial_layout": "+".join(f"table_{e.metadata.get('rows', 0)}_rows" for e in tables) or "free",
        "element_types": [kind for kind, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))],
        "extent": [min(x1), min(y1), max(x2), max(y2)] if elements else [],
    }


def _name(element: UIElement) -> str:
    return _spelled(element.label)


@lru_cache(maxsize=16_384)  # the same labels come back on every screen
def _spelled(label: str) -> str:
    return without_numbers(label).replace(" ", "")  # narrow spaces are read or not


def _shape(name: str) -> str:
    return name.translate(_SAME_SHAPE)


def structure_of(elements: Iterable[UIElement]) -> tuple[str, ...]:
    """The controls as sorted words, each once: `button:valider`, `header:montant`."""
    found = set()
    for element in elements:
        name = _name(element)
        if element.metadata.get("header") and element.type == "cell":
            found.add(f"header:{name}")
        elif element.type in FIELD_TYPES:
            found.add("field:" + (name if element.metadata.get("label_from") != "content" else ""))
        elif element.type in _STRUCTURE and "#" not in name and (len(name) > 1 or element.type == "dialog"):
            kind = "mark" if element.type in ("checkbox", "radio", "toggle") else element.type
            found.add(f"{kind}:{name if kind != 'dialog' else ''}")
    return tuple(sorted(found))


def _named_places(elements: Iterable[UIElement]) -> list[tuple[str, BBox]]:
    """Short names of whatever is no content, as shapes, and where they stand."""
    found = []
    for element in elements:
        if (element.type in _CONTENT and not element.metadata.get("header")) or "row" in element.metadata:
            continue
        if element.type in FIELD_TYPES and element.metadata.get("label_from") == "content":
            continue
        words = fold(element.label).split()
        shape = _shape("".join(words))
        if len(shape) >= _LABEL_LETTERS and len(words) <= _LABEL_WORDS and not has_digit(element.label):
            found.append((shape, element.bbox))
    return found


def _labels(elements: Sequence[UIElement], named: Iterable[tuple[str, BBox]]) -> tuple[set[str], set[str]]:
    """All names, and those that stand in bars only."""
    right, bottom = _extent(elements)
    labels, own = set(), set()
    for shape, bbox in named:
        labels.add(shape)
        if not is_in_bar(bbox, right, bottom):
            own.add(shape)
    return labels, labels - own


def _places(elements: Sequence[UIElement]) -> tuple[set[str], set[str]]:
    """Which kinds stand where, coarsely, of the part of the screen that is used; and which do so in bars only."""
    right, bottom = _extent(elements)
    columns, rows = _GRID
    places, own = set(), set()
    for element in elements:
        column, row = element.center[0] * columns // right, element.center[1] * rows // bottom
        place = f"{element.type}:{min(columns - 1, column)}:{min(rows - 1, row)}"
        places.add(place)
        if not is_in_bar(element.bbox, right, bottom):
            own.add(place)
    return places, places - own


def _extent(elements: Sequence[UIElement]) -> tuple[int, int]:
    right, bottom = max((e.bbox[2] for e in elements), default=1), max((e.bbox[3] for e in elements), default=1)
    return max(1, right), max(1, bottom)


def content_signature(lines: Sequence[TextLine], elements: Sequence[UIElement]) -> ContentSignature:
    """The content: every word on the screen, and which named parts of it can be expected to vary."""
    words = [fold(line.text) for line in lines]
    variable, static = set(), set()
    for element in elements:
        title = element.metadata.get("column_title")
        if element.type in FIELD_TYPES and element.label:
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


def _digest(parts: Iterable[str]) -> str:
    return hashlib.blake2b("\n".join(parts).encode(), digest_size=16).hexdigest()
