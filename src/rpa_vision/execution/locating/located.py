"""What `locate` answers: where something is now, or why that cannot be told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from rpa_vision.execution.locating import same_sight
from rpa_vision.execution.target_resolver import Candidate, Resolved, Unresolved
from rpa_vision.graph.targets import part_of
from rpa_vision.models.document import JsonObject
from rpa_vision.models.geometry import Box, Point

Status = Literal["resolved", "ambiguous", "not_found"]


@dataclass(frozen=True, slots=True)
class Located:
    """Where it is now, or why that cannot be told."""

    status: Status
    box: Box | None
    point: Point | None
    score: float
    strategy: str | None
    runner_up: Candidate | None
    why: str
    is_disabled: bool = False
    """It is there and cannot be used: nothing else is it, whatever stands beside it."""
    timing_ms: dict[str, float] = field(default_factory=dict)

    def to_json(self) -> JsonObject:
        """For scripts."""
        rival = self.runner_up
        return {
            "status": self.status,
            "box": list(self.box.bbox) if self.box is not None else None,
            "point": list(self.point) if self.point is not None else None,
            "score": self.score,
            "strategy": self.strategy,
            "runner_up": None
            if rival is None
            else {"box": list(rival.element.bbox), "label": rival.element.label, "score": rival.score},
            "why": self.why,
            "timing_ms": self.timing_ms,
        }


def refused(found: Located, why: str, *, is_disabled: bool = False) -> Located:
    """The answer, taken back."""
    return Located("not_found", None, None, found.score, None, found.runner_up, why, is_disabled)


def seen_at(box: Box, score: float, why: str) -> Located:
    """An answer by what both pictures show."""
    return Located("resolved", box, box.center, round(score, 4), same_sight.NAME, None, why)


def located(answer: Resolved | Unresolved, recorded: Box, part: Box) -> Located:
    """What the strategies say of a recorded place, for the part of it that was asked about."""
    if isinstance(answer, Resolved):
        best = answer.best
        live = Box.of(best.element.bbox)
        box = part_of(recorded, part, live)
        point = box.center if box is not None else best.element.center
        return Located(
            "resolved", box or live, point, best.score, best.strategy, answer.runner_up, "; ".join(best.reasons)
        )
    status: Status = "ambiguous" if answer.why == "ambiguous" else "not_found"
    first = answer.candidates[0] if answer.candidates else None
    score = first.score if first is not None else 0.0
    return Located(status, None, None, score, None, first, answer.message, answer.why == "disabled")
