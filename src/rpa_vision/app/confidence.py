"""How sure the robot is, and how right: steps over time, strategies against their claims, what holds promotion back."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING

from rpa_vision.app.approve import evidence
from rpa_vision.app.workflow_views import require_workflow, sentences
from rpa_vision.models.document import JsonObject
from rpa_vision.models.guidance import Language
from rpa_vision.ports.run_index import RunFilter

if TYPE_CHECKING:
    from rpa_vision.app.office import Office


def precision_now(office: Office) -> JsonObject:
    """Every strategy and element, with precision, claims and calibration curve."""
    return office.heal.precision.report().to_json()


def confidence_of(office: Office, workflow_id: str, *, days: int = 30, language: Language = "en") -> JsonObject:
    """The steps of one workflow over the last days, and how its runs went."""
    office.runs.refresh()
    workflow, now = require_workflow(office, workflow_id), office.clock.now()
    since = now - timedelta(days=days)
    points, words = office.runs.scores(workflow_id, since=since), sentences(workflow, language)
    seen = evidence(office.heal, workflow).to_json()
    return {
        "workflow_id": workflow_id,
        "name": workflow.name,
        "learning_state": seen["state"],
        "next": seen["next"],
        "needs": seen["needs"],
        "lower_bound": seen["lower_bound"],
        "steps": [
            {
                "edge_id": edge.edge_id,
                "sentence": words[edge.edge_id],
                "points": [asdict(point) for point in points if point.edge_id == edge.edge_id],
            }
            for edge in workflow.edges
        ],
        "runs": office.runs.count(RunFilter(workflow_id=workflow_id, since=since)),
        "days": [asdict(day) for day in office.runs.days(RunFilter(workflow_id=workflow_id, since=since))],
    }
