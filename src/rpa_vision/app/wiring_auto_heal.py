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
from rpa_vision.adapters.decisions.maturity_book import SqliteMaturityBook
from rpa_vision.adapters.decisions.success_store import SqliteSuccessStore
from rpa_vision.adapters.failures.file_failure_cases import FileFailureCaseStore
from rpa_vision.adapters.learning.sqlite_target_memory import SqliteTargetMemory
from rpa_vision.adapters.learning.version_files import FileVersionFiles
from rpa_vision.adapters.machine.os_user import os_user
from rpa_vision.adapters.precision import SqlitePrecisionStore
from rpa_vision.adapters.scenarios.yaml_scenarios import YamlScenarios
from rpa_vision.adapters.storage.data_directory import FileDataDirectory
from rpa_vision.adapters.storage.heal_proposals import FileHealProposals
from rpa_vision.adapters.storage.heal_questions import FileHealQuestions
from rpa_vision.adapters.storage.paths import DataPaths
from rpa_vision.app.heal_proposals import ProposalDesk
from rpa_vision.app.maturity import document_keeper, own_thresholds
from rpa_vision.app.point_out import QuestionDesk
from rpa_vision.app.simulate import mini_reports
from rpa_vision.app.wiring import clock, ids, vector_index, webhook_settings
from rpa_vision.errors import TransitionRefusedError, UsageError
from rpa_vision.learning.learning_manager import LearningManager
from rpa_vision.learning.target_memory_store import TargetMemoryStore
from rpa_vision.learning.versioned_store import VersionedStore
from rpa_vision.models.auto_heal import Alert, ExecutionState
from rpa_vision.models.maturity import Maturity
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.models.workflow_standing import LearningStateName
from rpa_vision.ports.alerts import AlertListener
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
    learning: LearningManager
    proposals: ProposalDesk
    questions: QuestionDesk

    def pause_after_anomaly(self, workflow_id: str, why: str) -> None:
        """Nothing more of a workflow until a person has looked; what already keeps it from running stays."""
        try:
            self.manager.pause(workflow_id, reason=f"anomaly: {why}", who="system:autonomy")
        except TransitionRefusedError as refused:
            self.audit.append("supervisor_trouble", {"what": "pause after an anomaly", "error": str(refused)})


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
    tell: Callable[[str], None] | None = None,
    policy_path: Path | None = None,
    build: Callable[..., AutoHealManager] = AutoHealManager,
) -> Iterator[AutoHeal]:
    """The supervisor, running until the block ends. `context` (a run id) is added to all it writes down.

    Alerts are lines of JSON on stderr, unless it is `quiet`, or `tell` hears them in words.
    """
    data.claim()
    paths = data.paths
    with ExitStack() as stack:
        audit = JsonlAudit(paths.audit, clock())
        stack.callback(audit.close)
        alerts = SqliteAlertStore(paths.audit.with_name("alerts.sqlite"))
        stack.callback(alerts.close)
        hub = _alert_hub(alerts, quiet=quiet, tell=tell)
        stack.callback(hub.close)
        alarms = Alarms(audit, hub, clock(), ids())
        policy = PolicyFile(policy_path or paths.config(POLICY_FILE), clock(), alarms.policy_error)
        versions, memory = stack.enter_context(_learned(data))
        failure_store = FileFailureCaseStore(data.files)
        failures = FailureCaseRecorder(failure_store, clock())
        state = SqliteState(paths.supervisor_state)
        stack.callback(state.close)
        manager = build(
            state=state,
            policy=policy,
            audit=audit,
            versions=versions,
            failures=failures,
            successes=_successes(stack, paths, audit, alarms),
            alerts=hub,
            clock=clock(),
            ids=ids(),
            mini_report=mini_reports(YamlScenarios(), paths.scenario),
            audit_context=context,
        )
        yield AutoHeal(
            manager=manager,
            audit=audit,
            policy=policy,
            versions=versions,
            failures=failures,
            failure_store=failure_store,
            alerts=alerts,
            queries=_queries(stack, paths, audit),
            memory=memory,
            precision=_precision(stack, paths),
            learning=_learning_manager(stack, data, audit, document_keeper(versions, alarms.safely)),
            questions=QuestionDesk(FileHealQuestions(data.files), clock()),
            proposals=ProposalDesk(
                FileHealProposals(data.files),
                data,
                versions,
                audit,
                policy,
                clock(),
                may_learn=lambda workflow_id: _may_learn(manager, policy, workflow_id),
                on_update=manager.on_update,
            ),
        )


def _alert_hub(alerts: SqliteAlertStore, *, quiet: bool, tell: Callable[[str], None] | None) -> AlertHub:
    webhooks = [Webhook(hook.name, hook.url, clock(), secret=hook.secret) for hook in webhook_settings()]
    hub = AlertHub(alerts, clock(), quick=_quick(quiet=quiet, tell=tell), distant=webhooks)
    hub.start()
    return hub


def _successes(stack: ExitStack, paths: DataPaths, audit: JsonlAudit, alarms: Alarms) -> SqliteSuccessStore:
    store = SqliteSuccessStore(paths.audit.with_name("successes.sqlite"), clock(), source=audit)
    stack.callback(store.close)
    alarms.safely("success store", store.prepare)
    return store


def _queries(stack: ExitStack, paths: DataPaths, audit: JsonlAudit) -> DecisionQueries:
    index = SqliteDecisionIndex(paths.audit.with_name("decisions.sqlite"), audit)
    stack.callback(index.close)
    return DecisionQueries(index, clock())


def _precision(stack: ExitStack, paths: DataPaths) -> PrecisionMetrics:
    counts = SqlitePrecisionStore(paths.precision)
    stack.callback(counts.close)
    return PrecisionMetrics(counts, clock())


def _learning_manager(
    stack: ExitStack,
    data: FileDataDirectory,
    audit: JsonlAudit,
    on_change: Callable[[Maturity, LearningStateName], None],
) -> LearningManager:
    book = SqliteMaturityBook(data.paths.audit.with_name("maturity.sqlite"), audit)
    stack.callback(book.close)
    return LearningManager(book, clock(), ids(), thresholds=own_thresholds(data), on_change=on_change)


@contextmanager
def auto_heal_if_any(data: FileDataDirectory) -> Iterator[AutoHeal | None]:
    """The supervisor for whoever only looks: None, and nothing is made, where there is no data directory yet."""
    if not data.paths.marker.exists():
        yield None
        return
    with auto_heal(data, quiet=True) as opened:
        yield opened


@contextmanager
def audit_log(data: FileDataDirectory) -> Iterator[JsonlAudit]:
    """The audit trail alone, for whoever is in a hurry."""
    data.claim()
    with closing(JsonlAudit(data.paths.audit, clock())) as audit:
        yield audit


def _may_learn(manager: AutoHealManager, policy: PolicyFile, workflow_id: str) -> bool:
    """Whether what was proven may become a part of a workflow just now (AH-3)."""
    state = manager.get_mode(workflow_id)
    degraded_too = not policy.current().disable_learning_in_degraded
    return state is ExecutionState.RUNNING or (state is ExecutionState.DEGRADED and degraded_too)


def _quick(*, quiet: bool, tell: Callable[[str], None] | None) -> tuple[AlertListener, ...]:
    if tell is not None:
        return (_InWords(tell),)
    return () if quiet else (LogListener(),)


@dataclass(frozen=True, slots=True)
class _InWords:
    """Alerts for a person at a terminal."""

    tell: Callable[[str], None]
    name: str = "words"

    def deliver(self, alert: Alert) -> None:
        self.tell(f"alert: {alert.message}")


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
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "there is no such file"
        raise UsageError(
            f"{path}: {what}", remedy="Name an audit trail (JSONL), as audit/audit.jsonl of a data directory."
        )
    return audit_trail(path).entries()


def scenario_files() -> YamlScenarios:
    """Scenarios anywhere on the disk, as a person names them."""
    return YamlScenarios()


def policy_in(path: Path) -> AutoHealPolicy:
    """A policy anywhere on the disk, as a person names it."""
    if path.is_dir():
        raise UsageError(f"{path}: is a folder", remedy="Name the policy file itself.")
    return read_policy(path)
