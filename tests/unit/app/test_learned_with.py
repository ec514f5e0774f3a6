"""A workflow says with which detector, judge and reader it was learned; others are told before they run it."""

from __future__ import annotations

import json

import pytest
from office import Office, show_three

from rpa_vision.app import wiring, wiring_reading
from rpa_vision.app.learn import EDITED
from rpa_vision.app.learned_with import LearnedWith, others
from rpa_vision.app.sayings import in_french
from rpa_vision.app.wiring_office import KnownEyes
from rpa_vision.errors import ModelMissingError
from rpa_vision.models.perception import Perception
from rpa_vision.models.workflow_graph import Workflow

NETS = Perception(detector="elements-1", judge="judge-1", reader="ink-1")
RULES_ONLY = Perception(detector="rules", reader="ink-1")


@pytest.fixture
def learned(office: Office) -> Workflow:
    office.keep(show_three(office.book))
    office.book.observer.perception = RULES_ONLY
    return office.learn().workflow


def test_who_saw_the_recordings_is_kept_with_what_was_learned(office: Office, learned: Workflow) -> None:
    """L4-1, UX-6"""
    assert learned.learned_with == (RULES_ONLY,)
    assert office.data.workflows.load("WF_patients") == learned


def test_learning_again_with_others_takes_their_names(office: Office, learned: Workflow) -> None:
    """L4-1"""
    office.book.observer.perception = NETS
    assert office.learn().workflow.learned_with == (NETS,)


@pytest.mark.parametrize(("before", "wanted"), [((RULES_ONLY,), (RULES_ONLY, NETS)), ((), ())])
def test_a_workflow_refined_by_others_names_them_all_and_one_unknown_part_makes_the_whole_unknown(
    office: Office, learned: Workflow, before: tuple[Perception, ...], wanted: tuple[Perception, ...]
) -> None:
    """L4-1"""
    edited = {"metadata": {**learned.metadata, EDITED: True}, "learned_with": before}
    office.data.workflows.save(learned.model_copy(update=edited))
    office.keep(show_three(office.book, "sess_more"))
    office.book.observer.perception = NETS
    assert office.learn(session_ids=["sess_more"]).workflow.learned_with == wanted


def test_the_same_eyes_are_not_talked_about(learned: Workflow) -> None:
    """UX-1"""
    same = LearnedWith(learned, RULES_ONLY)
    assert (same.verdict, same.told, same.remedy) == ("same", "", "")
    assert others([learned], RULES_ONLY) == []


def test_other_eyes_are_told_with_what_differs_and_the_command_that_learns_it_again(learned: Workflow) -> None:
    """UX-1"""
    other = LearnedWith(learned, NETS)
    assert other.verdict == "other"
    assert "detector rules then, elements-1 now; judge none then, judge-1 now" in other.told
    assert "reader" not in other.told
    assert other.remedy.endswith("rpa-vision learn sess_patients --name=Patients")
    told = json.loads(json.dumps(other.to_json()))
    assert (told["verdict"], told["now"]["detector"]) == ("other", "elements-1")
    assert told["learned_with"][0]["reader"] == "ink-1"


def test_what_was_edited_is_not_lost_without_a_word(learned: Workflow) -> None:
    """UX-1, UX-6"""
    edited = learned.model_copy(update={"metadata": {**learned.metadata, EDITED: True}})
    remedy = LearnedWith(edited, NETS).remedy
    assert "--anew" in remedy
    assert "edited again" in remedy


@pytest.mark.parametrize("anew", [False, True])
def test_the_command_learns_the_same_workflow_where_it_was_renamed(
    office: Office, learned: Workflow, anew: bool
) -> None:
    """UX-1, UX-6: by its name, another workflow would be made"""
    metadata = {**learned.metadata, EDITED: True} if anew else learned.metadata
    renamed = learned.model_copy(update={"name": "Fiches du jour", "metadata": metadata})
    office.data.workflows.save(renamed)
    remedy = LearnedWith(renamed, NETS).remedy
    command = "rpa-vision learn sess_patients --into=WF_patients" + " --anew" * anew
    assert command in remedy
    assert "--name" not in remedy
    assert in_french(remedy).startswith("Réapprenez-le")
    office.book.observer.perception = NETS
    office.learn(name="Fiches du jour", into="WF_patients", session_ids=["sess_patients"], anew=anew)
    (again,) = office.data.workflows.list().items
    assert (again.workflow_id, again.learned_with) == ("WF_patients", (NETS,))
    by_hand = renamed.model_copy(update={"metadata": {}})
    assert LearnedWith(by_hand, NETS).remedy.endswith("rpa-vision learn SESSION --into=WF_patients --anew")


def test_a_workflow_from_before_is_read_and_its_eyes_are_unknown(learned: Workflow) -> None:
    """L4-1"""
    document = learned.to_json()
    del document["learned_with"]
    old = LearnedWith(Workflow.from_json(document), NETS)
    assert old.verdict == "unknown"
    assert "unknown" in old.told
    by_hand = learned.model_copy(update={"learned_with": (), "metadata": {}})
    assert LearnedWith(by_hand, NETS).remedy.startswith("Record it")


def test_a_french_reader_is_told_in_french(learned: Workflow) -> None:
    """UX-2"""
    for now, seen_by in ((NETS, (RULES_ONLY,)), (NETS, ())):
        told = LearnedWith(learned.model_copy(update={"learned_with": seen_by}), now).told
        assert in_french(told) != told
    for name in ("Patients", "Fiches du jour"):
        for change in ({}, {EDITED: True}, {"sessions": []}):
            update = {"name": name, "metadata": {**learned.metadata, **change}}
            remedy = LearnedWith(learned.model_copy(update=update), NETS).remedy
            assert in_french(remedy).startswith(("Réapprenez-le", "Enregistrez-le"))


def test_what_settings_choose_is_what_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """L2-7"""
    usual = wiring_reading.perception({})
    assert usual.detector.startswith("elements-")
    assert usual.judge is not None
    by_rules = wiring_reading.perception({"RPA_VISION_DETECTOR": "rules"})
    assert (by_rules.detector, by_rules.judge, by_rules.reader) == ("rules", None, usual.reader)
    assert wiring_reading.perception({"RPA_VISION_READER": "ppocr"}).reader != usual.reader
    monkeypatch.setenv("RPA_VISION_DETECTOR", "rules")
    assert wiring.screen_observer().perception == by_rules


def test_the_eyes_of_an_office_are_asked_for_once_and_again_where_that_failed() -> None:
    """UX-1: a model that was missing may have come, and another office may have other eyes"""
    answers: list[Perception | Exception] = [ModelMissingError("the text reader is missing"), NETS, RULES_ONLY]

    def ask() -> Perception:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    first, second = KnownEyes(ask), KnownEyes(ask)
    assert [first(), first(), first()] == [None, NETS, NETS]
    assert second() == RULES_ONLY
