"""What if another policy had been in force: a recorded history, played again to the real supervisor.

Every recorded question is asked again at its own time, every recorded result is told again, unless the step would not
have been executed; versions and what people did by hand happen as they happened, and a rollback that takes place now as
it did then comes to what it came to. Where a step is allowed now that was refused then, nobody knows how it would have
ended: it is counted, and no result is made up. Under the policy it was recorded under, a history repeats itself.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from difflib import SequenceMatcher
from typing import Literal

from rpa_vision.errors import DocumentError
from rpa_vision.models.auto_heal import ExecutionState, StateTransition
from rpa_vision.models.document import JsonObject
from rpa_vision.models.execution import ExecutionResult, FailureKind
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
from rpa_vision.ports.auto_heal import RollbackOutcome
from rpa_vision.system.decision_queries import effective
from rpa_vision.system.simulated_world import SimulatedWorld
from rpa_vision.system.simulation import MONDAY_MORNING, ManagerFactory, Simulation, real_manager, simulated
from rpa_vision.system.state_machine import PAUSED, ROLLBACK, RUNNING
from rpa_vision.system.workflow_book import AUTO_HEAL

MAX_DIFFERENCES = 500
_ALLOWED = "step_allowed"
_REFUSED = ("step_refused", "step_blocked")
_GLOBAL = ("global_pause", "global_resume")
_CLOSE_CALL = re.compile(rf"{FailureKind.LOW_CONFIDENCE}: .* closer than ([\d.e-]+)")


@dataclass(frozen=True, slots=True)
class HistoryEvent:
    """One recorded decision, result, change of state, or moment at which somebody looked at a workflow."""

    at: datetime
    kind: Literal["allowed", "refused", "result", "transition", "rollback", "pause", "resume", "look"]
    workflow_id: str = ""
    """Empty where all are meant."""
    step_id: str = ""
    run_id: str = ""
    reason: str = ""
    who: str = AUTO_HEAL
    result: ExecutionResult | None = None
    version_id: str | None = None
    """That a step was credited to, or that a rollback left."""
    transition: StateTransition | None = None
    outcome: RollbackOutcome | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        """Which step of which run."""
        return self.run_id, self.workflow_id, self.step_id


@dataclass(frozen=True, slots=True)
class History:
    """What an audit trail tells of steps and states, and how many entries could not be understood."""

    events: tuple[HistoryEvent, ...]
    not_understood: int = 0

    @property
    def workflows(self) -> list[str]:
        """The workflows it tells of."""
        return sorted({event.workflow_id for event in self.events if event.workflow_id})


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
        if event is not None and (workflow_id in (None, event.workflow_id) or not event.workflow_id):
            events.append(event)
    if not any(event.workflow_id for event in events):
        events = []
    return History(tuple(events), not_understood)


def what_if(
    history: History, policy: AutoHealPolicy, *, workflow_id: str | None = None, factory: ManagerFactory = real_manager
) -> WhatIfReport:
    """Play a history under another policy, and compare: all of it, or what became of one workflow in it."""
    replay = _Replay(history, policy, factory, looks=False)
    names = [name for name in history.workflows if workflow_id in (None, name)]
    recorded = effective(event.transition for event in history.events if event.transition is not None)
    then = tuple(simulated(change, replay.start) for change in recorded if change.workflow_id in names)
    now = tuple(change for change in replay.simulation.transitions() if change.workflow_id in names)
    only_then, only_now = _differing(then, now)
    seen = _Seen.of([one for one in replay.decided if one.workflow_id in names])
    unread = f"{history.not_understood} entries could not be understood"
    return WhatIfReport(
        policy_mode=policy.mode,
        policy_digest=policy.digest,
        started_at=replay.start,
        decisions=seen.decisions,
        same_decisions=seen.decisions - seen.now_refused - seen.now_allowed,
        now_refused=seen.now_refused,
        now_allowed=seen.now_allowed,
        differences=tuple(seen.differences),
        transitions_then=then,
        transitions_now=now,
        only_then=only_then,
        only_now=only_now,
        final_states_then=_final(then, names, everything_paused=_ends_paused(history)),
        final_states_now=_final(now, names, everything_paused=replay.simulation.world.audit.everything_paused),
        unknown_results=seen.now_allowed,
        notes=(unread,) if history.not_understood else (),
    )


def simulate_history(
    scenario: Scenario, history: History, *, factory: ManagerFactory = real_manager
) -> SimulationReport:
    """Play a history as a scenario: under its policy, against its expectations."""
    policy = AutoHealPolicy.from_json(scenario.policy, where="policy")
    return _Replay(history, policy, factory, looks=True).simulation.report(scenario, policy)


@dataclass(frozen=True, slots=True)
class _Decided:
    """One question, as it was answered then and as it is now."""

    at: datetime
    workflow_id: str
    step_id: str
    was_allowed: bool
    is_allowed: bool
    why: str


@dataclass(slots=True)
class _Seen:
    """How many answers differ, and the first of them."""

    decisions: int = 0
    now_refused: int = 0
    now_allowed: int = 0
    differences: list[DecisionDifference] = field(default_factory=list)

    @classmethod
    def of(cls, decided: Sequence[_Decided]) -> _Seen:
        seen = cls(decisions=len(decided))
        for one in decided:
            if one.was_allowed == one.is_allowed:
                continue
            seen.now_refused += one.was_allowed
            seen.now_allowed += one.is_allowed
            if len(seen.differences) < MAX_DIFFERENCES:
                seen.differences.append(
                    DecisionDifference(
                        at=one.at,
                        workflow_id=one.workflow_id,
                        step_id=one.step_id,
                        then="allowed" if one.was_allowed else "refused",
                        now="allowed" if one.is_allowed else "refused",
                        why=one.why,
                    )
                )
        return seen


class _Replay:
    """One pass through a history."""

    def __init__(self, history: History, policy: AutoHealPolicy, factory: ManagerFactory, *, looks: bool) -> None:
        self.start = history.events[0].at if history.events else MONDAY_MORNING
        self.simulation = Simulation(SimulatedWorld(policy, self.start, learned_before=0), factory, looks=looks)
        self.decided: list[_Decided] = []
        self._executing: set[tuple[str, str, str]] = set()
        self._asked_about: set[tuple[str, str, str]] = set()
        self._begin_with_known_versions(history)
        ended, credited = _rollbacks(history.events), _credited(history.events)
        for number, event in enumerate(history.events):
            self.simulation.world.clock.go_to(event.at)
            rollback = ended.get(number)
            if rollback is not None:
                self._use_version(event.workflow_id, rollback.version_id)
                assert rollback.outcome is not None
                self.simulation.world.versions.foretell(event.workflow_id, rollback.outcome)
            self._use_version(event.workflow_id, credited.get(number))
            self._play(event, rollback.outcome if rollback is not None else None)
            self.simulation.world.versions.foretell(event.workflow_id, None)

    def _begin_with_known_versions(self, history: History) -> None:
        """The first version a history tells of was there before it, and so were those that it went back to unseen."""
        unseen: dict[str, list[str]] = {}
        used: dict[str, list[str]] = {}
        for event in history.events:
            seen = used.setdefault(event.workflow_id, [])
            if event.version_id is not None and event.version_id not in seen:
                seen.append(event.version_id)
            back_to = event.outcome.version_id if event.outcome is not None else None
            if back_to is not None and back_to not in seen:
                unseen.setdefault(event.workflow_id, []).append(back_to)
                seen.append(back_to)
        for workflow_id, seen in used.items():
            for name in [*sorted(unseen.get(workflow_id, [])), *seen[:1]]:
                self.simulation.learn(workflow_id, name)

    def _play(self, event: HistoryEvent, outcome: RollbackOutcome | None) -> None:
        simulation, change = self.simulation, event.transition
        if event.kind in ("allowed", "refused"):
            permission = simulation.ask(event.workflow_id, event.step_id)
            self._asked_about.add(event.key)
            self._executing.discard(event.key)
            if permission.allowed:
                self._executing.add(event.key)
            why = event.reason if permission.allowed else permission.reason
            was_allowed = event.kind == "allowed"
            self.decided.append(
                _Decided(event.at, event.workflow_id, event.step_id, was_allowed, permission.allowed, why)
            )
        elif event.result is not None:
            # A trail may begin in the middle: a result nobody asked about before is told all the same.
            if event.key in self._executing or event.key not in self._asked_about:
                simulation.tell(event.workflow_id, event.step_id, event.result)
            self._executing.discard(event.key)
        elif event.kind in ("pause", "resume"):
            if event.who != AUTO_HEAL:
                simulation.pause_everything(event.kind == "pause", why=event.reason or "as recorded", who=event.who)
        elif change is None or change.who == AUTO_HEAL:
            self._look_as_then(event)
        elif change.to_state is not ROLLBACK:
            wanted = PlayedTransition(to_state=change.to_state, who=change.who, why=change.reason or "as recorded")
            simulation.force(event.workflow_id, wanted)
        elif outcome is not None:  # one that nobody saw the end of is left out
            why = change.reason or "as recorded"
            simulation.roll_back(event.workflow_id, outcome.version_id, why=why, who=change.who)

    def _look_as_then(self, event: HistoryEvent) -> None:
        """Somebody looked, or a screen was hard to tell from another: what ends by time ends when it is looked at."""
        close = _CLOSE_CALL.match(event.transition.reason) if event.transition is not None else None
        if close is not None and event.transition is not None and event.transition.from_state is RUNNING:
            margin = math.nextafter(float(close[1]), -1.0)  # all that is known of it
            self.simulation.match(event.workflow_id, margin)
        elif event.workflow_id:
            self.simulation.mode(event.workflow_id)

    def _use_version(self, workflow_id: str, version: str | None) -> None:
        """A version that was never seen before is an update; one that was is where a rollback led, and that is the
        supervisor's own business."""
        known = [one.version_id for one in self.simulation.world.versions.list_versions(workflow_id)]
        if version is not None and version not in known:
            self.simulation.learn(workflow_id, version)


def _rollbacks(events: Sequence[HistoryEvent]) -> dict[int, HistoryEvent]:
    """How rollbacks ended, by the event that began them: somebody's wish, or the result of a step."""
    found: dict[int, HistoryEvent] = {}
    last_result: dict[str, int] = {}
    begun: dict[str, int] = {}
    for number, event in enumerate(events):
        if event.result is not None:
            last_result[event.workflow_id] = number
        elif event.transition is not None and event.transition.to_state is ROLLBACK:
            by_itself = event.transition.who == AUTO_HEAL
            begun[event.workflow_id] = last_result.get(event.workflow_id, number) if by_itself else number
        elif event.kind == "rollback" and event.workflow_id in begun:
            found[begun.pop(event.workflow_id)] = event
    return found


def _credited(events: Sequence[HistoryEvent]) -> dict[int, str]:
    """The version each step was credited to, by the question that allowed it, or by its result if nobody asked."""
    found: dict[int, str] = {}
    asked: dict[tuple[str, str, str], int] = {}
    for number, event in enumerate(events):
        if event.kind == "allowed":
            asked[event.key] = number
        elif event.result is not None and event.version_id is not None:
            found[asked.pop(event.key, number)] = event.version_id
    return found


def _ends_paused(history: History) -> bool:
    return next(
        (event.kind == "pause" for event in reversed(history.events) if event.kind in ("pause", "resume")), False
    )


def _event(time: str, kind: str, record: JsonObject) -> HistoryEvent | None:
    if kind not in (_ALLOWED, *_REFUSED, *_GLOBAL, "step_result", "state_transition", "rollback_ended"):
        return None
    at = datetime.fromisoformat(time)
    if at.tzinfo is None:
        raise ValueError("a time without a zone")
    who, reason = str(record.get("who", AUTO_HEAL)), str(record.get("reason", ""))
    if kind in _GLOBAL:
        return HistoryEvent(at, "pause" if kind == "global_pause" else "resume", reason=reason, who=who)
    workflow_id, run_id = str(record["workflow_id"]), str(record.get("run_id", ""))
    if kind == "state_transition":
        known = {name: record[name] for name in StateTransition.model_fields if name in record}
        return HistoryEvent(at, "transition", workflow_id, transition=StateTransition.from_json(known))
    if kind == "rollback_ended":
        to_version, left = record.get("to_version"), record.get("from_version")
        outcome = RollbackOutcome(
            restored=record["restored"] is True,
            version_id=str(to_version) if to_version is not None else None,
            message=str(record.get("message", "")),
        )
        return HistoryEvent(
            at, "rollback", workflow_id, version_id=str(left) if left is not None else None, outcome=outcome
        )
    if "in_use" in record or record.get("counted") is False or (kind in _REFUSED and record.get("state") == ROLLBACK):
        return HistoryEvent(at, "look", workflow_id)  # while a version was being replaced: no policy's doing
    step_id = str(record["step_id"])
    if kind == "step_result":
        version = record.get("version_id")
        result = ExecutionResult.from_json(record["result"])
        version_id = str(version) if version is not None else None
        return HistoryEvent(at, "result", workflow_id, step_id, run_id, result=result, version_id=version_id)
    return HistoryEvent(at, "allowed" if kind == _ALLOWED else "refused", workflow_id, step_id, run_id, reason)


def _differing(
    then: Sequence[SimulatedTransition], now: Sequence[SimulatedTransition]
) -> tuple[tuple[SimulatedTransition, ...], tuple[SimulatedTransition, ...]]:
    """Which changes of state happened only then, and which only now, workflow by workflow."""
    only_then: list[SimulatedTransition] = []
    only_now: list[SimulatedTransition] = []
    for workflow_id in sorted({change.workflow_id for change in (*then, *now)}):
        sides = [[change for change in side if change.workflow_id == workflow_id] for side in (then, now)]
        one, other = ([(change.from_state, change.to_state) for change in side] for side in sides)
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
            if tag != "equal":
                only_then += sides[0][i1:i2]
                only_now += sides[1][j1:j2]
    return tuple(sorted(only_then, key=_moment)), tuple(sorted(only_now, key=_moment))


def _moment(change: SimulatedTransition) -> float:
    return change.at_s


def _final(
    transitions: Sequence[SimulatedTransition], workflows: Sequence[str], *, everything_paused: bool
) -> dict[str, ExecutionState]:
    states = dict.fromkeys(workflows, RUNNING)
    for change in transitions:
        states[change.workflow_id] = change.to_state
    return dict.fromkeys(workflows, PAUSED) if everything_paused else states
