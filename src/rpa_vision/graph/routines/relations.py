"""Which kinds of deeds come together, once each, time after time.

Look at two kinds only and forget all others: two steps of one routine then alternate, a b a b a b, whatever was done in
between, noise or another task. Steps of different routines, and noise, do not. Kinds that alternate are joined into a
*backbone*; what chance alone would explain is not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from rpa_vision.graph.routines.stream import MIN_COUNT, Stream

WINDOW = 48
"""How far ahead the partner of a deed is sought, in deeds."""
MIN_STRENGTH = 0.8
"""The share of times that a kind must have its partner. With fewer than five repetitions: every time."""
_MAX_CHANCE = math.log(20.0)


@dataclass(frozen=True, slots=True)
class Relation:
    """Kind `first` is followed by kind `second` before either comes again."""

    first: int
    second: int
    count: int
    strength: float
    surprise: float
    """Minus the logarithm of the probability that chance does this."""


def relations_of(stream: Stream, window: int = WINDOW) -> list[Relation]:
    """All pairs of kinds that alternate, in the order in which they do."""
    usable = [count >= MIN_COUNT for count in stream.counts]
    places = [index for index, symbol in enumerate(stream.symbols) if usable[symbol]]
    kept = [stream.symbols[index] for index in places]
    counted: dict[int, list[int]] = {}
    width = len(stream.counts)
    for at, first in enumerate(kept):
        seen: set[int] = set()
        base = first * width
        for ahead, second in enumerate(kept[at + 1 : at + 1 + window], start=at + 1):
            if second == first:
                break
            if second in seen:
                continue
            seen.add(second)
            entry = counted.get(base + second)
            distance = ahead - at
            if entry is None:
                counted[base + second] = [1, distance, distance * distance]
            else:
                entry[0] += 1
                entry[1] += distance
                entry[2] += distance * distance
    kinds = sum(usable)
    found = []
    for key, (count, distance, squares) in counted.items():
        first, second = divmod(key, width)
        mean = distance / count
        spread = math.sqrt(max(0.0, squares / count - mean * mean))  # chance comes at any distance, steps do not
        relation = _judged(stream, first, second, count, mean + spread, len(kept))
        if relation is not None and relation.surprise > math.log(max(2, kinds)):
            found.append(relation)
    return found


def backbones(stream: Stream, relations: Iterable[Relation]) -> list[list[int]]:
    """Groups of kinds that all alternate with each other, the strongest ties first."""
    strength: dict[tuple[int, int], float] = {}
    surprise: dict[tuple[int, int], float] = {}
    for relation in relations:
        pair = (min(relation.first, relation.second), max(relation.first, relation.second))
        strength[pair] = max(strength.get(pair, 0.0), relation.strength)
        surprise[pair] = max(surprise.get(pair, 0.0), relation.surprise)
    group = {symbol: symbol for pair in strength for symbol in pair}
    members = {symbol: [symbol] for symbol in group}
    toll = math.log(max(2, sum(count >= MIN_COUNT for count in stream.counts)))
    evidence = dict.fromkeys(group, -toll)  # each kind was picked out of all of them
    for pair in sorted(strength, key=lambda pair: (-strength[pair], -surprise[pair], pair)):
        one, other = group[pair[0]], group[pair[1]]
        if one == other or not _fit(members[one], members[other], strength):
            continue
        small, large = sorted((one, other), key=lambda symbol: len(members[symbol]))
        for symbol in members[small]:
            group[symbol] = large
        members[large] += members.pop(small)
        evidence[large] += evidence.pop(small) + surprise[pair]
    return [sorted(found) for root, found in sorted(members.items()) if evidence[root] > _MAX_CHANCE]


def _fit(ones: list[int], others: list[int], strength: dict[tuple[int, int], float]) -> bool:
    """Whether two groups are one: of the pairs near enough to have met, most must alternate."""
    met = [strength.get((min(one, other), max(one, other))) for one in ones for other in others]
    known = [value for value in met if value is not None]
    return len(known) >= min(len(met), max(1, min(len(ones), len(others)))) * 0.5


def _judged(stream: Stream, first: int, second: int, count: int, distance: float, length: int) -> Relation | None:
    one, other = stream.counts[first], stream.counts[second]
    most = max(one, other)
    if count < MIN_COUNT or count < MIN_STRENGTH * most:
        return None
    chance = 1.0 - math.exp(-other * distance / length)
    return Relation(first, second, count, count / most, _surprise(count, one, chance))


def _surprise(count: int, tries: int, chance: float) -> float:
    """Chernoff's bound on the tail of a binomial distribution."""
    share = count / tries
    if share <= chance:
        return 0.0
    divergence = share * math.log(share / chance)
    if share < 1.0:
        divergence += (1 - share) * math.log((1 - share) / (1 - chance))
    return tries * divergence
