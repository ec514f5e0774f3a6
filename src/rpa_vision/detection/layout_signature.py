"""Two signatures of a screen: its structure without its content, and its content.

The structure is the set of its controls by type and name: what stays when other invoices are listed, the theme is
changed or things move a little. Names are folded and numbers dropped, repeated controls count once. The hash is made of
the few kinds that are told apart the same way in every theme and size: buttons, named fields, titles of columns, a
dialog; and letters that readers take for each other count as one, so that a slip does not make another screen. A screen
that has none of these is known by its headings, or else by where its text stands.

Equal hashes mean the same screen; the same screen has not always the same hash, because in another zoom other controls
are in view and in another theme other things are taken for controls. So a signature also carries many small hashes of
its structure (`layout_hashes`), of which one in common is enough: `shares_hash`. And it carries all its short labels
and which kinds of elements stand where, and `layout_similarity` compares those: two signatures above `SAME_LAYOUT` are
the same screen, and `known_layout` gives a screen the signature it had before.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from pydantic import JsonValue

from rpa_vision.detection.layout_hashes import structure_hashes
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
_PLACE_SHARE = 0.5
"""How much a kind of element in a place says beside a label: less, but it is all there is where nothing has a name."""
_DIALOG_FACTOR = 0.7
"""With a dialog in front it is mostly another screen; but dark themes show things that look like dialogs."""
SAME_LAYOUT = 0.22
"""Chosen on the applications the screen encoder is trained on; see docs/models/encoder.md for what it gives."""


def layout_signature(elements: Sequence[UIElement]) -> LayoutSignature:
    """The structure: the same for the same screen with other content (L1-3)."""
    controls, named = structure_of(elements), _named_places(elements)
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
            "labels": [*sorted({shape for shape, _ in named})],
            "places": [*sorted(_places(elements))],
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


def layout_similarity(first: LayoutSignature, second: LayoutSignature) -> float:
    """How much two screens share, 0 to 1: their labels, and what stands where; 1 for equal hashes."""
    if first.hash == second.hash and first.method == second.method:
        return 1.0
    labels = _listed(first, "labels"), _listed(second, "labels")
    places = _listed(first, "places"), _listed(second, "places")
    if not (labels[0] or places[0]) or not (labels[1] or places[1]):  # nothing, or a signature of an earlier version
        places = set(), set()
        labels = _listed(first, "controls"), _listed(second, "controls")
    shared = len(labels[0] & labels[1]) + _PLACE_SHARE * len(places[0] & places[1])
    either = len(labels[0] | labels[1]) + _PLACE_SHARE * len(places[0] | places[1])
    in_front = first.components.get("dialog") == second.components.get("dialog")
    return (shared / either if either else 1.0) * (1.0 if in_front else _DIALOG_FACTOR)


def same_layout(first: LayoutSignature, second: LayoutSignature) -> bool:
    """Whether both are the same screen, with whatever content, in whatever theme and zoom."""
    return layout_similarity(first, second) >= SAME_LAYOUT


def shares_hash(first: LayoutSignature, second: LayoutSignature) -> bool:
    """Whether both have a small hash in common; where one has none, whether that of the whole is equal."""
    mine, theirs = _listed(first, "hashes"), _listed(second, "hashes")
    if mine and theirs:
        return not mine.isdisjoint(theirs)
    return first.hash == second.hash and first.method == second.method


def known_layout(fresh: LayoutSignature, known: Collection[LayoutSignature]) -> LayoutSignature:
    """The signature by which a screen is known already: of those of the same layout the nearest, else its own."""
    nearest = max(known, key=lambda one: (layout_similarity(fresh, one), one.hash), default=None)
    return nearest if nearest is not None and same_layout(fresh, nearest) else fresh


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


def _places(elements: Sequence[UIElement]) -> set[str]:
    """Which kinds stand where, coarsely; of the part of the screen that is used."""
    right, bottom = max((e.bbox[2] for e in elements), default=1), max((e.bbox[3] for e in elements), default=1)
    columns, rows = _GRID
    right, bottom = max(1, right), max(1, bottom)
    found = {(e.type, e.center[0] * columns // right, e.center[1] * rows // bottom) for e in elements}
    return {f"{kind}:{min(columns - 1, column)}:{min(rows - 1, row)}" for kind, column, row in found}


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


def _listed(signature: LayoutSignature, name: str) -> set[str]:
    values = signature.components.get(name)
    return {str(value) for value in values} if isinstance(values, list) else set()


def _digest(parts: Iterable[str]) -> str:
    return hashlib.blake2b("\n".join(parts).encode(), digest_size=16).hexdigest()
