"""Steps that failed, made by hand: real screens, the real resolver, everything a run would know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from rpa_vision.embedding.encoders import HashedScreenEncoder
from rpa_vision.embedding.fusion_engine import FusionEngine
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.embedding.state_embedder import StateEmbedder
from rpa_vision.execution.action_executor import StepOutcome
from rpa_vision.execution.execution_loop import ExecutedStep
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.target_resolver import TargetResolver
from rpa_vision.graph.node_matcher import NodeMatcher
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.auto_heal import ExecutionState, StepPermission, StepThresholds
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus, FailureKind
from rpa_vision.models.frame import Pixels
from rpa_vision.models.raw_session import Environment, ScreenEnvironment
from rpa_vision.models.target import TargetLook, TargetSpec
from rpa_vision.models.variables import Variable, VariableSource
from rpa_vision.models.workflow_graph import WorkflowEdge
from rpa_vision.system.failure_evidence import StepEvidence
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.screens import AnyItem, Item, ScreenBook, index_over, workflow_over

VALIDATE = (40, 300, 160, 340)
PAGE: list[AnyItem] = [
    ("heading", "title", "Facture", (40, 60, 240, 100)),
    ("label", "data_display", "Praticien", (40, 120, 160, 144)),
    Item("text_input", "form_input", "Motif", (40, 180, 300, 210)),
    ("button", "validate", "Valider", VALIDATE),
    ("button", "cancel", "Annuler", (200, 300, 320, 340)),
]
PERMISSION = StepPermission(
    allowed=True,
    reason="running",
    state=ExecutionState.RUNNING,
    thresholds=StepThresholds(
        min_confidence=0.72,
        min_margin=0.04,
        learning_enabled=True,
        hard_constraints_required=False,
        ambiguity_refused=False,
        policy_digest="abc123",
    ),
)
HERE = Environment(platform="linux", hostname="robot", screen=ScreenEnvironment(primary_resolution=(960, 600)))


@cache
def embedder() -> StateEmbedder:
    """One for all books: making it is the slow part."""
    return StateEmbedder(HashedScreenEncoder(), FusionEngine(), ManualClock())


def book_with(items: Sequence[AnyItem] = PAGE, *, title: str = "Facture") -> ScreenBook:
    book = ScreenBook(embedder=embedder())
    book.draw("page", items, title=title)
    return book


def failed_step(
    book: ScreenBook,
    target: TargetSpec,
    *,
    values: Mapping[str, str] | None = None,
    kind: FailureKind = FailureKind.TARGET_NOT_FOUND,
    level: int = 2,
    look: Pixels | None = None,
    message: str = "",
    step_id: str = "E1",
    secret_ref: str | None = None,
    variables: Mapping[str, Any] | None = None,
    version: int = 3,
    **evidence: Any,
) -> tuple[StepEvidence, ExecutionResult]:
    """A step on the book's page whose target was looked for by the real resolver."""
    screen = book["page"]
    if look is not None:
        picture = TargetLook(image_path="workflows/WF/targets/E1.png", size=(look.shape[1], look.shape[0]))
        target = target.model_copy(update={"look": picture})
    action = (
        Action(type="text_input", target=target, parameters=ActionParameters(secret_ref=secret_ref))
        if secret_ref is not None
        else Action(type="mouse_click", target=target)
    )
    edge = WorkflowEdge(edge_id=step_id, from_node="page", to_node="page", action=action)
    workflow = workflow_over(book, {"page": "page"}, [edge], version=version, variables=dict(variables or {}))
    resolver = TargetResolver()
    resolution = resolver.resolve(target, screen, values or {}, HealingProfile.at_level(level), look)
    said = message or getattr(resolution, "message", "")
    outcome = StepOutcome(
        ExecutionStatus.FAILED,
        message=said,
        failure_kind=kind,
        resolution=resolution,
        before=screen,
        location=NodeMatcher(workflow, index_over(book, {"page": "page"})).locate(screen),
    )
    told: dict[str, Any] = {
        "look": look,
        "resolver": resolver,
        "permission": PERMISSION,
        "environment": HERE,
        "run_id": "run_1",
        **evidence,
    }
    step = ExecutedStep(edge, outcome, 12.5)
    result = ExecutionResult(status=ExecutionStatus.FAILED, message=said, failure_kind=kind)
    return StepEvidence(step=step, workflow=workflow, values=values or {}, **told), result


def variable(subtype: str | None = None) -> Variable:
    return Variable(type="string", subtype=subtype, source=VariableSource(method="parameter"))


def cut(screen: ObservedScreen, bbox: tuple[int, int, int, int]) -> Pixels:
    """A part of a screen, as the recorded look of a target."""
    x1, y1, x2, y2 = bbox
    return screen.pixels[y1:y2, x1:x2].copy()
