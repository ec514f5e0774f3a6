"""`rpa-vision heal`: states are seen, changed by hand with who and why, and learning is undone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import contents, rpa_vision
from supervised import FAILURE, SUCCESS, WF, learn, live, steps, supervisor

from rpa_vision.adapters.machine.os_user import os_user
from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.app.standing import standing
from rpa_vision.app.wiring_auto_heal import auto_heal
from rpa_vision.cli.standings import standing_words
from rpa_vision.cli.times import minute
from rpa_vision.models.auto_heal import ExecutionState

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    root = tmp_path / "data"
    learn(root)
    return root


def state_of(data: Path) -> str:
    with supervisor(data) as opened:
        return opened.manager.get_mode(WF).value


def test_status_shows_states_windows_and_the_thresholds_in_force(data: Path) -> None:
    """AH-1.1, AH-3.1, AH-8.1, AH-8.3"""
    steps(data, SUCCESS, FAILURE, FAILURE, FAILURE)
    ended = rpa_vision("heal", "status", "--data", data, "--json")
    assert ended.code == 0
    (workflow,) = ended.json["workflows"]
    assert (workflow["workflow_id"], workflow["current_state"]) == (WF, "degraded")
    assert (workflow["failures"]["step_streak"], workflow["failures"]["workflow_window"]) == (3, 3)
    assert (workflow["confidence_threshold"], workflow["learning_enabled"]) == (0.82, False)
    assert (ended.json["limits"]["step_streak"], ended.json["limits"]["workflow_window"]) == (3, 10)
    shown = rpa_vision("heal", "status", WF, "--data", data)
    for words in ("degraded", "3/10 in 600 s", "0.82", "0.08", "v001"):
        assert words in shown.out


def test_status_says_when_a_quarantine_ends(data: Path) -> None:
    """AH-1.4, AH-8.3"""
    steps(data, *[FAILURE] * 10)
    (workflow,) = rpa_vision("heal", "status", "--data", data, "--json").json["workflows"]
    assert workflow["current_state"] == "quarantined"
    assert workflow["quarantine_until"] is not None
    assert "quarantine ends" in rpa_vision("heal", "status", "--data", data).out


def test_looking_where_nothing_is_makes_nothing(tmp_path: Path) -> None:
    """AH-8.3"""
    for command in (
        ("heal", "status"), ("heal", "history"), ("heal", "audit", "verify"), ("policy", "show"), ("failures", "list"),
        ("heal", "pause", "--reason", "x"), ("heal", "pause", "WF_none", "--reason", "x"),
        ("policy", "set-mode", "hybrid"), ("heal", "versions", "WF_none"), ("run", "WF_none"),
    ):  # fmt: skip
        ended = rpa_vision(*command, "--data", tmp_path / "none")
        assert (ended.code, "there is no data directory at" in ended.cause) == (2, True), command
        assert "--data" in ended.remedy
    assert list(tmp_path.iterdir()) == []
    assert "is not a data directory" in rpa_vision("heal", "status", "--data", tmp_path).cause


def test_looking_at_states_writes_nothing_into_the_audit_trail(data: Path) -> None:
    """AH-5.1: only decisions are there"""
    steps(data, SUCCESS)
    before = contents(data / "audit")["audit.jsonl"]
    rpa_vision("heal", "status", "--data", data)
    rpa_vision("heal", "history", "--data", data)
    assert contents(data / "audit")["audit.jsonl"] == before


def test_history_tells_who_why_and_how_long(data: Path) -> None:
    """AH-5.5, AH-8.2"""
    steps(data, *[FAILURE] * 3)
    with supervisor(data) as opened:
        opened.manager.force_transition(WF, ExecutionState.RUNNING, "it was the [network]", who="anne")
    told = rpa_vision("heal", "history", WF, "--data", data, "--json").json
    assert [(one["from_state"], one["to_state"], one["who"]) for one in told["transitions"]] == [
        ("running", "degraded", "auto_heal"),
        ("degraded", "running", "anne"),
    ]
    assert all(one["lasted_s"] is not None for one in told["transitions"])
    assert {one["state"] for one in told["durations"]} == {"running", "degraded"}
    assert told["failing_steps"][0]["step_id"] == "E1"
    shown = rpa_vision("heal", "history", WF, "--data", data).out
    assert "it was the [network]" in shown
    assert "Steps that fail most" in shown


def test_history_answers_by_kind_failure_and_time(data: Path) -> None:
    """AH-5.4, AH-5.5"""
    steps(data, SUCCESS, FAILURE)
    kinds = rpa_vision("heal", "history", WF, "--kind", "step_result", "--data", data, "--json").json
    assert [one["kind"] for one in kinds["decisions"]] == ["step_result", "step_result"]
    failed = rpa_vision("heal", "history", "--failure", "target_not_found", "--since", "1h", "--data", data, "--json")
    assert [one["failure_kind"] for one in failed.json["decisions"]] == ["TARGET_NOT_FOUND"]
    later = rpa_vision("heal", "history", "--kind", "step_result", "--since", "2999-01-01", "--data", data, "--json")
    assert (later.json["decisions"], later.json["count"]) == ([], 0)


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        (("history", "--kind", "dream"), "no kind 'dream'"),
        (("history", "--failure", "BAD_MOOD"), "no kind 'BAD_MOOD'"),
        (("history", "--since", "yesterday-ish"), "'yesterday-ish' is not a time"),
        (("pause", WF, "--reason", " "), "needs a reason"),
        (("pause",), "--reason"),
        (("resume", "WF_fctures", "--reason", "x"), "no workflow 'WF_fctures'"),
        (("transition", WF, "happy", "--reason", "x"), "'running'"),
        (("rollback", WF, "--reason", "x", "--to", "yesterday"), "'yesterday' is not a version"),
        (("rollback", WF, "--reason", "x", "--to", "v009"), "no version v009"),
        (("rollback", WF, "--reason", "x"), "no version to go back to"),
    ],
)
def test_what_cannot_be_asked_is_said_in_two_lines_and_changes_nothing(
    data: Path, arguments: tuple[str, ...], cause: str
) -> None:
    """AH-10.5"""
    ended = rpa_vision("heal", *arguments, "--data", data)
    assert ended.code == 2
    assert cause in ended.cause
    assert state_of(data) == "running"


def test_a_person_pauses_and_resumes_a_workflow_and_both_are_written_down(data: Path) -> None:
    """AH-1.6, AH-5.1"""
    paused = rpa_vision("heal", "pause", WF, "--reason", "inventory", "--data", data, "--json").json
    assert (paused["before"], paused["state"], paused["changed"]) == ("running", "paused", True)
    assert paused["who"] == os_user()
    again = rpa_vision("heal", "pause", WF, "--reason", "inventory", "--data", data)
    assert "nothing changed" in again.out
    resumed = rpa_vision("heal", "resume", WF, "--reason", "done", "--data", data)
    assert "paused → running" in resumed.out
    told = rpa_vision("heal", "history", WF, "--data", data, "--json").json["transitions"]
    assert [(one["to_state"], one["reason"], one["who"]) for one in told] == [
        ("paused", "inventory", os_user()),
        ("running", "done", os_user()),
    ]


def test_everything_is_paused_when_no_workflow_is_named(data: Path) -> None:
    """AH-1.6, AH-2.3"""
    steps(data, SUCCESS)
    assert rpa_vision("heal", "pause", "--reason", "audit day", "--data", data).code == 0
    assert state_of(data) == "paused"
    assert "EVERYTHING IS PAUSED" in rpa_vision("heal", "status", "--data", data).out
    assert rpa_vision("heal", "resume", "--reason", "over", "--data", data).code == 0
    assert state_of(data) == "running"


def test_under_a_pause_of_everything_what_a_workflow_does_is_said_with_it(data: Path) -> None:
    """AH-1.6, AH-2.3, AH-5.5"""
    steps(data, SUCCESS)
    rpa_vision("heal", "pause", "--reason", "audit day", "--data", data)
    resumed = rpa_vision("heal", "resume", WF, "--reason", "hurry", "--data", data).out
    assert f"everything is paused by {os_user()} (audit day)" in resumed
    assert "heal resume --reason WHY" in resumed
    changed = rpa_vision("heal", "transition", WF, "degraded", "--reason", "careful", "--data", data)
    assert "running → degraded, still under the global pause" in changed.out
    told = rpa_vision("heal", "transition", WF, "running", "--reason", "fine", "--data", data, "--json").json
    assert (told["before"], told["state"], told["changed"]) == ("degraded", "running", True)
    assert (told["global_pause"]["who"], told["global_pause"]["reason"]) == (os_user(), "audit day")
    history = rpa_vision("heal", "history", "--data", data)
    assert "(everything)" in history.out
    assert "audit day" in history.out
    rpa_vision("heal", "resume", "--reason", "over", "--data", data)
    pauses = rpa_vision("heal", "history", WF, "--data", data, "--json").json["global_pauses"]
    assert [(one["paused"], one["who"], one["reason"]) for one in pauses] == [
        (True, os_user(), "audit day"),
        (False, os_user(), "over"),
    ]


def test_a_run_that_ends_says_where_the_workflow_stands_who_put_it_there_and_how_it_goes_on(data: Path) -> None:
    """AH-1.4, AH-1.6, AH-8.3"""
    steps(data, *[FAILURE] * 3)
    with supervisor(data) as opened:
        words = standing_words(standing(opened, WF), is_news=True)
        assert words == "the workflow is now degraded: step E1 failed 3 times in a row"
        opened.manager.pause(WF, reason="inventory", who="anne")
        paused = standing(opened, WF)
        words = standing_words(paused, is_news=False)
        assert "the workflow is paused since " in words
        assert words.endswith(f"by anne: inventory\n  do: rpa-vision heal resume {WF} --reason WHY")
        assert not paused.runs
        opened.manager.pause(reason="audit day", who="bert")
        words = standing_words(standing(opened, WF), is_news=False)
        assert "everything is paused since " in words
        assert words.endswith("by bert: audit day\n  do: rpa-vision heal resume --reason WHY")
        opened.manager.resume(reason="over", who="bert")
        opened.manager.force_transition(WF, ExecutionState.QUARANTINED, "smells", who="anne")
        told = standing(opened, WF)
        assert told.until is not None
        assert f"quarantined until {minute(told.until)}" in standing_words(told, is_news=True)


def test_alerts_are_told_in_words_where_a_person_sits(data: Path) -> None:
    """AH-8.4"""
    heard: list[str] = []
    with auto_heal(FileDataDirectory(data, clock=SystemClock()), tell=heard.append) as opened:
        opened.manager.pause(reason="audit day", who="anne")
    assert heard == ["alert: every workflow is paused: audit day"]


def test_going_back_to_what_is_in_use_as_it_was_learned_does_nothing(data: Path) -> None:
    """AH-4.5"""
    before = live(data)
    ended = rpa_vision("heal", "rollback", WF, "--to", "v001", "--reason", "x", "--data", data)
    assert (ended.code, "v001 is in use already" in ended.out) == (0, True)
    assert rpa_vision("heal", "rollback", WF, "--to", "v001", "--reason", "x", "--data", data, "--json").code == 0
    assert (live(data), state_of(data)) == (before, "running")
    assert "nothing to go back to" in rpa_vision("heal", "versions", WF, "--data", data).out
    learn(data)
    assert "would restore v001" in rpa_vision("heal", "rollback", WF, "--dry-run", "--data", data).out


def test_the_version_in_use_is_shown_with_how_well_it_does(data: Path) -> None:
    """AH-4.1, AH-4.4"""
    steps(data, SUCCESS, SUCCESS, SUCCESS, FAILURE)
    (version,) = rpa_vision("heal", "versions", WF, "--data", data, "--json").json["versions"]
    assert version["success_rate_after"] == 0.75


def test_a_change_outside_the_table_is_marked(data: Path) -> None:
    """AH-5.1, AH-10.5"""
    rpa_vision("heal", "transition", WF, "quarantined", "--reason", "smells", "--data", data)
    forced = rpa_vision("heal", "transition", WF, "degraded", "--reason", "checked", "--data", data, "--json").json
    assert (forced["before"], forced["state"], forced["forced"]) == ("quarantined", "degraded", True)


def test_rollback_shows_what_it_restores_does_it_and_says_what_is_in_use(data: Path) -> None:
    """AH-1.5, AH-4.5"""
    first = live(data)
    learn(data)
    plan = rpa_vision("heal", "rollback", WF, "--reason", "x", "--dry-run", "--data", data)
    assert "would restore v001" in plan.out
    assert live(data) != first
    ended = rpa_vision("heal", "rollback", WF, "--reason", "worse since Monday", "--data", data)
    assert ended.code == 0
    assert "restoring v001" in ended.err
    assert "v001 is in use, degraded" in ended.out
    assert live(data) == first
    told = rpa_vision("heal", "versions", WF, "--data", data, "--json").json
    assert [(one["version_id"], one["in_use"], one["abandoned_at"] is not None) for one in told["versions"]] == [
        ("v002", False, True),
        ("v001", True, False),
    ]
    (workflow,) = rpa_vision("heal", "status", "--data", data, "--json").json["workflows"]
    assert workflow["version"]["rolled_back"] == ["v002"]


def test_a_version_is_restored_by_name_also_one_that_was_undone(data: Path) -> None:
    """AH-4.5, AH-4.6"""
    learn(data)
    second = live(data)
    learn(data)
    rpa_vision("heal", "rollback", WF, "--reason", "back", "--data", data)
    rpa_vision("heal", "rollback", WF, "--reason", "further", "--data", data)
    ended = rpa_vision("heal", "rollback", WF, "--to", "v002", "--reason", "it was fine", "--data", data, "--json")
    assert (ended.code, ended.json["restored"], ended.json["in_use"]) == (0, True, "v002")
    assert live(data) == second
    (workflow,) = rpa_vision("heal", "status", "--data", data, "--json").json["workflows"]
    assert "v002" not in workflow["version"]["rolled_back"]


def test_what_was_learned_on_top_of_a_version_is_given_up_and_the_version_not_blamed(data: Path) -> None:
    """AH-4.5, AH-10.4"""
    from rpa_vision.testing.learned import open_world

    before = live(data)
    world = open_world(data)
    world.poison()
    world.close()
    ended = rpa_vision("heal", "rollback", WF, "--reason", "poisoned", "--data", data)
    assert ended.code == 0
    assert "giving up" in ended.err
    assert live(data) == before
    (workflow,) = rpa_vision("heal", "status", "--data", data, "--json").json["workflows"]
    assert (workflow["version"]["in_use"], workflow["version"]["rolled_back"]) == ("v001", [])


def test_a_damaged_version_asked_for_by_name_is_refused_before_anything_happens(data: Path) -> None:
    """AH-4.5"""
    learn(data)
    torn = data / "learning" / "prototypes" / WF / "v001" / "workflow.json"
    torn.write_bytes(torn.read_bytes()[:-10])
    before = live(data)
    ended = rpa_vision("heal", "rollback", WF, "--to", "v001", "--reason", "x", "--data", data)
    assert ended.code == 2
    assert "damaged" in ended.cause
    assert (live(data), state_of(data)) == (before, "running")
    listed = rpa_vision("heal", "versions", WF, "--data", data)
    assert "v001 is damaged" in listed.err
    assert "DAMAGED" in listed.out


def test_a_workflow_whose_document_is_broken_can_still_be_rolled_back(data: Path) -> None:
    """AH-4.5"""
    before = live(data)
    learn(data)
    (data / "workflows" / WF / "workflow.json").write_text("{", encoding="utf-8")
    ended = rpa_vision("heal", "rollback", WF, "--to", "v001", "--reason", "torn", "--data", data)
    assert (ended.code, live(data)) == (0, before)


def test_verify_finds_the_line_that_was_changed(data: Path) -> None:
    """AH-5.1"""
    steps(data, SUCCESS, FAILURE)
    whole = rpa_vision("heal", "audit", "verify", "--data", data, "--json")
    assert (whole.code, whole.json["ok"]) == (0, True)
    trail = data / "audit" / "audit.jsonl"
    lines = trail.read_text(encoding="utf-8").splitlines()
    entry = json.loads(lines[1])
    entry["record"]["state"] = "paused"
    lines[1] = json.dumps(entry)
    trail.write_text("\n".join(lines) + "\n", encoding="utf-8")
    broken = rpa_vision("heal", "audit", "verify", "--data", data)
    assert broken.code == 1
    assert "line 2" in broken.out
