"""Each time a routine was done: the deeds that are its steps, found by going along its order.

Going on means a later step, beginning again an early one. A step that comes where it does not belong (a repetition, two
steps swapped) costs something, leaving out steps costs something, and the cheapest reading of the whole log wins.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rpa_vision.graph.routines.stream import Stream

_MISPLACED = 1.6
"""What a step that does not fit costs, in steps left out."""
MIN_COMPLETE = 0.6
"""An execution with a smaller share of the backbone was broken off: it teaches nothing."""
_HOPELESS = 6.0


@dataclass(frozen=True, slots=True)
class Execution:
    """One go: (place in the routine, deed) in the order of time."""

    steps: tuple[tuple[int, int], ...]
    length: int
    is_whole: bool | None = None
    """Whether it went to the end, where that is known otherwise."""

    @property
    def start(self) -> int:
        return self.steps[0][1]

    @property
    def end(self) -> int:
        return self.steps[-1][1]

    @property
    def completeness(self) -> float:
        return len({place for place, _ in self.steps}) / self.length

    @property
    def is_complete(self) -> bool:
        """Whether it holds most steps and went near to the end."""
        if self.is_whole is not None:
            return self.is_whole
        near_end = self.steps[-1][0] >= self.length - 1 - max(1, self.length // 5)
        return self.completeness >= MIN_COMPLETE and (near_end or self.length <= 2)


def executions_of(stream: Stream, order: Sequence[int]) -> list[Execution]:
    """Every go at the routine, the broken-off ones too, in the order in which they began."""
    phase = {symbol: place for place, symbol in enumerate(order)}
    line = [(phase[stream.symbols[index]], index) for index in stream.deeds_of(order)]
    return _split(line, _begins(line, len(order)), len(order))


def _begins(line: Sequence[tuple[int, int]], length: int) -> list[str]:
    """For each step of the line: `new` go, `on` with the one before, or `odd`: does not fit.

    The state is the last place that fitted; the price of a new go is what was left out of the old one and of its own
    beginning. Readings that cost far more than the best one are given up.
    """
    beam: dict[int, float] = {}
    history: list[dict[int, tuple[int, str]]] = []
    for number, (place, _) in enumerate(line):
        fitting = (float(place), -1, "new") if number == 0 else (math.inf, -1, "new")
        options: dict[int, tuple[float, int, str]] = {}
        for last, cost in beam.items():
            if place > last:
                fitting = min(fitting, (cost + (place - last - 1), last, "on"))
            else:
                fitting = min(fitting, (cost + (length - 1 - last) + place, last, "new"))
            options[last] = (cost + _MISPLACED, last, "odd")
        if place not in options or fitting < options[place]:
            options[place] = fitting
        limit = min(option[0] for option in options.values()) + _HOPELESS
        options = {state: option for state, option in options.items() if option[0] <= limit}
        beam = {state: option[0] for state, option in options.items()}
        history.append({state: option[1:] for state, option in options.items()})
    if not beam:
        return []
    state = min(beam, key=lambda state: (beam[state] + (length - 1 - state), state))
    told: list[str] = []
    for choices in reversed(history):
        before, what = choices[state]
        told.append(what)
        state = before
    return told[::-1]


def _split(line: Sequence[tuple[int, int]], told: Sequence[str], length: int) -> list[Execution]:
    goes: list[list[tuple[int, int]]] = []
    for step, what in zip(line, told, strict=True):
        if what == "new":
            goes.append([step])
        elif what == "on":
            goes[-1].append(step)
    return [Execution(tuple(go), length) for go in goes]
