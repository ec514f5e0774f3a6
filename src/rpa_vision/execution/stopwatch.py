"""How long a part of a step took, by the run's clock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rpa_vision.ports.runtime import Clock


@contextmanager
def timed(clock: Clock, spent_ms: dict[str, float], name: str) -> Iterator[None]:
    """Add the milliseconds of a block to what was spent under that name, also when the block breaks off."""
    began = clock.monotonic()
    try:
        yield
    finally:
        spent_ms[name] = round(spent_ms.get(name, 0.0) + (clock.monotonic() - began) * 1000.0, 1)
