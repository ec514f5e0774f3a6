"""Real time and real ids."""

from rpa_vision.adapters.runtime.clock import SystemClock
from rpa_vision.adapters.runtime.ids import RandomIds

__all__ = ["RandomIds", "SystemClock"]
