"""When what looks like two routines is one: a branch, a loop, steps that several routines share.

Steps that come only ever at their usual places inside other routines are parts of those. An interruption comes
anywhere. A common beginning (or end) is never done by itself: something of a few always follows it, and these follow
nothing else.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from rpa_vision.graph.routines.executions import Execution
from rpa_vision.graph.routines.stream import Stream

_NEARLY_ALWAYS = 0.85
_USUALLY = 0.5
_MOSTLY = 0.7
_BETWEEN = -1
"""The place after one execution and before the next: where the cut went through something that comes several times."""

Goes = Sequence[Sequence[Execution]]
"""For each group of steps the times it was done."""


@dataclass(frozen=True, slots=True)
class Group:
    """Kinds in order, and the times they were done."""

    order: list[int]
    goes: list[Execution]


def joined(stream: Stream, groups: Sequence[Group]) -> list[Group]:
    """The groups that are routines of their own, those put together that are one."""
    goes: Goes = [group.goes for group in groups]
    standing = list(range(len(groups)))
    places = _Places(goes, standing)
    for number in sorted(standing, key=lambda number: (goes[number][0].length, number)):
        places.hide(number)
        others = [other for other in standing if other != number]
        if others and _is_part(goes[number], places, goes):
            standing = others
        else:
            places.show(number)
    routines = [groups[number] for number in standing]
    for after in (True, False):
        routines = _with_continuations(stream, routines, after=after)
    return routines


def _with_continuations(stream: Stream, groups: Sequence[Group], *, after: bool) -> list[Group]:
    goes: Goes = [group.goes for group in groups]
    places = _Places(goes, range(len(groups)))
    parts = {
        host: found
        for host, found in _neighbours_of(goes, places, after=after).items()
        if _never_alone(host, found, goes, places, after=after)
        or (after and _goes_on(stream, groups[host], {number: groups[number] for number in found}, places))
    }
    used = {number for found in parts.values() for number in found}
    return [
        _put_together(group, [groups[part] for part in parts[number]], after=after) if number in parts else group
        for number, group in enumerate(groups)
        if number not in used - parts.keys()
    ]


def _put_together(host: Group, parts: Sequence[Group], *, after: bool) -> Group:
    """One routine: each go of the host with the go of a part that lies next to it."""
    host_offset = 0 if after else sum(len(part.order) for part in parts)
    beside: dict[int, tuple[int, Execution, int]] = {}
    offset = len(host.order) if after else 0
    bounds = sorted((go.end if after else go.start, number) for number, go in enumerate(host.goes))
    for part in parts:
        for go in part.goes:
            at = bisect_left(bounds, (go.start, -1)) - 1 if after else bisect_right(bounds, (go.end, len(bounds)))
            if 0 <= at < len(bounds):
                beside[bounds[at][1]] = (offset, go, len(part.order))
        offset += len(part.order)
    goes = []
    for number, go in enumerate(host.goes):
        own = tuple((place + host_offset, deed) for place, deed in go.steps)
        if number in beside:
            start, other, length = beside[number]
            more = tuple((place + start, deed) for place, deed in other.steps)
            steps = tuple(sorted((*own, *more), key=lambda step: step[1]))
            whole = other.is_complete and go.is_complete
            goes.append(Execution(steps, go.length + length, whole))
        else:
            goes.append(Execution(own, go.length + min(len(part.order) for part in parts), is_whole=False))
    tail = [kind for part in parts for kind in part.order]
    return Group([*host.order, *tail] if after else [*tail, *host.order], goes)


class _Places:
    """All steps of some groups in the order of time: (deed, group, execution, place)."""

    def __init__(self, goes: Goes, groups: Sequence[int]) -> None:
        self._steps = sorted(
            (deed, group, number, place)
            for group in groups
            for number, go in enumerate(goes[group])
            for place, deed in go.steps
        )
        self._deeds = [deed for deed, *_ in self._steps]
        self._hidden: set[int] = set()

    def hide(self, group: int) -> None:
        """Look past the steps of a group."""
        self._hidden.add(group)

    def show(self, group: int) -> None:
        """See them again."""
        self._hidden.discard(group)

    def before(self, deed: int) -> tuple[int, int, int, int] | None:
        """The last step before a deed."""
        at = bisect_left(self._deeds, deed) - 1
        while at >= 0 and self._steps[at][1] in self._hidden:
            at -= 1
        return self._steps[at] if at >= 0 else None

    def after(self, deed: int) -> tuple[int, int, int, int] | None:
        """The first step after a deed."""
        at = bisect_right(self._deeds, deed)
        while at < len(self._steps) and self._steps[at][1] in self._hidden:
            at += 1
        return self._steps[at] if at < len(self._steps) else None


def _is_part(done: Sequence[Execution], places: _Places, goes: Goes) -> bool:
    """Whether the steps of a group come at usual places of other routines, nearly always."""
    found: dict[tuple[int, int], Counter[int]] = defaultdict(Counter)
    steps = [(place, deed) for go in done for place, deed in go.steps]
    for own, deed in steps:
        at_place = _place_of(deed, places, goes)
        if at_place is not None:
            found[at_place[0], own][at_place[1]] += 1
    usual = 0
    for (host, _), at in found.items():
        between = at.pop(_BETWEEN, 0)
        often = [count for count in at.values() if count >= _USUALLY * len(goes[host])]
        here = max(sum(often), max(at.values(), default=0))
        usual += here + (between if often and between >= _USUALLY * len(goes[host]) else 0)
    return usual >= _NEARLY_ALWAYS * len(steps)


def _place_of(deed: int, places: _Places, goes: Goes) -> tuple[int, int] | None:
    """The group in whose execution a deed lies, and after which step; an execution may be interrupted just there."""
    before, after = places.before(deed), places.after(deed)
    if before is not None and goes[before[1]][before[2]].end > deed:
        return before[1], before[3]
    if after is not None and goes[after[1]][after[2]].start < deed:
        return after[1], after[3] - 1
    if before is not None and after is not None and before[1] == after[1]:
        return before[1], _BETWEEN
    return None


def _neighbours_of(goes: Goes, places: _Places, *, after: bool) -> dict[int, list[int]]:
    """Group → the groups that follow (or precede) it, and nothing else, nearly every time."""
    parts: dict[int, list[int]] = defaultdict(list)
    for number, done in enumerate(goes):
        neighbours: Counter[int] = Counter()
        for go in done:
            step = places.before(go.start) if after else places.after(go.end)
            if step is not None and step[1] != number:
                host = goes[step[1]][step[2]]
                neighbours[step[1]] += (host.end if after else host.start) == step[0]
        if neighbours:
            host_number, times = neighbours.most_common(1)[0]
            if times >= _NEARLY_ALWAYS * len(done):
                parts[host_number].append(number)
    return {host: found for host, found in parts.items() if not any(host in others for others in parts.values())}


def _goes_on(stream: Stream, host: Group, parts: Mapping[int, Group], places: _Places) -> bool:
    """Whether groups are the ends of a task whose beginning, which they may share, was sometimes broken off.

    One of them follows the beginning most of the time, at once, in the same application or with the same value.
    """
    followed = [
        go for go in host.goes if (step := places.after(go.end)) is not None and step[1] in parts and step[3] == 0
    ]
    if len(followed) < _MOSTLY * len(host.goes):
        return False
    seams = []
    for go in followed:
        step = places.after(go.end)
        assert step is not None
        seams.append((go.end, step[0]))
    ends = [go for part in parts.values() for go in part.goes]
    inner = [stream.gaps_s[deed] for go in (*host.goes, *ends) for _, deed in go.steps[1:]]
    pause = median(max(stream.gaps_s[start + 1 : end + 1]) for start, end in seams)
    deeds = stream.deeds
    stays = sum(
        deeds[start].app == deeds[end].app or bool(deeds[start].value and deeds[start].value == deeds[end].value)
        for start, end in seams
    )
    return stays >= _NEARLY_ALWAYS * len(seams) and (not inner or pause <= 2.0 * max(median(inner), 0.5))


def _never_alone(host: int, parts: Sequence[int], goes: Goes, places: _Places, *, after: bool) -> bool:
    if len(parts) < 2:
        return False  # one that always follows another, and it alone, would be of the same backbone
    times = 0
    for go in goes[host]:
        step = places.after(go.end) if after else places.before(go.start)
        times += step is not None and step[1] in parts
    return times >= _NEARLY_ALWAYS * len(goes[host])
