"""Windows that are not looked at."""

from __future__ import annotations

import numpy as np

from rpa_vision.capture.discretion import DeniedWindows, DiscreetDesktop
from rpa_vision.models.frame import Frame
from rpa_vision.models.input import InputEvent, InputKind
from rpa_vision.models.window import WindowContext
from rpa_vision.testing.manual_clock import ManualClock

KEEPER = WindowContext(title="Secrets.kdbx - KeePassXC", app_name="keepassxc", geometry=(10, 10, 40, 30))
OFFICE = WindowContext(title="Factures", app_name="Chromium", geometry=(0, 0, 100, 80))


class Bare:
    """A desktop whose windows and frames the test gives."""

    def __init__(self, *windows: WindowContext) -> None:
        self.eyes = self.ears = self.windows = self
        self.hands = self.clipboard = None
        self._windows = windows
        self.on_frame = self.on_event = None

    def all(self) -> list[WindowContext]:
        return list(self._windows)

    def active_window(self) -> WindowContext | None:
        return self._windows[0] if self._windows else None

    def grab(self, region=None) -> Frame:
        return frame(self.active_window())

    def watch(self, on_frame, *, max_fps: float = 30.0):
        self.on_frame = on_frame

    def listen(self, on_event, on_lost=None):
        self.on_event = on_event


def frame(window: WindowContext | None) -> Frame:
    return Frame(np.zeros((80, 100, 4), np.uint8), 0.0, 0.1, window=window)


def key(window: WindowContext | None) -> InputEvent:
    return InputEvent(InputKind.KEY_PRESS, 0, 0, (5, 5), key="A", char="a", window=window)


def discreet(*windows: WindowContext) -> tuple[Bare, DiscreetDesktop]:
    bare = Bare(*windows)
    return bare, DiscreetDesktop(bare, DeniedWindows(), ManualClock())


def test_while_a_denied_window_is_in_front_nothing_is_seen_or_heard():
    """L0-7, L4-12"""
    bare, desktop = discreet(KEEPER, OFFICE)
    seen, heard = [], []
    desktop.eyes.watch(seen.append)
    desktop.ears.listen(heard.append)
    bare.on_frame(frame(KEEPER))
    bare.on_event(key(KEEPER))
    bare.on_event(key(None))
    assert (seen, heard) == ([], [])
    assert desktop.eyes.active_window() is None
    assert (desktop.eyes.grab().pixels[:, :, :3] == 128).all()
    bare.on_frame(frame(OFFICE))
    bare.on_event(key(OFFICE))
    assert (len(seen), len(heard)) == (1, 1)


def test_a_denied_window_beside_is_painted_over_and_said_to_be():
    """L0-7, L4-12"""
    bare, desktop = discreet(OFFICE, KEEPER)
    seen = []
    desktop.eyes.watch(seen.append)
    bare.on_frame(frame(OFFICE))
    [shown] = seen
    assert [box.bbox for box in shown.covered] == [KEEPER.geometry]
    assert (shown.pixels[10:30, 10:40, :3] == 128).all()
    assert not shown.pixels[30:, :, :3].any()


def test_words_are_found_in_titles_and_names_in_any_case():
    """L4-12"""
    denied = DeniedWindows(("Banque", " "))
    assert denied.deny(WindowContext(title="Ma BANQUE en ligne", app_name="Firefox"))
    assert not denied.deny(OFFICE)
    assert not denied.deny(None)


def test_what_our_own_hands_do_is_no_persons_work():
    """L4-12"""
    bare, desktop = discreet(OFFICE)
    heard = []
    desktop.ears.listen(heard.append)
    bare.on_event(InputEvent(InputKind.KEY_PRESS, 0, 0, (5, 5), key="A", own=True, window=OFFICE))
    assert heard == []
