"""How long a part of a step took, by the run's clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rpa_vision.ports.runtime import Clock


@contextmanager
def timed(clock: Clock, spent_ms: dict[str, float], name: str, **others: Callable[[], float | None]) -> Iterator[None]:
    """Add the milliseconds of a block to what was spent under that name, also when the block breaks off.

    What passed until a moment that one of the `others` names, somebody else took: it is added under that name.
    """
    began = clock.monotonic()
    try:
        yield
    finally:
        for other, until in others.items():
            ended = max(began, until() or began)
            _add(spent_ms, other, ended - began)
            began = ended
        _add(spent_ms, name, clock.monotonic() - began)


def _add(spent_ms: dict[str, float], name: str, seconds: float) -> None:
    spent_ms[name] = round(spent_ms.get(name, 0.0) + seconds * 1000.0, 1)
