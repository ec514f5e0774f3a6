"""Fixtures for the whole project: real time, bounded waiting, and a desktop nobody sees."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import hypothesis
import pytest

from rpa_vision.adapters.desktop.virtual import VirtualDesktop
from rpa_vision.adapters.desktop.x11 import X11Desktop
from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.errors import EnvironmentMissingError

# A busy machine is no reason to fail: what takes too long is measured in benchmarks.
hypothesis.settings.register_profile("project", deadline=None, max_examples=40)
hypothesis.settings.register_profile("soak", deadline=None, max_examples=400)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "project"))

_POLL_S = 0.005


class Waiter:
    """Waits for a fact, never for a time: the only place where tests wait."""

    def __init__(self, clock: SystemClock) -> None:
        self._clock = clock

    def until(self, fact: Callable[[], object], *, timeout_s: float = 10.0, what: str = "") -> object:
        """Poll until the fact holds, and give what it gave; fail when it does not in time."""
        deadline_s = self._clock.monotonic() + timeout_s
        while not (found := fact()):
            if self._clock.monotonic() >= deadline_s:
                raise AssertionError(f"not within {timeout_s:g} s: {what or fact}")
            self._clock.sleep(_POLL_S)
        return found

    def stays(self, fact: Callable[[], object], *, for_s: float) -> bool:
        """Poll for a short while and say whether the fact held all the time."""
        deadline_s = self._clock.monotonic() + for_s
        while self._clock.monotonic() < deadline_s:
            if not fact():
                return False
            self._clock.sleep(_POLL_S)
        return True


@pytest.fixture(scope="session")
def system_clock() -> SystemClock:
    return SystemClock()


@pytest.fixture(scope="session")
def wait(system_clock: SystemClock) -> Waiter:
    return Waiter(system_clock)


@pytest.fixture(scope="session")
def virtual_desktop(system_clock: SystemClock) -> Iterator[VirtualDesktop]:
    """One desktop for the whole test session. Leave it as you found it: no windows, layout us."""
    desktop = VirtualDesktop(clock=system_clock)
    try:
        desktop.__enter__()
    except EnvironmentMissingError as error:
        pytest.fail(f"{error}. {error.remedy}")
    try:
        yield desktop
    finally:
        desktop.close()


@pytest.fixture
def x11(virtual_desktop: VirtualDesktop, system_clock: SystemClock) -> Iterator[X11Desktop]:
    """Eyes, ears and hands on the session's desktop."""
    with X11Desktop(virtual_desktop.display, system_clock) as desktop:
        yield desktop
