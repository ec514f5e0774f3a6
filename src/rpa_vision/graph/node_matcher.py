"""Where are we? Match a live screen against the nodes of a workflow.

Two witnesses: the fingerprint (how the screen looks) and the vocabulary (which of the workflow's own words it shows,
and which it should not). The answer is a node with a confidence and the margin to the next best one, or nothing.
The same screen always gets the same answer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from rpa_vision.embedding.faiss_manager import FAISSManager
from rpa_vision.embedding.salience import front_of
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.embedding.similarity import Calibration, calibration_of
from rpa_vision.graph.vocabulary import (
    contains,
    naming_words,
    resembles_any,
    said_in_parts,
    window_in_front,
    words_of,
)
from rpa_vision.models.auto_heal import StepThresholds
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.wording import folded, title_words
from rpa_vision.models.workflow_graph import Workflow, WorkflowNode

SameMeaning = Callable[[str, str], bool]
MATCH_CONFIDENCE = 0.85
SUGGEST_UPDATE_CONFIDENCE = 0.75
MIN_MARGIN = 0.04
_NEIGHBOURS = 5
_WORDS_WEIGHT = 0.65
_TITLE = "title:"
_ALARM = re.compile(
    r"\b(erreurs?|errors?|echec|failed|failure|impossible|incorrecte?s?|invalides?|invalid|refusee?s?|denied|expiree?s?|"
    r"expired|bloquee?s?|blocked|introuvables?|not found)\b"
)
"""Words by which applications say that something went wrong, folded."""


@dataclass(frozen=True, slots=True)
class NodeScore:
    """How well one node fits, by each witness."""

    node: WorkflowNode
    confidence: float
    embedding_similarity: float
    words: float


@dataclass(frozen=True, slots=True)
class NodeMatch:
    """The node a screen is, how sure that is, and by how much it beat the next one."""

    node: WorkflowNode
    confidence: float
    embedding_similarity: float
    margin: float


@dataclass(frozen=True, slots=True)
class Location:
    """The answer to "where are we": a match, or None with every node's score."""

    match: NodeMatch | None
    scores: tuple[NodeScore, ...]
    min_confidence: float = MATCH_CONFIDENCE
    """How sure a match had to be."""
    anywhere: frozenset[str] = frozenset()
    """Nodes that stand for any screen of their applications, this one too."""

    def is_at(self, node_id: str) -> bool:
        """Whether a step that begins on this node may begin here."""
        return node_id in self.anywhere or (self.match is not None and self.match.node.node_id == node_id)

    @property
    def best(self) -> NodeScore | None:
        return self.scores[0] if self.scores else None

    @property
    def margin(self) -> float | None:
        """How clearly the best node beat the next one, also where that was not enough; None on an unknown screen."""
        if self.best is None or self.best.confidence < self.min_confidence:
            return None
        return _margin(self.scores)

    def suggestion(self) -> str:
        """What an unmatched screen asks for."""
        if self.match is not None:
            return ""
        if self.best is None:
            return "no screen of the workflow is like this one, or an error is shown"
        if self.best.confidence >= self.min_confidence:
            second = self.scores[1] if len(self.scores) > 1 else self.best
            return f"it could be {self.best.node.label!r} or {second.node.label!r}"
        sure = f"{self.best.confidence:.2f} of {self.min_confidence:.2f}"
        if self.best.confidence >= SUGGEST_UPDATE_CONFIDENCE:
            return f"this is like {self.best.node.label!r}, but not enough ({sure}): learning it again may help"
        return f"this looks like a screen never shown; nearest is {self.best.node.label!r} ({sure})"


class NodeMatcher:
    """Knows one workflow and the index of its prototypes."""

    def __init__(
        self, workflow: Workflow, index: FAISSManager, *, same_meaning: SameMeaning = lambda one, other: False
    ) -> None:
        """`same_meaning` says of two texts whether they are other words for one thing: applications are renamed."""
        self._workflow = workflow
        self._index = index
        self._same_meaning = same_meaning
        self._weights = _word_weights(workflow)
        self._occasional = frozenset(word for node in workflow.nodes for word in node.screen_template.occasional_texts)
        self._calibration = _calibration(workflow, index.space.id)

    def match(self, screen: ObservedScreen, terms: StepThresholds | None = None) -> NodeMatch | None:
        """The node this screen is, or None when no node is sure enough."""
        return self.locate(screen, terms).match

    def locate(self, screen: ObservedScreen, terms: StepThresholds | None = None) -> Location:
        """Score every node that may be meant, the best first. `terms` may only make it harder to be one of them."""
        min_confidence = max(MATCH_CONFIDENCE, terms.min_confidence if terms is not None else 0.0)
        min_margin = max(MIN_MARGIN, terms.min_margin if terms is not None else 0.0)
        near = {
            str(result.metadata["node_id"]): result.similarity
            for result in self._index.search_similar(screen.vector, k=max(_NEIGHBOURS, len(self._workflow.nodes)))
        }
        state = window_in_front(screen.state)
        shown = self._shown_words(state)
        possible = [
            node
            for node in self._workflow.nodes
            if _window_allows(node, state)
            and _front_allows(node, state)
            and _requirements_met(node, state)
            and not _alarm(node, state)
        ]
        scores = self._scores(possible, near, shown, [])
        match = _decide(scores, min_confidence, min_margin)
        if match is None and (new := self._new_words(state)):
            scores = self._scores(possible, near, shown, new)
            match = _decide(scores, min_confidence, min_margin)
        in_trouble = match is not None and match.node.is_error_node
        anywhere = frozenset(node.node_id for node in possible if _is_any(node) and not in_trouble)
        return Location(match, tuple(scores), min_confidence, anywhere)

    def label_of(self, node_id: str) -> str:
        """What a person calls the node."""
        node = self._workflow.get_node(node_id)
        return node.label if node is not None else node_id

    def asks(self, node_id: str) -> bool:
        """Whether a dialog belongs to the node."""
        node = self._workflow.get_node(node_id)
        return node is not None and node.metadata.get("has_dialog") is True

    def _shown_words(self, state: ScreenState) -> frozenset[str]:
        """Which words of the workflow's vocabulary the screen shows."""
        words = words_of(state)
        titles = {_TITLE + word for word in title_words(state.window.title)}
        return frozenset(
            word for word in self._weights if word in titles or resembles_any(words, word) or said_in_parts(words, word)
        )

    def _scores(
        self, nodes: Sequence[WorkflowNode], near: Mapping[str, float], shown: frozenset[str], new: Sequence[str]
    ) -> list[NodeScore]:
        scores = [
            self._score(node, near.get(node.node_id, -1.0), shown | self._renamed(node, shown, new))
            for node in nodes
            if not _is_any(node)
        ]
        return sorted(scores, key=lambda score: (-score.confidence, score.node.node_id))

    def _new_words(self, state: ScreenState) -> list[str]:
        """What the screen says that no screen of the workflow said."""
        words = [*(word for word in self._weights if not word.startswith(_TITLE)), *self._occasional]
        return [text for text in naming_words(state) if not resembles_any(words, text)]

    def _renamed(self, node: WorkflowNode, shown: frozenset[str], new: Sequence[str]) -> frozenset[str]:
        """The node's own words that are not shown and stand there in other words; a text stands for one of them."""
        left, found = list(new), set()
        for word in sorted(_node_words(node) - shown):
            other = next((text for text in left if self._same_meaning(text, word)), None)
            if other is not None:
                left.remove(other)
                found.add(word)
        return frozenset(found)

    def _score(self, node: WorkflowNode, similarity: float, shown: frozenset[str]) -> NodeScore:
        own = _node_words(node)
        sometimes = {folded(word) for word in node.screen_template.occasional_texts}
        judged = {word for word in (shown | own) if word in self._weights and word not in sometimes}
        # Exact sums: sets have no order, and the same screen must get the same answer to the last bit.
        total = fsum(self._weights[word] for word in judged)
        agreed = fsum(self._weights[word] for word in judged if word in shown and word in own)
        words = agreed / total if total else 0.0
        look = self._calibration.confidence(similarity)
        confidence = _WORDS_WEIGHT * words + (1.0 - _WORDS_WEIGHT) * look if total else look
        return NodeScore(node, min(1.0, max(0.0, confidence)), similarity, words)


def _calibration(workflow: Workflow, space_id: str) -> Calibration:
    """What a cosine is worth in the space of the index: as measured for all, or on the workflow's own screens."""
    spaces = workflow.embedding_spaces
    if spaces is not None and spaces.calibration and spaces.current == space_id:
        return Calibration(spaces.calibration)
    return calibration_of(space_id)


def _decide(scores: list[NodeScore], min_confidence: float, min_margin: float) -> NodeMatch | None:
    if not scores or scores[0].confidence < min_confidence:
        return None
    best, margin = scores[0], _margin(scores)
    if margin < min_margin:
        return None
    return NodeMatch(best.node, best.confidence, best.embedding_similarity, margin)


def _margin(scores: Sequence[NodeScore]) -> float:
    return scores[0].confidence - scores[1].confidence if len(scores) > 1 else scores[0].confidence


def _is_any(node: WorkflowNode) -> bool:
    """Whether a node stands for many screens: where tasks begin that may begin anywhere."""
    return node.metadata.get("any_screen") is True


def _window_allows(node: WorkflowNode, state: ScreenState) -> bool:
    apps = node.screen_template.window.app_name_any_of
    titles = node.screen_template.window.title_contains_any_of
    if apps and state.window.app_name not in apps:
        return False
    return not titles or any(folded(title) in folded(state.window.title) for title in titles)


def _front_allows(node: WorkflowNode, state: ScreenState) -> bool:
    """A screen that never had a dialog is not this screen while one lies over it: the dialog has to be answered."""
    return node.metadata.get("has_dialog") is not False or front_of(state.ui_elements) is None


def _requirements_met(node: WorkflowNode, state: ScreenState) -> bool:
    """What the node's template demands by hand."""
    template = node.screen_template
    if template.required_text_any and not any(contains(words_of(state), text) for text in template.required_text_any):
        return False
    return all(
        sum(
            element.role == wanted.role
            and (not wanted.type_any_of or element.type in wanted.type_any_of)
            and (wanted.label is None or contains([element.label], wanted.label))
            for element in state.ui_elements
        )
        >= wanted.min_count
        for wanted in template.required_ui_elements
    )


def _alarm(node: WorkflowNode, state: ScreenState) -> bool:
    """Whether the screen says that something went wrong, in words never seen on this node's screens."""
    if node.is_error_node:
        return False
    known = (*node.screen_template.stable_texts, *node.screen_template.occasional_texts)
    return any(
        _ALARM.search(folded(text)) is not None and not resembles_any(known, text) for text in naming_words(state)
    )


def _node_words(node: WorkflowNode) -> frozenset[str]:
    template = node.screen_template
    return frozenset([*map(folded, template.stable_texts), *(_TITLE + word for word in template.title_words)])


def _word_weights(workflow: Workflow) -> dict[str, float]:
    """Words of few nodes tell more than words of all, and words of the window title more than others."""
    counted = Counter(word for node in workflow.nodes for word in _node_words(node))
    nodes = max(1, len(workflow.nodes))
    return {
        word: (2.0 if word.startswith(_TITLE) else 1.0) * (1.0 + 2.0 * (1.0 - count / nodes))
        for word, count in counted.items()
    }
