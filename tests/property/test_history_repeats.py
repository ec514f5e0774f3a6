"""Whatever happened: under the policy it was recorded under, a history repeats itself."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from rpa_vision.adapters.audit.jsonl_audit import JsonlAudit
from rpa_vision.adapters.audit.trail_reader import JsonlTrail
from rpa_vision.models.auto_heal import ExecutionState
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus, FailureKind
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.system.auto_heal_manager import AutoHealManager
from rpa_vision.system.simulated_world import SimulatedWorld
from rpa_vision.system.what_if import read_history, what_if

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
POLICY = AutoHealPolicy(
    mode="hybrid",
    global_pause_enabled=True,
    workflow_fail_max_in_window=5,
    global_fail_max_in_window=12,
    regression_window_steps=10,
)
FAILED = ExecutionResult(status=ExecutionStatus.FAILED, failure_kind=FailureKind.TARGET_NOT_FOUND)
SUCCESS = ExecutionResult(status=ExecutionStatus.SUCCESS, margin=0.4)
CLOSE_CALL = ExecutionResult(status=ExecutionStatus.SUCCESS, margin=0.01)
WORKFLOWS = st.sampled_from(["WF_a", "WF_b"])
STATES = st.sampled_from(list(ExecutionState))


class Office:
    """A real supervisor with a real trail, and people who interfere."""

    def __init__(self, path: Path) -> None:
        self.world = SimulatedWorld(POLICY, START, learned_before=2)
        world = self.world
        self.manager = AutoHealManager(
            state=world.state,
            policy=world.policy,
            audit=JsonlAudit(path, world.clock),
            versions=world.versions,
            failures=world.failures,
            successes=world.successes,
            alerts=world.alerts,
            clock=world.clock,
            ids=world.ids,
        )

    def steps(self, workflow_id: str, result: ExecutionResult, times: int) -> None:
        for _ in range(times):
            allowed = self.manager.permit_step(workflow_id, "E1").allowed
            self.world.clock.sleep(10.0)
            if allowed:
                self.manager.on_step_result(workflow_id, "E1", result)

    def learn(self, workflow_id: str) -> None:
        self.world.versions.learn(workflow_id)
        self.manager.on_update(workflow_id)

    def roll_back_to(self, workflow_id: str, number: int) -> None:
        """To an older one, the one in use, or one that does not exist."""
        self.manager.roll_back_to(workflow_id, f"v{number:03d}", "worse", who="anne")

    def match(self, workflow_id: str) -> None:
        """A screen that could be two; the step then fails."""
        if self.manager.permit_step(workflow_id, "E2").allowed:
            self.manager.on_node_match(workflow_id, "E2", 0.01)
            self.manager.on_step_result(workflow_id, "E2", FAILED)

    def pause(self, workflow_id: str | None) -> None:
        self.manager.pause(workflow_id, reason="inventory", who="anne")

    def resume(self, workflow_id: str | None) -> None:
        self.manager.resume(workflow_id, reason="done", who="anne")

    def transition(self, workflow_id: str, state: ExecutionState) -> None:
        self.manager.force_transition(workflow_id, state, "I know", who="anne")


Event = Callable[[Office], object]
RESULTS = st.sampled_from([SUCCESS, FAILED, CLOSE_CALL])
ANY = st.one_of(st.none(), WORKFLOWS)
EVENTS: st.SearchStrategy[Event] = st.one_of(
    st.builds(lambda w, r, n: lambda o: o.steps(w, r, n), WORKFLOWS, RESULTS, st.integers(1, 12)),
    st.builds(lambda w: lambda o: o.learn(w), WORKFLOWS),
    st.builds(lambda w, n: lambda o: o.roll_back_to(w, n), WORKFLOWS, st.integers(1, 4)),
    st.builds(lambda w: lambda o: o.match(w), WORKFLOWS),
    st.builds(lambda w: lambda o: o.pause(w), ANY),
    st.builds(lambda w: lambda o: o.resume(w), ANY),
    st.builds(lambda w, s: lambda o: o.transition(w, s), WORKFLOWS, STATES),
    st.builds(lambda s: lambda o: o.world.clock.sleep(s), st.sampled_from([5.0, 700.0, 2000.0])),
    st.builds(lambda: lambda o: o.manager.get_status_report()),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(EVENTS, min_size=1, max_size=25))
def test_under_the_policy_it_was_recorded_under_any_history_repeats_itself(events: list[Event]) -> None:
    """AH-7.2: rollbacks, pauses and changes by hand included"""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "audit.jsonl"
        office = Office(path)
        for event in events:
            event(office)
        report = what_if(read_history(JsonlTrail(path).entries()), POLICY)
    assert (report.differences, report.only_then, report.only_now) == ((), (), ())
    assert report.final_states_now == report.final_states_then
    assert [(one.workflow_id, one.at_s, one.to_state) for one in report.transitions_now] == [
        (one.workflow_id, one.at_s, one.to_state) for one in report.transitions_then
    ]
