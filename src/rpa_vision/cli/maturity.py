"""`rpa-vision workflows maturity | approve | withdraw`: how far a workflow has come, and who lets it run alone."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from rpa_vision.cli.output import DataOption, JsonOption, print_json, table
from rpa_vision.cli.standings import standing_words
from rpa_vision.cli.times import minute

_WorkflowArgument = Annotated[str, typer.Argument(metavar="WORKFLOW", help="Id or name of a workflow.")]
_ReasonOption = Annotated[str, typer.Option("--reason", metavar="WHY", help="Why; goes into the audit trail.")]


_HOW_TO_GROW = {
    "OBSERVATION": "work as always beside rpa-vision observe, or record it again and learn",
    "COACHING": "do it yourself, guided: rpa-vision run {workflow} --mode assist",
    "AUTO_CANDIDATE": "let it be done, agreeing to each step: rpa-vision run {workflow} --mode auto",
}
"""What a person does to bring a workflow on."""


def maturity(workflow: _WorkflowArgument, data: DataOption = None, json_output: JsonOption = False) -> None:
    """Say how far a workflow has come, and what is missing for the next level."""
    from rpa_vision.app import wiring
    from rpa_vision.app.approve import evidence
    from rpa_vision.app.wiring_auto_heal import auto_heal

    store = wiring.existing_data_directory(data)
    document = store.workflows.load(workflow)
    with auto_heal(store, quiet=True) as heal:
        seen = evidence(heal, document)
    if json_output:
        print_json(seen.to_json())
        return
    _show(seen)


def approve(
    workflow: _WorkflowArgument,
    reason: _ReasonOption,
    acknowledge: Annotated[
        bool, typer.Option("--acknowledge", help="I saw that the runs prove little (a lower bound below .75).")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask: I have seen the evidence.")] = False,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Let a workflow run alone. What speaks for it is shown first."""
    from rpa_vision.app import approve as use_case
    from rpa_vision.app import wiring
    from rpa_vision.app.wiring_auto_heal import auto_heal, person
    from rpa_vision.errors import UsageError

    store = wiring.existing_data_directory(data)
    document = store.workflows.load(workflow)
    with auto_heal(store, quiet=True) as heal:
        seen = use_case.evidence(heal, document)
        if not json_output:
            _show(seen)
        if not yes:
            if json_output or not sys.stdin.isatty():
                raise UsageError("nobody is there to say yes", remedy="Add --yes once you have seen the evidence.")
            typer.confirm("Let it run alone?", abort=True, err=True)
        known = use_case.approve(
            heal, document.workflow_id, seen.seen, who=person(), reason=reason, acknowledge=acknowledge
        )
        after = use_case.evidence(heal, document)
    if json_output:
        print_json(after.to_json())
        return
    typer.echo(f"{known.workflow_id} is at {known.state} now: it runs alone, and goes back to COACHING if it fails")


def withdraw(
    workflow: _WorkflowArgument, reason: _ReasonOption, data: DataOption = None, json_output: JsonOption = False
) -> None:
    """Take back that a workflow may run alone: it is at COACHING again."""
    from rpa_vision.app import approve as use_case
    from rpa_vision.app import wiring
    from rpa_vision.app.wiring_auto_heal import auto_heal, person

    store = wiring.existing_data_directory(data)
    document = store.workflows.load(workflow)
    with auto_heal(store, quiet=True) as heal:
        known = use_case.withdraw(heal, document, who=person(), reason=reason)
        after = use_case.evidence(heal, document)
    if json_output:
        print_json(after.to_json())
        return
    typer.echo(f"{known.workflow_id} is at {known.state} again")


def level_words(known: Any, before: str) -> str:
    """A change of level, for a person."""
    what = f"the workflow is at {known.state} now, and was at {before}"
    return f"{what}\n  do: rpa-vision workflows maturity {known.workflow_id}"


def _show(seen: Any) -> None:
    """The evidence, for a person."""
    from rpa_vision.app.status import need_words
    from rpa_vision.learning.maturity_rules import MIN_LOWER_BOUND, recent_confidence

    known, above = seen.maturity, seen.next_level
    since = f" since {minute(known.since.isoformat())}" if known.since is not None else ""
    typer.echo(f"{seen.workflow_id} « {seen.name} » (version {seen.version}) is at {known.state}{since}")
    candidate, alone = known.auto_candidate_runs, known.auto_confirmed_runs
    rows = [
        ["observed", str(known.observed_runs), _percent(known.avg_similarity, "alike")],
        ["assisted, at this level", str(known.assist_runs), _share(known.assist_successes, known.assist_runs)],
        ["supervised", str(candidate), _share(known.auto_candidate_successes, candidate)],
        ["alone", str(alone), _share(known.auto_confirmed_successes, alone)],
        ["authorised (earn nothing)", str(known.authorised_runs), ""],
        ["not verified (do not count)", str(known.unverified_runs), ""],
    ]
    table("Runs", ["kind", "runs", "of them"], rows)
    if seen.lower_bound is not None:
        thin = (
            f", which is below {MIN_LOWER_BOUND:.2f}: approving it takes --acknowledge"
            if seen.needs_acknowledgement
            else ""
        )
        typer.echo(f"these runs prove a true success rate of at least {seen.lower_bound:.2f} (Wilson, 95 %){thin}")
    if known.recent:
        typer.echo(f"confidence of the last runs: {recent_confidence(known):.3f} (below .90 it goes back to COACHING)")
    for step, words in seen.consent_steps:
        typer.echo(f"needs consent, given by approving: {step}: {words}")
    if above.following is None:
        typer.echo("there is no level above")
    elif above.missing:
        typer.echo(f"missing for {above.following}: {'; '.join(need_words(need) for need in above.missing)}")
        typer.echo(f"  do: {_HOW_TO_GROW[known.state].format(workflow=seen.workflow_id)}")
    else:
        typer.echo(f"all that {above.following} asks for is there; a person has to approve")
    for change in seen.changes:
        way = f"{change['from_state']} → {change['to_state']}"
        typer.echo(f"  {minute(change['at'])} {way}, by {change['who']}: {change['reason']}")
    if not seen.supervisor.runs:
        typer.echo(standing_words(seen.supervisor, is_news=False))


def _share(part: int, whole: int) -> str:
    return f"{part} succeeded ({part / whole:.0%})" if whole else ""


def _percent(value: float | None, what: str) -> str:
    return f"{value:.0%} {what}" if value is not None else ""
