"""What is written down while the robot already looks at the next screen.

Pictures of a step take longer to compress and to reach the disk than its target takes to be found. They are written in
order by one thread; before the next input is sent everything is there, so a run that is killed has lost nothing that
was decided before what it did last.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import ParamSpec, Self, TypeVar

Given = ParamSpec("Given")
Made = TypeVar("Made")


class WrittenBehind:
    """Work in order on a thread of its own, which begins with the first of it. Leaving waits for all of it."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="writing down")
        self._open: deque[Future[None]] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._thread.shutdown(wait=True)
        if kind is None:
            self.finish()

    def add(self, work: Callable[[], None]) -> None:
        """Have it done after what was added before."""
        self._open.append(self._thread.submit(work))

    def before(self, do: Callable[Given, Made]) -> Callable[Given, Made]:
        """The same, once all of it is done."""

        def once_done(*values: Given.args, **named: Given.kwargs) -> Made:
            self.finish()
            return do(*values, **named)

        return once_done

    def finish(self) -> None:
        """Wait until all of it is done. What one of them raised is raised here, once."""
        while self._open:
            self._open.popleft().result()
