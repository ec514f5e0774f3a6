"""Where the values of variables come from: typed because they were read before, or given by the person.

A value that stood on an earlier screen of the same case, every time, at a place that can be named, was read there. A
run reads it again; the person is not asked for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rpa_vision.graph.coincidence import may_be_chance
from rpa_vision.graph.evidence import Reading, fields_written, readings, stages_of
from rpa_vision.graph.outline import Fork, Item, Outline, Rounds
from rpa_vision.graph.slots import Slots
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import VariableSource, variables_in
from rpa_vision.models.written_values import same_value


@dataclass(frozen=True, slots=True)
class Extraction:
    """A value read into a variable, from a target on the screen before a place or at a fork."""

    place: int | Fork
    variable: str
    target: TargetSpec


@dataclass(slots=True)
class Sources:
    """What a run reads by itself."""

    extractions: list[Extraction] = field(default_factory=list)

    def at(self, place: int | Fork) -> list[Extraction]:
        """What is read on the screen before a place, or at a fork."""
        return [one for one in self.extractions if one.place == place]

    def add(self, slots: Slots, reading: Reading, name: str) -> None:
        """Read a variable there from now on."""
        if any(one.variable == name for one in self.extractions):
            return
        self.extractions.append(Extraction(reading.place, name, reading.target))
        variable = slots.variables[name]
        source = VariableSource(method="ui_element_extraction", element_label=reading.label)
        slots.variables[name] = variable.model_copy(update={"source": source})


def in_order(items: tuple[Item, ...]) -> list[int]:
    """The places of an outline one after the other, those of all ways and of rounds included."""
    found: list[int] = []
    for item in items:
        if isinstance(item, Fork):
            found += [place for way in item.ways for place in in_order(way.items)]
        elif isinstance(item, Rounds):
            found += in_order(item.items)
        else:
            found.append(item)
    return found


def read_sources(outline: Outline, slots: Slots) -> Sources:
    """Say which variables were read on earlier screens."""
    sources = Sources()
    order = in_order(outline.items)
    written = fields_written(outline)
    for name, variable in list(slots.variables.items()):
        used = _first_use(slots, order, name)
        if variable.source.method != "parameter" or used is None:
            continue
        cases = outline.places[used].cases
        before = order[: order.index(used) + (1 if used in slots.texts else 0)]
        earlier = [other for other in slots.variables if other != name and _is_known(slots, order, other, used)]
        values = slots.known(name, cases)
        if values is None or may_be_chance(values):
            continue
        for reading in readings(stages_of(outline, before, cases), slots, by_row=earlier, written=written):
            if all(same_value(reading.values[case], value) for case, value in zip(cases, values, strict=True)):
                sources.add(slots, reading, name)
                break
    return sources


def _first_use(slots: Slots, order: list[int], name: str) -> int | None:
    return next((place for place in order if name in _used(slots, place)), None)


def _is_known(slots: Slots, order: list[int], name: str, place: int) -> bool:
    first = _first_use(slots, order, name)
    return first is not None and order.index(first) < order.index(place)


def _used(slots: Slots, place: int) -> set[str]:
    texts = [slots.texts.get(place), slots.labels.get(place), *slots.rows.get(place, ())]
    return {name for text in texts if text is not None for name in variables_in(text)}
