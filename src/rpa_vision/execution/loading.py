"""Patience with a screen that is still loading: as long as something turns on it, what is missing may yet come.

Asked only where something is missing: a screen on which the target is found is not waited for, whatever moves on it.
Where that cannot be told, nothing is known to be loading.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from rpa_vision.execution.sight import Sight
from rpa_vision.imaging.turning import turning_at
from rpa_vision.models.geometry import Box
from rpa_vision.ports.runtime import Clock

_log = logging.getLogger(__name__)
LOADING_S = 30.0
"""So long a step waits for a screen that is still loading, beyond its usual patience."""
_PICTURES = 6
_APART_S = 0.08
_POLL_S = 0.2


@dataclass(slots=True)
class Loading:
    """How long one step waits, and where something turned when it was last looked at."""

    sight: Sight
    clock: Clock
    until_s: float
    may_go_on: Callable[[], bool] = lambda: True
    turns_at: Box | None = None

    @classmethod
    def of(cls, sight: Sight, clock: Clock, may_go_on: Callable[[], bool] = lambda: True) -> Loading:
        """From now on, for one step."""
        return cls(sight, clock, clock.monotonic() + LOADING_S, may_go_on)

    def wait(self) -> bool:
        """Wait while something turns. Says whether another look is worth it: it turned, and turns no more."""
        turned = False
        while (place := self._turning()) is not None:
            self.turns_at, turned = place, True
            if self.clock.monotonic() >= self.until_s or not self.may_go_on():
                return False
            self.clock.sleep(_POLL_S)
        self.turns_at = None
        return turned and self.clock.monotonic() < self.until_s

    def told(self, message: str) -> str:
        """A reason, with what was still going on when the waiting ended."""
        if self.turns_at is None:
            return message
        x, y = self.turns_at.center
        return f"{message}; still loading: something turns at {x},{y}"

    def _turning(self) -> Box | None:
        pictures = [self.sight.grab().pixels]
        for _ in range(_PICTURES - 1):
            self.clock.sleep(_APART_S)
            pictures.append(self.sight.grab().pixels)
        try:
            return turning_at(pictures)
        except Exception:
            _log.exception("whether something turns could not be told; nothing is waited for")
            return None
