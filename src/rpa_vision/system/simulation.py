"""Fiche 16: play a scenario to the real supervisor, in virtual time, and report what it did.

Nothing of the supervisor is imitated: the manager that watches over real runs is built once more over surroundings in
memory, asked before each step of the script and told the scripted result after it. A step it refuses has no result.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol

from rpa_vision.errors import TransitionRefusedError, UsageError
from rpa_vision.models.auto_heal import ExecutionState, StateTransition, StepPermission
from rpa_vision.models.document import JsonObject
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus, FailureKind
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.models.scenario import (
    PlayedTransition,
    Scenario,
    ScriptEvent,
    SimulatedAlert,
    SimulatedTransition,
    SimulationReport,
    StepCounts,
    ThresholdPoint,
)
from rpa_vision.ports.auto_heal import MiniReport
from rpa_vision.system.auto_heal_manager import AutoHealManager
from rpa_vision.system.expectations import judge_expectations
from rpa_vision.system.simulated_world import SimulatedWorld

MONDAY_MORNING = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
_LOOK_EVERY_S = 60.0
_MAX_LOOKS = 1000
_MINI_TRANSITIONS = 20
_SOME_STEP = "some-step"


class SimulatedManager(Protocol):
    """What a simulation asks of a supervisor."""

    def permit_step(self, workflow_id: str, step_id: str) -> StepPermission: ...
    def on_step_result(self, workflow_id: str, step_id: str, result: ExecutionResult) -> None: ...
    def on_node_match(self, workflow_id: str, step_id: str, margin: float) -> None: ...
    def on_update(self, workflow_id: str) -> None: ...
    def get_mode(self, workflow_id: str) -> ExecutionState: ...
    def get_status_report(self) -> JsonObject: ...
    def force_transition(
        self, workflow_id: str, new_state: ExecutionState, reason: str, *, who: str = "system"
    ) -> None: ...
    def roll_back_to(
        self, workflow_id: str, version_id: str, reason: str, *, who: str = "system", or_another: bool = False
    ) -> None: ...
    def pause(self, workflow_id: str | None = None, *, reason: str, who: str = "system") -> None: ...
    def resume(self, workflow_id: str | None = None, *, reason: str, who: str) -> None: ...


ManagerFactory = Callable[[SimulatedWorld], SimulatedManager]


def real_manager(world: SimulatedWorld) -> AutoHealManager:
    """The supervisor of real runs, over surroundings in memory."""
    return AutoHealManager(
        state=world.state,
        policy=world.policy,
        audit=world.audit,
        versions=world.versions,
        failures=world.failures,
        successes=world.successes,
        alerts=world.alerts,
        clock=world.clock,
        ids=world.ids,
    )


def simulate(scenario: Scenario, *, factory: ManagerFactory = real_manager) -> SimulationReport:
    """Play a scripted scenario. One with a history is for `what_if`."""
    if scenario.history is not None:
        raise UsageError("this scenario has a history, not a script", remedy="Give the history's entries too.")
    policy = AutoHealPolicy.from_json(scenario.policy, where="policy")
    world = SimulatedWorld(policy, scenario.start or MONDAY_MORNING, learned_before=scenario.versions)
    simulation = Simulation(world, factory)
    for event in scenario.script:
        simulation.play(event, scenario)
    return simulation.report(scenario, policy)


def mini_report_from(
    scenario_of: Callable[[str], Scenario | None], *, factory: ManagerFactory = real_manager
) -> MiniReport:
    """The supervisor's mini reports (AH-2.5): simulates a workflow's scenario where it has one."""

    def report(workflow_id: str) -> JsonObject | None:
        scenario = scenario_of(workflow_id)
        if scenario is None or scenario.history is not None:
            return None
        full = simulate(scenario, factory=factory).to_json()
        kept = ("schema_version", "scenario", "policy_mode", "policy_digest", "duration_s", "steps", "final_states")
        return {
            **{name: full[name] for name in kept},
            "transitions": full["transitions"][:_MINI_TRANSITIONS],
            "expectations": full["expectations"],
            "passed": full["passed"],
        }

    return report


class Simulation:
    """A supervisor in a world of its own, and everything that was seen of it.

    Looking ends quarantines whose time is up. Without `looks` nobody looks but those who are played.
    """

    def __init__(self, world: SimulatedWorld, factory: ManagerFactory, *, looks: bool = True) -> None:
        self.world = world
        self._looks = looks
        self._factory = factory
        self._manager = factory(world)
        self._counts = dict.fromkeys(StepCounts.model_fields, 0)
        self._thresholds: list[ThresholdPoint] = []
        self._in_force: dict[str, ThresholdPoint] = {}
        self._transitions_seen = -1
        self._problems: list[str] = []

    def play(self, event: ScriptEvent, scenario: Scenario) -> None:
        """Let one thing of the script happen, as often as it says."""
        workflow_id = event.workflow_id or scenario.workflow_id
        if event.step is not None:
            lasts_s = event.every_s if event.every_s is not None else scenario.seconds_per_step
            for _ in range(event.times):
                permission = self.ask(workflow_id, event.step)
                self.world.clock.sleep(lasts_s)
                if permission.allowed:
                    self.tell(workflow_id, event.step, _result(event))
        elif event.wait_s is not None:
            self.wait(event.wait_s)
        elif event.update:
            self.learn(workflow_id)
        elif event.policy is not None:
            self.world.policy.in_force = AutoHealPolicy.from_json(event.policy, where="policy")
            self._look(always=True)
        elif event.transition is not None:
            self.force(workflow_id, event.transition)
        else:
            self._manager = self._factory(self.world)

    def ask(self, workflow_id: str, step_id: str) -> StepPermission:
        """May this step run?"""
        permission = self._manager.permit_step(workflow_id, step_id)
        self._counts["asked"] += 1
        self._counts["executed" if permission.allowed else "refused"] += 1
        terms = permission.thresholds
        self._note(
            ThresholdPoint(
                at_s=self.world.clock.passed_s,
                workflow_id=workflow_id,
                state=permission.state,
                min_confidence=terms.min_confidence,
                min_margin=terms.min_margin,
                learning_enabled=terms.learning_enabled,
            )
        )
        self._look()
        return permission

    def tell(self, workflow_id: str, step_id: str, result: ExecutionResult) -> None:
        """This is how it ended."""
        self._manager.on_step_result(workflow_id, step_id, result)
        self._counts["succeeded" if result.success else result.status.value] += 1
        self._look()

    def learn(self, workflow_id: str, version_id: str | None = None) -> None:
        """A new version is in use."""
        self.world.versions.learn(workflow_id, version_id)
        self._manager.on_update(workflow_id)

    def match(self, workflow_id: str, margin: float) -> None:
        """A screen was recognised by so much."""
        self._manager.on_node_match(workflow_id, _SOME_STEP, margin)
        self._look()

    def force(self, workflow_id: str, wanted: PlayedTransition) -> None:
        """Somebody changes a state; a refusal is a finding, not the end."""
        self._by_hand(lambda: self._manager.force_transition(workflow_id, wanted.to_state, wanted.why, who=wanted.who))

    def roll_back(self, workflow_id: str, version_id: str | None, *, why: str, who: str) -> None:
        """Somebody goes back to a version, or to the one before."""
        if version_id is None:
            self.force(workflow_id, PlayedTransition(to_state=ExecutionState.ROLLBACK, who=who, why=why))
        else:
            self._by_hand(lambda: self._manager.roll_back_to(workflow_id, version_id, why, who=who))

    def pause_everything(self, paused: bool, *, why: str, who: str) -> None:
        """Somebody pauses everything, or lets it go on."""
        act = self._manager.pause if paused else self._manager.resume
        self._by_hand(lambda: act(None, reason=why, who=who))

    def wait(self, seconds: float) -> None:
        """Let time pass, looking now and then: what ends by time is seen when it ends."""
        looks = min(_MAX_LOOKS, max(1, math.ceil(seconds / _LOOK_EVERY_S)))
        for _ in range(looks):
            self.world.clock.sleep(seconds / looks)
            self._look(always=True)

    def mode(self, workflow_id: str) -> ExecutionState:
        """What holds for a workflow now."""
        return self._manager.get_mode(workflow_id)

    def transitions(self) -> tuple[SimulatedTransition, ...]:
        """Every change of state so far."""
        return tuple(simulated(transition, self.world.clock.start) for transition in self.world.audit.transitions)

    def report(self, scenario: Scenario, policy: AutoHealPolicy) -> SimulationReport:
        """Everything that was seen, and whether it was expected."""
        self._look(always=True)
        world = self.world
        workflows = sorted({scenario.workflow_id, *(point.workflow_id for point in self._thresholds)})
        report = SimulationReport(
            scenario=scenario.name,
            workflow_id=scenario.workflow_id,
            policy_mode=policy.mode,
            policy_digest=policy.digest,
            started_at=world.clock.start,
            duration_s=world.clock.passed_s,
            steps=StepCounts(**self._counts),
            transitions=self.transitions(),
            thresholds=tuple(self._thresholds),
            final_states={workflow_id: self.mode(workflow_id) for workflow_id in workflows},
            versions_in_use={workflow_id: world.versions.in_use(workflow_id) for workflow_id in workflows},
            alerts=tuple(
                SimulatedAlert(
                    at_s=(alert.at - world.clock.start).total_seconds(),
                    kind=alert.kind,
                    workflow_id=alert.workflow_id,
                    message=alert.message,
                )
                for alert in world.alerts.raised
            ),
            failure_cases=len(world.failures.cases),
            problems=(*self._problems, *world.audit.troubles),
            passed=True,
        )
        expectations = judge_expectations(scenario.expect, report)
        passed = all(one.met for one in expectations) and not world.audit.troubles
        return report.model_copy(update={"expectations": expectations, "passed": passed})

    def _by_hand(self, act: Callable[[], None]) -> None:
        try:
            act()
        except TransitionRefusedError as error:
            self._problems.append(f"after {self.world.clock.passed_s:g} s: {error}")
        self._look()

    def _look(self, *, always: bool = False) -> None:
        """Note thresholds that changed. Asking is slow, so it is done when a state did."""
        if not self._looks:
            return
        seen = len(self.world.audit.transitions)
        if seen == self._transitions_seen and not always:
            return
        self._transitions_seen = seen
        for found in self._manager.get_status_report()["workflows"]:
            self._note(
                ThresholdPoint(
                    at_s=self.world.clock.passed_s,
                    workflow_id=found["workflow_id"],
                    state=ExecutionState(found["current_state"]),
                    min_confidence=found["confidence_threshold"],
                    min_margin=found["min_margin"],
                    learning_enabled=found["learning_enabled"],
                )
            )

    def _note(self, point: ThresholdPoint) -> None:
        last = self._in_force.get(point.workflow_id)
        if last is None or point.model_copy(update={"at_s": last.at_s}) != last:
            self._in_force[point.workflow_id] = point
            self._thresholds.append(point)


def simulated(transition: StateTransition, start: datetime) -> SimulatedTransition:
    """A change of state, in seconds since a beginning."""
    return SimulatedTransition(
        at_s=(transition.at - start).total_seconds(),
        workflow_id=transition.workflow_id,
        from_state=transition.from_state,
        to_state=transition.to_state,
        reason=transition.reason,
        who=transition.who,
        forced=transition.forced,
    )


def _result(event: ScriptEvent) -> ExecutionResult:
    failed = event.result is ExecutionStatus.FAILED
    return ExecutionResult(
        status=event.result,
        message=event.message,
        failure_kind=(event.failure_kind or FailureKind.TARGET_NOT_FOUND) if failed else None,
        confidence=event.confidence,
        margin=event.margin,
    )
