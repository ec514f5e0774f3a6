"""A supervisor in a world of fakes."""

from __future__ import annotations

import pytest

from rpa_vision.system.auto_heal_manager import AutoHealManager
from rpa_vision.testing.auto_heal_fakes import HealWorld


@pytest.fixture
def world() -> HealWorld:
    return HealWorld()


@pytest.fixture
def manager(world: HealWorld) -> AutoHealManager:
    return world.manager()
