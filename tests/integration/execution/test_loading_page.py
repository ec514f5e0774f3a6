"""A page that is still loading on a real X server: seen by what turns on it, and waited for."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from rpa_vision.adapters.desktop.virtual import VirtualDesktop
from rpa_vision.app import wiring
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.loading import Loading
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.target_resolver import Resolved, TargetResolver
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetSpec

PROGRAM = Path(__file__).parent / "programs" / "loading_page.py"
TURNS_FOR_S = 2.5


def test_a_page_is_loading_while_its_spinner_turns(virtual_desktop: VirtualDesktop, x11: Any, wait: Any) -> None:
    """EX-3: waited for as long as it turns, and what comes then is found"""
    clock = wiring.clock()
    program = virtual_desktop.run([sys.executable, PROGRAM, str(TURNS_FOR_S)])
    try:
        wait.until(lambda: (window := x11.eyes.active_window()) and window.title == "Dossiers", what="the window")
        sight = Sight(x11.eyes, wiring.screen_observer(), clock, wiring.ids())
        loading = Loading.of(sight, clock)
        assert loading.wait()
        assert loading.turns_at is None
        target = TargetSpec(label="Consulter", type="button")
        found = TargetResolver().resolve(target, sight.look(), {}, HealingProfile.at_level(0))
        assert isinstance(found, Resolved), found
        assert not Loading.of(sight, clock).wait()  # nothing turns any more
    finally:
        program.terminate()
        program.wait()
        wait.until(lambda: not x11.windows.all(), what="all windows closed")


def test_what_turns_for_longer_than_a_step_may_take_is_told(
    virtual_desktop: VirtualDesktop, x11: Any, wait: Any
) -> None:
    """EX-3: the reason says where"""
    clock = wiring.clock()
    program = virtual_desktop.run([sys.executable, PROGRAM, "60"])
    try:
        wait.until(lambda: (window := x11.eyes.active_window()) and window.title == "Dossiers", what="the window")
        sight = Sight(x11.eyes, wiring.screen_observer(), clock, wiring.ids())
        loading = Loading(sight, clock, clock.monotonic() + 1.0)
        assert not loading.wait()
        assert loading.turns_at is not None
        window = x11.eyes.active_window()
        spinner = Box(290, 170, 350, 230).moved(*window.geometry[:2]).padded(40)
        assert spinner.contains(loading.turns_at.center)
        assert loading.told("not there").startswith("not there; still loading: something turns at ")
    finally:
        program.terminate()
        program.wait()
        wait.until(lambda: not x11.windows.all(), what="all windows closed")
