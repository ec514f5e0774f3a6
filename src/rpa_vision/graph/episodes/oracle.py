"""Answers which tasks a session repeats: the `PatternOracle` that segmentation asks."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean

from rpa_vision.graph.demonstration import Observe, demonstrated_steps
from rpa_vision.graph.episodes.deeds import Done, deeds_of_events, deeds_of_log, deeds_of_steps
from rpa_vision.graph.episodes.task_episodes import episodes_among
from rpa_vision.graph.routines.alignment import Alignment, aligned, are_one_task, variants
from rpa_vision.graph.routines.discovery import Discovery, find_routines
from rpa_vision.models.raw_session import RecordedSession
from rpa_vision.ports.patterns import Episode, Patterns

_STRANGE = 0.8
_UNSURE_WHEN_BROKEN_OFF = 0.6


class RoutineOracle:
    """Implements `ports.patterns.PatternOracle`. The screens of recordings are read where `observe` is given."""

    def __init__(self, observe: Observe | None = None) -> None:
        self._observe = observe

    def patterns(self, session: RecordedSession, ignored: frozenset[int]) -> Patterns:
        """What was repeated at least three times."""
        if any(event.logged is not None for event in session.events):
            return patterns_among(deeds_of_log(session, ignored))
        if self._observe is None or not session.screenshots:
            return patterns_among(deeds_of_events(session, ignored))
        steps = demonstrated_steps(session, self._observe)
        done = deeds_of_steps(steps, session, ignored)
        return episodes_among(steps, done, session) or patterns_among(done)


def patterns_among(done: Sequence[Done]) -> Patterns:
    """The repeated tasks among deeds."""
    if not done:
        return Patterns((), frozenset(), {})
    discovery = find_routines([one.deed for one in done])
    labels = _labels(discovery)
    sureness = {
        index: rate if run is not None else _STRANGE
        for one, run, rate in zip(done, discovery.run_of, discovery.rates, strict=True)
        for index in one.events
    }
    episodes = []
    for number, run in enumerate(discovery.runs):
        events = tuple(sorted(index for deed in run.deeds for index in done[deed].events))
        if not events:
            continue
        label, variant = labels[number]
        likely = mean(discovery.rates[deed] for deed in run.deeds)
        sure = likely * run.completeness * (1.0 if run.is_complete else _UNSURE_WHEN_BROKEN_OFF)
        episodes.append(Episode(events, label, sure, run.is_complete, variant))
    noise = frozenset(
        index for one, run in zip(done, discovery.run_of, strict=True) if run is None for index in one.events
    )
    return Patterns(tuple(episodes), noise, sureness)


def _labels(discovery: Discovery) -> dict[int, tuple[str, int]]:
    """Run → name of its routine and number of its variant. Variants with little in common are routines of their own."""
    told: dict[int, tuple[int, int, int]] = {}
    for routine in range(len(discovery.backbones)):
        tasks: list[list[Alignment]] = []
        for variant in variants(aligned(discovery, routine)):
            task = next((task for task in tasks if are_one_task(task[0], variant)), None)
            if task is None:
                tasks.append([variant])
            else:
                task.append(variant)
        for task_number, task in enumerate(tasks):
            for variant_number, variant in enumerate(task, start=1):
                for run in variant.runs:
                    told[run] = (routine, task_number, variant_number)
    names: dict[tuple[int, int], str] = {}
    labels = {}
    for number, run_ in enumerate(discovery.runs):
        routine, task_number, variant_number = told.get(number, (run_.routine, 0, 1))
        name = names.setdefault((routine, task_number), f"routine_{len(names) + 1}")
        labels[number] = (name, variant_number)
    return labels
