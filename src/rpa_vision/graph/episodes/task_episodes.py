"""Episodes of a recording whose screens were read: the goes at its tasks, loops, ways and interruptions included.

What learning would learn from is what the recording is cut into; both ask `graph.shown`. A step of a task is no noise,
whatever a single gesture looked like: a click that changed nothing, because the page was there already, is no missed
click when it comes in every go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.episodes.deeds import Done, deed_of_step, own_events
from rpa_vision.graph.interruptions import Detour
from rpa_vision.graph.outline import Fork, Item, Outline, Rounds
from rpa_vision.graph.rounds import is_next_page
from rpa_vision.graph.shown import what_is_shown
from rpa_vision.graph.tasks import Task
from rpa_vision.models.raw_session import RecordedSession
from rpa_vision.models.wording import shape
from rpa_vision.ports.patterns import Episode, Patterns

Key = tuple[int, int]
Deed = tuple[str, str]
"""What was done to what, and with which value."""
_SURE = 0.95
_UNSURE = 0.5
_STRANGE = 0.8


def episodes_among(steps: Sequence[DemoStep], done: Sequence[Done], session: RecordedSession) -> Patterns | None:
    """The goes at all tasks among steps of one session; None where none was repeated."""
    shown = what_is_shown(steps)
    if not shown.tasks.found:
        return None
    goes: list[_Go] = []
    named = sorted(shown.tasks.found, key=lambda task: min(min(go) for go in task.goes))
    for number, task in enumerate(named, start=1):
        goes += _goes(task, f"routine_{number}", shown.steps, shown.detours)
    _take_up(goes, shown.steps)
    events = {_key(step): _events(step, done, session) for step in steps}
    episodes = [one for go in goes if (one := go.episode(events)).events]
    taken = {index for episode in episodes for index in episode.events}
    noise = frozenset(index for one in done for index in one.events if index not in taken)
    return Patterns(tuple(episodes), noise, dict.fromkeys(noise, _STRANGE) | dict.fromkeys(taken, _SURE))


@dataclass(slots=True)
class _Go:
    """One go at a task: its steps, and what it learned from them."""

    routine: str
    own: set[Key]
    learned: set[Deed]
    is_complete: bool
    way: int

    def episode(self, events: Mapping[Key, tuple[int, ...]]) -> Episode:
        found = sorted({index for key in self.own for index in events.get(key, ())})
        sure = _SURE if self.is_complete else _UNSURE
        return Episode(tuple(found), self.routine, sure, self.is_complete, self.way)


def _goes(task: Task, routine: str, steps: Sequence[DemoStep], detours: Sequence[Detour]) -> Iterator[_Go]:
    used = _used(task.outline)
    ways = _ways(task.outline)
    for case, go in enumerate(task.goes):
        is_complete = case in task.outline.goes
        shown = [steps[index] for index in go]
        learned = {_deed(step) for step in shown if _key(step) in used}
        # What was done again, because something came between, belongs to the go though it teaches nothing new.
        own = {_key(step) for step in shown if not is_complete or _key(step) in used or _deed(step) in learned}
        own |= {_key(step) for step in shown if used and is_next_page(step)}
        first, last = min(own), max(own)
        own |= {_key(step) for one in detours for step in one.steps if first < _key(step) < last}
        yield _Go(routine, own, learned, is_complete, ways.get(case, 1))


def _take_up(goes: Sequence[_Go], steps: Sequence[DemoStep]) -> None:
    """Give goes what was done of them before they were left for another task: it deals with what only they deal with,
    and nothing else claims it."""
    times = Counter(deed for go in goes for deed in go.learned)
    particular = {deed: go for go in goes if go.is_complete for deed in go.learned if times[deed] == 1 and deed[1]}
    taken = {key for go in goes for key in go.own}
    for is_free, stretch in groupby(steps, key=lambda step: _key(step) not in taken):
        left = list(stretch)
        meant = {id(go): go for step in left if (go := particular.get(_deed(step))) is not None}
        if is_free and len(meant) == 1:
            (go,) = meant.values()
            kinds = {shape(deed[0]) for one in goes if one.routine == go.routine for deed in one.learned}
            go.own |= {_key(step) for step in left if shape(_deed(step)[0]) in kinds}


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


def _deed(step: DemoStep) -> Deed:
    """The same thing done with the same value."""
    deed = deed_of_step(step)
    return deed.names[0], deed.value


def _key(step: DemoStep) -> Key:
    return step.events


def _events(step: DemoStep, done: Sequence[Done], session: RecordedSession) -> tuple[int, ...]:
    """The events of a step without what seemed noise; all of them where nothing else is left."""
    first, last = step.events
    own = next((one.events for one in done if first <= one.events[0] and one.events[-1] <= last), ())
    return own or own_events(step, session)
