"""The world around the supervisor, in memory: state, policy, audit, versions, recorders and alerts that remember."""

from __future__ import annotations

import contextlib
import copy
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count

from pydantic import JsonValue

from rpa_vision.models.auto_heal import Alert, VersionInfo
from rpa_vision.models.document import JsonObject
from rpa_vision.models.execution import ExecutionResult
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.ports.auto_heal import MiniReport, RollbackOutcome, StateStore
from rpa_vision.system.auto_heal_manager import AutoHealManager
from rpa_vision.testing.manual_clock import ManualClock


class MemoryState:
    """Implements `ports.auto_heal.StateStore`: a transaction that fails leaves what was there before."""

    def __init__(self) -> None:
        self._stored: dict[str, JsonObject] = {}
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[MemoryRecords]:
        with self._lock:
            records = MemoryRecords(dict(self._stored))
            yield records
            self._stored = records.documents


class MemoryRecords:
    """Implements `ports.auto_heal.StateRecords`."""

    def __init__(self, documents: dict[str, JsonObject]) -> None:
        self.documents = documents

    def get(self, key: str) -> JsonObject | None:
        return copy.deepcopy(self.documents.get(key))

    def put(self, key: str, record: JsonObject) -> None:
        self.documents[key] = copy.deepcopy(record)

    def delete(self, key: str) -> None:
        self.documents.pop(key, None)

    def keys(self) -> list[str]:
        return sorted(self.documents)


class SetPolicy:
    """Implements `ports.auto_heal.PolicySource`: whatever was set last."""

    def __init__(self, policy: AutoHealPolicy | None = None) -> None:
        self.policy = policy or AutoHealPolicy()

    def current(self) -> AutoHealPolicy:
        return self.policy


class MemoryAudit:
    """Implements `ports.audit.AuditLog`."""

    def __init__(self) -> None:
        self.entries: list[tuple[str, dict[str, JsonValue]]] = []

    def append(self, kind: str, record: dict[str, JsonValue]) -> None:
        self.entries.append((kind, copy.deepcopy(record)))

    def of(self, kind: str) -> list[dict[str, JsonValue]]:
        """The records of one kind, in order."""
        return [record for name, record in self.entries if name == kind]


class MemoryVersions:
    """Implements `ports.auto_heal.VersionKeeper` over version names. `breaks` makes the next rollback raise."""

    def __init__(self, clock: ManualClock) -> None:
        self._clock = clock
        self._versions: dict[str, list[str]] = {}
        self._in_use: dict[str, str] = {}
        self._parents: dict[tuple[str, str], str | None] = {}
        self._given_up: set[tuple[str, str]] = set()
        self.changed = False
        """Whether something was learned that no version holds."""
        self.rollbacks: list[tuple[str, str | None]] = []
        self.rates: list[tuple[str, str, float]] = []
        self.breaks = False
        self.refuses = False
        self.damaged: set[str] = set()

    def add(self, workflow_id: str) -> str:
        """Learning made a new version; it is in use."""
        names = self._versions.setdefault(workflow_id, [])
        names.insert(0, f"v{len(names) + 1:03}")
        self._parents[workflow_id, names[0]] = self._in_use.get(workflow_id)
        self._in_use[workflow_id] = names[0]
        return names[0]

    def in_use(self, workflow_id: str) -> str | None:
        return self._in_use.get(workflow_id)

    def list_versions(self, workflow_id: str) -> list[VersionInfo]:
        names, now = self._versions.get(workflow_id, []), self._clock.now()
        return [
            VersionInfo(
                version_id=name,
                created_at=now - timedelta(days=age),
                workflow_id=workflow_id,
                in_use=name == self._in_use[workflow_id],
            )
            for age, name in enumerate(names)
        ]

    def previous_version(self, workflow_id: str) -> str | None:
        return next(iter(self._candidates(workflow_id)), None)

    def rollback_to_previous(self, workflow_id: str, version: str | None = None) -> RollbackOutcome:
        self.rollbacks.append((workflow_id, version))
        if self.breaks:
            raise OSError("the disk is gone")
        wanted = [version] if version is not None else self._candidates(workflow_id)
        whole = [name for name in wanted if name not in self.damaged]
        if self.refuses or not whole:
            return RollbackOutcome(restored=False, version_id=None, message="there is no version to go back to")
        if self._in_use[workflow_id] != whole[0]:
            self._given_up.add((workflow_id, self._in_use[workflow_id]))
        self._given_up.discard((workflow_id, whole[0]))
        self._in_use[workflow_id], self.changed = whole[0], False
        return RollbackOutcome(restored=True, version_id=whole[0], message="")

    def _candidates(self, workflow_id: str) -> list[str]:
        name = self._in_use.get(workflow_id)
        found = [name] if self.changed and name is not None else []
        while name is not None:
            name = self._parents.get((workflow_id, name))
            if name is not None and (workflow_id, name) not in self._given_up:
                found.append(name)
        return found

    def note_success_rate(self, workflow_id: str, version_id: str, *, after: float) -> None:
        self.rates.append((workflow_id, version_id, after))


class MemoryFailures:
    """Implements `ports.auto_heal.FailureRecorder`. With `known` set, every failure is one more of a known kind."""

    def __init__(self) -> None:
        self.cases: list[tuple[str, str, ExecutionResult, JsonObject]] = []
        self.reports: list[tuple[str, JsonObject]] = []
        self.breaks = False
        self.known = False

    def record_failure(
        self, workflow_id: str, step_id: str, result: ExecutionResult, context: JsonObject
    ) -> str | None:
        if self.breaks:
            raise OSError("no room for a screenshot")
        self.cases.append((workflow_id, step_id, result, context))
        return None if self.known else f"case_{len(self.cases)}"

    def attach_report(self, case_id: str, report: JsonObject) -> None:
        if self.breaks:
            raise OSError("no room for a report")
        self.reports.append((case_id, report))


class MemorySuccesses:
    """Implements `ports.auto_heal.SuccessStore`."""

    def __init__(self) -> None:
        self.kept: list[tuple[str, str, ExecutionResult]] = []
        self.breaks = False

    def record_success(self, workflow_id: str, step_id: str, result: ExecutionResult) -> None:
        if self.breaks:
            raise OSError("the database is locked")
        self.kept.append((workflow_id, step_id, result))


class MemoryAlerts:
    """Implements `ports.auto_heal.AlertSink`."""

    def __init__(self) -> None:
        self.alerts: list[Alert] = []
        self.breaks = False

    def raise_alert(self, alert: Alert) -> None:
        if self.breaks:
            raise OSError("nobody listens")
        self.alerts.append(alert)


class CountingIds:
    """Implements `ports.runtime.Ids`: alert_1, alert_2, …"""

    def __init__(self) -> None:
        self._numbers = count(1)

    def new(self, prefix: str) -> str:
        return f"{prefix}_{next(self._numbers)}"


@dataclass
class HealWorld:
    """Everything around a supervisor; `manager()` gives a new one on the same world, as after a restart."""

    clock: ManualClock = field(default_factory=ManualClock)
    policy: SetPolicy = field(default_factory=SetPolicy)
    audit: MemoryAudit = field(default_factory=MemoryAudit)
    failures: MemoryFailures = field(default_factory=MemoryFailures)
    successes: MemorySuccesses = field(default_factory=MemorySuccesses)
    alerts: MemoryAlerts = field(default_factory=MemoryAlerts)
    ids: CountingIds = field(default_factory=CountingIds)
    state: StateStore = field(default_factory=MemoryState)
    mini_report: MiniReport | None = None

    def __post_init__(self) -> None:
        self.versions = MemoryVersions(self.clock)

    def manager(self) -> AutoHealManager:
        return AutoHealManager(
            state=self.state,
            policy=self.policy,
            audit=self.audit,
            versions=self.versions,
            failures=self.failures,
            successes=self.successes,
            alerts=self.alerts,
            clock=self.clock,
            ids=self.ids,
            mini_report=self.mini_report,
        )
