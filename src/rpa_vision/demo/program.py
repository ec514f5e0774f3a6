"""A desktop program started for a demonstration, and ended as cleanly as it was started."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

from rpa_vision.errors import EnvironmentMissingError

STOP_TIMEOUT_S = 5.0


class Program:
    """A running program with everything it started; use it as a context manager, or call `stop`."""

    def __init__(self, command: Sequence[str], *, env: Mapping[str, str], cwd: Path | None = None) -> None:
        self._is_stopped = False
        # Its own session: what it starts can be ended with it, and Ctrl-C in a terminal does not reach it first.
        self._process = subprocess.Popen(
            command,
            env=dict(env),
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether it has not ended by itself."""
        return self._process.poll() is None

    def stop(self) -> None:
        """Ask it to end, then end what is left of it; a second call does nothing."""
        if self._is_stopped:
            return
        self._is_stopped = True
        if self.is_running:
            self._process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(STOP_TIMEOUT_S)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()

    def __enter__(self) -> Program:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def find_program(names: Sequence[str], *, package: str, search_path: str | None = None) -> str:
    """The full path of the first of these that is installed."""
    for name in names:
        found = shutil.which(name, path=search_path)
        if found:
            return found
    raise EnvironmentMissingError(f"{names[0]} is not installed", remedy=f"Install it: sudo apt install {package}")


def own_environment(home: Path, display: str | None, env: Mapping[str, str] | None) -> dict[str, str]:
    """The environment for a GTK program with a home and settings of its own, made where they are missing: no recent
    files, no session restored, nothing of the user's changed."""
    home.mkdir(parents=True, exist_ok=True)
    environment = program_environment(display, env) | {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_DATA_HOME": str(home / ".local/share"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "GSETTINGS_BACKEND": "memory",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
    }
    # Without a bus of its own, GTK would start one that outlives the program.
    environment.setdefault("DBUS_SESSION_BUS_ADDRESS", "disabled:")
    return environment


def program_environment(display: str | None, env: Mapping[str, str] | None) -> dict[str, str]:
    """The environment for a program: the given one or this process's, on the given display."""
    environment = dict(os.environ if env is None else env)
    if display is not None:
        environment["DISPLAY"] = display
    if not environment.get("DISPLAY"):
        raise EnvironmentMissingError("no display to show a program on", remedy="Set DISPLAY, or give a display.")
    return environment
