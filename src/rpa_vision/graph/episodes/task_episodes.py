"""Episodes of a recording whose screens were read: the goes at its tasks, loops, ways and interruptions included.

What learning would learn from is what the recording is cut into; both ask `graph.tasks`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.episodes.deeds import Done
from rpa_vision.graph.interruptions import Detour, take_out
from rpa_vision.graph.outline import Fork, Item, Outline, Rounds
from rpa_vision.graph.rounds import is_next_page
from rpa_vision.graph.tasks import Task, find_tasks
from rpa_vision.ports.patterns import Episode, Patterns

Key = tuple[int, int]
_SURE = 0.95
_UNSURE = 0.5
_STRANGE = 0.8


def episodes_among(steps: Sequence[DemoStep], done: Sequence[Done]) -> Patterns | None:
    """The goes at all tasks among steps of one session; None where none was repeated."""
    usual, detours = take_out(steps)
    tasks = find_tasks(usual)
    if not tasks.found:
        return None
    events = {_key(step): _events(step, done) for step in steps}
    episodes: list[Episode] = []
    named = sorted(tasks.found, key=lambda task: min(min(go) for go in task.goes))
    for number, task in enumerate(named, start=1):
        episodes += _episodes(task, f"routine_{number}", usual, detours, events)
    taken = {index for episode in episodes for index in episode.events}
    noise = frozenset(index for one in done for index in one.events if index not in taken)
    sureness = {index: _STRANGE if index in noise else _SURE for one in done for index in one.events}
    return Patterns(tuple(episodes), noise, sureness)


def _episodes(
    task: Task, name: str, steps: Sequence[DemoStep], detours: Sequence[Detour], events: dict[Key, tuple[int, ...]]
) -> Iterator[Episode]:
    used = _used(task.outline)
    ways = _ways(task.outline)
    for case, go in enumerate(task.goes):
        is_complete = case in task.outline.goes
        own = {_key(steps[index]) for index in go if not is_complete or _key(steps[index]) in used}
        own |= {_key(steps[index]) for index in go if used and is_next_page(steps[index])}
        first, last = min(own), max(own)
        own |= {_key(step) for one in detours for step in one.steps if first < _key(step) < last}
        found = sorted({index for key in own for index in events.get(key, ())})
        if found:
            yield Episode(tuple(found), name, _SURE if is_complete else _UNSURE, is_complete, ways.get(case, 1))


def _used(outline: Outline) -> set[Key]:
    return {_key(step) for place in outline.places for step in place.steps if step.kind != "window_switch"}


def _ways(outline: Outline) -> dict[int, int]:
    """Go → which way it went at the first fork of the task."""
    fork = next((item for item in _items(outline.items) if isinstance(item, Fork)), None)
    if fork is None:
        return {}
    return {case: number for number, way in enumerate(fork.ways, start=1) for case in way.cases}


def _items(items: Sequence[Item]) -> Iterator[Item]:
    for item in items:
        yield item
        if isinstance(item, Rounds):
            yield from _items(item.items)


def _key(step: DemoStep) -> Key:
    return step.events


def _events(step: DemoStep, done: Sequence[Done]) -> tuple[int, ...]:
    first, last = step.events
    return next((one.events for one in done if first <= one.events[0] and one.events[-1] <= last), ())
