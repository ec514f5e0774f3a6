"""Find a recorded target on the current screen.

Every strategy gives evidence with a score and a reason; the evidence is combined per element, each strategy trusted as
far as its past allows. A clear winner resolves the target, a near tie does not: doubt is reported, not settled by
asking a weaker strategy. What is remembered is one more witness, and so is where it was: they may confirm or cast
doubt, but whoever wins must lead by what the screen shows alone.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution import first_or_last, hard_constraints, refusals, rows
from rpa_vision.execution.behind_dialogs import out_of_reach
from rpa_vision.execution.decisive_elements import Opinion, decisive, heard
from rpa_vision.execution.harm import is_dangerous, is_meant_dangerous
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.misnamed import misnamed
from rpa_vision.execution.search_region import in_region, restrictions, why_outside
from rpa_vision.execution.sought import search_for
from rpa_vision.execution.strategies import (
    anchor_template,
    constellation,
    position,
    remembered,
    role,
    som_vlm,
    spatial,
    text,
)
from rpa_vision.execution.strategies import look as element_look
from rpa_vision.execution.strategies.constellation import NAMED_FROM_OUTSIDE, SURE_AGREEMENT
from rpa_vision.execution.strategies.evidence import Search, Verdicts, guarded
from rpa_vision.execution.strategy_weights import StrategyWeights, Vote
from rpa_vision.imaging.fading import is_faded
from rpa_vision.models.auto_heal import StepThresholds
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.ui_element import UIElement
from rpa_vision.ports.learning import RememberedTarget

_log = logging.getLogger(__name__)

MIN_SCORE = 0.72
MIN_MARGIN = 0.08
DANGEROUS_SCORE = 0.82
"""What an action that may do harm must score at least."""
WORDLESS_SCORE = 0.80
"""What something without words must score among landmarks: below, one answer in eight was wrong on the tuning kits."""
BROKEN = "the search for the target broke, so nothing is taken"

Strategy = tuple[str, float, Callable[[Search], Verdicts | None]]
STRATEGIES: tuple[Strategy, ...] = (
    (text.NAME, 0.60, text.judge),
    (role.NAME, 0.15, role.judge),
    (spatial.NAME, 0.15, spatial.judge),
    (constellation.NAME, 0.25, constellation.judge),
    (anchor_template.NAME, 0.10, anchor_template.judge),
    (element_look.NAME, 0.10, element_look.judge),
    (remembered.NAME, 0.10, remembered.judge),
    (position.NAME, 0.05, position.judge),
)
"""Name, weight and function of each strategy. Weights are shared among those that have something to go by."""
_PICTURE_WEIGHT = 0.60
"""For a target without words, its picture takes the place of words."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An element that may be the target, with what speaks for it."""

    element: UIElement
    score: float
    strategy: str
    reasons: tuple[str, ...]
    by_memory: float = 0.0
    """How much of the score is due to what is remembered; less than nothing where the memory means another."""
    by_place: float = 0.0
    """How much of it is due to where the target was; less than nothing where that is elsewhere."""

    @property
    def by_sight(self) -> float:
        """The score by what the screen shows alone."""
        return round(self.score - self.by_memory - self.by_place, 4)


@dataclass(frozen=True, slots=True)
class Resolved:
    """This element, for these reasons, ahead of the runner-up."""

    best: Candidate
    runner_up: Candidate | None
    profile: HealingProfile

    @property
    def resolution_details(self) -> dict[str, Any]:
        """How tolerantly it was found."""
        return self.profile.details(self.best.reasons)


@dataclass(frozen=True, slots=True)
class Unresolved:
    """Why we cannot tell."""

    why: Literal["not_found", "ambiguous", "disabled", "broken"]
    """`broken`: the search itself failed. Nothing is known; whoever goes by absence must not go by that."""
    message: str
    candidates: tuple[Candidate, ...]
    profile: HealingProfile

    @property
    def resolution_details(self) -> dict[str, Any]:
        """How tolerantly it was looked for."""
        return self.profile.details(self.candidates[0].reasons if self.candidates else ())


class TargetResolver:
    """Strategies, how far each is trusted, and the margin by which a winner must win."""

    def __init__(
        self,
        *,
        min_score: float = MIN_SCORE,
        min_margin: float = MIN_MARGIN,
        weights: StrategyWeights | None = None,
        strategies: Sequence[Strategy] = STRATEGIES,
        chooser: som_vlm.Chooser | None = None,
    ) -> None:
        """`chooser` may settle a tie that no strategy settles; without one it stays."""
        self._chooser = chooser
        self._strategies = tuple(strategies)
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
        on_its_screen: bool = False,
    ) -> Resolved | Unresolved:
        """Say which element the target is now, or why we cannot tell. `terms` may only make it harder.

        `element` is what the target is called over runs (`strategy_weights.element_key`); `memories` are what it turned
        out to be on such a screen before; `on_its_screen` says that this was recognised as the screen it belongs to.
        Whatever breaks in here, nothing is taken, and nothing is said to be absent.
        """
        try:
            return self._resolved(
                target, screen, values, profile, look, terms, element, memories, on_its_screen=on_its_screen
            )
        except Exception:
            _log.exception(BROKEN)
            return Unresolved("broken", BROKEN, (), profile.or_strict())

    def _resolved(
        self,
        target: TargetSpec,
        screen: ObservedScreen,
        values: Mapping[str, str],
        profile: HealingProfile,
        look: Pixels | None,
        terms: StepThresholds | None,
        element: str | None,
        memories: Sequence[RememberedTarget],
        *,
        on_its_screen: bool,
    ) -> Resolved | Unresolved:
        min_score = max(self._min_score, target.min_similarity or 0.0, terms.min_confidence if terms else 0.0)
        min_margin = max(self._min_margin, terms.min_margin if terms else 0.0)
        profile = profile.or_strict()
        search = search_for(target, screen, values, profile, look, terms, memories, on_its_screen=on_its_screen)
        whereabouts = restrictions(search, dict(values))
        within = {one.element_id for one in in_region(search.elements, whereabouts)}
        found, refusals_told = self._candidates(search, element, min_score)
        found = [one for one in found if _keeps_constraints(one, search, values)]
        against = [(one, said) for one, said in refusals_told if one.element_id in within]
        refused = [said for _, said in against]
        candidates = _apart_from_the_first([one for one in found if one.element.element_id in within], search)
        outside = next((one for one in found if one.element.element_id not in within), None)
        wanted = search.described
        if candidates and (is_dangerous(candidates[0].element) or is_meant_dangerous(target, search.label)):
            min_score = max(min_score, DANGEROUS_SCORE)
        if search.sky is not None and not search.label:
            min_score = max(min_score, WORDLESS_SCORE)
        if not candidates or candidates[0].score < min_score:
            unsure = next((said for one, said in against if said == _unsure(one)), None)
            if unsure is not None:
                return Unresolved("broken", f"{BROKEN}; {unsure}", tuple(candidates[:5]), profile)
            plain = [one.element for one in found if one.score >= min_score]
            beyond = why_outside(plain, whereabouts) if plain else None
            message = f"{wanted} is not on the screen{_what_came_nearest(candidates, refused, min_score)}"
            if beyond is not None:
                message = f"{wanted} is not where it must lie: {beyond}"
            return Unresolved("not_found", message, tuple(candidates[:5]), profile)
        best, runner_up = candidates[0], candidates[1] if len(candidates) > 1 else None
        if outside is not None and outside.score - best.score >= min_margin:
            message = f"{wanted} is plainer outside the part of the screen it must lie in"
            return Unresolved("ambiguous", message, (outside, *candidates[:4]), profile)
        rival = max(candidates[1:], key=lambda candidate: candidate.by_sight, default=None)
        if runner_up is not None and best.score - runner_up.score < min_margin:
            message = f"{wanted} could be two things ({best.score:.2f} and {runner_up.score:.2f})"
            tied = [one for one in candidates if one.score >= min_score and _tied(best, one, min_margin)]
            asked = self._settled(tied, search, terms)
            if asked is None or asked.index is None:
                message = message if asked is None else f"{message}; {asked.said}"
                return Unresolved("ambiguous", message, tuple(candidates[:5]), profile)
            best, runner_up = _chosen(tied, asked)
        elif rival is not None and best.by_sight - rival.by_sight < min_margin:
            message = f"{wanted} could be two things, and only what is remembered tells them apart"
            if best.by_place > rival.by_place:
                message = f"{wanted} could be two things, and only where it was tells them apart"
            return Unresolved("ambiguous", message, tuple(candidates[:5]), profile)
        others = [*(one.element for one in candidates if one.element is not best.element), *(one for one, _ in against)]
        twin = next((other for other in others if rows.same_in_another_row(best.element, other)), None)
        by_order = best.strategy == first_or_last.NAME  # which decides nothing in a row
        if twin is not None and not search.rows and not (by_order or rows.row_is_the_recorded(best.element, search)):
            message = f"{wanted} stands in several rows of a list, and nothing says which row is meant"
            return Unresolved("ambiguous", message, tuple(candidates[:5]), profile)
        proof_required = terms is not None and terms.hard_constraints_required
        if proof_required and not _keeps_constraints(best, search, values, proof_required=True):
            message = f"{wanted} must prove {', '.join(target.hard_constraints)}, and cannot"
            return Unresolved("not_found", message, tuple(candidates[:5]), profile)
        seen_disabled = best.element.state is not None and best.element.state.enabled is False
        if seen_disabled or (look is not None and is_faded(look, screen.pixels, Box.of(best.element.bbox))):
            return Unresolved("disabled", f"{wanted} is disabled", tuple(candidates[:5]), profile)
        return Resolved(best, runner_up, profile)

    def _settled(
        self, tied: Sequence[Candidate], search: Search, terms: StepThresholds | None
    ) -> som_vlm.Settled | None:
        """What settles a tie: the place, where a demonstration showed that it counts, or the model, if it may be
        asked. Where ambiguity must be refused, nothing does."""
        if len(tied) < 2 or (terms is not None and terms.ambiguity_refused):
            return None
        elements, chooser = [one.element for one in tied], self._chooser
        shown = guarded(first_or_last.NAME, partial(first_or_last.settle, elements, search))
        if isinstance(shown, som_vlm.Settled):
            return shown
        if chooser is None:
            return None
        found = guarded(som_vlm.NAME, lambda: som_vlm.settle(elements, search, chooser))
        return found if isinstance(found, som_vlm.Settled) else None

    def _candidates(
        self, search: Search, name: str | None, floor: float
    ) -> tuple[list[Candidate], list[tuple[UIElement, str]]]:
        """All elements that may be meant, the most likely first, and why others are not; `floor` is asked for."""
        opinions = _opinions(search, self._strategies)
        by_name = {strategy: verdicts for strategy, _, verdicts in opinions}
        meant = decisive(search, by_name)
        candidates: list[Candidate] = []
        refused: list[tuple[float, UIElement, str]] = []
        for element in search.elements:
            if element.element_id not in meant or not _invites(element, search):
                continue
            fits = guarded("rows", partial(rows.row_fits, element, search))
            if fits is False:
                continue
            candidate = self._candidate(element, heard(element, opinions, search), name, floor)
            unsure = _unsure(element)
            judged = guarded("refusals", partial(_against, element, search, by_name), broken=unsure)
            against = unsure if fits is None else judged
            if against is None:
                candidates.append(candidate)
            else:
                refused.append((candidate.score, element, against))
        candidates.sort(key=lambda candidate: (-candidate.score, candidate.element.element_id))
        refused.sort(key=lambda one: (-one[0], one[2]))
        return candidates, [(element, against) for _, element, against in refused]

    def _candidate(self, element: UIElement, opinions: Sequence[Opinion], name: str | None, floor: float) -> Candidate:
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
        score = round(self.weights.combined(votes, name, floor=floor), 4)
        by_memory = self._due_to(remembered.NAME, votes, name, floor)
        seen = [vote for vote in votes if vote.strategy != remembered.NAME]
        by_place = self._due_to(position.NAME, seen, name, floor)
        return Candidate(element, score, strongest[0] or role.NAME, tuple(reasons), by_memory, by_place)

    def _due_to(self, strategy: str, votes: Sequence[Vote], name: str | None, floor: float) -> float:
        """What a strategy adds to the score of all these votes."""
        others = [vote for vote in votes if vote.strategy != strategy]
        if len(others) == len(votes):
            return 0.0
        combined = partial(self.weights.combined, element=name, floor=floor)
        return round(combined(votes) - combined(others), 4)


def _what_came_nearest(candidates: Sequence[Candidate], refused: Sequence[str], min_score: float) -> str:
    """The end of the sentence that says nothing was taken."""
    if candidates:
        first = candidates[0]
        return f"; nearest: « {first.element.label} » ({first.score:.2f}, {min_score:.2f} is needed)"
    return f"; {refused[0]}" if refused else ""


def _tied(best: Candidate, other: Candidate, margin: float) -> bool:
    """Too near to be told apart, by all that speaks for them or by what the screen shows alone."""
    return best.score - other.score < margin or best.by_sight - other.by_sight < margin


def _chosen(tied: Sequence[Candidate], asked: som_vlm.Settled) -> tuple[Candidate, Candidate]:
    """The one that was chosen, with the score it has, and the best of the others."""
    assert asked.index is not None
    best = tied[asked.index]
    rest = [one for one in tied if one is not best]
    return replace(best, strategy=asked.strategy, reasons=(*best.reasons, asked.said)), rest[0]


_NEVER_ALONE = (role.NAME, remembered.NAME, position.NAME)
"""Strategies in whose name nothing is clicked."""


def _opinions(search: Search, strategies: Sequence[Strategy]) -> list[Opinion]:
    """What every strategy says. One that breaks says nothing; without the words of what has words, all breaks."""
    opinions: list[Opinion] = []
    by_picture = search.sky is not None and not search.label and search.target.type not in NAMED_FROM_OUTSIDE
    for name, weight, judge in strategies:
        if name == anchor_template.NAME and search.sky is not None:
            continue  # the same picture is heard once: at the scale the landmarks say
        if name == spatial.NAME and search.sky is not None and search.sky.fit.agreement >= SURE_AGREEMENT:
            continue  # and the same place: the neighbours are among the landmarks
        verdicts = judge(search) if name == text.NAME and search.label else guarded(name, partial(judge, search))
        if verdicts is not None:
            opinions.append((name, _PICTURE_WEIGHT if name == element_look.NAME and by_picture else weight, verdicts))
    return opinions


def _unsure(element: UIElement) -> str:
    return f"whether « {element.label} » is something else could not be told"


def _against(element: UIElement, search: Search, by_name: dict[str, Verdicts]) -> str | None:
    """Why an element is not the target, whatever speaks for it."""
    if out_of_reach(element, search):
        return f"« {element.label} » lies behind a dialog"
    return misnamed(element, search) or refusals.objection(element, search, by_name)


def _apart_from_the_first(candidates: list[Candidate], search: Search) -> list[Candidate]:
    """Without words, what lies in the very place of the first is another sight of the same thing."""
    if search.label or search.sky is None or not candidates:
        return candidates
    first = Box.of(candidates[0].element.bbox)
    return [
        one
        for index, one in enumerate(candidates)
        if not index or not (first.contains(one.element.center) and Box.of(one.element.bbox).contains(first.center))
    ]


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
