"""What goes through the clipboard: copied here, pasted there, one variable between them.

Its value is read where it was pasted, from the field in which it appeared; a run takes it from the clipboard itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.outline import Outline
from rpa_vision.graph.places import Place
from rpa_vision.graph.slots import Slots, free_name, name_of
from rpa_vision.graph.sources import in_order
from rpa_vision.graph.value_types import infer_variable
from rpa_vision.graph.vocabulary import contains, words_of
from rpa_vision.models.geometry import Box
from rpa_vision.models.variables import Variable, VariableSource

_COPY = ({"CTRL", "C"}, {"CTRL", "INSERT"})
"""Cutting is none of them: it also takes away, and stays the key it is."""
_PASTE = ({"CTRL", "V"}, {"SHIFT", "INSERT"})


def add_clipboard(outline: Outline, slots: Slots) -> None:
    """Make a variable of everything that was copied and pasted in the same case."""
    order = in_order(outline.items)
    copied: int | None = None
    for index in order:
        place = outline.places[index]
        if _is(place, _COPY):
            copied = index
        elif copied is not None and _is(place, _PASTE):
            if copied not in slots.copies:
                slots.copies[copied] = _variable(outline, slots, index, order)
            slots.copies[index] = slots.copies[copied]


def pastes(step: DemoStep) -> bool:
    """Whether the keys of a step paste."""
    return step.kind == "key_press" and set(step.keys) in _PASTE


def _is(place: Place, chords: Sequence[set[str]]) -> bool:
    return all(step.kind == "key_press" and set(step.keys) in chords for step in place.steps)


def _variable(outline: Outline, slots: Slots, pasted: int, order: Sequence[int]) -> str:
    place = outline.places[pasted]
    values = {
        case: text
        for case, step in zip(place.cases, place.steps, strict=True)
        if (text := next(_appeared(step), None)) is not None
    }
    label = _field(outline, pasted, order)
    source = VariableSource(method="clipboard", element_label=label)
    name = free_name(slots.variables, name_of(label) or "copied")
    known = infer_variable(list(values.values()), source) if values else Variable(type="string", source=source)
    slots.variables[name] = known
    slots.values[name] = values
    return name


def _field(outline: Outline, pasted: int, order: Sequence[int]) -> str | None:
    """What the field is called that was clicked right before pasting."""
    at = order.index(pasted)
    before = outline.places[order[at - 1]].steps[-1].element if at > 0 else None
    return before.label or None if before is not None and before.type in FIELD_TYPES else None


def _appeared(step: DemoStep) -> Iterator[str]:
    """Texts in fields that were not there before."""
    after = step.settled or step.after
    if after is None:
        return
    before = words_of(step.before.state)
    fields = [Box.of(element.bbox) for element in after.state.ui_elements if element.type in FIELD_TYPES]
    for line in after.state.perception.text_lines:
        inside = any(field.contains(Box.of(line.bbox).center) for field in fields)
        if inside and not contains(before, line.text):
            yield line.text
