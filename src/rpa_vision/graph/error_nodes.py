"""Interruptions as nodes of a workflow: how they look, the way out that was shown, and how often they came.

Dialogs of one look that say different things are different interruptions, each with its own way out. Where people left
one and the same by different ways, none of them is taken: `ways_out_differ` in the node's metadata says which they
were, and a person has to choose.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from rpa_vision.graph.action_drafts import ActionWriter
from rpa_vision.graph.copying import pastes
from rpa_vision.graph.dialog_words import message_in_front, same_message
from rpa_vision.graph.interruptions import Detour, StepKey, is_login, key_of, naming_texts, telling_texts
from rpa_vision.graph.node_drafts import NodeDrafts, NodeWriter
from rpa_vision.graph.outline import Outline
from rpa_vision.graph.pattern_miner import alike_steps
from rpa_vision.graph.places import Place
from rpa_vision.graph.screen_groups import ScreenGroup, group_screens
from rpa_vision.graph.vocabulary import contains
from rpa_vision.models.action import Action
from rpa_vision.models.ids import slug
from rpa_vision.models.variables import Variable, VariableSource, literal
from rpa_vision.models.workflow_graph import ANY_NODE, EdgeCondition, RecoveryAction, WorkflowEdge, WorkflowNode
from rpa_vision.models.workflow_standing import ErrorTransition, ErrorType, WorkflowStats

WAYS_OUT_DIFFER = "ways_out_differ"
_MIN_SIMILARITY = 0.85
_MAX_TEXTS = 5


@dataclass(slots=True)
class ErrorDrafts:
    """Error nodes, the edges from anywhere that lead to them, and what was counted."""

    nodes: list[WorkflowNode] = field(default_factory=list)
    edges: list[WorkflowEdge] = field(default_factory=list)
    by_type: Counter[ErrorType] = field(default_factory=Counter)
    transitions: Counter[tuple[str, str]] = field(default_factory=Counter)
    recovered: int = 0
    variables: dict[str, Variable] = field(default_factory=dict)
    """What was typed in a way out, and was different each time: only a person can say what it is the next time."""

    def counted(self, stats: WorkflowStats) -> WorkflowStats:
        """The statistics with what was observed of errors."""
        total = sum(self.by_type.values())
        if not total:
            return stats
        transitions = tuple(
            ErrorTransition(from_node=one, to_node=other, count=count)
            for (one, other), count in self.transitions.items()
        )
        return stats.model_copy(
            update={
                "error_count": total,
                "errors_by_type": dict(self.by_type),
                "error_transitions": transitions,
                "recovery_success_rate": self.recovered / total,
            }
        )


def draft_errors(
    detours: Sequence[Detour], outline: Outline, drafts: NodeDrafts, nodes: NodeWriter, actions: ActionWriter
) -> ErrorDrafts:
    """The error nodes of a workflow: of its own interruptions, and of those in its applications."""
    own = [detour for detour in detours if _app(detour) in drafts.apps]
    found = ErrorDrafts()
    if not own:
        return found
    node_of = _nodes_by_step(outline, drafts)
    for number, members in enumerate(_same_interruptions(own, nodes.space_id), start=1):
        group = ScreenGroup([detour.steps[0].before for detour in members], [{} for _ in members])
        group.refresh()
        node_id = f"N_error_{number}"
        node = nodes.write(drafts, node_id, group)
        drafts.nodes.pop()
        found.nodes.append(_error_node(node, members, actions, node_of, found.variables))
        found.edges.append(_from_anywhere(node_id, number))
        for detour in members:
            came_from = node_of.get(key_of(detour.before)) if detour.before is not None else None
            went_to = node_of.get(key_of(detour.after)) if detour.after is not None else None
            if came_from is None and went_to is None:
                continue
            found.by_type[detour.error_type] += 1
            found.recovered += detour.after is not None
            if came_from is not None:
                found.transitions[came_from, node_id] += 1
    return found


def _same_interruptions(detours: Sequence[Detour], space_id: str) -> list[list[Detour]]:
    """The detours that began on one screen: it looks the same, and says the same."""
    groups, assignment = group_screens([[(detour.steps[0].before, {})] for detour in detours], space_id)
    found: list[list[Detour]] = []
    for number in range(len(groups)):
        alike: list[list[Detour]] = []
        for detour in (one for one, at in zip(detours, assignment, strict=True) if at == number):
            said = _message(detour)
            same = next((known for known in alike if same_message(_message(known[0]), said)), None)
            if same is None:
                alike.append([detour])
            else:
                same.append(detour)
        found += alike
    return found


def _message(detour: Detour) -> list[str]:
    """What an interruption says: its dialog, otherwise what tells of trouble where one looks first."""
    state = detour.steps[0].before.state
    return message_in_front(state) or telling_texts(state)


def _nodes_by_step(outline: Outline, drafts: NodeDrafts) -> dict[StepKey, str]:
    return {
        key_of(step): drafts.begins[index]
        for index, place in enumerate(outline.places)
        if index in drafts.begins
        for step in place.steps
    }


def _error_node(
    node: WorkflowNode,
    members: Sequence[Detour],
    actions: ActionWriter,
    node_of: Mapping[StepKey, str],
    variables: dict[str, Variable],
) -> WorkflowNode:
    kind = Counter(detour.error_type for detour in members).most_common(1)[0][0]
    ways = _ways_out(members)
    shown = max(reversed(ways), key=len)
    differing = [way for way in ways if _goes_elsewhere(shown[0], way[0])]
    back = Counter(
        node_of[key_of(detour.after)] for detour in members if detour.after and key_of(detour.after) in node_of
    )
    metadata: dict[str, JsonValue] = {**node.metadata, "times_seen": len(members)}
    recovery: tuple[RecoveryAction, ...] = ()
    if differing:
        metadata[WAYS_OUT_DIFFER] = [_said_of(way[0]) for way in (shown, *differing)]
    else:
        steps = tuple(_action(shown, at, node.node_id, actions, variables) for at in range(len(shown[0].steps)))
        to = back.most_common(1)[0][0] if back else None
        recovery = (RecoveryAction(action="compound", steps=steps, return_to_node=to),)
    template = node.screen_template.model_copy(update={"required_text_any": _telling_texts(members)})
    return node.model_copy(
        update={
            "is_error_node": True,
            "error_type": kind,
            "recovery_actions": recovery,
            "screen_template": template,
            "metadata": metadata,
        }
    )


def _ways_out(members: Sequence[Detour]) -> list[list[Detour]]:
    """The detours by the way they took. Of ways that lead the same way, the one most took is taken; of two, the one
    shown last."""
    ways: list[list[Detour]] = []
    for detour in members:
        way = next((way for way in ways if _same_steps(way[0], detour)), None)
        if way is None:
            ways.append([detour])
        else:
            way.append(detour)
    return ways


def _goes_elsewhere(one: Detour, other: Detour) -> bool:
    """Whether two ways part. Where a password is asked for they do not: whether Enter or a button sends it, and what
    was filled in already, makes no other way."""
    for step, again in zip(one.steps, other.steps, strict=False):
        if is_login(step.before) or is_login(again.before):
            return False
        if not alike_steps(step, again):
            return True
    return False


def _said_of(detour: Detour) -> str:
    """What was done on a way, in words."""
    names = [step.element.label if step.element is not None else "+".join(step.keys) for step in detour.steps]
    return ", ".join(name for name in names if name) or detour.steps[0].kind


def _same_steps(one: Detour, other: Detour) -> bool:
    return len(one.steps) == len(other.steps) and all(map(alike_steps, one.steps, other.steps))


def _action(
    shown: Sequence[Detour], at: int, node_id: str, actions: ActionWriter, variables: dict[str, Variable]
) -> Action:
    place = Place.of({case: detour.steps[at] for case, detour in enumerate(shown)})
    last = place.steps[-1]
    said = last.element.label if last.element is not None else None
    text = literal(last.text) if last.text is not None else None
    differs = text is not None and last.secret_ref is None and len({step.text for step in place.steps}) > 1
    if differs or pastes(last):  # what lies on the clipboard is nobody's word either
        name = f"{node_id}_{at + 1}_{slug(said or 'text', limit=32)}"
        variables[name] = _asked_for(said)
        text = f"${{{name}}}"
    return actions.action(place, f"{node_id}_{at + 1}", text=text, label=literal(said) if said else None)


def _asked_for(field_name: str | None) -> Variable:
    typed = f"typed into « {field_name} »" if field_name else "typed"
    description = f"what is {typed} to get out of an error; it was different each time"
    return Variable(type="string", source=VariableSource(method="parameter"), required=False, description=description)


def _telling_texts(members: Sequence[Detour]) -> tuple[str, ...]:
    """What all of its screens say that tells of trouble."""
    first, *others = [detour.steps[0].before.state for detour in members]
    shared = [text for text in telling_texts(first) if all(contains(naming_texts(other), text) for other in others)]
    return tuple(dict.fromkeys(shared))[:_MAX_TEXTS]


def _from_anywhere(node_id: str, number: int) -> WorkflowEdge:
    condition = EdgeCondition(type="screen_similarity", target_node=node_id, min_similarity=_MIN_SIMILARITY)
    return WorkflowEdge(
        edge_id=f"E_error_{number}",
        from_node=ANY_NODE,
        to_node=node_id,
        priority=-1,
        trigger="unexpected_screen",
        condition=condition,
    )


def _app(detour: Detour) -> str:
    return detour.steps[0].before.state.window.app_name
