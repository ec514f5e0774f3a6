"""Find the routines of a log, each time they were done, and what is noise.

Backbones first (kinds that come together, once each), then their order and beginning, then every execution, then what
else belongs into them. A routine that was done fewer than three times from beginning to end is not one (P003-16).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from rpa_vision.graph.routines.cycle import cut_open, ordered_ring, value_links
from rpa_vision.graph.routines.executions import Execution, executions_of
from rpa_vision.graph.routines.joining import Group, joined
from rpa_vision.graph.routines.parting import parted
from rpa_vision.graph.routines.relations import backbones, relations_of
from rpa_vision.graph.routines.slots import SlotStatistics, Track
from rpa_vision.graph.routines.stream import MIN_COUNT, Deed, Stream, stream_of

MIN_EXECUTIONS = 3
_CALM = 0.05
"""In a log with a smaller share of strange deeds, a strange one is a rare variant rather than noise."""
_AGAIN_RATE = 0.5
_MOSTLY_USUAL = 0.3
"""A kind of which a smaller share stands where it is usual is noise that happened to hit a slot often."""
_STRANGE_RATE = 0.3


@dataclass(slots=True)
class Run:
    """One execution of a routine: its deeds, in order."""

    routine: int
    deeds: list[int] = field(default_factory=list)
    steps: dict[int, int] = field(default_factory=dict)
    """Place in the routine's backbone → deed."""
    is_complete: bool = True
    completeness: float = 1.0


@dataclass(frozen=True, slots=True)
class Discovery:
    """What was found in a log."""

    symbols: list[int]
    labels: list[str]
    backbones: list[list[int]]
    """Of each routine, the kinds of its steps that come every time, in order."""
    runs: list[Run]
    run_of: list[int | None]
    """For each deed the number of its run, None for noise."""
    rates: list[float]
    """For each deed how usual it is where it stands; for noise, how strange."""


def find_routines(deeds: Sequence[Deed]) -> Discovery:
    """Say what was repeated in a sequence of deeds."""
    stream = stream_of(deeds)
    routines = joined(stream, _groups(stream))
    tracks = sorted(
        (Track(number, go) for number, routine in enumerate(routines) for go in routine.goes if _is_trace(go)),
        key=lambda track: track.execution.start,
    )
    return _assigned(stream, [routine.order for routine in routines], tracks)


def _groups(stream: Stream) -> list[Group]:
    """Every group of steps that was done often enough, in order, and each time it was done."""
    links = value_links(stream)
    found = []
    for backbone in backbones(stream, relations_of(stream)):
        for piece in cut_open(stream, ordered_ring(stream, backbone), links):
            for part in parted(piece, [stream.symbols[index] for index in stream.deeds_of(piece)]):
                done = executions_of(stream, part)
                if len(part) >= 2 and sum(go.is_complete for go in done) >= MIN_EXECUTIONS:
                    found.append(Group(part, done))
    return found


def _is_trace(go: Execution) -> bool:
    """Whether a go is more than a stray step."""
    return len(go.steps) >= 2 or go.length == 1


def _assigned(stream: Stream, orders: list[list[int]], tracks: list[Track]) -> Discovery:
    statistics = SlotStatistics(stream, tracks)
    runs = [
        Run(
            routine=track.routine,
            steps=dict(track.execution.steps),
            is_complete=track.execution.is_complete,
            completeness=track.execution.completeness,
        )
        for track in tracks
    ]
    run_of: list[int | None] = [None] * len(stream)
    rates = [0.0] * len(stream)
    for number, track in enumerate(tracks):
        for _, index in track.execution.steps:
            run_of[index], rates[index] = number, 1.0
    own = _own_kinds(stream, tracks)
    attached: Counter[tuple[int, int]] = Counter()
    for index in range(len(stream)):
        if run_of[index] is not None:
            continue
        attachment = statistics.attachment(index)
        if attachment is not None:
            run_of[index], rates[index] = attachment.track, attachment.rate
            attached[tracks[attachment.track].routine, stream.symbols[index]] += 1
    for (routine, symbol), times in attached.items():
        if times >= _MOSTLY_USUAL * stream.counts[symbol]:
            own[routine].add(symbol)
    _keep_inner(stream, tracks, run_of, rates, own)
    for index, assigned in enumerate(run_of):
        if assigned is not None:
            runs[assigned].deeds.append(index)
    return Discovery(stream.symbols, stream.labels, orders, runs, run_of, rates)


def _own_kinds(stream: Stream, tracks: Sequence[Track]) -> dict[int, set[int]]:
    own: dict[int, set[int]] = defaultdict(set)
    for track in tracks:
        own[track.routine].update(stream.symbols[index] for _, index in track.execution.steps)
    return own


def _keep_inner(
    stream: Stream, tracks: Sequence[Track], run_of: list[int | None], rates: list[float], own: dict[int, set[int]]
) -> None:
    """A step of the routine done once more in the middle of it is part of it: a correction, not somebody else's work.

    So is anything else in the middle of it, in a log in which hardly anything is strange.
    """
    surrounding = _surrounding_runs(run_of)
    strange = [
        index
        for index, number in enumerate(surrounding)
        if run_of[index] is None and (number is None or stream.symbols[index] not in own[tracks[number].routine])
    ]
    is_calm = len(strange) <= _CALM * len(run_of)
    unknown = set(strange)
    for index, number in enumerate(surrounding):
        if run_of[index] is None and number is not None and (is_calm or index not in unknown):
            run_of[index], rates[index] = number, _STRANGE_RATE if index in unknown else _AGAIN_RATE


def _surrounding_runs(run_of: Sequence[int | None]) -> list[int | None]:
    """For each deed the run it is in the middle of, if there is one."""
    following: list[int | None] = [None] * len(run_of)
    upcoming: int | None = None
    for index in range(len(run_of) - 1, -1, -1):
        upcoming = run_of[index] if run_of[index] is not None else upcoming
        following[index] = upcoming
    last: int | None = None
    surrounding: list[int | None] = []
    for index, number in enumerate(run_of):
        last = number if number is not None else last
        surrounding.append(last if last == following[index] else None)
    return surrounding


def kinds_of(discovery: Discovery, run: Run) -> Counter[int]:
    """How often each kind of deed comes in a run."""
    return Counter(discovery.symbols[index] for index in run.deeds)


__all__ = ["MIN_COUNT", "MIN_EXECUTIONS", "Discovery", "Run", "find_routines", "kinds_of"]
