"""Accepting a proposal survives kill -9 at any instant: the workflow is the old one or the new one, whole."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from office import Diary

from rpa_vision.adapters.storage.heal_proposals import FileHealProposals
from rpa_vision.app.heal_proposals import ProposalDesk
from rpa_vision.learning.heal_proposals import target_in
from rpa_vision.models.heal_proposal import HealProof, HealProposal, TargetChange
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.testing.learned import WORKFLOW_ID, Killed, LearnedWorld, Mortal, open_world

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
NAME = "heal_1"


class Policy:
    """Implements `ports.auto_heal.PolicySource`."""

    def current(self) -> AutoHealPolicy:
        return AutoHealPolicy()


def desk_of(world: LearnedWorld) -> ProposalDesk:
    store = FileHealProposals(world.data.files)
    return ProposalDesk(store, world.data, world.versions, Diary(), Policy(), world.clock)


def make(root: Path) -> HealProposal:
    world = open_world(root)
    world.learn()
    target = target_in(world.data.workflows.load(WORKFLOW_ID), "E1")
    assert target is not None
    draft = HealProposal(
        proposal_id=NAME,
        workflow_id=WORKFLOW_ID,
        workflow_version=1,
        edge_id="E1",
        created_at=NOW,
        updated_at=NOW,
        changes=(TargetChange(kind="label", before="Valider", after="Approuver"),),
        before=target,
        after=target.model_copy(update={"aliases": ("Approuver",)}),
        is_found_again=True,
        verified_runs=1,
        proofs=(HealProof(run_id="run_1", at=NOW, strategy="som_text_match", score=0.9),),
    )
    desk_of(world).note(draft, {"after": b"png"})
    world.close()
    return draft


def test_accepting_survives_the_end_of_the_process_at_every_change_of_the_disk(tmp_path: Path) -> None:
    """EX-9, AH-4"""
    draft = make(tmp_path / "whole")
    mortal = Mortal()
    world = open_world(tmp_path / "whole", step=mortal)
    desk_of(world).accept(NAME, "anne")
    world.close()
    assert len(mortal.changes) > 10
    for at in range(1, len(mortal.changes) + 1):
        root = tmp_path / f"dies_{at}"
        make(root)
        world = open_world(root, step=Mortal(at))
        with pytest.raises(Killed):
            desk_of(world).accept(NAME, "anne")
        world.close()
        world = open_world(root)
        world.versions.recover()
        live = target_in(world.data.workflows.load(WORKFLOW_ID), "E1")
        assert live in (draft.before, draft.after), mortal.changes[at - 1]
        desk = desk_of(world)
        assert desk.view(NAME).standing in ("applicable", "kept")
        desk.accept(NAME, "anne")
        assert target_in(world.data.workflows.load(WORKFLOW_ID), "E1") == draft.after
        assert desk.view(NAME).standing == "kept"
        assert world.versions.rollback_to_previous(WORKFLOW_ID).restored
        assert target_in(world.data.workflows.load(WORKFLOW_ID), "E1") == draft.before
        world.close()


def test_a_torn_proposal_takes_no_other_with_it(tmp_path: Path) -> None:
    """EX-9"""
    make(tmp_path)
    (tmp_path / "heal_proposals" / "heal_torn").mkdir()
    (tmp_path / "heal_proposals" / "heal_torn" / "proposal.json").write_text('{"proposal', encoding="utf-8")
    (tmp_path / "heal_proposals" / "heal_begun").mkdir()
    world = open_world(tmp_path)
    found = desk_of(world).views()
    assert [view.proposal.proposal_id for view in found.items] == [NAME]
    assert [bad.name for bad in found.unreadable] == ["heal_proposals/heal_torn"]
    world.close()
