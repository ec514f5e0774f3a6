"""Knows when something happened, in whichever process, and wakes those who wait for it: one look for all of them.

Also sees to what is due by the clock: schedules, watched folders, runs whose worker died. What many pages show is
fetched once for all of them (`shared`), and pages are brought up to date one after the other: however many are open,
the server is never busy with more than one.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar, cast

import structlog

from rpa_vision.app.folder_watch import FolderWatch
from rpa_vision.app.office import Office
from rpa_vision.app.queue_worker import LEASE_S
from rpa_vision.app.schedule import see_to_schedules
from rpa_vision.errors import RpaVisionError
from rpa_vision.models.queue import Happening
from rpa_vision.ports.audit import AuditPosition

_T = TypeVar("_T")
_LOOK_S = 0.3
_CHORES_EVERY = 7
_AT_HAND = 2000
_REMEMBERED = 500
_TOLD_KINDS = frozenset(
    {"state_transition", "global_pause", "global_resume", "policy_written", "policy_error", "rollback_ended"}
)
_log = structlog.get_logger("rpa_vision.server")


class Watcher(Protocol):
    """A part of an open page."""

    @property
    def is_gone(self) -> bool:
        """Whether nobody will ever see it again."""

    @property
    def is_behind(self) -> bool:
        """Whether something happened since it was drawn, and somebody is there to see it."""

    async def catch_up(self) -> None:
        """Draw it again if what it shows is another."""


@dataclass(slots=True)
class _Shared:
    changes: int = -1
    at_s: float = float("-inf")
    value: Any = None
    fetching: threading.Lock = field(default_factory=threading.Lock)


class News:
    """The number of the last happening, and how often anything changed that pages show."""

    def __init__(self, office: Office, folders: FolderWatch) -> None:
        self._office = office
        self._folders = folders
        self.last = office.queue.last_happening()
        self.changes = 0
        """Counts everything that a page may show."""
        self._position: AuditPosition = office.trail.end()
        self._changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._at_hand: deque[Happening] = deque(maxlen=_AT_HAND)
        self._begin = self.last
        self._shared: dict[str, _Shared] = {}
        self._watchers: list[Watcher] = []

    async def start(self) -> None:
        """Begin to look, and to bring pages up to date."""
        self._tasks = [asyncio.create_task(self._watch()), asyncio.create_task(self._paint())]

    async def close(self) -> None:
        """Look no more."""
        for task in self._tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    def watch(self, watcher: Watcher) -> None:
        """Bring a part of a page up to date from now on, for as long as it is there."""
        self._watchers.append(watcher)

    def changed(self) -> None:
        """Somebody did something here: what pages show is fetched anew, at once."""
        self._shared.clear()
        self._tell()

    async def wait(self, number: int, *, timeout_s: float) -> bool:
        """Wait until there is something after a number; False when the time is up first."""
        if self.last > number:
            return True
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), timeout_s)
        return self.last > number

    async def happenings(self, after: int) -> list[Happening]:
        """What happened after a number; mostly it is at hand."""
        if after >= (self._at_hand[0].number - 1 if len(self._at_hand) == _AT_HAND else self._begin):
            return [one for one in self._at_hand if one.number > after]
        return await asyncio.to_thread(self._office.queue.happenings, after)

    def at_hand(self, key: str, keep_s: float) -> tuple[int, Any] | None:
        """What was fetched under a key, with the number of changes it knows of; None if it is too old."""
        found = self._shared.get(key)
        if found is None or found.changes < 0:
            return None
        is_good = found.changes == self.changes or self._office.clock.monotonic() - found.at_s < keep_s
        return (found.changes, found.value) if is_good else None

    def fetch(self, key: str, load: Callable[[], _T], keep_s: float) -> tuple[int, _T]:
        """Fetch something for everybody who shows it; called from several threads, one does it."""
        if len(self._shared) > _REMEMBERED:
            self._shared.clear()
        entry = self._shared.setdefault(key, _Shared())
        with entry.fetching:
            found = self.at_hand(key, keep_s)
            if found is None:
                changes = self.changes
                entry.value, entry.changes, entry.at_s = load(), changes, self._office.clock.monotonic()
                found = entry.changes, entry.value
        return cast("tuple[int, _T]", found)

    async def _watch(self) -> None:
        turn = 0
        chores = (self._sweep, self._see_to_schedules, self._folders.look, self._office.runs.refresh)
        while True:
            if turn % _CHORES_EVERY == 0 and any([await self._safely(chore) for chore in chores]):
                self._tell()
            told = await self._safely(self._look)
            if told is not None:
                self._at_hand.extend(told)
                self.last = told[-1].number if told else self.last
                self._tell()
            turn += 1
            await asyncio.sleep(_LOOK_S)

    async def _paint(self) -> None:
        """Bring pages up to date, one after the other; whoever asks for something else comes in between."""
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), _LOOK_S)
            self._watchers = [one for one in self._watchers if not one.is_gone]
            for one in list(self._watchers):
                if not one.is_gone and one.is_behind:
                    await self._brought_up_to_date(one)
                    await asyncio.sleep(0)

    async def _brought_up_to_date(self, one: Watcher) -> None:
        try:
            await one.catch_up()
        except Exception:  # the top of this task: one page that cannot be drawn stops no other
            _log.exception("page_not_drawn")

    async def _safely(self, what: Callable[[], _T]) -> _T | None:
        try:
            return await asyncio.to_thread(what)
        except RpaVisionError as error:  # a busy disk: the next look will do
            _log.warning("look_failed", what=what.__name__, error=str(error))
        except Exception:  # the top of the only task that looks: whatever it was, the next look will be
            _log.exception("look_failed", what=what.__name__)
        return None

    def _tell(self) -> None:
        self.changes += 1
        waiting, self._changed = self._changed, asyncio.Event()
        waiting.set()

    def _look(self) -> list[Happening] | None:
        """What happened since the last look; None for nothing at all. In a thread: nothing here is changed by it."""
        told = 0
        for entry in self._office.trail.entries(self._position):
            self._position = entry.end
            if entry.kind in _TOLD_KINDS:
                body = {key: value for key, value in entry.record.items() if key != "policy"}
                self._office.queue.tell(
                    entry.kind, body, now=self._office.clock.now(), workflow_id=entry.record.get("workflow_id")
                )
            told += 1
        fresh = self._office.queue.happenings(self.last)
        return fresh if fresh or told else None

    def _sweep(self) -> int:
        clock = self._office.clock
        lost_runs = self._office.queue.sweep(now=clock.now(), monotonic_s=clock.monotonic(), lease_s=LEASE_S)
        for lost in lost_runs:
            self._office.heal.audit.append(
                "run_interrupted",
                {"run_id": lost.run_id, "workflow_id": lost.workflow_id, "display": lost.display,
                 "reason": "its worker died or was cut off"},
            )  # fmt: skip
        return len(lost_runs)

    def _see_to_schedules(self) -> int:
        return see_to_schedules(self._office)
