"""One robot at a time on a display, whoever started it and by whatever name the display is called.

The seat is a selection of the X server: it has one owner, and nobody owns it any more once that process is gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

from Xlib import X

from rpa_vision.adapters.desktop.x11.connection import Connection
from rpa_vision.errors import DesktopError

_SEAT = "_RPA_ROBOT"


def is_taken(connection: Connection) -> bool:
    """Whether a robot acts on that display, of whichever process."""
    atom = connection.atom(_SEAT)
    with connection.use() as display:
        return bool(display.get_selection_owner(atom) != X.NONE)


@contextmanager
def seat(display_name: str | None) -> Iterator[None]:
    """Hold the seat of a display until the block ends; DesktopError where another robot has it."""
    with closing(Connection(display_name)) as connection:
        atom = connection.atom(_SEAT)
        with connection.use() as display:
            window = connection.root.create_window(-1, -1, 1, 1, 0, X.CopyFromParent, X.InputOnly)
            display.grab_server()
            try:
                taken = display.get_selection_owner(atom) != X.NONE
                if not taken:
                    window.set_selection_owner(atom, X.CurrentTime)
            finally:
                display.ungrab_server()
                display.sync()
        if taken:
            raise DesktopError(
                f"another run of RPA Vision acts on display {connection.name}",
                remedy="Wait until it is over (`rpa-vision status`), or end it with `rpa-vision stop`.",
            )
        yield
