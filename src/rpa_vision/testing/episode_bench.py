"""How well an event log is cut into its cases, where somebody knows them; also with foreign events mixed in.

Foreign events are what somebody does besides: in other applications, spread evenly or in bursts, as when the telephone
rings. They are made up with a seed. What is scored are the log's own events.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rapidfuzz.distance import Levenshtein

from rpa_vision.capture.event_log import session_of_log
from rpa_vision.capture.segmentation import segment
from rpa_vision.errors import DocumentError
from rpa_vision.graph.episodes.oracle import RoutineOracle
from rpa_vision.models.event_log import LogRow
from rpa_vision.testing.segmentation_scores import Labels, boundaries, groups

_APPS: Final = ("Outlook", "Teams", "Firefox", "Explorer", "Calc")
_ACTIONS: Final = ("click", "open", "scroll", "type", "close", "switch", "select", "hover")
_THINGS: Final = 40
_BURST: Final = (4, 25)


@dataclass(frozen=True, slots=True)
class Foreign:
    """How much of the mixed log is foreign, how it lies, and which luck."""

    share: float = 0.0
    in_bursts: bool = False
    seed: int = 1


NONE: Final = Foreign()


@dataclass(frozen=True, slots=True)
class EpisodeScores:
    """What was found beside what is true."""

    cases_true: int
    cases_found: int
    boundary_f1: float
    boundary_f1_within_one: float
    led: float
    """How far a found case is from the true one it overlaps best: edits of (action, target) by length; 0 is best."""
    foreign: int = 0
    foreign_in_cases: int = 0
    """Foreign events that were taken for a part of a case."""
    foreign_episodes: int = 0
    """Stretches of foreign work that were taken for episodes of their own."""


def read_truth(content: bytes, name: str, events: int) -> list[Hashable | None]:
    """The true case of each event: a list, `{"case": [...]}`, or that under the name of the log."""
    try:
        value: Any = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"truth: not valid JSON ({error})") from error
    if isinstance(value, dict):
        value = value.get(name, value)
    cases = value.get("case") if isinstance(value, dict) else value
    if not isinstance(cases, list) or len(cases) != events or any(isinstance(one, dict | list) for one in cases):
        found = f"{len(cases)} of them" if isinstance(cases, list) else "none"
        raise DocumentError(f"truth: one case for each of the {events} events was expected, there are {found}")
    return [None if one in (None, -1) else one for one in cases]


def measure(rows: Sequence[LogRow], cases: Labels, foreign: Foreign = NONE) -> EpisodeScores:
    """Cut a log, with foreign events mixed in where asked, and compare its own events with the truth."""
    mixed, own = with_foreign(rows, foreign)
    found = segment(session_of_log(mixed, session_id="log", name="log", file="log"), RoutineOracle()).segment_of
    kept = [found[index] for index in own]
    ours = frozenset(own)
    kept_cases = set(kept)
    strangers = [one for index, one in enumerate(found) if index not in ours and one is not None]
    true_bounds, bounds = boundaries(cases), boundaries(kept)
    return EpisodeScores(
        cases_true=len(groups(cases)),
        cases_found=len(groups(kept)),
        boundary_f1=boundary_f1(true_bounds, bounds, within=0),
        boundary_f1_within_one=boundary_f1(true_bounds, bounds, within=1),
        led=edit_distance(rows, cases, kept),
        foreign=len(mixed) - len(own),
        foreign_in_cases=sum(one in kept_cases for one in strangers),
        foreign_episodes=len(set(strangers) - kept_cases),
    )


def with_foreign(rows: Sequence[LogRow], foreign: Foreign) -> tuple[list[LogRow], list[int]]:
    """The rows with strangers between them, and where the rows themselves are now."""
    luck = random.Random(foreign.seed)
    count = round(len(rows) * foreign.share / (1 - foreign.share))
    before: dict[int, list[LogRow]] = defaultdict(list)
    while count > 0:
        at = luck.randint(0, len(rows))
        length = min(count, luck.randint(*_BURST) if foreign.in_bursts else 1)
        near = rows[min(at, len(rows) - 1)]
        app = luck.choice(_APPS)
        for _ in range(length):
            before[at].append(LogRow(near.ts, app, luck.choice(_ACTIONS), f"thing{luck.randrange(_THINGS)}"))
        count -= length
    mixed: list[LogRow] = []
    own: list[int] = []
    for index, row in enumerate(rows):
        mixed += before[index]
        own.append(len(mixed))
        mixed.append(row)
    return mixed + before[len(rows)], own


def boundary_f1(true: set[int], found: set[int], *, within: int) -> float:
    """The harmonic mean of how many of the found are true and of the true are found, so many events off at most."""

    def share(some: set[int], others: set[int]) -> float:
        hits = sum(any(one + off in others for off in range(-within, within + 1)) for one in some)
        return hits / len(some) if some else float(not others)

    precision, recall = share(found, true), share(true, found)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def edit_distance(rows: Sequence[LogRow], cases: Labels, found: Labels) -> float:
    """The mean distance of a found case to the nearest true one of those it overlaps; 1 where nothing was found."""
    deeds = [(row.action, row.target) for row in rows]
    true = groups(cases)
    distances = []
    for indexes in groups(found).values():
        own = [deeds[index] for index in indexes]
        overlapped = {case for index in indexes if (case := cases[index]) is not None}
        distances.append(
            min(
                (Levenshtein.normalized_distance(own, [deeds[index] for index in true[case]]) for case in overlapped),
                default=1.0,
            )
        )
    return sum(distances) / len(distances) if distances else 1.0
