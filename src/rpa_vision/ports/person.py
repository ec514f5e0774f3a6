"""The person a robot works beside: she is offered that it does the work, and asked before each step.

A terminal, a bubble on the screen or a dashboard can be her voice. Where nobody is there, nothing is offered, and what
needs an answer is not done.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from rpa_vision.models.action import Action
from rpa_vision.models.geometry import Box
from rpa_vision.models.guidance import Answer


@dataclass(frozen=True, slots=True)
class StepQuestion:
    """May this be done? The step, in words, and where on the screen."""

    workflow_name: str
    step_id: str
    sentence: str
    target: Box | None = None
    label: str = ""
    confidence: float | None = None
    action: Action | None = None
    """For whoever says it in words of her own; variables are not filled in."""
    values: Mapping[str, str] = field(default_factory=dict)
    """What is known of the variables by now, secrets by their names only."""


class Person(Protocol):
    """Answers. Both calls wait for her."""

    def takes_offer(self, workflow_name: str, offer: str) -> bool:
        """Whether the robot is to do the whole of it."""

    def answers(self, question: StepQuestion) -> Answer:
        """`do_it` or `confirm`: go on. `not_this`, `show_me`: that would have been wrong. `not_now`: stop here."""
