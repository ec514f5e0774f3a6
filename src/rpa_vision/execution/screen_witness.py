"""Where are we, when the application has changed? The landmarks of the targets bear witness too.

Zoomed, in a smaller window, in larger letters, half of a screen's words lie beyond the edge and its picture is another;
what is still seen stands in the same order, though: headings above what they head, columns from left to right. In a new
layout the order changes, and the words are all there. Where the matcher is nearly sure of a screen, and clearly surer
than of any other, this takes away a share of the doubt, half of it at most. It never makes one screen of two.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from rpa_vision.embedding.faiss_manager import FAISSManager
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.dialog_questions import question_of
from rpa_vision.execution.strategies.constellation import SURE_AGREEING, landmark_matches
from rpa_vision.execution.strategies.landmark_fit import Match, letters_growth
from rpa_vision.execution.strategies.lexicon import same_meaning
from rpa_vision.execution.unknown_dialogs import dialog_texts
from rpa_vision.graph.dialog_words import lines_in_front, message_in_front
from rpa_vision.graph.node_matcher import MIN_MARGIN, Location, NodeMatch, NodeMatcher, NodeScore
from rpa_vision.graph.vocabulary import in_reading_order, letters, same_words
from rpa_vision.models.auto_heal import StepThresholds
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.workflow_graph import Workflow

LEAST_CONFIDENCE = 0.70
"""Below, the matcher speaks of another screen, and landmarks are not asked (L4-10)."""
_SHARE = 0.5
"""How much of the doubt is taken away where everything agrees."""
_LARGER = 1.05
_NOT_AHEAD, _FAR_AHEAD = 0.10, 0.40
_FEW_WORDS = 0.8
"""With so little of a screen's own words agreeing, words say no more than they have said already."""


class WitnessedMatcher(NodeMatcher):
    """A matcher that asks the landmarks of a workflow's targets where it is not sure by itself."""

    def __init__(self, workflow: Workflow, index: FAISSManager) -> None:
        super().__init__(workflow, index, same_meaning=same_meaning)
        self._targets: dict[str, list[TargetSpec]] = defaultdict(list)
        for edge in workflow.edges:
            target = edge.action.target if edge.action is not None else None
            if target is not None and target.place is not None and len(target.landmarks) >= SURE_AGREEING:
                self._targets[edge.from_node].append(target)

        own = dialog_texts(workflow)
        self._dialog_texts = own
        self._questions = {
            node.node_id: question_of(node, own[node.node_id]) for node in workflow.nodes if node.node_id in own
        }

    def locate(self, screen: ObservedScreen, terms: StepThresholds | None = None) -> Location:
        """Score every node that may be meant, the best first; landmarks may confirm the best one."""
        location = self._without_other_dialogs(super().locate(screen, terms), screen)
        best, margin = location.best, _lead(location)
        least_margin = max(MIN_MARGIN, terms.min_margin if terms is not None else 0.0)
        if location.match is not None or best is None or best.confidence < LEAST_CONFIDENCE or margin < least_margin:
            return location
        arrangement = max((kept_arrangement(one, screen) for one in self._targets[best.node.node_id]), default=0.0)
        agreement = 1.0 - (1.0 - arrangement) * (1.0 - _all_its_words(best)) * (1.0 - _far_ahead(margin))
        confidence = 1.0 - (1.0 - best.confidence) * (1.0 - _SHARE * agreement)
        if confidence < location.min_confidence:
            return location
        match = NodeMatch(best.node, round(confidence, 4), best.embedding_similarity, margin)
        return replace(location, match=match)

    def _without_other_dialogs(self, location: Location, screen: ObservedScreen) -> Location:
        """A screen with a dialog is not that one while another dialog lies in front, whatever is behind it: its title
        and its buttons prove nothing, what it asks must be what was asked before."""
        front, message = lines_in_front(screen.state), message_in_front(screen.state)
        shown = [line.text for line in in_reading_order(screen.state.perception.text_lines)]
        scores = tuple(score for score in location.scores if self._may_be_in_front(score, front, message, shown))
        match = location.match
        if match is not None and all(score.node.node_id != match.node.node_id for score in scores):
            match = None
        return replace(location, match=match, scores=scores)

    def _may_be_in_front(
        self, score: NodeScore, front: Sequence[str] | None, message: Sequence[str] | None, shown: Sequence[str]
    ) -> bool:
        question = self._questions.get(score.node.node_id)
        if question is None:
            return True
        if front is None or message is None:  # a dialog that is not seen as one still says what it says
            unlikely = question.optional or score.confidence < LEAST_CONFIDENCE
            return unlikely or question.objection((), shown) is None
        own = self._dialog_texts[score.node.node_id]
        shares = not own or any(same_words(said, text) or same_meaning(said, text) for text in own for said in front)
        return shares and question.objection(message, front) is None


def kept_arrangement(target: TargetSpec, screen: ObservedScreen) -> float:
    """How much of the arrangement of the landmarks is kept, from 0 to 1: what stood left of, right of, above or below
    another still does. Half of it is kept by chance and counts for nothing."""
    then, now = _seen_again(target, screen)
    if len(then) < SURE_AGREEING:
        return 0.0
    pairs = list(combinations(range(len(then)), 2))
    kept = sum(not _reversed(then[i], then[j], now[i], now[j]) for i, j in pairs) / len(pairs)
    expected = len(then) + _missing_in_sight(target, then, now)
    return max(0.0, 2.0 * kept - 1.0) * len(then) / expected


def _seen_again(target: TargetSpec, screen: ObservedScreen) -> tuple[list[Box], list[Box]]:
    """The landmarks that stood once on the recorded screen and stand once on this one: then and now."""
    matches = landmark_matches(target.landmarks, screen.state.ui_elements)
    return [match.then for match in matches], [match.now for match in matches]


def _missing_in_sight(target: TargetSpec, then: Sequence[Box], now: Sequence[Box]) -> int:
    """How many landmarks ought to be in sight and are not. In larger letters, what stood lowest lies below the edge."""
    said = [letters(one.label) for one in target.landmarks]
    named = [
        Box.of(one.bbox)
        for own, one in zip(said, target.landmarks, strict=True)
        if len(own) >= 2 and said.count(own) == 1
    ]
    growth = letters_growth([Match(one, other, left=True) for one, other in zip(then, now, strict=True)])
    lowest = max(box.y2 for box in then)
    excused = sum(box.y1 > lowest for box in named) if growth > _LARGER else 0
    return max(0, len(named) - len(then) - excused)


def _reversed(one: Box, other: Box, one_now: Box, other_now: Box) -> bool:
    """Whether two things changed sides, across or down."""
    across = _side(one.x1, one.x2, other.x1, other.x2) * _side(one_now.x1, one_now.x2, other_now.x1, other_now.x2)
    down = _side(one.y1, one.y2, other.y1, other.y2) * _side(one_now.y1, one_now.y2, other_now.y1, other_now.y2)
    return across < 0 or down < 0


def _side(low: int, high: int, other_low: int, other_high: int) -> int:
    """-1 before the other, 1 behind it, 0 where they overlap."""
    return -1 if high <= other_low else 1 if low >= other_high else 0


def _all_its_words(score: NodeScore) -> float:
    """1 where a screen says every word of the node and none of another one: only its looks are other."""
    return max(0.0, (score.words - _FEW_WORDS) / (1.0 - _FEW_WORDS))


def _far_ahead(margin: float) -> float:
    """1 where no other screen of the workflow is anything like this one."""
    return min(1.0, max(0.0, (margin - _NOT_AHEAD) / (_FAR_AHEAD - _NOT_AHEAD)))


def _lead(location: Location) -> float:
    scores = location.scores
    if not scores:
        return 0.0
    return scores[0].confidence - scores[1].confidence if len(scores) > 1 else scores[0].confidence
