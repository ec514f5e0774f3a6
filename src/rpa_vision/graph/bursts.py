"""Goes at a routine that follow each other over the rows of one list are rounds of something larger.

What was done before the first and after the last of them, nearly every time, frames them: opening the list, leaving it.
A stretch of such goes with its frame is one go at a task with a loop. Without three stretches they stay single goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import mean

from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.pattern_miner import MIN_REPETITIONS
from rpa_vision.graph.rounds import is_next_page, row_key
from rpa_vision.graph.routines.discovery import Discovery
from rpa_vision.graph.window_switches import is_switch

_FRAME = 6
"""How many steps before and after rounds may frame them."""
_NEARLY_ALWAYS = 0.8
_BREAK_S = 120.0


def looped_goes(discovery: Discovery, runs: Sequence[int], steps: Sequence[DemoStep]) -> list[list[int]] | None:
    """The goes at the task whose rounds these runs are; None where they are goes themselves."""
    spans = sorted((min(discovery.runs[run].deeds), max(discovery.runs[run].deeds), run) for run in runs)
    keys = [row_key(steps[first]) for first, _, _ in spans]
    if any(key is None for key in keys):
        return None
    bursts: list[list[tuple[int, int, int]]] = [[spans[0]]]
    for before, after in pairwise(spans):
        if _goes_on(discovery, before, after, steps):
            bursts[-1].append(after)
        else:
            bursts.append([after])
    if len(bursts) < MIN_REPETITIONS or all(len(burst) < 2 for burst in bursts):
        return None
    own = set(runs)
    ahead = [_window(discovery, burst[0][0], -1, own) for burst in bursts]
    behind = [_window(discovery, burst[-1][1], 1, own) for burst in bursts]
    leads_in, leads_out = _usual(discovery, ahead), _usual(discovery, behind)
    for kind in leads_in & leads_out:  # what leaves one list comes before the opening of the next, and further away
        is_out = _distance(discovery, behind, kind) < _distance(discovery, ahead, kind)
        (leads_in if is_out else leads_out).discard(kind)
    goes = []
    for burst, before_it, behind_it in zip(bursts, ahead, behind, strict=True):
        first = min([index for index in before_it if discovery.symbols[index] in leads_in], default=burst[0][0])
        last = max([index for index in behind_it if discovery.symbols[index] in leads_out], default=burst[-1][1])
        goes.append([index for index in range(first, last + 1) if discovery.run_of[index] in (*own, None)])
    return goes


def _goes_on(
    discovery: Discovery, before: tuple[int, int, int], after: tuple[int, int, int], steps: Sequence[DemoStep]
) -> bool:
    """Whether the next round follows: the same session, no other step of meaning but paging, no long break."""
    one, other = steps[before[1]], steps[after[0]]
    if one.session_id != other.session_id or other.t - one.t > _BREAK_S:
        return False
    between = range(before[1] + 1, after[0])
    if any(discovery.run_of[index] is not None for index in between):
        return False
    if _numbered_title(steps[before[0]]) == _numbered_title(other) != "":
        return True  # the list of one case, named in the title: whatever was looked at in between
    return not any(_moved(steps[index]) for index in between)


def _numbered_title(step: DemoStep) -> str:
    title = step.before.state.window.title
    return title if any(char.isdigit() for char in title) else ""


def _moved(step: DemoStep) -> bool:
    """Whether a step led to another screen and is no paging: somebody left the list and came back to it."""
    after = step.settled or step.after
    if is_next_page(step) or is_switch(step) or after is None:
        return False
    return step.before.state.window.title != after.state.window.title


def _window(discovery: Discovery, edge: int, direction: int, own: set[int]) -> list[int]:
    """The steps next to rounds that belong to no routine."""
    found: list[int] = []
    index = edge + direction
    while 0 <= index < len(discovery.run_of) and len(found) < _FRAME:
        if discovery.run_of[index] is not None:
            break
        found.append(index)
        index += direction
    return found


def _distance(discovery: Discovery, windows: Sequence[Sequence[int]], kind: int) -> float:
    """How far from rounds a kind stands, on average."""
    places = [[discovery.symbols[index] for index in window] for window in windows]
    return mean(window.index(kind) for window in places if kind in window)


def _usual(discovery: Discovery, windows: Sequence[Sequence[int]]) -> set[int]:
    kinds = {discovery.symbols[index] for window in windows for index in window}
    needed = _NEARLY_ALWAYS * len(windows)
    return {
        kind
        for kind in kinds
        if sum(any(discovery.symbols[index] == kind for index in window) for window in windows) >= needed
    }
