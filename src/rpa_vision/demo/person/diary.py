"""What the person was doing when: the truth of a recording, written by the one who knows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TextIO


@dataclass(slots=True)
class Entry:
    """What is being done; it may turn out to have been something else."""

    step: str
    go: str | None
    kind: str

    def came_to_nothing(self) -> None:
        """It was meant as a step, and nothing came of it."""
        self.step, self.go, self.kind = "missed_click", None, "noise"


class Diary:
    """Intervals with a meaning; the inner one counts where one lies in another."""

    def __init__(self, out: TextIO | None, now: Callable[[], float]) -> None:
        self._out = out
        self._now = now

    @contextmanager
    def doing(self, step: str, *, go: str | None = None, kind: str = "step") -> Iterator[Entry]:
        """Whatever is sent inside belongs to this. Kinds: step, resume, recovery, noise."""
        began, entry = self._now(), Entry(step, go, kind)
        try:
            yield entry
        finally:
            if self._out is not None:
                self._out.write(json.dumps({"from": began, "to": self._now(), **asdict(entry)}) + "\n")
                self._out.flush()
