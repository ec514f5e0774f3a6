"""A short day in the real office, mixed, interrupted and noisy: in the end exactly the work of the agenda is done."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rpa_vision.demo.day.agenda import DaySize, plan_day
from rpa_vision.demo.day.alone import wanted_changes
from rpa_vision.demo.day.office import open_office
from rpa_vision.demo.day.truth import STEPS
from rpa_vision.demo.person.tasks.office_goes import journal_line

SEED = 5
SHORT = DaySize(slips=1, claims=2, journal=2, expiries=1, interruptions=2, broken_off=1)


@pytest.mark.soak
def test_person_does_exactly_the_agenda_and_keeps_a_diary_of_it(tmp_path: Path) -> None:
    """L0-4, L0-5: what the day is measured by is what really happened."""
    agenda = plan_day(SEED, SHORT)
    whole = [go for go in agenda.goes if not go.is_broken_off]
    plan, diary = tmp_path / "agenda.json", tmp_path / "diary.jsonl"
    plan.write_text(agenda.to_json(), encoding="utf-8")
    with open_office(tmp_path / "office", SEED) as office:
        before = _statuses(office.clinic.truth())
        arguments = ("--agenda", str(plan), "--diary", str(diary), "--seed", "5", "--speed", "4")
        office.person("office_day", *arguments, timeout_s=200)
        after, journal = office.clinic.truth(), office.clinic.truth()["journal"]
        written = office.written()
    changed = {number: status for number, status in _statuses(after).items() if before[number] != status}
    wanted = {number: status for go in whole for number, status in wanted_changes(go).items()}
    assert changed == wanted
    order = [turn.go for turn in agenda.turns if not turn.stop_after]
    assert written == [journal_line(go) for name in order if (go := agenda.go(name)).task == "journal"]
    assert [entry["action"] for entry in journal].count("session_expired") == 1

    entries = [json.loads(line) for line in diary.read_text().splitlines()]
    for go in whole:
        steps = {entry["step"] for entry in entries if entry["go"] == go.name and entry["kind"] == "step"}
        expected = set(STEPS[go.task]) - {"validate_claim" if go.is_high else "send_claim"}
        assert steps - {"next_page"} == expected - {"next_page"}
    kinds = {entry["kind"] for entry in entries}
    assert kinds == {"step", "resume", "recovery", "noise"}


def _statuses(truth: dict[str, list[dict[str, str]]]) -> dict[str, str]:
    return {entry["number"]: entry["status"] for table in ("slips", "payments", "claims") for entry in truth[table]}
