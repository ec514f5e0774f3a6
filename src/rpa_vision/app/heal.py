"""Look at the supervisor and tell it what to do: states, history, pauses, versions.

Whoever looks at a data directory that does not exist yet is told so, and nothing is made.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from rpa_vision.errors import RpaVisionError, UnknownIdError, UsageError
from rpa_vision.learning.version_manifest import number_of, version_name
from rpa_vision.learning.versioned_store import VersionedStore
from rpa_vision.models.auto_heal import ExecutionState, VersionInfo
from rpa_vision.models.document import JsonObject
from rpa_vision.models.execution import FailureKind
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.ports.audit import KINDS
from rpa_vision.ports.decisions import Decision, DecisionFilter
from rpa_vision.ports.storage import WorkflowStore
from rpa_vision.system.decision_queries import durations, effective

if TYPE_CHECKING:
    from rpa_vision.app.wiring_auto_heal import AutoHeal

_AGO = re.compile(r"(\d{1,6})\s*([smhdw])")
_UNITS_S = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def workflow_id_of(wanted: str, workflows: WorkflowStore, heal: AutoHeal | None, versions: VersionedStore) -> str:
    """The workflow somebody means, by id or name; one whose document is broken or gone is still known by its id."""
    try:
        return workflows.load(wanted).workflow_id
    except RpaVisionError as error:
        known = _known_by_id(wanted, heal, versions)
        if not known:
            raise error
        return wanted


def status(heal: AutoHeal | None, now: datetime, *, workflow_id: str | None = None) -> JsonObject:
    """Everything the supervisor knows now, with the limits at which something happens."""
    policy = heal.policy.current() if heal is not None else AutoHealPolicy()
    report = heal.manager.get_status_report() if heal is not None else _nothing_yet(policy, now)
    report["policy"]["problem"] = heal.policy.problem if heal is not None else None
    report["limits"] = {
        "step_streak": policy.step_fail_streak_to_degraded,
        "clean_steps": policy.step_success_streak_to_running,
        "workflow_window": policy.workflow_fail_max_in_window,
        "workflow_window_s": policy.workflow_fail_window_s,
        "global_window": policy.global_fail_max_in_window,
        "global_window_s": policy.global_fail_window_s,
        "global_pause_enabled": policy.global_pause_enabled,
    }
    if workflow_id is not None:
        report["workflows"] = [entry for entry in report["workflows"] if entry["workflow_id"] == workflow_id]
    return report


@dataclass(frozen=True, slots=True)
class HistoryQuestion:
    """What somebody wants to know about the past. Without kinds it is about changes of state."""

    workflow_id: str | None = None
    since: datetime | None = None
    kinds: tuple[str, ...] = ()
    failure_kinds: tuple[str, ...] = ()
    limit: int = 100

    def __post_init__(self) -> None:
        _one_of("--kind", self.kinds, list(KINDS))
        _one_of("--failure", self.failure_kinds, [kind.value for kind in FailureKind])

    @property
    def is_about_decisions(self) -> bool:
        return bool(self.kinds or self.failure_kinds)


def history(heal: AutoHeal | None, asked: HistoryQuestion, now: datetime) -> JsonObject:
    """Changes of state with who, why and how long; or, asked for kinds, decisions and where it fails most."""
    which = DecisionFilter(
        workflow_id=asked.workflow_id, since=asked.since, kinds=asked.kinds, failure_kinds=asked.failure_kinds
    )
    told: JsonObject = {"workflow_id": asked.workflow_id}
    if asked.is_about_decisions:
        found = heal.queries.history(which, limit=asked.limit) if heal is not None else []
        return told | {
            "decisions": [_decision(one) for one in found],
            "count": heal.queries.count(which) if heal is not None else 0,
            "failing_steps": _failing_steps(heal, which),
        }
    changes = list(effective(heal.queries.transitions(which))) if heal is not None else []
    return told | {
        "transitions": [one.to_json() for one in changes[-asked.limit :]],
        "count": len(changes),
        "durations": [
            {**asdict(one), "state": one.state.value, "mean_s": round(one.mean_s, 3)}
            for one in durations(changes, until=now)
        ],
        "failing_steps": _failing_steps(heal, which),
    }


@dataclass(frozen=True, slots=True)
class Change:
    """What came of a change by hand. Without a workflow it is about all of them."""

    workflow_id: str | None
    before: str
    state: str
    changed: bool
    who: str
    reason: str
    forced: bool = False

    def to_json(self) -> JsonObject:
        """For scripts."""
        return asdict(self)


def pause(heal: AutoHeal, workflow_id: str | None, reason: str, who: str) -> Change:
    """Pause one workflow, or everything."""
    before = _standing(heal, workflow_id)
    heal.manager.pause(workflow_id, reason=reason, who=who)
    return _change(heal, workflow_id, before, reason, who)


def resume(heal: AutoHeal, workflow_id: str | None, reason: str, who: str) -> Change:
    """Let one workflow, or everything, go on where it was."""
    before = _standing(heal, workflow_id)
    heal.manager.resume(workflow_id, reason=reason, who=who)
    return _change(heal, workflow_id, before, reason, who)


def transition(heal: AutoHeal, workflow_id: str, state: str, reason: str, who: str) -> Change:
    """Change a state by hand. A rollback is asked for by its own name, because it must say to what."""
    before = _standing(heal, workflow_id)
    heal.manager.force_transition(workflow_id, ExecutionState(state), reason, who=who)
    return _change(heal, workflow_id, before, reason, who)


def list_versions(versions: VersionedStore, workflow_id: str) -> JsonObject:
    """The versions of a workflow, every file checked, and what is wrong with those one cannot go back to."""
    found = versions.inspect_versions(workflow_id)
    return {
        "workflow_id": workflow_id,
        "versions": [one.to_json() for one in found.items],
        "unreadable": [{"name": bad.name, "problem": bad.problem} for bad in found.unreadable],
        "previous": versions.previous_version(workflow_id, check=True),
    }


@dataclass(frozen=True, slots=True)
class RollbackPlan:
    """What a rollback would do."""

    workflow_id: str
    in_use: VersionInfo | None
    target: VersionInfo
    by_name: bool

    @property
    def gives_up_changes(self) -> bool:
        """The version stays; what was learned on top of it goes."""
        return self.in_use is not None and self.in_use.version_id == self.target.version_id

    def to_json(self) -> JsonObject:
        """For scripts."""
        return {
            "workflow_id": self.workflow_id,
            "from_version": self.in_use.version_id if self.in_use is not None else None,
            "to_version": self.target.version_id,
        }


def plan_rollback(versions: VersionedStore, workflow_id: str, version: str | None = None) -> RollbackPlan:
    """Which version would be restored: the given one if it is whole, else the one before. Changes nothing."""
    known = {one.version_id: one for one in versions.list_versions(workflow_id)}
    name = version_name(number_of(version)) if version else versions.previous_version(workflow_id, check=True)
    look = f"`rpa-vision heal versions {workflow_id}` shows what there is."
    if name is None:
        raise UsageError(f"{workflow_id} has no version to go back to", remedy=look)
    problems = versions.verify_version(workflow_id, name) if name in known or version is not None else []
    if name not in known:
        raise UnknownIdError(f"{workflow_id} has no version {name}: {problems[0] if problems else name}", remedy=look)
    if problems:
        raise UsageError(f"{name} of {workflow_id} is damaged: {problems[0]}", remedy=look)
    in_use = next((one for one in known.values() if one.in_use), None)
    return RollbackPlan(workflow_id, in_use, known[name], version is not None)


@dataclass(frozen=True, slots=True)
class RollbackDone:
    """What came of a rollback."""

    plan: RollbackPlan
    restored: bool
    in_use: str | None
    state: str
    message: str

    def to_json(self) -> JsonObject:
        """For scripts."""
        return {
            **self.plan.to_json(),
            "restored": self.restored,
            "in_use": self.in_use,
            "state": self.state,
            "message": self.message,
        }


def roll_back(heal: AutoHeal, plan: RollbackPlan, reason: str, who: str) -> RollbackDone:
    """Carry out a plan, through the supervisor: it remembers what was undone, and writes down who and why."""
    before = _standing(heal, plan.workflow_id)
    if before.own_state == ExecutionState.ROLLBACK:
        raise UsageError(
            f"{plan.workflow_id} is being rolled back already",
            remedy="Wait for it; one whose process died is finished by the next step, after a minute.",
        )
    heal.manager.roll_back_to(plan.workflow_id, plan.target.version_id, reason, who=who, or_another=not plan.by_name)
    last = heal.manager.history(plan.workflow_id)[-1]
    in_use = next((one for one in heal.versions.list_versions(plan.workflow_id) if one.in_use), None)
    return RollbackDone(
        plan,
        restored=last.from_state is ExecutionState.ROLLBACK and last.to_state is ExecutionState.DEGRADED,
        in_use=in_use.version_id if in_use is not None else None,
        state=_standing(heal, plan.workflow_id).state,
        message=last.reason,
    )


def moment(text: str, now: datetime) -> datetime:
    """A time as people write it: `2026-03-31`, `2026-03-31T12:00`, or how long ago: `30m`, `2h`, `7d`."""
    ago = _AGO.fullmatch(text.strip().lower())
    try:
        if ago is not None:
            return now - timedelta(seconds=int(ago[1]) * _UNITS_S[ago[2]])
        given = datetime.fromisoformat(text.strip())
        return given if given.tzinfo is not None else given.astimezone()
    except (ValueError, OverflowError, OSError) as error:
        raise UsageError(
            f"{text!r} is not a time", remedy="Write 2026-03-31, 2026-03-31T12:00, or how long ago: 30m, 2h, 7d."
        ) from error


@dataclass(frozen=True, slots=True)
class _Standing:
    state: str
    """What holds."""
    own_state: str
    """Without a pause of everything."""
    transitions: int


def _standing(heal: AutoHeal, workflow_id: str | None) -> _Standing:
    report = heal.manager.get_status_report()
    everywhere = ExecutionState.PAUSED if report["global_pause"] is not None else ExecutionState.RUNNING
    if workflow_id is None:
        return _Standing(everywhere.value, everywhere.value, 0)
    for entry in report["workflows"]:
        if entry["workflow_id"] == workflow_id:
            return _Standing(entry["current_state"], entry["own_state"], entry["transitions"])
    return _Standing(everywhere.value, ExecutionState.RUNNING.value, 0)


def _change(heal: AutoHeal, workflow_id: str | None, before: _Standing, reason: str, who: str) -> Change:
    after = _standing(heal, workflow_id)
    changed = after != before
    past = heal.manager.history(workflow_id) if changed and workflow_id is not None else []
    forced = any(one.forced for one in past if one.number > before.transitions)
    return Change(workflow_id, before.state, after.state, changed, who, reason, forced)


def _known_by_id(wanted: str, heal: AutoHeal | None, versions: VersionedStore) -> bool:
    try:
        if versions.list_versions(wanted):
            return True
    except RpaVisionError:  # not even an id
        return False
    report = heal.manager.get_status_report() if heal is not None else {"workflows": []}
    return any(entry["workflow_id"] == wanted for entry in report["workflows"])


def _failing_steps(heal: AutoHeal | None, which: DecisionFilter) -> list[JsonObject]:
    asked = DecisionFilter(workflow_id=which.workflow_id, since=which.since)
    found = heal.queries.most_failing_steps(asked, limit=5) if heal is not None else []
    return [{**asdict(one), "failure_ratio": round(one.failure_ratio, 4)} for one in found]


def _decision(one: Decision) -> JsonObject:
    return {
        "number": one.number,
        "at": one.at.isoformat(),
        "kind": one.kind,
        "workflow_id": one.workflow_id,
        "step_id": one.step_id,
        "run_id": one.run_id,
        "state": one.state,
        "status": one.status,
        "failure_kind": one.failure_kind,
        "confidence": one.confidence,
        "execution_time_ms": one.execution_time_ms,
        "record": one.record,
    }


def _nothing_yet(policy: AutoHealPolicy, now: datetime) -> JsonObject:
    return {
        "at": now.isoformat(),
        "policy": {"mode": policy.mode, "digest": policy.digest},
        "global_pause": None,
        "global_failures_in_window": 0,
        "states": {state.value: 0 for state in ExecutionState},
        "workflows": [],
    }


def _one_of(option: str, given: Sequence[str], known: Sequence[str]) -> None:
    for word in given:
        if word not in known:
            raise UsageError(f"{option}: there is no kind {word!r}", remedy=f"Use one of: {', '.join(known)}.")
