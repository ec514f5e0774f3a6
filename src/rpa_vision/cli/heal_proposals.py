"""`rpa-vision heal proposals|accept|reject`: what runs found otherwise than recorded, and what people make of it."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from rpa_vision.cli.output import DataOption, JsonOption, note, print_json, table
from rpa_vision.cli.times import minute

ProposalArgument = Annotated[str, typer.Argument(metavar="PROPOSAL", help="Id of a proposal.")]
WhyOption = Annotated[str, typer.Option("--reason", metavar="WHY", help="Why; kept in the audit trail.")]


def proposals(
    workflow: Annotated[
        str | None, typer.Argument(metavar="[WORKFLOW]", help="Id or name of a workflow; without it, all.")
    ] = None,
    decided: Annotated[bool, typer.Option("--decided", help="Also those that were kept or rejected.")] = False,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Show what changed in how targets are found, what speaks for it, and what it waits for."""
    from rpa_vision.app import wiring
    from rpa_vision.app.heal import workflow_id_of
    from rpa_vision.app.wiring_auto_heal import auto_heal

    store = wiring.existing_data_directory(data)
    with auto_heal(store, quiet=True) as opened:
        wanted = workflow_id_of(workflow, store.workflows, opened, opened.versions) if workflow else None
        found = opened.proposals.views(wanted, decided=decided)
    if json_output:
        unreadable = [{"name": bad.name, "problem": bad.problem} for bad in found.unreadable]
        print_json({"proposals": [view.to_json() for view in found.items], "unreadable": unreadable})
        return
    rows = [_row(view) for view in found.items]
    columns = ["proposal", "workflow", "step", "what changed", "by", "runs", "since", "stands"]
    if rows:
        table("Proposals, the oldest first", columns, rows)
    else:
        nor = ", and none was decided" if decided else ""
        typer.echo(f"No proposals: no heal waits for a decision{nor}.")
    for bad in found.unreadable:
        note(f"{bad.name} cannot be read: {bad.problem}")


def accept(
    proposal: ProposalArgument, reason: WhyOption = "", data: DataOption = None, json_output: JsonOption = False
) -> None:
    """Keep a change from now on: a new version of the workflow, which `heal rollback` undoes."""
    _decide("accept", proposal, reason, data, json_output)


def reject(
    proposal: ProposalArgument, reason: WhyOption = "", data: DataOption = None, json_output: JsonOption = False
) -> None:
    """Do not keep a change, and do not propose it again."""
    _decide("reject", proposal, reason, data, json_output)


def _decide(what: str, proposal: str, reason: str, data: Any, json_output: bool) -> None:
    from rpa_vision.app import wiring
    from rpa_vision.app.wiring_auto_heal import auto_heal, person

    store = wiring.existing_data_directory(data)
    with auto_heal(store, quiet=True) as opened:
        desk = opened.proposals
        done = (desk.accept if what == "accept" else desk.reject)(proposal, person(), reason)
    print_json(done.to_json()) if json_output else typer.echo(done.message)


def _row(view: Any) -> list[str]:
    one = view.proposal
    changes = "; ".join(
        f"« {change.before} » → « {change.after} »" if change.kind == "label" else f"{change.kind}: {change.after}"
        for change in one.changes
    )
    stands = view.waits_for if view.standing == "applicable" and view.waits_for else view.why
    if view.contradicts:
        stands += f"; contradicts {', '.join(view.contradicts)}"
    who = f"shown by {one.shown_by}" if one.shown_by else "the robot"
    since = minute(one.created_at.isoformat())
    return [one.proposal_id, one.workflow_id, one.edge_id, changes, who, str(one.verified_runs), since, stands]
