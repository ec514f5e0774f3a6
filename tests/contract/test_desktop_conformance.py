"""Every desktop keeps the port: one list of checks over all of them (L0-3)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import desktop_rigs
import pytest
import x11_rig

from rpa_vision.testing.desktop_conformance import DESKTOP_CHECKS, DesktopUnderTest, NotApplicable

RIGS: list[Callable[[], AbstractContextManager[DesktopUnderTest]]] = [
    desktop_rigs.scripted,
    desktop_rigs.windows,
    desktop_rigs.windows_high_dpi,
    desktop_rigs.windows_at_the_tick_wrap,
    desktop_rigs.macos,
    x11_rig.x11,
]


@pytest.mark.parametrize("check", DESKTOP_CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize("make_rig", RIGS, ids=lambda make: make.__name__)
def test_a_desktop_keeps_the_port(
    make_rig: Callable[[], AbstractContextManager[DesktopUnderTest]], check: Callable[[DesktopUnderTest], None]
) -> None:
    """L0-3"""
    with make_rig() as rig:
        try:
            check(rig)
        except NotApplicable as reason:
            pytest.skip(str(reason))


def test_every_check_is_in_the_list() -> None:
    """L0-3"""
    from rpa_vision.testing import desktop_conformance

    written = {name for name in vars(desktop_conformance) if name.startswith("check_")}
    assert {check.__name__ for check in DESKTOP_CHECKS} == written
