"""What the desktop tests share: small programs that act on the virtual desktop."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rpa_vision.adapters.desktop.virtual import VirtualDesktop
from rpa_vision.imaging.diff import same_pixels

PROGRAMS = Path(__file__).parent / "programs"


@pytest.fixture
def open_window(virtual_desktop: VirtualDesktop, x11, wait) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Open painted windows; they are gone after the test."""
    opened: list[subprocess.Popen[bytes]] = []

    def open_one(title: str, x: int = 100, y: int = 100, width: int = 400, height: int = 300):
        arguments = [title, *(str(value) for value in (x, y, width, height))]
        opened.append(virtual_desktop.run([sys.executable, PROGRAMS / "painted_window.py", *arguments]))
        wait.until(lambda: (window := x11.eyes.active_window()) and window.title == title, what=f"window {title}")
        wait.until(is_still, what="a painted frame around the window")
        return opened[-1]

    def is_still() -> bool:
        before = x11.eyes.grab().pixels
        return wait.stays(lambda: same_pixels(before, x11.eyes.grab().pixels), for_s=0.05)

    yield open_one
    for program in opened:
        program.terminate()
        program.wait()
    wait.until(lambda: not x11.windows.all(), what="all windows closed")


@pytest.fixture
def layout(virtual_desktop: VirtualDesktop) -> Iterator[Callable[[str], None]]:
    """Choose a keyboard layout; afterwards it is us again."""

    def choose(name: str) -> None:
        assert virtual_desktop.run(["setxkbmap", name]).wait() == 0

    choose("us")
    yield choose
    choose("us")


@pytest.fixture
def person(virtual_desktop: VirtualDesktop) -> Callable[[str], None]:
    """Press keys by number from another process: "38 +50 24 -50"."""

    def press(keys: str) -> None:
        assert virtual_desktop.run([sys.executable, PROGRAMS / "xtest_keys.py", *keys.split()]).wait() == 0

    return press


@pytest.fixture
def mousepad(virtual_desktop: VirtualDesktop, x11, wait) -> Iterator[None]:
    """An empty text editor that has the focus. Nobody in the project wrote it."""
    program = virtual_desktop.run(["mousepad", "--disable-server"])
    wait.until(lambda: (window := x11.eyes.active_window()) and window.app_name == "Mousepad", what="mousepad")

    def takes_text() -> bool:
        """A window that is in front may not listen yet: what is typed at it is lost."""
        x11.hands.type_text("x")
        x11.hands.press(("CTRL", "A"))
        x11.hands.press(("CTRL", "C"))
        return "x" in (x11.clipboard.read() or "")

    wait.until(takes_text, what="mousepad takes text")
    x11.hands.press(("CTRL", "A"))
    x11.hands.press(("DELETE",))
    yield
    program.kill()
    program.wait()
    wait.until(lambda: not x11.windows.all(), what="all windows closed")
