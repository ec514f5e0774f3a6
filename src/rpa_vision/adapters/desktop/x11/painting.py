"""Whether anything was painted on the screen since it was last asked: the server keeps account of it (DAMAGE).

A screen stands still most of the time. Copying eight megabytes to see that it still does takes ten times as long as
asking whether anybody painted.
"""

from __future__ import annotations

from Xlib import X
from Xlib.ext import damage

from rpa_vision.adapters.desktop.x11.connection import Connection
from rpa_vision.errors import EnvironmentMissingError


class Painting:
    """Asks over a connection of its own. Not for several threads: who asks is told once."""

    def __init__(self, display_name: str) -> None:
        self._connection = Connection(display_name, requires=("DAMAGE",))
        self._is_first = True
        with self._connection.use() as display:
            display.damage_query_version()  # without it the server takes us for a client of version 0
            self._notify: int = display.extension_event.DamageNotify
            self._watched = self._connection.root.damage_create(damage.DamageReportNonEmpty)
            display.sync()

    @classmethod
    def where_it_is_told(cls, display_name: str) -> Painting | None:
        """None on a server that keeps no account."""
        try:
            return cls(display_name)
        except EnvironmentMissingError:
            return None

    def went_on(self) -> bool:
        """Whether anything was painted since the last answer. What is painted from now on belongs to the next one: a
        grab that follows has everything this answer is about."""
        with self._connection.use() as display:
            display.sync()  # what was painted before we asked is told before we are answered
            painted = [event for event in self._connection.events() if event.type == self._notify]
            if not painted and not self._is_first:
                return False
            display.damage_subtract(self._watched, X.NONE, X.NONE)
            display.sync()
            self._is_first = False
            return True

    def close(self) -> None:
        self._connection.close()
