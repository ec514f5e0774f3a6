"""A failure case, resolved again: does the resolver still say what it said then?

The stored screen, picture and look go through the real resolver with the stored tolerance, terms, weights and memory.
The same program gives the same candidates with the same scores; a changed one shows what it would have done that day.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.strategy_weights import StrategyWeights, element_key
from rpa_vision.execution.target_resolver import MIN_MARGIN, MIN_SCORE, Candidate, Resolved, TargetResolver, Unresolved
from rpa_vision.models.auto_heal import StepThresholds
from rpa_vision.models.document import JsonObject
from rpa_vision.models.failure_case import CaseMemory, FailureCase, ResolverSettings, TermsInForce
from rpa_vision.models.frame import Pixels
from rpa_vision.ports.learning import FoundTarget, RememberedTarget

ResolverFor = Callable[[ResolverSettings], TargetResolver]
SCORE_TOLERANCE = 5e-4
"""Another machine's vector instructions may round the last digit otherwise."""

Verdict = Literal["same", "different", "new", "not_replayable"]


@dataclass(frozen=True, slots=True)
class CaseReplay:
    """What the resolver says now, and how that compares."""

    verdict: Verdict
    why: str
    now: Resolved | Unresolved | None = None

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The candidates now, the best first."""
        if isinstance(self.now, Resolved):
            return tuple(candidate for candidate in (self.now.best, self.now.runner_up) if candidate is not None)
        return self.now.candidates if self.now is not None else ()

    def to_json(self) -> JsonObject:
        """For scripts."""
        return {
            "verdict": self.verdict,
            "why": self.why,
            "outcome": None if self.now is None else _outcome(self.now),
            "candidates": [
                {
                    "element_id": candidate.element.element_id,
                    "label": candidate.element.label,
                    "type": candidate.element.type,
                    "bbox": list(candidate.element.bbox),
                    "score": candidate.score,
                    "strategy": candidate.strategy,
                    "reasons": list(candidate.reasons),
                }
                for candidate in self.candidates
            ],
        }


def default_resolver(settings: ResolverSettings) -> TargetResolver:
    """The resolver as a run builds it; the case keeps what its weights were made of in `strategies` and `elements`."""
    weights = StrategyWeights(settings.strategies, settings.elements)
    return TargetResolver(min_score=settings.min_score, min_margin=settings.min_margin, weights=weights)


def replay(
    case: FailureCase,
    screen: Pixels | None,
    look: Pixels | None = None,
    *,
    resolver_for: ResolverFor = default_resolver,
) -> CaseReplay:
    """Resolve the target of a case again on its stored screen."""
    target, state = case.target, case.screen_state
    if target is None:
        return CaseReplay("not_replayable", "the step had no target to be found")
    if state is None or screen is None:
        return CaseReplay("not_replayable", "the screen was not kept")
    if target.look is not None and look is None and case.resolution is not None:
        return CaseReplay("not_replayable", "the picture of the target was not kept")
    then = case.resolution
    settings = then.settings if then is not None else ResolverSettings(min_score=MIN_SCORE, min_margin=MIN_MARGIN)
    # The resolver reads pixels and elements, never the fingerprint.
    observed = ObservedScreen(screen, state, np.zeros(0, np.float32))
    now = resolver_for(settings).resolve(
        target,
        observed,
        case.values,
        _profile(case),
        look,
        terms=_thresholds(case.terms) if case.terms is not None else None,
        element=element_key(case.workflow_id, case.step_id, target),
        memories=tuple(_remembered(one) for one in settings.memories),
    )
    if then is None:
        return CaseReplay("new", "the step ended before its target was looked for", now)
    difference = _difference(case, now)
    return CaseReplay("same" if difference is None else "different", difference or "the same candidates", now)


def _profile(case: FailureCase) -> HealingProfile:
    if case.resolution is None:
        return HealingProfile.at_level(0)
    kept = case.resolution.tolerance
    return HealingProfile(kept.min_ratio, kept.pad_mul, kept.expand_roles, kept.attempt_level)


def _thresholds(terms: TermsInForce) -> StepThresholds:
    return StepThresholds(
        min_confidence=terms.min_confidence,
        min_margin=terms.min_margin,
        learning_enabled=terms.learning_enabled,
        hard_constraints_required=terms.hard_constraints_required,
        ambiguity_refused=terms.ambiguity_refused,
        policy_digest=terms.policy_digest,
        pixel_scale=terms.pixel_scale,
    )


def _remembered(memory: CaseMemory) -> RememberedTarget:
    found = FoundTarget(
        stable_id=memory.stable_id,
        label=memory.label,
        type=memory.type,
        role=memory.role,
        bbox_relative=memory.bbox_relative,
        strategy=memory.strategy,
        score=memory.score,
    )
    return RememberedTarget(found, memory.successes, memory.first_at, memory.last_at)


def _difference(case: FailureCase, now: Resolved | Unresolved) -> str | None:
    then = case.resolution
    assert then is not None
    if _outcome(now) != then.outcome:
        return f"then {then.outcome}, now {_outcome(now)}"
    found = CaseReplay("same", "", now).candidates
    before, after = [one.element_id for one in then.candidates], [one.element.element_id for one in found]
    if before != after:
        return f"then {', '.join(before) or 'nothing'}, now {', '.join(after) or 'nothing'}"
    for old, new in zip(then.candidates, found, strict=True):
        if abs(old.score - min(1.0, new.score)) > SCORE_TOLERANCE:
            return f"{old.element_id}: then {old.score:.4f}, now {new.score:.4f}"
    return None


def _outcome(answer: Resolved | Unresolved) -> str:
    return "resolved" if isinstance(answer, Resolved) else answer.why
