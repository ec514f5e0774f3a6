"""What a week came to: every number is the number of runs that its link would list."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from served import Served

from rpa_vision.app.run_history import weekly
from rpa_vision.ports.run_index import RunFilter, Verdict


def test_a_week_counts_what_its_runs_were(api: Served) -> None:
    """UX-4: completed, halted, healed, wrong, for each workflow and in all."""
    office = api.office
    office.runs.refresh()
    some = office.runs.find(RunFilter(status="success"), limit=1)[0]
    office.runs.judge(some.run_id, Verdict("wrong", "anna", office.clock.now(), "the other patient"))
    weeks = [weekly(office, weeks_ago=ago) for ago in range(8)]
    assert sum(week["total"]["total"] for week in weeks) == office.runs.count(RunFilter())["total"] == 12
    assert sum(week["total"]["wrong"] for week in weeks) == 1
    for week in weeks:
        since, until = (datetime.fromisoformat(week[key]) for key in ("from", "to"))
        assert (since.weekday(), until - since) == (0, timedelta(weeks=1))
        for key in ("success", "halted", "failed", "blocked", "healed", "wrong"):
            assert week["total"][key] == sum(one[key] for one in week["workflows"]), key
        for one in week["workflows"]:
            listed = office.runs.find(RunFilter(workflow_id=one["workflow_id"], since=since, until=until), limit=100)
            assert len(listed) == one["total"]


def test_time_saved_is_what_people_took_for_each_run_completed_alone(api: Served) -> None:
    """UX-4: 48 s were taken when it was shown."""
    office = api.office
    weeks = [weekly(office, weeks_ago=ago) for ago in range(8)]
    for week in weeks:
        for one in week["workflows"]:
            assert one["saved_s"] == 48 * one["success"]
        assert week["saved_s"] == (sum(one["saved_s"] for one in week["workflows"]) if week["workflows"] else None)


@pytest.mark.parametrize(("ago", "status"), [(0, 200), (520, 200), (521, 422), (-1, 422)])
def test_a_week_is_asked_for_by_how_long_ago_it_was(api: Served, ago: int, status: int) -> None:
    """UX-4"""
    assert api.client.get(f"/api/v1/weekly?weeks_ago={ago}", headers=api.as_("viewer")).status_code == status


def test_a_run_that_halted_after_a_heal_is_halted_and_not_healed(api: Served) -> None:
    """UX-4: healed are those that completed although something had changed."""
    office = api.office
    office.runs.refresh()
    before = office.runs.count(RunFilter())
    some = office.data.runs.load(office.runs.find(RunFilter(status="success"), limit=1)[0].run_id)
    steps = tuple(step.model_copy(update={"healing_level": 1}) for step in some.steps)
    for status in ("success", "halted"):
        changed = some.model_copy(update={"run_id": f"run_healed_{status}", "status": status, "steps": steps})
        office.data.runs.save(changed, "<!doctype html>")
    office.clock.sleep(1.1)  # the index looks once a second
    office.runs.refresh()
    after = office.runs.count(RunFilter())
    assert (after["healed"] - before["healed"], after["halted"] - before["halted"]) == (1, 1)
    assert {run.status for run in office.runs.find(RunFilter(healed=True), limit=100)} == {"success"}
