"""A heal is a proposal: noted with its proof, kept after enough of it or by a yes, reversible, and never of another."""

from __future__ import annotations

import json

import pytest
from office import Office
from renamed_office import WF, renamed, run_once, teach

from rpa_vision.adapters.runtime import RandomIds
from rpa_vision.app.heal_proposals import ProposalView
from rpa_vision.app.learn import LearnResult
from rpa_vision.app.report import report_page
from rpa_vision.app.run import RunHooks
from rpa_vision.app.run_heals import RunHeals
from rpa_vision.app.wiring_auto_heal import AutoHeal
from rpa_vision.errors import UsageError
from rpa_vision.execution.run_outcome import ExecutedStep
from rpa_vision.execution.target_resolver import TargetResolver
from rpa_vision.models.auto_heal import ExecutionState


@pytest.fixture
def learned(office: Office, heal: AutoHeal) -> LearnResult:
    return teach(office, heal)


def open_one(heal: AutoHeal) -> ProposalView:
    (view,) = heal.proposals.views().items
    return view


def kinds(office: Office) -> list[str]:
    return [json.loads(line)["kind"] for line in office.audit_file.read_text(encoding="utf-8").splitlines()]


def test_another_word_that_worked_is_proposed_with_its_proof(
    office: Office, heal: AutoHeal, learned: LearnResult
) -> None:
    """EX-5, EX-9"""
    report = run_once(office, heal, renamed(office))
    assert (report.status, report.warnings) == ("success", ()), report.reason
    view = open_one(heal)
    proposal = view.proposal
    assert [(change.kind, change.before, change.after) for change in proposal.changes] == [
        ("label", "Enregistrer", "Sauvegarder")
    ]
    assert (proposal.after.label, proposal.after.aliases) == ("Enregistrer", ("Sauvegarder",))
    assert (proposal.verified_runs, proposal.proofs[0].run_id) == (1, report.run_id)
    assert proposal.proofs[0].healing_level > 0
    assert view.waits_for == "verified in 1 of 3 runs"
    assert {"before", "after"} <= set(proposal.pictures)
    assert office.data.workflows.load(WF).version == 1, "nothing is kept yet"
    assert "heal_proposed" in kinds(office)


def test_a_loop_that_heals_in_every_row_proves_it_once(office: Office, heal: AutoHeal, learned: LearnResult) -> None:
    """EX-6, EX-9: the rows after the first cost no picture and no writing"""
    steps: list[ExecutedStep] = []
    run_once(office, heal, renamed(office), hooks=RunHooks(on_step=steps.append))
    healed = next(step for step in steps if step.outcome.healing_level)
    heals = RunHeals(
        office.data.workflows.load(WF), "run_list", TargetResolver(), office.clock, RandomIds(), desk=heal.proposals,
        recorded_look=lambda target: None, sentence=lambda edge: "", hidden=dict,
    )  # fmt: skip
    written = []
    for _ in range(3):
        heals.note(healed, may_learn=True)
        written.append(open_one(heal).proposal)
    assert written[0].verified_runs == 2
    assert written[0] == written[1] == written[2]


def test_it_is_kept_after_as_many_verified_runs_as_the_policy_says_and_can_be_undone(
    office: Office, heal: AutoHeal, learned: LearnResult
) -> None:
    """EX-9, AH-4"""
    levels = [run_once(office, heal, renamed(office)).steps[1].healing_level for _ in range(3)]
    assert min(levels) > 0
    workflow = office.data.workflows.load(WF)
    assert workflow.version == 2
    assert heal.proposals.views().items == ()
    (kept,) = heal.proposals.views(decided=True).items
    assert (kept.proposal.status, kept.standing, kept.proposal.kept_version) == ("kept", "kept", "v002")
    assert run_once(office, heal, renamed(office)).steps[1].healing_level == 0, "found at once now"
    assert run_once(office, heal, renamed(office, "Enregistrer")).status == "success", "the old word is still known"
    assert heal.versions.rollback_to_previous(WF).restored
    run_once(office, heal, renamed(office))
    again = open_one(heal)
    assert again.standing == "undone"
    for _ in range(3):
        run_once(office, heal, renamed(office))
    assert office.data.workflows.load(WF).version == 1, "what was undone is a person's to keep"
    assert heal.proposals.accept(again.proposal.proposal_id, "anne").version == "v003"


def test_a_person_may_keep_it_at_once_or_never_see_it_again(
    office: Office, heal: AutoHeal, learned: LearnResult
) -> None:
    """EX-8"""
    run_once(office, heal, renamed(office))
    first = open_one(heal).proposal.proposal_id
    done = heal.proposals.reject(first, "anne", "the old word comes back on Monday")
    assert (done.changed, heal.proposals.reject(first, "anne").changed) == (True, False)
    run_once(office, heal, renamed(office))
    assert heal.proposals.views().items == (), "a rejected change is not proposed again"
    assert heal.proposals.view(first).proposal.verified_runs == 1, "nor does it gather proof"
    assert office.data.workflows.load(WF).version == 1
    accepted = heal.proposals.accept(first, "anne", "it does not come back")
    assert (accepted.version, heal.proposals.accept(first, "anne").changed) == ("v002", False)
    target = office.data.workflows.load(WF).edges[1].action.target  # type: ignore[union-attr]
    assert target is not None
    assert target.aliases == ("Sauvegarder",)
    with pytest.raises(UsageError, match="in use"):
        heal.proposals.reject(first, "anne")
    assert kinds(office).index("heal_rejected") < kinds(office).index("heal_accepted")


def test_two_that_contradict_each_other_are_told_and_neither_is_kept_by_itself(
    office: Office, heal: AutoHeal, learned: LearnResult
) -> None:
    """EX-7"""
    for word in ("Sauvegarder", "Sauver", "Sauvegarder", "Sauver", "Sauvegarder", "Sauver"):
        assert run_once(office, heal, renamed(office, word)).status == "success"
    one, other = heal.proposals.views().items
    assert (one.contradicts, other.contradicts) == ((other.proposal.proposal_id,), (one.proposal.proposal_id,))
    assert other.proposal.proposal_id in one.waits_for
    assert office.data.workflows.load(WF).version == 1
    told = heal.proposals.accept(one.proposal.proposal_id, "anne")
    assert other.proposal.proposal_id in told.message
    assert heal.proposals.view(other.proposal.proposal_id).standing == "outdated"
    with pytest.raises(UsageError, match="found otherwise"):
        heal.proposals.accept(other.proposal.proposal_id, "anne")


def test_while_degraded_it_is_queued_and_does_not_count(office: Office, heal: AutoHeal, learned: LearnResult) -> None:
    """AH-3.5, and "Learning while DEGRADED" """
    heal.manager.force_transition(WF, ExecutionState.DEGRADED, "a test", who="anne")
    report = run_once(office, heal, renamed(office))
    if report.status == "success":
        assert open_one(heal).proposal.verified_runs == 0
        assert open_one(heal).proposal.proofs[0].counted is False


def test_a_proposal_for_a_workflow_that_is_gone_says_so(office: Office, heal: AutoHeal, learned: LearnResult) -> None:
    """EX-9"""
    run_once(office, heal, renamed(office))
    name = open_one(heal).proposal.proposal_id
    office.data.paths.workflow(WF).unlink()
    assert heal.proposals.view(name).standing == "gone"
    with pytest.raises(UsageError, match="is gone"):
        heal.proposals.accept(name, "anne")


def test_a_store_that_fails_stops_no_run(office: Office, heal: AutoHeal, learned: LearnResult) -> None:
    """EX-6, UX-2: its report tells that a heal was lost, and what to do"""
    (office.data.paths.root / "heal_proposals").write_text("not a folder", encoding="utf-8")
    report = run_once(office, heal, renamed(office))
    assert report.status == "success"
    (warning,) = report.warnings
    assert warning.said.endswith("could not be written down, and so are not proposed: 1")
    french = report_page(office.data.runs, report.run_id, "fr")
    assert "ne sont donc pas proposées : 1" in french
    assert "Le journal dit pourquoi." in french
