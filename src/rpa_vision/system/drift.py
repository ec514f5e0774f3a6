"""The screen is not the one of the recording: by how much, and what that means for the thresholds.

Drift belongs to the machine a robot runs on, not to the workflow: two robots on one data directory may have different
screens. So it is kept by the process that saw it and found anew by the next.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from rpa_vision.models.auto_heal import DisplayGeometry

_SCALE_TOLERANCE = 0.01
_FACTOR_RANGE = (0.25, 4.0)


@dataclass(frozen=True, slots=True)
class RuntimeDrift:
    """From the recording's screen to this one."""

    recorded: DisplayGeometry
    live: DisplayGeometry

    @property
    def pixel_scale(self) -> float:
        """How far a distance of one recorded pixel may reach here.

        Elements grow with the desktop's scale, gaps between them at most with the screen. The larger of both is taken:
        it widens the search, and the higher threshold pays for that.
        """
        area = (self.live.width_px * self.live.height_px) / (self.recorded.width_px * self.recorded.height_px)
        factor = max(self.live.scale / self.recorded.scale, math.sqrt(area))
        return round(min(max(factor, _FACTOR_RANGE[0]), _FACTOR_RANGE[1]), 4)

    def describe(self) -> str:
        """One line for people."""
        return f"{_text(self.recorded)} when recorded, {_text(self.live)} now"


def find_drift(recorded: DisplayGeometry, live: DisplayGeometry) -> RuntimeDrift | None:
    """The drift between two screens, None when they measure the same."""
    same_size = (recorded.width_px, recorded.height_px) == (live.width_px, live.height_px)
    same_scale = abs(recorded.scale - live.scale) <= _SCALE_TOLERANCE * recorded.scale
    return None if same_size and same_scale else RuntimeDrift(recorded, live)


def _text(display: DisplayGeometry) -> str:
    return f"{display.width_px}×{display.height_px} at {display.scale:g}"
