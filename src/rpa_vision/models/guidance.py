"""What is said to the person at the screen, what she answers, and what an observer tells: values and documents."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import Field

from rpa_vision.models.document import Document
from rpa_vision.models.geometry import BBox, Box, UnitInterval
from rpa_vision.models.ids import Id

Language = Literal["en", "fr"]
Answer = Literal["do_it", "confirm", "not_this", "show_me", "not_now"]
"""Do it for me; yes, I do it; this is not the target; I show you the right one; leave me alone."""
Strength = Literal["weak", "strong"]

GuidanceKind = Literal[
    "recognised",
    "step_seen",
    "different",
    "completed",
    "broken_off",
    "episode",
    "suggested",
    "withdrawn",
    "answered",
    "step_done",
    "step_refused",
    "shown",
]
"""A known workflow is being done; a step of it was seen; it was done otherwise than learned; it was seen to its end, or
not; a piece of work is over. A step was suggested; the suggestion is gone; the person answered; the step was done for
her, or could not be; she showed the right target."""


class GuidanceEvent(Document):
    """One line of what an observer or a guide has to say: for scripts, the dashboard and the audit trail alike."""

    kind: GuidanceKind
    at: datetime
    workflow_id: Id | None = None
    workflow_name: str | None = None
    step_id: Id | None = None
    step: int | None = Field(default=None, ge=1, description="which step of the workflow it is, from 1")
    of: int | None = Field(default=None, ge=1, description="how many steps the workflow has")
    text: str = Field(default="", description="what a person reads")
    similarity: UnitInterval | None = None
    strength: Strength | None = None
    answer: Answer | None = None
    bbox: BBox | None = Field(default=None, description="the target on the screen")
    seconds: float | None = Field(default=None, ge=0.0)
    proposal_id: Id | None = Field(default=None, description="what became of a target that was shown")


@dataclass(frozen=True, slots=True)
class Choice:
    """A button of the bubble. `keys` are the names its key may have, on one keyboard layout or another."""

    answer: Answer
    label: str
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What the bubble says and which target is highlighted."""

    title: str
    text: str
    strength: Strength = "strong"
    target: Box | None = None
    choices: tuple[Choice, ...] = ()
    hint: str = ""
    """How it is answered with the keyboard."""
