"""Proposals of healing: noted by runs, kept after enough proof or by a person's yes, rejected, told.

What is in use is said by the workflow alone: a process that dies between making the version and noting so leaves a
proposal that is seen to be in use. Every decision is in the audit trail before it is carried out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from rpa_vision.errors import RpaVisionError, UnknownIdError, UsageError
from rpa_vision.learning.heal_proposals import (
    contradicted_by,
    healed,
    hindrance_to_keeping,
    joined,
    same_change,
    standing_of,
    to_make_room,
)
from rpa_vision.learning.versioned_store import VersionedStore
from rpa_vision.models.document import JsonObject
from rpa_vision.models.heal_proposal import HealProposal, ProposalPicture
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.ports.audit import AuditLog
from rpa_vision.ports.auto_heal import PolicySource
from rpa_vision.ports.heal_proposals import HealProposalStore
from rpa_vision.ports.runtime import Clock
from rpa_vision.ports.storage import DataDirectory, Listing

ROBOT = "system"
"""Who keeps proposals that enough runs have verified."""


@dataclass(frozen=True, slots=True)
class ProposalView:
    """A proposal and where it stands now."""

    proposal: HealProposal
    standing: str
    why: str
    contradicts: tuple[str, ...]
    waits_for: str
    """What keeps it from being kept by itself; empty where nothing does."""

    def to_json(self) -> JsonObject:
        """For scripts and other user interfaces."""
        told = self.proposal.to_json()
        return {
            **told,
            "standing": self.standing,
            "why": self.why,
            "contradicts": list(self.contradicts),
            "waits_for": self.waits_for,
        }


@dataclass(frozen=True, slots=True)
class Decision:
    """What came of accepting or rejecting."""

    proposal: HealProposal
    changed: bool
    message: str
    version: str | None = None

    def to_json(self) -> JsonObject:
        """For scripts."""
        return {
            "proposal_id": self.proposal.proposal_id,
            "workflow_id": self.proposal.workflow_id,
            "edge_id": self.proposal.edge_id,
            "status": self.proposal.status,
            "changed": self.changed,
            "version": self.version,
            "message": self.message,
        }


@dataclass(frozen=True, slots=True)
class ProposalDesk:
    """Everything that is done with proposals of one data directory."""

    store: HealProposalStore
    data: DataDirectory
    versions: VersionedStore
    audit: AuditLog
    policy: PolicySource
    clock: Clock
    may_learn: Callable[[str], bool] = lambda workflow_id: True
    """Whether a workflow learns just now: not while it is degraded, if the policy says so."""
    on_update: Callable[[str], None] = lambda workflow_id: None

    def views(self, workflow_id: str | None = None, *, decided: bool = False) -> Listing[ProposalView]:
        """The proposals, the oldest first; those that were decided only if asked for."""
        found = self.store.list()
        workflows: dict[str, Workflow | None] = {}
        views = [
            self._view(one, found.items, workflows)
            for one in found.items
            if workflow_id in (None, one.workflow_id) and (decided or one.status == "open")
        ]
        return Listing(tuple(view for view in views if decided or view.standing != "kept"), found.unreadable)

    def view(self, proposal_id: str) -> ProposalView:
        """One proposal."""
        return self._view(self.store.load(proposal_id), self.store.list().items, {})

    def note(self, draft: HealProposal, pictures: Mapping[ProposalPicture, bytes]) -> HealProposal | None:
        """A run verified a target that was found otherwise: a new proposal, or one more proof of a known one.

        None where somebody has rejected that very change.
        """
        with self.store.alone():
            known = self.store.list().items
            same = next((one for one in known if same_change(one, draft)), None)
            if same is None:
                old = to_make_room(known, draft)
                self.audit.append("heal_proposed", _told(draft))
                if old is not None:
                    self.store.delete(old.proposal_id)
                return self.store.save(draft, pictures)
            if same.status == "rejected":
                return None
            if same.status == "kept":  # found by its old description again: what was kept has been rolled back
                undone = {"status": "open", "by_person_only": True, "kept_version": None, "reason": "was rolled back"}
                same = same.model_copy(update=undone)
            return self.store.save(joined(same, draft, self.clock.now()))

    def accept(self, proposal_id: str, who: str, reason: str = "") -> Decision:
        """Keep a change from now on, as a new version of the workflow."""
        with self.store.alone():
            return self._keep(self.store.load(proposal_id), who, reason or "accepted by hand")

    def reject(self, proposal_id: str, who: str, reason: str = "") -> Decision:
        """Never propose that again. What is in use is undone by going back to the version before, not by rejecting."""
        with self.store.alone():
            proposal = self.store.load(proposal_id)
            standing = standing_of(proposal, self._workflow(proposal.workflow_id))
            if standing.standing == "kept":
                raise UsageError(
                    f"{proposal_id} is {standing.why}",
                    remedy=f"First undo it: `rpa-vision heal rollback {proposal.workflow_id} --reason WHY`.",
                )
            if proposal.status == "rejected":
                message = f"{proposal_id}: rejected already, by {proposal.decided_by}"
                other = "; the reason given now was not kept" if reason not in ("", proposal.reason) else ""
                return Decision(proposal, False, message + other)
            self.audit.append("heal_rejected", {**_told(proposal), "who": who, "reason": reason})
            decided = self._decided(proposal, "rejected", who, reason)
            return Decision(self.store.save(decided), True, f"{proposal_id}: rejected, and not proposed again")

    def keep_proven(self, workflow_id: str) -> list[Decision]:
        """Keep what enough runs have verified, or what a person wanted kept while showing it. For the end of a run:
        whoever still runs has another version in hand."""
        if not any(one.workflow_id == workflow_id and one.status == "open" for one in self.store.list().items):
            return []
        kept: list[Decision] = []
        with self.store.alone():
            needed = self.policy.current().heal_verified_runs_to_keep
            while self.may_learn(workflow_id):
                found = self.store.list().items
                workflow = self._workflow(workflow_id)
                ready = next(
                    (
                        one
                        for one in found
                        if one.workflow_id == workflow_id
                        and one.status == "open"
                        and hindrance_to_keeping(one, standing_of(one, workflow), found, needed) is None
                    ),
                    None,
                )
                if ready is None:
                    break
                times = f"verified in {ready.verified_runs} run{'' if ready.verified_runs == 1 else 's'}"
                kept.append(self._keep(ready, ready.wanted_by or ROBOT, times))
        return kept

    def _keep(self, proposal: HealProposal, who: str, reason: str) -> Decision:
        name, workflow_id = proposal.proposal_id, proposal.workflow_id
        workflow = self._workflow(workflow_id)
        standing = standing_of(proposal.model_copy(update={"status": "open"}), workflow)
        if standing.standing == "kept":
            if proposal.status != "kept" and workflow is not None:
                self.store.save(self._decided(proposal, "kept", who, reason, version=f"v{workflow.version:03d}"))
            return Decision(self.store.load(name), False, f"{name}: {standing.why} already")
        if standing.standing in ("gone", "outdated"):
            raise UsageError(
                f"{name} cannot be kept: {standing.why}",
                remedy="Reject it; a new one is proposed when the step is healed again.",
            )
        if not proposal.is_found_again:
            raise UsageError(
                f"{name} cannot be kept: a strict search would not find the target again with it",
                remedy="What the target is has changed, not only how it is found: record the task again and learn it.",
            )
        against = contradicted_by(proposal, self.store.list().items)
        self.audit.append(
            "heal_accepted",
            {**_told(proposal), "who": who, "reason": reason, "over": [one.proposal_id for one in against]},
        )
        version = self.versions.update(
            workflow_id,
            lambda number: self._put(proposal, number),
            reason=f"heal {name}: {_in_short(proposal)} ({reason})",
        )
        kept = self.store.save(self._decided(proposal, "kept", who, reason, version=version))
        self.on_update(workflow_id)
        with suppress(RpaVisionError):  # the heal is kept; old versions can go the next time
            self.versions.cleanup_old_versions(workflow_id, self.policy.current().max_versions_to_keep)
        more = f"; {', '.join(one.proposal_id for one in against)} said otherwise" if against else ""
        return Decision(kept, True, f"{name}: kept in {version} of {workflow_id}{more}", version)

    def _put(self, proposal: HealProposal, number: int) -> None:
        """The healed workflow in its place, looked at once more now that nobody else can change it."""
        workflow = self.data.workflows.load(proposal.workflow_id)
        standing = standing_of(proposal.model_copy(update={"status": "open"}), workflow)
        if standing.standing in ("gone", "outdated"):
            raise UsageError(f"{proposal.proposal_id} cannot be kept: {standing.why}", remedy="Look at it again.")
        look, picture = proposal.after.look, self.store.picture(proposal.proposal_id, "look")
        if look is not None and look != proposal.before.look and picture is not None:
            self.data.pictures.save(look.image_path, picture)
        moment = max(workflow.updated_at, self.clock.now())
        update = {"version": number, "updated_at": moment}
        self.data.workflows.save(healed(workflow, proposal).model_copy(update=update))

    def _decided(
        self, proposal: HealProposal, status: str, who: str, reason: str, *, version: str | None = None
    ) -> HealProposal:
        now = max(self.clock.now(), proposal.updated_at)
        update = {"status": status, "decided_by": who, "decided_at": now, "updated_at": now, "reason": reason}
        return proposal.model_copy(update={**update, "kept_version": version})

    def _view(
        self, proposal: HealProposal, others: tuple[HealProposal, ...], workflows: dict[str, Workflow | None]
    ) -> ProposalView:
        if proposal.workflow_id not in workflows:
            workflows[proposal.workflow_id] = self._workflow(proposal.workflow_id)
        standing = standing_of(proposal, workflows[proposal.workflow_id])
        against = tuple(one.proposal_id for one in contradicted_by(proposal, others))
        needed = self.policy.current().heal_verified_runs_to_keep
        waits = hindrance_to_keeping(proposal, standing, others, needed)
        return ProposalView(proposal, standing.standing, standing.why, against, waits or "")

    def _workflow(self, workflow_id: str) -> Workflow | None:
        try:
            return self.data.workflows.load(workflow_id)
        except UnknownIdError:
            return None


def _told(proposal: HealProposal) -> JsonObject:
    return {
        "proposal_id": proposal.proposal_id,
        "workflow_id": proposal.workflow_id,
        "step_id": proposal.edge_id,
        "version": proposal.workflow_version,
        "source": proposal.source,
        "changes": [change.model_dump(mode="json") for change in proposal.changes],
        "verified_runs": proposal.verified_runs,
    }


def _in_short(proposal: HealProposal) -> str:
    words = next((change for change in proposal.changes if change.kind == "label"), None)
    if words is not None:
        return f"« {words.before} » is also called « {words.after} »"
    return ", ".join(change.kind for change in proposal.changes) + f" of {proposal.edge_id}"
