"""Builds what runs share with other processes: the switch that ends them, the log that takes their actions back."""

from __future__ import annotations

import platform

from rpa_vision.adapters.storage.data_directory import FileDataDirectory
from rpa_vision.adapters.storage.running_runs import FileRunningRuns
from rpa_vision.adapters.storage.undo_logs import FileUndoLogs
from rpa_vision.app.wiring import clock, ids, screen_observer
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.undo import Undoer
from rpa_vision.ports.desktop import Desktop


def running_runs(data: FileDataDirectory) -> FileRunningRuns:
    """The runs that go on in a data directory, and the switch that ends them."""
    return FileRunningRuns(data.files, platform.node())


def undo_logs(data: FileDataDirectory) -> FileUndoLogs:
    """The last actions of runs."""
    return FileUndoLogs(data.files)


def undoer(screen: Desktop) -> Undoer:
    """What takes actions back on a desktop."""
    return Undoer(screen, Sight(screen.eyes, screen_observer(), clock(), ids()), clock())
