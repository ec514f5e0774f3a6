"""What healing costs besides the search itself: the profile of an attempt, and what is written down of it."""

from __future__ import annotations

from rpa_vision.app import wiring
from rpa_vision.execution.healing_attempts import measured, tell
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.target_resolver import Unresolved

ROUNDS = 2000
LEVELS = 3


def healing_overhead_us(rounds: int = ROUNDS) -> list[float]:
    """Microseconds of one attempt, many times over."""
    clock, spent = wiring.clock(), []
    for number in range(rounds):
        began = clock.monotonic()
        profile = HealingProfile.at_level(number % LEVELS).or_strict()
        answer = Unresolved("not_found", "it is not on the screen", (), profile)
        tell(measured(answer, clock.monotonic() - began, clock.now()), lambda attempt: None)
        spent.append((clock.monotonic() - began) * 1e6)
    return spent
