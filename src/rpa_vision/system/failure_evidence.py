"""What a run knows of a step that failed, and how it becomes a FailureCase.

The execution loop hands its evidence over in memory, pixels and all; only when a case is really kept is it turned into
a document. No secret gets that far: what must not be written is replaced by its name, in the words and in the picture.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.errors import DocumentError
from rpa_vision.execution.action_executor import StepOutcome
from rpa_vision.execution.execution_loop import ExecutedStep
from rpa_vision.execution.strategy_weights import StrategyWeights, element_key
from rpa_vision.execution.target_resolver import MIN_MARGIN, MIN_SCORE, Candidate, Resolved, TargetResolver, Unresolved
from rpa_vision.graph.secret_variables import secret_variables
from rpa_vision.models.auto_heal import StepPermission
from rpa_vision.models.document import JsonObject
from rpa_vision.models.execution import ExecutionResult
from rpa_vision.models.failure_case import (
    CaseCandidate,
    CaseMemory,
    CaseNodeScore,
    CaseResolution,
    FailureCase,
    ResolverSettings,
    SearchTolerance,
    TermsInForce,
)
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.raw_session import Environment
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.ui_element import InteractionHistory, UIElement
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.ports.learning import RememberedTarget

EVIDENCE = "evidence"
"""The key under which a context carries a StepEvidence."""
_MIN_PART_LENGTH = 4  # a shorter secret is looked for as a whole text only: as a part it would be everywhere


@dataclass(frozen=True, slots=True, eq=False)
class StepEvidence:
    """Everything the run knew when a step ended. Lives in memory only."""

    step: ExecutedStep
    workflow: Workflow
    values: Mapping[str, str]
    look: Pixels | None = None
    """The recorded picture of the target."""
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Name → value, only to make sure that no value is kept."""
    settings: ResolverSettings = field(default_factory=lambda: resolver_settings())
    resolver: TargetResolver | None = None
    """The run's resolver: asked once more where the step overruled its answer, so that the case keeps that answer."""
    permission: StepPermission | None = None
    """The supervisor's terms; those the step itself knows where none are given."""
    environment: Environment | None = None
    run_id: str | None = None

    @property
    def layout(self) -> str:
        """What tells this screen from another, whatever it shows: by its hash, not by likeness, because a control that
        came or went is often why a step fails."""
        screen = self.step.outcome.before
        signature = screen.state.layout_signature if screen is not None else None
        return signature.hash if signature is not None else ""


def resolver_settings(
    *,
    min_score: float = MIN_SCORE,
    min_margin: float = MIN_MARGIN,
    weights: StrategyWeights | None = None,
    element: str | None = None,
) -> ResolverSettings:
    """What a replay needs to build the same resolver: thresholds, and the counts behind the weights of one element."""
    trusted = weights or StrategyWeights()
    own = {name: tally for name, tally in trusted.elements.items() if name == element}
    return ResolverSettings(min_score=min_score, min_margin=min_margin, strategies=trusted.strategies, elements=own)


def failure_context(evidence: StepEvidence, **more: Any) -> JsonObject:
    """The context of `FailureRecorder.record_failure`: the evidence, and whatever else (JSON) is worth keeping."""
    return {EVIDENCE: evidence, **more}


def case_from(
    case_id: str,
    workflow_id: str,
    step_id: str,
    result: ExecutionResult,
    context: JsonObject,
    now: datetime,
    failed_before: Callable[[str], int] = lambda stable_id: 0,
) -> FailureCase:
    """The case of a failed step, without secrets. `failed_before` says how often acting on an element failed so far."""
    evidence = context.get(EVIDENCE)
    known = evidence if isinstance(evidence, StepEvidence) else None
    case = FailureCase(
        case_id=case_id,
        workflow_id=workflow_id,
        step_id=step_id,
        failure_kind=result.failure_kind,
        result=result,
        details={key: value for key, value in context.items() if key != EVIDENCE and _is_json(value)},
        first_seen=now,
        last_seen=now,
    )
    if known is None:
        return case
    outcome, version = known.step.outcome, known.workflow.version
    told = case.model_copy(
        update={
            "workflow_version": version,
            "last_workflow_version": version,
            "run_id": known.run_id,
            "expected": outcome.expected,
            "observed": outcome.observed,
            "input_sent": outcome.anything_sent,
            "edge": known.step.edge,
            "values": _public_values(known),
            "screen_state": _own_screen(outcome, case_id, failed_before),
            "resolution": _resolution(known),
            "node_scores": _node_scores(known),
            "terms": _terms(known.permission or known.step.permission),
            "environment": known.environment,
        }
    )
    hidden = _hidden(known)
    try:
        return FailureCase.from_json(without_secrets(told.to_json(), hidden), where=case_id)
    except DocumentError:
        # A secret that is also a word of the document (an id, a type) cannot be taken out of it: keep the bare facts.
        bare = without_secrets({"message": result.message, "details": case.details}, hidden)
        bare_result = result.model_copy(update={"message": bare["message"]})
        return case.model_copy(update={"result": bare_result, "details": bare["details"]})


def picture_of(evidence: StepEvidence) -> Pixels | None:
    """The screen of the step; where a line shows a secret, it is blacked out."""
    screen = evidence.step.outcome.before
    if screen is None:
        return None
    return blacked_out(screen, _hidden(evidence))


def picture_after(evidence: StepEvidence) -> Pixels | None:
    """The same of what was seen once something had been sent, if anything was."""
    outcome = evidence.step.outcome
    if outcome.after is None or outcome.after is outcome.before or not outcome.anything_sent:
        return None
    return blacked_out(outcome.after, _hidden(evidence))


def blacked_out(screen: ObservedScreen, hidden: Mapping[str, str]) -> Pixels:
    """The pixels of a screen, black where a line or an element tells something hidden."""
    places = [line.bbox for line in screen.state.perception.text_lines if _tells(line.text, hidden)]
    places += [element.bbox for element in screen.state.ui_elements if _tells(element.label, hidden)]
    if not places:
        return screen.pixels
    pixels = screen.pixels.copy()
    height, width = pixels.shape[:2]
    for bbox in places:
        box = Box.of(bbox).clamped(int(width), int(height))
        if box is not None:
            pixels[box.y1 : box.y2, box.x1 : box.x2] = 0
    return pixels


def sent_to(outcome: StepOutcome) -> UIElement | None:
    """The element that a step sent its input to, if it sent any."""
    resolution = outcome.resolution
    return resolution.best.element if isinstance(resolution, Resolved) and outcome.input_sent else None


def without_secrets(value: Any, hidden: Mapping[str, str]) -> Any:
    """The same JSON with `secret:<name>` wherever a secret stood."""
    if isinstance(value, str):
        return _masked(value, hidden)
    if isinstance(value, dict):
        return {key: without_secrets(item, hidden) for key, item in value.items()}
    if isinstance(value, list):
        return [without_secrets(item, hidden) for item in value]
    return value


def is_masked(text: str) -> bool:
    """Whether a secret may have stood in a text that was written down."""
    return "secret:" in text


def _hidden(evidence: StepEvidence) -> dict[str, str]:
    """Everything that must not be written, by name: the secrets, and the values of secret variables."""
    secret = sorted(secret_variables(evidence.workflow))
    read = evidence.step.outcome.extracted
    named = {name: evidence.values[name] for name in secret if name in evidence.values}
    named |= {name if name not in named else f"{name} as read": read[name] for name in secret if name in read}
    named |= evidence.secrets
    return {name: value for name, value in named.items() if value}


def _public_values(evidence: StepEvidence) -> dict[str, str]:
    hidden = _hidden(evidence)
    return {name: f"secret:{name}" if name in hidden else value for name, value in evidence.values.items()}


def _masked(text: str, hidden: Mapping[str, str]) -> str:
    """All at once, the longest first: one secret may be a part of another, or of the name that stands for another."""
    names = {secret: name for name, secret in reversed(list(hidden.items())) if secret}
    if text in names:
        return f"secret:{names[text]}"
    parts = sorted((secret for secret in names if len(secret) >= _MIN_PART_LENGTH), key=len, reverse=True)
    return re.sub("|".join(map(re.escape, parts)), lambda found: f"secret:{names[found[0]]}", text) if parts else text


def _tells(text: str, hidden: Mapping[str, str]) -> bool:
    return _masked(text, hidden) != text


def _own_screen(outcome: StepOutcome, case_id: str, failed_before: Callable[[str], int]) -> ScreenState | None:
    """The screen, whose picture is now the one beside the case; what was acted on says how that went so far."""
    screen = outcome.before
    if screen is None:
        return None
    raw = screen.state.raw.model_copy(update={"screenshot_path": f"failure_cases/{case_id}/screen.png"})
    elements = screen.state.ui_elements
    acted_on = sent_to(outcome)
    if acted_on is not None:
        proven = sum(one.successes for one in outcome.memories if one.found.stable_id == acted_on.stable_id)
        tried = proven + 1 + (failed_before(acted_on.stable_id) if acted_on.stable_id is not None else 0)
        history = InteractionHistory(click_count=tried, success_rate=proven / tried)
        elements = tuple(
            one.model_copy(update={"interaction_history": history}) if one.element_id == acted_on.element_id else one
            for one in elements
        )
    return screen.state.model_copy(update={"raw": raw, "ui_elements": elements})


def _resolution(evidence: StepEvidence) -> CaseResolution | None:
    said = evidence.step.outcome.resolution
    if said is None:
        return None
    answer, overruled = said, False
    if isinstance(said, Unresolved) and not said.candidates:
        again = _resolved_again(evidence, said)
        overruled = isinstance(again, Resolved)
        answer = again if again is not None else said
    found = (answer.best, answer.runner_up) if isinstance(answer, Resolved) else answer.candidates
    profile = said.profile
    return CaseResolution(
        outcome="resolved" if isinstance(answer, Resolved) else answer.why,
        message=said.message if isinstance(said, Unresolved) else "",
        candidates=tuple(_candidate(candidate) for candidate in found if candidate is not None),
        tolerance=SearchTolerance(
            min_ratio=profile.min_ratio,
            pad_mul=profile.pad_mul,
            expand_roles=profile.expand_roles,
            attempt_level=profile.attempt_level,
        ),
        settings=_settings_in_force(evidence),
        overruled=overruled,
    )


def _resolved_again(evidence: StepEvidence, said: Unresolved) -> Resolved | Unresolved | None:
    """An answer without candidates may be the step's own: the target was found, but the screen had moved on."""
    action, screen = evidence.step.edge.action, evidence.step.outcome.before
    if evidence.resolver is None or screen is None or action is None or action.target is None:
        return None
    outcome, target = evidence.step.outcome, action.target
    return evidence.resolver.resolve(
        target,
        screen,
        evidence.values,
        said.profile,
        evidence.look,
        terms=outcome.terms,
        element=element_key(evidence.workflow.workflow_id, evidence.step.edge.edge_id, target),
        memories=outcome.memories,
    )


def _settings_in_force(evidence: StepEvidence) -> ResolverSettings:
    """How sure the resolver had to be in this step: what it was built with, or more where the supervisor asked it."""
    settings, outcome = evidence.settings, evidence.step.outcome
    in_force: dict[str, object] = {"memories": tuple(_memory(one) for one in outcome.memories)}
    if outcome.terms is not None:
        in_force["min_score"] = max(settings.min_score, outcome.terms.min_confidence)
        in_force["min_margin"] = max(settings.min_margin, outcome.terms.min_margin)
    return settings.model_copy(update=in_force)


def _memory(known: RememberedTarget) -> CaseMemory:
    found = known.found
    return CaseMemory(
        stable_id=found.stable_id,
        label=found.label,
        type=found.type,
        role=found.role,
        bbox_relative=found.bbox_relative,
        strategy=found.strategy,
        score=found.score,
        successes=known.successes,
        first_at=known.first_at,
        last_at=known.last_at,
    )


def _candidate(candidate: Candidate) -> CaseCandidate:
    element = candidate.element
    return CaseCandidate(
        element_id=element.element_id,
        label=element.label,
        type=element.type,
        bbox=element.bbox,
        score=min(1.0, candidate.score),
        strategy=candidate.strategy,
        reasons=candidate.reasons,
    )


def _node_scores(evidence: StepEvidence) -> tuple[CaseNodeScore, ...]:
    location = evidence.step.outcome.location
    return tuple(
        CaseNodeScore(
            node_id=score.node.node_id,
            label=score.node.label,
            confidence=score.confidence,
            embedding_similarity=score.embedding_similarity,
            words=min(1.0, max(0.0, score.words)),
        )
        for score in (location.scores if location is not None else ())
    )


def _terms(permission: StepPermission | None) -> TermsInForce | None:
    if permission is None:
        return None
    terms = permission.thresholds
    return TermsInForce(
        state=permission.state,
        min_confidence=terms.min_confidence,
        min_margin=terms.min_margin,
        learning_enabled=terms.learning_enabled,
        hard_constraints_required=terms.hard_constraints_required,
        ambiguity_refused=terms.ambiguity_refused,
        policy_digest=terms.policy_digest,
        pixel_scale=terms.pixel_scale,
    )


def _is_json(value: Any) -> bool:
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_json(item) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return all(_is_json(item) for item in value)
    return value is None or isinstance(value, (str, int, float, bool))
