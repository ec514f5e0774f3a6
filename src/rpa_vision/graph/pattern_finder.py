"""Every task that a long, noisy recording repeats, each with its repetitions laid beside each other.

`pattern_miner.find_pattern` asks for repetitions in a row. Here tasks may be mixed, interrupted and resumed, with noise
in between. A pattern holds the steps that all its repetitions have; repetitions that were broken off, or lack one of
them, are left out. Variants of a routine are patterns of their own: two similar tasks stay two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.episodes.deeds import deed_of_step
from rpa_vision.graph.pattern_miner import MIN_REPETITIONS, Alike, Pattern
from rpa_vision.graph.routines.alignment import Alignment, aligned, variants
from rpa_vision.graph.routines.discovery import find_routines
from rpa_vision.graph.routines.stream import Deed

_NEXT_SESSION_S = 3600.0
_SLOW_TYPING_S = 0.5
"""Per character. How long a text took is not known any more; thinking slow typists paused would be worse."""
_USUAL = 0.8
"""A step that at least this share of the repetitions has is a step of the task."""


def find_patterns(steps: Sequence[DemoStep], alike: Alike) -> list[Pattern]:
    """The tasks, those that explain the most steps first."""
    if not steps:
        return []
    discovery = find_routines(deeds_of(steps))
    found = []
    for routine in range(len(discovery.backbones)):
        for variant in variants(aligned(discovery, routine)):
            pattern = _pattern(variant, steps, alike)
            if pattern is not None:
                found.append(pattern)
    return sorted(found, key=lambda pattern: -pattern.repetitions * pattern.length)


def deeds_of(steps: Sequence[DemoStep]) -> list[Deed]:
    """The steps of all sessions one after the other; between two sessions is a long pause."""
    deeds: list[Deed] = []
    began, session_id = 0.0, steps[0].session_id
    for step in steps:
        if step.session_id != session_id:
            began, session_id = deeds[-1].t + _NEXT_SESSION_S, step.session_id
        typing_s = _SLOW_TYPING_S * len(step.text or "")
        deeds.append(replace(deed_of_step(step), t=began + step.t, lasted_s=typing_s))
    return deeds


def _pattern(alignment: Alignment, steps: Sequence[DemoStep], alike: Alike) -> Pattern | None:
    needed = _USUAL * len(alignment.runs)
    columns = [column for column in range(len(alignment.kinds)) if alignment.support(column) >= needed]
    rows = [row for row in alignment.rows if all(row[column] is not None for column in columns)]
    occurrences = [tuple(steps[row[column] or 0] for column in columns) for row in rows]
    occurrences = [one for one in occurrences if all(step.was_seen for step in one)]
    if not columns or not occurrences:
        return None
    # One that is alike to most others is the measure; whatever differs from it in kind is not the same task.
    model = max(occurrences, key=lambda one: sum(_same(one, other, alike) for other in occurrences))
    kept = tuple(one for one in occurrences if _same(model, one, alike))
    return Pattern.of(kept) if len(kept) >= MIN_REPETITIONS else None


def _same(one: Sequence[DemoStep], other: Sequence[DemoStep], alike: Alike) -> bool:
    return all(alike(first, second) for first, second in zip(one, other, strict=True))
