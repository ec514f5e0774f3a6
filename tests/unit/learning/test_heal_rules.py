"""When a heal is kept: the rules by themselves."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rpa_vision.learning.heal_proposals import (
    MAX_OPEN_PER_EDGE,
    ProposalStanding,
    contradicted_by,
    healed,
    hindrance_to_keeping,
    joined,
    same_change,
    standing_of,
    target_in,
    to_make_room,
    with_known_names,
)
from rpa_vision.models.action import Action
from rpa_vision.models.heal_proposal import HealProof, HealProposal, TargetChange
from rpa_vision.models.target import HOW_IT_IS_FOUND, Landmark, RecordedPlace, TargetSpec
from rpa_vision.models.workflow_graph import ScreenTemplate, Workflow, WorkflowEdge, WorkflowNode
from rpa_vision.testing.strategies import targets

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
PLACE = RecordedPlace(bbox=(100, 100, 180, 130), screen_resolution=(960, 600))
BEFORE = TargetSpec(label="Valider", type="button", place=PLACE)
APPLICABLE = ProposalStanding("applicable", "can be kept")


def proposal(name: str = "heal_1", *, word: str = "Approuver", run: str = "run_1", **changes: Any) -> HealProposal:
    fields: dict[str, Any] = {
        "proposal_id": name,
        "workflow_id": "WF",
        "workflow_version": 1,
        "edge_id": "E1",
        "created_at": NOW,
        "updated_at": NOW,
        "changes": (TargetChange(kind="label", before="Valider", after=word),),
        "before": BEFORE,
        "after": BEFORE.model_copy(update={"aliases": (word,)}),
        "is_found_again": True,
        "verified_runs": 1,
        "proofs": (HealProof(run_id=run, at=NOW, strategy="som_text_match", score=0.9),),
    }
    return HealProposal(**(fields | changes))


def moved(name: str, x: int, landmarks: tuple[Landmark, ...] = ()) -> HealProposal:
    place = PLACE.model_copy(update={"bbox": (x, 100, x + 80, 130)})
    after = BEFORE.model_copy(update={"place": place, "landmarks": landmarks})
    change = TargetChange(kind="place", before="there", after="here")
    return proposal(name, after=after, changes=(change,))


def workflow(target: TargetSpec = BEFORE, version: int = 1) -> Workflow:
    nodes = tuple(WorkflowNode(node_id=n, label=n, screen_template=ScreenTemplate()) for n in ("N1", "N2"))
    edge = WorkflowEdge(edge_id="E1", from_node="N1", to_node="N2", action=Action(type="mouse_click", target=target))
    return Workflow(
        workflow_id="WF", name="WF", version=version, created_at=NOW, updated_at=NOW, entry_nodes=("N1",),
        end_nodes=("N2",), nodes=nodes, edges=(edge,),
    )  # fmt: skip


@pytest.mark.parametrize(
    "other", [{"label": "Supprimer"}, {"type": "link"}, {"role": "delete_action"}, {"row_contains": ("x",)}]
)
def test_a_proposal_never_changes_what_a_target_is(other: dict[str, Any]) -> None:
    """EX-7: how, never silently what"""
    with pytest.raises(ValidationError, match="never what it is"):
        proposal(after=BEFORE.model_copy(update={"aliases": ("Approuver",), **other}))


@given(targets(()), targets(()))
def test_whatever_is_proposed_only_how_it_is_found_can_change(before: TargetSpec, after: TargetSpec) -> None:
    """EX-7"""
    how = set(HOW_IT_IS_FOUND)
    same = before.model_dump(exclude=how) == after.model_dump(exclude=how) and before != after
    try:
        made = proposal(before=before, after=after)
    except ValidationError:
        assert not same
    else:
        assert same
        changed = target_in(healed(workflow(before), made), "E1")
        assert changed is not None
        assert changed.model_dump(exclude=how) == before.model_dump(exclude=how)


def test_the_workflow_itself_says_where_a_proposal_stands() -> None:
    """EX-9"""
    one = proposal()
    assert standing_of(one, workflow()).standing == "applicable"
    assert standing_of(one, healed(workflow(), one)).standing == "kept"
    assert standing_of(one.model_copy(update={"status": "kept"}), workflow()).standing == "undone"
    other = workflow(BEFORE.model_copy(update={"aliases": ("Confirmer",)}), 2)
    told = standing_of(one, other)
    assert (told.standing, "version 1" in told.why, "version 2" in told.why) == ("outdated", True, True)
    assert standing_of(one, None).standing == "gone"
    assert standing_of(proposal(edge_id="E9"), workflow()).standing == "gone"


def test_the_same_change_is_the_same_word_or_nearly_the_same_place() -> None:
    """EX-9"""
    assert same_change(proposal(), proposal("heal_2", word="APPROUVER"))
    assert not same_change(proposal(), proposal("heal_2", word="Confirmer"))
    assert same_change(moved("a", 300), moved("b", 310))
    assert not same_change(moved("a", 300), moved("b", 400))
    assert [one.proposal_id for one in contradicted_by(moved("a", 300), [moved("b", 310), moved("c", 500)])] == ["c"]
    assert contradicted_by(proposal(), [moved("b", 500)]) == (), "other words and another place may both be true"
    assert contradicted_by(proposal(), [proposal("x", word="Confirmer", status="rejected")]) == ()


def test_a_run_counts_once_and_one_that_may_not_teach_does_not_count() -> None:
    """AH-3.5, EX-9"""
    one = joined(proposal(), proposal("again", run="run_1"), NOW)
    assert (one.verified_runs, len(one.proofs)) == (1, 1)
    two = joined(one, proposal("again", run="run_2"), NOW + timedelta(hours=1))
    assert (two.verified_runs, two.updated_at) == (2, NOW + timedelta(hours=1))
    proof = HealProof(run_id="run_3", at=NOW, strategy="x", score=0.9, counted=False)
    assert joined(two, proposal("again", proofs=(proof,)), NOW).verified_runs == 2


@given(st.lists(st.tuples(st.sampled_from(["r1", "r2", "r3", "r4"]), st.booleans()), min_size=1, max_size=40))
def test_however_runs_come_as_many_count_as_taught(runs: list[tuple[str, bool]]) -> None:
    """EX-9"""
    first = proposal(proofs=(HealProof(run_id="r0", at=NOW, strategy="x", score=0.9),))
    for run, counted in runs:
        proof = HealProof(run_id=run, at=NOW, strategy="x", score=0.9, counted=counted)
        first = joined(first, proposal("again", proofs=(proof,)), NOW)
    assert first.verified_runs == 1 + len({run for run, counted in runs if counted})


def test_landmarks_that_are_not_there_again_are_left_out() -> None:
    """EX-4"""
    stays = Landmark(label="Facture", type="label", bbox=(300, 60, 380, 80))
    goes = Landmark(label="Bonjour Anne", type="label", bbox=(300, 20, 380, 40))
    later = Landmark(label="Facture", type="label", bbox=(310, 62, 390, 82))
    both = joined(moved("a", 300, (stays, goes)), moved("b", 310, (later,)), NOW)
    assert [one.label for one in both.after.landmarks] == ["Facture"]


@pytest.mark.parametrize(
    ("one", "needed", "why"),
    [
        (proposal(verified_runs=3), 3, None),
        (proposal(verified_runs=2), 3, "verified in 2 of 3"),
        (proposal(verified_runs=99), 0, "only a person"),
        (proposal(verified_runs=9, is_found_again=False), 3, "not find the target again"),
        (proposal(verified_runs=1, wanted_by="anne"), 3, None),
        (proposal(verified_runs=0, wanted_by="anne"), 3, "verified in 0"),
    ],
)
def test_what_keeps_a_proposal_from_being_kept_by_itself(one: HealProposal, needed: int, why: str | None) -> None:
    """EX-8, EX-9"""
    told = hindrance_to_keeping(one, APPLICABLE, [one], needed)
    assert told is None if why is None else why in (told or "")


def test_what_was_undone_or_is_contradicted_is_never_kept_by_itself() -> None:
    """EX-7"""
    one, other = proposal(verified_runs=9), proposal("heal_2", word="Confirmer")
    assert "heal_2" in (hindrance_to_keeping(one, APPLICABLE, [one, other], 3) or "")
    undone = proposal(verified_runs=9, by_person_only=True)
    assert hindrance_to_keeping(undone, standing_of(undone, workflow()), [undone], 3) is not None


def test_a_step_that_is_always_otherwise_does_not_fill_the_disk() -> None:
    """EX-6"""
    many = [proposal(f"heal_{n}", word=f"Mot {n}", verified_runs=n + 1) for n in range(MAX_OPEN_PER_EDGE)]
    assert to_make_room(many[:-1], proposal("new")) is None
    doomed = to_make_room(many, proposal("new"))
    assert doomed is not None
    assert doomed.proposal_id == "heal_0", "the least often verified"


def test_learning_anew_keeps_the_names_that_were_proven() -> None:
    """EX-8: the answer stays learned"""
    former = workflow(BEFORE.model_copy(update={"aliases": ("Approuver",)}))
    again = with_known_names(workflow(BEFORE, 2), former)
    target = target_in(again, "E1")
    assert target is not None
    assert target.aliases == ("Approuver",)
    other = with_known_names(workflow(BEFORE.model_copy(update={"label": "Payer"}), 2), former)
    assert target_in(other, "E1") == BEFORE.model_copy(update={"label": "Payer"})
