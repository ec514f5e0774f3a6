"""What if another policy had been in force: a recorded history, played again to the real supervisor.

Every recorded question is asked again at its own time, every recorded result is told again, unless the step would not
have been executed; versions and what people did by hand happen as they happened. Where a step is allowed now that was
refused then, nobody knows how it would have ended: it is counted, and no result is made up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher
from typing import Literal

from rpa_vision.errors import DocumentError
from rpa_vision.models.auto_heal import ExecutionState, StateTransition
from rpa_vision.models.document import JsonObject
from rpa_vision.models.execution import ExecutionResult
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.models.scenario import (
    DecisionDifference,
    PlayedTransition,
    Scenario,
    SimulatedTransition,
    SimulationReport,
    WhatIfReport,
)
from rpa_vision.ports.audit import AuditEntry
from rpa_vision.system.simulated_world import SimulatedWorld
from rpa_vision.system.simulation import MONDAY_MORNING, ManagerFactory, Simulation, real_manager, simulated
from rpa_vision.system.state_machine import is_person

MAX_DIFFERENCES = 500
_ALLOWED = "step_allowed"
_REFUSED = ("step_refused", "step_blocked")


@dataclass(frozen=True, slots=True)
class HistoryEvent:
    """One recorded decision, result or change of state."""

    at: datetime
    kind: Literal["allowed", "refused", "result", "transition"]
    workflow_id: str
    step_id: str = ""
    run_id: str = ""
    reason: str = ""
    result: ExecutionResult | None = None
    version_id: str | None = None
    transition: StateTransition | None = None


@dataclass(frozen=True, slots=True)
class History:
    """What an audit trail tells of steps and states, and how many entries could not be understood."""

    events: tuple[HistoryEvent, ...]
    not_understood: int = 0

    @property
    def workflows(self) -> list[str]:
        """The workflows it tells of."""
        return sorted({event.workflow_id for event in self.events})


def read_history(entries: Iterable[AuditEntry], *, workflow_id: str | None = None) -> History:
    """The part of a trail that can be played again; of one workflow, or of all."""
    events: list[HistoryEvent] = []
    not_understood = 0
    for entry in entries:
        try:
            event = _event(entry.time, entry.kind, entry.record)
        except (DocumentError, KeyError, ValueError, TypeError):
            not_understood += 1
            continue
        if event is not None and workflow_id in (None, event.workflow_id):
            events.append(event)
    return History(tuple(events), not_understood)


def what_if(history: History, policy: AutoHealPolicy, *, factory: ManagerFactory = real_manager) -> WhatIfReport:
    """Play a history under another policy, and compare."""
    replay = _Replay(history, policy, factory)
    then = tuple(simulated(event.transition, replay.start) for event in history.events if event.transition is not None)
    now = replay.simulation.transitions()
    only_then, only_now = _differing(then, now)
    unread = f"{history.not_understood} entries could not be understood"
    return WhatIfReport(
        policy_mode=policy.mode,
        policy_digest=policy.digest,
        decisions=replay.decisions,
        same_decisions=replay.decisions - replay.now_refused - replay.now_allowed,
        now_refused=replay.now_refused,
        now_allowed=replay.now_allowed,
        differences=tuple(replay.differences),
        transitions_then=then,
        transitions_now=now,
        only_then=only_then,
        only_now=only_now,
        final_states_then=_final(then, history.workflows),
        final_states_now={workflow_id: replay.simulation.mode(workflow_id) for workflow_id in history.workflows},
        unknown_results=replay.now_allowed,
        notes=(unread,) if history.not_understood else (),
    )


def simulate_history(
    scenario: Scenario, history: History, *, factory: ManagerFactory = real_manager
) -> SimulationReport:
    """Play a history as a scenario: under its policy, against its expectations."""
    policy = AutoHealPolicy.from_json(scenario.policy, where="policy")
    return _Replay(history, policy, factory).simulation.report(scenario, policy)


class _Replay:
    """One pass through a history."""

    def __init__(self, history: History, policy: AutoHealPolicy, factory: ManagerFactory) -> None:
        self.start = history.events[0].at if history.events else MONDAY_MORNING
        self.simulation = Simulation(SimulatedWorld(policy, self.start, learned_before=0), factory)
        self.decisions = self.now_refused = self.now_allowed = 0
        self.differences: list[DecisionDifference] = []
        self._executing: set[tuple[str, str, str]] = set()
        self._asked_about: set[tuple[str, str, str]] = set()
        self._versions: dict[str, str] = {}
        self._start_with_known_versions(history)
        for event in history.events:
            self.simulation.world.clock.go_to(event.at)
            self._play(event)

    def _start_with_known_versions(self, history: History) -> None:
        """The first version a history tells of was there before it."""
        for event in history.events:
            if event.version_id is not None and event.workflow_id not in self._versions:
                self._versions[event.workflow_id] = event.version_id
                self.simulation.learn(event.workflow_id, event.version_id)

    def _play(self, event: HistoryEvent) -> None:
        key = (event.run_id, event.workflow_id, event.step_id)
        if event.kind in ("allowed", "refused"):
            permission = self.simulation.ask(event.workflow_id, event.step_id)
            self._asked_about.add(key)
            self._executing.discard(key)
            if permission.allowed:
                self._executing.add(key)
            self._compare(event, now_allowed=permission.allowed, why=permission.reason)
        elif event.result is not None:
            self._follow_version(event)
            # A trail may begin in the middle: a result nobody asked about before is told all the same.
            if key in self._executing or key not in self._asked_about:
                self.simulation.tell(event.workflow_id, event.step_id, event.result)
            self._executing.discard(key)
        elif event.transition is not None and is_person(event.transition.who):
            change = event.transition
            wanted = PlayedTransition(to_state=change.to_state, who=change.who, why=change.reason or "as recorded")
            self.simulation.force(event.workflow_id, wanted)

    def _follow_version(self, event: HistoryEvent) -> None:
        """A version that was never seen before is an update; one that was is where a rollback led, and that is the
        supervisor's own business."""
        version = event.version_id
        known = [one.version_id for one in self.simulation.world.versions.list_versions(event.workflow_id)]
        if version is not None and version not in known:
            self.simulation.learn(event.workflow_id, version)

    def _compare(self, event: HistoryEvent, *, now_allowed: bool, why: str) -> None:
        self.decisions += 1
        was_allowed = event.kind == "allowed"
        if was_allowed == now_allowed:
            return
        self.now_refused += was_allowed
        self.now_allowed += now_allowed
        if len(self.differences) < MAX_DIFFERENCES:
            self.differences.append(
                DecisionDifference(
                    at=event.at,
                    workflow_id=event.workflow_id,
                    step_id=event.step_id,
                    then="allowed" if was_allowed else "refused",
                    now="allowed" if now_allowed else "refused",
                    why=event.reason if now_allowed else why,
                )
            )


def _event(time: str, kind: str, record: JsonObject) -> HistoryEvent | None:
    if kind not in (_ALLOWED, *_REFUSED, "step_result", "state_transition"):
        return None
    at = datetime.fromisoformat(time)
    if at.tzinfo is None:
        raise ValueError("a time without a zone")
    workflow_id, run_id = str(record["workflow_id"]), str(record.get("run_id", ""))
    if kind == "state_transition":
        known = {name: record[name] for name in StateTransition.model_fields if name in record}
        change = StateTransition.from_json(known)
        return HistoryEvent(at, "transition", workflow_id, transition=change)
    step_id, reason = str(record["step_id"]), str(record.get("reason", ""))
    if kind == "step_result":
        version = record.get("version_id")
        result = ExecutionResult.from_json(record["result"])
        version_id = str(version) if version is not None else None
        return HistoryEvent(at, "result", workflow_id, step_id, run_id, result=result, version_id=version_id)
    return HistoryEvent(at, "allowed" if kind == _ALLOWED else "refused", workflow_id, step_id, run_id, reason)


def _differing(
    then: Sequence[SimulatedTransition], now: Sequence[SimulatedTransition]
) -> tuple[tuple[SimulatedTransition, ...], tuple[SimulatedTransition, ...]]:
    """Which changes of state happened only then, and which only now, in their order."""
    one, other = ([(step.workflow_id, step.from_state, step.to_state) for step in side] for side in (then, now))
    only_then: list[SimulatedTransition] = []
    only_now: list[SimulatedTransition] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag != "equal":
            only_then += then[i1:i2]
            only_now += now[j1:j2]
    return tuple(only_then), tuple(only_now)


def _final(transitions: Sequence[SimulatedTransition], workflows: Sequence[str]) -> dict[str, ExecutionState]:
    states = dict.fromkeys(workflows, ExecutionState.RUNNING)
    for change in transitions:
        states[change.workflow_id] = change.to_state
    return states
