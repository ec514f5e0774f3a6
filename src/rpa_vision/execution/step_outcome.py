"""Everything that happened in one step."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.decisive_texts import Reread
from rpa_vision.execution.healing_profile import HealingAttemptMetrics
from rpa_vision.execution.target_resolver import Resolved, Unresolved
from rpa_vision.graph.node_matcher import Location
from rpa_vision.models.auto_heal import StepThresholds
from rpa_vision.models.execution import ExecutionStatus, FailureKind, RecoveryReport
from rpa_vision.models.frame import Frame
from rpa_vision.models.geometry import Point
from rpa_vision.ports.learning import RememberedTarget


@dataclass(slots=True)
class StepOutcome:
    """Everything that happened in one step."""

    status: ExecutionStatus
    message: str = ""
    failure_kind: FailureKind | None = None
    resolution: Resolved | Unresolved | None = None
    point: Point | None = None
    dropped_on: Resolved | None = None
    """What a dragged target is let go on."""
    lost_drop: Unresolved | None = None
    """Why what it was to be let go on could not be told."""
    before: ObservedScreen | None = None
    after: ObservedScreen | None = None
    location: Location | None = None
    verified: bool = False
    expected: str = ""
    observed: str = ""
    healing_level: int = 0
    input_sent: bool = False
    sent_earlier: bool = False
    """Input was sent in an earlier attempt at this step, before an interruption."""
    left: bool = False
    """The person who was to act stopped the run instead: nothing is told by that."""
    is_agreed: bool = False
    """Who is asked about steps said yes to the same before, and is not asked again."""
    terms: StepThresholds | None = None
    reread: Reread | None = None
    """What a second reader said of the texts that decided; None when nobody was asked."""
    memories: tuple[RememberedTarget, ...] = ()
    """What was remembered of the target in the last search for it."""
    told_by_pixels: bool = False
    """Nothing but changed pixels will tell whether it worked: then the pointer must be there before."""
    frame: Frame | None = None
    """The pixels just before the first input."""
    extracted: dict[str, str] = field(default_factory=dict)
    """What was read into variables."""
    read_from: dict[str, str] = field(default_factory=dict)
    """Where each value stood that was read for this step, or in it."""
    recoveries: list[RecoveryReport] = field(default_factory=list)
    """Interruptions that were met, and what came of getting out of them."""
    shown_by: str | None = None
    """Who pointed the target out, where nothing else was safe."""
    keep_shown: bool = False
    """That person wants it found so from now on."""
    timing_ms: dict[str, float] = field(default_factory=dict)
    healing: list[HealingAttemptMetrics] = field(default_factory=list)
    """One entry for each attempt to find the target, those before an interruption too."""

    @property
    def anything_sent(self) -> bool:
        """Whether input was sent in this step, in whichever attempt."""
        return self.input_sent or self.sent_earlier

    @property
    def search_broke(self) -> bool:
        """Whether looking for something broke: then nothing is known, and no way out is tried on that."""
        lost = (self.resolution, self.lost_drop)
        return any(isinstance(one, Unresolved) and one.why == "broken" for one in lost)

    def take(self, name: str, text: str, where: str) -> None:
        """A value was read into a variable, there."""
        self.extracted[name], self.read_from[name] = text, where

    def forget_pixels(self) -> None:
        """Keep what was understood of the screens, and not their pictures."""
        self.before = _without_pixels(self.before)
        self.after = _without_pixels(self.after)
        self.frame = None


def _without_pixels(screen: ObservedScreen | None) -> ObservedScreen | None:
    return replace(screen, pixels=_NO_PIXELS) if screen is not None else None


_NO_PIXELS = np.zeros((1, 1, 4), np.uint8)
