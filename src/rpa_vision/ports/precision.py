"""Where claims are counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Protocol

from rpa_vision.models.precision import Claim, Tally


class PrecisionStore(Protocol):
    """Tallies by strategy, element and day. Several processes may count at once; no claim is lost or counted twice."""

    def add(self, claims: Sequence[Claim], day: date) -> None:
        """Count some claims of a day: all of them, or none."""

    def tallies(self, since: date) -> Mapping[tuple[str, str], Tally]:
        """(strategy, element) → everything counted on that day and after."""

    def forget(self, before: date) -> None:
        """Drop what was counted before a day."""
