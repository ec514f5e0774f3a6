"""The queue of runs. One transaction claims a run, so that no two workers have the same, and none is lost."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from rpa_vision.models.document import JsonObject
from rpa_vision.models.queue import (
    Batch,
    Happening,
    HeldDisplay,
    ItemState,
    NewItem,
    QueuedRun,
    Schedule,
    Wanted,
    WatchedFolder,
    Worker,
)


class RunQueue(Protocol):
    """What waits, what runs, what ended; usable by several processes at once."""

    def add(self, items: Sequence[NewItem], *, now: datetime, batch: Batch | None = None) -> list[NewItem]:
        """Put runs into the queue, all or none; gives those that were not there already by their origin key, and whose
        list nobody goes on with."""

    def item(self, run_id: str) -> QueuedRun | None:
        """One run."""

    def item_by_key(self, origin_key: str) -> QueuedRun | None:
        """The run that was asked for with that origin key."""

    def item_by_list(self, list_key: str) -> QueuedRun | None:
        """The run that goes on with that list now, or waits to."""

    def items(
        self,
        *,
        states: Collection[ItemState] = (),
        display: str | None = None,
        batch_id: str | None = None,
        limit: int = 1000,
    ) -> list[QueuedRun]:
        """Runs in the order in which they would be done; those that ended, the newest first."""

    def counts(self) -> dict[str, int]:
        """How many there are of each state."""

    def arrive(self, worker: Worker) -> bool:
        """A worker takes a display, or keeps it; False while another one has it."""

    def leave(self, worker: Worker) -> None:
        """A worker lets go of its display."""

    def workers(self) -> list[Worker]:
        """Who was last seen on which display."""

    def sweep(self, *, now: datetime, monotonic_s: float, lease_s: float) -> list[QueuedRun]:
        """Mark the runs whose worker died as interrupted; gives them.

        A worker is dead when whoever sweeps has seen for `lease_s` that its lease was not renewed, by a clock that
        nobody sets.
        """

    def line(self) -> list[tuple[str, str, ItemState]]:
        """What runs and what waits, in turn: run, display, state."""

    def waiting_workflows(self, display: str) -> list[str]:
        """The workflows whose runs wait for a display."""

    def claim(
        self, worker: Worker, *, now: datetime, held_workflows: Collection[str], held_batches: Collection[str]
    ) -> QueuedRun | None:
        """Take the next run of the worker's display, or None; none of a display that is held."""

    def hold_display(self, display: str, *, now: datetime, why: str) -> None:
        """A person stopped the robot there: nothing begins until the display is released. The first reason is kept."""

    def release_display(self, display: str, *, now: datetime, who: str) -> bool:
        """Let the runs of a display begin again; False when it was not held."""

    def held_displays(self) -> list[HeldDisplay]:
        """Where nothing begins because a person stopped the robot."""

    def renew(self, run_id: str, worker_id: str, *, lease_until: datetime) -> Wanted | None:
        """Keep a run; says what people want of it, or None when it is no longer this worker's."""

    def wanted(self, run_id: str, worker_id: str) -> Wanted | None:
        """The same without keeping it. Cheap: it is asked ten times a second."""

    def progress(self, run_id: str, worker_id: str, *, doing: str, steps_done: int) -> None:
        """What a run is doing now."""

    def end(
        self, run_id: str, worker_id: str, *, now: datetime, status: str, reason: str, input_sent: bool | None = None
    ) -> bool:
        """A run has ended; False when it was no longer this worker's."""

    def want(self, run_id: str, wanted: Wanted, *, now: datetime, who: str) -> QueuedRun | None:
        """Pause, go on, or stop. A waiting run that is stopped is cancelled."""

    def reprioritise(self, run_id: str, priority: int) -> QueuedRun | None:
        """Let a waiting run be done sooner or later."""

    def batches(self, limit: int = 100) -> list[Batch]:
        """Files of rows, the newest first."""

    def batch(self, batch_id: str) -> Batch | None:
        """One file of rows."""

    def files_asked_before(self, digest: str, workflow_id: str, name: str) -> list[Batch]:
        """Files with these rows, and files of that name, the newest first."""

    def batch_counts(self, batch_id: str) -> dict[str, int]:
        """How many rows of a file there are of each outcome; of those that are not over, of each state."""

    def last_rows(self, limit: int) -> dict[str, list[tuple[str, str]]]:
        """Of each file with rows that wait the last rows that ended since it was released: status and reason."""

    def stop_batch(self, batch_id: str, *, now: datetime, who: str) -> tuple[int, int]:
        """Take the rows of a file that wait out of the queue and end those that run; says how many of each."""

    def release(self, batch_id: str, upto: int) -> None:
        """Let a held file of rows go on; rows that ended before number `upto` no longer count against it."""

    def schedules(self) -> list[tuple[Schedule, bool, datetime]]:
        """Every schedule, whether it is on, and the last time that was seen to."""

    def save_schedule(self, schedule: Schedule, *, enabled: bool, last_due: datetime) -> None:
        """Keep a schedule."""

    def saw_to(self, schedule_id: str, due: datetime) -> None:
        """Note that a time was seen to, whatever came of it."""

    def delete_schedule(self, schedule_id: str) -> bool:
        """Forget a schedule."""

    def folders(self) -> list[tuple[WatchedFolder, bool]]:
        """Every watched folder, and whether it is on."""

    def save_folder(self, folder: WatchedFolder, *, enabled: bool) -> None:
        """Keep a watched folder."""

    def delete_folder(self, folder_id: str) -> bool:
        """Forget a watched folder."""

    def tell(
        self, kind: str, body: JsonObject, *, now: datetime, run_id: str | None = None, workflow_id: str | None = None
    ) -> None:
        """Write down something for whoever watches."""

    def happenings(self, after: int, limit: int = 200) -> list[Happening]:
        """What happened after a number, in order."""

    def told_of(self, run_id: str, limit: int = 1000) -> list[Happening]:
        """What happened in one run, in order: the newest of it, where there is more."""

    def told_lately(self, kinds: Collection[str], since: datetime, limit: int = 20) -> list[Happening]:
        """What happened of some kinds since a moment, the newest first."""

    def last_happening(self) -> int:
        """The number of the last one."""
