"""From pixels to an understood, fingerprinted screen: detection and embedding in one go."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from rpa_vision.detection.screen_reader import ScreenReader
from rpa_vision.embedding.state_embedder import StateEmbedder
from rpa_vision.models.frame import Pixels
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.window import WindowContext
from rpa_vision.ports.perception import Vector


@dataclass(frozen=True, slots=True, eq=False)
class ObservedScreen:
    """One screen: its pixels, what was understood of it, and its fingerprint."""

    pixels: Pixels
    state: ScreenState
    vector: Vector


class ScreenObserver:
    """Reads screens and fingerprints them."""

    def __init__(self, reader: ScreenReader, embedder: StateEmbedder) -> None:
        self._reader = reader
        self._embedder = embedder

    @property
    def embedder(self) -> StateEmbedder:
        return self._embedder

    def observe(
        self,
        pixels: Pixels,
        *,
        window: WindowContext,
        screen_state_id: str,
        timestamp: datetime,
        screenshot_id: str | None = None,
        session_id: str | None = None,
        screenshot_path: str = "memory",
    ) -> ObservedScreen:
        """Understand a screen."""
        state = self._reader.read(
            pixels,
            window=window,
            screen_state_id=screen_state_id,
            timestamp=timestamp,
            screenshot_id=screenshot_id,
            session_id=session_id,
            screenshot_path=screenshot_path,
        )
        return ObservedScreen(pixels, state, self._embedder.embed(state, pixels).vector)
