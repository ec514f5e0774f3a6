"""Do queued runs on a real display: what `rpa-vision work` and the server's own workers do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from rpa_vision.app.learned_with import warnings_of
from rpa_vision.app.queue_worker import Ending, QueueWorker, RunKeeper
from rpa_vision.app.report import RunPictures, without_hidden
from rpa_vision.app.run import run_workflow
from rpa_vision.app.run_tools import RunHooks, RunRequest, RunTools
from rpa_vision.errors import RpaVisionError
from rpa_vision.execution.run_outcome import ExecutedStep
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.execution.target_resolver import Resolved
from rpa_vision.models.queue import QueuedRun
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge
from rpa_vision.ports.runtime import Ids
from rpa_vision.ports.storage import DataDirectory
from rpa_vision.system.failure_evidence import without_secrets

ToolsFor = Callable[[Workflow], RunTools]

__all__ = ["QueueWorker", "do_queued"]
_BY_PEOPLE = ("person", "batch")
"""Where runs come from that somebody has just asked for."""


@dataclass(slots=True)
class _GivenId:
    """The id of a queued run is known before it begins; whatever else needs one gets a new one."""

    run_id: str
    others: Ids
    is_used: bool = False

    def new(self, prefix: str) -> str:
        if prefix == "run" and not self.is_used:
            self.is_used = True
            return self.run_id
        return self.others.new(prefix)


def do_queued(data: DataDirectory, tools_for: ToolsFor) -> Callable[[QueuedRun, RunKeeper], Ending]:
    """How a queued run is done: as `rpa-vision run` does it, with somebody listening."""

    def do(item: QueuedRun, keeper: RunKeeper) -> Ending:
        workflow = data.workflows.load(item.workflow_id)
        tools = tools_for(workflow)
        asked = item.asked
        request = RunRequest(
            workflow,
            asked.parameters,
            asked.mode,
            asked.authorised_because if item.origin == "person" else None,
            asked.screen_timeout_s,
            from_here=asked.from_here,
            asks=asked.asks,
            who=item.who,
            again=asked.again and item.origin in _BY_PEOPLE,
            rest=asked.rest and item.origin in _BY_PEOPLE,
        )
        for warning in warnings_of(workflow, tools.observer.perception):
            keeper.warns(warning)
        pictures = RunPictures(item.run_id, data.runs)

        def show(edge: WorkflowEdge, outcome: StepOutcome, hidden: Mapping[str, str]) -> None:
            keeper.found(_aimed_at(edge, outcome, hidden, pictures, keeper.step))

        hooks = RunHooks(
            on_begin=lambda edge, sentence: keeper.begins(sentence),
            on_target=show,
            on_step=lambda step: keeper.ended(_told(step)),
            may_go_on=keeper.may_go_on,
            on_question=lambda question: keeper.asks(question.question_id, question.why),
        )
        report, _ = run_workflow(request, replace(tools, ids=_GivenId(item.run_id, tools.ids)), hooks, keeper.gate)
        return Ending(report.status, report.reason, report.input_sent)

    return do


def _aimed_at(
    edge: WorkflowEdge, outcome: StepOutcome, hidden: Mapping[str, str], pictures: RunPictures, step: int
) -> dict[str, object]:
    """What a step is about to be done to, and the name of the picture that shows it."""
    picture, best = None, outcome.resolution.best if isinstance(outcome.resolution, Resolved) else None
    if outcome.before is not None:
        name = f"step_{step:02d}_before"
        try:
            pictures.keep(name, without_hidden(outcome.before, hidden), outcome.resolution, outcome.point)
            picture = name
        except RpaVisionError:  # a full disk: only whoever watches misses something
            picture = None
    return {
        "edge_id": edge.edge_id,
        "picture": picture,
        "label": without_secrets(best.element.label, hidden) if best is not None else None,
        "strategy": best.strategy if best is not None else None,
        "score": round(min(1.0, best.score), 3) if best is not None else None,
        "point": list(outcome.point) if outcome.point is not None else None,
    }


def _told(step: ExecutedStep) -> dict[str, object]:
    outcome = step.outcome
    return {
        "edge_id": step.edge.edge_id,
        "status": outcome.status.value,
        "strategy": outcome.resolution.best.strategy if isinstance(outcome.resolution, Resolved) else None,
        "healing_level": outcome.healing_level,
        "point": list(outcome.point) if outcome.point is not None else None,
        "verified": outcome.verified,
        "duration_ms": round(step.duration_ms, 1),
    }
