"""Variables: what differs between repetitions becomes a slot, what does not stays as it is.

The same value seen in two places of a repetition is one variable: typed into the search field here, clicked in the
list there; also where an amount or a date is written otherwise. Labels are compared the way they are read, so one
misread label among many equal ones is not a variable.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from rpa_vision.graph.coincidence import may_be_chance
from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.places import Place, Shown
from rpa_vision.graph.value_types import infer_variable
from rpa_vision.graph.vocabulary import letters, misread_as, same_words
from rpa_vision.models.day_forms import day_form
from rpa_vision.models.geometry import Box
from rpa_vision.models.ids import slug
from rpa_vision.models.ui_element import FIELD_TYPES, UIElement
from rpa_vision.models.variables import Variable, VariableSource, literal
from rpa_vision.models.wording import folded, squeezed
from rpa_vision.models.written_values import as_date, as_number, same_value

_EMPTY_WORDS = frozenset(
    {"rechercher", "recherche", "chercher", "saisir", "saisissez", "entrer", "entrez", "indiquer", "votre", "une", "un",
     "le", "la", "les", "des", "de", "du", "d", "l", "n", "search", "find", "enter", "type", "your", "for", "the", "a",
     "an", "of"}
)  # fmt: skip
"""Words of a field's label that do not say what goes into it."""
_SAME_COLUMN_PX = 24
_MIN_PART = 3
"""A shorter value within a longer text is there by chance."""
_DATA_TYPES = ("link", "cell", "list_item", "table_row")
"""What may be what a list holds, and no control."""

Values = Mapping[int, str]
"""Case → value. A round has the values of its go too."""


@dataclass(slots=True)
class Slots:
    """The variables of a pattern and the templates in which they stand."""

    variables: dict[str, Variable] = field(default_factory=dict)
    values: dict[str, Values] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)
    """Position → template of the text that is typed or pasted."""
    labels: dict[int, str | None] = field(default_factory=dict)
    """Position → template of the target's label; None where its words mean nothing."""
    rows: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Position → templates of what the target's row says."""

    copies: dict[int, str] = field(default_factory=dict)
    """Position of a copy → the variable that goes through the clipboard."""
    parents: Mapping[int, int] = field(default_factory=dict)
    """Round → the go it belongs to."""

    def occurrence(self, case: int) -> dict[str, str]:
        """The values of one case."""
        found = {name: self.value(name, case) for name in self.values}
        return {name: value for name, value in found.items() if value is not None}

    def value(self, name: str, case: int) -> str | None:
        """The value of a variable in one case; a round that has none of its own has that of its go."""
        values = self.values.get(name, {})
        return values.get(case, values.get(self.parents.get(case, case)))

    def known(self, name: str, cases: Sequence[int]) -> list[str] | None:
        """The values of a variable in these cases, None where one of them has none."""
        found = [self.value(name, case) for case in cases]
        return [value for value in found if value is not None] if None not in found else None


def infer_slots(shown: Shown, times: Mapping[int, Mapping[int, date]] | None = None) -> Slots:
    """Say what varies between the cases. `times`: of each place, on which day each of its cases was shown."""
    slots = Slots(parents=shown.parents)
    for index, place in enumerate(shown.places):
        if place.steps[0].kind == "text_input" and place.steps[0].secret_ref is None:
            slots.texts[index] = _typed_template(slots, place, (times or {}).get(index, {}))
    for index, place in enumerate(shown.places):
        elements = [step.element for step in place.steps]
        if all(element is not None for element in elements):
            found = [element for element in elements if element is not None]
            slots.labels[index] = _label_template(slots, place, found)
            slots.rows[index] = _row_templates(slots, place, found)
    return slots


def _typed_template(slots: Slots, place: Place, days: Mapping[int, date]) -> str:
    values = [step.text or "" for step in place.steps]
    if _is_today(values, [days.get(case) for case in place.cases]):
        return f"${{{_today(slots, place, values)}}}"
    return _template_of(slots, place, values)


def _template_of(slots: Slots, place: Place, values: list[str]) -> str:
    """The texts as one template: what they share as it is, values known from elsewhere and what else differs named."""
    if len(set(values)) == 1:
        return literal(values[0])
    for name in sorted(slots.values):
        known = slots.known(name, place.cases)
        if known is not None and all(len(value) >= _MIN_PART and text.count(value) == 1 for text, value in
                                     zip(values, known, strict=True)):  # fmt: skip
            parts = [text.partition(value) for text, value in zip(values, known, strict=True)]
            before, after = [part[0] for part in parts], [part[2] for part in parts]
            return f"{_template_of(slots, place, before)}${{{name}}}{_template_of(slots, place, after)}"
    begin, middles, end = _common_words(values)
    return f"{literal(begin)}${{{variable_for(slots, place, middles)}}}{literal(end)}"


def _is_today(values: Sequence[str], days: Sequence[date | None]) -> bool:
    """Whether what was typed is, each time, the day on which it was typed."""
    typed = [as_date(value) for value in values]
    return all(
        moment is not None and day is not None and moment.date() == day for moment, day in zip(typed, days, strict=True)
    )


def _today(slots: Slots, place: Place, values: Sequence[str]) -> str:
    """The variable that is the day of the run."""
    for name, variable in slots.variables.items():
        if variable.source.method == "system_time" and day_form([*values, *map(str, variable.example_values)]):
            slots.values[name] = {**slots.values[name], **dict(zip(place.cases, values, strict=True))}
            return name
    source = VariableSource(method="system_time", element_label=_field_label(place.steps))
    name = free_name(slots.variables, _suggested_name(place.steps, values))
    slots.values[name] = dict(zip(place.cases, values, strict=True))
    slots.variables[name] = infer_variable(values, source).model_copy(update={"required": False})
    return name


def _common_words(values: list[str]) -> tuple[str, list[str], str]:
    """Split into the words all begin with, what differs, and the words all end with. Amounts and dates stay whole."""
    if all(as_number(value) is not None or as_date(value) is not None for value in values):
        return "", values, ""
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
    if tail and all(as_number(middle) is not None and as_number(f"{middle} {end}") is not None for middle in middles):
        middles, tail = [f"{middle} {end}" for middle in middles], 0  # an amount and its currency are one value
    return (begin + " " if head else ""), middles, (" " + end if tail else "")


def _label_template(slots: Slots, place: Place, elements: list[UIElement]) -> str | None:
    labels = [_said(element) for element in elements]
    constant = _constant_label(labels, may_be_data=any(element.type in _DATA_TYPES for element in elements))
    if constant is not None:
        return literal(constant) if constant else None
    if elements[0].type in FIELD_TYPES or not all(labels):
        return None
    for name, values in _known(slots, place):
        template = _template_with(labels, name, values)
        if template is not None:
            return template
    return f"${{{variable_for(slots, place, labels)}}}"


def _said(element: UIElement) -> str:
    """What the element is called. What merely stands in a field is not its name."""
    return "" if element.metadata.get("label_from") == "content" else element.label


def _constant_label(labels: list[str], *, may_be_data: bool = False) -> str | None:
    """The label all have in common, forgiving single misreadings; None when they really differ. What came twice was not
    misread, and of what lists hold another letter makes another name: « Gautier », « Gauthier »."""
    counted = Counter(letters(label) for label in labels)
    common, count = counted.most_common(1)[0]
    chosen = next(label for label in labels if letters(label) == common)
    others = [label for label in labels if letters(label) != common]
    forgiven = same_words if may_be_data else misread_as
    once = all(times == 1 for read, times in counted.items() if read != common) or may_be_data
    if count > len(labels) / 2 and once and all(forgiven(label, chosen) for label in others):
        return chosen
    return None


def _template_with(labels: list[str], name: str, values: Sequence[str]) -> str | None:
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


def _row_templates(slots: Slots, place: Place, elements: list[UIElement]) -> tuple[str, ...]:
    """Which row is meant, where the same label stands in several places of the screen."""
    steps = place.steps
    if elements[0].type in FIELD_TYPES:
        return ()
    if not any(_others_like(step, element) for step, element in zip(steps, elements, strict=True)):
        return ()
    rows = [_row_texts(step, element) for step, element in zip(steps, elements, strict=True)]
    for name, known in _known(slots, place):
        if all(any(same_value(text, value) for text in row) for row, value in zip(rows, known, strict=True)):
            return (f"${{{name}}}",)
    width = min(len(row) for row in rows)
    for column in range(width):
        values = [row[column] for row in rows]
        if len({squeezed(value) for value in values}) == len(values):
            return (f"${{{variable_for(slots, place, values, _header(steps[0], elements[0], column))}}}",)
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
    """The elements on the same line of a list as this one, itself left out, from left to right.

    What stands in a table has its row in that table: a text level with it elsewhere on the screen says nothing of it.
    """
    box = Box.of(element.bbox)
    tables = [Box.of(one.bbox) for one in elements if one.type == "table" and one.element_id != element.element_id]
    table = min((one for one in tables if one.contains(element.center)), key=lambda one: one.area, default=None)
    beside = []
    for other in elements:
        place = Box.of(other.bbox)
        if table is not None and not table.contains(place.center):
            continue
        overlap = min(box.y2, place.y2) - max(box.y1, place.y1)
        same_line = overlap > 0.5 * min(box.height, place.height) and place.height < 3 * box.height
        if other.element_id != element.element_id and same_line and place.intersection(box) is None:
            beside.append(other)
    return sorted(beside, key=lambda other: other.bbox[0])


def variable_for(slots: Slots, place: Place, values: Sequence[str], label: str | None = None) -> str:
    """The variable that has these values, a new one where there is none; `label` is what it is called on the screen."""
    for name, known in _known(slots, place):
        if all(same_value(one, other) for one, other in zip(known, values, strict=True)):
            return name
    label = label or _field_label(place.steps)
    name = free_name(slots.variables, name_of(label) or _suggested_name(place.steps, values))
    slots.values[name] = dict(zip(place.cases, values, strict=True))
    slots.variables[name] = infer_variable(values, VariableSource(method="parameter", element_label=label))
    return name


def _known(slots: Slots, place: Place) -> Iterator[tuple[str, list[str]]]:
    """The variables that are known in all cases of a place, and by whose values something can be told to be them."""
    for name in slots.values:
        values = slots.known(name, place.cases)
        if values is not None and not may_be_chance(values):
            yield name, values


def _header(step: DemoStep, element: UIElement, column: int) -> str | None:
    """What the nth thing beside an element is called, where it stands under a header."""
    beside = [other for other in row_of(element, step.before.state.ui_elements) if other.label]
    title = beside[column].metadata.get("column_title") if column < len(beside) else None
    return title if isinstance(title, str) and title else None


def _field_label(steps: Sequence[DemoStep]) -> str | None:
    element = steps[0].element
    if element is None:
        return None
    header = element.metadata.get("column_title")
    if isinstance(header, str) and header:
        return header
    if element.type in FIELD_TYPES:
        constant = _constant_label([step.element.label if step.element else "" for step in steps])
        return constant or None
    return None


def _suggested_name(steps: Sequence[DemoStep], values: Sequence[str]) -> str:
    subtype = infer_variable(values, VariableSource(method="parameter")).subtype
    kinds = {"id": "identifier", "amount": "amount", "date": "date", "email": "email"}
    return name_of(_field_label(steps)) or kinds.get(subtype or "", "value")


def name_of(label: str | None) -> str | None:
    """The words of a label that say what it is, as a name."""
    words = slug(label or "", fallback="").split("_")
    telling = [word for word in words if word not in _EMPTY_WORDS] or words
    name = "_".join(telling)[:32].strip("_")
    return name if name and not name[0].isdigit() else None


def free_name(taken: Collection[str], wanted: str) -> str:
    """A name that is not taken yet."""
    if wanted not in taken:
        return wanted
    number = 2
    while f"{wanted}_{number}" in taken:
        number += 1
    return f"{wanted}_{number}"
