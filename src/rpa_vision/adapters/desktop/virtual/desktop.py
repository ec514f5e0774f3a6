"""A virtual desktop in one call: Xvfb, a session bus and openbox, in a folder of their own.

Whatever was started in it carries a mark in its environment. Leaving ends everything that carries it, also what cut
itself loose from its parent, and removes the folder; a small keeper process does the same when the owner is killed.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from Xlib import X
from Xlib.protocol.event import ClientMessage

from rpa_vision.adapters.desktop.virtual import keeper, openbox
from rpa_vision.adapters.desktop.x11.connection import Connection
from rpa_vision.errors import DesktopError, EnvironmentMissingError
from rpa_vision.ports.runtime import Clock

_PACKAGES = {
    "Xvfb": "xvfb",
    "xkbcomp": "x11-xkb-utils",
    "openbox": "openbox",
    "dbus-daemon": "dbus-daemon",
}
_FOREIGN_VARIABLES = (
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "SESSION_MANAGER", "DESKTOP_STARTUP_ID",
    "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CURRENT_DESKTOP", "GTK_MODULES",
)  # fmt: skip
_START_TIMEOUT_S = 10.0
_END_TIMEOUT_S = 1.0
_POLL_S = 0.005
DEFAULT_BACKGROUND = 0x405060


class VirtualDesktop:
    """Enter it to start the desktop; `display` and `env` then say how programs reach it."""

    def __init__(
        self,
        *,
        clock: Clock,
        size: tuple[int, int] = (1920, 1080),
        maximise: bool = False,
        background: int = DEFAULT_BACKGROUND,
    ) -> None:
        self._clock = clock
        self._size = size
        self._maximise = maximise
        self._background = background
        self._mark = secrets.token_hex(8)
        self._folder: Path | None = None
        self._children: list[subprocess.Popen[bytes]] = []
        self._keeper: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None
        self._display = ""

    @property
    def display(self) -> str:
        """Name of the display, such as ":1"."""
        self._require_started()
        return self._display

    @property
    def folder(self) -> Path:
        """The temporary folder; `home` and `run` are in it."""
        self._require_started()
        assert self._folder is not None
        return self._folder

    @property
    def env(self) -> dict[str, str]:
        """The whole environment for programs of this desktop."""
        run = self.folder / "run"
        kept = {name: value for name, value in os.environ.items() if name not in _FOREIGN_VARIABLES}
        return kept | {
            keeper.MARK_VARIABLE: self._mark,
            "DISPLAY": self._display,
            "HOME": str(self.folder / "home"),
            "XDG_RUNTIME_DIR": str(run),
            "XDG_SESSION_TYPE": "x11",
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={run / 'bus'}",
            "GDK_BACKEND": "x11",
            "QT_QPA_PLATFORM": "xcb",
            "NO_AT_BRIDGE": "1",
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
        }

    def __enter__(self) -> VirtualDesktop:
        _require_programs()
        self._folder = Path(tempfile.mkdtemp(prefix="rpa-vision-desktop-"))
        try:
            self._start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def run(
        self,
        command: Sequence[str | Path],
        *,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        stdin: int = subprocess.DEVNULL,
        stdout: int = subprocess.DEVNULL,
        stderr: int = subprocess.DEVNULL,
    ) -> subprocess.Popen[bytes]:
        """Start a program in the desktop; it ends with it. `env` adds to the desktop's environment."""
        child = subprocess.Popen(
            [str(part) for part in command],
            env=self.env | dict(env or {}),
            cwd=cwd or self.folder / "home",
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
        self._children.append(child)
        return child

    def close(self) -> None:
        """End everything that was started and remove the folder. Does nothing the second time."""
        if self._folder is None:
            return
        if self._connection is not None:
            self._connection.close()
        # The latest first: programs before the window manager, the X server last.
        for child in reversed(self._children):
            _end(child)
        keeper.end_marked(self._mark, self._clock.sleep)
        self._children.clear()
        shutil.rmtree(self._folder, ignore_errors=True)
        if self._keeper is not None:
            assert self._keeper.stdin is not None
            self._keeper.stdin.close()
            self._keeper.wait()
        self._folder = None

    def _start(self) -> None:
        assert self._folder is not None
        self._keeper = self._start_keeper(self._folder)
        (self._folder / "home").mkdir()
        run = self._folder / "run"
        run.mkdir(mode=0o700)
        config = self._folder / "openbox.xml"
        config.write_text(openbox.configuration(maximise=self._maximise), encoding="utf-8")
        bus = self.run(["dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address=unix:path={run / 'bus'}"])
        self._display = self._start_server()
        self._connection = Connection(self._display)
        self._paint_background(self._connection)
        manager = self.run(["openbox", "--sm-disable", "--config-file", config])
        self._wait_for("the session bus", bus, (run / "bus").exists)
        with self._probe(self._connection) as is_managed:
            self._wait_for("the window manager", manager, is_managed)

    def _start_keeper(self, folder: Path) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-I", "-S", keeper.__file__, str(os.getpid()), self._mark, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,
        )

    def _start_server(self) -> str:
        width, height = self._size
        told, tells = os.pipe()
        command = ["Xvfb", "-displayfd", str(tells), "-screen", "0", f"{width}x{height}x24"]
        command += ["-nolisten", "tcp", "-noreset", "-dpi", "96"]
        try:
            server = subprocess.Popen(
                command,
                env=self.env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[tells],
                start_new_session=True,
            )
            self._children.append(server)
        finally:
            os.close(tells)
        with os.fdopen(told) as answer:
            # Ends when the server has told its number, or has ended itself.
            number = answer.readline().strip()
        if not number:
            raise DesktopError(f"Xvfb ended with {server.wait()} instead of starting a display of {width}×{height}")
        return f":{number}"

    def _paint_background(self, connection: Connection) -> None:
        with connection.use() as display:
            connection.root.change_attributes(background_pixel=self._background)
            connection.root.clear_area(0, 0, 0, 0)
            display.sync()

    @contextmanager
    def _probe(self, connection: Connection) -> Iterator[Callable[[], bool]]:
        """Give a question to the window manager that it answers only once it takes windows.

        It says that it is there long before; a window shown in between is never managed, and so never seen.
        """
        answer, question = connection.atom("_NET_FRAME_EXTENTS"), connection.atom("_NET_REQUEST_FRAME_EXTENTS")
        window = connection.root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
        message = ClientMessage(window=window, client_type=question, data=(32, [0] * 5))

        def is_managed() -> bool:
            with connection.use() as display:
                connection.root.send_event(message, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
                display.sync()
                return window.get_full_property(answer, X.AnyPropertyType) is not None

        yield is_managed
        with connection.use() as display:
            window.destroy()
            display.sync()

    def _wait_for(self, what: str, child: subprocess.Popen[bytes], is_up: Callable[[], bool]) -> None:
        deadline_s = self._clock.monotonic() + _START_TIMEOUT_S
        while not is_up():
            if child.poll() is not None:
                raise DesktopError(f"{what} of the virtual desktop ended with {child.returncode} instead of starting")
            if self._clock.monotonic() >= deadline_s:
                raise DesktopError(f"{what} of the virtual desktop did not start within {_START_TIMEOUT_S:g} s")
            self._clock.sleep(_POLL_S)

    def _require_started(self) -> None:
        if self._folder is None:
            raise DesktopError("the virtual desktop is not running", remedy="Enter it with a `with` statement.")


def _require_programs() -> None:
    for program, package in _PACKAGES.items():
        if shutil.which(program) is None:
            raise EnvironmentMissingError(
                f"{program} is not installed, which a virtual desktop needs",
                remedy=f"Install the package {package} (Debian: apt install {package}).",
            )


def _end(child: subprocess.Popen[bytes]) -> None:
    """End a child and wait for it, so that no zombie stays."""
    if child.poll() is None:
        child.send_signal(signal.SIGTERM)
        try:
            child.wait(_END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
