"""What a run makes of its heals: applied for the rest of the run, and proposed for those to come.

Only a step that the screen verified says anything, and nothing that goes wrong here stops a run.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

import numpy as np

from rpa_vision.app.heal_proposals import ProposalDesk
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.conditions import OtherNames
from rpa_vision.execution.found_otherwise import FoundOtherwise, found_otherwise
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.run_outcome import ExecutedStep
from rpa_vision.execution.target_resolver import Resolved, TargetResolver
from rpa_vision.imaging.codec import encode_png
from rpa_vision.imaging.draw import draw_target
from rpa_vision.models.execution import ExecutionStatus, RunWarning
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.heal_proposal import HealProof, HealProposal, ProposalPicture
from rpa_vision.models.target import TargetLook, TargetSpec
from rpa_vision.models.variables import fill, variables_in
from rpa_vision.models.wording import squeezed
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge
from rpa_vision.ports.runtime import Clock, Ids
from rpa_vision.system.failure_evidence import blacked_out, without_secrets

_log = logging.getLogger(__name__)
_AROUND_PX = 80
_SAME = 0.5
_Change = tuple[str, tuple[str, ...], frozenset[str]]
"""A step, what its target is called by now, and in which ways it was found otherwise."""
_AIMED = ("mouse_click", "text_input", "clipboard", "scroll", "drag")


class RunHeals:
    """The heals of one run of one workflow. Each run has its own: two at a time heal independently."""

    def __init__(
        self,
        workflow: Workflow,
        run_id: str,
        resolver: TargetResolver,
        clock: Clock,
        ids: Ids,
        *,
        desk: ProposalDesk | None,
        recorded_look: Callable[[TargetSpec], Pixels | None],
        sentence: Callable[[WorkflowEdge], str],
        hidden: Callable[[], Mapping[str, str]],
    ) -> None:
        self._workflow = workflow
        self._run_id = run_id
        self._resolver = resolver
        self._clock = clock
        self._ids = ids
        self._desk = desk
        self._recorded_look = recorded_look
        self._sentence = sentence
        self._hidden = hidden
        self._applied: dict[str, TargetSpec] = {}
        self._proven: set[_Change] = set()
        """What this run has written down already: a loop that heals in every row proves it once."""
        self.lost = 0
        """Heals that could not be written down; the report of the run tells of them."""

    def applied(self, edge: WorkflowEdge) -> WorkflowEdge:
        """The step as this run has come to know it."""
        target = self._applied.get(edge.edge_id)
        if target is None or edge.action is None:
            return edge
        return edge.model_copy(update={"action": edge.action.model_copy(update={"target": target})})

    def other_names(self) -> OtherNames:
        """What the texts of targets are called by now: what a step is to show may be such a text."""
        names: dict[str, tuple[str, ...]] = {}
        for edge in self._workflow.edges:
            action = self.applied(edge).action
            target = action.target if action is not None else None
            if target is not None and target.aliases and target.label is not None and not variables_in(target.label):
                label = squeezed(fill(target.label, {}))
                names[label] = tuple(dict.fromkeys((*names.get(label, ()), *target.aliases)))
        return names

    def note(self, step: ExecutedStep, *, may_learn: bool) -> None:
        """Make something of a step that was verified on a target found otherwise. `may_learn`: this run counts."""
        try:
            self._note(step, may_learn=may_learn)
        except Exception:
            # A heal that cannot be written down was still a verified step: the run goes on.
            self.lost += 1
            _log.warning("a heal of %s could not be noted", step.edge.edge_id, exc_info=True)

    def _note(self, step: ExecutedStep, *, may_learn: bool) -> None:
        outcome, edge = step.outcome, self._workflow.get_edge(step.edge.edge_id)
        action = edge.action if edge is not None else None
        done = outcome.input_sent or outcome.shown_by is not None
        proven = outcome.status is ExecutionStatus.SUCCESS and outcome.verified and done
        if not proven or edge is None or action is None or action.target is None or action.type not in _AIMED:
            return
        resolution, screen = outcome.resolution, outcome.before
        if not isinstance(resolution, Resolved) or screen is None:
            return
        hidden, target = self._hidden(), action.target
        look, values = self._recorded_look(target), {**step.values, **outcome.extracted}
        element = resolution.best.element
        found = found_otherwise(target, element, screen, values, look=look, hidden=hidden.values())
        if found is None:
            return
        proposal_id = self._ids.new("heal")
        after, pixels = self._with_look(found, proposal_id, screen, hidden)
        if after == target:
            return
        again = self._finds(after, element.bbox, screen, values, pixels if pixels is not None else look)
        if again:
            self._applied[edge.edge_id] = after.model_copy(update={"look": target.look})
        change = (edge.edge_id, after.aliases, frozenset(one.kind for one in found.changes))
        if self._desk is None or (again and outcome.shown_by is None and change in self._proven):
            return
        now = self._clock.now()
        draft = HealProposal(
            proposal_id=proposal_id,
            workflow_id=self._workflow.workflow_id,
            workflow_version=self._workflow.version,
            edge_id=edge.edge_id,
            step=str(without_secrets(self._sentence(edge), hidden)),
            created_at=now,
            updated_at=now,
            source="person" if outcome.shown_by is not None else "robot",
            shown_by=outcome.shown_by,
            wanted_by=outcome.shown_by if outcome.keep_shown else None,
            changes=found.changes,
            before=target,
            after=after,
            is_found_again=again,
            verified_runs=int(may_learn),
            proofs=(self._proof(step, resolution, hidden, counted=may_learn),),
        )
        self._desk.note(draft, self._pictures(screen, Box.of(element.bbox), look, pixels, hidden))
        if again and may_learn:
            self._proven.add(change)

    def _with_look(
        self, found: FoundOtherwise, proposal_id: str, screen: ObservedScreen, hidden: Mapping[str, str]
    ) -> tuple[TargetSpec, Pixels | None]:
        """The target with its new picture, and that picture; no picture where it would show a secret."""
        if found.look is None or found.after.look is None:
            return found.after, None
        height, width = screen.pixels.shape[:2]
        box = found.look.clamped(int(width), int(height))
        masked = blacked_out(screen, hidden)
        if box is None or not np.array_equal(_part(masked, box), _part(screen.pixels, box)):
            return found.after, None
        path = f"workflows/{self._workflow.workflow_id}/targets/{proposal_id}.png"
        look = TargetLook(image_path=path, size=(box.width, box.height))
        return found.after.model_copy(update={"look": look}), _part(screen.pixels, box)

    def _finds(
        self,
        after: TargetSpec,
        bbox: tuple[int, int, int, int],
        screen: ObservedScreen,
        values: Mapping[str, str],
        look: Pixels | None,
    ) -> bool:
        """Whether a strict search for the changed target finds the same thing on the same screen."""
        answer = self._resolver.resolve(after, screen, values, HealingProfile.at_level(0), look)
        return isinstance(answer, Resolved) and Box.of(answer.best.element.bbox).overlap(Box.of(bbox)) >= _SAME

    def _proof(
        self, step: ExecutedStep, resolution: Resolved, hidden: Mapping[str, str], *, counted: bool
    ) -> HealProof:
        outcome, best = step.outcome, resolution.best
        return HealProof(
            run_id=self._run_id,
            at=self._clock.now(),
            strategy=best.strategy,
            score=min(1.0, max(0.0, best.score)),
            healing_level=outcome.healing_level,
            reasons=tuple(without_secrets(list(best.reasons), hidden)),
            expected=str(without_secrets(outcome.expected, hidden)),
            counted=counted,
        )

    def _pictures(
        self,
        screen: ObservedScreen,
        box: Box,
        recorded: Pixels | None,
        look: Pixels | None,
        hidden: Mapping[str, str],
    ) -> dict[ProposalPicture, bytes]:
        """Before: its recorded picture. After: where it was found, with what stands around it, secrets blacked out."""
        pictures: dict[ProposalPicture, bytes] = {}
        if recorded is not None:
            pictures["before"] = encode_png(recorded)
        height, width = screen.pixels.shape[:2]
        around = box.padded(_AROUND_PX).clamped(int(width), int(height))
        if around is not None:
            crop = _part(blacked_out(screen, hidden), around)
            pictures["after"] = encode_png(draw_target(crop, box.moved(-around.x1, -around.y1)))
        if look is not None:
            pictures["look"] = encode_png(look)
        return pictures


def lost_heals(lost: int) -> tuple[RunWarning, ...]:
    """What is told of heals that could not be written down: nobody will be asked about them."""
    if not lost:
        return ()
    said = f"targets found otherwise than recorded that could not be written down, and so are not proposed: {lost}"
    return (RunWarning(said=said, remedy="The log says why. A run that finds it so again proposes it."),)


def _part(pixels: Pixels, box: Box) -> Pixels:
    return np.ascontiguousarray(pixels[box.y1 : box.y2, box.x1 : box.x2])
