"""Run a workflow: check what was asked, ask what is allowed, execute, and report."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import PurePath

from rpa_vision.app.consent import Consent
from rpa_vision.app.heal_proposals import Decision
from rpa_vision.app.kept_level import lost_level
from rpa_vision.app.learned_with import warnings_of
from rpa_vision.app.licence import licence_of, may_go_on_alone, offer, way_of, without_consent
from rpa_vision.app.list_journal import NOTHING_LEFT, ListJournal
from rpa_vision.app.maturity import counted_run
from rpa_vision.app.report import RunPictures, render_report, step_report
from rpa_vision.app.run_heals import lost_heals
from rpa_vision.app.run_tools import RunHooks, RunRequest, RunTools
from rpa_vision.app.run_values import check_secrets, checked_values, hidden_in, hidden_values
from rpa_vision.app.sentences import step_sentence
from rpa_vision.app.stopping import announced, heeding_stops
from rpa_vision.app.supervised_run import SupervisedRun
from rpa_vision.app.triggered_runs import trigger
from rpa_vision.errors import DesktopError, RpaVisionError
from rpa_vision.execution.guarded_desktop import InputGate
from rpa_vision.execution.modes import Licence
from rpa_vision.execution.obstacles import plan_or_obstacle
from rpa_vision.execution.run_outcome import ExecutedStep, RunOutcome
from rpa_vision.graph.plan import Plan
from rpa_vision.learning.live_state import at_exactly
from rpa_vision.models.document import JsonObject
from rpa_vision.models.execution import RunReport, StepReport
from rpa_vision.models.geometry import Point
from rpa_vision.ports.desktop import Desktop
from rpa_vision.system.failure_evidence import without_secrets

__all__ = ["RunHooks", "RunRequest", "RunTools", "checked_values", "keep_heals", "run_workflow"]


def run_workflow(
    request: RunRequest, tools: RunTools, hooks: RunHooks | None = None, gate: InputGate | None = None
) -> tuple[RunReport, str]:
    """Run, and give the report and the path of its HTML. A run inside another shares its gate."""
    listeners = hooks or RunHooks()
    values = checked_values(request.workflow, request.parameters, tools.clock.now())
    if request.mode == "auto":
        check_secrets(request.workflow, tools.secrets)
    run_id, started_at = tools.ids.new("run"), tools.clock.now()
    with announced(tools.running, run_id, request.workflow.workflow_id, started_at):
        return _run(request, values, tools, listeners, run_id, started_at, gate)


def _run(
    request: RunRequest,
    values: dict[str, str],
    tools: RunTools,
    listeners: RunHooks,
    run_id: str,
    started_at: datetime,
    gate: InputGate | None,
) -> tuple[RunReport, str]:
    began = tools.clock.monotonic()
    known = tools.maturity.settle(request.workflow) if tools.maturity is not None else None
    if known is not None:
        request = replace(request, workflow=at_exactly(request.workflow, known.state))
    given = licence_of(request, known, person_is_there=listeners.person is not None)
    lists = _lists(request, values, run_id, tools) if given.act else None
    refusal = given.refusal
    if refusal is None and given.act:
        refusal = _already_done(request, lists, tools)
    _note_request(request, run_id, values, refusal, tools)
    needing = frozenset(without_consent(request.workflow, known))
    consent = Consent(given, listeners.person, needing, lambda kind, record: run.note(kind, record))
    pictures, steps = RunPictures(run_id, tools.data.runs), list[StepReport]()
    shared = gate if gate is not None else InputGate()
    sent_before = shared.sent
    sent_now = _since_last_asked(shared)
    run = SupervisedRun(
        request,
        values,
        tools,
        listeners,
        run_id,
        act=given.act,
        may_act=lambda workflow: may_go_on_alone(request, workflow, given),
        lost=lost_level(request, tools.maturity),
        trigger=trigger(
            request, run_id, tools, listeners, lambda inner, own, hear: run_workflow(inner, own, hear, shared)[0]
        ),
        gate=shared,
        write_down=lambda step: _writing_down(steps, step, pictures, run, sent_now()),
        consent=consent,
        lists=lists,
    )
    outcome = run.outcome
    if refusal is not None:
        outcome.status, outcome.reason = "blocked", refusal
    else:
        try:
            if given.proposes and not consent.takes_offer(request.workflow.name, offer(given)):
                run.let_person_act()
            refusal = _taken_meanwhile(request, lists, run, tools)
            if refusal is not None:
                outcome.status, outcome.reason = "blocked", refusal
            else:
                with heeding_stops(tools.running, run_id, started_at, shared):
                    run.execute()
        except Exception as error:
            # The top of a run. Whatever broke, a fault of ours too, what was done so far is reported: the input of the
            # broken step may have been sent, and nobody else could tell.
            outcome.status, outcome.reason = "failed", without_secrets(_why(error), tools.secrets)
    if lists is not None:
        _finish(lists, run, tools)
    if run.notes is not None:
        run.notes.finish()
    duration_s = round(tools.clock.monotonic() - began, 3)
    sent = shared.sent > sent_before
    report = _report(request, values, run_id, run, started_at, tools, duration_s, steps, sent=sent)
    tools.audit.append("run_ended", {"run_id": run_id, "status": report.status, "reason": report.reason})
    if refusal is None:
        stopped = run.was_stopped or (not shared.is_open and not run.timed_out)
        _count(request, run_id, run, given, consent, tools, stopped=stopped)
    path = tools.data.runs.save(report, render_report(report, pictures, tools.language))
    if request.keeps_heals and request.depth == 0:
        keep_heals(request.workflow.workflow_id, tools)
    return report, path


def _lists(request: RunRequest, values: Mapping[str, str], run_id: str, tools: RunTools) -> ListJournal | None:
    if tools.lists is None:
        return None
    return ListJournal(tools.lists(request.workflow), request.workflow, run_id, values, tools.clock)


def _already_done(request: RunRequest, lists: ListJournal | None, tools: RunTools) -> str | None:
    """Why rows of a list would be done twice."""
    if lists is None:
        return NOTHING_LEFT if request.rest else None
    return lists.check(_going(tools), rest=request.rest, again=request.again)


def _taken_meanwhile(request: RunRequest, lists: ListJournal | None, run: SupervisedRun, tools: RunTools) -> str | None:
    """Why rows of a list would be done twice after all: a run that began in the same moment has it. Else it is ours."""
    if lists is None:
        return None
    return lists.take(lambda: _going(tools), run.progress, rest=request.rest, again=request.again)


def _going(tools: RunTools) -> set[str]:
    return {one.run_id for one in tools.running.all()} if tools.running is not None else set()


def _finish(lists: ListJournal, run: SupervisedRun, tools: RunTools) -> None:
    """What cannot be written down now stays open: the next run asks."""
    try:
        lists.finish(run.outcome, run.progress)
    except RpaVisionError as error:
        tools.audit.append("supervisor_trouble", {"what": "keeping the rows of a list", "error": str(error)})


def _note_request(
    request: RunRequest, run_id: str, values: Mapping[str, str], refusal: str | None, tools: RunTools
) -> None:
    """Before anything is done it is written down who wanted what, and what was answered."""
    tools.audit.append(
        "run_requested",
        {
            "run_id": run_id,
            "workflow_id": request.workflow.workflow_id,
            "version": request.workflow.version,
            "mode": request.mode,
            "learning_state": request.workflow.learning_state,
            "parameters": _public(request, values, tools),
            "authorised_because": request.authorised_because,
            "from_here": request.from_here,
            "triggered_by": request.triggered_by,
            "who": request.who,
            "refused": refusal,
        },
    )


def _public(request: RunRequest, values: Mapping[str, str], tools: RunTools) -> JsonObject:
    """What was given, without what is a secret, however it is called."""
    given: JsonObject = without_secrets(dict(values), hidden_values(request.workflow, values, tools.secrets))
    return given


def keep_heals(workflow_id: str, tools: RunTools) -> list[Decision]:
    """Keep the heals that enough runs have verified. What goes wrong with that is no fault of the run."""
    try:
        return tools.proposals.keep_proven(workflow_id) if tools.proposals is not None else []
    except RpaVisionError as error:
        tools.audit.append("supervisor_trouble", {"what": "keeping heals", "error": str(error)})
        return []


def _count(
    request: RunRequest,
    run_id: str,
    run: SupervisedRun,
    given: Licence,
    consent: Consent,
    tools: RunTools,
    *,
    stopped: bool,
) -> None:
    """Let the run count for or against the workflow's autonomy, and stop what must not go on. That it could not be
    counted is no fault of the run."""
    if tools.maturity is None:
        return
    workflow_id, outcome = request.workflow.workflow_id, run.outcome
    counted = counted_run(
        run_id,
        way_of(request, given, acts=run.acts),
        outcome,
        stopped=stopped or consent.stopped,
        rolled_back=run.was_rolled_back,
        said_no=consent.said_no,
        strict=given.rollback_on_error,
        whole=_began_at_the_beginning(request, outcome),
    )
    try:
        tools.maturity.count(workflow_id, counted, workflow=request.workflow)
        if counted.anomaly is not None and given.pause_on_anomaly and consent.said_no is None:
            tools.on_anomaly(workflow_id, counted.anomaly)
    except RpaVisionError as error:
        tools.audit.append("supervisor_trouble", {"what": "counting a run", "error": str(error)})


def _began_at_the_beginning(request: RunRequest, outcome: RunOutcome) -> bool:
    """Whether the whole workflow was done, and not what was left of it on the screen shown."""
    if request.first_step is None and not request.from_here:
        return True
    plan = plan_or_obstacle(request.workflow)
    return bool(outcome.steps) and isinstance(plan, Plan) and outcome.steps[0].edge.edge_id == plan.first


def _report(
    request: RunRequest,
    values: Mapping[str, str],
    run_id: str,
    run: SupervisedRun,
    started_at: datetime,
    tools: RunTools,
    duration_s: float,
    steps: Sequence[StepReport],
    *,
    sent: bool,
) -> RunReport:
    outcome, hidden = run.outcome, run.hidden
    if outcome.steps:
        hidden = hidden_in(run.workflow, hidden, outcome.steps[-1].outcome.extracted)
    reason = str(without_secrets(outcome.reason, hidden))
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
        parameters=_public(request, values, tools),
        started_at=started_at,
        ended_at=tools.clock.now(),
        duration_s=duration_s,
        steps=tuple(steps),
        screen_resolution=_resolution(tools.desktop),
        values=without_secrets(dict(run.progress.values), hidden),
        input_sent=sent,
        triggered_by=request.triggered_by,
        warnings=(*warnings_of(request.workflow, tools.observer.perception), *lost_heals(run.lost_heals)),
    )


def _writing_down(
    steps: list[StepReport], step: ExecutedStep, pictures: RunPictures, run: SupervisedRun, sent: bool
) -> Callable[[], None]:
    """What reports a step, with what is to be hidden as it is known now."""
    hidden = hidden_in(run.workflow, run.hidden, step.outcome.extracted)
    sentence = step_sentence(step.edge, step.values)
    return lambda: steps.append(step_report(len(steps), step, sentence, pictures, hidden, sent=sent))


def _since_last_asked(gate: InputGate) -> Callable[[], bool]:
    """Says whether anything passed the gate since it was last asked, or else since now: steps follow each other."""
    counted = gate.sent

    def anything() -> bool:
        nonlocal counted
        before, counted = counted, gate.sent
        return counted > before

    return anything


def _all_is_well(run: SupervisedRun) -> str:
    verified = sum(step.outcome.verified for step in run.outcome.steps)
    reason = f"all {verified} steps verified" if verified != 1 else "the only step verified"
    if run.rolled_back_to is not None:
        reason += f", after going back to version {run.rolled_back_to}"
    rows = sum(rounds.count for rounds in run.progress.rounds.values())
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
