"""`heal proposals|accept|reject`, `heal questions|answer`, `stop`, `undo`, as people type them."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from command_line import rpa_vision
from supervised import WF, learn, supervisor

from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.learning.heal_proposals import target_in
from rpa_vision.models.heal_proposal import HealProof, HealProposal, TargetChange
from rpa_vision.models.heal_question import HealQuestion, QuestionCandidate

pytestmark = pytest.mark.timeout(180)
CLOCK = SystemClock()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    root = tmp_path / "data"
    learn(root)
    return root


def propose(root: Path, name: str, word: str) -> None:
    with supervisor(root) as opened:
        target = target_in(opened.proposals.data.workflows.load(WF), "E1")
        assert target is not None
        now = CLOCK.now()
        opened.proposals.note(
            HealProposal(
                proposal_id=name,
                workflow_id=WF,
                workflow_version=1,
                edge_id="E1",
                created_at=now,
                updated_at=now,
                changes=(TargetChange(kind="label", before="Valider", after=word),),
                before=target,
                after=target.model_copy(update={"aliases": (word,)}),
                is_found_again=True,
                verified_runs=1,
                proofs=(HealProof(run_id="run_1", at=now, strategy="som_text_match", score=0.9),),
            ),
            {},
        )


def test_proposals_are_listed_accepted_rejected_and_undone(data: Path) -> None:
    """EX-8, EX-9"""
    assert "No proposals" in rpa_vision("heal", "proposals", "--data", data).out
    propose(data, "heal_a", "Approuver")
    propose(data, "heal_b", "Confirmer")
    listed = rpa_vision("heal", "proposals", "--data", data, "--json").json["proposals"]
    contradicts = {one["proposal_id"]: one["contradicts"] for one in listed}
    assert contradicts == {"heal_a": ["heal_b"], "heal_b": ["heal_a"]}
    shown = rpa_vision("heal", "proposals", WF, "--data", data).out
    for words in ("« Valider » → « Approuver »", "the robot", "contradicts heal_b"):
        assert words in shown
    done = rpa_vision("heal", "accept", "heal_a", "--reason", "seen", "--data", data, "--json").json
    assert (done["status"], done["version"], done["changed"]) == ("kept", "v002", True)
    assert "found otherwise" in rpa_vision("heal", "accept", "heal_b", "--data", data).cause
    assert "rejected" in rpa_vision("heal", "reject", "heal_b", "--data", data).out
    decided = rpa_vision("heal", "proposals", "--decided", "--data", data, "--json").json["proposals"]
    assert [(one["proposal_id"], one["standing"]) for one in decided] == [("heal_a", "kept"), ("heal_b", "rejected")]
    assert rpa_vision("heal", "rollback", WF, "--reason", "a test", "--data", data).code == 0
    again = rpa_vision("heal", "proposals", "--decided", "--data", data, "--json").json["proposals"]
    assert again[0]["standing"] == "undone"
    missing = rpa_vision("heal", "accept", "heal_x", "--data", data)
    assert (missing.code, "there is no proposal 'heal_x'" in missing.cause) == (2, True)


def test_no_proposals_says_nothing_of_how_targets_were_found(data: Path) -> None:
    """EX-9, UX-1: what a tolerant search found may need no other words, and so no proposal"""
    told = rpa_vision("heal", "proposals", "--data", data).out
    assert told.strip() == "No proposals: no heal waits for a decision."
    told = rpa_vision("heal", "proposals", "--decided", "--data", data).out
    assert told.strip() == "No proposals: no heal waits for a decision, and none was decided."


def test_a_second_rejection_says_that_its_reason_was_not_kept(data: Path) -> None:
    """EX-9, AH-4: the reason in the audit trail is the first one"""
    propose(data, "heal_a", "Approuver")
    assert "rejected, and" in rpa_vision("heal", "reject", "heal_a", "--reason", "no", "--data", data).out
    lost = "; the reason given now was not kept"
    for reason, ignored in (("no", False), ("another deed", True), ("", False)):
        told = rpa_vision("heal", "reject", "heal_a", "--reason", reason, "--data", data, "--json").json
        assert (told["changed"], told["message"].endswith(lost)) == (False, ignored), told
    (kept,) = rpa_vision("heal", "proposals", "--decided", "--data", data, "--json").json["proposals"]
    assert kept["reason"] == "no"


def test_a_question_is_shown_and_answered_once(data: Path) -> None:
    """EX-8"""
    assert "No run waits" in rpa_vision("heal", "questions", "--data", data).out
    now = CLOCK.now()
    candidate = QuestionCandidate(number=1, label="Approuver", type="button", bbox=(1, 2, 3, 4), score=0.5)
    question = HealQuestion(
        question_id="question_1",
        run_id="run_1",
        workflow_id=WF,
        workflow_name="Factures",
        edge_id="E1",
        step="click on « Valider »",
        why="« Valider » is not on the screen",
        asked_at=now,
        expires_at=now + timedelta(minutes=5),
        screen_size=(1920, 1080),
        candidates=(candidate,),
    )
    with supervisor(data) as opened:
        opened.questions.store.ask(question, b"png")
    shown = rpa_vision("heal", "questions", "--data", data).out
    for words in ("question_1", "« Valider » is not on the screen", "1. button « Approuver »"):
        assert words in shown
    wrong = rpa_vision("heal", "answer", "question_1", "--point", "a,b", "--data", data)
    assert (wrong.code, "is not a point" in wrong.cause) == (2, True)
    assert "no candidate 7" in rpa_vision("heal", "answer", "question_1", "--number", "7", "--data", data).cause
    given = rpa_vision("heal", "answer", "question_1", "--point", "640,360", "--keep", "--data", data, "--json").json
    assert (given["kind"], given["point"], given["keep"]) == ("point", [640, 360], True)
    assert "was answered by" in rpa_vision("heal", "answer", "question_1", "--none", "--data", data).cause


def test_there_is_nothing_to_stop_or_undo(data: Path) -> None:
    """L4-13"""
    ended = rpa_vision("stop", "--data", data, "--json")
    assert (ended.code, ended.json["asked"]) == (0, [])
    assert "does not go on" in rpa_vision("stop", "run_9", "--data", data).cause
    assert "no display" in rpa_vision("undo", "--data", data).cause
