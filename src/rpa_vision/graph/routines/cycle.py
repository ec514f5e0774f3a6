"""The order of a backbone, and where the routine begins.

Done again and again, a routine is a ring: after the last step comes the first. The order around the ring is that in
which its kinds follow each other; where to cut it open is another question, and many small facts answer it together:
people pause between two goes, values do not cross from one to the next, another row of the table is worked on, the
recording begins with a beginning, and some words say that something is finished or begun.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import mean, median

from rpa_vision.graph.routines.stream import Stream
from rpa_vision.models.wording import folded

PAUSE_S = 30.0
_CLEAR_PAUSES = 0.6
"""The share of passages at which a long pause makes a cut of its own."""
_FAR_LONGER = 3.0
_BREATH_S = 3.0
"""Nobody takes a breath for less."""
_NO_LINK = 0.1
_WEIGHTS = {"starts": 2.0, "pauses": 1.0, "values": 1.5, "rows": 1.5, "words": 0.2, "steady": 0.5}
_ENDING_WORDS = frozenset(
    {"submit", "save", "send", "ok", "confirm", "finish", "done", "close", "logout", "validate", "approve", "apply",
     "valider", "confirmer", "enregistrer", "envoyer", "terminer", "fermer", "soumettre", "approuver", "deconnexion"}
)  # fmt: skip
_BEGINNING_WORDS = frozenset(
    {"new", "open", "goto", "go", "search", "find", "login", "create", "add", "start", "nouveau", "nouvelle", "ouvrir",
     "rechercher", "chercher", "connexion", "creer", "ajouter", "demarrer"}
)  # fmt: skip
_BEGINNING_TELLS = 4
"""The first go shows what is needed to begin; after the last one, people stop without tidying up."""
_FEW_USES = 12
"""A value used more often than this ties nothing to anything."""
_LINK_REACH = 40
"""How many deeds later the same value is still that of the same case."""


@dataclass(slots=True)
class _Passage:
    """What was seen between one kind of the ring and the next, each time."""

    pauses_s: list[float] = field(default_factory=list)
    links: list[int] = field(default_factory=list)
    row_changes: list[bool] = field(default_factory=list)
    starts: int = 0
    steps: int = 0


def ordered_ring(stream: Stream, backbone: Sequence[int]) -> list[int]:
    """The kinds of a backbone in the order in which they follow each other, beginning anywhere."""
    members = set(backbone)
    line = [stream.symbols[index] for index in stream.deeds_of(backbone)]
    first = max(backbone, key=lambda symbol: (stream.counts[symbol], -symbol))
    rounds: list[list[int]] = []
    for symbol in line:
        if symbol == first:
            rounds.append([])
        if rounds:
            rounds[-1].append(symbol)
    whole = [one for one in rounds if len(one) == len(members) == len(set(one))]
    places: dict[int, list[float]] = defaultdict(list)
    for one in whole if len(whole) >= 2 else rounds:
        for place, symbol in enumerate(one):
            places[symbol].append(place / len(one))
    return sorted(backbone, key=lambda symbol: (median(places[symbol]) if places[symbol] else 1.0, symbol))


def cut_open(stream: Stream, ring: list[int], links: Sequence[int]) -> list[list[int]]:
    """The routine, from its first step to its last; several where long pauses part the ring in several places."""
    passages = _passages(stream, ring, links)
    scores = _scores(stream, ring, passages)
    best = max(range(len(ring)), key=lambda index: (scores[index], -index))
    cuts = {best} | {index for index in range(len(ring)) if _parts(index, passages)}
    ends = sorted(cuts)
    pieces = [ring[start + 1 : end + 1] for start, end in pairwise(ends)]
    pieces.append(ring[ends[-1] + 1 :] + ring[: ends[0] + 1])
    return [piece for piece in pieces if piece]


def value_links(stream: Stream) -> list[int]:
    """For each deed, how many values were used before it and are used again, at it or soon after."""
    places: dict[str, list[int]] = defaultdict(list)
    for index, deed in enumerate(stream.deeds):
        value = folded(deed.value) if deed.value else ""
        if len(value) >= 2:
            places[value].append(index)
    steps = [0] * (len(stream) + 1)
    for found in places.values():
        if 2 <= len(found) <= _FEW_USES:
            for before, after in pairwise(found):
                if after - before <= _LINK_REACH:
                    steps[before + 1] += 1
                    steps[after + 1] -= 1
    crossing, total = [], 0
    for change in steps[:-1]:
        total += change
        crossing.append(total)
    return crossing


def _passages(stream: Stream, ring: list[int], links: Sequence[int]) -> list[_Passage]:
    phase = {symbol: index for index, symbol in enumerate(ring)}
    passages = [_Passage() for _ in ring]
    last: tuple[int, int] | None = None
    for index in stream.deeds_of(ring):
        place = phase[stream.symbols[index]]
        if last is None:
            passages[place - 1].starts += _BEGINNING_TELLS
        else:
            before, previous = last
            if (previous + 1) % len(ring) == place:
                passage = passages[previous]
                gaps = stream.gaps_s[before + 1 : index + 1]
                passage.pauses_s.append(max(gaps))
                passage.links.append(min(links[before + 1 : index + 1]))
                passage.steps += 1
                if stream.rows_before[before] and stream.rows_after[index]:
                    passage.row_changes.append(stream.rows_before[before] != stream.rows_after[index])
                if max(gaps) > PAUSE_S:
                    passage.starts += 1
        last = (index, place)
    if last is not None:
        passages[last[1]].starts += 1
    return passages


def _scores(stream: Stream, ring: list[int], passages: Sequence[_Passage]) -> list[float]:
    starts = sum(passage.starts for passage in passages) or 1
    pauses = [math.log1p(median(passage.pauses_s)) if passage.pauses_s else 0.0 for passage in passages]
    links = [mean(passage.links) if passage.links else 0.0 for passage in passages]
    rows = [mean(passage.row_changes) if passage.row_changes else 0.0 for passage in passages]
    most = max(links) or 1.0
    longest = max(pauses) or 1.0
    always = max(passage.steps for passage in passages) or 1
    scores = []
    for index, passage in enumerate(passages):
        ends = _says(stream.labels[ring[index]], _ENDING_WORDS)
        begins = _says(stream.labels[ring[(index + 1) % len(ring)]], _BEGINNING_WORDS)
        facts = {
            "starts": passage.starts / starts,
            "pauses": pauses[index] / longest,
            "values": 1.0 - links[index] / most if max(links) > 0 else 0.0,
            "rows": rows[index],
            "words": ends + 0.5 * begins,
            "steady": passage.steps / always,
        }
        scores.append(sum(_WEIGHTS[name] * value for name, value in facts.items()))
    return scores


def _says(label: str, words: frozenset[str]) -> float:
    spoken = Counter(folded(label).replace("|", " ").split())
    return 1.0 if any(word in words for word in spoken) else 0.0


def _parts(index: int, passages: Sequence[_Passage]) -> bool:
    """Whether people stop here nearly every time: for long, or for far longer than anywhere else on the ring."""
    pauses = passages[index].pauses_s
    if len(pauses) < 3:
        return False
    if sum(pause > PAUSE_S for pause in pauses) >= _CLEAR_PAUSES * len(pauses):
        return True
    others = sorted(median(other.pauses_s) for other in passages if other is not passages[index] and other.pauses_s)
    if len(others) < 4 or mean(passages[index].links) >= _NO_LINK:
        return False
    return median(pauses) >= max(_BREATH_S, _FAR_LONGER * others[len(others) * 3 // 4])
