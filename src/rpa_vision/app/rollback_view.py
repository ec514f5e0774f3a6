"""What a rollback would mean, shown before it is done: what comes back, what is given up, what runs just now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpa_vision.app.heal import plan_rollback
from rpa_vision.app.workflow_views import differences
from rpa_vision.errors import RpaVisionError
from rpa_vision.models.document import JsonObject
from rpa_vision.ports.run_index import RunFilter

if TYPE_CHECKING:
    from rpa_vision.app.office import Office


def rollback_consequences(office: Office, workflow_id: str, version: str | None = None) -> JsonObject:
    """The plan, and everything a person should know before saying yes."""
    plan = plan_rollback(office.heal.versions, workflow_id, version)
    live = office.data.workflows.load(workflow_id)
    try:
        changes: JsonObject | None = differences(
            live, office.heal.versions.workflow_of(workflow_id, plan.target.version_id)
        )
    except RpaVisionError:
        changes = None
    since = plan.in_use.created_at if plan.in_use is not None else None
    active = [item for item in office.queue.items(states=("running", "waiting")) if item.workflow_id == workflow_id]
    return {
        **plan.to_json(),
        "target": plan.target.to_json(),
        "in_use": plan.in_use.to_json() if plan.in_use is not None else None,
        "changes_nothing": plan.changes_nothing,
        "gives_up_changes": plan.gives_up_changes,
        "changes": changes,
        "runs_with_it": office.runs.count(RunFilter(workflow_id=workflow_id, since=since)) if since else None,
        "running_now": [item.run_id for item in active if item.state == "running"],
        "waiting_now": sum(item.state == "waiting" for item in active),
    }
