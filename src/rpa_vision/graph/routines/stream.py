"""What is looked at when routines are sought: a sequence of deeds, each with a name, and little else.

A deed has several names, from the most exact to the most general (« open FAC-2026-00012 », « open an invoice »). The
exact one is used where it comes again over the whole of the log, as field names do. Where the exact names come and go,
one after another, they are values, and the general name is the one that is repeated.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

MIN_COUNT = 3
_LASTING_SHARE = 0.5
"""A name that lasts is used over at least this share of the time in which names of its kind are used."""


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing that was done."""

    names: tuple[str, ...]
    """From the most exact to the most general; at least one."""
    t: float = 0.0
    app: str = ""
    value: str = ""
    row: str = ""
    lasted_s: float = 0.0
    """How long it took, as typing a text does; a pause begins only then."""


@dataclass(frozen=True, slots=True)
class Stream:
    """Deeds as numbers: `symbols[i]` is the kind of deed i; `counts[s]` and `labels[s]` are of kind s."""

    deeds: Sequence[Deed]
    symbols: list[int]
    labels: list[str]
    counts: list[int]
    gaps_s: list[float]
    """For each deed how long nothing was done before it. A clock that jumps back tells of no pause, coming or going."""

    places: list[list[int]]
    """For each kind the deeds of it, in order."""
    rows_before: list[str]
    rows_after: list[str]
    """For each deed the row of a table last worked on up to it, and the next one from it on; empty where none was."""

    def __len__(self) -> int:
        return len(self.symbols)

    def deeds_of(self, kinds: Iterable[int]) -> list[int]:
        """The deeds of some kinds, in order, everything else forgotten."""
        return sorted(index for kind in kinds for index in self.places[kind])


def stream_of(deeds: Sequence[Deed]) -> Stream:
    """Choose a name for every deed and count."""
    chosen = _chosen_names(deeds)
    numbers: dict[str, int] = {}
    symbols = [numbers.setdefault(name, len(numbers)) for name in chosen]
    places: list[list[int]] = [[] for _ in numbers]
    for index, symbol in enumerate(symbols):
        places[symbol].append(index)
    rows = [deed.row for deed in deeds]
    return Stream(
        deeds,
        symbols,
        list(numbers),
        [len(found) for found in places],
        pauses_before(deeds),
        places,
        _carried(rows),
        _carried(rows[::-1])[::-1],
    )


def _carried(rows: Sequence[str]) -> list[str]:
    """Each row, or the last one before it where there is none."""
    known, carried = "", []
    for row in rows:
        known = row or known
        carried.append(known)
    return carried


def pauses_before(deeds: Sequence[Deed]) -> list[float]:
    """For each deed the seconds since anything was done last."""
    latest = deeds[0].t if deeds else 0.0
    pauses = []
    for deed in deeds:
        pauses.append(max(0.0, deed.t - latest))
        latest = max(latest, deed.t + deed.lasted_s)
    return pauses


def _chosen_names(deeds: Sequence[Deed]) -> list[str]:
    """The most exact name of each deed that is the name of a thing and not of one case."""
    chosen: list[str | None] = [None] * len(deeds)
    depth = max((len(deed.names) for deed in deeds), default=0)
    for level in range(depth - 1):
        kinds: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for index, deed in enumerate(deeds):
            if chosen[index] is None and level + 1 < len(deed.names):
                kinds[deed.names[level + 1]][deed.names[level]].append(index)
        for names in kinds.values():
            if _lasting(names):
                for name, places in names.items():
                    for index in places:
                        chosen[index] = name
    return [name if name is not None else deed.names[-1] for name, deed in zip(chosen, deeds, strict=True)]


def _lasting(names: dict[str, list[int]]) -> bool:
    if len(names) == 1:
        return True
    first = min(places[0] for places in names.values())
    last = max(places[-1] for places in names.values())
    spans = [places[-1] - places[0] for places in names.values() for _ in places]
    counts = [len(places) for places in names.values() for _ in places]
    return median(counts) >= MIN_COUNT and median(spans) >= _LASTING_SHARE * (last - first)
