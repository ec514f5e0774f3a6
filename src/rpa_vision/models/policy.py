"""The auto-heal policy: every threshold of the supervisor, in one document (data/config/auto_heal_policy.json).

A mode is a preset: it fills in every key that the document leaves out. What the document says explicitly wins. The
result is checked as a whole, so that no combination of preset and keys can be laxer in doubt than in normal times.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from functools import cached_property
from typing import Any, Literal, Self

from pydantic import Field, ValidationError, model_validator

from rpa_vision.errors import DocumentError
from rpa_vision.models.document import Document, JsonObject
from rpa_vision.models.plain_words import mistakes

PolicyMode = Literal["hybrid", "conservative", "aggressive"]

# The upper bounds are also how many failures the supervisor must remember to judge by any valid policy.
MAX_WORKFLOW_FAILURES = 200
MAX_GLOBAL_FAILURES = 500
MAX_WINDOW_S = 86_400

DEGRADED_CONFIDENCE_STEP = 0.1  # AH-3.1
RUNTIME_DRIFT_CONFIDENCE_STEP = 0.05  # AH-9.5

PRESETS: dict[PolicyMode, JsonObject] = {
    "hybrid": {},  # the defaults of the fields are those of the seed
    "conservative": {
        "step_fail_streak_to_degraded": 2,
        "step_success_streak_to_running": 10,
        "workflow_fail_max_in_window": 5,
        "global_fail_max_in_window": 15,
        "global_pause_enabled": True,
        "min_confidence_normal": 0.80,
        "min_confidence_degraded": 0.90,
        "min_margin_top1_top2_normal": 0.06,
        "min_margin_top1_top2_degraded": 0.12,
        "regression_fail_ratio": 0.15,
        "heal_verified_runs_to_keep": 0,
        "quarantine_duration_s": 3600,
        "max_versions_to_keep": 10,
    },
    # More patient with failures, hardly less sure: a wrong click is worse than no click.
    "aggressive": {
        "step_fail_streak_to_degraded": 5,
        "step_success_streak_to_running": 3,
        "workflow_fail_max_in_window": 20,
        "global_fail_max_in_window": 60,
        "min_confidence_normal": 0.70,
        "min_confidence_degraded": 0.80,
        "min_margin_top1_top2_normal": 0.03,
        "min_margin_top1_top2_degraded": 0.06,
        "heal_verified_runs_to_keep": 2,
        "regression_fail_ratio": 0.30,
        "quarantine_duration_s": 900,
    },
}


class AutoHealPolicy(Document):
    """How patient the supervisor is, and how sure a step must be. docs/policy.md says what each key means."""

    schema_version: Literal["auto_heal_policy_v1"] = "auto_heal_policy_v1"
    mode: PolicyMode = "hybrid"

    step_fail_streak_to_degraded: int = Field(default=3, ge=1, le=100)
    step_success_streak_to_running: int = Field(default=5, ge=1, le=1000)
    workflow_fail_window_s: int = Field(default=600, ge=1, le=MAX_WINDOW_S)
    workflow_fail_max_in_window: int = Field(default=10, ge=1, le=MAX_WORKFLOW_FAILURES)
    global_fail_window_s: int = Field(default=600, ge=1, le=MAX_WINDOW_S)
    global_fail_max_in_window: int = Field(default=30, ge=1, le=MAX_GLOBAL_FAILURES)
    global_pause_enabled: bool = False

    min_confidence_normal: float = Field(default=0.72, ge=0.5, le=0.9)
    min_confidence_degraded: float = Field(default=0.82, ge=0.5, le=1.0)
    min_margin_top1_top2_normal: float = Field(default=0.04, ge=0.0, le=0.5)
    min_margin_top1_top2_degraded: float = Field(default=0.08, ge=0.0, le=0.5)

    disable_learning_in_degraded: bool = True
    heal_verified_runs_to_keep: int = Field(default=3, ge=0, le=1000)
    rollback_on_regression: bool = True
    regression_window_steps: int = Field(default=50, ge=5, le=1000)
    regression_fail_ratio: float = Field(default=0.20, ge=0.05, le=1.0)

    quarantine_duration_s: int = Field(default=1800, ge=1, le=2_592_000)
    max_versions_to_keep: int = Field(default=5, ge=5, le=1000)

    @model_validator(mode="before")
    @classmethod
    def _fill_in_the_preset(cls, data: Any) -> Any:
        mode = data.get("mode", "hybrid") if isinstance(data, dict) else None
        preset = next((keys for name, keys in PRESETS.items() if name == mode), {})
        return {**preset, **data} if preset else data

    @model_validator(mode="after")
    def _degraded_is_stricter(self) -> Self:
        if self.min_confidence_degraded < self.min_confidence_normal:
            raise ValueError("min_confidence_degraded: must not be below min_confidence_normal")
        if self.min_margin_top1_top2_degraded < self.min_margin_top1_top2_normal:
            raise ValueError("min_margin_top1_top2_degraded: must not be below min_margin_top1_top2_normal")
        return self

    @model_validator(mode="after")
    def _local_comes_before_global(self) -> Self:
        if self.workflow_fail_max_in_window < self.step_fail_streak_to_degraded:
            raise ValueError(
                "workflow_fail_max_in_window: must not be below step_fail_streak_to_degraded, "
                "or a workflow is quarantined before it is slowed down"
            )
        if self.global_fail_max_in_window < self.workflow_fail_max_in_window:
            raise ValueError(
                "global_fail_max_in_window: must not be below workflow_fail_max_in_window, "
                "or one bad workflow stops all the others"
            )
        return self

    @classmethod
    def from_json(cls, data: JsonObject | str | bytes, *, where: str = "document") -> Self:
        """Read a policy. People write this file: every mistake is named, a key that is there twice too."""
        if isinstance(data, (str, bytes)):
            _refuse_twice(data, where)
        try:
            return super().from_json(data, where=where)
        except DocumentError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            raise DocumentError(f"{where}: {'; '.join(mistakes(error.__cause__, cls))}") from error

    @property
    def confidence_floor_degraded(self) -> float:
        """How sure a step must be in DEGRADED: the explicit key, and at least a tenth above normal."""
        return _rounded(max(self.min_confidence_degraded, self.min_confidence_normal + DEGRADED_CONFIDENCE_STEP))

    @cached_property
    def digest(self) -> str:
        """Names this very policy; two that decide alike have the same."""
        text = json.dumps(self.to_json(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def _refuse_twice(data: str | bytes, where: str) -> None:
    def checked(pairs: list[tuple[str, Any]]) -> JsonObject:
        keys = [key for key, _ in pairs]
        twice = next((key for key in keys if keys.count(key) > 1), None)
        if twice is not None:
            raise DocumentError(f"{where}: {twice}: is there twice")
        return dict(pairs)

    with contextlib.suppress(ValueError, RecursionError):  # what is no JSON is told by whoever reads it
        json.loads(data, object_pairs_hook=checked)


def with_drift(confidence: float) -> float:
    """The threshold on a screen that is not the one of the recording."""
    return _rounded(confidence + RUNTIME_DRIFT_CONFIDENCE_STEP)


def _rounded(confidence: float) -> float:
    """0.72 + 0.1 is meant to be 0.82, not a hair less; and nothing is surer than 1."""
    return min(1.0, round(confidence, 12))
