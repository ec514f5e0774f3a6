"""What helps a run beside its steps: heals that are noted, a person who is asked, actions that can be taken back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from rpa_vision.app.point_out import AskingRun, PointOut
from rpa_vision.app.run_heals import RunHeals
from rpa_vision.app.run_tools import RunHooks, RunTools
from rpa_vision.app.undo import RunUndo
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.guarded_desktop import InputGate
from rpa_vision.execution.run_outcome import ExecutedStep
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.target_resolver import TargetResolver
from rpa_vision.models.frame import Pixels
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge
from rpa_vision.system.failure_evidence import blacked_out

_AFTER_THE_ANSWER_S = 120.0


@dataclass(frozen=True, slots=True)
class RunPart:
    """What all of them need of the run."""

    tools: RunTools
    run_id: str
    sight: Sight
    sentence: Callable[[WorkflowEdge], str]
    hidden: Callable[[], Mapping[str, str]]
    later: Callable[[Callable[[], None]], None]
    """Has something written down before the next input is sent."""


@dataclass(frozen=True, slots=True)
class RunNotes:
    """What is made of each step when it is over: proposals of healing, and how it is taken back."""

    heals: RunHeals
    undo: RunUndo | None

    @classmethod
    def of(
        cls,
        part: RunPart,
        workflow: Workflow,
        resolver: TargetResolver,
        recorded_look: Callable[[TargetSpec], Pixels | None],
        *,
        acts: bool,
    ) -> RunNotes:
        """For one run of a workflow. Only what the robot did can be taken back."""
        undo = _undoing(part, workflow) if acts else None
        return cls(_healing(part, workflow, resolver, recorded_look), undo)

    def take(self, step: ExecutedStep, *, may_learn: bool) -> None:
        """A step is over. What broke proves nothing, but what it sent stands between now and the steps before it."""
        if step.error is None:
            terms = step.outcome.terms
            self.heals.note(step, may_learn=may_learn and terms is not None and terms.learning_enabled)
        if self.undo is not None:
            self.undo.note(step)

    def finish(self) -> None:
        """The run is over."""
        if self.undo is not None:
            self.undo.finish()


def _healing(
    part: RunPart,
    workflow: Workflow,
    resolver: TargetResolver,
    recorded_look: Callable[[TargetSpec], Pixels | None],
) -> RunHeals:
    """What makes proposals of what was found otherwise than recorded."""
    return RunHeals(
        workflow,
        part.run_id,
        resolver,
        part.tools.clock,
        part.tools.ids,
        desk=part.tools.proposals,
        recorded_look=recorded_look,
        sentence=part.sentence,
        hidden=part.hidden,
    )


def asking(
    part: RunPart,
    workflow: Workflow,
    hooks: RunHooks,
    *,
    is_at: Callable[[WorkflowEdge, ObservedScreen], bool],
    note: Callable[[str, dict[str, JsonValue]], None],
    gate: InputGate,
    take_time: Callable[[str, float | None], object],
    timeout_s: float | None,
) -> PointOut | None:
    """Who asks a person to show the target; nobody, where none is there (no time to wait), or questions have no place.

    `take_time` gives a step so many seconds from now; None: as many as usual.
    """
    if part.tools.questions is None or timeout_s is None:
        return None

    def wait_for(edge_id: str, seconds: float | None) -> None:
        take_time(edge_id, None if seconds is None else seconds + _AFTER_THE_ANSWER_S)

    return PointOut(
        AskingRun(
            workflow,
            part.run_id,
            part.tools.questions,
            part.sight,
            part.tools.clock,
            part.tools.ids,
            is_at=is_at,
            sentence=part.sentence,
            hidden=part.hidden,
            note=note,
            may_go_on=lambda: hooks.may_go_on() and gate.is_open,
            hands_are_free=lambda: gate.refusal() is None,
            take_time=wait_for,
            on_question=hooks.on_question,
            timeout_s=timeout_s,
        )
    )


def _undoing(part: RunPart, workflow: Workflow) -> RunUndo | None:
    """What keeps the last actions, where somebody may want to take them back."""
    if part.tools.undo is None:
        return None

    def shows_secrets(step: ExecutedStep) -> bool:
        screens = (step.outcome.before, step.outcome.after)
        return any(one is not None and blacked_out(one, part.hidden()) is not one.pixels for one in screens)

    undo = RunUndo(
        part.tools.undo, part.run_id, workflow, part.tools.clock, part.sentence, shows_secrets, later=part.later
    )
    undo.begin()
    return undo
