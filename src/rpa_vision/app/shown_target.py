"""What a person points out on her own screen becomes a proposal: a target found otherwise than recorded (EX-8).

Nobody has verified it yet, so nothing changes by itself: a person accepts it, or runs prove it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rpa_vision.app.heal_proposals import ProposalDesk
from rpa_vision.app.run_parts import RecordedLooks
from rpa_vision.app.sentences import step_sentence
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.found_otherwise import found_otherwise
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.target_resolver import Resolved, TargetResolver
from rpa_vision.models.heal_proposal import HealProposal
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge
from rpa_vision.ports.runtime import Clock, Ids


@dataclass(frozen=True, slots=True)
class ShownTargets:
    """Turns what was pointed out into proposals."""

    desk: ProposalDesk
    resolver: TargetResolver
    looks: RecordedLooks
    clock: Clock
    ids: Ids
    who: str

    def propose(
        self,
        workflow: Workflow,
        edge: WorkflowEdge,
        element: UIElement,
        screen: ObservedScreen,
        values: Mapping[str, str],
    ) -> HealProposal | None:
        """Propose that the step's target is this; None where it is found as recorded, or somebody rejected that."""
        target = edge.action.target if edge.action is not None else None
        if target is None:
            return None
        look = self.looks.of(edge)
        found = found_otherwise(target, element, screen, values, look=look)
        # The picture of a target is kept only with the proof of a run.
        after = found.after.model_copy(update={"look": target.look}) if found is not None else target
        if found is None or after == target:
            return None
        again = self.resolver.resolve(after, screen, values, HealingProfile.at_level(0), look)
        now = self.clock.now()
        draft = HealProposal(
            proposal_id=self.ids.new("heal"),
            workflow_id=workflow.workflow_id,
            workflow_version=workflow.version,
            edge_id=edge.edge_id,
            step=step_sentence(edge),
            created_at=now,
            updated_at=now,
            source="person",
            shown_by=self.who,
            changes=tuple(change for change in found.changes if change.kind != "look") or found.changes,
            before=target,
            after=after,
            is_found_again=isinstance(again, Resolved) and again.best.element.bbox == element.bbox,
        )
        return self.desk.note(draft, {})
