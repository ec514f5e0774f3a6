"""`rpa-vision status`: who does what, which level, what it waits for."""

from __future__ import annotations

from typing import Any

import typer

from rpa_vision.cli.output import DataOption, JsonOption, note, print_json, table
from rpa_vision.cli.times import minute


def status(data: DataOption = None, json_output: JsonOption = False) -> None:
    """Show all workflows: who does them, how far they have come, what they wait for, what runs now."""
    from rpa_vision.app import wiring
    from rpa_vision.app.status import statuses
    from rpa_vision.app.wiring_auto_heal import auto_heal
    from rpa_vision.app.wiring_office import queue_if_any

    store = wiring.existing_data_directory(data)
    with auto_heal(store, quiet=True) as heal:
        found = statuses(store, heal, wiring.clock().now())
    with queue_if_any(store) as queue:
        held = queue.held_displays() if queue is not None else []
    if json_output:
        print_json(
            {"workflows": [one.to_json() for one in found], "held_displays": [display.to_json() for display in held]}
        )
        return
    for display in held:
        note(display.told())
    if not found:
        typer.echo("No workflow yet. Learn one with: rpa-vision learn --name NAME")
        return
    rows = [
        [
            one.workflow.workflow_id,
            one.maturity.state,
            one.who_acts,
            one.may_run.replace(until, minute(until)) if (until := one.supervisor.until) else one.may_run,
            _last(one),
            one.waits_for,
        ]
        for one in found
    ]
    table("Workflows", ["id", "level", "done by", "may run", "last run", "waits for"], rows)


def _last(one: Any) -> str:
    if one.runs_since is not None:
        return f"under way since {minute(one.runs_since.isoformat())}"
    last = one.last_run
    return f"{last['status']}, {minute(last['at'])}" if last is not None else "never"
