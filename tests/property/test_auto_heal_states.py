"""Any sequence of results, clock steps, policy edits, pauses and restarts, against a reference model that is plain."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rpa_vision.errors import TransitionRefusedError
from rpa_vision.models.auto_heal import ExecutionState
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus, FailureKind
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.testing.auto_heal_fakes import HealWorld

RUNNING, DEGRADED, QUARANTINED, ROLLBACK, PAUSED = ExecutionState
WAYS = {
    RUNNING: {DEGRADED, QUARANTINED, ROLLBACK, PAUSED},
    DEGRADED: {RUNNING, QUARANTINED, ROLLBACK, PAUSED},
    QUARANTINED: {DEGRADED, RUNNING, ROLLBACK, PAUSED},
    ROLLBACK: {DEGRADED, QUARANTINED},
    PAUSED: {RUNNING, DEGRADED, QUARANTINED, ROLLBACK},
}
POLICIES = [
    AutoHealPolicy(),
    AutoHealPolicy(mode="conservative"),
    AutoHealPolicy(mode="aggressive", workflow_fail_window_s=60),
    AutoHealPolicy(
        step_fail_streak_to_degraded=1,
        step_success_streak_to_running=1,
        workflow_fail_max_in_window=2,
        workflow_fail_window_s=3600,
        global_fail_max_in_window=4,
        global_pause_enabled=True,
        quarantine_duration_s=5,
        min_confidence_degraded=0.99,
    ),
    AutoHealPolicy(workflow_fail_max_in_window=4, global_fail_max_in_window=6, global_pause_enabled=True),
]
WORKFLOWS = ["a", "b"]
STEPS = ["s1", "s2", "s3"]


@dataclass
class Model:
    """One workflow, in the words of the seeds."""

    state: ExecutionState = RUNNING
    until: datetime | None = None
    came_from: ExecutionState | None = None
    clean: int = 0
    streaks: dict[str, int] = field(default_factory=dict)
    failures: list[datetime] = field(default_factory=list)

    def go(self, to: ExecutionState, now: datetime, policy: AutoHealPolicy) -> None:
        came_from, self.came_from = self.came_from, self.state if to is PAUSED else None
        if to is QUARANTINED:
            if not (self.state is PAUSED and came_from is QUARANTINED):
                self.until = now + timedelta(seconds=policy.quarantine_duration_s)
        elif to is not PAUSED:
            self.until = None
        self.state, self.clean = to, 0


class SupervisorMachine(RuleBasedStateMachine):
    """P001-1 P001-2 P001-3 P001-5 P001-6"""

    @initialize()
    def begin(self) -> None:
        self.world = HealWorld()
        self.manager = self.world.manager()
        self.models = {name: Model() for name in WORKFLOWS}
        self.all_failures: list[datetime] = []
        self.all_paused = False
        self.in_flight: dict[tuple[str, str], tuple[AutoHealPolicy, ExecutionState]] = {}
        self.kept = 0
        self.cases = 0

    @property
    def now(self) -> datetime:
        return self.world.clock.now()

    def settled(self, name: str) -> Model:
        model = self.models[name]
        if model.state is QUARANTINED and model.until is not None and self.now >= model.until:
            model.go(DEGRADED, self.now, self.world.policy.policy)
        return model

    def mode(self, name: str) -> ExecutionState:
        return PAUSED if self.all_paused else self.settled(name).state

    @rule(name=st.sampled_from(WORKFLOWS), step=st.sampled_from(STEPS))
    def ask(self, name: str, step: str) -> None:
        """P001-3: the terms are those of the state and of the policy now."""
        permission = self.manager.permit_step(name, step)
        mode, policy = self.mode(name), self.world.policy.policy
        assert permission.state is mode
        assert permission.allowed == (mode in (RUNNING, DEGRADED))
        floor = max(policy.min_confidence_degraded, round(policy.min_confidence_normal + 0.1, 6))
        assert permission.thresholds.min_confidence == (policy.min_confidence_normal if mode is RUNNING else floor)
        assert permission.thresholds.learning_enabled == (mode is RUNNING)
        assert permission.thresholds.ambiguity_refused == (mode is not RUNNING)
        if permission.allowed:
            self.in_flight[name, step] = (policy, mode)

    @precondition(lambda self: self.in_flight)
    @rule(
        data=st.data(),
        kind=st.sampled_from([None, None, *FailureKind]),
        margin=st.sampled_from([None, None, None, 0.01, 0.05, 0.5]),
    )
    def tell(self, data: st.DataObject, kind: FailureKind | None, margin: float | None) -> None:
        """P001-2: thresholds are enforced within the windows, by the policy the step began with."""
        (name, step), (policy, began_in) = data.draw(st.sampled_from(sorted(self.in_flight.items(), key=str)))
        del self.in_flight[name, step]
        status = ExecutionStatus.SUCCESS if kind is None else ExecutionStatus.FAILED
        self.manager.on_step_result(name, step, ExecutionResult(status=status, failure_kind=kind, margin=margin))
        model = self.settled(name)
        before = model.state
        unclear = margin is not None and margin < policy.min_margin_top1_top2_normal
        if kind is None:
            model.streaks[step] = 0
        else:
            self.cases += 1
            model.streaks[step] = model.streaks.get(step, 0) + 1
            model.failures.append(self.now)
            self.all_failures.append(self.now)
        if before in (RUNNING, DEGRADED):
            recent = [at for at in model.failures if (self.now - at).total_seconds() < policy.workflow_fail_window_s]
            if kind is not None and len(recent) >= policy.workflow_fail_max_in_window:
                model.go(QUARANTINED, self.now, policy)
            elif before is RUNNING:
                in_a_row = kind is not None and model.streaks[step] >= policy.step_fail_streak_to_degraded
                if in_a_row or unclear:
                    model.go(DEGRADED, self.now, policy)
            else:
                model.clean = model.clean + 1 if kind is None and not unclear else 0
                if model.clean >= policy.step_success_streak_to_running:
                    model.go(RUNNING, self.now, policy)
        everywhere = [at for at in self.all_failures if (self.now - at).total_seconds() < policy.global_fail_window_s]
        if kind is not None and policy.global_pause_enabled and len(everywhere) >= policy.global_fail_max_in_window:
            self.all_paused = True
        self.kept += kind is None and {began_in, before, model.state} == {RUNNING}

    @rule(seconds=st.sampled_from([0.5, 5.0, 59.0, 60.0, 600.0, 1800.0, 4000.0]))
    def wait(self, seconds: float) -> None:
        self.world.clock.advance(seconds)

    @rule(policy=st.sampled_from(POLICIES))
    def edit_the_policy(self, policy: AutoHealPolicy) -> None:
        """P001-6"""
        self.world.policy.policy = policy

    @rule()
    def restart(self) -> None:
        self.manager = self.world.manager()
        self.in_flight.clear()

    @rule(name=st.sampled_from(WORKFLOWS))
    def pause(self, name: str) -> None:
        self.manager.pause(name, reason="wait", who="alice")
        model = self.settled(name)
        if model.state is not PAUSED:
            model.go(PAUSED, self.now, self.world.policy.policy)

    @rule(name=st.sampled_from(WORKFLOWS))
    def resume(self, name: str) -> None:
        self.manager.resume(name, reason="go on", who="alice")
        model = self.settled(name)
        if model.state is PAUSED and model.came_from is not None:
            model.go(model.came_from, self.now, self.world.policy.policy)

    @rule(paused=st.booleans())
    def pause_or_resume_everything(self, paused: bool) -> None:
        if paused:
            self.manager.pause(reason="all stop", who="alice")
        else:
            self.manager.resume(reason="all go", who="alice")
            if self.all_paused:
                self.all_failures.clear()
        self.all_paused = paused

    @rule(
        name=st.sampled_from(WORKFLOWS),
        to=st.sampled_from([RUNNING, DEGRADED, QUARANTINED, PAUSED]),
        who=st.sampled_from(["system", "alice"]),
    )
    def force(self, name: str, to: ExecutionState, who: str) -> None:
        """P001-1: the machine keeps to the table, a person may not."""
        model, policy = self.settled(name), self.world.policy.policy
        by_machine = {RUNNING: {DEGRADED, QUARANTINED, PAUSED}, DEGRADED: {RUNNING, QUARANTINED, PAUSED}}
        allowed = to in by_machine.get(model.state, {PAUSED} if model.state is QUARANTINED else set())
        if to is model.state:
            self.manager.force_transition(name, to, "again", who=who)
            return
        try:
            self.manager.force_transition(name, to, "because", who=who)
        except TransitionRefusedError:
            assert who == "system"
            assert not allowed
            return
        assert allowed or who == "alice"
        if who == "alice" and to is RUNNING and model.state is not PAUSED:
            model.streaks.clear()
            model.failures.clear()
        model.go(to, self.now, policy)

    @invariant()
    def the_modes_are_those_of_the_model(self) -> None:
        """P001-1"""
        for name in WORKFLOWS:
            assert self.manager.get_mode(name) is self.mode(name)

    @invariant()
    def every_change_is_in_the_table_or_by_a_person(self) -> None:
        """P001-1"""
        for name in WORKFLOWS:
            history = self.manager.history(name)
            for earlier, later in pairwise(history):
                assert later.from_state is earlier.to_state
                assert later.number == earlier.number + 1
            for change in history:
                assert change.to_state in WAYS[change.from_state] or (change.forced and change.who == "alice")

    @invariant()
    def only_what_may_be_kept_is_kept(self) -> None:
        """P001-5"""
        assert len(self.world.successes.kept) == self.kept
        quarantined_by_hand = sum(case[2].status is ExecutionStatus.BLOCKED for case in self.world.failures.cases)
        assert len(self.world.failures.cases) == self.cases + quarantined_by_hand


TestSupervisor = SupervisorMachine.TestCase
TestSupervisor.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
