"""Edit a workflow where one looks at it: checked as a file that was edited by hand, and kept as its next version.

Whoever began with a version that is no longer in use is told so, and nothing is lost.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pydantic import JsonValue

from rpa_vision.app.exchange import Importer, check_version
from rpa_vision.app.workflow_file import WorkflowFileError, read_workflow_file
from rpa_vision.app.workflow_views import differences, require_workflow
from rpa_vision.errors import RpaVisionError
from rpa_vision.models.document import JsonObject
from rpa_vision.models.workflow_graph import Workflow

if TYPE_CHECKING:
    from rpa_vision.app.office import Office

_PARTS = ("steps", "screens", "variables", "rules")


def check_edit(office: Office, workflow_id: str, document: JsonObject) -> JsonObject:
    """Whether an edited document is a workflow, with every mistake named, and what it would change."""
    former = require_workflow(office, workflow_id)
    try:
        after = _read(former, document)
    except RpaVisionError as error:
        return {"valid": False, "problem": str(error), "changes": None}
    return {"valid": True, "problem": None, "changes": differences(former, after)}


def save_edit(office: Office, workflow_id: str, document: JsonObject, *, who: str, reason: str) -> JsonObject:
    """Keep an edited document as the next version."""
    from rpa_vision.app.wiring import local_files

    former = require_workflow(office, workflow_id)
    told = differences(former, _read(former, document))
    importer = Importer(office.data, local_files(), office.heal.versions, office.clock, office.heal.manager.on_update)
    office.heal.audit.append(
        "workflow_edited",
        {"workflow_id": workflow_id, "from_version": former.version, "who": who, "reason": reason,
         "changes": {part: _ids(told[part]) for part in _PARTS}},
    )  # fmt: skip
    done = importer.import_document(_bytes(document), workflow_id, reason=f"edited by {who}: {reason}")
    return {
        "workflow_id": workflow_id,
        "status": done.status,
        "version": done.workflow.version,
        "learning_state": done.workflow.learning_state,
        "changes": told,
    }


def _read(former: Workflow, document: JsonObject) -> Workflow:
    """The document as a workflow, if it is one and of this one's present version."""
    workflow = read_workflow_file(_bytes(document), former.workflow_id).workflow
    if workflow.workflow_id != former.workflow_id:
        raise WorkflowFileError(f"{former.workflow_id}: workflow_id cannot be changed")
    check_version(former, workflow)
    return workflow


def _bytes(document: JsonObject) -> bytes:
    return json.dumps(document, ensure_ascii=False, indent=2).encode()


def _ids(part: JsonObject) -> list[JsonValue]:
    return [*part["added"], *part["gone"], *(one["id"] for one in part["changed"])]
