"""How a hand travels: one smooth, slightly curved stroke whose time grows with distance and smallness of the goal.

Minimum jerk (Flash and Hogan) for the speed along the way, Fitts' law for how long it takes.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

_STEPS_PER_S = 90
_MOST_CURVE = 0.10


@dataclass(frozen=True, slots=True)
class Waypoint:
    """A place on the way, and how long to stay before the next."""

    x: int
    y: int
    wait_s: float


def plan_move(
    rng: random.Random, start: tuple[int, int], goal: tuple[int, int], goal_size_px: float = 40
) -> list[Waypoint]:
    """The way from here to there; empty when already there, and always ending exactly on the goal."""
    (x0, y0), (x1, y1) = start, goal
    distance = math.hypot(x1 - x0, y1 - y0)
    bend = rng.uniform(-_MOST_CURVE, _MOST_CURVE)
    if distance < 1:
        return []
    duration_s = 0.10 + 0.085 * math.log2(1 + distance / max(goal_size_px, 8))
    steps = max(4, round(duration_s * _STEPS_PER_S))
    way: list[Waypoint] = []
    for step in range(1, steps + 1):
        part = step / steps
        along = part**3 * (10 - 15 * part + 6 * part**2)
        aside = bend * math.sin(math.pi * along)
        x = round(x0 + (x1 - x0) * along - (y1 - y0) * aside)
        y = round(y0 + (y1 - y0) * along + (x1 - x0) * aside)
        way.append(Waypoint(max(0, x), max(0, y), duration_s / steps))
    return way


def aim(rng: random.Random, box: tuple[float, float, float, float]) -> tuple[int, int]:
    """Where in a box (x, y, width, height) a person clicks: near the middle, never on the edge."""
    x, y, width, height = box
    across = min(0.3, max(-0.3, rng.gauss(0, 0.12)))
    down = min(0.25, max(-0.25, rng.gauss(0, 0.10)))
    return round(x + width * (0.5 + across)), round(y + height * (0.5 + down))
