"""`rpa-vision simulate`: what the supervisor would do, in virtual time."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import typer

from rpa_vision.cli.output import EXIT_FAILED, DataOption, JsonOption, note, print_json, table
from rpa_vision.cli.times import minute


def simulate(
    scenario: Annotated[Path | None, typer.Argument(metavar="[SCENARIO]", help="A scenario file (YAML).")] = None,
    what_if: Annotated[
        Path | None,
        typer.Option("--what-if", metavar="POLICY", help="Play the real audit trail again under this policy file."),
    ] = None,
    workflow: Annotated[
        str | None,
        typer.Option("--workflow", metavar="WORKFLOW", help="With --what-if: of this workflow only, by id or name."),
    ] = None,
    history: Annotated[
        Path | None,
        typer.Option("--history", metavar="FILE", help="An audit trail (JSONL) to play instead of the usual one."),
    ] = None,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Play a scenario, or the recorded history under another policy. Exit code 1: an expectation was not met."""
    from rpa_vision.app import simulate as use_case
    from rpa_vision.app import wiring
    from rpa_vision.app.wiring_auto_heal import audit_entries, policy_in, scenario_files
    from rpa_vision.errors import UsageError

    if (scenario is None) is (what_if is None):
        raise UsageError("either a scenario or --what-if is to be played", remedy="See `rpa-vision simulate --help`.")
    if scenario is not None:
        if workflow is not None:
            raise UsageError("--workflow goes with --what-if", remedy="A scenario names its workflow itself.")
        report = use_case.simulate_file(scenario, scenario_files(), audit_entries, history=history)
        print_json(report.to_json()) if json_output else _print_simulation(report)
        if not report.passed:
            raise typer.Exit(EXIT_FAILED)
        return
    assert what_if is not None
    policy = policy_in(what_if).to_json()
    if history is None:
        store = wiring.existing_data_directory(data)
        trail, name = store.paths.audit, use_case.id_if_known(workflow, store.workflows)
    else:
        trail, name = history, workflow
    compared = use_case.compare_policies(trail, audit_entries, policy, workflow_id=name)
    print_json(compared.to_json()) if json_output else _print_what_if(compared)


def _print_simulation(report: Any) -> None:
    steps = report.steps
    typer.echo(f"{report.scenario} ({report.workflow_id}, policy {report.policy_mode}, {report.duration_s:g} s)")
    counts = f"{steps.executed} executed, {steps.refused} refused, {steps.succeeded} succeeded, {steps.failed} failed"
    typer.echo(f"  steps: {steps.asked} asked, {counts}")
    if report.transitions:
        table("Changes of state", _COLUMNS, _transitions(report.transitions))
    for alert in report.alerts:
        typer.echo(f"  alert at {alert.at_s:g} s: {alert.kind}: {alert.message}")
    states = ", ".join(f"{name} {state}" for name, state in report.final_states.items())
    typer.echo(f"  in the end: {states}")
    if report.expectations:
        rows = [[one.expected, "yes" if one.met else "NO", one.seen] for one in report.expectations]
        table("Expected", ["what", "met", "seen"], rows)
    for problem in report.problems:
        note(f"trouble: {problem}")
    typer.echo("passed" if report.passed else "not passed")


def _print_what_if(report: Any) -> None:
    typer.echo(
        f"policy {report.policy_mode} ({report.policy_digest}): of {report.decisions} decisions "
        f"{report.same_decisions} the same, {report.now_refused} refused now, {report.now_allowed} allowed now"
    )
    for title, transitions in (("Only then", report.only_then), ("Only now", report.only_now)):
        if transitions:
            table(title, _COLUMNS, _transitions(transitions, report.started_at))
    if not (report.only_then or report.only_now):
        typer.echo("  every change of state is the same")
    for name, state in report.final_states_now.items():
        typer.echo(f"  {name}: then {report.final_states_then.get(name, 'running')}, now {state}")
    if report.unknown_results:
        steps = "1 step" if report.unknown_results == 1 else f"{report.unknown_results} steps"
        note(f"{steps} would have been allowed that had been refused; nobody knows how they would have ended")
    for text in report.notes:
        note(text)


_COLUMNS = ["at", "workflow", "from", "to", "who", "why"]


def _transitions(transitions: Any, began: datetime | None = None) -> list[list[str]]:
    """Of what really happened, by date; of a scenario, in seconds since its beginning."""
    return [
        [
            f"{one.at_s:g} s" if began is None else minute((began + timedelta(seconds=one.at_s)).isoformat()),
            one.workflow_id,
            one.from_state,
            one.to_state,
            one.who,
            one.reason,
        ]
        for one in transitions
    ]
