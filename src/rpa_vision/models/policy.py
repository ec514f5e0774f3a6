"""The auto-heal policy: every threshold of the supervisor, in one document (data/config/auto_heal_policy.json)."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from rpa_vision.models.document import Document
from rpa_vision.models.geometry import UnitInterval


class AutoHealPolicy(Document):
    """How patient the supervisor is, and how sure a step must be."""

    schema_version: Literal["auto_heal_policy_v1"] = "auto_heal_policy_v1"
    mode: Literal["hybrid", "conservative", "aggressive"] = "hybrid"

    step_fail_streak_to_degraded: int = Field(default=3, ge=1)
    step_success_streak_to_running: int = Field(default=5, ge=1)
    workflow_fail_window_s: int = Field(default=600, ge=1)
    workflow_fail_max_in_window: int = Field(default=10, ge=1)
    global_fail_window_s: int = Field(default=600, ge=1)
    global_fail_max_in_window: int = Field(default=30, ge=1)
    global_pause_enabled: bool = False

    min_confidence_normal: UnitInterval = 0.72
    min_confidence_degraded: UnitInterval = 0.82
    min_margin_top1_top2_normal: UnitInterval = 0.04
    min_margin_top1_top2_degraded: UnitInterval = 0.08

    disable_learning_in_degraded: bool = True
    rollback_on_regression: bool = True
    regression_window_steps: int = Field(default=50, ge=1)
    regression_fail_ratio: UnitInterval = 0.20

    quarantine_duration_s: int = Field(default=1800, ge=0)
    max_versions_to_keep: int = Field(default=5, ge=5)

    @model_validator(mode="after")
    def _degraded_is_stricter(self) -> Self:
        if self.min_confidence_degraded < self.min_confidence_normal:
            raise ValueError("min_confidence_degraded: must not be below min_confidence_normal")
        if self.min_margin_top1_top2_degraded < self.min_margin_top1_top2_normal:
            raise ValueError("min_margin_top1_top2_degraded: must not be below min_margin_top1_top2_normal")
        return self
