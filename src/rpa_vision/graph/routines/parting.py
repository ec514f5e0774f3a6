"""When what looks like one routine is two that only happened to alternate.

Done in turn, two tasks look like one long one. They give themselves away when the second is done twice in a row
without the first, or when it comes in the middle of the first, which then goes on where it was. Breaking off after the
first half proves nothing: that is what happens to one long task as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

_MIN_SHARE = 0.05
_NEARLY_WHOLE = 0.75


def parted(order: list[int], line: Sequence[int]) -> list[list[int]]:
    """The order in pieces that are tasks of their own; `line` is the kinds of the order as they were done."""
    cut = _best_cut(order, line)
    if cut is None:
        return [order]
    pieces = [order[:cut], order[cut:]]
    return [part for piece in pieces for part in parted(piece, [kind for kind in line if kind in set(piece)])]


def _best_cut(order: list[int], line: Sequence[int]) -> int | None:
    place = {kind: index for index, kind in enumerate(order)}
    places = [place[kind] for kind in line]
    times = max(1, len(line) // len(order))
    proofs = {cut: _proofs(places, cut, len(order)) for cut in range(2, len(order) - 1)}
    best = max(proofs, key=lambda cut: (proofs[cut], -cut), default=None)
    return best if best is not None and proofs[best] >= max(_NEARLY_WHOLE, _MIN_SHARE * times) else None


def _proofs(places: Sequence[int], cut: int, length: int) -> float:
    """How often, and how wholly, the part behind the cut was done again at once or in the middle of the part before."""
    stretches = [list(group) for _, group in groupby(places, key=lambda place: place >= cut)]
    found = 0.0
    for at, stretch in enumerate(stretches):
        if stretch[0] < cut:
            continue
        counted = Counter(stretch)
        twice = sum(count >= 2 for count in counted.values()) / (length - cut)
        found += twice if twice >= _NEARLY_WHOLE else 0.0
        is_between = 0 < at < len(stretches) - 1
        if is_between and stretches[at + 1][0] > stretches[at - 1][-1]:
            once = len(counted) / (length - cut)
            found += once if once >= _NEARLY_WHOLE else 0.0
    return found
