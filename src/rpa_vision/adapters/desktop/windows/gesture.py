"""Input events in Windows' form, and the one place that sends them.

A gesture is what one verb of the hands sends, in one or several batches. It knows what was taken and what is still
held down, so that a refusal is told apart from a failure halfway, and no key or button stays pressed.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

from rpa_vision.adapters.desktop.windows.api import WindowsApi
from rpa_vision.adapters.desktop.windows.structs import INPUT
from rpa_vision.errors import InputNotDeliveredError, UncertainDeliveryError
from rpa_vision.models.geometry import Box, Point

INPUT_MOUSE, INPUT_KEYBOARD = 0, 1
KEYEVENTF_EXTENDEDKEY, KEYEVENTF_KEYUP, KEYEVENTF_UNICODE = 0x0001, 0x0002, 0x0004
MOUSEEVENTF_MOVE, MOUSEEVENTF_ABSOLUTE, MOUSEEVENTF_VIRTUALDESK = 0x0001, 0x8000, 0x4000
MOUSEEVENTF_LEFTDOWN, MOUSEEVENTF_LEFTUP = 0x0002, 0x0004
MOUSEEVENTF_RIGHTDOWN, MOUSEEVENTF_RIGHTUP = 0x0008, 0x0010
MOUSEEVENTF_MIDDLEDOWN, MOUSEEVENTF_MIDDLEUP = 0x0020, 0x0040
MOUSEEVENTF_WHEEL, MOUSEEVENTF_HWHEEL = 0x0800, 0x1000
WHEEL_DELTA = 120

_UP_OF_DOWN = {
    MOUSEEVENTF_LEFTDOWN: MOUSEEVENTF_LEFTUP,
    MOUSEEVENTF_RIGHTDOWN: MOUSEEVENTF_RIGHTUP,
    MOUSEEVENTF_MIDDLEDOWN: MOUSEEVENTF_MIDDLEUP,
}
_STEPS = 65536


class Gesture:
    """What one verb sends."""

    def __init__(self, api: WindowsApi, signature: int) -> None:
        self._api = api
        self._signature = signature
        self._sent: list[INPUT] = []

    def send(self, events: Sequence[INPUT]) -> None:
        """Send a batch, which Windows does not mix with anybody else's input."""
        taken, error = self._insert(events)
        self._sent.extend(events[:taken])
        if taken == len(events):
            return
        if not self._sent:
            raise InputNotDeliveredError(
                f"Windows refused the input (error {error})",
                remedy="Unlock the screen, close a UAC prompt, or run rpa-vision with the rights of that program.",
            )
        self._insert(releases(self._sent))
        raise UncertainDeliveryError(
            f"Windows took {len(self._sent)} input events and refused the rest (error {error})"
        )

    def _insert(self, events: Sequence[INPUT]) -> tuple[int, int]:
        if not events:
            return 0, 0
        batch = (INPUT * len(events))(*events)
        for event in batch:
            target = event.mi if event.type == INPUT_MOUSE else event.ki
            target.dwExtraInfo = self._signature
        taken = self._api.SendInput(len(batch), batch, ctypes.sizeof(INPUT))
        return taken, self._api.last_error()


def releases(sent: Sequence[INPUT]) -> list[INPUT]:
    """The events that let go of what these left pressed, the last pressed first."""
    held: dict[tuple[int, int, int], INPUT] = {}
    for event in sent:
        if event.type == INPUT_KEYBOARD:
            name = (INPUT_KEYBOARD, event.ki.wVk, event.ki.wScan)
            if event.ki.dwFlags & KEYEVENTF_KEYUP:
                held.pop(name, None)
            else:
                up = INPUT.from_buffer_copy(event)
                up.ki.dwFlags |= KEYEVENTF_KEYUP
                held[name] = up
            continue
        for down_flag, up_flag in _UP_OF_DOWN.items():
            if event.mi.dwFlags & down_flag:
                held[(INPUT_MOUSE, up_flag, 0)] = mouse(up_flag)
            if event.mi.dwFlags & up_flag:
                held.pop((INPUT_MOUSE, up_flag, 0), None)
    return list(reversed(held.values()))


def mouse(flags: int, data: int = 0) -> INPUT:
    """A button or the wheel, where the pointer is."""
    event = INPUT(type=INPUT_MOUSE)
    event.mi.dwFlags = flags
    event.mi.mouseData = data & 0xFFFFFFFF
    return event


def move(to: Point, screen: Box) -> INPUT:
    """The pointer to a point of the port."""
    event = mouse(MOUSEEVENTF_MOVE | MOUSEEVENTF_ABSOLUTE | MOUSEEVENTF_VIRTUALDESK)
    event.mi.dx, event.mi.dy = normalized(to[0], screen.width), normalized(to[1], screen.height)
    return event


def normalized(pixel: int, size: int) -> int:
    """A pixel on the scale 0..65535 that SendInput takes for the whole desktop.

    The middle of the pixel, because Windows' rounding on the way back is not documented: the middle comes back as the
    same pixel whether Windows cuts off or rounds.
    """
    return ((2 * pixel + 1) * _STEPS) // (2 * size)


def key(virtual_key: int, scan_code: int, *, up: bool, extended: bool) -> INPUT:
    """A key of the keyboard. Programs read the one or the other code, so both are given."""
    event = INPUT(type=INPUT_KEYBOARD)
    event.ki.wVk, event.ki.wScan = virtual_key, scan_code
    event.ki.dwFlags = (KEYEVENTF_KEYUP if up else 0) | (KEYEVENTF_EXTENDEDKEY if extended else 0)
    return event


def unicode_unit(unit: int, *, up: bool) -> INPUT:
    """A UTF-16 unit, whatever the keyboard layout."""
    event = INPUT(type=INPUT_KEYBOARD)
    event.ki.wScan = unit
    event.ki.dwFlags = KEYEVENTF_UNICODE | (KEYEVENTF_KEYUP if up else 0)
    return event
