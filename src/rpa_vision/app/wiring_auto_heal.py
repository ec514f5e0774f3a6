"""Builds the supervisor and everything it asks: the second half of `wiring`, for those that need it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from rpa_vision.adapters.alerts.alert_store import SqliteAlertStore
from rpa_vision.adapters.alerts.webhook import Webhook
from rpa_vision.adapters.audit.jsonl_audit import JsonlAudit
from rpa_vision.adapters.audit.trail_reader import JsonlTrail
from rpa_vision.adapters.auto_heal.policy_file import PolicyFile, read_policy
from rpa_vision.adapters.auto_heal.sqlite_state import SqliteState
from rpa_vision.adapters.decisions.decision_index import SqliteDecisionIndex
from rpa_vision.adapters.decisions.success_store import SqliteSuccessStore
from rpa_vision.adapters.failures.file_failure_cases import FileFailureCaseStore
from rpa_vision.adapters.learning.sqlite_target_memory import SqliteTargetMemory
from rpa_vision.adapters.learning.version_files import FileVersionFiles
from rpa_vision.adapters.machine.os_user import os_user
from rpa_vision.adapters.precision import SqlitePrecisionStore
from rpa_vision.adapters.scenarios.yaml_scenarios import YamlScenarios
from rpa_vision.adapters.storage.data_directory import FileDataDirectory
from rpa_vision.app.simulate import mini_reports
from rpa_vision.app.wiring import clock, ids, vector_index, webhook_settings
from rpa_vision.learning.target_memory_store import TargetMemoryStore
from rpa_vision.learning.versioned_store import VersionedStore
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.ports.audit import AuditEntry
from rpa_vision.system.alarms import Alarms
from rpa_vision.system.alerts import AlertHub, LogListener
from rpa_vision.system.auto_heal_manager import AutoHealManager
from rpa_vision.system.decision_queries import DecisionQueries
from rpa_vision.system.failure_cases import FailureCaseRecorder
from rpa_vision.system.precision import PrecisionMetrics
from rpa_vision.system.state_machine import is_person

POLICY_FILE = "auto_heal_policy.json"


@dataclass(frozen=True, slots=True)
class AutoHeal:
    """The supervisor of one data directory, and what it works with."""

    manager: AutoHealManager
    audit: JsonlAudit
    policy: PolicyFile
    versions: VersionedStore
    failures: FailureCaseRecorder
    failure_store: FileFailureCaseStore
    alerts: SqliteAlertStore
    queries: DecisionQueries
    memory: TargetMemoryStore
    precision: PrecisionMetrics


@contextmanager
def versioned_store(data: FileDataDirectory) -> Iterator[VersionedStore]:
    """The versions of what was learned, until the block ends; an interrupted rollback is completed on opening."""
    with _learned(data) as (versions, _):
        yield versions


@contextmanager
def _learned(data: FileDataDirectory) -> Iterator[tuple[VersionedStore, TargetMemoryStore]]:
    """Versions, and the target memory that is in them."""
    table = SqliteTargetMemory(data.files, clock())
    with closing(table):
        memory = TargetMemoryStore(table, clock())
        versions = VersionedStore(FileVersionFiles(data.files), data.vectors, memory, vector_index, clock())
        versions.recover()
        yield versions, memory


@contextmanager
def auto_heal(
    data: FileDataDirectory,
    *,
    context: Mapping[str, JsonValue] | None = None,
    quiet: bool = False,
    policy_path: Path | None = None,
    build: Callable[..., AutoHealManager] = AutoHealManager,
) -> Iterator[AutoHeal]:
    """The supervisor, running until the block ends. `context` (a run id) is added to all it writes down."""
    data.claim()
    paths = data.paths
    with ExitStack() as stack:
        audit = JsonlAudit(paths.audit, clock())
        stack.callback(audit.close)
        alert_store = SqliteAlertStore(paths.audit.with_name("alerts.sqlite"))
        stack.callback(alert_store.close)
        webhooks = [Webhook(hook.name, hook.url, clock(), secret=hook.secret) for hook in webhook_settings()]
        hub = AlertHub(alert_store, clock(), quick=() if quiet else (LogListener(),), distant=webhooks)
        hub.start()
        stack.callback(hub.close)
        alarms = Alarms(audit, hub, clock(), ids())
        policy = PolicyFile(policy_path or paths.config(POLICY_FILE), clock(), alarms.policy_error)
        versions, memory = stack.enter_context(_learned(data))
        counts = SqlitePrecisionStore(paths.precision)
        stack.callback(counts.close)
        failure_store = FileFailureCaseStore(data.files)
        failures = FailureCaseRecorder(failure_store, clock())
        successes = SqliteSuccessStore(paths.audit.with_name("successes.sqlite"), clock(), source=audit)
        stack.callback(successes.close)
        alarms.safely("success store", successes.prepare)
        index = SqliteDecisionIndex(paths.audit.with_name("decisions.sqlite"), audit)
        stack.callback(index.close)
        state = SqliteState(paths.supervisor_state)
        stack.callback(state.close)
        manager = build(
            state=state,
            policy=policy,
            audit=audit,
            versions=versions,
            failures=failures,
            successes=successes,
            alerts=hub,
            clock=clock(),
            ids=ids(),
            mini_report=mini_reports(YamlScenarios(), paths.scenario),
            audit_context=context,
        )
        queries = DecisionQueries(index, clock())
        yield AutoHeal(
            manager=manager,
            audit=audit,
            policy=policy,
            versions=versions,
            failures=failures,
            failure_store=failure_store,
            alerts=alert_store,
            queries=queries,
            memory=memory,
            precision=PrecisionMetrics(counts, clock()),
        )


@contextmanager
def auto_heal_if_any(data: FileDataDirectory) -> Iterator[AutoHeal | None]:
    """The supervisor for whoever only looks: None, and nothing is made, where there is no data directory yet."""
    if not data.paths.marker.exists():
        yield None
        return
    with auto_heal(data, quiet=True) as opened:
        yield opened


def person() -> str:
    """Who gives commands. An account that bears a name of the machine's is still a person's."""
    user = os_user()
    return user if is_person(user) else f"user:{user}"


def failure_cases(data: FileDataDirectory) -> FileFailureCaseStore:
    """The failure cases, for looking."""
    return FileFailureCaseStore(data.files)


def audit_trail(path: Path) -> JsonlTrail:
    """An audit trail, for reading, by the path of its first file."""
    return JsonlTrail(path)


def audit_entries(path: Path) -> Iterator[AuditEntry]:
    """What an audit trail tells."""
    return audit_trail(path).entries()


def scenario_files() -> YamlScenarios:
    """Scenarios anywhere on the disk, as a person names them."""
    return YamlScenarios()


def policy_in(path: Path) -> AutoHealPolicy:
    """A policy anywhere on the disk, as a person names it."""
    return read_policy(path)
