"""All tasks that recordings show, each with every go at it from beginning to end.

Repetitions that follow each other without anything between are told by their period; a day as it is, mixed and with
noise, is taken apart by `routines`. Two tasks that were only ever done in turn are parted where nothing ties them
together. A go that was broken off is no shorter task: what followed in the others is asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from statistics import mean

from rapidfuzz.distance import LCSseq

from rpa_vision.graph.bursts import looped_goes
from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.idle_steps import is_idle
from rpa_vision.graph.independence import independent_parts
from rpa_vision.graph.outline import Outline, outline_of
from rpa_vision.graph.pattern_finder import deeds_of
from rpa_vision.graph.pattern_miner import MIN_REPETITIONS, Alike, alike_steps, find_period
from rpa_vision.graph.routines.alignment import Alignment, aligned, are_one_task, variants
from rpa_vision.graph.routines.discovery import Discovery, find_routines
from rpa_vision.graph.routines.stream import pauses_before
from rpa_vision.graph.window_switches import with_switches, without_glances

_PAUSE_S = 30.0
_LONGEST_TAIL = 20
_AT_HOME = 0.8
_MOST_BEGINNINGS = 12
_MOSTLY_ALIKE = 0.5
_MIN_REST = 9
_MIN_WORK = 3
_PART_OF_WORK = 0.1
_NEAR = 3


@dataclass(frozen=True, slots=True)
class Task:
    """A task: its shape, and which of the steps given were learned from."""

    outline: Outline
    goes: tuple[tuple[int, ...], ...]

    @property
    def explained(self) -> int:
        """How many steps it was learned from."""
        return sum(len(place.steps) for place in self.outline.places)


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A task that was shown, but too few times from beginning to end."""

    whole: int
    broken_off: int


@dataclass(slots=True)
class Tasks:
    """What was found: tasks, those that explain the most first, and what is missing for others."""

    found: list[Task] = field(default_factory=list)
    unfinished: list[Unfinished] = field(default_factory=list)

    @property
    def explained(self) -> int:
        """How many steps all of them were learned from."""
        return sum(task.explained for task in self.found)

    @property
    def repetitions(self) -> int:
        return max((task.outline.repetitions for task in self.found), default=0)


def find_tasks(steps: Sequence[DemoStep], alike: Alike = alike_steps) -> Tasks:
    """Every task that was shown at least three times, those that explain the most first.

    What is left when the tasks that are plain to see are taken away is looked at again: with less between them, rarer
    ones are plain to see too. Glances at other windows are left out: people glance in the middle of anything, and so
    often that it would look like a task.
    """
    kept = without_glances(steps)
    tasks = _find([steps[index] for index in kept], alike)
    tasks.found = [
        replace(task, goes=tuple(tuple(kept[index] for index in go) for go in task.goes)) for task in tasks.found
    ]
    return tasks


def _find(steps: Sequence[DemoStep], alike: Alike) -> Tasks:
    tasks = _plain_to_see(steps, alike)
    used = _used(tasks)
    rest = [index for index, step in enumerate(steps) if _key(step) not in used]
    while tasks.found and len(rest) >= _MIN_REST:
        more = _plain_to_see([steps[index] for index in rest], alike)
        more.found = [task for task in more.found if _is_work(task)]
        if not more.found:
            break
        for task in more.found:
            goes = tuple(tuple(rest[index] for index in go) for go in task.goes)
            tasks.found.append(Task(task.outline, goes))
        used = _used(more)
        rest = [index for index in rest if _key(steps[index]) not in used]
    tasks.found.sort(key=lambda task: -task.explained)
    return tasks


def _used(tasks: Tasks) -> set[tuple[str, tuple[int, int]]]:
    return {_key(step) for task in tasks.found for place in task.outline.places for step in place.steps}


def _key(step: DemoStep) -> tuple[str, tuple[int, int]]:
    return (step.session_id, step.events)


def _is_work(task: Task) -> bool:
    """Whether a task found among leftovers is more than noise that came again: most of its steps did something. What
    hardly any of its goes have, rare ways, makes no work of one step that is done again and again."""
    least = _PART_OF_WORK * task.outline.repetitions
    places = [place for place in task.outline.places if len(place.cases) >= least]
    busy = sum(not all(map(is_idle, place.steps)) for place in places)
    return len(places) >= _MIN_WORK and busy > len(places) / 2


def _plain_to_see(steps: Sequence[DemoStep], alike: Alike) -> Tasks:
    if not steps:
        return Tasks()
    discovery = _close_together(find_routines(deeds_of(steps)))
    mixed, in_turn = _mixed(steps, discovery, alike), _in_turn(steps, discovery, alike)
    best = max(mixed, in_turn, key=lambda tasks: (tasks.explained, tasks.repetitions))
    if 2 * best.explained < len(steps):
        split = _split_at_beginnings(steps, discovery, alike)
        best = max(best, split, key=lambda tasks: tasks.explained)
    if not best.found:
        return Tasks([], [*mixed.unfinished, *_split_at_beginnings(steps, discovery, alike).unfinished])
    return best


def _in_turn(steps: Sequence[DemoStep], discovery: Discovery, alike: Alike) -> Tasks:
    """Repetitions that follow each other at once."""
    period = find_period(steps, alike)
    if period is None:
        return Tasks()
    tasks = []
    for part in independent_parts([[steps[index] for index in go] for go in period.goes()]):
        goes = [[go[at] for at in part] for go in period.goes()]
        tasks.append(_task(steps, goes, discovery, alike, in_turn=True))
    return Tasks([task for task in tasks if isinstance(task, Task)])


def _split_at_beginnings(steps: Sequence[DemoStep], discovery: Discovery, alike: Alike) -> Tasks:
    """Few goes, not all of them alike: one task, done again each time its first step is done again."""
    counts = Counter(discovery.symbols)
    best = Tasks()
    for kind, times in counts.most_common(_MOST_BEGINNINGS):
        if times < 2:
            break
        starts = [index for index, other in enumerate(discovery.symbols) if other == kind]
        goes = [list(range(low, high)) for low, high in zip(starts, [*starts[1:], len(steps)], strict=True)]
        made = _task(steps, goes, discovery, alike) if _are_alike(discovery, goes) else None
        if isinstance(made, Task):
            best = max(best, Tasks([made]), key=lambda tasks: tasks.explained)
        elif made is not None and not best.found:
            best.unfinished = [max([*best.unfinished, made], key=lambda one: one.whole)]
    return best


def _are_alike(discovery: Discovery, goes: Sequence[Sequence[int]]) -> bool:
    """Whether goes that follow each other have most of their steps in common."""
    kinds = [[discovery.symbols[index] for index in go] for go in goes]
    return mean(LCSseq.normalized_similarity(one, other) for one, other in pairwise(kinds)) >= _MOSTLY_ALIKE


def _mixed(steps: Sequence[DemoStep], discovery: Discovery, alike: Alike) -> Tasks:
    """The routines of a day."""
    tasks = Tasks()
    shown: list[list[list[int]]] = []
    for routine in range(len(discovery.backbones)):
        for runs in _same_tasks(aligned(discovery, routine)):
            looped = looped_goes(discovery, runs, steps) if runs else None
            if looped is not None and isinstance(_task(steps, looped, discovery, alike), Task):
                shown.append(looped)
                continue
            goes, unfinished = _whole_goes(discovery, runs, steps)
            if unfinished is not None:
                tasks.unfinished.append(unfinished)
            else:
                shown += _parts(steps, goes)
    taken = frozenset(index for goes in shown for go in goes for index in go)
    for goes in shown:
        task = _task(steps, goes, discovery, alike, taken=taken)
        if isinstance(task, Task):
            tasks.found.append(task)
    return tasks


def _parts(steps: Sequence[DemoStep], goes: list[list[int]]) -> list[list[list[int]]]:
    """The goes in pieces that are tasks of their own, where all goes have the same number of steps."""
    if len({len(go) for go in goes}) != 1:
        return [goes]
    parts = independent_parts([[steps[index] for index in go] for go in goes])
    return [[[go[at] for at in part] for go in goes] for part in parts]


def _same_tasks(alignment: Alignment) -> list[list[int]]:
    """The runs of a routine by task: variants with little in common are tasks of their own."""
    tasks: list[list[Alignment]] = []
    for variant in variants(alignment):
        task = next((task for task in tasks if are_one_task(task[0], variant)), None)
        if task is None:
            tasks.append([variant])
        else:
            task.append(variant)
    return [sorted(run for variant in task for run in variant.runs) for task in tasks]


def _whole_goes(
    discovery: Discovery, runs: Sequence[int], steps: Sequence[DemoStep]
) -> tuple[list[list[int]], Unfinished | None]:
    """Each go with all that was done in it and was not another task; those that were broken off are left out."""
    stretches = {run: _stretch(discovery, run) for run in runs if discovery.runs[run].deeds}
    having = Counter(kind for go in stretches.values() for kind in {discovery.symbols[index] for index in go})
    own = {kind for kind, times in having.items() if 2 * times >= len(stretches)}
    goes = {run: _grown(discovery, go, own, steps) for run, go in stretches.items()}
    tails = {run: _tail(discovery, go[-1], steps) for run, go in goes.items()}
    counts = Counter(discovery.symbols)
    ways_on = Counter(discovery.symbols[tail[0]] for tail in tails.values() if tail)
    kind, times = ways_on.most_common(1)[0] if ways_on else (-1, 0)
    is_usual = times >= 2 and 2 * times >= len(goes)
    if not is_usual or (times < _AT_HOME * counts[kind] and times < _AT_HOME * len(goes)):
        return _unless_more_follows(discovery, list(goes.values()), list(tails.values()))
    going_on = [run for run, tail in tails.items() if tail and discovery.symbols[tail[0]] == kind]
    common = _common_beginning([[discovery.symbols[index] for index in tails[run]] for run in going_on])
    ended = [run for run in goes if run not in going_on]
    whole = [goes[run] + tails[run][:common] for run in going_on]
    rest = [tails[run][common:] for run in going_on]
    if len(ended) >= MIN_REPETITIONS:
        whole, rest = sorted(whole + [goes[run] for run in ended]), rest + [tails[run] for run in ended]
    elif len(whole) < MIN_REPETITIONS:
        return whole, Unfinished(len(whole), len(ended))
    return _unless_more_follows(discovery, whole, rest)


def _unless_more_follows(
    discovery: Discovery, goes: list[list[int]], tails: Sequence[Sequence[int]]
) -> tuple[list[list[int]], Unfinished | None]:
    """The goes, unless something that is done hardly anywhere else follows nearly every one: these are beginnings then,
    and to learn them would be to call half of the work done."""
    symbols = discovery.symbols
    counts = Counter(symbols)
    here = Counter(symbols[index] for part in (*goes, *tails) for index in part)
    following = Counter(kind for tail in tails for kind in {symbols[index] for index in tail})
    for kind, times in following.items():
        if times >= max(2, _AT_HOME * len(goes)) and here[kind] >= _AT_HOME * counts[kind]:
            return goes, Unfinished(0, len(goes))
    return goes, None


def _stretch(discovery: Discovery, run: int) -> list[int]:
    deeds = discovery.runs[run].deeds
    return [index for index in range(min(deeds), max(deeds) + 1) if discovery.run_of[index] in (run, None)]


def _grown(discovery: Discovery, go: list[int], own: set[int], steps: Sequence[DemoStep]) -> list[int]:
    """A go with what follows and is done in half of all goes: where noise stood between the rows of a list, not all of
    its rounds were found to belong to the go."""
    grown, between = list(go), list[int]()
    for index in range(go[-1] + 1, len(steps)):
        before, step = steps[index - 1], steps[index]
        away = step.session_id != before.session_id or step.t - before.t > _PAUSE_S
        if away or discovery.run_of[index] is not None or len(between) > 2 * _NEAR:
            break
        between.append(index)
        if discovery.symbols[index] in own:
            grown += between
            between = []
    return grown


def _close_together(discovery: Discovery) -> Discovery:
    """Each run with its steps and what lies between them or right beside; what is further away belongs to nothing."""
    runs = []
    run_of: list[int | None] = [None] * len(discovery.run_of)
    for number, run in enumerate(discovery.runs):
        backbone = list(run.steps.values()) or run.deeds
        first, last = min(backbone, default=0), max(backbone, default=-1)
        for index in sorted(run.deeds):
            if last < index <= last + _NEAR:
                last = index
        for index in sorted(run.deeds, reverse=True):
            if first - _NEAR <= index < first:
                first = index
        kept = [index for index in run.deeds if first <= index <= last]
        runs.append(replace(run, deeds=kept))
        for index in kept:
            run_of[index] = number
    return replace(discovery, runs=runs, run_of=run_of)


def _tail(discovery: Discovery, last: int, steps: Sequence[DemoStep]) -> list[int]:
    """What was done right after a go and belongs to nothing else."""
    tail: list[int] = []
    pauses = pauses_before(deeds_of(steps[last : last + _LONGEST_TAIL + 1]))
    for index in range(last + 1, min(len(steps), last + _LONGEST_TAIL)):
        if discovery.run_of[index] is not None or pauses[index - last] > _PAUSE_S:
            break
        tail.append(index)
    return tail


def _common_beginning(sequences: Sequence[Sequence[int]]) -> int:
    shared = 0
    for kinds in zip(*sequences, strict=False):
        if len(set(kinds)) != 1:
            break
        shared += 1
    return shared


def _task(
    steps: Sequence[DemoStep],
    goes: Sequence[Sequence[int]],
    discovery: Discovery,
    alike: Alike,
    *,
    in_turn: bool = False,
    taken: frozenset[int] = frozenset(),
) -> Task | Unfinished | None:
    """The task of these goes; those that follow each other `in_turn` have the same steps at the same places.

    Steps that are `taken` by other tasks do not say how common a kind of step is.
    """
    by_place = _kinds_by_place(discovery, goes) if in_turn else []
    shown = []
    for go in goes:
        kinds = by_place or [discovery.symbols[index] for index in go]
        shown.append(with_switches([(kind, steps[index]) for kind, index in zip(kinds, go, strict=True)]))
    counts = Counter(by_place * len(goes)) if by_place else _counts(discovery, goes, taken)
    outline = outline_of(shown, counts, alike)
    if outline is None:
        return None
    if outline.repetitions < MIN_REPETITIONS:
        return Unfinished(outline.repetitions, outline.left_out)
    return Task(outline, tuple(tuple(go) for go in goes))


def _counts(discovery: Discovery, goes: Sequence[Sequence[int]], taken: frozenset[int]) -> Counter[int]:
    """How often each kind was done in these goes, and where it belongs to nothing."""
    own = {index for go in goes for index in go}
    return Counter(kind for index, kind in enumerate(discovery.symbols) if index in own or index not in taken)


def _kinds_by_place(discovery: Discovery, goes: Sequence[Sequence[int]]) -> list[int]:
    """A kind for each place of the goes: that of the first place at which every go has the same kind as here."""
    columns = [tuple(discovery.symbols[go[at]] for go in goes) for at in range(len(goes[0]))]
    return [columns.index(column) for column in columns]


__all__ = ["Task", "Tasks", "Unfinished", "find_tasks"]
