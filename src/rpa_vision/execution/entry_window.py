"""Before the first step: the window it begins in is brought to the front, as a person does who was busy elsewhere.

Only where there is no doubt which window that is: the application of the first screen is not in front, and exactly one
window of it is open. Everything else is left as it is, and the run says itself that its screen is not shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rpa_vision.models.window import WindowContext
from rpa_vision.models.wording import folded
from rpa_vision.models.workflow_graph import WindowConstraints
from rpa_vision.ports.desktop import Desktop
from rpa_vision.ports.runtime import Clock

_POLL_S = 0.05
_WINDOW_S = 3.0


@dataclass(frozen=True, slots=True)
class EntryWindow:
    """The windows of one desktop; `on_decision` hears which one is about to be brought to the front."""

    desktop: Desktop
    clock: Clock
    on_decision: Callable[[WindowContext], None] = lambda window: None

    def bring_to_front(self, wanted: WindowConstraints) -> bool:
        """Say whether a window of the first screen is in front, or is now."""
        if not wanted.app_name_any_of or _is_one(self.desktop.eyes.active_window(), wanted):
            return True
        open_ones = [window for window in self.desktop.windows.all() if _is_one(window, wanted)]
        if len(open_ones) != 1:
            return False
        (window,) = open_ones
        self.on_decision(window)
        if self.desktop.windows.activate(app_name=window.app_name, title_contains=window.title) is None:
            return False
        deadline = self.clock.monotonic() + _WINDOW_S
        while not _is_one(self.desktop.eyes.active_window(), wanted):
            if self.clock.monotonic() >= deadline:
                return False
            self.clock.sleep(_POLL_S)
        return True


def _is_one(window: WindowContext | None, wanted: WindowConstraints) -> bool:
    if window is None or folded(window.app_name) not in {folded(name) for name in wanted.app_name_any_of}:
        return False
    titles = wanted.title_contains_any_of
    return not titles or any(folded(title) in folded(window.title) for title in titles)
