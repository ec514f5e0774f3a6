"""Signs of life of a process: which one of all that ever had its number, and that it still goes on elsewhere."""

from __future__ import annotations

import contextlib
import os
import threading
from pathlib import Path
from typing import Final

from rpa_vision.errors import StorageError

BEAT_S: Final = 10.0
SILENT_S: Final = 60.0
"""Whoever did not touch its file for so long is over."""


def process_mark(pid: int, proc: Path = Path("/proc")) -> str:
    """What no other process of that number has: when it began, since which start of the machine. Empty where nobody can
    tell."""
    try:
        after_name = (proc / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()
        boot = (proc / "sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}:{after_name[19]}"
    except (OSError, IndexError):
        return ""


class Heartbeat:
    """Touches a file again and again until it is stopped, or the file is gone."""

    def __init__(self, path: Path, every_s: float = BEAT_S) -> None:
        self._over = threading.Event()
        threading.Thread(target=self._beat, args=(path, every_s), name=f"beat-{path.stem}", daemon=True).start()

    def stop(self) -> None:
        """It is over."""
        self._over.set()

    def _beat(self, path: Path, every_s: float) -> None:
        while not self._over.wait(every_s):
            try:
                os.utime(path)
            except FileNotFoundError:
                return
            except OSError:  # a disk that is gone for a moment
                continue


def silent_s(path: Path) -> float:
    """For how long nobody touched a file, by the clock of its own disk: those of two machines may differ."""
    probe = path.with_name(f".now-{os.getpid()}-{threading.get_ident()}")
    try:
        probe.touch()
        return probe.stat().st_mtime - path.stat().st_mtime
    except OSError as error:
        raise StorageError(f"{path.name}: nobody can tell how old it is ({error})") from error
    finally:
        with contextlib.suppress(OSError):
            probe.unlink(missing_ok=True)
