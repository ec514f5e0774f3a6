"""Simulate: play a scenario, or a recorded history, to the supervisor, and ask what another policy would have done."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

from rpa_vision.errors import UnknownIdError, UsageError
from rpa_vision.models.document import JsonObject
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.models.scenario import Scenario, SimulationReport, WhatIfReport
from rpa_vision.ports.audit import AuditEntry
from rpa_vision.ports.auto_heal import MiniReport
from rpa_vision.ports.storage import WorkflowStore
from rpa_vision.system.simulation import ManagerFactory, mini_report_from, real_manager, simulate
from rpa_vision.system.what_if import History, read_history, simulate_history, what_if


class ScenarioFiles(Protocol):
    """Scenario files, read."""

    def read(self, path: Path) -> Scenario:
        """The scenario in a file."""

    def find(self, path: Path) -> Scenario | None:
        """The scenario in a file, if there is one."""


Trail = Callable[[Path], Iterable[AuditEntry]]
"""Gives the entries of an audit trail by the path of its first file."""


def simulate_file(
    path: Path,
    files: ScenarioFiles,
    trail: Trail,
    *,
    history: Path | None = None,
    factory: ManagerFactory = real_manager,
) -> SimulationReport:
    """Play the scenario in a file. A history is the given one, else the one it names beside itself."""
    scenario = files.read(path)
    told = history if history is not None else (path.parent / scenario.history if scenario.history else None)
    if told is None:
        return simulate(scenario, factory=factory)
    return simulate_history(scenario, _history(told, trail, scenario.workflow_id), factory=factory)


def compare_policies(
    audit: Path,
    trail: Trail,
    policy: JsonObject,
    *,
    workflow_id: str | None = None,
    factory: ManagerFactory = real_manager,
) -> WhatIfReport:
    """What another policy would have done with a recorded history."""
    other = AutoHealPolicy.from_json(policy, where="policy")
    history = _history(audit, trail)
    if workflow_id is not None and workflow_id not in history.workflows:
        known = ", ".join(history.workflows)
        raise UsageError(f"{audit}: tells of no workflow {workflow_id!r}", remedy=f"It tells of: {known}.")
    return what_if(history, other, workflow_id=workflow_id, factory=factory)


def id_if_known(wanted: str | None, workflows: WorkflowStore) -> str | None:
    """The id of the workflow somebody names; what no document tells may still be in the history."""
    try:
        return workflows.load(wanted).workflow_id if wanted is not None else None
    except UnknownIdError:
        return wanted


def mini_reports(files: ScenarioFiles, path_of: Callable[[str], Path]) -> MiniReport:
    """The supervisor's mini reports: of the workflows that have a scenario file."""
    return mini_report_from(lambda workflow_id: files.find(path_of(workflow_id)))


def _history(path: Path, trail: Trail, workflow_id: str | None = None) -> History:
    history = read_history(trail(path), workflow_id=workflow_id)
    if not history.events:
        raise UsageError(f"{path}: tells of no step", remedy="Give an audit trail (JSONL) of a workflow that ran.")
    return history
