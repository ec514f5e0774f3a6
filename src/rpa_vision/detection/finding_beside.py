"""A finder that looks while others work: it needs a core for itself, and nobody needs its answer before the end.

One thread for each screen that is followed, so that a finder which remembers the last picture is asked for one picture
after the other. What it raises is raised where its answer is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from rpa_vision.models.frame import Pixels
from rpa_vision.ports.perception import FoundElement

Finder = Callable[[Pixels], Sequence[FoundElement]]
Now = Callable[[], float]


class Finding:
    """What is being found on one picture; ask for it when nothing else is left to do."""

    def __init__(self, look: Callable[[], Sequence[FoundElement]], now: Now, on: ThreadPoolExecutor | None) -> None:
        self._look = look
        self._now = now
        self._answer: Future[Sequence[FoundElement]] | None = None
        self.took_s = 0.0
        """How long the finder looked."""
        self.waited_s = 0.0
        """How long that kept others waiting."""
        if on is not None:
            self._answer = on.submit(self._timed)

    def __call__(self) -> Sequence[FoundElement]:
        """What was found."""
        began = self._now()
        found = self._answer.result() if self._answer is not None else self._timed()
        self.waited_s = self._now() - began
        return found

    def settle(self) -> None:
        """Let it come to an end, whatever comes of it: the picture is no longer looked at afterwards."""
        if self._answer is not None:
            self._answer.exception()

    def _timed(self) -> Sequence[FoundElement]:
        began = self._now()
        found = self._look()
        self.took_s = self._now() - began
        return found


class FindingBeside:
    """Has pictures looked at by one finder, in a thread of its own or, on one core, when the answer is asked for."""

    def __init__(self, finder: Finder, now: Now, *, is_beside: bool) -> None:
        self._finder = finder
        self._now = now
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="element-finder") if is_beside else None

    def begin(self, picture: Pixels) -> Finding:
        """Look at a picture, which must stay as it is until the answer was taken or is settled."""
        return Finding(lambda: self._finder(picture), self._now, self._thread)
