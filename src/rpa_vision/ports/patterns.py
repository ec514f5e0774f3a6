"""Who knows what was repeated. Cutting a session into episodes asks; the room that learns answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from rpa_vision.models.raw_session import RecordedSession


@dataclass(frozen=True, slots=True)
class Episode:
    """One go at a task that was done several times. Its events need not follow each other."""

    events: tuple[int, ...]
    routine: str
    confidence: float
    is_complete: bool = True
    """Whether it went to the end. One that was broken off is never learned from."""
    variant: int = 1


@dataclass(frozen=True, slots=True)
class Patterns:
    """What was repeated in a session."""

    episodes: tuple[Episode, ...]
    noise: frozenset[int]
    """Events that are part of nothing that was repeated."""
    sureness: dict[int, float]
    """Event → how usual it is where it stands (or, for noise, how strange)."""


class PatternOracle(Protocol):
    """Finds repeated tasks."""

    def patterns(self, session: RecordedSession, ignored: frozenset[int]) -> Patterns:
        """What was repeated, the ignored events (moves, what was deleted again) left out of sight."""
