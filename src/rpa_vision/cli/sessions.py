"""`rpa-vision sessions`: what was recorded."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rpa_vision.cli.output import DataOption, JsonOption, note, print_json, progress, refuse_misplaced, table

if TYPE_CHECKING:
    from rpa_vision.capture.segmentation import Segmentation

app = typer.Typer(help="List, show, import, segment and delete recorded sessions.")


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


@app.command("import")
def import_log(
    log: Annotated[
        Path, typer.Argument(metavar="LOG.csv", help="An event log: ts, app, action, target, value, row, url.")
    ],
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", help="What the session is called (default: the file's name)."),
    ] = None,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Make a session of an event log that another recorder wrote. Either all of it is taken over, or nothing."""
    from rpa_vision.app import sessions as use_case
    from rpa_vision.app import wiring
    from rpa_vision.app.deny_list import denied_words
    from rpa_vision.capture.discretion import USUALLY_DENIED, DeniedWindows

    store = wiring.data_directory(data)
    denied = DeniedWindows((*USUALLY_DENIED, *denied_words(store)))
    with progress("reading the log"):
        result = use_case.import_log(store, wiring.event_logs(), log, name=name, denied=denied)
    if json_output:
        print_json(
            {
                "session_id": result.session_id,
                "name": result.name,
                "events": result.events,
                "secrets": result.secrets,
                "left_out": result.left_out,
                "ignored_columns": list(result.ignored_columns),
            }
        )
        return
    typer.echo(f"{result.session_id}: {result.events} events")
    if result.left_out:
        note(f"{result.left_out} lines of windows that are not looked at were left out.")
    if result.secrets:
        note(f"{result.secrets} values that went into password fields were left out.")
    if result.ignored_columns:
        note(f"columns that were left out: {', '.join(result.ignored_columns)}")


@app.command("segment")
def segment(
    wanted: Annotated[str, typer.Argument(metavar="SESSION|LOG.csv", help="Id of a session, or an event log.")],
    no_screens: Annotated[
        bool, typer.Option("--no-screens", help="Go by the events alone; do not read the screens of a recording.")
    ] = False,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Cut a session into episodes: which events belong to one go at a task, which are noise, what was repeated."""
    from rpa_vision.app import sessions as use_case
    from rpa_vision.app import wiring

    if wanted.lower().endswith(".csv"):
        with progress("looking for what was repeated"):
            result = use_case.segment_log(wiring.event_logs(), Path(wanted))
    else:
        store = wiring.data_directory(data)
        with progress("looking for what was repeated") as shown:
            result = use_case.segment_session(
                store, wanted, None if no_screens else wiring.screen_observer, on_progress=shown.step
            )
    print_json(use_case.as_json(result)) if json_output else _print_segments(result)


@app.command("delete")
def delete(
    session: Annotated[str, typer.Argument(metavar="SESSION", help="Id of a session.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask: delete it for good.")] = False,
    reason: Annotated[str, typer.Option("--reason", metavar="WHY", help="Why; kept in the audit trail.")] = "",
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Delete a recording for good, with its pictures. What was learned from it stays."""
    from rpa_vision.app import wiring
    from rpa_vision.app.sessions import delete_session
    from rpa_vision.app.wiring_auto_heal import audit_log, person
    from rpa_vision.errors import UsageError

    store = wiring.existing_data_directory(data)
    if not yes and store.sessions.has(session):
        if json_output or not sys.stdin.isatty():
            raise UsageError("nobody is there to say yes", remedy="Add --yes to delete it for good.")
        typer.confirm(f"Delete the recording {session} for good?", abort=True, err=True)
    with audit_log(store) as audit:
        done = delete_session(store, wiring.dataset_store(store), audit, session, who=person(), reason=reason)
    if json_output:
        print_json(done.to_json())
        return
    typer.echo(f"{done.session_id}: deleted")
    if done.workflows:
        note(f"What was learned from it stays: {', '.join(done.workflows)}.")
    if done.datasets:
        note(f"Datasets keep copies of its pictures: {', '.join(done.datasets)}.")


def _print_segments(result: Segmentation) -> None:
    noise = sum(1 for name in result.segment_of if name is None)
    typer.echo(f"{len(result.session.segments)} segments, {noise} of {len(result.segment_of)} events are noise")
    rows = [
        [
            found.segment_id,
            found.label,
            f"{found.start_event_index}–{found.end_event_index}",
            f"{(found.end_time - found.start_time).total_seconds():.0f} s",
            "broken off" if found.segment_id in result.incomplete else found.trigger,
            f"{found.confidence:.2f}",
        ]
        for found in result.session.segments
    ]
    if rows:
        table("Segments", ["id", "routine", "events", "took", "ended by", "sure"], rows)
