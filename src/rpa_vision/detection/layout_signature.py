"""Two signatures of a screen: its structure without its content, and its content.

The structure is the set of its controls by type and name: what stays when other invoices are listed, the theme is
changed or things move a little. Names are folded and numbers dropped, repeated controls count once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from rpa_vision.detection.words import fold, has_digit, without_numbers
from rpa_vision.models.screen_state import ContentSignature, LayoutSignature, TextLine
from rpa_vision.models.ui_element import UIElement

METHOD = "controls_1"
_FIRM = ("button:", "field:", "header:", "dialog:")
"""What the hash is made of: the kinds that are told apart the same way in every theme and size."""
_STRUCTURE = frozenset(
    {"button", "text_input", "password_input", "textarea", "dropdown", "checkbox", "radio", "toggle", "tab",
     "menu_item", "dialog"}
)  # fmt: skip
_FIELDS = frozenset({"text_input", "password_input", "textarea", "dropdown"})


def layout_signature(elements: Sequence[UIElement]) -> LayoutSignature:
    """The structure: the same for the same screen with other content (L1-3)."""
    controls = structure_of(elements)
    return LayoutSignature(
        hash=_digest(control for control in controls if control.startswith(_FIRM)),
        method=METHOD,
        components={"controls": list(controls), "dialog": any(element.type == "dialog" for element in elements)},
    )


def structure_of(elements: Iterable[UIElement]) -> tuple[str, ...]:
    """The controls as sorted words, each once: `button:valider`, `header:montant`."""
    found = set()
    for element in elements:
        name = without_numbers(element.label).replace(" ", "")  # narrow spaces are read or not
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
