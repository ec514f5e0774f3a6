"""A display where a person stopped the robot, as programs and pages see it: why runs wait, and who lets them go on."""

from __future__ import annotations

from served import DISPLAY, Served

from rpa_vision.app import heal as heal_use_case
from rpa_vision.app.overview import needs


def test_runs_of_a_held_display_say_why_they_wait_until_an_operator_releases_it(api: Served) -> None:
    """UX-3, L4-12"""
    office, now = api.office, api.office.clock.now()
    asked = {"workflow_id": "WF_factures", "parameters": {"facture": "FAC-2026-0042"}, "display": DISPLAY}
    office.queue.hold_display(DISPLAY, now=now, why="stopped with CTRL+ALT+END")
    made = api.client.post("/api/v1/runs", headers=api.as_("operator"), json=asked)
    assert made.status_code == 202, made.text
    assert made.json()["why"].startswith(f"a person stopped {DISPLAY} at {now.astimezone():%H:%M} (stopped with CTRL")
    seen = api.client.get("/api/v1/queue", headers=api.as_("viewer")).json()
    assert [(one["display"], one["why"]) for one in seen["held_displays"]] == [(DISPLAY, "stopped with CTRL+ALT+END")]
    (need,) = [
        one for one in needs(office, heal_use_case.status(office.heal, now), now) if one["kind"] == "held_display"
    ]
    assert (need["workflow_id"], need["where"]) == (DISPLAY, "/runs")
    for expected in (200, 422):
        answer = api.client.post("/api/v1/queue/release", headers=api.as_("operator"), json={"display": DISPLAY})
        assert answer.status_code == expected, answer.text
    assert api.client.get("/api/v1/queue", headers=api.as_("viewer")).json()["held_displays"] == []
    why = api.client.get(f"/api/v1/runs/{made.json()['run_id']}", headers=api.as_("viewer")).json()["why"]
    assert "a person stopped" not in why
    office.queue.want(made.json()["run_id"], "stop", now=now, who="test")
