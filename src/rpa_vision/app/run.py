"""Run a workflow: check what was asked, ask what is allowed, execute, and report."""

from __future__ import annotations

import traceback
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import PurePath

from rpa_vision.app.report import RunPictures, render_report, step_report
from rpa_vision.app.run_tools import RunHooks, RunRequest, RunTools
from rpa_vision.app.run_values import check_secrets, checked_values
from rpa_vision.app.sentences import step_sentence
from rpa_vision.app.supervised_run import SupervisedRun
from rpa_vision.app.triggered_runs import trigger
from rpa_vision.errors import DesktopError, RpaVisionError
from rpa_vision.execution.guarded_desktop import InputGate
from rpa_vision.execution.modes import cell
from rpa_vision.execution.run_outcome import ExecutedStep
from rpa_vision.models.execution import RunReport, StepReport
from rpa_vision.models.geometry import Point
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.models.workflow_standing import PolicyCell
from rpa_vision.ports.desktop import Desktop
from rpa_vision.system.failure_evidence import without_secrets

__all__ = ["RunHooks", "RunRequest", "RunTools", "checked_values", "permission", "run_workflow"]


def run_workflow(
    request: RunRequest, tools: RunTools, hooks: RunHooks | None = None, gate: InputGate | None = None
) -> tuple[RunReport, str]:
    """Run, and give the report and the path of its HTML. A run inside another shares its gate."""
    listeners = hooks or RunHooks()
    values = checked_values(request.workflow, request.parameters, tools.clock.now())
    if request.mode == "auto":
        check_secrets(request.workflow, tools.secrets)
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
            "from_here": request.from_here,
            "triggered_by": request.triggered_by,
            "refused": refusal,
        },
    )
    pictures, steps = RunPictures(run_id, tools.data.runs), list[StepReport]()
    shared = gate if gate is not None else InputGate()
    run = SupervisedRun(
        request,
        values,
        tools,
        listeners,
        run_id,
        act=act,
        may_act=lambda workflow: permission(replace(request, workflow=workflow)) == (None, True),
        trigger=trigger(
            request, run_id, tools, listeners, lambda inner, own, hear: run_workflow(inner, own, hear, shared)[0]
        ),
        gate=shared,
        write_down=lambda step: steps.append(_written(len(steps), step, pictures, run.hidden)),
    )
    outcome = run.outcome
    if refusal is not None:
        outcome.status, outcome.reason = "blocked", refusal
    else:
        try:
            run.execute()
        except Exception as error:
            # The top of a run. Whatever broke, a fault of ours too, what was done so far is reported: the input of the
            # broken step may have been sent, and nobody else could tell.
            outcome.status, outcome.reason = "failed", without_secrets(_why(error), tools.secrets)
    duration_s = round(tools.clock.monotonic() - began, 3)
    report = _report(request, values, run_id, run, started_at, tools, duration_s, steps)
    tools.audit.append("run_ended", {"run_id": run_id, "status": report.status, "reason": report.reason})
    return report, tools.data.runs.save(report, render_report(report, run.workflow, pictures))


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


def _report(
    request: RunRequest,
    values: Mapping[str, str],
    run_id: str,
    run: SupervisedRun,
    started_at: datetime,
    tools: RunTools,
    duration_s: float,
    steps: Sequence[StepReport],
) -> RunReport:
    outcome, hidden = run.outcome, run.hidden
    reason = outcome.reason
    if outcome.status == "success":
        reason = _all_is_well(run)
    return RunReport(
        run_id=run_id,
        workflow_id=request.workflow.workflow_id,
        workflow_name=request.workflow.name,
        workflow_version=request.workflow.version,
        mode=request.mode,
        rolled_back_to=run.rolled_back_to,
        status=outcome.status,
        reason=reason,
        authorised_because=request.authorised_because,
        parameters=dict(values),
        started_at=started_at,
        ended_at=tools.clock.now(),
        duration_s=duration_s,
        steps=tuple(steps),
        screen_resolution=_resolution(tools.desktop),
        values=without_secrets(dict(run.progress.values), hidden),
        input_sent=any(step.outcome.input_sent for step in outcome.steps),
        triggered_by=request.triggered_by,
    )


def _written(index: int, step: ExecutedStep, pictures: RunPictures, hidden: Mapping[str, str]) -> StepReport:
    return step_report(index, step, step_sentence(step.edge, step.values), pictures, hidden)


def _all_is_well(run: SupervisedRun) -> str:
    reason = f"all {len(run.outcome.steps)} steps verified"
    if run.rolled_back_to is not None:
        verified = sum(step.outcome.verified for step in run.outcome.steps)
        reason = f"all {verified} steps verified, after going back to version {run.rolled_back_to}"
    rows = sum(len(rounds.done) for rounds in run.progress.rounds.values())
    if run.progress.rounds:
        reason += f", {rows} row{'' if rows == 1 else 's'} done"
    if run.progress.recoveries:
        times = "once" if run.progress.recoveries == 1 else f"{run.progress.recoveries} times"
        reason += f", interrupted {times}"
    return reason


def _resolution(desktop: Desktop) -> Point | None:
    try:
        return desktop.eyes.info().resolution
    except DesktopError:  # the display may be what broke
        return None


def _why(error: Exception) -> str:
    """What broke a run. A fault of the program is told with its place, as nothing else of it is kept."""
    if isinstance(error, RpaVisionError):
        return f"{error} ({error.code})"
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"unexpected {type(error).__name__}: {error} ({PurePath(place.filename).name}:{place.lineno})"
