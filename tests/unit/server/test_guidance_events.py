"""What an observer and a guide say is offered by the API, as it happens."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from served import Served

from rpa_vision.app.wiring_guidance import told_to_office
from rpa_vision.models.guidance import GuidanceEvent

AT = datetime(2026, 3, 31, 12, 4, 41, tzinfo=UTC)


def test_guidance_is_streamed_with_everything_else(api: Served) -> None:
    """UX-3, UX-5: the same events as on the screen, for the dashboard"""
    seen = GuidanceEvent(
        kind="recognised", at=AT, workflow_id="WF_factures", workflow_name="Factures", step=3, of=7, text="step 3 of 7"
    )
    changes = {"kind": "suggested", "step_id": "E4", "strength": "strong", "bbox": (1, 2, 3, 4)}
    suggested = seen.model_copy(update=changes)
    with told_to_office(api.office.data) as tell:  # the observer's own process
        tell(seen)
        tell(suggested)
    told = api.client.get("/api/v1/events?once=true&after=0", headers=api.as_("viewer")).text
    kinds = [line[7:] for line in told.splitlines() if line.startswith("event: ")]
    bodies = [json.loads(line[6:]) for line in told.splitlines() if line.startswith("data: ")]
    first, second = (body for kind, body in zip(kinds, bodies, strict=True) if kind == "guidance")
    assert (first["what"], first["workflow_id"], first["step"], first["of"]) == ("recognised", "WF_factures", 3, 7)
    assert first["at"] == AT.isoformat()
    assert (second["what"], second["step_id"], second["bbox"]) == ("suggested", "E4", [1, 2, 3, 4])
    assert "similarity" not in second
