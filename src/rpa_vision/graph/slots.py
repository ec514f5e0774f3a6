"""Variables: what differs between repetitions becomes a slot, what does not stays as it is.

The same value seen in two places of a repetition is one variable: typed into the search field here, clicked in the
list there; also where an amount or a date is written otherwise. Labels are compared the way they are read, so one
misread label among many equal ones is not a variable.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.pattern_miner import Pattern
from rpa_vision.graph.value_types import infer_variable
from rpa_vision.graph.vocabulary import letters, misread_as
from rpa_vision.models.geometry import Box
from rpa_vision.models.ids import slug
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.variables import Variable, VariableSource, literal
from rpa_vision.models.wording import folded, squeezed
from rpa_vision.models.written_values import same_value

_EMPTY_WORDS = frozenset(
    {"rechercher", "recherche", "chercher", "saisir", "saisissez", "entrer", "entrez", "indiquer", "votre", "une", "un",
     "le", "la", "les", "des", "de", "du", "d", "l", "n", "search", "find", "enter", "type", "your", "for", "the", "a",
     "an", "of"}
)  # fmt: skip
"""Words of a field's label that do not say what goes into it."""
_SAME_COLUMN_PX = 24
_INPUT_TYPES = ("text_input", "password_input", "textarea", "dropdown")

Values = tuple[str, ...]
"""One value per repetition."""


@dataclass(slots=True)
class Slots:
    """The variables of a pattern and the templates in which they stand."""

    variables: dict[str, Variable] = field(default_factory=dict)
    values: dict[str, Values] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)
    """Position → template of the typed text."""
    labels: dict[int, str | None] = field(default_factory=dict)
    """Position → template of the target's label; None where its words mean nothing."""
    rows: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Position → templates of what the target's row says."""

    def occurrence(self, repetition: int) -> dict[str, str]:
        """The values of one repetition."""
        return {name: values[repetition] for name, values in self.values.items()}


def infer_slots(pattern: Pattern) -> Slots:
    """Say what varies between the repetitions."""
    slots = Slots()
    for index in range(pattern.length):
        steps = pattern.position(index)
        if steps[0].kind == "text_input" and steps[0].secret_ref is None:
            slots.texts[index] = _typed_template(slots, steps, [step.text or "" for step in steps])
    for index in range(pattern.length):
        steps = pattern.position(index)
        elements = [step.element for step in steps]
        if all(element is not None for element in elements):
            found = [element for element in elements if element is not None]
            slots.labels[index] = _label_template(slots, steps, found)
            slots.rows[index] = _row_templates(slots, steps, found)
    return slots


def _typed_template(slots: Slots, steps: Sequence[DemoStep], values: list[str]) -> str:
    if len(set(values)) == 1:
        return literal(values[0])
    before, middles, after = _common_words(values)
    name = _variable_for(slots, steps, tuple(middles))
    return f"{literal(before)}${{{name}}}{literal(after)}"


def _common_words(values: list[str]) -> tuple[str, list[str], str]:
    """Split into the words all begin with, what differs, and the words all end with."""
    words = [value.split(" ") for value in values]
    shortest = min(len(parts) for parts in words)
    head = 0
    while head < shortest - 1 and len({parts[head] for parts in words}) == 1:
        head += 1
    tail = 0
    while tail < shortest - 1 - head and len({parts[-1 - tail] for parts in words}) == 1:
        tail += 1
    middles = [" ".join(parts[head : len(parts) - tail]) for parts in words]
    begin = " ".join(words[0][:head])
    end = " ".join(words[0][len(words[0]) - tail :]) if tail else ""
    return (begin + " " if head else ""), middles, (" " + end if tail else "")


def _label_template(slots: Slots, steps: Sequence[DemoStep], elements: list[UIElement]) -> str | None:
    labels = [_said(element) for element in elements]
    constant = _constant_label(labels)
    if constant is not None:
        return literal(constant) if constant else None
    if elements[0].type in _INPUT_TYPES or not all(labels):
        return None
    for name, values in slots.values.items():
        template = _template_with(labels, name, values)
        if template is not None:
            return template
    return f"${{{_variable_for(slots, steps, tuple(labels))}}}"


def _said(element: UIElement) -> str:
    """What the element is called. What merely stands in a field is not its name."""
    return "" if element.metadata.get("label_from") == "content" else element.label


def _constant_label(labels: list[str]) -> str | None:
    """The label all have in common, forgiving single misreadings; None when they really differ."""
    counted = Counter(letters(label) for label in labels)
    common, count = counted.most_common(1)[0]
    chosen = next(label for label in labels if letters(label) == common)
    if count == len(labels) or (count > len(labels) / 2 and all(misread_as(label, chosen) for label in labels)):
        return chosen
    return None


def _template_with(labels: list[str], name: str, values: Values) -> str | None:
    """The label as a template in which the variable's value stands, when that explains every repetition."""
    if all(same_value(label, value) for label, value in zip(labels, values, strict=True)):
        return f"${{{name}}}"
    rests = set()
    for label, value in zip(labels, values, strict=True):
        if not value or label.count(value) != 1:
            return None
        before, _, after = label.partition(value)
        rests.add((before, after))
    if len(rests) != 1:
        return None
    before, after = rests.pop()
    return f"{literal(before)}${{{name}}}{literal(after)}"


def _row_templates(slots: Slots, steps: Sequence[DemoStep], elements: list[UIElement]) -> tuple[str, ...]:
    """Which row is meant, where the same label stands in several places of the screen."""
    if elements[0].type in _INPUT_TYPES:
        return ()
    if not any(_others_like(step, element) for step, element in zip(steps, elements, strict=True)):
        return ()
    rows = [_row_texts(step, element) for step, element in zip(steps, elements, strict=True)]
    for name, values in slots.values.items():
        if all(any(same_value(text, value) for text in row) for row, value in zip(rows, values, strict=True)):
            return (f"${{{name}}}",)
    width = min(len(row) for row in rows)
    for column in range(width):
        values = tuple(row[column] for row in rows)
        if len({squeezed(value) for value in values}) == len(values):
            return (f"${{{_variable_for(slots, steps, values)}}}",)
    return _constant_row(rows, steps, elements)


def _constant_row(rows: list[list[str]], steps: Sequence[DemoStep], elements: list[UIElement]) -> tuple[str, ...]:
    """The text that stands beside it every time and beside none of those like it."""
    for text in rows[0]:
        wanted = squeezed(text)
        always = all(any(squeezed(other) == wanted for other in row) for row in rows)
        elsewhere = any(
            squeezed(other) == wanted
            for step, element in zip(steps, elements, strict=True)
            for twin in _others_like(step, element)
            for other in _row_texts(step, twin)
        )
        if always and not elsewhere:
            return (literal(text),)
    return ()


def _others_like(step: DemoStep, element: UIElement) -> list[UIElement]:
    """What says the same, so that words alone do not say which is meant; of things without words, those in line."""
    said, box = folded(element.label), Box.of(element.bbox)
    return [
        other
        for other in step.before.state.ui_elements
        if other.element_id != element.element_id
        and other.type == element.type
        and folded(other.label) == said
        and (said or abs(Box.of(other.bbox).center[0] - box.center[0]) <= _SAME_COLUMN_PX)
    ]


def _row_texts(step: DemoStep, element: UIElement) -> list[str]:
    """What stands beside an element, from left to right."""
    return [other.label for other in row_of(element, step.before.state.ui_elements) if other.label]


def row_of(element: UIElement, elements: Sequence[UIElement]) -> list[UIElement]:
    """The elements on the same line of a list as this one, itself left out, from left to right."""
    box = Box.of(element.bbox)
    beside = []
    for other in elements:
        place = Box.of(other.bbox)
        overlap = min(box.y2, place.y2) - max(box.y1, place.y1)
        same_line = overlap > 0.5 * min(box.height, place.height) and place.height < 3 * box.height
        if other.element_id != element.element_id and same_line and place.intersection(box) is None:
            beside.append(other)
    return sorted(beside, key=lambda other: other.bbox[0])


def _variable_for(slots: Slots, steps: Sequence[DemoStep], values: Values) -> str:
    """The variable that has these values, a new one where there is none."""
    for name, known in slots.values.items():
        if all(same_value(one, other) for one, other in zip(known, values, strict=True)):
            return name
    name = _free_name(slots, _suggested_name(steps, values))
    slots.values[name] = values
    slots.variables[name] = infer_variable(
        values, VariableSource(method="parameter", element_label=_field_label(steps))
    )
    return name


def _field_label(steps: Sequence[DemoStep]) -> str | None:
    element = steps[0].element
    if element is None:
        return None
    header = element.metadata.get("column_title")
    if isinstance(header, str) and header:
        return header
    if element.type in _INPUT_TYPES:
        constant = _constant_label([step.element.label if step.element else "" for step in steps])
        return constant or None
    return None


def _suggested_name(steps: Sequence[DemoStep], values: Values) -> str:
    label = _field_label(steps)
    if label:
        words = slug(label, fallback="").split("_")
        telling = [word for word in words if word not in _EMPTY_WORDS] or words
        name = "_".join(telling)[:32].strip("_")
        if name and not name[0].isdigit():
            return name
    subtype = infer_variable(values, VariableSource(method="parameter")).subtype
    return {"id": "identifier", "amount": "amount", "date": "date", "email": "email"}.get(subtype or "", "value")


def _free_name(slots: Slots, wanted: str) -> str:
    if wanted not in slots.variables:
        return wanted
    number = 2
    while f"{wanted}_{number}" in slots.variables:
        number += 1
    return f"{wanted}_{number}"
