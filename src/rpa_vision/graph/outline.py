"""The shape of a task: steps one after the other, forks where goes went apart, rounds over the rows of a list.

Goes are laid beside each other. A step that all have is on the trunk. Between two such steps there may be several
ways; each was gone at least twice, however rare that is among many goes. A go that went where no other went is left
out, for one go shows no way, and so is one that lacks a step of the trunk, or is one of the few that ended before the
others did; but where it clicked something else in place of what all others did (`lone_ways`), that is a way too, which
only a person can explain. Steps that changed nothing, and steps that come anywhere, are no way of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from rapidfuzz.distance import LCSseq

from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.idle_steps import is_idle
from rpa_vision.graph.lone_ways import Row, lone_ways
from rpa_vision.graph.pattern_miner import Alike, alike_steps
from rpa_vision.graph.places import Place
from rpa_vision.graph.rounds import Block, Done, Piece, fold
from rpa_vision.graph.routines.alignment import fitted

MIN_WAY = 2
_MIN_END_SHARE = 0.1
"""Fewer goes than this that end where the others go on were broken off."""
_USUAL = 0.8
_SAMPLE = 40
_AT_HOME = 0.6
"""The share of a kind's deeds that must stand at one place of the task for it to be a way and not noise."""
_OFTEN = 0.3
"""What so many cases have at one place is no noise, whatever else it is done for."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way at a fork and the cases that went it; without items, straight on."""

    cases: tuple[int, ...]
    items: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Fork:
    """Where cases went apart."""

    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Rounds:
    """The same steps for several rows of a list; `cases` are the rounds."""

    cases: tuple[int, ...]
    items: tuple[Item, ...]
    next_page: Place | None = None
    left_out: tuple[DemoStep, ...] = ()
    """How rounds began from which nothing was learned: their rows were not left out by whoever did them."""


Item = int | Fork | Rounds
"""A number is that of a place."""


@dataclass(slots=True)
class Outline:
    """The places of a task and how they follow each other."""

    places: list[Place] = field(default_factory=list)
    items: tuple[Item, ...] = ()
    parents: dict[int, int] = field(default_factory=dict)
    """Round → go."""
    goes: tuple[int, ...] = ()
    """The cases that are goes, and not rounds."""
    left_out: int = 0
    """Goes from which nothing was learned."""
    rounds_left_out: int = 0

    @property
    def repetitions(self) -> int:
        return len(self.goes)


def outline_of(
    goes: Sequence[Sequence[Done]], counts: Mapping[int, int] | None = None, alike: Alike = alike_steps
) -> Outline | None:
    """The shape of a task shown in these goes, or None where not even two of them agree.

    `counts` says how often each kind was done in the whole of the recording.
    """
    everywhere = counts or Counter(kind for go in goes for kind, _ in go)
    drafting = _Drafting(everywhere, alike, len(goes))
    items, kept = drafting.items(dict(enumerate(goes)))
    if not kept or not items:
        return None
    outline = drafting.outline
    outline.items, outline.goes, outline.left_out = items, kept, len(goes) - len(kept)
    return outline


class _Drafting:
    """Places and cases are numbered as they are found."""

    def __init__(self, counts: Mapping[int, int], alike: Alike, goes: int) -> None:
        self.outline = Outline()
        self._counts = counts
        self._alike = alike
        self._next_case = goes
        self._idle: dict[tuple[str, tuple[int, int]], bool] = {}

    def items(self, cases: Mapping[int, Sequence[Done]]) -> tuple[tuple[Item, ...], tuple[int, ...]]:
        """The shape of these cases, and which of them it was learned from."""
        rows = _table(fold(self._without_idle(cases)))
        while True:
            trunk = _trunk(rows)
            lone = lone_ways(rows, trunk, self._is_at_home)
            trunk = [column for column in trunk if not any(column in one.instead_of for one in lone)]
            beside = self._beside(rows, trunk).union(column for one in lone for column in one.columns)
            ways = {case: _ways(row, trunk, beside) for case, row in rows.items()}
            strangers = self._strangers(rows, trunk, ways, {one.case for one in lone})
            if not strangers or len(rows) - len(strangers) < MIN_WAY:
                break
            rows = {case: row for case, row in rows.items() if case not in strangers}
        if strangers or not trunk:
            return (), ()
        found: list[Item] = []
        for gap in range(len(trunk) + 1):
            found += self._gap(rows, {case: way[gap] for case, way in ways.items()})
            if gap < len(trunk):
                found += self._column(rows, trunk[gap])
        return tuple(found), tuple(rows)

    def _without_idle(self, cases: Mapping[int, Sequence[Done]]) -> dict[int, list[Done]]:
        """The cases without kinds of steps that only some have and that change nothing: they would be compared with
        each other where what was done should be."""
        support = Counter(kind for done in cases.values() for kind in {kind for kind, _ in done})
        shown: dict[int, list[DemoStep]] = {}
        for kind, step in (one for done in cases.values() for one in done):
            if support[kind] < _USUAL * len(cases):
                shown.setdefault(kind, []).append(step)
        idle = {kind for kind, steps in shown.items() if all(map(self._is_idle, steps))}
        return {case: [one for one in done if one[0] not in idle] for case, done in cases.items()}

    def _beside(self, rows: Mapping[int, Row], trunk: Sequence[int]) -> frozenset[int]:
        """Columns that may be part of a way: shown at least twice, here more than elsewhere, and not for nothing."""
        columns = {column for row in rows.values() for column in row}.difference(trunk)
        found = set()
        for column in columns:
            pieces = [row[column] for row in rows.values() if column in row]
            steps = [piece[1] for piece in pieces if not isinstance(piece, Block)]
            if len(pieces) < MIN_WAY:
                continue
            kinds = {piece[0] for piece in pieces if not isinstance(piece, Block)}
            elsewhere = sum(self._counts.get(kind, 0) for kind in kinds)
            is_rare = len(pieces) < _OFTEN * len(rows)
            if steps and ((is_rare and len(steps) < _AT_HOME * elsewhere) or all(map(self._is_idle, steps))):
                continue
            found.add(column)
        return frozenset(found)

    def _is_at_home(self, kind: int, step: DemoStep) -> bool:
        """Whether something was done that is done once in all."""
        return self._counts.get(kind, 0) <= 1 and not self._is_idle(step)

    def _is_idle(self, step: DemoStep) -> bool:
        key = (step.session_id, step.events)
        if key not in self._idle:
            self._idle[key] = is_idle(step)
        return self._idle[key]

    def _strangers(
        self,
        rows: Mapping[int, Row],
        trunk: Sequence[int],
        ways: Mapping[int, Sequence[tuple[int, ...]]],
        lone: set[int],
    ) -> set[int]:
        """Cases that lack a step of the trunk, went where nobody else went, or were not seen all along."""
        strangers = {case for case, row in rows.items() if any(column not in row for column in trunk)}
        for gap in range(len(trunk) + 1):
            gone = Counter(ways[case][gap] for case in rows)
            strangers |= {case for case in rows if gone[ways[case][gap]] < MIN_WAY and case not in lone}
        ended = {case for case in rows if not ways[case][-1]}
        if len(ended) < _MIN_END_SHARE * len(rows):
            strangers |= ended
        used = {case: {*trunk, *(column for way in ways[case] for column in way)} for case in rows}
        for case, row in rows.items():
            if any(not _was_seen(row[column]) for column in used[case] if column in row):
                strangers.add(case)
        for column in {column for columns in used.values() for column in columns}:
            strangers |= self._odd_ones({case: row[column] for case, row in rows.items() if column in row})
        return strangers

    def _odd_ones(self, pieces: Mapping[int, Piece]) -> set[int]:
        """Whatever differs in kind from what is alike to most others."""
        steps = {case: piece[1] for case, piece in pieces.items() if not isinstance(piece, Block)}
        steps = {case: step for case, step in steps.items() if step.was_seen}
        if not steps:
            return set()
        model = max(steps.values(), key=lambda one: sum(self._alike(one, other) for other in steps.values()))
        return {case for case, step in steps.items() if not self._alike(model, step)}

    def _column(self, rows: Mapping[int, Row], column: int) -> list[Item]:
        pieces = {case: row[column] for case, row in rows.items() if column in row}
        blocks = {case: piece for case, piece in pieces.items() if isinstance(piece, Block)}
        if blocks:
            return self._rounds(blocks)
        shown = {case: piece[1] for case, piece in pieces.items() if not isinstance(piece, Block)}
        self.outline.places.append(Place.of(shown))
        return [len(self.outline.places) - 1]

    def _rounds(self, blocks: Mapping[int, Block]) -> list[Item]:
        rounds: dict[int, Sequence[Done]] = {}
        pages: dict[int, DemoStep] = {}
        for go, block in blocks.items():
            pages |= {len(pages) + at: step for at, step in enumerate(block.pages)}
            for one in block.rounds:
                rounds[self._next_case] = one
                self.outline.parents[self._next_case] = go
                self._next_case += 1
        items, kept = self.items(rounds)
        others = tuple(one[0][1] for case, one in rounds.items() if case not in kept) if items else ()
        self.outline.rounds_left_out += len(others)
        return [Rounds(kept, items, Place.of(pages) if pages else None, others)] if items else []

    def _gap(self, rows: Mapping[int, Row], ways: Mapping[int, tuple[int, ...]]) -> list[Item]:
        different = list(dict.fromkeys(ways.values()))
        drafted: list[Way] = []
        for columns in different:
            cases = tuple(case for case, way in ways.items() if way == columns)
            own = {case: rows[case] for case in cases}
            items = tuple(item for column in columns for item in self._column(own, column))
            drafted.append(Way(cases, items))
        if len(drafted) == 1:
            return list(drafted[0].items)
        drafted.sort(key=lambda way: not way.items)
        return [Fork(tuple(drafted))]


def _table(cases: Mapping[int, Sequence[Piece]]) -> dict[int, Row]:
    """The cases beside each other: the same kind of step of all of them in one column. The most typical comes first:
    what others do twice is then not what it is compared with."""
    kinds: list[int] = []
    rows: dict[int, Row] = {}
    for case in _typical_first({case: _kinds(pieces) for case, pieces in cases.items()}):
        pieces = cases[case]
        places, inserted = fitted(kinds, _kinds(pieces))
        for at, kind in reversed(inserted):
            rows = {one: {column + (column >= at): piece for column, piece in row.items()} for one, row in rows.items()}
            kinds.insert(at, kind)
        rows[case] = dict(zip(places, pieces, strict=True))
    return {case: rows[case] for case in cases}


BLOCK = -1
"""The kind of a loop."""


def _kinds(pieces: Sequence[Piece]) -> list[int]:
    return [piece[0] if not isinstance(piece, Block) else BLOCK for piece in pieces]


def _typical_first(kinds: Mapping[int, Sequence[int]]) -> list[int]:
    """The case that has most in common with the others, then the others, those like it first."""
    sample = list(kinds)[:: max(1, len(kinds) // _SAMPLE)]
    likeness = {
        case: sum(LCSseq.normalized_similarity(own, kinds[other]) for other in sample) for case, own in kinds.items()
    }
    return sorted(kinds, key=lambda case: (-round(likeness[case], 6), case))


def _trunk(rows: Mapping[int, Row]) -> list[int]:
    """The columns that all cases have, but for one in many."""
    support = Counter(column for row in rows.values() for column in row)
    needed = max(_USUAL * len(rows), len(rows) - MIN_WAY + 1)
    return sorted(column for column, times in support.items() if times >= needed)


def _ways(row: Row, trunk: Sequence[int], beside: frozenset[int]) -> list[tuple[int, ...]]:
    """For each gap of the trunk, also before its first step and after its last, the columns that the case has."""
    bounds = [-1, *trunk, max([*row, *trunk], default=0) + 1]
    return [
        tuple(column for column in sorted(row) if low < column < high and column in beside)
        for low, high in pairwise(bounds)
    ]


def _was_seen(piece: Piece) -> bool:
    return isinstance(piece, Block) or piece[1].was_seen
