"""A screen in a sentence or two, made from a template: what a person would say is on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rpa_vision.detection.words import fold, has_digit, says
from rpa_vision.models.screen_state import DebugView, ElementGroup, TextLine
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.window import WindowContext

GENERATED_BY = "template"
TROUBLE = (
    "erreur", "echec", "refuse", "refusee", "impossible", "introuvable", "expire", "expiree", "error", "failed",
    "failure", "denied", "not found", "expired", "unable", "cannot",
)  # fmt: skip
_KEY_TYPES = ("dialog", "heading", "button", "text_input", "password_input", "dropdown", "checkbox", "radio", "tab")
_MOST_KEYS = 16
_MOST_WORDS = 8


def summarise(
    window: WindowContext,
    elements: Sequence[UIElement],
    lines: Sequence[TextLine],
    groups: Sequence[ElementGroup] = (),
) -> DebugView:
    """Describe the screen; says that a template did it (L1-4)."""
    counts = Counter(element.type for element in elements)
    parts = [f"{count} {kind}" for kind, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]
    where = " — ".join(part for part in (window.app_name, window.title) if part) or "Unnamed window"
    dialog = next((element for element in elements if element.type == "dialog"), None)
    heading = next((element.label for element in elements if element.type == "heading"), "")
    sentences = [f"{where}: {', '.join(parts) if parts else 'nothing recognised'}."]
    if heading:
        sentences.append(f"Heading « {heading} ».")
    sentences += [_of_table(group) for group in groups if group.kind == "table"]
    sentences += [_of_form(group) for group in groups if group.kind == "form"]
    main = [e for e in elements if e.action_affordance and e.action_affordance.primary_action_score >= 0.6]
    if main:
        sentences.append(f"To press: {', '.join(_pressed(element, elements) for element in main[:4])}.")
    if dialog is not None:
        sentences.append(f"A dialog{f' « {dialog.label} »' if dialog.label else ''} covers the rest.")
    keys = [element for kind in _KEY_TYPES for element in elements if element.type == kind and element.label]
    told = [f"{element.type}: {element.label}{_state(element)}" for element in keys[:_MOST_KEYS]]
    return DebugView(
        summary=" ".join(sentences),
        key_elements=(*told, *_counted(elements)),
        anomalies=tuple(_anomalies(elements, lines)),
        generated_by=GENERATED_BY,
    )


def _of_table(group: ElementGroup) -> str:
    headers, rows = group.metadata.get("headers"), group.metadata.get("rows")
    named = [str(header) for header in headers if header] if isinstance(headers, list) else []
    lines = int(rows) - bool(named) if isinstance(rows, int) else 0
    columns = f" with columns {', '.join(named[:_MOST_WORDS])}" if named else ""
    return f"A table of {lines} rows{columns}."


def _of_form(group: ElementGroup) -> str:
    fields = group.metadata.get("fields")
    named = [str(field) for field in fields[:_MOST_WORDS]] if isinstance(fields, list) else []
    return f"A form with {', '.join(named)}." if named else "A form without names."


def _pressed(element: UIElement, elements: Sequence[UIElement]) -> str:
    return f"« {element.label} » {_place(element, elements)}{_state(element)}"


def _place(element: UIElement, elements: Sequence[UIElement]) -> str:
    right, bottom = max(e.bbox[2] for e in elements), max(e.bbox[3] for e in elements)
    x, y = element.center[0] / right, element.center[1] / bottom
    across = "left" if x < 0.34 else "right" if x > 0.66 else "middle"
    down = "top" if y < 0.34 else "bottom" if y > 0.66 else "centre"
    return f"{down} {across}"


def _state(element: UIElement) -> str:
    state = element.state
    if state is None:
        return ""
    facts = [
        name
        for name, holds in (
            ("disabled", state.enabled is False), ("checked", state.checked), ("focused", state.focused),
            ("selected", state.selected),
        )
        if holds
    ]  # fmt: skip
    return f" ({', '.join(facts)})" if facts else ""


def _counted(elements: Sequence[UIElement]) -> list[str]:
    """Words that come back in a column, such as a status: « 12 × À valider »."""
    words: dict[str, Counter[str]] = {}
    for element in elements:
        title = element.metadata.get("column_title")
        if isinstance(title, str) and title and element.label and not has_digit(element.label):
            words.setdefault(title, Counter())[element.label] += 1
    told = []
    for title, counter in sorted(words.items()):
        rows = sum(counter.values())
        if rows >= 4 and 1 < len(counter) <= min(_MOST_WORDS, rows // 2):
            told += [
                f"{title}: {count} × {word}" for word, count in sorted(counter.items(), key=lambda i: (-i[1], i[0]))
            ]
    return told[:_MOST_WORDS]


def _anomalies(elements: Sequence[UIElement], lines: Sequence[TextLine]) -> list[str]:
    found = []
    if not elements:
        found.append("no element recognised")
    unsure = sum(line.confidence < 0.6 for line in lines)
    if lines and unsure > 0.3 * len(lines):
        found.append(f"{unsure} of {len(lines)} lines were hard to read")
    names = Counter(e.label for e in elements if e.type == "button" and e.label and "row" not in e.metadata)
    found += [f"{count} buttons are named « {name} »" for name, count in sorted(names.items()) if count > 1]
    loose = [e for e in elements if e.type in ("label", "heading", "dialog") and "row" not in e.metadata]
    found += [f"it says « {e.label} »" for e in loose if len(fold(e.label)) >= 5 and says(e.label, TROUBLE)][:4]
    main = [e for e in elements if e.action_affordance and e.action_affordance.primary_action_score >= 0.6]
    found += [f"« {e.label} » is disabled" for e in main if e.state is not None and e.state.enabled is False]
    return found
