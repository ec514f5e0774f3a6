"""Builds what runs share with other processes: the switch that ends them, the log that takes their actions back."""

from __future__ import annotations

import platform
from collections.abc import Callable

from rpa_vision.adapters.storage.data_directory import FileDataDirectory
from rpa_vision.adapters.storage.running_runs import FileRunningRuns
from rpa_vision.adapters.storage.undo_logs import FileUndoLogs
from rpa_vision.app.wiring import clock, ids, screen_observer
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.undo import Undoer
from rpa_vision.ports.desktop import Desktop


def running_runs(data: FileDataDirectory, screen: Desktop | None = None) -> FileRunningRuns:
    """The runs that go on in a data directory, and the switch that ends them. Those of this process are on `screen`."""
    return FileRunningRuns(data.files, platform.node(), display_of(screen) if screen is not None else "")


def display_of(screen: Desktop) -> str:
    """Which display of this machine a desktop is, by one name whatever it is called; empty where there is one only."""
    name = str(getattr(screen, "display_name", ""))
    host, colon, number = name.rpartition(":")
    return f"{host}{colon}{number.partition('.')[0]}"


def has_robot(data: FileDataDirectory, screen: Desktop) -> Callable[[], bool]:
    """Says whether a robot acts on that screen, or guides a person there, whoever started it. What goes on at another
    display does not matter here."""
    here, runs = display_of(screen), running_runs(data)
    seat: Callable[[], bool] = getattr(screen, "has_robot", lambda: False)
    return lambda: seat() or any(run.display in ("", here) for run in runs.all())


def undo_logs(data: FileDataDirectory) -> FileUndoLogs:
    """The last actions of runs."""
    return FileUndoLogs(data.files)


def undoer(screen: Desktop) -> Undoer:
    """What takes actions back on a desktop."""
    return Undoer(screen, Sight(screen.eyes, screen_observer(), clock(), ids()), clock())
