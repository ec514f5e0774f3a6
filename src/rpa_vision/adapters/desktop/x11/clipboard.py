"""The person's clipboard, through xclip: it keeps the text alive after us, which a selection of our own would not.

xclip may return before the server knows of it, so writing waits until the clipboard has another owner.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from Xlib import X

from rpa_vision.adapters.desktop.x11.connection import Connection
from rpa_vision.errors import DesktopError, EnvironmentMissingError
from rpa_vision.ports.runtime import Clock

_TIMEOUT_S = 5.0
_POLL_S = 0.001
_TEXT_TARGETS = ("UTF8_STRING", "text/plain;charset=utf-8", "STRING", "TEXT")
_NOT_CONTENT = frozenset({"TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "DELETE"})
_BEST_OF_OTHERS = ("image/png", "x-special/gnome-copied-files", "text/uri-list", "text/html")


class X11Clipboard:
    """Implements `ports.desktop.Clipboard`.

    Borrowing gives text back as text, and anything else (a picture, files) in its best single form: xclip offers one.
    """

    def __init__(self, display_name: str | None, clock: Clock) -> None:
        self._clock = clock
        self._connection = Connection(display_name)
        self._selection = self._connection.atom("CLIPBOARD")
        self._environment = {**os.environ, "DISPLAY": self._connection.name}

    def read(self) -> str | None:
        target = next((name for name in _TEXT_TARGETS if name in self._targets()), None)
        data = self._get(target) if target is not None else None
        if data is None:
            return None
        return data.decode("latin-1" if target == "STRING" else "utf-8", errors="replace")

    def write(self, text: str) -> None:
        self._put("UTF8_STRING", text.encode())

    @contextmanager
    def borrowed(self) -> Iterator[None]:
        saved = self._save()
        try:
            yield
        finally:
            if saved is not None:
                self._put(*saved)
            else:
                self._empty()

    def close(self) -> None:
        """Let go of the connection; what is on the clipboard stays."""
        self._connection.close()

    def _save(self) -> tuple[str, bytes] | None:
        targets = self._targets()
        others = [name for name in targets if name not in _NOT_CONTENT]
        for target in (*_TEXT_TARGETS, *_BEST_OF_OTHERS, *others):
            if target in targets:
                data = self._get(target)
                if data is not None:
                    return (target, data)
        return None

    def _targets(self) -> list[str]:
        listed = self._get("TARGETS")
        return listed.decode("latin-1").split("\n") if listed is not None else []

    def _get(self, target: str) -> bytes | None:
        done = self._xclip(["-out", "-target", target])
        return done.stdout if done.returncode == 0 else None

    def _put(self, target: str, data: bytes) -> None:
        owner = self._owner()
        done = self._xclip(["-in", "-target", target], data)
        if done.returncode != 0:
            raise DesktopError(f"the clipboard cannot be written: xclip ended with {done.returncode}")
        deadline_s = self._clock.monotonic() + _TIMEOUT_S
        while self._owner() == owner:
            if self._clock.monotonic() >= deadline_s:
                raise DesktopError(f"xclip did not take the clipboard within {_TIMEOUT_S:g} s")
            self._clock.sleep(_POLL_S)

    def _empty(self) -> None:
        """Leave it without an owner: a window takes it and is gone."""
        with self._connection.use() as display:
            window = self._connection.root.create_window(0, 0, 1, 1, 0, X.CopyFromParent, X.InputOnly)
            window.set_selection_owner(self._selection, X.CurrentTime)
            window.destroy()
            display.sync()

    def _owner(self) -> int:
        with self._connection.use() as display:
            owner = display.get_selection_owner(self._selection)
        return int(getattr(owner, "id", owner))

    def _xclip(self, options: Sequence[str], data: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(
                ["xclip", "-selection", "clipboard", *options],
                env=self._environment,
                input=data if data is not None else b"",
                # The xclip that stays behind to serve the text would keep a pipe open and us waiting.
                stdout=subprocess.PIPE if data is None else subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=_TIMEOUT_S,
                start_new_session=True,
                check=False,
            )
        except FileNotFoundError as error:
            raise EnvironmentMissingError(
                "xclip is not installed", remedy="Install the package xclip (Debian: apt install xclip)."
            ) from error
        except subprocess.TimeoutExpired as error:
            raise DesktopError(
                f"the application that holds the clipboard did not answer within {_TIMEOUT_S:g} s",
                remedy="Copy something in another application, then try again.",
            ) from error
