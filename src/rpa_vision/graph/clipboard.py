"""What goes through the clipboard: copied here, pasted there, one variable between them.

A paste takes what was copied last in its case, and only if what appeared is what other pastes of that copy put in.
Where something else was put on the clipboard since, or before the task began, nobody knows what it will hold the next
time: what is pasted is then a value like one that is typed, read on the screen or asked for. Nothing is ever pasted
blindly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.graph.copying import copies, fills_clipboard, pastes, pastes_by_click
from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.outline import Outline
from rpa_vision.graph.places import Place
from rpa_vision.graph.slots import Slots, free_name, name_of, variable_for
from rpa_vision.graph.sources import in_order
from rpa_vision.graph.value_types import infer_variable
from rpa_vision.graph.vocabulary import contains, misread_as, words_of
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import TextLine
from rpa_vision.models.variables import Variable, VariableSource, literal
from rpa_vision.models.wording import squeezed
from rpa_vision.models.written_values import same_value


def add_clipboard(outline: Outline, slots: Slots) -> None:
    """Say of every paste what it puts in, and of what was copied for it which variable it is."""
    order = in_order(outline.items)
    for at, index in enumerate(order):
        place, earlier = outline.places[index], order[:at]
        by_keys = all(map(pastes, place.steps))
        if not by_keys and not _is_blind_click(outline, earlier, place):
            continue
        read, label = _read(place), _field(outline, earlier)
        source = _source(outline, earlier, place) if by_keys else None
        name = _copied(slots, source, read, label) if source is not None else None
        slots.texts[index] = f"${{{name}}}" if name is not None else _given(slots, place, read, label)


def _is_blind_click(outline: Outline, earlier: Sequence[int], place: Place) -> bool:
    """Whether « Coller » was clicked though nothing was put on the clipboard before in the task."""
    return all(map(pastes_by_click, place.steps)) and not any(
        _fills(outline, at, case) for at in earlier for case in place.cases
    )


def _source(outline: Outline, earlier: Sequence[int], place: Place) -> int | None:
    """The one copy that every case of a paste took its value from; None where they took it from elsewhere."""
    found = {next((at for at in reversed(earlier) if _fills(outline, at, case)), None) for case in place.cases}
    source = found.pop() if len(found) == 1 else None
    if source is None or not all(map(copies, outline.places[source].steps)):
        return None
    own = set(outline.places[source].cases)
    return source if all({case, outline.parents.get(case, case)} & own for case in place.cases) else None


def _fills(outline: Outline, index: int, case: int) -> bool:
    """Whether something was put on the clipboard there in a case, in its go, or in one of its rounds."""
    place, parents = outline.places[index], outline.parents
    return any(
        fills_clipboard(step)
        for own, step in zip(place.cases, place.steps, strict=True)
        if case in (own, parents.get(own)) or own == parents.get(case)
    )


def _copied(slots: Slots, source: int, read: Mapping[int, str], label: str | None) -> str | None:
    """The variable of what was copied there; None where another value appeared than in earlier pastes of it."""
    name = slots.copies.get(source)
    if name is None:
        origin = VariableSource(method="clipboard", element_label=label)
        name = slots.copies[source] = free_name(slots.variables, name_of(label) or "copied")
        known = infer_variable(list(read.values()), origin) if read else Variable(type="string", source=origin)
        slots.variables[name], slots.values[name] = known, dict(read)
        return name
    for case, text in read.items():
        before = slots.value(name, case)
        if before is not None and not same_value(before, text) and not misread_as(text, before):
            return None
    slots.values[name] = {**read, **slots.values[name]}
    return name


def _given(slots: Slots, place: Place, read: Mapping[int, str], label: str | None) -> str:
    """What is pasted that was not copied before: always the same, or a value like one that is typed. What could not be
    read every time is asked for."""
    values = list(read.values())
    if len(read) == len(place.cases):
        if len(set(map(squeezed, values))) == 1:
            return literal(values[0])
        return f"${{{variable_for(slots, place, values, label)}}}"
    name = free_name(slots.variables, name_of(label) or "pasted")
    origin = VariableSource(method="parameter", element_label=label)
    told = "what is pasted here; it could not be read in the demonstrations"
    known = infer_variable(values, origin) if values else Variable(type="string", source=origin)
    slots.variables[name], slots.values[name] = known.model_copy(update={"description": told}), dict(read)
    return f"${{{name}}}"


def _field(outline: Outline, earlier: Sequence[int]) -> str | None:
    """What the field is called that was clicked right before pasting."""
    before = outline.places[earlier[-1]].steps[-1].element if earlier else None
    return before.label or None if before is not None and before.type in FIELD_TYPES else None


def _read(place: Place) -> dict[int, str]:
    """What appeared by pasting, in each case in which that could be read."""
    read = {case: _appeared(step) for case, step in zip(place.cases, place.steps, strict=True)}
    return {case: text for case, text in read.items() if text}


def _appeared(step: DemoStep) -> str | None:
    """The text in a field that was not there before; where no field shows one, the only one that is new at all."""
    after = step.settled or step.after
    if after is None:
        return None
    before = words_of(step.before.state)
    new = [line for line in after.state.perception.text_lines if not contains(before, line.text)]
    fields = [Box.of(element.bbox) for element in after.state.ui_elements if element.type in FIELD_TYPES]
    for field in fields:
        inside = [line for line in new if field.contains(Box.of(line.bbox).center)]
        if inside:
            return _added(inside[0].text, _lines_in(field, step.before))
    return new[0].text if len({squeezed(line.text) for line in new}) == 1 else None


def _lines_in(field: Box, screen: ObservedScreen) -> list[TextLine]:
    return [line for line in screen.state.perception.text_lines if field.contains(Box.of(line.bbox).center)]


def _added(text: str, before: Sequence[TextLine]) -> str:
    """The text without what the field said already, before or behind it."""
    for line in before:
        for rest in (text.removeprefix(line.text), text.removesuffix(line.text)):
            if rest != text and rest.strip():
                return rest.strip()
    return text
