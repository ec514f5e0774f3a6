"""The events of observers and guides, for whoever wants to follow them: a dashboard, a script, a test."""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from rpa_vision.errors import RpaVisionError
from rpa_vision.models.guidance import GuidanceEvent

KEPT = 500
_BEHIND = 2000


class GuidanceFeed:
    """Keeps the last events and hands each new one to everyone who follows. Any thread may ask."""

    def __init__(self, kept: int = KEPT) -> None:
        self._lock = threading.Lock()
        self._recent: deque[GuidanceEvent] = deque(maxlen=kept)
        self._followers: list[queue.Queue[GuidanceEvent]] = []

    def publish(self, event: GuidanceEvent) -> None:
        """Tell everyone. A follower who is far behind loses the oldest."""
        with self._lock:
            self._recent.append(event)
            for follower in self._followers:
                if follower.full():
                    follower.get_nowait()
                follower.put_nowait(event)

    def recent(self) -> list[GuidanceEvent]:
        """The last events, the oldest first."""
        with self._lock:
            return list(self._recent)

    @contextmanager
    def following(self, timeout_s: float | None = None) -> Iterator[Iterator[GuidanceEvent]]:
        """Every event from now on, as it comes; ends when none has come for `timeout_s`."""
        mine: queue.Queue[GuidanceEvent] = queue.Queue(_BEHIND)
        with self._lock:
            self._followers.append(mine)
        try:
            yield _events(mine, timeout_s)
        finally:
            with self._lock:
                self._followers.remove(mine)


def _events(mine: queue.Queue[GuidanceEvent], timeout_s: float | None) -> Iterator[GuidanceEvent]:
    while True:
        try:
            yield mine.get(timeout=timeout_s)
        except queue.Empty:
            return


@contextmanager
def handed_on(tell: Callable[[GuidanceEvent], None]) -> Iterator[Callable[[GuidanceEvent], None]]:
    """What hands events on from a thread of its own: who writes them down keeps nobody waiting, and what cannot be
    written is only missed there."""
    waiting: queue.SimpleQueue[GuidanceEvent | None] = queue.SimpleQueue()

    def hand_on() -> None:
        while (event := waiting.get()) is not None:
            with suppress(RpaVisionError):
                tell(event)

    thread = threading.Thread(target=hand_on, name="guidance events", daemon=True)
    thread.start()
    try:
        yield waiting.put
    finally:
        waiting.put(None)
        thread.join()
