"""`rpa-vision status` and `workflows maturity | approve | withdraw`: evidence first, then a person's word."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import rpa_vision
from supervised import SUCCESS, WF, learn, supervisor

from rpa_vision.adapters.machine.os_user import os_user
from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.cli.person import TerminalPerson
from rpa_vision.models.geometry import Box
from rpa_vision.models.workflow_standing import AUTO_CONFIRMED, LearningStateName, LearningThresholds
from rpa_vision.ports.person import StepQuestion
from rpa_vision.testing.maturity import grow

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    root = tmp_path / "data"
    learn(root)
    return root


def grown(
    data: Path, level: LearningStateName, *, supervised: int = 0, thresholds: LearningThresholds | None = None
) -> None:
    store = FileDataDirectory(data, clock=SystemClock())
    workflow = store.workflows.load(WF)
    if thresholds is not None:
        learning = workflow.learning.model_copy(update={"thresholds": thresholds})
        workflow = workflow.model_copy(update={"learning": learning})
        store.workflows.save(workflow)
    with supervisor(data) as opened:
        grow(opened.learning, workflow, level)
        for _ in range(supervised):
            opened.learning.update_workflow_stats(WF, SUCCESS)


def test_what_is_missing_can_be_asked(data: Path) -> None:
    """L4-11"""
    ended = rpa_vision("workflows", "maturity", WF, "--data", data, "--json")
    told = ended.json
    assert (ended.code, told["state"], told["next"], told["earned"]) == (0, "OBSERVATION", "COACHING", False)
    assert told["needs"] == [
        {"name": "observed_runs", "have": 0, "need": 5, "met": False},
        {"name": "similarity", "have": None, "need": 0.9, "met": False},
    ]
    words = rpa_vision("workflows", "maturity", WF, "--data", data)
    assert "missing for COACHING: 5 more observed runs; at least 90% like what was learned\n" in words.out
    assert "do: work as always beside rpa-vision observe" in words.out


def test_nobody_approves_what_was_not_earned(data: Path) -> None:
    """L4-11: one line of cause, one of remedy, nothing changed"""
    grown(data, "AUTO_CANDIDATE", supervised=19)
    ended = rpa_vision("workflows", "approve", WF, "--reason", "hurry", "--yes", "--data", data, "--json")
    assert (ended.code, ended.json["error"]["code"]) == (2, "autonomy.not_earned")
    assert ended.cause == f"{WF} has not earned it yet: supervised_runs 19 of 20"


def test_an_approval_shows_the_evidence_and_is_written_down(data: Path) -> None:
    """L4-11"""
    grown(data, "AUTO_CANDIDATE", supervised=20)
    refused = rpa_vision("workflows", "approve", WF, "--reason", "a good month", "--data", data)
    assert refused.code == 2
    assert "nobody is there to say yes" in refused.err
    assert "at least 0.84 (Wilson, 95 %)" in refused.out
    ended = rpa_vision("workflows", "approve", WF, "--reason", "a good month", "--yes", "--data", data)
    assert ended.code == 0
    assert ended.out.index("supervised") < ended.out.index(f"is at {AUTO_CONFIRMED} now")
    with supervisor(data) as opened:
        opened.audit.flush()
        last = [entry.record for entry in opened.audit.entries() if entry.kind == "maturity_changed"][-1]
    assert last["reason"] == "approved: a good month"
    assert os_user() in last["who"]
    assert last["numbers"]["auto_candidate_runs"] == 20


def test_thin_evidence_has_to_be_acknowledged(data: Path) -> None:
    """L4-11"""
    quick = LearningThresholds(min_auto_candidate_runs_for_auto_confirmed=3)
    grown(data, "AUTO_CANDIDATE", supervised=3, thresholds=quick)
    asked = ("workflows", "approve", WF, "--reason", "known for years", "--yes", "--data", str(data), "--json")
    refused = rpa_vision(*asked)
    assert (refused.code, refused.json["error"]["code"]) == (2, "autonomy.not_acknowledged")
    ended = rpa_vision(*asked, "--acknowledge")
    assert (ended.code, ended.json["state"]) == (0, AUTO_CONFIRMED)
    assert ended.json["counts"]["approval"]["acknowledged"] is True


def test_it_is_taken_back(data: Path) -> None:
    """L4-11"""
    grown(data, AUTO_CONFIRMED)
    assert rpa_vision("workflows", "withdraw", WF, "--reason", "new release", "--data", data).code == 0
    ended = rpa_vision("workflows", "withdraw", WF, "--reason", "again", "--data", data)
    assert (ended.code, ended.cause) == (2, f"{WF} is at COACHING: there is nothing to take back")


def test_status_says_who_does_what_and_what_it_waits_for(data: Path) -> None:
    """UX-1, L4-11"""
    grown(data, "AUTO_CANDIDATE", supervised=20)
    (told,) = rpa_vision("status", "--data", data, "--json").json["workflows"]
    assert (told["state"], told["who_acts"], told["next"]) == (
        "AUTO_CANDIDATE",
        "the robot, each step confirmed",
        AUTO_CONFIRMED,
    )
    assert told["waits_for"] == f"a person: rpa-vision workflows approve {WF} --reason WHY"
    rpa_vision("heal", "pause", WF, "--reason", "inventory", "--data", data)
    (told,) = rpa_vision("status", "--data", data, "--json").json["workflows"]
    assert told["supervisor"]["state"] == "paused"
    assert told["waits_for"].startswith("a person: rpa-vision heal resume")
    shown = rpa_vision("status", "--data", data).out
    assert WF in shown
    assert "may run" in shown
    assert "no: paused" in shown, "what the supervisor says, as people read it"


@pytest.mark.parametrize(
    ("level", "may_run"),
    [
        ("OBSERVATION", "with a person; alone only by --authorise"),
        ("COACHING", "with a person; alone only by --authorise"),
        ("AUTO_CANDIDATE", "with a person who confirms each step"),
        (AUTO_CONFIRMED, "alone"),
    ],
)
def test_status_says_how_a_workflow_may_run_at_its_level(data: Path, level: LearningStateName, may_run: str) -> None:
    """UX-1, L4-12: that nothing holds it back does not mean that it may run alone"""
    grown(data, level)
    (told,) = rpa_vision("status", "--data", data, "--json").json["workflows"]
    assert told["may_run"].startswith(may_run)
    rpa_vision("heal", "pause", WF, "--reason", "inventory", "--data", data)
    (told,) = rpa_vision("status", "--data", data, "--json").json["workflows"]
    assert told["may_run"] == "no: paused"


def test_without_a_data_directory_nothing_is_made(tmp_path: Path) -> None:
    """UX-1"""
    ended = rpa_vision("status", "--data", tmp_path / "none")
    assert ended.code == 2
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["y\n"], "do_it"),
        (["what?\n", "oui\n"], "do_it"),
        (["n\n"], "not_this"),
        (["s\n"], "not_now"),
        ([""], "not_now"),
    ],
)
def test_a_person_at_the_terminal_is_asked_until_she_answers(lines: list[str], answer: str) -> None:
    """L4-12: silence is a stop"""
    said: list[str] = []
    person = TerminalPerson(said.append, iter(lines).__next__)
    question = StepQuestion("Factures", "E2", "Click the button « Valider »", Box(10, 10, 30, 30), "Valider", 0.97)
    assert person.answers(question) == answer
    assert said[0] == "E2: Click the button « Valider » (« Valider » at 20,20, 97% sure)"
