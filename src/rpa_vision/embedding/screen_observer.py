"""From pixels to an understood, fingerprinted screen: detection and embedding in one go.

Reading and fingerprinting look at one screen alone, so screens may be read in any order and by several readers. Who is
who over time is told of one screen after the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from rpa_vision.detection.screen_reader import ScreenReader
from rpa_vision.detection.stable_identity import IdentityTracker
from rpa_vision.embedding.state_embedder import StateEmbedder
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.perception import Perception
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.window import WindowContext
from rpa_vision.ports.perception import Vector

_SMALLEST_WINDOW_PX = 64


@dataclass(frozen=True, slots=True, eq=False)
class ObservedScreen:
    """One screen: its pixels, what was understood of it, and its fingerprint."""

    pixels: Pixels
    state: ScreenState
    vector: Vector

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, in pixels."""
        return int(self.pixels.shape[1]), int(self.pixels.shape[0])


class RecordedScreen(ObservedScreen):
    """A screen of a recording. Its pixels are unpacked when somebody looks at them: those of a day are gigabytes."""

    __slots__ = ("_size", "_unpack")
    _size: tuple[int, int]
    _unpack: Callable[[], Pixels]

    def __init__(self, unpack: Callable[[], Pixels], size: tuple[int, int], state: ScreenState, vector: Vector) -> None:
        for name, value in (("_unpack", unpack), ("_size", size), ("state", state), ("vector", vector)):
            object.__setattr__(self, name, value)

    @property
    def pixels(self) -> Pixels:
        """As often as they are asked for; who unpacks them keeps the last ones."""
        return self._unpack()

    @property
    def size(self) -> tuple[int, int]:
        return self._size


class FreshScreen(ObservedScreen):
    """A screen that was just read. It is fingerprinted when somebody asks where it is; one that changed again before
    that never is."""

    __slots__ = ("_fingerprint", "_made")
    _fingerprint: Vector | None
    _made: Callable[[], Vector] | None

    def __init__(self, pixels: Pixels, state: ScreenState, vector: Vector | Callable[[], Vector]) -> None:
        known, made = (None, vector) if callable(vector) else (vector, None)
        for name, value in (("pixels", pixels), ("state", state), ("_fingerprint", known), ("_made", made)):
            object.__setattr__(self, name, value)

    @property
    def vector(self) -> Vector:
        """Made once."""
        made, known = self._made, self._fingerprint
        if known is None:
            assert made is not None
            known = made()
            object.__setattr__(self, "_fingerprint", known)
            object.__setattr__(self, "_made", None)
        return known


class ScreenObserver:
    """Reads screens and fingerprints them; with a tracker it says which elements were seen before."""

    def __init__(self, reader: ScreenReader, embedder: StateEmbedder, tracker: IdentityTracker | None = None) -> None:
        self.reader = reader
        self.read_by: str | None = None
        """In one word, what reads here; None where nobody has to know."""
        self.perception: Perception | None = None
        """Who looks here, for what is learned by it; None where nobody says."""
        self._embedder = embedder
        self._tracker = tracker

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
        state = self.reader.read(
            pixels,
            window=window,
            screen_state_id=screen_state_id,
            timestamp=timestamp,
            screenshot_id=screenshot_id,
            session_id=session_id,
            screenshot_path=screenshot_path,
        )
        return FreshScreen(pixels, self.followed(state), partial(self.fingerprint, state, pixels))

    def fingerprint(self, state: ScreenState, pixels: Pixels) -> Vector:
        """The fingerprint of a screen that was read."""
        return self._embedder.embed(*in_window(state, pixels)).vector

    def followed(self, state: ScreenState) -> ScreenState:
        """A screen that was read, its elements with their life so far: asked once of each, in the order of time."""
        if self._tracker is None:
            return state
        elements = self._tracker.track(state.ui_elements, state.window, state.timestamp)
        return state.model_copy(update={"ui_elements": elements})


def in_window(state: ScreenState, pixels: Pixels) -> tuple[ScreenState, Pixels]:
    """What is fingerprinted: the window in front, so that moving it does not make another screen."""
    if state.window.geometry is None:
        return state, pixels
    place = Box.of(state.window.geometry).clamped(int(pixels.shape[1]), int(pixels.shape[0]))
    if place is None or min(place.width, place.height) < _SMALLEST_WINDOW_PX:
        return state, pixels
    dx, dy = -place.x1, -place.y1
    lines = tuple(
        line.model_copy(update={"bbox": Box.of(line.bbox).moved(dx, dy).bbox})
        for line in state.perception.text_lines
        if place.contains(Box.of(line.bbox).center)
    )
    elements = tuple(
        element.model_copy(
            update={
                "bbox": Box.of(element.bbox).moved(dx, dy).bbox,
                "center": (element.center[0] + dx, element.center[1] + dy),
            }
        )
        for element in state.ui_elements
        if place.contains(element.center)
    )
    perception = state.perception.model_copy(update={"text_lines": lines})
    inside = state.model_copy(update={"perception": perception, "ui_elements": elements})
    return inside, pixels[place.y1 : place.y2, place.x1 : place.x2]
