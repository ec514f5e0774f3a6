"""`rpa-vision failures`: what failed, with its evidence."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from rpa_vision.cli.output import EXIT_FAILED, DataOption, JsonOption, note, print_json, table
from rpa_vision.cli.times import SinceOption, minute

app = typer.Typer(help="Failure cases: list them, show one, look for its target again.")

WorkflowOption = Annotated[
    str | None, typer.Option("--workflow", metavar="WORKFLOW", help="Of this workflow only, by id or name.")
]
StepOption = Annotated[str | None, typer.Option("--step", metavar="ID", help="Of this step only.")]
KindOption = Annotated[
    str | None, typer.Option("--kind", metavar="KIND", help="Failed in this way only: TARGET_NOT_FOUND, ….")
]


@app.command("list")
def list_failures(
    workflow: WorkflowOption = None,
    step: StepOption = None,
    kind: KindOption = None,
    since: SinceOption = None,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """List failure cases, the last seen first."""
    from rpa_vision.app import failures as use_case
    from rpa_vision.app import wiring
    from rpa_vision.app.wiring_auto_heal import failure_cases

    store = wiring.existing_data_directory(data)
    cases = failure_cases(store)
    if workflow is not None:
        workflow = use_case.workflow_of_cases(workflow, store.workflows, cases)
    listing = use_case.list_cases(cases, _filter(workflow, step, kind, since))
    if json_output:
        print_json(
            {
                "cases": [case.to_json() for case in listing.items],
                "unreadable": [{"name": bad.name, "problem": bad.problem} for bad in listing.unreadable],
            }
        )
        return
    rows = [
        [case.case_id, case.workflow_id, case.step_id, case.failure_kind or "stopped", str(case.occurrences),
         minute(case.last_seen.isoformat()), case.message]
        for case in listing.items
    ]  # fmt: skip
    if rows:
        table("Failure cases", ["case", "workflow", "step", "kind", "seen", "last", "message"], rows)
    else:
        typer.echo("No failure case." if not listing.unreadable else "No failure case that can be read.")
    for bad in listing.unreadable:
        note(f"cannot read {bad.name}: {bad.problem}")


@app.command("show")
def show(
    case: Annotated[str, typer.Argument(metavar="CASE", help="Id of a failure case.")],
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Show one case: what was expected and seen, which candidates there were, on which terms."""
    from rpa_vision.app import wiring
    from rpa_vision.app.failures import show_case
    from rpa_vision.app.wiring_auto_heal import failure_cases

    store = wiring.existing_data_directory(data)
    document = show_case(failure_cases(store), case)
    if json_output:
        print_json(document.to_json())
        return
    _print_case(document)
    screen = store.paths.failure_file(document.case_id, "screen.png")
    typer.echo(f"  folder: {screen.parent}")
    typer.echo(f"  screenshot: {screen if screen.is_file() else 'none was kept'}")
    after = store.paths.failure_file(document.case_id, "after.png")
    if after.is_file():
        typer.echo(f"  after the input: {after}")
    if document.run_id is not None:
        report = store.paths.run_file(document.run_id, "report.html")
        typer.echo(f"  run: {document.run_id}{f', report: {report}' if report.is_file() else ''}")


@app.command("replay")
def replay(
    case: Annotated[str | None, typer.Argument(metavar="[CASE]", help="Id of a failure case.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Replay every case.")] = False,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Look for the target again on the stored screen. Exit code 1 if the program answers differently now."""
    from rpa_vision.app import failures as use_case
    from rpa_vision.app import wiring
    from rpa_vision.app.wiring_auto_heal import failure_cases
    from rpa_vision.errors import UsageError

    if (case is None) is not every:
        raise UsageError("one case or --all is to be replayed", remedy="Give a case, as `failures list` shows them.")
    cases = failure_cases(wiring.existing_data_directory(data))
    replays = {case: use_case.replay_case(cases, case)[1].to_json()} if case else use_case.replay_all(cases)
    verdicts = [one["verdict"] for one in replays.values()]
    counts = {word: verdicts.count(word) for word in ("same", "different", "new", "not_replayable")}
    if json_output:
        print_json({"replays": [{"case_id": name, **one} for name, one in replays.items()], "counts": counts})
    elif replays:
        rows = [
            [name, one["verdict"].replace("_", " "), (one["outcome"] or "").replace("_", " "), one["why"], _best(one)]
            for name, one in replays.items()
        ]
        table("Replayed", ["case", "verdict", "target now", "why", "best candidate now"], rows)
        typer.echo(", ".join(f"{count} {word.replace('_', ' ')}" for word, count in counts.items() if count))
    else:
        typer.echo("No failure case.")
    if counts["different"]:
        raise typer.Exit(EXIT_FAILED)


def _filter(workflow: str | None, step: str | None, kind: str | None, since: str | None) -> Any:
    from rpa_vision.app import wiring
    from rpa_vision.app.failures import CaseFilter, failure_kind
    from rpa_vision.app.heal import moment

    return CaseFilter(
        workflow_id=workflow,
        step_id=step,
        failure_kind=failure_kind(kind) if kind is not None else None,
        since=moment(since, wiring.clock().now()) if since is not None else None,
    )


def _print_case(case: Any) -> None:
    by_hand = case.failure_kind is None and case.result.status == "blocked"
    what = "stopped without a failed step" if by_hand else (case.failure_kind or "failed")
    at = case.workflow_id if case.step_id == "no-step" else f"{case.workflow_id} / {case.step_id}"
    typer.echo(f"{case.case_id}: {what} at {at}")
    typer.echo(f"  {case.result.message}")
    seen = f"{case.occurrences} times, " if case.occurrences > 1 else "once, "
    typer.echo(f"  seen {seen}first {minute(case.first_seen.isoformat())}, last {minute(case.last_seen.isoformat())}")
    for title, text in (("expected", case.expected), ("observed", case.observed)):
        if text:
            typer.echo(f"  {title}: {text}")
    version = f"v{case.workflow_version:03d}" if case.workflow_version else "unknown"
    sent = "" if by_hand else f"input was {'sent' if case.input_sent else 'not sent'}; "
    typer.echo(f"  {sent}version {version}")
    if case.terms is not None:
        terms = f"confidence ≥ {case.terms.min_confidence:g}, margin ≥ {case.terms.min_margin:g}"
        typer.echo(f"  terms: {case.terms.state}, {terms}, policy {case.terms.policy_digest}")
    if case.resolution is not None:
        typer.echo(f"  the target was {case.resolution.outcome.replace('_', ' ')}: {case.resolution.message}")
        rows = [
            [one.element_id, one.label, f"{one.score:.4f}", one.strategy, "; ".join(one.reasons)]
            for one in case.resolution.candidates
        ]
        if rows:
            table("Candidates", ["element", "label", "score", "strategy", "why"], rows)
    nodes = [[one.node_id, one.label, f"{one.confidence:.3f}"] for one in case.node_scores[:5]]
    if nodes:
        table("Which screen it could have been", ["node", "label", "confidence"], nodes)
    if case.report is not None:
        typer.echo(f"  the scenario's simulation: {'passed' if case.report.get('passed') else 'not passed'}")


def _best(replayed: dict[str, Any]) -> str:
    best = next(iter(replayed["candidates"]), None)
    return f"{best['element_id']} « {best['label']} » {best['score']:.4f}" if best is not None else ""
