"""`rpa-vision sessions`: what was recorded."""

from __future__ import annotations

from typing import Annotated

import typer

from rpa_vision.cli.output import DataOption, JsonOption, note, print_json, refuse_misplaced, table

app = typer.Typer(help="List and show recorded sessions.")


@app.callback(invoke_without_command=True)
def list_by_default(context: typer.Context, data: DataOption = None, json_output: JsonOption = False) -> None:
    if context.invoked_subcommand is None:
        list_sessions(data, json_output)
    else:
        refuse_misplaced(context, data, json_output)


@app.command("list")
def list_sessions(data: DataOption = None, json_output: JsonOption = False) -> None:
    """List all sessions, the newest first."""
    from rpa_vision.app import wiring

    listing = wiring.data_directory(data).sessions.list()
    if json_output:
        print_json(
            {
                "sessions": [
                    {
                        "session_id": item.session_id,
                        "name": item.name,
                        "started_at": item.started_at.isoformat(),
                        "events": item.events,
                        "screenshots": item.screenshots,
                        "complete": item.complete,
                        "path": item.path,
                    }
                    for item in listing.items
                ],
                "unreadable": [{"name": bad.name, "problem": bad.problem} for bad in listing.unreadable],
            }
        )
        return
    rows = [
        [item.session_id, item.name, str(item.events), str(item.screenshots), "yes" if item.complete else "interrupted"]
        for item in listing.items
    ]
    if rows:
        table("Sessions", ["id", "task", "events", "screenshots", "complete"], rows)
    else:
        typer.echo("No session yet. Record one with: rpa-vision record --name NAME")
    for bad in listing.unreadable:
        note(f"cannot read {bad.name}: {bad.problem}")


@app.command("show")
def show_session(
    session: Annotated[str, typer.Argument(metavar="SESSION", help="Id of a session.")],
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Show what happened in a session, event by event."""
    from rpa_vision.app import wiring

    document = wiring.data_directory(data).sessions.load(session)
    if json_output:
        print_json(document.to_json())
        return
    typer.echo(f"{document.session_id}: {document.context.get('training_label', '')}, {len(document.events)} events")
    for index, event in enumerate(document.events):
        if event.type == "mouse_move":
            continue
        what = "secret" if event.secret_ref else (event.char or event.key or event.text or event.pos or "")
        typer.echo(f"{index:5d} {event.t:8.2f} s  {event.type:<13} {what!s:<18} {event.window.title[:60]}")
