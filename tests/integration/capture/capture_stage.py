"""What the recording tests share besides fixtures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.imaging.codec import decode
from rpa_vision.models.frame import Frame, Pixels
from rpa_vision.models.geometry import Point
from rpa_vision.models.raw_session import RecordedSession

PROGRAMS = Path(__file__).parent / "programs"
PAINTED_WINDOW = Path(__file__).parents[1] / "desktop" / "programs" / "painted_window.py"


class NoSecrets:
    def is_secret(self, before: Frame, clicked: Point | None, after: Frame | None) -> bool:
        return False


@dataclass(frozen=True)
class Recording:
    """A recorded session and the files it lies in."""

    session: RecordedSession
    data: FileDataDirectory
    root: Path

    def pixels(self, screenshot_id: str | None) -> Pixels:
        assert screenshot_id is not None
        return decode(self.data.sessions.screenshot(self.session, screenshot_id))
