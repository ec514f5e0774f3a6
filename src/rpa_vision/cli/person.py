"""The person at the terminal: asked before each step of a supervised run, and offered that the robot does the work."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rpa_vision.models.guidance import Answer
    from rpa_vision.ports.person import StepQuestion

_YES = ("y", "yes", "o", "oui")
_NO = ("n", "no", "non")


def is_there() -> bool:
    """Whether somebody can answer: stdin is a terminal."""
    return sys.stdin.isatty()


class TerminalPerson:
    """Implements `ports.person.Person` over lines that are read and said. Silence (the end of input) is a stop."""

    def __init__(self, say: Callable[[str], None], read: Callable[[], str]) -> None:
        self._say = say
        self._read = read

    def takes_offer(self, workflow_name: str, offer: str) -> bool:
        self._say(f"{workflow_name}: {offer} [y/N]")
        return self._read().strip().casefold() in _YES

    def answers(self, question: StepQuestion) -> Answer:
        sure = f", {question.confidence:.0%} sure" if question.confidence is not None else ""
        target = question.target
        where = f" at {target.center[0]},{target.center[1]}" if target is not None else ""
        self._say(f"{question.step_id}: {question.sentence} (« {question.label} »{where}{sure})")
        while True:
            self._say("  do it? [y]es, [n]o: it is not this, [s]top")
            line = self._read()
            answer = line.strip().casefold()
            if answer in _YES:
                return "do_it"
            if answer in _NO:
                return "not_this"
            if not line or answer in ("s", "stop"):
                return "not_now"
