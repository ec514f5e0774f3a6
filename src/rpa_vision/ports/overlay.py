"""What is put on the person's screen: a highlight, a bubble, a sign that the robot acts.

Nothing of it takes the focus, and nothing of it is in any frame that the eyes give. Highlight and sign let clicks
through; of the bubble only its buttons mean anything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from rpa_vision.models.geometry import Point
from rpa_vision.models.guidance import Answer, Suggestion


class Overlay(Protocol):
    """Panes over one desktop. Any thread may ask."""

    def suggest(self, suggestion: Suggestion, on_answer: Callable[[Answer], None]) -> None:
        """Show a suggestion in the place of the one before; answers are told from another thread."""

    def withdraw(self) -> None:
        """Take highlight and bubble away; when this returns, they are gone."""

    def sign(self, text: str, *, calm: bool = False) -> None:
        """Show, small and over everything, what the robot does; calm when it does nothing."""

    def unsign(self) -> None:
        """Take the sign away."""

    def holds(self, point: Point) -> bool:
        """Whether the bubble is there: a click there is an answer and no work."""

    def close(self) -> None:
        """Take everything away."""
