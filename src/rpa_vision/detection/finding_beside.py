"""A finder that looks while others work: it needs a core for itself, and nobody needs its answer before the end.

One thread for each screen that is followed, so that a finder which remembers the last picture is asked for one picture
after the other. Only what takes long is done there: two threads that both need the interpreter keep each other waiting.
What the finder raises is raised where its answer is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from rpa_vision.models.frame import Pixels
from rpa_vision.ports.perception import FoundElement, Look

Begin = Callable[[Pixels], Look]
Now = Callable[[], float]


class Finding:
    """What is being found on one picture; ask for it when nothing else is left to do."""

    def __init__(self, picture: Pixels, begin: Begin, now: Now, on: ThreadPoolExecutor | None) -> None:
        self._now = now
        began = now()
        self._look = begin(picture)
        self._answer: Future[None] | None = None
        self.took_s = now() - began
        """How long the finder looked."""
        self.waited_s = 0.0
        """How long that kept others waiting, once they asked."""
        if on is not None:
            self._answer = on.submit(self._go_on)

    def __call__(self) -> Sequence[FoundElement]:
        """What was found."""
        began = self._now()
        if self._answer is not None:
            self._answer.result()
        else:
            self._go_on()
        found = self._look.found()
        self.waited_s = self._now() - began
        return found

    def settle(self) -> None:
        """Let it come to an end, whatever comes of it: the picture is no longer looked at afterwards."""
        if self._answer is not None:
            self._answer.exception()

    def _go_on(self) -> None:
        began = self._now()
        self._look.go_on()
        self.took_s += self._now() - began


class FindingBeside:
    """Has pictures looked at by one finder, in a thread of its own or, on one core, when the answer is asked for."""

    def __init__(self, begin: Begin, now: Now, *, is_beside: bool) -> None:
        self._begin = begin
        self._now = now
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="element-finder") if is_beside else None

    def begin(self, picture: Pixels) -> Finding:
        """Look at a picture, which must stay as it is until the answer was taken or is settled."""
        return Finding(picture, self._begin, self._now, self._thread)
