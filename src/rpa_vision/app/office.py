"""The office: one data directory as the server holds it open, with everybody who works there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from rpa_vision.adapters.storage.data_directory import FileDataDirectory
    from rpa_vision.app.dataset import DatasetStore
    from rpa_vision.app.users import Accounts
    from rpa_vision.app.wiring_auto_heal import AutoHeal
    from rpa_vision.models.perception import Perception
    from rpa_vision.models.workflow_graph import Workflow
    from rpa_vision.ports.audit import AuditTrail
    from rpa_vision.ports.batches import BatchJournal, RowFiles
    from rpa_vision.ports.queue import RunQueue
    from rpa_vision.ports.run_index import RunIndex
    from rpa_vision.ports.runtime import Clock, Ids
    from rpa_vision.ports.stopping import RunningRuns
    from rpa_vision.system.metrics import AuditFollower, Metrics


@dataclass(frozen=True, slots=True)
class Office:
    """What use cases of the server work with."""

    data: FileDataDirectory
    heal: AutoHeal
    accounts: Accounts
    queue: RunQueue
    running: RunningRuns
    """Runs that go on, whoever started them, and the switch that ends them."""
    runs: RunIndex
    datasets: DatasetStore
    trail: AuditTrail
    metrics: Metrics
    follower: AuditFollower
    row_files: RowFiles
    clock: Clock
    ids: Ids
    displays: tuple[str, ...]
    """The displays of this machine that runs may be queued for; the first one where nobody says which."""
    free_disk_bytes: Callable[[], int | None]
    lists: Callable[[Workflow], BatchJournal]
    """Which rows of lists on the screen a workflow's runs have done."""
    uploads: Callable[[bytes, str], UploadedFile]
    """Puts what somebody sent into a file for as long as it is read."""
    eyes: Callable[[], Perception | None] = lambda: None
    """Who looks at the screens of runs, by the settings of this server; None where that cannot be told."""


class UploadedFile:
    """A file that was sent: there while the block lasts."""

    def __init__(self, path: Path, forget: Callable[[], None]) -> None:
        self.path = path
        self._forget = forget

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *_: object) -> None:
        self._forget()
