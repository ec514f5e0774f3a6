"""An office under a real supervisor, whose learned workflow can be spoiled and rolled back."""

from __future__ import annotations

from typing import Any

from office import NEW, Diary, Office

from rpa_vision.app.learn import keep
from rpa_vision.app.run import RunRequest, RunTools, run_workflow
from rpa_vision.app.wiring_auto_heal import AutoHeal
from rpa_vision.graph.graph_builder import LearnedWorkflow
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus, RunReport
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge
from rpa_vision.ports.desktop import Desktop
from rpa_vision.ports.supervision import RunContext
from rpa_vision.system.run_supervisor import RunSupervisor
from rpa_vision.testing.supervisors import OpenSupervisor


class Restoring(OpenSupervisor):
    """A supervisor that has the version before restored at the first failure, or at each."""

    def __init__(self, heal: AutoHeal, run: RunContext, *, always: bool = False) -> None:
        super().__init__()
        self.versions: list[int] = []
        self._heal = heal
        self._run = run
        self._always = always
        self._done = False

    def on_step_result(self, workflow_id: str, step_id: str, result: ExecutionResult) -> None:
        self.versions.append(self._run.workflow_version)
        if result.status is ExecutionStatus.FAILED and (self._always or not self._done):
            self._done = True
            self._heal.versions.rollback_to_previous(workflow_id, "v001")
            self._run.on_rollback("v001")


class Stage:
    """Tools whose supervisor can be looked at afterwards."""

    def __init__(self, office: Office, heal: AutoHeal, desktop: Desktop, **restoring: Any) -> None:
        self.supervisors: list[Restoring] = []
        self.diary = Diary()

        def supervisor(run: RunContext) -> Restoring:
            self.supervisors.append(Restoring(heal, run, **restoring))
            return self.supervisors[-1]

        self.tools = office.tools(desktop, supervisor=supervisor, audit=self.diary)

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.diary.entries]


def supervised(office: Office, heal: AutoHeal, desktop: Desktop, **changes: Any) -> RunTools:
    """Everything as `wiring.run_tools` has it, on a desktop of pictures."""
    parts: dict[str, Any] = {
        "audit": heal.audit,
        "supervisor": lambda run: RunSupervisor(heal.manager, run),
        "on_failure": heal.failures.present,
        "on_node_match": heal.manager.on_node_match,
        "memory": heal.memory,
        "precision": heal.precision,
        "hostname": "robot",
    }
    return office.tools(desktop, **(parts | changes))


def run(workflow: Workflow, tools: RunTools) -> RunReport:
    request = RunRequest(workflow, {"nom": NEW}, "auto", "a test", screen_timeout_s=1.0)
    return run_workflow(request, tools)[0]


def spoil(office: Office, heal: AutoHeal, spoiled: dict[int, WorkflowEdge], version_id: str = "v002") -> Workflow:
    """A second (or later) version in which some edges are not what they were."""
    workflow = office.data.workflows.load("WF_patients")
    edges = tuple(spoiled.get(number, edge) for number, edge in enumerate(workflow.edges))
    lesson = LearnedWorkflow(workflow.model_copy(update={"edges": edges}), 3, {}, {})
    assert keep(office.data, lesson, heal.versions, reason="spoiled") == version_id
    heal.manager.on_update("WF_patients")
    return office.data.workflows.load("WF_patients")


def with_label(edge: WorkflowEdge, label: str) -> WorkflowEdge:
    """The same step, looking for something else."""
    assert edge.action is not None
    assert edge.action.target is not None
    target = edge.action.target.model_copy(update={"label": label})
    return edge.model_copy(update={"action": edge.action.model_copy(update={"target": target})})
