"""Asking a person before input is sent: before each step of a workflow that is still supervised, or before those steps
that need somebody's consent. What she says is written down, and what she calls wrong counts against the workflow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from rpa_vision.execution.modes import Licence
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.execution.step_result import confidence_of
from rpa_vision.execution.target_resolver import Resolved
from rpa_vision.models.geometry import Box
from rpa_vision.models.workflow_graph import WorkflowEdge
from rpa_vision.ports.person import Person, StepQuestion


@dataclass(slots=True)
class Consent:
    """What one run asks, and what it was told."""

    licence: Licence
    person: Person | None = None
    needing: frozenset[str] = frozenset()
    """Steps that need consent and have none yet."""
    audit: Callable[[str, dict[str, JsonValue]], None] = lambda kind, record: None
    said_no: str | None = None
    """What a person called wrong."""
    stopped: bool = False
    """A person wanted no more."""

    @property
    def is_wanted(self) -> bool:
        """Whether anybody will be asked anything."""
        return self.licence.confirm_each or self.licence.asks_consent

    def asks_about(self, edge: WorkflowEdge) -> bool:
        """Whether this step is asked about. What happens besides the steps (getting out of an error) is too."""
        if self.licence.confirm_each:
            return True
        return self.licence.asks_consent and edge.edge_id in self.needing

    def takes_offer(self, workflow_name: str, offer: str) -> bool:
        """Whether a person wants the robot to do the whole of it."""
        taken = self.person is not None and self.person.takes_offer(workflow_name, offer)
        self.audit("step_confirmed", {"step_id": None, "answer": "do_it" if taken else "not_now", "asked": offer})
        return taken

    def objection(self, edge: WorkflowEdge, question: StepQuestion) -> str | None:
        """Ask, and say why the step is not done; None where it may be."""
        if self.person is None:
            return "a person has to agree to this step, and nobody is there"
        answer = self.person.answers(question)
        self.audit("step_confirmed", {"step_id": edge.edge_id, "answer": answer, "asked": question.sentence})
        if answer in ("do_it", "confirm"):
            return None
        if answer == "not_now":
            self.stopped = True
            return "stopped by a person"
        self.said_no = f"step {edge.edge_id}: a person said that it is not this"
        return "a person said that it is not this"


def question_of(
    workflow_name: str, edge: WorkflowEdge, outcome: StepOutcome, sentence: str, values: Mapping[str, str]
) -> StepQuestion:
    """A step whose target was found, as it is put to a person."""
    element = outcome.resolution.best.element if isinstance(outcome.resolution, Resolved) else None
    return StepQuestion(
        workflow_name,
        edge.edge_id,
        sentence,
        Box.of(element.bbox) if element is not None else None,
        element.label if element is not None else "",
        confidence_of(outcome),
        edge.action,
        values,
    )
