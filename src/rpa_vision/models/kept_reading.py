"""What was read of one picture of a session, kept beside it. A cache: whoever doubts it reads the picture again."""

from __future__ import annotations

import base64

import numpy as np
from numpy.typing import NDArray

from rpa_vision.models.document import Part
from rpa_vision.models.screen_state import ScreenState


class KeptReading(Part):
    """A screen as it was read for itself alone, and its fingerprint."""

    read_by: str
    """Everything that decides what is read: another program, model or setting may read otherwise."""
    read_of: str
    """A digest of the picture and of what was told with it: the moment, the window, what the screen is called."""
    size: tuple[int, int]
    state: ScreenState
    fingerprint: str

    @property
    def vector(self) -> NDArray[np.float32]:
        """The fingerprint, as it was computed, to the last bit."""
        return np.frombuffer(base64.b64decode(self.fingerprint), "<f4").astype(np.float32)


def packed(vector: NDArray[np.float32]) -> str:
    """A fingerprint as text."""
    return base64.b64encode(np.ascontiguousarray(vector, "<f4").tobytes()).decode("ascii")
