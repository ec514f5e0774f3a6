"""Read a value from the screen into a variable: found by its label or its place in a list, then held to its type.

What cannot be read, or could be two things, or is not what the variable may be, is no value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.errors import ParameterError
from rpa_vision.graph.sightings import Sighted, seen_by_label, seen_in_column
from rpa_vision.graph.value_types import check_value
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.variables import Variable, fill
from rpa_vision.models.wording import squeezed
from rpa_vision.models.written_values import same_value


@dataclass(frozen=True, slots=True)
class ReadValue:
    """The value, as it will be used."""

    text: str


@dataclass(frozen=True, slots=True)
class Unread:
    """Why there is none."""

    why: str


def names_its_place(target: TargetSpec) -> bool:
    """Whether the target says by words where the value stands, so that no element has to be found by its look. Nothing
    else it says is looked at then; `obstacles` refuses what would be."""
    return target.label is not None or target.column is not None


def read_place(target: TargetSpec, state: ScreenState, values: Mapping[str, str]) -> Sighted | None:
    """What stands where the target says; None where not exactly one thing does."""
    rows = [fill(text, dict(values)) for text in target.row_contains]
    if target.column is not None:
        return seen_in_column(state, fill(target.column, dict(values)), rows)
    return seen_by_label(state, fill(target.label or "", dict(values)))


def read_element(element: UIElement) -> str:
    """What an element says: of a field what is in it."""
    value = element.metadata.get("value")
    if element.type in FIELD_TYPES:
        return value if isinstance(value, str) else ""
    return element.label


def read_source(variable: Variable, state: ScreenState) -> Sighted | None:
    """What stands where the variable itself says it comes from; None where not exactly one thing does."""
    source = variable.source
    if source.element_label is not None:
        return seen_by_label(state, source.element_label)
    if source.element_role is None:
        return None
    said = {
        squeezed(text): Sighted(text, one)
        for one in state.ui_elements
        if one.plays(source.element_role) and (text := read_element(one))
    }
    return next(iter(said.values())) if len(said) == 1 else None


def source_name(variable: Variable) -> str:
    """What a person calls the place a variable is read from."""
    label = variable.source.element_label
    return f"« {label} »" if label is not None else f"the element with the role {variable.source.element_role}"


def accepted(name: str, variable: Variable | None, text: str, given: str | None = None) -> ReadValue | Unread:
    """Hold what was read to what the variable may be; `given` is what a person said it is. What a secret was read as is
    not told."""
    read = _accepted(name, variable, text, given)
    if isinstance(read, Unread) and variable is not None and variable.subtype == "secret":
        return Unread(f"what was read is no {name}")
    return read


def _accepted(name: str, variable: Variable | None, text: str, given: str | None) -> ReadValue | Unread:
    if variable is None:
        return ReadValue(text.strip()) if text.strip() else Unread(f"nothing was read for {name}")
    pattern = variable.source.extraction_pattern
    if pattern is not None:
        found = {match[match.lastindex or 0] for match in re.finditer(pattern, text)}
        if len(found) != 1:
            shown = "nothing" if not found else f"{len(found)} things"
            return Unread(f"« {text} » holds {shown} like {pattern}, so that {name} is not known")
        text = found.pop()
    try:
        value = check_value(name, variable, text)
    except ParameterError as error:
        return Unread(f"what was read is no {name}: {error}")
    if not value:
        return Unread(f"nothing was read for {name}")
    if given is not None and not same_value(given, value):
        return Unread(f"{name} was given as « {given} », but the screen says « {value} »")
    return ReadValue(value)
