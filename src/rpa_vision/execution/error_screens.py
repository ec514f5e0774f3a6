"""Interruptions the workflow knows: an error, an expiry, a notice where another screen was expected.

A screen is recognised as one when the matcher says so, or by an edge from `ANY`, the most urgent first: its node's
words must be on the screen, and where it has a fingerprint, that must be alike enough too. Two that fit equally well
are no answer.
"""

from __future__ import annotations

from dataclasses import dataclass

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.conditions import shows
from rpa_vision.graph.node_matcher import MIN_MARGIN, Location
from rpa_vision.models.wording import folded
from rpa_vision.models.workflow_graph import ANY_NODE, RecoveryAction, Workflow, WorkflowEdge, WorkflowNode

_ENOUGH = 0.75
"""How alike an error screen must be where nothing else is said (seed)."""


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
        watches = [edge for edge in workflow.edges if edge.from_node == ANY_NODE and edge.to_node in self._errors]
        self._watches = sorted(watches, key=lambda edge: -edge.priority)

    def recognise(self, screen: ObservedScreen, location: Location) -> ErrorScreen | None:
        """Which interruption this is, if it is one."""
        if not self._errors:
            return None
        if location.match is not None:
            node = location.match.node
            return self._found(node, location.match.confidence) if node.is_error_node else None
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
