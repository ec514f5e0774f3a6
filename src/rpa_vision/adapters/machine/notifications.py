"""A few words on the person's desktop, by the service every desktop has for that (`org.freedesktop.Notifications`).

Where there is no such service, nothing happens, and whoever wanted to tell knows it.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from rpa_vision.adapters.machine.session_bus import BusCall, ask, bus_address, padded, signature, text

_NAME, _PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
_TIMEOUT_S = 3.0
_AS_THE_DESKTOP_LIKES = -1
_NORMAL, _CRITICAL = 1, 2


@dataclass(frozen=True, slots=True)
class DesktopNotifications:
    """Tells over the session bus. `environment` says which session."""

    environment: Mapping[str, str]

    def tell(self, title: str, words: str, *, urgent: bool = False) -> bool:
        """Show it; says whether somebody took it. What fails here fails quietly: it only helps."""
        address = bus_address(self.environment) if not sys.platform.startswith("win") else None
        if address is None:
            return False
        body = _notify(title, words, _CRITICAL if urgent else _NORMAL)
        try:
            return ask(address, BusCall(_NAME, _PATH, _NAME, "Notify", "susssasa{sv}i", body), timeout_s=_TIMEOUT_S)
        except OSError:
            return False


def _notify(title: str, words: str, urgency: int) -> bytes:
    """The arguments: who, instead of which, icon, title, words, buttons, hints, for how long."""
    body = padded(text("rpa-vision"), 4) + struct.pack("<I", 0)
    for value in ("", title, _plain(words)):
        body = padded(body, 4) + text(value)
    body = padded(body, 4) + struct.pack("<I", 0)
    hint = text("urgency") + signature("y") + bytes([urgency])
    body = padded(body, 4) + struct.pack("<I", len(hint))
    body = padded(body, 8) + hint
    return padded(body, 4) + struct.pack("<i", _AS_THE_DESKTOP_LIKES)


def _plain(words: str) -> str:
    """Most desktops read markup: what looks like it is meant as it stands."""
    return words.replace("&", "&amp;").replace("<", "&lt;")
