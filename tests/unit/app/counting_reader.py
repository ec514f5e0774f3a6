"""A reader that tells what it was asked to read."""

from __future__ import annotations

from typing import Any

from rpa_vision.detection.screen_reader import ScreenReader
from rpa_vision.models.screen_state import ScreenState


class CountingReader(ScreenReader):
    """Says which screenshots it was asked to read."""

    def __init__(self, reader: ScreenReader) -> None:
        self._reader = reader
        self.asked: list[str] = []

    def read(self, *arguments: Any, **about: Any) -> ScreenState:
        self.asked.append(about["screenshot_id"])
        return self._reader.read(*arguments, **about)
