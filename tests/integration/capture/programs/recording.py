"""Records into the data directory given, as `rpa-vision record` does; says `recording` when it is ready."""

import sys
import threading
from pathlib import Path

from rpa_vision.adapters.desktop.x11 import X11Desktop
from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.app.record import record
from rpa_vision.models.frame import Frame
from rpa_vision.models.geometry import Point
from rpa_vision.models.raw_session import UserRef


class NoSecrets:
    def is_secret(self, before: Frame, clicked: Point | None, after: Frame | None) -> bool:
        return False


def ready() -> None:
    sys.stdout.write("recording\n")
    sys.stdout.flush()


clock = SystemClock()
with X11Desktop(None, clock) as desktop:
    record(
        desktop,
        FileDataDirectory(Path(sys.argv[1]), clock=clock),
        NoSecrets(),
        clock,
        name="Interrompu",
        user=UserRef(id="ana"),
        stop=threading.Event(),
        on_ready=ready,
    )
