"""Did the last update make things worse?

The steps after an update are compared with those before it. Two things must come together: the success rate dropped by
more than the policy's share of percentage points, and chance is a poor explanation. The latter is Fisher's exact test,
one-sided: with as many successes as there were in all, how likely would so few of them fall behind the update? It is
exact on few steps, and needs no guess about the true rate.

Looking after every step gives chance many chances, so a look in passing needs more evidence than the last one, when
the window is full. When a breaker trips, something *is* wrong and the question is only whether the update explains it:
there less evidence will do. tests/property/test_auto_heal_regression.py measures what these levels are worth.
"""

from __future__ import annotations

import math
from enum import Enum

from pydantic import Field

from rpa_vision.models.document import Document, Part
from rpa_vision.models.ids import Id
from rpa_vision.models.policy import AutoHealPolicy

BASELINE_STEPS = 100
_MAX_ROLLED_BACK = 50


class Look(Enum):
    """When we look, and how improbable chance must be to blame the update."""

    IN_PASSING = 0.001
    WINDOW_FULL = 0.005
    STEP_STREAK = 0.002
    WORKFLOW_TRIP = 0.05


class Tally(Part):
    """Steps that were tried, and those that succeeded."""

    tried: int = Field(default=0, ge=0)
    succeeded: int = Field(default=0, ge=0)

    @property
    def rate(self) -> float:
        """The success rate; of nothing, 1."""
        return self.succeeded / self.tried if self.tried else 1.0

    def plus(self, success: bool) -> Tally:
        return Tally(tried=self.tried + 1, succeeded=self.succeeded + success)


class RegressionRecord(Document):
    """What is remembered of a workflow's steps before and after its last update."""

    version_id: Id | None = None
    recent: str = Field(default="", pattern=r"^[01]*$", max_length=BASELINE_STEPS)
    """The last steps, oldest first, whatever the version: the baseline of the next update."""
    before: str = Field(default="", pattern=r"^[01]*$", max_length=BASELINE_STEPS)
    """What `recent` was when the version in use came."""
    after: Tally = Tally()
    watching: bool = False
    rolled_back: tuple[Id, ...] = ()
    """Versions that were undone: never undone twice."""
    changes_undone: bool = False
    """What was learned on top of the version was given up already: the next time it is the version's own fault."""


def updated(record: RegressionRecord, version_id: str) -> RegressionRecord:
    """A new version came into use: watch it, if there is anything to compare it with."""
    return record.model_copy(
        update={
            "version_id": version_id,
            "before": record.recent,
            "after": Tally(),
            "watching": record.version_id is not None and bool(record.recent),
            "changes_undone": False,
        }
    )


def switched(record: RegressionRecord, version_id: str | None) -> RegressionRecord:
    """An older version is in use again; that is no update, and there is nothing to watch."""
    return record.model_copy(
        update={"version_id": version_id, "watching": False, "after": Tally(), "changes_undone": False}
    )


def rolled_back(record: RegressionRecord, bad: str | None, restored: str | None) -> RegressionRecord:
    """A rollback was tried. If it succeeded, what the bad version did says nothing about the restored one.

    One that was undone before and is restored now was named by a person, who knows better: it is forgiven. One that was
    only freed of what was learned on top of it is watched on, from the start.
    """
    if bad is None and restored is not None and restored == record.version_id:
        return record.model_copy(update={"after": Tally(), "recent": record.before, "changes_undone": True})
    before = tuple(version for version in record.rolled_back if version != restored)
    undone = before if bad is None else (*before, bad)[-_MAX_ROLLED_BACK:]
    record = record.model_copy(update={"rolled_back": undone, "watching": False})
    if restored is None:
        return record
    return switched(record.model_copy(update={"recent": record.before if bad == record.version_id else ""}), restored)


def stepped(record: RegressionRecord, success: bool, policy: AutoHealPolicy) -> RegressionRecord:
    """One more step of the version in use."""
    recent = (record.recent + ("1" if success else "0"))[-BASELINE_STEPS:]
    after = record.after.plus(success) if record.after.tried < policy.regression_window_steps else record.after
    return record.model_copy(update={"recent": recent, "after": after})


def window_full(record: RegressionRecord, policy: AutoHealPolicy) -> bool:
    """The version has been watched long enough."""
    return record.watching and record.after.tried >= policy.regression_window_steps


def regressed(record: RegressionRecord, policy: AutoHealPolicy, look: Look) -> bool:
    """The update made things worse, as far as can be told now."""
    if not record.watching or not policy.rollback_on_regression or record.version_id in record.rolled_back:
        return False
    before, after = Tally(tried=len(record.before), succeeded=record.before.count("1")), record.after
    if before.rate - after.rate <= policy.regression_fail_ratio:
        return False
    return chance_of_so_few(before, after) < look.value


def chance_of_so_few(before: Tally, after: Tally) -> float:
    """The one-sided p-value of Fisher's exact test."""
    tried, succeeded = before.tried + after.tried, before.succeeded + after.succeeded
    fewest = max(0, after.tried - (tried - succeeded))
    ways = sum(
        math.comb(succeeded, count) * math.comb(tried - succeeded, after.tried - count)
        for count in range(fewest, after.succeeded + 1)
    )
    return ways / math.comb(tried, after.tried)
