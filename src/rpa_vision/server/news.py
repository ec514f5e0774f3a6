"""Knows when something happened, in whichever process, and wakes those who wait for it: one look for all of them.

Also sees to what is due by the clock: schedules, watched folders, runs whose worker died.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

import structlog

from rpa_vision.app.folder_watch import FolderWatch
from rpa_vision.app.office import Office
from rpa_vision.app.schedule import see_to_schedules
from rpa_vision.errors import RpaVisionError
from rpa_vision.ports.audit import AuditPosition

_LOOK_S = 0.4
_CHORES_EVERY = 5
_TOLD_KINDS = frozenset(
    {"state_transition", "global_pause", "global_resume", "policy_written", "policy_error", "rollback_ended"}
)
_log = structlog.get_logger("rpa_vision.server")


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
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to look."""
        self._task = asyncio.create_task(self._watch())

    async def close(self) -> None:
        """Look no more."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def wait(self, number: int, *, timeout_s: float) -> bool:
        """Wait until there is something after a number; False when the time is up first."""
        if self.last > number:
            return True
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), timeout_s)
        return self.last > number

    async def _watch(self) -> None:
        turn = 0
        while True:
            if turn % _CHORES_EVERY == 0:
                await self._safely(self._chores)
            await self._safely(self._look)
            turn += 1
            await asyncio.sleep(_LOOK_S)

    async def _safely(self, what: Callable[[], Any]) -> None:
        try:
            found = await asyncio.to_thread(what)
        except RpaVisionError as error:  # a busy disk: the next look will do
            _log.warning("look_failed", what=what.__name__, error=str(error))
            return
        if found:
            self.changes += 1
            waiting, self._changed = self._changed, asyncio.Event()
            waiting.set()

    def _look(self) -> bool:
        told = 0
        for entry in self._office.trail.entries(self._position):
            self._position = entry.end
            if entry.kind in _TOLD_KINDS:
                body = {key: value for key, value in entry.record.items() if key != "policy"}
                self._office.queue.tell(
                    entry.kind, body, now=self._office.clock.now(), workflow_id=entry.record.get("workflow_id")
                )
            told += 1
        last = self._office.queue.last_happening()
        is_new, self.last = last != self.last or told > 0, last
        return is_new

    def _chores(self) -> bool:
        for lost in self._office.queue.sweep(now=self._office.clock.now()):
            self._office.heal.audit.append(
                "run_interrupted",
                {"run_id": lost.run_id, "workflow_id": lost.workflow_id, "display": lost.display,
                 "reason": "its worker died or was cut off"},
            )  # fmt: skip
        due, rows, read = see_to_schedules(self._office), self._folders.look(), self._office.runs.refresh()
        return bool(due or rows or read)
