"""P001-7: those who only help (recorders, stores, reports, listeners, versions) may break at any time, in any order:
what the supervisor decides is what it would have decided, and every trouble is in the audit trail.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from rpa_vision.models.document import JsonObject
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus, FailureKind
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.system.auto_heal_manager import AutoHealManager
from rpa_vision.testing.auto_heal_fakes import HealWorld

POLICY = AutoHealPolicy(
    step_fail_streak_to_degraded=2,
    workflow_fail_max_in_window=4,
    quarantine_duration_s=60,
    step_success_streak_to_running=2,
    global_pause_enabled=True,
    global_fail_max_in_window=9,
)
HELPERS = ("failures", "successes", "alerts", "versions", "mini_report")


@dataclass(frozen=True)
class Event:
    """A step with its result, or time that passes; and who is broken meanwhile."""

    workflow_id: str
    step_id: str
    kind: FailureKind | None
    margin: float | None
    wait_s: float
    broken: frozenset[str]
    restart: bool


EVENTS = st.lists(
    st.builds(
        Event,
        workflow_id=st.sampled_from(["invoices", "payroll"]),
        step_id=st.sampled_from(["s1", "s2"]),
        kind=st.sampled_from([None, None, *FailureKind]),
        margin=st.sampled_from([None, 0.01, 0.5]),
        wait_s=st.sampled_from([0.0, 1.0, 61.0, 601.0]),
        broken=st.frozensets(st.sampled_from(HELPERS)),
        restart=st.booleans(),
    ),
    max_size=40,
)


@dataclass
class Robot:
    """A supervised robot, whose helpers may break or be kept from breaking."""

    may_break: bool
    world: HealWorld = field(default_factory=HealWorld)
    told: list[object] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.world.policy.policy = POLICY
        self.world.mini_report = self.report
        self.broken: frozenset[str] = frozenset()
        for name in ("invoices", "payroll"):
            self.world.versions.add(name)
        self.listed = self.world.versions.list_versions
        self.world.versions.list_versions = self.list_versions  # type: ignore[method-assign]
        self.manager: AutoHealManager = self.world.manager()

    def report(self, workflow_id: str) -> JsonObject | None:
        if "mini_report" in self.broken:
            raise OSError("no room for a simulation")
        return {"scenario": workflow_id}

    def list_versions(self, workflow_id: str) -> list[object]:
        if "versions" in self.broken:
            raise OSError("the disk is gone")
        return list(self.listed(workflow_id))

    def live(self, event: Event) -> None:
        """Ask, act, tell, as the execution loop does."""
        self.broken = event.broken if self.may_break else frozenset()
        self.world.failures.breaks = "failures" in self.broken
        self.world.successes.breaks = "successes" in self.broken
        self.world.alerts.breaks = "alerts" in self.broken
        if event.restart:
            self.manager = self.world.manager()
        permission = self.manager.permit_step(event.workflow_id, event.step_id)
        if permission.allowed:
            status = ExecutionStatus.SUCCESS if event.kind is None else ExecutionStatus.FAILED
            result = ExecutionResult(status=status, failure_kind=event.kind, margin=event.margin)
            self.manager.on_step_result(event.workflow_id, event.step_id, result)
        self.told.append((permission, self.manager.get_mode(event.workflow_id)))
        self.world.clock.advance(event.wait_s)

    def decided(self) -> list[object]:
        changes = [self.manager.history(name) for name in ("invoices", "payroll")]
        return [*self.told, *changes]


@settings(max_examples=120, deadline=None)
@given(events=EVENTS)
def test_helpers_that_break_change_no_decision_and_are_told_of(events: list[Event]) -> None:
    """P001-7, AH-7.1, AH-7.2, AH-7.3, AH-7.5"""
    sound, shaky = Robot(may_break=False), Robot(may_break=True)
    for event in events:
        sound.live(event)
        shaky.live(event)
    assert shaky.decided() == sound.decided()
    assert sound.world.audit.of("supervisor_trouble") == []
    missing = len(sound.world.failures.cases) - len(shaky.world.failures.cases)
    missing += len(sound.world.successes.kept) - len(shaky.world.successes.kept)
    assert missing >= 0
    assert len(shaky.world.audit.of("supervisor_trouble")) >= missing
    for kind in ("step_allowed", "step_blocked", "step_result", "state_transition"):
        assert len(shaky.world.audit.of(kind)) == len(sound.world.audit.of(kind))
