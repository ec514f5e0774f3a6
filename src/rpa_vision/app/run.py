"""Run a workflow: check what was asked, ask what is allowed, execute, and report."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import JsonValue

from rpa_vision.app.report import RunPictures, render_report, step_report
from rpa_vision.app.sentences import step_sentence
from rpa_vision.embedding.faiss_manager import FAISSManager
from rpa_vision.embedding.screen_observer import ScreenObserver
from rpa_vision.embedding.spaces import require_same_space
from rpa_vision.errors import EnvironmentMissingError, ParameterError, RpaVisionError
from rpa_vision.execution.action_executor import ActionExecutor, StepOutcome
from rpa_vision.execution.execution_loop import ExecutedStep, ExecutionLoop, RunOutcome, in_order
from rpa_vision.execution.guarded_desktop import GuardedDesktop, InputGate
from rpa_vision.execution.modes import cell
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.target_resolver import Resolved, TargetResolver
from rpa_vision.execution.watchdog import WatchedSupervisor
from rpa_vision.graph.node_matcher import NodeMatcher
from rpa_vision.graph.value_types import check_value
from rpa_vision.imaging.codec import decode
from rpa_vision.models.auto_heal import DisplayGeometry
from rpa_vision.models.execution import RunMode, RunReport
from rpa_vision.models.frame import Pixels
from rpa_vision.models.state_embedding import EmbeddingSpace
from rpa_vision.models.workflow_graph import PolicyCell, Workflow, WorkflowEdge
from rpa_vision.ports.audit import AuditLog
from rpa_vision.ports.desktop import Desktop
from rpa_vision.ports.runtime import Clock, Ids
from rpa_vision.ports.storage import DataDirectory
from rpa_vision.ports.supervision import Supervisor
from rpa_vision.system.failure_evidence import StepEvidence

_STEP_TIMEOUT_S = 120.0
_ASSIST_PATIENCE_S = 180.0
"""A person may take that long for a step before we stop guiding."""


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What somebody wants run."""

    workflow: Workflow
    parameters: Mapping[str, str]
    mode: RunMode = "assist"
    authorised_because: str | None = None


@dataclass(frozen=True, slots=True)
class RunTools:
    """What a run needs."""

    data: DataDirectory
    observer: ScreenObserver
    desktop: Desktop
    audit: AuditLog
    clock: Clock
    ids: Ids
    new_index: Callable[[str, EmbeddingSpace], FAISSManager]
    supervisor: Callable[[str], Supervisor]
    on_failure: Callable[[StepEvidence], None] = lambda evidence: None
    on_drift: Callable[[str, DisplayGeometry, DisplayGeometry], object] = lambda workflow_id, recorded, live: None
    secrets: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunHooks:
    """Who wants to know."""

    on_begin: Callable[[WorkflowEdge, str], None] = lambda edge, what: None
    on_step: Callable[[ExecutedStep], None] = lambda step: None
    may_go_on: Callable[[], bool] = lambda: True


def run_workflow(request: RunRequest, tools: RunTools, hooks: RunHooks | None = None) -> tuple[RunReport, str]:
    """Run, and give the report and the path of its HTML."""
    listeners = hooks or RunHooks()
    values = checked_values(request.workflow, request.parameters)
    if request.mode == "auto":
        _check_secrets(request.workflow, tools.secrets)
    run_id = tools.ids.new("run")
    began, started_at = tools.clock.monotonic(), tools.clock.now()
    refusal, act = permission(request)
    tools.audit.append(
        "run_requested",
        {
            "run_id": run_id,
            "workflow_id": request.workflow.workflow_id,
            "version": request.workflow.version,
            "mode": request.mode,
            "learning_state": request.workflow.learning_state,
            "parameters": dict(values),
            "authorised_because": request.authorised_because,
            "refused": refusal,
        },
    )
    pictures = RunPictures(run_id, tools.data.runs)
    if refusal is not None:
        outcome = RunOutcome(status="blocked", reason=refusal)
    else:
        outcome = RunOutcome()
        try:
            _execute(request.workflow, values, tools, listeners, run_id, outcome, act=act)
        except RpaVisionError as error:
            # Whatever broke, what was done so far is reported; the input of the broken step may have been sent.
            outcome.status, outcome.reason = "failed", f"{error} ({error.code})"
    duration_s = round(tools.clock.monotonic() - began, 3)
    report = _report(request, values, run_id, outcome, started_at, tools, duration_s, pictures)
    tools.audit.append("run_ended", {"run_id": run_id, "status": report.status, "reason": report.reason})
    return report, tools.data.runs.save(report, render_report(report, request.workflow, pictures))


def checked_values(workflow: Workflow, parameters: Mapping[str, str]) -> dict[str, str]:
    """The values of the variables, or a ParameterError that says which one is wrong and what it should be."""
    unknown = sorted(set(parameters) - set(workflow.variables))
    if unknown:
        known = ", ".join(sorted(workflow.variables)) or "none"
        raise ParameterError(f"workflow {workflow.name!r} has no variable {unknown[0]!r}", remedy=f"It has: {known}.")
    values: dict[str, str] = {}
    for name, variable in workflow.variables.items():
        if name in parameters and variable.subtype == "secret":
            raise ParameterError(f"variable {name!r} is a secret", remedy="Secrets come from the environment only.")
        if name in parameters:
            values[name] = check_value(name, variable, parameters[name])
        elif variable.required:
            examples = ", ".join(str(example) for example in variable.example_values[:3])
            raise ParameterError(
                f"variable {name!r} is missing", remedy=f"Add --param {name}=VALUE, for instance: {examples}."
            )
    return values


def permission(request: RunRequest) -> tuple[str | None, bool]:
    """Why the run may not take place (or None), and whether the robot acts itself in it.

    A person's authorisation lifts the question of maturity for this one run, nothing else.
    """
    allowed = cell(request.mode, request.workflow.learning_state)
    own = _own_cell(request.workflow)
    if request.mode == "shadow":
        return "shadow mode only watches: nothing is executed", False
    if request.mode == "assist":
        return None, False
    if "auto_execute" in allowed.allowed_actions and own is not None and "auto_execute" not in own.allowed_actions:
        return f"the workflow's own execution policy does not allow it at {request.workflow.learning_state}", False
    if request.workflow.safety_rules.require_confirmation_for and not request.authorised_because:
        return "the workflow holds steps that need a person's consent; give it for one run with --authorise", False
    if "auto_execute" in allowed.allowed_actions or request.authorised_because:
        return None, True
    return (
        f"{allowed.reason or 'needs step by step confirmation'}: the workflow is at {request.workflow.learning_state}; "
        'a person can authorise one run with --authorise "why"'
    ), False


def _own_cell(workflow: Workflow) -> PolicyCell | None:
    """What the workflow itself says about running alone at its level. It narrows the general table, never widens it."""
    policy = workflow.execution_policy
    return policy.auto_mode.get(workflow.learning_state) if policy is not None else None


def _check_secrets(workflow: Workflow, secrets: Mapping[str, str]) -> None:
    for edge in workflow.edges:
        wanted = edge.action.parameters.secret_ref if edge.action is not None else None
        if wanted is not None and wanted not in secrets:
            raise EnvironmentMissingError(
                f"the workflow types the secret {wanted!r}, which is not known here",
                remedy=f"Put it in the environment as RPA_VISION_SECRET_{re.sub('[-.]', '_', wanted.upper())}.",
            )


def _execute(
    workflow: Workflow,
    values: Mapping[str, str],
    tools: RunTools,
    hooks: RunHooks,
    run_id: str,
    outcome: RunOutcome,
    *,
    act: bool,
) -> None:
    gate = InputGate()
    desktop = GuardedDesktop(tools.desktop, gate)
    sight = Sight(desktop.eyes, tools.observer, tools.clock, tools.ids)
    matcher = NodeMatcher(workflow, prototype_index(workflow, tools))
    resolver, looks = TargetResolver(), _Looks(tools.data)
    _tell_drift(workflow, tools)
    executor = ActionExecutor(
        desktop,
        sight,
        matcher,
        resolver,
        tools.clock,
        looks=looks.get,
        secrets=tools.secrets,
        safety_rules=workflow.safety_rules,
        before_input=lambda edge, step: tools.audit.append("input_decided", _decision(run_id, workflow, edge, step)),
    )
    step_timeout_s = _STEP_TIMEOUT_S if act else _ASSIST_PATIENCE_S + _STEP_TIMEOUT_S
    with WatchedSupervisor(
        tools.supervisor(run_id), gate, tools.clock, workflow_id=workflow.workflow_id, step_timeout_s=step_timeout_s
    ) as supervisor:
        loop = ExecutionLoop(
            workflow,
            sight,
            matcher,
            executor,
            supervisor,
            tools.clock,
            on_step=hooks.on_step,
            before_step=lambda edge: hooks.on_begin(edge, step_sentence(edge, values)),
            may_go_on=lambda: hooks.may_go_on() and gate.is_open,
            on_failure=lambda step: tools.on_failure(
                StepEvidence(
                    step,
                    workflow,
                    values,
                    look=looks.of(step.edge),
                    secrets=tools.secrets,
                    resolver=resolver,
                    run_id=run_id,
                )
            ),
        )
        loop.run(values, outcome, act=act, patience_s=None if act else _ASSIST_PATIENCE_S)


def _tell_drift(workflow: Workflow, tools: RunTools) -> None:
    """Say when this screen is not the one of the recording."""
    place = next(
        (
            edge.action.target.place
            for edge in workflow.edges
            if edge.action is not None and edge.action.target is not None and edge.action.target.place is not None
        ),
        None,
    )
    if place is not None:
        live = tools.desktop.eyes.info()
        tools.on_drift(
            workflow.workflow_id,
            DisplayGeometry(*place.screen_resolution, place.screen_scale),
            DisplayGeometry(*live.resolution, live.scale),
        )


def _decision(run_id: str, workflow: Workflow, edge: WorkflowEdge, step: StepOutcome) -> dict[str, JsonValue]:
    """What is about to be done and why, for the audit trail."""
    resolved = step.resolution if isinstance(step.resolution, Resolved) else None
    best = resolved.best if resolved is not None else None
    second = resolved.runner_up if resolved is not None else None
    return {
        "run_id": run_id,
        "workflow_id": workflow.workflow_id,
        "step_id": edge.edge_id,
        "action": edge.action.type if edge.action is not None else None,
        "point": list(step.point) if step.point is not None else None,
        "target": best.element.label if best is not None else None,
        "bbox": list(best.element.bbox) if best is not None else None,
        "strategy": best.strategy if best is not None else None,
        "score": best.score if best is not None else None,
        "runner_up_score": second.score if second is not None else None,
    }


def prototype_index(workflow: Workflow, tools: RunTools) -> FAISSManager:
    """The index of the workflow's prototypes, rebuilt from the vectors on disk."""
    space = tools.observer.embedder.space
    dimensions = space.dimensions or 0
    index = tools.new_index(workflow.workflow_id, space)
    for node in workflow.nodes:
        prototype = node.screen_template.embedding_prototype
        if prototype is not None:
            require_same_space(prototype.space_id, space.id)
            vector = tools.data.vectors.load(prototype.vector_id, dimensions=dimensions)
            index.add_embedding(vector, {"workflow_id": workflow.workflow_id, "node_id": node.node_id})
    return index


class _Looks:
    """Recorded pictures of targets, read once."""

    def __init__(self, data: DataDirectory) -> None:
        self._data = data
        self._known: dict[str, Pixels] = {}

    def of(self, edge: WorkflowEdge) -> Pixels | None:
        target = edge.action.target if edge.action is not None else None
        return self.get(target.look.image_path) if target is not None and target.look is not None else None

    def get(self, path: str) -> Pixels | None:
        if path not in self._known:
            self._known[path] = decode(self._data.pictures.load(path))
        return self._known[path]


def _report(
    request: RunRequest,
    values: Mapping[str, str],
    run_id: str,
    outcome: RunOutcome,
    started_at: datetime,
    tools: RunTools,
    duration_s: float,
    pictures: RunPictures,
) -> RunReport:
    steps = tuple(
        step_report(index, step, step_sentence(step.edge, values), pictures) for index, step in enumerate(outcome.steps)
    )
    reason = outcome.reason
    if outcome.status == "success":
        reason = f"all {len(in_order(request.workflow))} steps verified"
    return RunReport(
        run_id=run_id,
        workflow_id=request.workflow.workflow_id,
        workflow_name=request.workflow.name,
        workflow_version=request.workflow.version,
        mode=request.mode,
        status=outcome.status,
        reason=reason,
        authorised_because=request.authorised_because,
        parameters=dict(values),
        started_at=started_at,
        ended_at=tools.clock.now(),
        duration_s=duration_s,
        steps=steps,
        screen_resolution=tools.desktop.eyes.info().resolution,
    )
