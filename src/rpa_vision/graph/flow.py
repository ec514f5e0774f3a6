"""From the shape of a task to edges in order: which step follows which, where ways part and meet, where rounds begin.

An edge is drafted here as a place of the outline, or a value to be read, and what comes after it; what it does and on
which screens is drawn elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rpa_vision.graph.forks import Decision
from rpa_vision.graph.outline import Fork, Item, Rounds
from rpa_vision.graph.sources import Extraction, Sources
from rpa_vision.models.branch_rule import BranchQuestion, BranchRule


@dataclass(slots=True, eq=False)
class EdgeDraft:
    """A step to be. `following` is None at the end of the run; `place` is where it stands, also for what is read."""

    place: int
    extraction: Extraction | None = None
    following: EdgeDraft | None = None
    rule: BranchRule | None = None
    question: BranchQuestion | None = None
    otherwise: EdgeDraft | None = None
    """Where the rule does not hold; None is the end of the run."""
    rounds: Rounds | None = None
    last: EdgeDraft | None = None
    """Of the first step of a round: its last."""
    is_last: bool = False
    led_in_by: list[int] = field(default_factory=list)
    """Places whose steps show nothing by themselves and are done together with this one."""
    edge_id: str = field(default="")

    @property
    def is_fork(self) -> bool:
        return self.rule is not None or self.question is not None


class Flow:
    """Lays items out as edges, from the last to the first, so that each knows what follows it."""

    def __init__(self, sources: Sources, decisions: Mapping[Fork, Decision]) -> None:
        self._sources = sources
        self._decisions = decisions

    def edges(self, items: Sequence[Item], silent: Callable[[int], bool] = lambda place: False) -> list[EdgeDraft]:
        """All edges in order, numbered. Steps at `silent` places are done together with the one that follows."""
        laid = _joined(self._laid(items, None), silent)
        for number, edge in enumerate(laid, start=1):
            edge.edge_id = f"E{number}"
        return laid

    def _laid(self, items: Sequence[Item], following: EdgeDraft | None) -> list[EdgeDraft]:
        laid: list[EdgeDraft] = []
        for item in reversed(items):
            if isinstance(item, Fork):
                part = self._fork(item, following)
            elif isinstance(item, Rounds):
                part = self._rounds(item, following)
            else:
                part = self._place(item, following)
            laid = part + laid
            following = part[0] if part else following
        return laid

    def _place(self, place: int, following: EdgeDraft | None) -> list[EdgeDraft]:
        step = EdgeDraft(place, following=following)
        return self._read(self._sources.at(place), place, step)

    def _read(self, extractions: Sequence[Extraction], place: int, step: EdgeDraft) -> list[EdgeDraft]:
        laid = [step]
        for extraction in reversed(extractions):
            laid.insert(0, EdgeDraft(place, extraction, laid[0]))
        return laid

    def _fork(self, fork: Fork, following: EdgeDraft | None) -> list[EdgeDraft]:
        decision = self._decisions[fork]
        ways = [self._laid(fork.ways[index].items, following) for index in decision.order]
        for number, way in enumerate(ways[:-1]):
            after = ways[number + 1]
            first = way[0]
            first.otherwise = after[0] if after else following
            first.rule = decision.rules[number] if decision.rules else None
            first.question = decision.question if not decision.rules else None
        laid = [edge for way in ways for edge in way]
        read = self._sources.at(fork)
        return self._read(read, laid[0].place, laid[0])[: len(read)] + laid

    def _rounds(self, rounds: Rounds, following: EdgeDraft | None) -> list[EdgeDraft]:
        again = EdgeDraft(-1)
        laid = self._laid(rounds.items, again)
        first, last = laid[0], laid[-1]
        for edge in laid:
            if edge.following is again:
                edge.following = following if edge is last else first
            if edge.is_fork and edge.otherwise is again:
                edge.otherwise = first
        first.rounds, first.last, last.is_last = rounds, last, True
        return laid


def _joined(laid: list[EdgeDraft], silent: Callable[[int], bool]) -> list[EdgeDraft]:
    """Without steps that nothing could prove: a key that was pressed to be sure is part of what it prepares."""
    kept = list(laid)
    for edge in laid:
        following = edge.following
        entered = [one for one in kept if one.following is following or one.otherwise is following]
        plain = following is not None and not following.is_fork and following.rounds is None and not edge.is_last
        bare = not edge.is_fork and edge.rounds is None and edge.extraction is None
        if following is None or not (plain and bare and following.extraction is None and entered == [edge]):
            continue
        if silent(edge.place):
            following.led_in_by = [*edge.led_in_by, edge.place, *following.led_in_by]
            for one in kept:
                one.following = following if one.following is edge else one.following
                one.otherwise = following if one.otherwise is edge else one.otherwise
            kept.remove(edge)
    return kept
