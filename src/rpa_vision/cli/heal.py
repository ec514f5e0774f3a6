"""`rpa-vision heal`: what the supervisor thinks of each workflow, and what people tell it to do."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from rpa_vision.cli import heal_proposals, heal_questions
from rpa_vision.cli.output import EXIT_FAILED, DataOption, JsonOption, note, print_json, table
from rpa_vision.cli.times import SinceOption, minute, percent, span

app = typer.Typer(help="States of workflows, proposals of healing, questions of lost runs; go back to what was.")
audit_app = typer.Typer(help="The audit trail.")
app.add_typer(audit_app, name="audit")
app.command("proposals")(heal_proposals.proposals)
app.command("accept")(heal_proposals.accept)
app.command("reject")(heal_proposals.reject)
app.command("questions")(heal_questions.questions)
app.command("answer")(heal_questions.answer)

WorkflowArgument = Annotated[str, typer.Argument(metavar="WORKFLOW", help="Id or name of a workflow.")]
AnyWorkflowArgument = Annotated[
    str | None, typer.Argument(metavar="[WORKFLOW]", help="Id or name of a workflow; without it, all.")
]
ReasonOption = Annotated[str, typer.Option("--reason", metavar="WHY", help="Why; kept in the audit trail.")]


class State(StrEnum):
    """Where a workflow can be sent by hand."""

    RUNNING = "running"
    DEGRADED = "degraded"
    QUARANTINED = "quarantined"
    ROLLBACK = "rollback"
    PAUSED = "paused"


@app.command("status")
def status(workflow: AnyWorkflowArgument = None, data: DataOption = None, json_output: JsonOption = False) -> None:
    """Show states, how full the failure windows are, the thresholds in force, and when quarantines end."""
    from rpa_vision.app import heal as use_case
    from rpa_vision.app import wiring
    from rpa_vision.app.wiring_auto_heal import auto_heal_if_any, versioned_store

    store = wiring.existing_data_directory(data)
    with auto_heal_if_any(store) as opened, versioned_store(store) as shelf:
        wanted = use_case.workflow_id_of(workflow, store.workflows, opened, shelf) if workflow else None
        report = use_case.status(opened, wiring.clock().now(), workflow_id=wanted)
    print_json(report) if json_output else _print_status(report)


@app.command("history")
def history(
    workflow: AnyWorkflowArgument = None,
    since: SinceOption = None,
    kind: Annotated[
        list[str] | None,
        typer.Option("--kind", metavar="KIND", help="Decisions of this kind (step_result, …); may be repeated."),
    ] = None,
    failure: Annotated[
        list[str] | None,
        typer.Option("--failure", metavar="KIND", help="Steps that failed so (TARGET_NOT_FOUND, …); may be repeated."),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, max=100_000, help="At most so many.")] = 50,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Show changes of state with who, why and how long; with --kind or --failure, the decisions themselves."""
    from rpa_vision.app import heal as use_case
    from rpa_vision.app import wiring
    from rpa_vision.app.wiring_auto_heal import auto_heal_if_any, versioned_store

    store, now = wiring.existing_data_directory(data), wiring.clock().now()
    with auto_heal_if_any(store) as opened, versioned_store(store) as shelf:
        asked = use_case.HistoryQuestion(
            workflow_id=use_case.workflow_id_of(workflow, store.workflows, opened, shelf) if workflow else None,
            since=use_case.moment(since, now) if since is not None else None,
            kinds=tuple(kind or ()),
            failure_kinds=tuple(word.upper() for word in failure or ()),
            limit=limit,
        )
        told = use_case.history(opened, asked, now)
    print_json(told) if json_output else _print_history(told)


@app.command("pause")
def pause(
    reason: ReasonOption,
    workflow: AnyWorkflowArgument = None,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Pause a workflow, or everything. Steps that have begun end; only a person lets it go on."""
    _by_hand("pause", workflow, reason, data, json_output)


@app.command("resume")
def resume(
    reason: ReasonOption,
    workflow: AnyWorkflowArgument = None,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Let a workflow, or everything, go on where it was paused."""
    _by_hand("resume", workflow, reason, data, json_output)


@app.command("transition")
def transition(
    workflow: WorkflowArgument,
    state: Annotated[State, typer.Argument(metavar="STATE", help="running, degraded, quarantined, rollback, paused.")],
    reason: ReasonOption,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Change the state of a workflow by hand; outside the table too, and marked so."""
    if state is State.ROLLBACK:
        rollback(workflow, reason, None, False, data, json_output)
    else:
        _by_hand(state.value, workflow, reason, data, json_output)


@app.command("versions")
def versions(workflow: WorkflowArgument, data: DataOption = None, json_output: JsonOption = False) -> None:
    """Show the versions of a workflow, every file checked."""
    from rpa_vision.app import heal as use_case
    from rpa_vision.app import wiring
    from rpa_vision.app.wiring_auto_heal import auto_heal

    store = wiring.existing_data_directory(data)
    with auto_heal(store, quiet=True) as opened:
        shelf = opened.versions
        wanted = use_case.workflow_id_of(workflow, store.workflows, opened, shelf)
        told = use_case.list_versions(shelf, wanted, opened)
    if json_output:
        print_json(told)
        return
    rows = [
        [one["version_id"], "in use" if one["in_use"] else ("rolled back" if one["abandoned_at"] else ""),
         minute(one["created_at"]), percent(one["success_rate_before"]), percent(one["success_rate_after"]),
         one["reason"]]
        for one in told["versions"]
    ]  # fmt: skip
    rows += [[bad["name"], "DAMAGED", "", "", "", "cannot be restored"] for bad in told["unreadable"]]
    rows.sort(key=lambda row: row[0], reverse=True)
    if rows:
        table(f"Versions of {told['workflow_id']}", ["version", "", "made", "before", "after", "why"], rows)
    else:
        typer.echo(f"{told['workflow_id']} has no versions. Learning it again makes one.")
    if told["previous"] is not None:
        typer.echo(f"a rollback would restore {told['previous']}")
    elif rows:
        typer.echo("there is nothing to go back to: no other version can be restored")
    for bad in told["unreadable"]:
        note(f"{bad['name']} is damaged: {bad['problem']}")


@app.command("rollback")
def rollback(
    workflow: WorkflowArgument,
    reason: Annotated[
        str, typer.Option("--reason", metavar="WHY", help="Why; kept in the audit trail. A dry run needs none.")
    ] = "",
    to: Annotated[
        str | None, typer.Option("--to", metavar="vNNN", help="The version to restore; without it, the one before.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be restored.")] = False,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Go back to an earlier version of a workflow, all of it, and say what is in use then."""
    from rpa_vision.app import heal as use_case
    from rpa_vision.app import wiring
    from rpa_vision.app.wiring_auto_heal import auto_heal, person, versioned_store
    from rpa_vision.errors import UsageError

    if not reason.strip() and not dry_run:
        raise UsageError("a change by hand needs a reason", remedy="Say why with --reason; the audit trail keeps it.")
    store = wiring.existing_data_directory(data)
    with versioned_store(store) as shelf:
        plan = use_case.plan_rollback(shelf, use_case.workflow_id_of(workflow, store.workflows, None, shelf), to)
    target = plan.target
    what = f"{target.version_id} of {minute(target.created_at.isoformat())} ({target.reason})"
    if plan.gives_up_changes:
        what += ", giving up what was learned on top of it"
    elif plan.in_use is not None:
        what += f" instead of {plan.in_use.version_id} ({plan.in_use.reason})"
    if plan.changes_nothing and not json_output:
        typer.echo(f"{plan.workflow_id}: {target.version_id} is in use already, as it was learned; nothing to restore")
        return
    if dry_run:
        print_json(plan.to_json()) if json_output else typer.echo(f"{plan.workflow_id}: would restore {what}")
        return
    if not plan.changes_nothing:
        note(f"{plan.workflow_id}: restoring {what}")
    with auto_heal(store, quiet=True) as opened:
        done = use_case.roll_back(opened, plan, reason, person())
    if json_output:
        print_json(done.to_json())
    else:
        typer.echo(f"{plan.workflow_id}: {done.in_use or 'no version'} is in use, {done.state} ({done.message})")
    if not done.restored and not plan.changes_nothing:
        raise typer.Exit(EXIT_FAILED)


@audit_app.command("verify")
def verify(since: SinceOption = None, data: DataOption = None, json_output: JsonOption = False) -> None:
    """Check that no line of the audit trail was changed, removed, inserted or moved. Exit code 1 if one was."""
    from rpa_vision.app import heal as use_case
    from rpa_vision.app import wiring
    from rpa_vision.app.wiring_auto_heal import audit_trail

    store = wiring.existing_data_directory(data)
    begin = use_case.moment(since, wiring.clock().now()) if since is not None else None
    found = audit_trail(store.paths.audit).verify(begin)
    problem = found.first_problem
    if json_output:
        where = {"file": problem.file, "line": problem.line, "what": problem.what} if problem is not None else None
        body = {"ok": found.ok, "entries": found.entries, "first_problem": where}
        print_json({**body, "torn_bytes": found.torn_bytes, "last_hash": found.last_hash})
    elif problem is None:
        typer.echo(f"whole: {found.entries} entries; the last is {found.last_hash or 'none'}")
    else:
        line = f", line {problem.line}" if problem.line else ""
        typer.echo(f"broken: {problem.file}{line}: {problem.what} ({found.entries} entries before it are whole)")
    if not found.ok:
        raise typer.Exit(EXIT_FAILED)


def _by_hand(what: str, workflow: str | None, reason: str, data: Path | None, json_output: bool) -> None:
    """Pause, resume, or change to a state; said as it turned out."""
    from rpa_vision.app import heal as use_case
    from rpa_vision.app import wiring
    from rpa_vision.app.wiring_auto_heal import auto_heal, person

    store, wanted = wiring.existing_data_directory(data), None
    with auto_heal(store, quiet=True) as opened:
        if workflow is not None:
            wanted = use_case.workflow_id_of(workflow, store.workflows, opened, opened.versions)
        if what == "pause":
            change = use_case.pause(opened, wanted, reason, person())
        elif what == "resume":
            change = use_case.resume(opened, wanted, reason, person())
        else:
            change = use_case.transition(opened, wanted or "", what, reason, person())
    if json_output:
        print_json(change.to_json())
        return
    name, over = change.workflow_id or "every workflow", change.global_pause
    above = f"everything is paused by {over['who']} ({over['reason']})" if over and change.workflow_id else ""
    if not change.changed:
        still = f"{name}: not paused" if what == "resume" else f"{name}: {change.state} already; nothing changed"
        typer.echo(f"{still}, but {above}" if above else still)
    else:
        way = f"{change.before} → {change.state}" if change.workflow_id else what + "d"
        marked = ", outside the table" if change.forced else ""
        held = ", still under the global pause" if above else ""
        typer.echo(f"{name}: {way}{held}, by {change.who}{marked} ({change.reason})")
    if above:
        typer.echo("`rpa-vision heal resume --reason WHY`, without a workflow, ends the pause of everything.")


def _print_status(report: dict[str, Any]) -> None:
    limits, policy, paused = report["limits"], report["policy"], report["global_pause"]
    full = f"{report['global_failures_in_window']}/{limits['global_window']}"
    effect = "pauses everything when full" if limits["global_pause_enabled"] else "counted only"
    everywhere = f"{full} failures in {limits['global_window_s']} s, {effect}"
    typer.echo(f"policy {policy['mode']} ({policy['digest']}); all workflows: {everywhere}")
    if policy["problem"]:
        note(f"the policy file is not in force: {policy['problem']}")
    if paused is not None:
        typer.echo(f"EVERYTHING IS PAUSED since {minute(paused['at'])}, by {paused['who']} ({paused['reason']})")
    if not report["workflows"]:
        typer.echo("The supervisor knows of no workflow yet: none has run.")
        return
    rows = [
        [
            one["workflow_id"],
            _state(one),
            minute(one["state_since"]),
            minute(one["quarantine_until"]) if one["quarantine_until"] else "",
            f"{one['failures']['step_streak']}/{limits['step_streak']}",
            f"{one['failures']['workflow_window']}/{limits['workflow_window']} in {limits['workflow_window_s']} s",
            f"{one['clean_steps']}/{limits['clean_steps']}" if one["own_state"] == "degraded" else "",
            f"{one['confidence_threshold']:g}",
            f"{one['min_margin']:g}",
            "yes" if one["learning_enabled"] else "no",
            one["version"]["in_use"] or "",
        ]
        for one in report["workflows"]
    ]
    columns = ["workflow", "state", "since", "quarantine ends", "same step", "window", "clean steps", "confidence ≥",
               "margin ≥", "learns", "version"]  # fmt: skip
    table("States", columns, rows)


def _state(one: dict[str, Any]) -> str:
    itself = "" if one["own_state"] == one["current_state"] else f" (itself {one['own_state']})"
    return f"{one['current_state']}{itself}"


def _print_history(told: dict[str, Any]) -> None:
    if "decisions" in told:
        rows = [
            [str(one["number"]), minute(one["at"]), one["kind"], one["workflow_id"] or "", one["step_id"] or "",
             one["state"] or "", one["failure_kind"] or one["status"] or "",
             "" if one["confidence"] is None else f"{one['confidence']:.2f}", _why(one["record"])]
            for one in told["decisions"]
        ]  # fmt: skip
        columns = ["nr", "at", "kind", "workflow", "step", "state", "ended", "sure", "why"]
        if rows:
            table(f"Decisions, the newest first ({len(rows)} of {told['count']})", columns, rows)
        else:
            typer.echo("No such decision.")
    else:
        changes = [
            (one["at"], [one["workflow_id"], minute(one["at"]), one["from_state"], span(one["lasted_s"]),
             one["to_state"] + (" (forced)" if one["forced"] else ""), one["who"], one["reason"]])
            for one in told["transitions"]
        ]  # fmt: skip
        changes += [
            (one["at"], ["(everything)", minute(one["at"]), "", "", "paused" if one["paused"] else "goes on",
             one["who"] or "", one["reason"] or ""])
            for one in told["global_pauses"]
        ]  # fmt: skip
        rows = [row for _, row in sorted(changes, key=lambda change: datetime.fromisoformat(change[0]))]
        columns = ["workflow", "at", "from", "after", "to", "who", "why"]
        if rows:
            shown = f"{len(told['transitions'])} of {told['count']}"
            table(f"Changes of state, the oldest first ({shown})", columns, rows)
        else:
            typer.echo("No change of state.")
        stays = [
            [one["workflow_id"], one["state"] + (" (now)" if one["is_current"] else ""), str(one["times"]),
             span(one["total_s"]), span(one["longest_s"])]
            for one in told["durations"]
        ]  # fmt: skip
        if stays:
            table("How long", ["workflow", "state", "times", "together", "longest"], stays)
    worst = [
        [one["workflow_id"], one["step_id"], f"{one['failures']} of {one['results']}", percent(one["failure_ratio"])]
        for one in told["failing_steps"]
    ]
    if worst:
        table("Steps that fail most", ["workflow", "step", "failed", ""], worst)


def _why(record: dict[str, Any]) -> str:
    result = record.get("result")
    said = record.get("reason") or (result.get("message") if isinstance(result, dict) else None)
    return str(said or record.get("message") or "")
