"""A screen in a sentence or two, made from a template: what a person would say is on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rpa_vision.models.screen_state import DebugView, TextLine
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.window import WindowContext

GENERATED_BY = "template"
_KEY_TYPES = ("dialog", "heading", "button", "text_input", "password_input", "dropdown", "checkbox", "radio")
_MOST_KEYS = 16


def summarise(window: WindowContext, elements: Sequence[UIElement], lines: Sequence[TextLine]) -> DebugView:
    """Describe the screen; says that a template did it (L1-4)."""
    counts = Counter(element.type for element in elements)
    parts = [f"{count} {kind}" for kind, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]
    where = " — ".join(part for part in (window.app_name, window.title) if part) or "Unnamed window"
    dialog = next((element for element in elements if element.type == "dialog"), None)
    heading = next((element.label for element in elements if element.type == "heading"), "")
    sentences = [f"{where}: {', '.join(parts) if parts else 'nothing recognised'}."]
    if heading:
        sentences.append(f"Heading « {heading} ».")
    if dialog is not None:
        sentences.append(f"A dialog{f' « {dialog.label} »' if dialog.label else ''} covers the rest.")
    keys = [element for kind in _KEY_TYPES for element in elements if element.type == kind and element.label]
    return DebugView(
        summary=" ".join(sentences),
        key_elements=tuple(f"{element.type}: {element.label}" for element in keys[:_MOST_KEYS]),
        anomalies=tuple(_anomalies(elements, lines)),
        generated_by=GENERATED_BY,
    )


def _anomalies(elements: Sequence[UIElement], lines: Sequence[TextLine]) -> list[str]:
    found = []
    if not elements:
        found.append("no element recognised")
    unsure = sum(line.confidence < 0.6 for line in lines)
    if lines and unsure > 0.3 * len(lines):
        found.append(f"{unsure} of {len(lines)} lines were hard to read")
    names = Counter(element.label for element in elements if element.type == "button" and element.label)
    found += [f"{count} buttons are named « {name} »" for name, count in sorted(names.items()) if count > 1]
    return found
