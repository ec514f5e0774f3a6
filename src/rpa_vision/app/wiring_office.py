"""Builds the office that the server keeps open, and the workers of its displays."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from rpa_vision.adapters.audit.trail_reader import JsonlTrail
from rpa_vision.adapters.office.accounts import SqliteAccounts
from rpa_vision.adapters.office.local_folders import LocalFolders, free_bytes, keep_upload
from rpa_vision.adapters.office.queue import SqliteRunQueue
from rpa_vision.adapters.office.run_index import SqliteRunIndex
from rpa_vision.adapters.office.worker_process import WorkerProcesses, stand_back
from rpa_vision.adapters.storage.data_directory import FileDataDirectory
from rpa_vision.app import list_journal
from rpa_vision.app.folder_watch import FolderWatch
from rpa_vision.app.office import Office, UploadedFile
from rpa_vision.app.users import Accounts
from rpa_vision.app.wiring import batch_journal, clock, dataset_store, ids, row_files
from rpa_vision.app.wiring_auto_heal import auto_heal
from rpa_vision.app.wiring_reading import perception
from rpa_vision.app.wiring_run import running_runs
from rpa_vision.errors import RpaVisionError
from rpa_vision.models.perception import Perception
from rpa_vision.system.metrics import AuditFollower, Metrics


@contextmanager
def open_office(data: FileDataDirectory, displays: tuple[str, ...] = ()) -> Iterator[Office]:
    """Everything of one data directory that the server works with, until the block ends."""
    with ExitStack() as stack:
        heal = stack.enter_context(auto_heal(data))
        accounts = SqliteAccounts(data.paths.accounts)
        stack.callback(accounts.close)
        queue = SqliteRunQueue(data.paths.queue)
        stack.callback(queue.close)
        runs = SqliteRunIndex(data.paths.run_index, data.files, clock())
        stack.callback(runs.close)
        trail, metrics = JsonlTrail(data.paths.audit), Metrics()
        yield Office(
            data=data,
            heal=heal,
            accounts=Accounts(accounts, heal.audit, clock(), ids(), secrets.token_bytes),
            queue=queue,
            running=running_runs(data),
            runs=runs,
            datasets=dataset_store(data),
            trail=trail,
            metrics=metrics,
            follower=AuditFollower(trail, metrics),
            row_files=row_files(),
            clock=clock(),
            ids=ids(),
            displays=displays,
            free_disk_bytes=lambda: free_bytes(data.paths.root),
            lists=lambda workflow: batch_journal(data, workflow, list_journal.NAME),
            uploads=lambda content, suffix: UploadedFile(*keep_upload(content, suffix)),
            eyes=KnownEyes(),
        )


class KnownEyes:
    """Who looks at the screens of one office's runs. To know their names the models are loaded: once, unless that
    failed, as what is missing may come."""

    def __init__(self, ask: Callable[[], Perception] = perception) -> None:
        self._ask = ask
        self._known: Perception | None = None

    def __call__(self) -> Perception | None:
        if self._known is None:
            try:
                self._known = self._ask()
            except (RpaVisionError, ImportError):  # `doctor` says what is missing
                return None
        return self._known


def folder_watch(office: Office) -> FolderWatch:
    """What watches the folders of this machine."""
    return FolderWatch(office, LocalFolders())


def run_queue(data: FileDataDirectory) -> SqliteRunQueue:
    """The queue alone, for workers."""
    data.claim()
    return SqliteRunQueue(data.paths.queue)


@contextmanager
def queue_if_any(data: FileDataDirectory) -> Iterator[SqliteRunQueue | None]:
    """The queue of a data directory that has one."""
    if not data.paths.queue.exists():
        yield None
        return
    with closing(SqliteRunQueue(data.paths.queue)) as queue:
        yield queue


def worker_processes(data: Path, displays: tuple[str, ...]) -> WorkerProcesses:
    """Processes that do the runs of displays."""
    return WorkerProcesses(data, displays, clock())


def yield_to_robots() -> None:
    """Whoever watches must not slow a robot down: called by the thread that serves, after the workers were started."""
    stand_back()


def own_displays() -> tuple[str, ...]:
    """The display of the environment, if there is one."""
    name = os.environ.get("DISPLAY")
    return (name,) if name else ()
