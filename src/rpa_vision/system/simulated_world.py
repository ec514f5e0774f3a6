"""The supervisor's surroundings in memory: time that is set, records that go with it, versions that are names only."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator
from datetime import datetime, timedelta

from pydantic import JsonValue

from rpa_vision.models.auto_heal import Alert, StateTransition, VersionInfo
from rpa_vision.models.document import JsonObject
from rpa_vision.models.execution import ExecutionResult
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.ports.auto_heal import RollbackOutcome


class VirtualClock:
    """Implements `ports.runtime.Clock`: stands still until it is moved, and only forward."""

    def __init__(self, start: datetime) -> None:
        self.start = start
        self._passed_s = 0.0

    @property
    def passed_s(self) -> float:
        """Seconds since the beginning."""
        return self._passed_s

    def now(self) -> datetime:
        return self.start + timedelta(seconds=self._passed_s)

    def monotonic(self) -> float:
        return self._passed_s

    def sleep(self, seconds: float) -> None:
        self._passed_s += max(0.0, seconds)

    def go_to(self, moment: datetime) -> None:
        """Move on to a moment; one that is past already is now."""
        self._passed_s = max(self._passed_s, (moment - self.start).total_seconds())


class CountedIds:
    """Implements `ports.runtime.Ids`: the same ids in every simulation."""

    def __init__(self) -> None:
        self._given = 0

    def new(self, prefix: str) -> str:
        self._given += 1
        return f"{prefix}_{self._given}"


class MemoryState:
    """Implements `ports.auto_heal.StateStore` and its records: an exception leaves what was there before."""

    def __init__(self) -> None:
        self._records: dict[str, JsonObject] = {}

    @contextlib.contextmanager
    def transaction(self) -> Iterator[MemoryState]:
        before = dict(self._records)
        try:
            yield self
        except BaseException:
            self._records = before
            raise

    def get(self, key: str) -> JsonObject | None:
        return copy.deepcopy(self._records.get(key))

    def put(self, key: str, record: JsonObject) -> None:
        self._records[key] = copy.deepcopy(record)

    def delete(self, key: str) -> None:
        self._records.pop(key, None)

    def keys(self) -> list[str]:
        return sorted(self._records)


class SimulatedPolicy:
    """Implements `ports.auto_heal.PolicySource`: whatever was put in force."""

    def __init__(self, policy: AutoHealPolicy) -> None:
        self.in_force = policy

    def current(self) -> AutoHealPolicy:
        return self.in_force


class NotedAudit:
    """Implements `ports.audit.AuditLog`: keeps changes of state and the supervisor's troubles, counts the rest."""

    def __init__(self) -> None:
        self.transitions: list[StateTransition] = []
        self.troubles: list[str] = []
        self.entries = 0

    def append(self, kind: str, record: dict[str, JsonValue]) -> None:
        self.entries += 1
        if kind == "state_transition":
            known = {name: record[name] for name in StateTransition.model_fields if name in record}
            self.transitions.append(StateTransition.from_json(known))
        elif kind == "supervisor_trouble":
            self.troubles.append(f"{record.get('what')}: {record.get('error')}")


class SimulatedVersions:
    """Implements `ports.auto_heal.VersionKeeper`: v001, v002 … of each workflow, one of them in use."""

    def __init__(self, clock: VirtualClock, *, learned_before: int) -> None:
        self._clock = clock
        self._learned_before = learned_before
        self._versions: dict[str, list[VersionInfo]] = {}
        self._in_use: dict[str, str] = {}
        self._parents: dict[tuple[str, str], str | None] = {}
        self._given_up: set[tuple[str, str]] = set()

    def learn(self, workflow_id: str, version_id: str | None = None) -> str:
        """Make a new version and use it."""
        versions = self._of(workflow_id)
        name = version_id or f"v{len(versions) + 1:03d}"
        if name not in [version.version_id for version in versions]:
            versions.insert(0, VersionInfo(version_id=name, created_at=self._clock.now(), workflow_id=workflow_id))
            self._parents[workflow_id, name] = self._in_use.get(workflow_id)
        self._in_use[workflow_id] = name
        return name

    def in_use(self, workflow_id: str) -> str | None:
        """The version in use, if there is one."""
        self._of(workflow_id)
        return self._in_use.get(workflow_id)

    def list_versions(self, workflow_id: str) -> list[VersionInfo]:
        used = self.in_use(workflow_id)
        return [version.model_copy(update={"in_use": version.version_id == used}) for version in self._of(workflow_id)]

    def previous_version(self, workflow_id: str) -> str | None:
        name = self.in_use(workflow_id)
        while name is not None:
            name = self._parents.get((workflow_id, name))
            if name is not None and (workflow_id, name) not in self._given_up:
                return name
        return None

    def rollback_to_previous(self, workflow_id: str, version: str | None = None) -> RollbackOutcome:
        names = [one.version_id for one in self._of(workflow_id)]
        used = self._in_use.get(workflow_id)
        wanted = version if version is not None else self.previous_version(workflow_id)
        if wanted is None or wanted not in names:
            return RollbackOutcome(restored=False, version_id=None, message="there is no version to go back to")
        if used is not None:
            self._given_up.add((workflow_id, used))
        self._given_up.discard((workflow_id, wanted))
        self._in_use[workflow_id] = wanted
        return RollbackOutcome(restored=True, version_id=wanted, message=f"{wanted} restored")

    def note_success_rate(self, workflow_id: str, version_id: str, *, after: float) -> None:
        versions = self._of(workflow_id)
        for index, version in enumerate(versions):
            if version.version_id == version_id:
                versions[index] = version.model_copy(update={"success_rate_after": after})

    def _of(self, workflow_id: str) -> list[VersionInfo]:
        if workflow_id not in self._versions:
            self._versions[workflow_id] = []
            for _ in range(self._learned_before):
                self.learn(workflow_id)
        return self._versions[workflow_id]


class NotedFailures:
    """Implements `ports.auto_heal.FailureRecorder`: the same step failing in the same way is one case."""

    def __init__(self) -> None:
        self.cases: dict[tuple[str, str, str], str] = {}
        self.reports: dict[str, JsonObject] = {}

    def record_failure(
        self, workflow_id: str, step_id: str, result: ExecutionResult, context: JsonObject
    ) -> str | None:
        key = (workflow_id, step_id, str(result.failure_kind))
        if key in self.cases:
            return None
        self.cases[key] = f"case_{len(self.cases) + 1}"
        return self.cases[key]

    def attach_report(self, case_id: str, report: JsonObject) -> None:
        self.reports[case_id] = report


class NotedSuccesses:
    """Implements `ports.auto_heal.SuccessStore`: counts."""

    def __init__(self) -> None:
        self.count = 0

    def record_success(self, workflow_id: str, step_id: str, result: ExecutionResult) -> None:
        self.count += 1


class NotedAlerts:
    """Implements `ports.auto_heal.AlertSink`: keeps them."""

    def __init__(self) -> None:
        self.raised: list[Alert] = []

    def raise_alert(self, alert: Alert) -> None:
        self.raised.append(alert)


class SimulatedWorld:
    """Everything a supervisor needs, in memory."""

    def __init__(self, policy: AutoHealPolicy, start: datetime, *, learned_before: int = 1) -> None:
        self.clock = VirtualClock(start)
        self.ids = CountedIds()
        self.state = MemoryState()
        self.policy = SimulatedPolicy(policy)
        self.audit = NotedAudit()
        self.versions = SimulatedVersions(self.clock, learned_before=learned_before)
        self.failures = NotedFailures()
        self.successes = NotedSuccesses()
        self.alerts = NotedAlerts()
