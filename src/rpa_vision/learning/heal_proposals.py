"""When a heal is kept: the rules, without anything they are written on.

A proposal is kept after enough verified runs, or when a person says so. It is not kept while another one says that the
same target is found in another way, nor when a strict search for what it proposes would not find the target again, nor
on top of another target than it was made for. One that was kept and rolled back is a person's to keep.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from rpa_vision.graph.vocabulary import letters
from rpa_vision.models.action import Action
from rpa_vision.models.geometry import Box
from rpa_vision.models.heal_proposal import MAX_PROOFS, HealProposal
from rpa_vision.models.target import HOW_IT_IS_FOUND, MAX_ALIASES, Landmark, TargetSpec
from rpa_vision.models.wording import squeezed
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge

MAX_OPEN_PER_EDGE = 8
"""So many open proposals of one step are kept; the one least often verified makes room."""
_SAME_PLACE_PX = 24

Standing = Literal["applicable", "kept", "undone", "outdated", "gone", "rejected"]


@dataclass(frozen=True, slots=True)
class ProposalStanding:
    """Where a proposal stands against the workflow as it is now, and why."""

    standing: Standing
    why: str


def standing_of(proposal: HealProposal, workflow: Workflow | None) -> ProposalStanding:
    """Whether the proposal can be kept on top of what is in use now. The workflow itself says whether it was."""
    if proposal.status == "rejected":
        return ProposalStanding("rejected", f"rejected by {proposal.decided_by}")
    target = target_in(workflow, proposal.edge_id)
    if workflow is None:
        return ProposalStanding("gone", f"the workflow {proposal.workflow_id} is gone")
    if target is None:
        return ProposalStanding("gone", f"version {workflow.version} has no step {proposal.edge_id} with a target")
    if target == proposal.after:
        return ProposalStanding("kept", f"in use, in version {workflow.version}")
    if target == proposal.before:
        undone = proposal.status == "kept" or proposal.by_person_only
        if undone:
            return ProposalStanding("undone", "it was kept, and an earlier version was restored; a person may keep it")
        return ProposalStanding("applicable", "can be kept")
    return ProposalStanding(
        "outdated",
        f"made for version {proposal.workflow_version}; in version {workflow.version} the step is found otherwise",
    )


def same_change(one: HealProposal, other: HealProposal) -> bool:
    """Whether two proposals say the same about the same target."""
    if (one.workflow_id, one.edge_id, one.before) != (other.workflow_id, other.edge_id, other.before):
        return False
    if _names(one.after) != _names(other.after) or _kinds(one) != _kinds(other):
        return False
    return _same_place(one.after, other.after) if "place" in _kinds(one) else True


def contradicted_by(proposal: HealProposal, others: Iterable[HealProposal]) -> tuple[HealProposal, ...]:
    """The open proposals that find the same target in another way."""
    return tuple(
        other
        for other in others
        if other.proposal_id != proposal.proposal_id
        and other.status == "open"
        and (other.workflow_id, other.edge_id, other.before)
        == (proposal.workflow_id, proposal.edge_id, proposal.before)
        and _disagree(proposal, other)
    )


def hindrance_to_keeping(
    proposal: HealProposal, standing: ProposalStanding, others: Sequence[HealProposal], needed_runs: int
) -> str | None:
    """Why a proposal is not kept by itself (yet); None where it is. With 0 runs needed, only people keep proposals."""
    if standing.standing != "applicable":
        return standing.why
    if not proposal.is_found_again:
        return "a strict search would not find the target again with it"
    against = contradicted_by(proposal, others)
    if against:
        return f"{against[0].proposal_id} says otherwise"
    if proposal.wanted_by is not None and proposal.verified_runs > 0:
        return None
    if needed_runs == 0:
        return "only a person keeps proposals, by the policy"
    if proposal.verified_runs < needed_runs:
        return f"verified in {proposal.verified_runs} of {needed_runs} runs"
    return None


def joined(known: HealProposal, again: HealProposal, at: datetime) -> HealProposal:
    """The proposal with one more proof. A run counts once, and landmarks that were not there again are left out."""
    (proof,) = again.proofs
    others = [one for one in known.proofs if one.run_id != proof.run_id]
    before = next((one for one in known.proofs if one.run_id == proof.run_id), None)
    counted = proof.counted or (before is not None and before.counted)
    counts = counted and not (before is not None and before.counted)
    after = known.after
    if {"place", "landmarks"} & _kinds(known):
        after = after.model_copy(update={"landmarks": _shared(known.after, again.after)})
    return known.model_copy(
        update={
            "updated_at": max(at, known.updated_at),
            "after": after,
            "proofs": (*others, proof.model_copy(update={"counted": counted}))[-MAX_PROOFS:],
            "verified_runs": known.verified_runs + counts,
            "is_found_again": known.is_found_again and again.is_found_again,
            "source": "person" if "person" in (known.source, again.source) else "robot",
            "shown_by": again.shown_by or known.shown_by,
            "wanted_by": again.wanted_by or known.wanted_by,
        }
    )


def healed(workflow: Workflow, proposal: HealProposal) -> Workflow:
    """The workflow with the target found as proposed; everything else as it is."""
    edges = tuple(
        edge.model_copy(update={"action": _aimed(edge.action, proposal.after)})
        if edge.edge_id == proposal.edge_id and edge.action is not None
        else edge
        for edge in workflow.edges
    )
    return workflow.model_copy(update={"edges": edges})


def with_known_names(learned: Workflow, former: Workflow) -> Workflow:
    """What was learned anew, its targets known by the other names that were proven before."""

    def known(edge: WorkflowEdge) -> WorkflowEdge:
        old, new = target_in(former, edge.edge_id), target_in(learned, edge.edge_id)
        if edge.action is None or old is None or new is None or not old.aliases:
            return edge
        if (old.label, old.row_contains, old.column) != (new.label, new.row_contains, new.column):
            return edge
        names = tuple(dict.fromkeys((*new.aliases, *old.aliases)))[:MAX_ALIASES]
        return edge.model_copy(update={"action": _aimed(edge.action, new.model_copy(update={"aliases": names}))})

    return learned.model_copy(update={"edges": tuple(map(known, learned.edges))})


def target_in(workflow: Workflow | None, edge_id: str) -> TargetSpec | None:
    """The target of a step, where it has one of its own."""
    edge = workflow.get_edge(edge_id) if workflow is not None else None
    return edge.action.target if edge is not None and edge.action is not None else None


def to_make_room(proposals: Sequence[HealProposal], newcomer: HealProposal) -> HealProposal | None:
    """Which open proposal of the same step is forgotten for a new one, if there are too many."""
    rivals = [
        one
        for one in proposals
        if one.status == "open" and (one.workflow_id, one.edge_id) == (newcomer.workflow_id, newcomer.edge_id)
    ]
    if len(rivals) < MAX_OPEN_PER_EDGE:
        return None
    return min(rivals, key=lambda one: (one.source == "person", one.verified_runs, one.updated_at, one.proposal_id))


def changes_only_how(before: TargetSpec, after: TargetSpec) -> bool:
    """Whether two targets are the same thing, found in two ways."""
    how = set(HOW_IT_IS_FOUND)
    return before.model_dump(exclude=how) == after.model_dump(exclude=how)


def _aimed(action: Action, target: TargetSpec) -> Action:
    return action.model_copy(update={"target": target})


def _disagree(one: HealProposal, other: HealProposal) -> bool:
    """They give the target other new words, or other new places. Whoever tells more of the same does not disagree."""
    new = [_names(p.after) - _names(p.before) for p in (one, other)]
    if new[0] and new[1] and new[0] != new[1]:
        return True
    both_place = "place" in _kinds(one) and "place" in _kinds(other)
    return both_place and not _same_place(one.after, other.after)


def _kinds(proposal: HealProposal) -> frozenset[str]:
    return frozenset(change.kind for change in proposal.changes)


def _names(target: TargetSpec) -> frozenset[str]:
    return frozenset(squeezed(alias) for alias in target.aliases)


def _same_place(one: TargetSpec, other: TargetSpec) -> bool:
    if one.place is None or other.place is None:
        return one.place is other.place
    return one.place.screen_resolution == other.place.screen_resolution and _near(
        _in_window(one, one.place.bbox), _in_window(other, other.place.bbox)
    )


def _shared(known: TargetSpec, again: TargetSpec) -> tuple[Landmark, ...]:
    """The landmarks that both screens show, seen from the target."""
    there = [(letters(one.label), one.type, _from_target(again, one.bbox)) for one in again.landmarks]
    return tuple(
        one
        for one in known.landmarks
        if any(
            letters(one.label) == said and one.type == kind and _near(_from_target(known, one.bbox), offset)
            for said, kind, offset in there
        )
    )


def _from_target(target: TargetSpec, bbox: tuple[int, int, int, int]) -> tuple[int, int]:
    place = Box.of(target.place.bbox).center if target.place is not None else (0, 0)
    x, y = Box.of(bbox).center
    return (x - place[0], y - place[1])


def _in_window(target: TargetSpec, bbox: tuple[int, int, int, int]) -> tuple[int, int]:
    x, y = Box.of(bbox).center
    window = target.place.window_geometry if target.place is not None else None
    return (x - window[0], y - window[1]) if window is not None else (x, y)


def _near(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) <= _SAME_PLACE_PX
