"""What else belongs to a routine: steps that are optional, repeated, or shared with other routines, told from noise.

Between two steps of the backbone is a slot. Noise falls into all slots alike; a deed that comes in one slot far more
often than chance allows belongs there. What lies between two executions has a slot on either side, and belongs to the
one where it is usual; if that is the same, to the nearer one.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from rpa_vision.graph.routines.executions import Execution
from rpa_vision.graph.routines.relations import WINDOW
from rpa_vision.graph.routines.stream import MIN_COUNT, Stream

_MAX_CHANCE = math.log(20.0)
_LITTLE_CHANCE = math.log(3.0)
"""Enough for what comes nearly every time."""
_FAR_MORE = 1.5
"""However many there are: a slot that holds less than this, against what falls there by chance, is nothing special."""
_CLEARLY_MORE = 1.25

Slot = tuple[int, int]
"""(routine, place of the backbone step before it); place -1 is before the first step."""


@dataclass(frozen=True, slots=True)
class Track:
    """An execution and the routine it is one of."""

    routine: int
    execution: Execution


@dataclass(frozen=True, slots=True)
class Attachment:
    """Which execution a deed belongs to, and how usual it is there."""

    track: int
    rate: float


class SlotStatistics:
    """How often each kind of deed comes in each slot, over the whole log."""

    def __init__(self, stream: Stream, tracks: Sequence[Track]) -> None:
        self._stream = stream
        self._tracks = tracks
        self._left, self._right = _neighbours(stream, tracks)
        self._times: dict[int, int] = defaultdict(int)
        for track in tracks:
            self._times[track.routine] += 1
        self._seen: dict[tuple[int, Slot], float] = defaultdict(float)
        self._exposure: dict[Slot, float] = defaultdict(float)
        self._nearer: dict[tuple[int, Slot, Slot], list[float]] = defaultdict(list)
        self._count()
        self._members = self._enriched()

    def attachment(self, index: int) -> Attachment | None:
        """Where the deed belongs; None where it is not usual."""
        symbol = self._stream.symbols[index]
        options = [
            (self._seen[symbol, slot] / self._times[slot[0]], track)
            for track, slot in self._sides(index)
            if (symbol, slot) in self._members
        ]
        if not options:
            return None
        if len(options) == 2 and options[0][1] != options[1][1]:
            return self._between(index, symbol, options)
        rate, track = max(options)
        return Attachment(track, min(1.0, rate))

    def _between(self, index: int, symbol: int, options: list[tuple[float, int]]) -> Attachment:
        (left_rate, left), (right_rate, right) = options
        if max(left_rate, right_rate) < _CLEARLY_MORE * min(left_rate, right_rate):
            (_, left_slot), (_, right_slot) = self._sides(index)
            nearer_left = median(self._nearer[symbol, left_slot, right_slot]) <= 0.0
        else:
            nearer_left = left_rate > right_rate
        return Attachment(left, min(1.0, left_rate)) if nearer_left else Attachment(right, min(1.0, right_rate))

    def _sides(self, index: int) -> list[tuple[int, Slot]]:
        """The executions on both sides of a deed, each with the slot."""
        sides = []
        left, right = self._left[index], self._right[index]
        if left is not None and index - left[2] <= WINDOW:
            sides.append((left[0], (self._tracks[left[0]].routine, left[1])))
        if right is not None and right[2] - index <= WINDOW:
            side = (right[0], (self._tracks[right[0]].routine, right[1] - 1))
            if side not in sides:
                sides.append(side)
        return sides

    def _count(self) -> None:
        told: set[tuple[int, _Neighbour | None]] = set()
        for index, symbol in enumerate(self._stream.symbols):
            sides = self._sides(index)
            # Between the same two steps a kind counts once: a burst of foreign work is one accident, not twenty.
            is_first = (symbol, self._left[index]) not in told
            told.add((symbol, self._left[index]))
            if is_first:
                for _, slot in sides:
                    self._exposure[slot] += 1 / len(sides)
            if self._is_step(index):
                continue
            if is_first:
                for _, slot in sides:
                    self._seen[symbol, slot] += 1 / len(sides)
            if len(sides) == 2 and sides[0][0] != sides[1][0]:
                left, right = self._left[index], self._right[index]
                assert left is not None
                assert right is not None
                deeds = self._stream.deeds
                before = max(0.0, deeds[index].t - deeds[left[2]].t)
                after = max(0.0, deeds[right[2]].t - deeds[index].t)
                self._nearer[symbol, sides[0][1], sides[1][1]].append(before - after)

    def _is_step(self, index: int) -> bool:
        left = self._left[index]
        return left is not None and left[2] == index

    def _enriched(self) -> set[tuple[int, Slot]]:
        kinds = sum(count >= MIN_COUNT for count in self._stream.counts)
        toll = math.log(max(1, kinds * len(self._exposure))) + _MAX_CHANCE
        slots: dict[int, dict[Slot, float]] = defaultdict(dict)
        for (symbol, slot), seen in self._seen.items():
            slots[symbol][slot] = seen
        return {(symbol, slot) for symbol, seen in slots.items() for slot in self._usual(seen, toll)}

    def _usual(self, seen: dict[Slot, float], toll: float) -> list[Slot]:
        """The slots in which a kind is usual, the plainest first: what one explains is no longer laid to chance."""
        left, found = dict(seen), []
        # Room is what other deeds leave for it; where a kind stands it cannot count as room for itself.
        space = {slot: self._exposure[slot] - seen.get(slot, 0.0) for slot in self._exposure}
        room = sum(space.values())
        while left:
            loose = sum(left.values())
            surprise = {slot: _surprise(count, loose, space[slot] / max(room, 1.0)) for slot, count in left.items()}
            slot = max(left, key=lambda slot: (surprise[slot], slot))
            times = self._times[slot[0]]
            is_plain = left[slot] >= _FAR_MORE * loose * space[slot] / max(room, 1.0)
            if left[slot] < MIN_COUNT / 2 or not is_plain or surprise[slot] <= _needed(left[slot], times, toll):
                break
            found.append(slot)
            room -= space[slot]
            del left[slot]
        return found


def _needed(seen: float, times: int, toll: float) -> float:
    """How far beyond chance it must be: less where it comes nearly every time, all of it where it is rare."""
    share = seen / times
    if share >= 0.8:
        return max(_LITTLE_CHANCE, 0.1 * times)
    return _MAX_CHANCE + (toll - _MAX_CHANCE) * max(0.0, 1.0 - 2.0 * share)


def _surprise(seen: float, tries: float, chance: float) -> float:
    """Minus the logarithm of how likely so many of them fall there by chance (Chernoff's bound)."""
    share, chance = seen / tries, min(max(chance, 1e-6), 1 - 1e-6)
    if share <= chance:
        return 0.0
    divergence = share * math.log(share / chance)
    if share < 1.0:
        divergence += (1 - share) * math.log((1 - share) / (1 - chance))
    return tries * divergence


_Neighbour = tuple[int, int, int]
"""(track, place, deed) of a backbone step."""


def _neighbours(stream: Stream, tracks: Sequence[Track]) -> tuple[list[_Neighbour | None], list[_Neighbour | None]]:
    """For each deed the last backbone step up to it and the next one from it on."""
    steps: dict[int, _Neighbour] = {
        deed: (number, place, deed) for number, track in enumerate(tracks) for place, deed in track.execution.steps
    }
    left: list[_Neighbour | None] = []
    known: _Neighbour | None = None
    for index in range(len(stream)):
        known = steps.get(index, known)
        left.append(known)
    right: list[_Neighbour | None] = []
    known = None
    for index in range(len(stream) - 1, -1, -1):
        known = steps.get(index, known)
        right.append(known)
    return left, right[::-1]
