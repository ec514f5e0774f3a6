"""The desktops the conformance checks run over, each with the world around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from rpa_vision.adapters.desktop.macos import MacDesktop, MacDisplay, MacWindow
from rpa_vision.adapters.desktop.windows import WindowsDesktop
from rpa_vision.adapters.desktop.windows.keys import NAME_BY_VK
from rpa_vision.models.geometry import Box
from rpa_vision.models.input import InputEvent, InputKind, MouseButton
from rpa_vision.models.window import WindowContext
from rpa_vision.testing.fake_mac_api import FakeMac
from rpa_vision.testing.fake_windows.clipboard import CF_UNICODETEXT
from rpa_vision.testing.fake_windows.input import Message
from rpa_vision.testing.fake_windows_api import FakeWindows
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.scripted_desktop import ScriptedDesktop

WIDTH, HEIGHT = 320, 200
FREE = Box(60, 50, 260, 150)


class ScriptedRig:
    """The scripted desktop is its own world."""

    free_area = FREE

    def __init__(self) -> None:
        self.expected_windows = [
            WindowContext(title="Patients", app_name="clinic", pid=11, geometry=(0, 0, 300, 180)),
            WindowContext(title="Invoices 2025", app_name="ledger", pid=12, geometry=(10, 10, 310, 190)),
        ]
        blank = np.full((HEIGHT, WIDTH, 3), 200, np.uint8)
        self.desktop = ScriptedDesktop({"blank": blank}, start="blank", windows=self.expected_windows)
        self.person = self.desktop.person
        self.paint = self.desktop.paint
        self.settle = self.desktop.settle
        self.refuse_input = self.desktop.refuse_input

    def arrived(self) -> list[InputEvent]:
        events, self.desktop.arrived = self.desktop.arrived, []
        return events

    def arrived_text(self) -> str:
        text, self.desktop.text = self.desktop.text, ""
        return text

    def copy_as_person(self, text: str | None) -> None:
        self.desktop.clipboard_text = text

    def lock(self) -> None:
        self.desktop.locked = True


class WindowsRig:
    """The Windows adapter over the fake Windows: two monitors, the second to the left and higher."""

    free_area = FREE

    def __init__(self, *, dpi: int = 96, dpi_already_set: bool = False, tick_offset_ms: int = 0) -> None:
        clock = ManualClock()
        self.windows = FakeWindows(
            clock,
            monitors=(Box(0, 0, WIDTH, HEIGHT), Box(-160, -40, 0, 120)),
            dpi=dpi,
            dpi_already_set=dpi_already_set,
            tick_offset_ms=tick_offset_ms,
        )
        self.windows.machine.pixels[:, :, :3] = 200
        behind = self.windows.add_window("Invoices 2025", r"C:\Programs\ledger.exe", Box(170, 50, 470, 230))
        front = self.windows.add_window("Book1 - Excel", r"C:\Office\EXCEL.EXE", Box(20, 20, 300, 180))
        self.expected_windows: Sequence[WindowContext] = [
            WindowContext(title=front.title, app_name="EXCEL.EXE", pid=front.pid, geometry=(20, 20, 300, 180)),
            WindowContext(title=behind.title, app_name="ledger.exe", pid=behind.pid, geometry=(170, 50, 470, 230)),
        ]
        self.desktop = WindowsDesktop(self.windows.api, clock)
        self.person = self.windows.person
        self.paint = self.windows.paint

    def settle(self) -> None:
        """Everything in the fake happens at once."""

    def arrived(self) -> list[InputEvent]:
        messages = self.windows.input.received
        self.windows.input.received = []
        return [event for message in messages if (event := self._event(message)) is not None]

    def arrived_text(self) -> str:
        text, self.windows.keyboard.text = self.windows.keyboard.text, ""
        return text

    def copy_as_person(self, text: str | None) -> None:
        self.windows.clipboard.empty()
        if text is not None:
            raw = text.replace("\n", "\r\n") + "\0"
            self.windows.clipboard.put(CF_UNICODETEXT, raw.encode("utf-16-le"))

    def refuse_input(self, after: int) -> None:
        self.windows.input.refuse_after = after

    def lock(self) -> None:
        self.windows.machine.locked = True

    def _event(self, m: Message) -> InputEvent | None:
        bounds = self.windows.machine.bounds
        pos = (m.point[0] - bounds.x1, m.point[1] - bounds.y1)
        held = frozenset(NAME_BY_VK[code] for code in m.held if code >= 0xA0)
        if m.message == 0x0200:
            return InputEvent(InputKind.MOTION, 0, 0, pos)
        if m.message in (0x020A, 0x020E):
            notches = m.data // 120
            return InputEvent(
                InputKind.SCROLL, 0, 0, pos, scroll=(notches, 0) if m.message == 0x020E else (0, -notches)
            )
        if m.message in _BUTTONS:
            kind, button = _BUTTONS[m.message]
            return InputEvent(kind, 0, 0, pos, button, modifiers=held)
        kind = InputKind.KEY_RELEASE if m.message & 1 else InputKind.KEY_PRESS
        name = chr(m.scan) if m.code == 0xE7 else NAME_BY_VK.get(m.code)
        return InputEvent(kind, 0, 0, pos, key=name, modifiers=held)


_BUTTONS = {
    0x0201 + 3 * n + up: ((InputKind.BUTTON_PRESS, InputKind.BUTTON_RELEASE)[up], button)
    for n, button in enumerate((MouseButton.LEFT, MouseButton.RIGHT, MouseButton.MIDDLE))
    for up in (0, 1)
}


class MacRig:
    """The macOS adapter over its fake: a Retina display, and a plain one to the left."""

    free_area = FREE

    def __init__(self) -> None:
        clock = ManualClock()
        displays = [MacDisplay(0, 0, 160, 100, 320, True), MacDisplay(-80, -20, 80, 60, 80, False)]
        self.mac = FakeMac(clock, displays)
        self.mac.pixels[:, :, :3] = 200
        self.mac.front_to_back = [
            MacWindow(31, "Numbers", "Budget 2025", 0, -70, -10, 150, 90),
            MacWindow(32, "Safari", "Patients", 0, 0, 0, 160, 100),
        ]
        self.expected_windows: Sequence[WindowContext] = [
            WindowContext(title="Budget 2025", app_name="Numbers", pid=31, geometry=(20, 20, 320, 200)),
            WindowContext(title="Patients", app_name="Safari", pid=32),
        ]
        self.desktop = MacDesktop(self.mac, clock, self.mac.run)
        self.person = self.mac.person
        self.paint = self.mac.paint

    def settle(self) -> None:
        """Everything in the fake happens at once."""

    def arrived(self) -> list[InputEvent]:
        events, self.mac.events = self.mac.events, []
        return events

    def arrived_text(self) -> str:
        text, self.mac.text = self.mac.text, ""
        return text

    def copy_as_person(self, text: str | None) -> None:
        self.mac.clipboard = (text or "").encode()

    def refuse_input(self, after: int) -> None:
        self.mac.refuse_after = after

    def lock(self) -> None:
        self.mac.locked = True


@contextmanager
def scripted() -> Iterator[ScriptedRig]:
    rig = ScriptedRig()
    yield rig
    rig.desktop.close()


@contextmanager
def windows() -> Iterator[WindowsRig]:
    rig = WindowsRig()
    yield rig
    rig.desktop.close()
    _expect_nothing_left(rig)


@contextmanager
def windows_high_dpi() -> Iterator[WindowsRig]:
    """At 150 %, in a process that somebody else had declared not DPI aware."""
    rig = WindowsRig(dpi=144, dpi_already_set=True)
    yield rig
    rig.desktop.close()
    _expect_nothing_left(rig)


@contextmanager
def windows_at_the_tick_wrap() -> Iterator[WindowsRig]:
    """49.7 days after the start: the event clock starts anew in the middle of the check."""
    rig = WindowsRig(tick_offset_ms=2**32 - 1_000_000 - 45)
    yield rig
    rig.desktop.close()
    _expect_nothing_left(rig)


@contextmanager
def macos() -> Iterator[MacRig]:
    rig = MacRig()
    yield rig
    rig.desktop.close()
    assert rig.mac.tap_count == 0


def _expect_nothing_left(rig: WindowsRig) -> None:
    assert rig.windows.input.hook_count == 0
    assert rig.windows.leaks() == []
