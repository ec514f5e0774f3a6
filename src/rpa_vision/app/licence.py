"""What one run may do: the table, over the level a workflow has earned, what it says itself, and who is there."""

from __future__ import annotations

from dataclasses import replace

from rpa_vision.app.run_tools import RunRequest
from rpa_vision.errors import RpaVisionError
from rpa_vision.execution.modes import Licence, licence, steps_that_need_consent
from rpa_vision.learning.deeds import deeds_digest
from rpa_vision.learning.learning_manager import LearningManager
from rpa_vision.learning.live_state import at_exactly
from rpa_vision.models.maturity import Maturity, RunWay
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.ports.storage import DataDirectory


def licence_of(request: RunRequest, known: Maturity | None = None, *, person_is_there: bool = False) -> Licence:
    """What the run may do. What somebody consented to when approving the workflow is not asked about again.

    A person's authorisation lifts the question of maturity for this one run, nothing else.
    """
    workflow = request.workflow
    asked_for = bool(workflow.safety_rules.require_confirmation_for)
    steps = steps_that_need_consent(workflow)
    return licence(
        request.mode,
        workflow.learning_state,
        policy=workflow.execution_policy,
        authorised=bool(request.authorised_because),
        person_is_there=person_is_there,
        needs_consent=(asked_for and not steps) or bool(without_consent(workflow, known)),
    )


def without_consent(workflow: Workflow, known: Maturity | None) -> tuple[str, ...]:
    """The steps that need consent and have none for good."""
    approval = known.approval if known is not None else None
    given = approval.consented_steps if approval is not None else ()
    return tuple(edge.edge_id for edge in steps_that_need_consent(workflow) if edge.edge_id not in given)


def as_trusted_now(workflow: Workflow, data: DataDirectory, learning: LearningManager) -> Workflow:
    """A workflow that was read a while ago, at the level it has now. What does something else than the one in use by
    now has earned nothing; neither does it cost that one its level."""
    try:
        live = data.workflows.load(workflow.workflow_id)
    except RpaVisionError:
        return at_exactly(workflow, "OBSERVATION")
    if deeds_digest(live) != deeds_digest(workflow):
        return at_exactly(workflow, "OBSERVATION")
    return at_exactly(workflow, learning.level(live))


def may_go_on_alone(request: RunRequest, restored: Workflow, given: Licence) -> bool:
    """Whether a restored version may be run on with, as the one before was. Its document says an older level: what it
    has earned is what the run began with, as long as it does the same."""
    if not request.authorised_because and deeds_digest(restored) != deeds_digest(request.workflow):
        return False
    other = licence_of(replace(request, workflow=at_exactly(restored, request.workflow.learning_state)), None)
    return given.act and not given.needs_person and (other.refusal, other.act) == (None, True)


def way_of(request: RunRequest, given: Licence, *, acts: bool) -> RunWay:
    """As what a run counts. An authorisation that was not needed takes nothing away from it."""
    if not acts:
        return "assisted"
    if given.confirm_each:
        return "supervised"
    if request.mode == "assist" or not request.authorised_because:
        return "alone"
    return "alone" if licence_of(replace(request, authorised_because=None)).act else "authorised"


OFFER_EACH, OFFER_ALL = "Shall I do it, asking before each step?", "Shall I do it?"


def offer(given: Licence) -> str:
    """What a person is offered in assist mode."""
    return OFFER_EACH if given.confirm_each else OFFER_ALL
