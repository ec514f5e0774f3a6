"""Find a recorded target on the current screen.

Every strategy gives evidence with a score and a reason; the evidence is combined per element, each strategy trusted as
far as its past allows. A clear winner resolves the target, a near tie does not: doubt is reported, not settled by
asking a weaker strategy. What is remembered is one more witness: it may confirm or cast doubt, but whoever wins must
lead by what the screen shows alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution import hard_constraints
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.strategies import anchor_template, remembered, role, spatial, text
from rpa_vision.execution.strategies.evidence import Search, Verdicts
from rpa_vision.execution.strategy_weights import StrategyWeights, Vote
from rpa_vision.graph.slots import row_of
from rpa_vision.models.auto_heal import StepThresholds
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.variables import fill, variables_in
from rpa_vision.models.wording import squeezed
from rpa_vision.ports.learning import RememberedTarget

MIN_SCORE = 0.72
MIN_MARGIN = 0.08
_SAME_COLUMN_PX = 8
_FIELDS = ("text_input", "password_input", "textarea", "dropdown")

_STRATEGIES: tuple[tuple[str, float, Callable[[Search], Verdicts | None]], ...] = (
    (text.NAME, 0.60, text.judge),
    (role.NAME, 0.15, role.judge),
    (spatial.NAME, 0.15, spatial.judge),
    (anchor_template.NAME, 0.10, anchor_template.judge),
    (remembered.NAME, 0.10, remembered.judge),
)
"""Name, weight and function of each strategy. Weights are shared among those that have something to go by."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An element that may be the target, with what speaks for it."""

    element: UIElement
    score: float
    strategy: str
    reasons: tuple[str, ...]
    by_memory: float = 0.0
    """How much of the score is due to what is remembered; less than nothing where the memory means another."""

    @property
    def by_sight(self) -> float:
        """The score by what the screen shows alone."""
        return round(self.score - self.by_memory, 4)


@dataclass(frozen=True, slots=True)
class Resolved:
    """This element, for these reasons, ahead of the runner-up."""

    best: Candidate
    runner_up: Candidate | None
    profile: HealingProfile


@dataclass(frozen=True, slots=True)
class Unresolved:
    """Why we cannot tell."""

    why: Literal["not_found", "ambiguous", "disabled"]
    message: str
    candidates: tuple[Candidate, ...]
    profile: HealingProfile


class TargetResolver:
    """Strategies, how far each is trusted, and the margin by which a winner must win."""

    def __init__(
        self,
        *,
        min_score: float = MIN_SCORE,
        min_margin: float = MIN_MARGIN,
        weights: StrategyWeights | None = None,
    ) -> None:
        self._min_score = min_score
        self._min_margin = min_margin
        self.weights = weights or StrategyWeights()
        """How far each strategy is trusted."""

    def resolve(
        self,
        target: TargetSpec,
        screen: ObservedScreen,
        values: Mapping[str, str],
        profile: HealingProfile,
        look: Pixels | None = None,
        *,
        terms: StepThresholds | None = None,
        element: str | None = None,
        memories: Sequence[RememberedTarget] = (),
    ) -> Resolved | Unresolved:
        """Say which element the target is now, or why we cannot tell. `terms` may only make it harder.

        `element` is what the target is called over runs (`strategy_weights.element_key`); `memories` are what it turned
        out to be on such a screen before.
        """
        min_score = max(self._min_score, target.min_similarity or 0.0, terms.min_confidence if terms else 0.0)
        min_margin = max(self._min_margin, terms.min_margin if terms else 0.0)
        search = _search(target, screen, values, profile, look, terms, memories)
        candidates = [one for one in self._candidates(search, element) if _keeps_constraints(one, search, values)]
        wanted = _described(search)
        if not candidates or candidates[0].score < min_score:
            near = ""
            if candidates:
                first = candidates[0]
                near = f"; nearest: « {first.element.label} » ({first.score:.2f}, {min_score:.2f} is needed)"
            return Unresolved("not_found", f"{wanted} is not on the screen{near}", tuple(candidates[:5]), profile)
        best = candidates[0]
        runner_up = candidates[1] if len(candidates) > 1 else None
        rival = max(candidates[1:], key=lambda candidate: candidate.by_sight, default=None)
        if runner_up is not None and best.score - runner_up.score < min_margin:
            message = f"{wanted} could be two things ({best.score:.2f} and {runner_up.score:.2f})"
            return Unresolved("ambiguous", message, tuple(candidates[:5]), profile)
        if rival is not None and best.by_sight - rival.by_sight < min_margin:
            message = f"{wanted} could be two things, and only what is remembered tells them apart"
            return Unresolved("ambiguous", message, tuple(candidates[:5]), profile)
        twin = next((other for other in candidates[1:] if _same_in_another_row(best.element, other.element)), None)
        if twin is not None and not search.rows:
            message = f"{wanted} stands in several rows of a list, and nothing says which row is meant"
            return Unresolved("ambiguous", message, tuple(candidates[:5]), profile)
        proof_required = terms is not None and terms.hard_constraints_required
        if proof_required and not _keeps_constraints(best, search, values, proof_required=True):
            message = f"{wanted} must prove {', '.join(target.hard_constraints)}, and cannot"
            return Unresolved("not_found", message, tuple(candidates[:5]), profile)
        if best.element.state is not None and best.element.state.enabled is False:
            return Unresolved("disabled", f"{wanted} is disabled", tuple(candidates[:5]), profile)
        return Resolved(best, runner_up, profile)

    def _candidates(self, search: Search, name: str | None) -> list[Candidate]:
        """All elements that may be meant, the most likely first."""
        opinions = [
            (name, weight, verdicts) for name, weight, judge in _STRATEGIES if (verdicts := judge(search)) is not None
        ]
        decisive = _decisive(search, opinions)
        candidates = [
            self._candidate(element, opinions, name)
            for element in search.screen.state.ui_elements
            if element.element_id in decisive
            and _row_fits(element, search)
            and _invites(element, search)
            and not _out_of_reach(element)
        ]
        return sorted(candidates, key=lambda candidate: (-candidate.score, candidate.element.element_id))

    def _candidate(self, element: UIElement, opinions: list[Opinion], name: str | None) -> Candidate:
        votes: list[Vote] = []
        reasons: list[str] = []
        strongest = ("", -1.0)
        for strategy, weight, verdicts in opinions:
            evidence = verdicts.get(element.element_id)
            votes.append(Vote(strategy, weight, evidence.score if evidence is not None else None))
            if evidence is None:
                continue
            reasons.append(evidence.reason)
            if weight * evidence.score > strongest[1] and strategy not in _NEVER_ALONE:
                strongest = (strategy, weight * evidence.score)
        score = round(self.weights.combined(votes, name), 4)
        seen = [vote for vote in votes if vote.strategy != remembered.NAME]
        by_memory = 0.0 if len(seen) == len(votes) else round(score - self.weights.combined(seen, name), 4)
        return Candidate(element, score, strongest[0] or role.NAME, tuple(reasons), by_memory)


Opinion = tuple[str, float, Verdicts]
_NEVER_ALONE = (role.NAME, remembered.NAME)
"""Strategies in whose name nothing is clicked."""


def _search(
    target: TargetSpec,
    screen: ObservedScreen,
    values: Mapping[str, str],
    profile: HealingProfile,
    look: Pixels | None,
    terms: StepThresholds | None,
    memories: Sequence[RememberedTarget],
) -> Search:
    filled = dict(values)
    return Search(
        target=target,
        label=fill(target.label, filled) if target.label is not None else None,
        label_is_exact=target.label is not None and bool(variables_in(target.label)),
        rows=tuple(fill(row, filled) for row in target.row_contains),
        look=look,
        screen=screen,
        profile=profile,
        remembered=tuple(memories),
        pixel_scale=terms.pixel_scale if terms is not None else 1.0,
    )


def _decisive(search: Search, opinions: list[Opinion]) -> set[str]:
    """Which elements may be meant at all: those that say the right thing, or, for a target without words, look or
    stand right."""
    by_name = {name: verdicts for name, _, verdicts in opinions}
    if text.NAME in by_name:
        return set(by_name[text.NAME])
    floor = search.profile.min_ratio
    # What a field holds changes its look; anything else without words is known by its look, where there is one.
    by_look = anchor_template.NAME in by_name and search.target.type not in _FIELDS
    return {
        element_id
        for name in ((anchor_template.NAME,) if by_look else (anchor_template.NAME, spatial.NAME))
        for element_id, evidence in by_name.get(name, {}).items()
        if evidence.score >= floor
    }


def _same_in_another_row(one: UIElement, other: UIElement) -> bool:
    """Rows of a list are told apart by what they say, never by where they are."""
    if not one.label or one.type != other.type or squeezed(one.label) != squeezed(other.label):
        return False
    here, there = Box.of(one.bbox), Box.of(other.bbox)
    in_line = abs(here.x1 - there.x1) <= _SAME_COLUMN_PX or abs(here.center[0] - there.center[0]) <= _SAME_COLUMN_PX
    return in_line and (here.y2 <= there.y1 or there.y2 <= here.y1)


def _keeps_constraints(
    candidate: Candidate, search: Search, values: Mapping[str, str], *, proof_required: bool = False
) -> bool:
    constraints, screen = search.target.hard_constraints, search.screen.state
    return hard_constraints.holds(constraints, candidate.element, screen, values, proof_required=proof_required)


def _invites(element: UIElement, search: Search) -> bool:
    """Whether it looks clickable enough, where the target asks for that."""
    wanted = search.target.min_affordance_score
    if wanted is None:
        return True
    return element.action_affordance is not None and element.action_affordance.clickable_score >= wanted


def _out_of_reach(element: UIElement) -> bool:
    """A dialog lies before it: a click would not reach it."""
    return element.metadata.get("behind_dialog") is True


def _row_fits(element: UIElement, search: Search) -> bool:
    """In a list, the row must say what was asked for; nothing else makes it the right row."""
    if not search.rows:
        return True
    said = {squeezed(other.label) for other in row_of(element, search.screen.state.ui_elements)}
    return all(squeezed(row) in said for row in search.rows)


def _described(search: Search) -> str:
    kind = search.target.type or "target"
    name = f"the {kind} « {search.label} »" if search.label else f"the recorded {kind}"
    return f"{name} in the row of « {', '.join(search.rows)} »" if search.rows else name
