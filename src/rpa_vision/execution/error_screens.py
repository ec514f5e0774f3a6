"""Interruptions the workflow knows: an error, an expiry, a notice where another screen was expected.

A screen is recognised as one when the matcher says so, or by an edge from `ANY`, the most urgent first: its node's
words must be on the screen, and where it has a fingerprint, that must be alike enough too. Two that fit equally well
are no answer. « Erreur », « Ignorer » and « Annuler » stand on many pages: what only this one told in sentences must be
told again. What dialogs say is held against what they said by the matcher already (`dialog_questions`).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.conditions import shows
from rpa_vision.execution.dialog_questions import is_sentence
from rpa_vision.execution.strategies.lexicon import same_meaning
from rpa_vision.graph.node_matcher import MIN_MARGIN, Location
from rpa_vision.graph.vocabulary import may_contain
from rpa_vision.models.wording import folded
from rpa_vision.models.workflow_graph import ANY_NODE, RecoveryAction, Workflow, WorkflowEdge, WorkflowNode

_ENOUGH = 0.75
"""How alike an error screen must be where nothing else is said (seed)."""
_MOST = 0.6
_WORD = re.compile(r"[^\W\d_]{4,}")
"""Shorter ones stand in any sentence."""


@dataclass(frozen=True, slots=True)
class ErrorScreen:
    """The interruption, how sure that is, and the ways out of it, in the order in which they are tried."""

    node: WorkflowNode
    confidence: float
    ways_out: tuple[RecoveryAction | WorkflowEdge, ...]


class ErrorScreens:
    """The interruptions of one workflow."""

    def __init__(self, workflow: Workflow) -> None:
        self._workflow = workflow
        self._errors = {node.node_id: node for node in workflow.nodes if node.is_error_node}
        usual = [node.screen_template for node in workflow.nodes if not node.is_error_node]
        known = {folded(text) for one in usual for text in (*one.stable_texts, *one.occasional_texts)}
        self._sentences = {
            node_id: [text for text in node.screen_template.stable_texts if _is_own_sentence(text, known)]
            for node_id, node in self._errors.items()
            if node.metadata.get("has_dialog") is not True
        }
        watches = [edge for edge in workflow.edges if edge.from_node == ANY_NODE and edge.to_node in self._errors]
        self._watches = sorted(watches, key=lambda edge: -edge.priority)

    def recognise(self, screen: ObservedScreen, location: Location) -> ErrorScreen | None:
        """Which interruption this is, if it is one."""
        if not self._errors:
            return None
        if location.match is not None:
            node = location.match.node
            is_it = node.is_error_node and self._tells_the_same(node, screen)
            return self._found(node, location.match.confidence) if is_it else None
        scores = {score.node.node_id: score.confidence for score in location.scores}
        for priority in sorted({edge.priority for edge in self._watches}, reverse=True):
            fitting = {
                edge.to_node: confidence
                for edge in self._watches
                if edge.priority == priority
                and (confidence := self._fit(edge, screen, scores.get(edge.to_node, 0.0))) is not None
                and not self._could_be_a_step(scores, confidence)
            }
            ranked = sorted(fitting.items(), key=lambda item: (-item[1], item[0]))
            if ranked and (len(ranked) == 1 or ranked[0][1] - ranked[1][1] >= MIN_MARGIN):
                return self._found(self._errors[ranked[0][0]], ranked[0][1])
            if ranked:
                return None
        return None

    def _tells_the_same(self, node: WorkflowNode, screen: ObservedScreen) -> bool:
        """Whether a page says what it said, most words of each sentence at least, or the same in other words."""
        sentences = self._sentences.get(node.node_id)
        if not sentences:
            return True
        lines = [line.text for line in screen.state.perception.text_lines]
        said = {word for line in lines for word in _words(line)}
        return all(
            sum(word in said or _misread(word, said) for word in _words(sentence)) >= _MOST * len(_words(sentence))
            or may_contain(lines, sentence)
            or any(same_meaning(line, sentence) for line in lines)
            for sentence in sentences
        )

    def _could_be_a_step(self, scores: dict[str, float], confidence: float) -> bool:
        """Whether a screen on which steps begin fits about as well."""
        others = (score for node_id, score in scores.items() if node_id not in self._errors)
        return max(others, default=0.0) > confidence - MIN_MARGIN

    def _fit(self, edge: WorkflowEdge, screen: ObservedScreen, confidence: float) -> float | None:
        """How well a screen fits what an edge from ANY watches for; None where it does not."""
        node, condition = self._errors[edge.to_node], edge.condition
        template = node.screen_template
        apps, window = template.window.app_name_any_of, screen.state.window
        titles = template.window.title_contains_any_of
        if apps and window.app_name not in apps:
            return None
        if titles and not any(folded(title) in folded(window.title) for title in titles):
            return None
        if not self._tells_the_same(node, screen):
            return None
        said = [text for text in template.required_text_any if shows(screen, text)]
        if template.required_text_any and not said:
            return None
        enough = condition.min_similarity if condition is not None and condition.min_similarity is not None else _ENOUGH
        learned = bool(template.stable_texts) or template.embedding_prototype is not None
        if learned and template.stable_texts:
            return confidence if confidence >= enough else None
        # Written by hand, with words to look for and nothing else: the words decide, the longest tell most.
        return min(1.0, enough + 0.01 * max(map(len, said))) if said else None

    def _found(self, node: WorkflowNode, confidence: float) -> ErrorScreen:
        leaving = [edge for edge in self._workflow.get_outgoing_edges(node.node_id) if edge.action is not None]
        return ErrorScreen(node, confidence, (*node.recovery_actions, *leaving))


def _is_own_sentence(text: str, known: Collection[str]) -> bool:
    return is_sentence(text) and folded(text) not in known and bool(_words(text))


def _words(text: str) -> list[str]:
    return _WORD.findall(folded(text))


def _misread(word: str, said: Collection[str]) -> bool:
    return any(Levenshtein.distance(word, other, score_cutoff=1) <= 1 for other in said)
