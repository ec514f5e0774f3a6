"""One step of a workflow, done for a person who works on it herself: a run in assist mode that ends after that step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rpa_vision.app.guide import StepDone
from rpa_vision.app.run import run_workflow
from rpa_vision.app.run_tools import RunHooks, RunRequest, RunTools
from rpa_vision.errors import RpaVisionError
from rpa_vision.models.guidance import Answer
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge
from rpa_vision.ports.person import StepQuestion


@dataclass(slots=True)
class _AgreedStep:
    """Implements `ports.person.Person`: she has said yes to one step, and to nothing else."""

    step_id: str
    is_done: bool = False

    def takes_offer(self, workflow_name: str, offer: str) -> bool:
        return True

    def answers(self, question: StepQuestion) -> Answer:
        return "do_it" if question.step_id == self.step_id and not self.is_done else "not_now"


def do_one_step(workflow: Workflow, edge: WorkflowEdge, values: Mapping[str, str], tools: RunTools) -> StepDone:
    """Do that step, where the screen says it is due, as carefully as any run does; say what came of it."""
    agreed = _AgreedStep(edge.edge_id)

    def done(_: object) -> None:
        agreed.is_done = True

    known = {name: value for name, value in values.items() if name in workflow.variables}
    hooks = RunHooks(person=agreed, on_step=done, may_go_on=lambda: not agreed.is_done)
    request = RunRequest(workflow, known, mode="assist", first_step=edge.edge_id)
    try:
        report, _ = run_workflow(request, tools, hooks)
    except RpaVisionError as error:
        return StepDone(False, str(error))
    step = report.steps[0] if report.steps else None
    if step is None or step.edge_id != edge.edge_id:
        return StepDone(False, report.reason, report.input_sent)
    return StepDone(step.verified, report.reason if not step.verified else f"done: {step.action}", report.input_sent)
