"""New demonstrations refine a workflow: the next version holds both, also where the old recordings are gone."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

import numpy as np
import pytest
from office import AGAIN, FIELD, NAMES, SEND, Office, form, show_three, thanks

from rpa_vision.app.learn import EDITED, LearnResult, learn_all
from rpa_vision.app.wiring_auto_heal import AutoHeal
from rpa_vision.errors import LearningError, UsageError
from rpa_vision.models.geometry import Box
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.testing.screens import HandMadeSession

LATER = ("Berger", "Roux", "Faure")


def show_later(
    office: Office, names: Sequence[str] = LATER, *, help_first: bool = False, session_id: str = "sess_later"
) -> HandMadeSession:
    """Three more patients, on another day."""
    session = HandMadeSession(office.book, session_id)
    office.book.draw("form", form(), title="Patients")
    for index, name in enumerate(names):
        office.book.draw(f"later_{index}", form(name), title="Patients")
        office.book.draw(f"later_thanks_{index}", thanks(name), title="Merci")
        if help_first:
            session.click("form", (730, 65))
        session.click("form", Box(*FIELD).center)
        session.type("form", name)
        session.click(f"later_{index}", Box(*SEND).center)
        session.click(f"later_thanks_{index}", Box(*AGAIN).center, after="form")
    return session


def forget_recordings(office: Office) -> None:
    shutil.rmtree(office.data.paths.root / "sessions")


def examples(workflow: Workflow) -> set[str]:
    return {str(one) for one in workflow.variables["nom"].example_values}


@pytest.fixture
def refined(office: Office, heal: AutoHeal, learned: LearnResult) -> LearnResult:
    forget_recordings(office)
    office.keep(show_later(office))
    return office.learn(into="WF_patients", session_ids=["sess_later"], versions=heal.versions)


def test_the_next_version_holds_both_though_the_first_recordings_are_gone(
    office: Office, heal: AutoHeal, learned: LearnResult, refined: LearnResult
) -> None:
    """Issue 5: version n+1 contains both, nothing learned is lost"""
    assert (refined.workflow.version, refined.version_id) == (2, "v002")
    assert examples(refined.workflow) == {*NAMES, *LATER}
    assert refined.workflow.stats.observed_runs == 6
    assert [edge.edge_id for edge in refined.workflow.edges] == [edge.edge_id for edge in learned.workflow.edges]
    assert [edge.stats.manual_executions for edge in refined.workflow.edges] == [6, 6, 6]
    for old, new in zip(learned.workflow.nodes, refined.workflow.nodes, strict=True):
        before, now = old.screen_template.embedding_prototype, new.screen_template.embedding_prototype
        assert before is not None
        assert now is not None
        assert now.sample_count > before.sample_count
        assert 1 <= len(now.samples) <= 4
        vectors = [office.data.vectors.load(one.vector_id, dimensions=512) for one in (before, now)]
        assert float(vectors[0] @ vectors[1]) > 0.9
        assert np.linalg.norm(vectors[1]) == pytest.approx(1.0, abs=1e-5)
    assert heal.versions.inspect_versions("WF_patients").unreadable == ()
    assert heal.versions.rollback_to_previous("WF_patients")
    assert examples(office.data.workflows.load("WF_patients")) == set(NAMES)


def test_what_people_edited_is_refined_and_kept(office: Office, heal: AutoHeal, learned: LearnResult) -> None:
    """UX-6: learning does not undo an edit"""
    edited = learned.workflow.model_copy(
        update={"description": "mine", "metadata": {**learned.workflow.metadata, EDITED: True}}
    )
    office.data.workflows.save(edited)
    office.keep(show_later(office))
    result = office.learn(session_ids=["sess_later"], versions=heal.versions)
    assert result.workflow.description == "mine"
    assert examples(result.workflow) == {*NAMES, *LATER}


def test_what_people_wrote_is_refined_and_kept(office: Office, heal: AutoHeal, learned: LearnResult) -> None:
    """UX-6: a workflow that was never learned is in no recording, so learning may not replace it"""
    written = learned.workflow.model_copy(update={"description": "mine", "metadata": {}})
    office.data.workflows.save(written)
    office.keep(show_later(office))
    result = office.learn(session_ids=["sess_later"], versions=heal.versions)
    assert result.workflow.description == "mine"
    assert examples(result.workflow) == {*NAMES, *LATER}


def test_a_step_it_does_not_have_is_not_mixed_in_by_guessing(
    office: Office, heal: AutoHeal, learned: LearnResult
) -> None:
    """Issue 5: contradictory demonstrations, nothing half-written"""
    forget_recordings(office)
    office.keep(show_later(office, help_first=True))
    before = office.data.workflows.load("WF_patients")
    with pytest.raises(LearningError, match="a step that WF_patients does not have"):
        office.learn(into="WF_patients", session_ids=["sess_later"], versions=heal.versions)
    assert office.data.workflows.load("WF_patients") == before


def test_with_all_recordings_at_hand_all_are_learned_from(office: Office, heal: AutoHeal, learned: LearnResult) -> None:
    """Issue 5: version n+1 contains both"""
    office.keep(show_later(office))
    result = office.learn(into="WF_patients", session_ids=["sess_later"], versions=heal.versions)
    assert (result.workflow.version, result.repetitions) == (2, 6)
    assert examples(result.workflow) == {*NAMES, *LATER}


def test_learning_again_takes_no_step_away(office: Office, heal: AutoHeal, learned: LearnResult) -> None:
    """Issue 5: nothing learned is lost, whatever more demonstrations hide; what is put anew is what was asked for"""
    last = learned.workflow.edges[-1]
    assert last.action is not None
    assert last.action.target is not None
    printing = last.action.model_copy(update={"target": last.action.target.model_copy(update={"label": "Imprimer"})})
    last_node = {"from_node": last.to_node, "to_node": last.to_node, "edge_id": "E9", "action": printing}
    more = last.model_copy(update={**last_node, "metadata": {"order": 9}, "post_conditions": None})
    knowing = learned.workflow.model_copy(update={"edges": (*learned.workflow.edges, more)})
    office.data.workflows.save(knowing)
    office.keep(show_later(office))
    with pytest.raises(LearningError, match="WF_patients would no longer know the step mouse_click « Imprimer »"):
        office.learn(session_ids=["sess_later"], versions=heal.versions)
    assert office.data.workflows.load("WF_patients") == knowing
    assert office.learn(session_ids=["sess_later"], versions=heal.versions, anew=True).repetitions == 3


def test_the_same_session_is_not_learned_twice_by_an_edited_workflow(
    office: Office, heal: AutoHeal, learned: LearnResult
) -> None:
    """L4-11, UX-6: what was seen once makes it no surer the second time"""
    edited = learned.workflow.model_copy(update={"metadata": {**learned.workflow.metadata, EDITED: True}})
    office.data.workflows.save(edited)
    for named in ({}, {"session_ids": ["sess_patients"]}):
        with pytest.raises(UsageError, match="learned from sess_patients already; there is nothing new"):
            office.learn(versions=heal.versions, **named)
    assert office.data.workflows.load("WF_patients") == edited


def test_the_same_session_is_not_learned_twice_where_another_is_gone(
    office: Office, heal: AutoHeal, refined: LearnResult
) -> None:
    """L4-11: counts and samples stay what was seen"""
    with pytest.raises(UsageError, match="learned from sess_later already"):
        office.learn(into="WF_patients", session_ids=["sess_later"], versions=heal.versions)
    again = office.data.workflows.load("WF_patients")
    assert again.stats.observed_runs == refined.workflow.stats.observed_runs == 6
    assert again.nodes == refined.workflow.nodes


def test_what_is_new_among_the_sessions_is_learned_from_once(
    office: Office, heal: AutoHeal, learned: LearnResult
) -> None:
    """L4-11"""
    edited = learned.workflow.model_copy(update={"metadata": {**learned.workflow.metadata, EDITED: True}})
    office.data.workflows.save(edited)
    office.keep(show_later(office))
    result = office.learn(session_ids=["sess_patients", "sess_later"], versions=heal.versions)
    assert result.sessions == ("sess_later",)
    assert result.workflow.stats.observed_runs == 6


def test_every_task_of_known_sessions_is_not_learned_twice_either(
    office: Office, heal: AutoHeal, learned: LearnResult
) -> None:
    """L4-11: by whatever name it was found"""
    tools = (office.data, office.book.observer, office.clock)
    (first,) = learn_all(*tools, session_ids=["sess_patients"], versions=heal.versions)
    edited = first.workflow.model_copy(update={"metadata": {**first.workflow.metadata, EDITED: True}})
    office.data.workflows.save(edited)
    with pytest.raises(UsageError, match="learned from sess_patients already"):
        learn_all(*tools, session_ids=["sess_patients"], versions=heal.versions)
    assert office.data.workflows.load(first.workflow.workflow_id) == edited


ALL, DELETE, BACK = (40, 120, 240, 160), (40, 200, 240, 240), (340, 300, 540, 340)


def show_deleting(
    office: Office,
    times: int,
    *,
    called: str = "Supprimer",
    first: str = "Choisir tout",
    session_id: str = "sess_deleting",
) -> HandMadeSession:
    """Quite another task, in a program of the same windows."""
    for name, page in (("all", "Patients"), ("chosen", "Patients choisis")):
        chosen = [("button", "primary_action", first, ALL), ("button", "delete_action", called, DELETE)]
        shown = f"{session_id}_{name}"
        office.book.draw(shown, [("heading", "title", page, (40, 50, 260, 80)), *chosen], title=page)
    office.book.draw("gone", [("button", "navigation", "Retour", BACK)], title="Plus rien")
    session = HandMadeSession(office.book, session_id)
    for _ in range(times):
        session.click(f"{session_id}_all", Box(*ALL).center)
        session.click(f"{session_id}_chosen", Box(*DELETE).center)
        session.click("gone", Box(*BACK).center, after=f"{session_id}_all")
    return session


def test_another_task_does_not_take_the_place_of_a_workflow_though_it_was_shown_more_often(
    office: Office, heal: AutoHeal, learned: LearnResult
) -> None:
    """Issue 5, L4-2: refining by the wrong session changes nothing, least of all what is done"""
    office.keep(show_deleting(office, 8))
    before = office.data.workflows.load("WF_patients")
    with pytest.raises(LearningError, match="sess_deleting shows nothing of WF_patients, but another task"):
        office.learn(session_ids=["sess_deleting"], versions=heal.versions)
    assert office.data.workflows.load("WF_patients") == before
    anew = office.learn(session_ids=["sess_deleting"], versions=heal.versions, anew=True)
    assert anew.workflow.edges[1].action.target.label == "Supprimer"


def test_of_several_tasks_the_one_that_the_workflow_does_refines_it(
    office: Office, heal: AutoHeal, learned: LearnResult
) -> None:
    """Issue 5, L4-2: also where its recordings are gone"""
    office.keep(show_deleting(office, 8))
    office.keep(show_later(office))
    new = ["sess_later", "sess_deleting"]
    result = office.learn(session_ids=new, versions=heal.versions)
    assert examples(result.workflow) == {*NAMES, *LATER}
    assert result.other_tasks == (("Supprimer - Patients", 8),), "what was not learned is told"
    forget_recordings(office)
    office.keep(show_deleting(office, 8))
    office.keep(show_later(office, ("Petit", "Blanc", "Noir"), session_id="sess_last"))
    result = office.learn(session_ids=["sess_last", "sess_deleting"], versions=heal.versions, anew=False)
    assert examples(result.workflow) >= {*NAMES, *LATER, "Petit"}


def test_every_task_of_a_later_day_refines_what_was_learned_on_the_day_before(office: Office, heal: AutoHeal) -> None:
    """Issue 5: version n+1 contains both, nothing learned is lost"""
    tools = (office.data, office.book.observer, office.clock)
    office.keep(show_three(office.book))
    (first,) = learn_all(*tools, session_ids=["sess_patients"], versions=heal.versions)
    office.keep(show_later(office))
    (second,) = learn_all(*tools, session_ids=["sess_later"], versions=heal.versions)
    assert second.workflow.workflow_id == first.workflow.workflow_id
    assert (second.workflow.version, examples(second.workflow)) == (2, {*NAMES, *LATER})
    assert second.workflow.stats.observed_runs == 6
    (third,) = learn_all(*tools, session_ids=["sess_patients", "sess_later"], versions=heal.versions)
    assert (third.workflow.version, third.workflow.stats.observed_runs) == (3, 6)


def test_another_task_of_the_same_name_gets_another_name(office: Office, heal: AutoHeal) -> None:
    """L4-2: two tasks stay two, whatever they are called"""
    tools = (office.data, office.book.observer, office.clock)
    office.keep(show_three(office.book))
    (first,) = learn_all(*tools, session_ids=["sess_patients"], versions=heal.versions)
    office.keep(show_deleting(office, 4, called="Enregistrer"))
    (other,) = learn_all(*tools, session_ids=["sess_deleting"], versions=heal.versions)
    assert other.workflow.workflow_id == f"{first.workflow.workflow_id}_2"
    assert office.data.workflows.load(first.workflow.workflow_id) == first.workflow


def test_names_that_differ_only_at_their_ends_or_in_signs_are_two_workflows(office: Office, heal: AutoHeal) -> None:
    """L4-2, issue 5: nothing learned is lost, also where an id would hold no more of the name"""
    tools = (office.data, office.book.observer, office.clock)
    office.keep(show_three(office.book))
    (first,) = learn_all(*tools, session_ids=["sess_patients"], versions=heal.versions)
    mine = first.workflow.model_copy(update={"name": first.workflow.name.lower()})
    office.data.workflows.save(mine)
    long = "Supprimer tout ce qui a été choisi pour de bon"
    office.keep(show_deleting(office, 4, called=f"{long} ici"))
    office.keep(show_deleting(office, 5, called=f"{long} demain", first="Marquer la page", session_id="sess_again"))
    sessions = ["sess_patients", "sess_deleting", "sess_again"]
    results = learn_all(*tools, session_ids=sessions, versions=heal.versions)
    assert len(results) == len({result.workflow.workflow_id for result in results}) == 3
    assert {result.workflow.version for result in results} == {1}
    assert office.data.workflows.load(mine.workflow_id) == mine
