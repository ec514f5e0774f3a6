"""How sure a step must be, from the policy, the state of its workflow and the drift of the screen."""

from __future__ import annotations

from rpa_vision.models.auto_heal import ExecutionState, StepThresholds
from rpa_vision.models.policy import AutoHealPolicy, with_drift
from rpa_vision.system.drift import RuntimeDrift


def thresholds_in_force(
    policy: AutoHealPolicy, state: ExecutionState, drift: RuntimeDrift | None = None
) -> StepThresholds:
    """The terms of a step. Whatever is not RUNNING is held to the terms of DEGRADED."""
    normal = state is ExecutionState.RUNNING
    confidence = policy.min_confidence_normal if normal else policy.confidence_floor_degraded
    return StepThresholds(
        min_confidence=confidence if drift is None else with_drift(confidence),
        min_margin=policy.min_margin_top1_top2_normal if normal else policy.min_margin_top1_top2_degraded,
        learning_enabled=normal or (state is ExecutionState.DEGRADED and not policy.disable_learning_in_degraded),
        hard_constraints_required=not normal,
        ambiguity_refused=not normal,
        policy_digest=policy.digest,
        pixel_scale=1.0 if drift is None else drift.pixel_scale,
    )
