"""The edges of a workflow: each step with what it does, what must be true afterwards, and what follows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from rpa_vision.graph.action_drafts import ActionWriter
from rpa_vision.graph.copying import pastes
from rpa_vision.graph.effects import learned_conditions
from rpa_vision.graph.flow import EdgeDraft
from rpa_vision.graph.loops import LoopDraft
from rpa_vision.graph.node_drafts import NodeDrafts
from rpa_vision.graph.outline import Outline, Rounds
from rpa_vision.graph.places import Place
from rpa_vision.graph.slots import Slots
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.variables import literal
from rpa_vision.models.workflow_graph import (
    END,
    EdgeCondition,
    EdgeConstraints,
    EdgeStats,
    Loop,
    PostConditions,
    WorkflowEdge,
)

_POST_CONDITION_TIMEOUT_S = 10.0
_MIN_ITERATIONS = 50
_ROOM_TO_GROW = 10


class EdgeWriter:
    """Writes the edges of one outline."""

    def __init__(
        self,
        outline: Outline,
        slots: Slots,
        nodes: NodeDrafts,
        actions: ActionWriter,
        loops: Mapping[Rounds, LoopDraft],
    ) -> None:
        self._outline = outline
        self._slots = slots
        self._nodes = nodes
        self._actions = actions
        self._loops = loops

    def edges(self, drafts: Sequence[EdgeDraft]) -> tuple[WorkflowEdge, ...]:
        """All edges in order."""
        return tuple(self._edge(order, draft, drafts) for order, draft in enumerate(drafts))

    def _edge(self, order: int, draft: EdgeDraft, drafts: Sequence[EdgeDraft]) -> WorkflowEdge:
        place = self._outline.places[draft.place]
        from_node, to_node = self._nodes.of(draft)
        if draft.is_last:
            to_node = self._nodes.begins[next(one for one in drafts if one.last is draft).place]
        metadata: dict[str, JsonValue] = {"order": order}
        if draft.rule is not None:
            metadata["rule"] = draft.rule.to_json()
        if draft.rounds is not None:
            metadata |= self._loops[draft.rounds].metadata
        return WorkflowEdge(
            edge_id=draft.edge_id,
            from_node=from_node,
            to_node=to_node,
            action=self._action(draft),
            constraints=EdgeConstraints(),
            post_conditions=self._post_conditions(draft, place, from_node, to_node),
            condition=_condition(draft),
            loop=self._loop(draft) if draft.rounds is not None else None,
            next_edge=_next_edge(draft, order, drafts),
            stats=EdgeStats(manual_executions=len(place.cases), success_count=len(place.cases)),
            metadata=metadata,
        )

    def _action(self, draft: EdgeDraft) -> Action:
        if draft.extraction is not None:
            parameters = ActionParameters(extract_to=draft.extraction.variable)
            return Action(type="extract", target=draft.extraction.target, parameters=parameters)
        actions = [
            self._actions.of_place(self._outline, self._slots, place, f"{draft.edge_id}_{number}")
            for number, place in enumerate(draft.led_in_by, start=1)
        ]
        own = self._actions.of_place(self._outline, self._slots, draft.place, draft.edge_id)
        return Action(type="compound", steps=(*actions, own)) if actions else own

    def _post_conditions(self, draft: EdgeDraft, place: Place, from_node: str, to_node: str) -> PostConditions:
        conditions: tuple[str, ...] = ()
        if draft.extraction is None:
            conditions = self._conditions(draft.place, place, leads_elsewhere=to_node != from_node)
        return PostConditions(expected_node=to_node, timeout_seconds=_POST_CONDITION_TIMEOUT_S, conditions=conditions)

    def _conditions(self, index: int, place: Place, *, leads_elsewhere: bool) -> tuple[str, ...]:
        steps = place.steps
        if steps[0].kind == "text_input" or pastes(steps[0]):
            text = self._slots.texts.get(index)
            return (f"field_contains:{text}",) if text is not None else ("target_changed",)
        if index in self._slots.copies or steps[0].kind == "window_switch":
            return ()
        return learned_conditions(steps, self._slots, leads_elsewhere=leads_elsewhere, cases=place.cases)

    def _loop(self, draft: EdgeDraft) -> Loop:
        assert draft.rounds is not None
        assert draft.last is not None
        found = self._loops[draft.rounds]
        page = draft.rounds.next_page
        action = None
        if page is not None:
            label = page.steps[-1].element.label if page.steps[-1].element is not None else None
            said = literal(label) if label is not None else None
            action = self._actions.action(page, f"{draft.edge_id}_next_page", label=said)
        return Loop(
            type="for_each",
            iterator="row",
            filter=found.filter,
            question=found.question,
            max_iterations=max(_MIN_ITERATIONS, _ROOM_TO_GROW * found.most_rounds),
            variable_binding=found.binding,
            last_edge=draft.last.edge_id,
            next_page=action,
        )


def _condition(draft: EdgeDraft) -> EdgeCondition | None:
    if not draft.is_fork:
        return None
    other = draft.otherwise.edge_id if draft.otherwise is not None else END
    if draft.rule is not None:
        return EdgeCondition(type="expression", expression=draft.rule.expression, else_edge=other)
    return EdgeCondition(type="expression", question=draft.question, else_edge=other)


def _next_edge(draft: EdgeDraft, order: int, drafts: Sequence[EdgeDraft]) -> str | None:
    """Named where it is not simply the next one in order."""
    following = drafts[order + 1] if order + 1 < len(drafts) else None
    if draft.following is following and not draft.is_last:
        return None
    return draft.following.edge_id if draft.following is not None else END
