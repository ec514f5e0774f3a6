"""The Windows desktop, put together."""

from __future__ import annotations

import ctypes
import itertools

from rpa_vision.adapters.desktop.windows.api import WindowsApi
from rpa_vision.adapters.desktop.windows.clipboard import WindowsClipboard
from rpa_vision.adapters.desktop.windows.ears import WindowsEars
from rpa_vision.adapters.desktop.windows.eyes import WindowsEyes
from rpa_vision.adapters.desktop.windows.hands import WindowsHands
from rpa_vision.adapters.desktop.windows.integrity import ERROR_ACCESS_DENIED
from rpa_vision.adapters.desktop.windows.screen import VirtualScreen
from rpa_vision.adapters.desktop.windows.structs import DWORD, text_of, wide_buffer
from rpa_vision.adapters.desktop.windows.window_context import WindowDescriber
from rpa_vision.adapters.desktop.windows.windows import WindowsWindows
from rpa_vision.ports.runtime import Clock

DESKTOP_READOBJECTS = 0x0001
UOI_NAME = 2
_PERSONS_DESKTOP = "default"
_SIGNATURE_BASE = 0x5250_0000


class WindowsDesktop:
    """Everything of the desktop of the logged-in person."""

    _instances = itertools.count(1)

    def __init__(self, api: WindowsApi, clock: Clock, *, hears_own_hands: bool = True) -> None:
        # Each desktop signs its input differently: one process may play a person and watch it.
        signature = _SIGNATURE_BASE | next(self._instances) & 0xFFFF
        self._api = api
        screen = VirtualScreen(api)
        describer = WindowDescriber(api, screen)
        self.eyes = WindowsEyes(api, screen, describer, clock)
        self.ears = WindowsEars(api, screen, describer, clock, signature=signature, hears_own_hands=hears_own_hands)
        self.hands = WindowsHands(api, screen, describer, clock, signature)
        self.clipboard = WindowsClipboard(api, clock)
        self.windows = WindowsWindows(api, screen, describer, clock)

    def is_locked(self) -> bool | None:
        """True while the lock screen, a UAC prompt or a screen saver has the screen: input goes to another desktop."""
        desktop = self._api.OpenInputDesktop(0, 0, DESKTOP_READOBJECTS)
        if not desktop:
            return True if self._api.last_error() == ERROR_ACCESS_DENIED else None
        try:
            name, needed = wide_buffer(256), DWORD()
            if not self._api.GetUserObjectInformationW(desktop, UOI_NAME, name, ctypes.sizeof(name), needed):
                return None
            return text_of(name, needed.value // 2).rstrip("\0").casefold() != _PERSONS_DESKTOP
        finally:
            self._api.CloseDesktop(desktop)

    def close(self) -> None:
        self.ears.close()
