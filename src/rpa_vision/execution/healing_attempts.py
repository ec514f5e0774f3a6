"""The attempts to find one target, measured and told; trouble with that never stops a run."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime

from rpa_vision.execution.healing_profile import HealingAttemptMetrics, HealingProfile
from rpa_vision.execution.target_resolver import Resolved, Unresolved
from rpa_vision.models.execution import HealingAttempt

_log = logging.getLogger(__name__)

OnHealing = Callable[[HealingAttemptMetrics], None]


def measured(resolution: Resolved | Unresolved, seconds: float, moment: datetime) -> HealingAttemptMetrics:
    """What an attempt was and came to."""
    found = isinstance(resolution, Resolved)
    return HealingAttemptMetrics(
        attempt_level=resolution.profile.attempt_level,
        success=found,
        strategy_used=resolution.best.strategy if isinstance(resolution, Resolved) else resolution.why,
        original_criteria=HealingProfile.at_level(0).criteria(),
        relaxed_criteria=resolution.profile.criteria(),
        duration_ms=round(seconds * 1000.0, 3),
        timestamp=moment,
    )


def reported(attempts: Sequence[HealingAttemptMetrics]) -> tuple[HealingAttempt, ...]:
    """The attempts as they are kept: in the report of the run and in the audit trail, from which metrics are made."""
    return tuple(
        HealingAttempt(
            attempt_level=one.attempt_level,
            success=one.success,
            strategy_used=one.strategy_used,
            criteria=one.relaxed_criteria,
            duration_ms=one.duration_ms,
        )
        for one in attempts
    )


def tell(metrics: HealingAttemptMetrics, listener: OnHealing) -> None:
    """Tell whoever keeps metrics."""
    try:
        listener(metrics)
    except Exception:
        _log.warning("metrics of a healing attempt were lost", exc_info=True)


def log_the_end(resolution: Unresolved, attempts: Sequence[HealingAttemptMetrics]) -> None:
    """At the last attempt, all profiles and what came of each."""
    tried = (f"level {one.attempt_level} {one.relaxed_criteria} → {one.strategy_used}" for one in attempts)
    _log.info("%s; tried: %s", resolution.message, "; ".join(tried))
