"""The X11 adapter on a real X server, with a real window manager and another program's windows.

Each check has a server of its own: it is up in 0.2 s, and no check can leave anything behind for the next. The adapter
reaches it through a link that can refuse input; program and person do not.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

import pytest
from refusing_link import RefusingLink
from x11_world import FRONT, KEYBOARD, Person, Program
from Xlib.display import Display

from rpa_vision.adapters.desktop.virtual import VirtualDesktop
from rpa_vision.adapters.desktop.x11 import X11Desktop
from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.errors import EnvironmentMissingError
from rpa_vision.models.geometry import Box
from rpa_vision.models.window import WindowContext

SCREEN = (800, 600)


class X11Rig:
    """A desktop, the link it goes through, the program and the person around it."""

    free_area = Box(FRONT.x1 + 20, FRONT.y1 + 20, FRONT.x2 - 20, FRONT.y2 - 20)

    def __init__(
        self, desktop: X11Desktop, link: RefusingLink, program: Program, person: Person, server: VirtualDesktop
    ) -> None:
        self.desktop = desktop
        self.person = person
        self.expected_windows: Sequence[WindowContext] = program.windows
        self.paint = program.paint
        self.settle = program.settle
        self.arrived = program.arrived
        self.arrived_text = program.text
        self.refuse_input = link.refuse
        self.lock = program.lock
        self._program = program
        self._server = server

    def copy_as_person(self, text: str | None) -> None:
        if text is None:
            self._program.clear_clipboard()
            return
        before = self._program.clipboard_owner()
        subprocess.run(
            ["xclip", "-selection", "clipboard"],
            input=text.encode(),
            env=self._server.env,
            stdout=subprocess.DEVNULL,
            check=True,
        )
        self._program.wait_for(lambda: self._program.clipboard_owner() != before, "the copied text")


@contextmanager
def x11() -> Iterator[X11Rig]:
    """Nothing is not applicable here: locking is played by a window that does what i3lock does."""
    clock = SystemClock()
    server = VirtualDesktop(clock=clock, size=SCREEN)
    try:
        server.__enter__()
    except EnvironmentMissingError as error:
        pytest.fail(f"{error}. {error.remedy}")
    with server:
        assert server.run(KEYBOARD).wait() == 0
        with (
            closing(Person(server.display)) as person,
            closing(Program(server.display, clock)) as program,
            RefusingLink(server.display, _xtest_opcode(server.display)) as link,
        ):
            keyboard = program.keyboard()
            with X11Desktop(link.name, clock) as desktop:
                yield X11Rig(desktop, link, program, person, server)
            program.settle()
            assert program.keyboard() == keyboard


def _xtest_opcode(display_name: str) -> int:
    with closing(Display(display_name)) as display:
        return int(display.query_extension("XTEST").major_opcode)
