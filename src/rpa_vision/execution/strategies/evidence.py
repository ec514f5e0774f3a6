"""What a strategy says of one candidate: how well it fits, from 0 to 1, and why."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.models.frame import Pixels
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.ui_element import UIElement
from rpa_vision.ports.learning import RememberedTarget

if TYPE_CHECKING:
    from rpa_vision.execution.strategies.constellation import Sky

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One strategy's word on one candidate."""

    score: float
    reason: str
    needs_place: bool = False
    """It holds only for what stands where the target must be: other words that mean the same, a word badly read."""


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for, where, and how tolerantly. `label` and `rows` are filled with the run's values."""

    target: TargetSpec
    label: str | None
    label_is_exact: bool
    """The label holds a value that decides: nothing but this very value will do."""
    rows: tuple[str, ...]
    look: Pixels | None
    screen: ObservedScreen
    profile: HealingProfile
    elements: tuple[UIElement, ...] = ()
    """What may be meant: the elements of the screen, and what was read or expected where no element was seen."""
    sky: Sky | None = None
    """How the recorded screen lies on this one, where enough of it is found again."""
    remembered: tuple[RememberedTarget, ...] = ()
    """What the target turned out to be on such a screen before."""
    on_its_screen: bool = False
    """The screen was recognised as the one the target was recorded on, by more than what stands around it."""
    pixel_scale: float = 1.0
    """How far one pixel of the recording reaches here: multiplies tolerances, never a score."""

    @property
    def described(self) -> str:
        """What is looked for, in words."""
        kind = self.target.type or "target"
        name = f"the {kind} « {self.label} »" if self.label else f"the recorded {kind}"
        return f"{name} in the row of « {', '.join(self.rows)} »" if self.rows else name


Verdicts = Mapping[str, Evidence]
"""element_id → evidence. A candidate that is missing was not judged."""


def guarded(name: str, judge: Callable[[], Any], broken: Any = None) -> Any:
    """The answer, or `broken` where that part failed: healing that fails never stops a run, and what could not be
    checked is not taken."""
    try:
        return judge()
    except Exception:
        _log.exception("the strategy %s failed; nothing is taken on its word", name)
        return broken
