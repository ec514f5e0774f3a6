"""How well a segmentation found what is known to be true: boundaries, routines, noise, and whole executions."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

Labels = Sequence[Hashable | None]
"""One per event; None is noise."""


@dataclass(frozen=True, slots=True)
class Scores:
    """All between 0 and 1, 1 is best. Precision says how much of what was found is true, recall how much was found."""

    boundary_precision: float
    boundary_recall: float
    routine_v_measure: float
    """Over the events that are noise to neither: 1 when found routines and true ones are the same partition."""
    noise_precision: float
    noise_recall: float
    exact_executions: float
    """The share of true executions that were found event by event."""


def score(cases: Labels, routines: Labels, segments: Labels, found_routines: Labels) -> Scores:
    """Compare what was found with the truth."""
    true_bounds, found_bounds = boundaries(cases), boundaries(segments)
    common = len(true_bounds & found_bounds)
    noise = [(case is None, segment is None) for case, segment in zip(cases, segments, strict=True)]
    both = sum(true and found for true, found in noise)
    named = [
        (true, found)
        for true, found in zip(routines, found_routines, strict=True)
        if true is not None and found is not None
    ]
    executions = _executions(cases)
    return Scores(
        boundary_precision=_share(common, len(found_bounds)),
        boundary_recall=_share(common, len(true_bounds)),
        routine_v_measure=v_measure(named),
        noise_precision=_share(both, sum(found for _, found in noise)),
        noise_recall=_share(both, sum(true for true, _ in noise)),
        exact_executions=_share(len(executions & _executions(segments)), len(executions)),
    )


def boundaries(labels: Labels) -> set[int]:
    """Where the label changes from one event that is not noise to the next."""
    found, last = set(), None
    for index, label in enumerate(labels):
        if label is not None:
            if last is not None and label != last:
                found.add(index)
            last = label
    return found


def v_measure(pairs: Sequence[tuple[Hashable, Hashable]]) -> float:
    """The harmonic mean of homogeneity and completeness of two partitions."""
    if not pairs:
        return 0.0
    first, second, joint = (_entropy(part) for part in ([a for a, _ in pairs], [b for _, b in pairs], list(pairs)))
    homogeneity = 1.0 if first == 0 else 1 - (joint - second) / first
    completeness = 1.0 if second == 0 else 1 - (joint - first) / second
    return 2 * homogeneity * completeness / (homogeneity + completeness) if homogeneity + completeness else 0.0


def _entropy(labels: Sequence[Hashable]) -> float:
    counted = Counter(labels)
    return -sum(count / len(labels) * math.log(count / len(labels)) for count in counted.values())


def groups(labels: Labels) -> dict[Hashable, list[int]]:
    """The events of each label."""
    found: dict[Hashable, list[int]] = defaultdict(list)
    for index, label in enumerate(labels):
        if label is not None:
            found[label].append(index)
    return dict(found)


def _executions(labels: Labels) -> set[tuple[int, ...]]:
    return {tuple(group) for group in groups(labels).values()}


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0
