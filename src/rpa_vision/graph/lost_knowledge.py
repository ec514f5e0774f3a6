"""What a workflow knew that is not in what was learned in its place.

Learning again from all recordings lays everything out anew, and what many show may then hide what few showed. A step, a
way out of an error, a fork, a loop or a filter that was there and is in the new one nowhere must not go by itself; that
a rule became another one, or a question, is what learning again is for. What does nothing to the work may go: looking
about, and keys that were pressed with nothing to be seen of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rpa_vision.graph.plan import in_order
from rpa_vision.graph.same_step import text_pattern
from rpa_vision.graph.vocabulary import misread_as
from rpa_vision.models.action import Action
from rpa_vision.models.variables import fill, variables_in
from rpa_vision.models.wording import folded
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge


def lost_in(former: Workflow, learned: Workflow) -> Iterator[str]:
    """What the former knew and the learned one does not, in words."""
    known = [action for edge in learned.edges for action in _deeds(edge)] + _ways_out(learned)
    wanted = [action for edge in former.edges if not _shows_nothing(edge) for action in _deeds(edge)]
    for action in [*wanted, *_ways_out(former)]:
        if not any(_is_same(action, other, learned) for other in known):
            yield f"the step {_what(action)}"
    yield from _lost_forks(in_order(former), learned)
    yield from _lost_loops(in_order(former), learned)


def _lost_forks(former: Sequence[WorkflowEdge], learned: Workflow) -> Iterator[str]:
    """A fork may be asked for at the step of its other way now."""
    forks = [edge for edge in former if edge.condition is not None]
    now = [edge.condition for edge in in_order(learned) if edge.condition is not None]
    if len(forks) <= len(now):
        return
    reached = {condition.else_edge for condition in now}
    for edge in forks:
        again = _edges_like(edge, learned)
        if not any(other.condition is not None or other.edge_id in reached for other in again):
            rule = edge.condition.expression if edge.condition is not None else None
            yield f"when to do {_name(edge)}" + (f": `{rule}`" if rule is not None else "")


def _lost_loops(former: Sequence[WorkflowEdge], learned: Workflow) -> Iterator[str]:
    for edge in former:
        if edge.loop is None:
            continue
        loops = [other.loop for other in _edges_like(edge, learned) if other.loop is not None]
        if not loops:
            yield f"that {_name(edge)} is done for each row of a list"
        elif edge.loop.filter is not None and not any(one.filter or one.question for one in loops):
            yield f"for which rows {_name(edge)} is done: `{edge.loop.filter}`"


def _edges_like(edge: WorkflowEdge, learned: Workflow) -> list[WorkflowEdge]:
    return [
        other
        for other in in_order(learned)
        if any(_is_same(mine, theirs, learned) for mine in _deeds(edge) for theirs in _deeds(other))
    ]


def _deeds(edge: WorkflowEdge) -> list[Action]:
    """What is done, one by one; what is read from the screen is no deed."""
    if edge.action is None or edge.action.type == "extract":
        return []
    return list(edge.action.steps or ()) if edge.action.type == "compound" else [edge.action]


def _ways_out(workflow: Workflow) -> list[Action]:
    ways = (way for node in workflow.nodes if node.is_error_node for way in node.recovery_actions)
    return [step for way in ways for step in way.steps or ()]


def _shows_nothing(edge: WorkflowEdge) -> bool:
    """Whether nobody could tell from the screen that it was done."""
    if edge.action is None or edge.action.type == "scroll":
        return True
    told = edge.post_conditions is not None and edge.post_conditions.conditions
    return edge.action.type == "key_press" and edge.from_node == edge.to_node and not told


def _is_same(mine: Action, theirs: Action, learned: Workflow) -> bool:
    """Whether both do the same kind of thing to what may be the same: with more shown, a name may become a variable,
    and one that was misread be read well."""
    if (mine.type, mine.keys, mine.target_app) != (theirs.type, theirs.keys, theirs.target_app):
        return False
    one, other = mine.target, theirs.target
    if one is None or other is None:
        return one is None and other is None
    if one.label is None or other.label is None:
        return one.type == other.type
    if misread_as(text_pattern(one.label), text_pattern(other.label)):
        return True
    names = sorted(variables_in(other.label))
    examples = learned.variables[names[0]].example_values if len(names) == 1 and names[0] in learned.variables else ()
    return any(folded(fill(other.label, {names[0]: str(value)})) == folded(one.label) for value in examples)


def _name(edge: WorkflowEdge) -> str:
    deeds = _deeds(edge)
    return _what(deeds[-1]) if deeds else edge.edge_id


def _what(action: Action) -> str:
    label = action.target.label if action.target is not None else None
    said = label or action.parameters.title_contains or "+".join(action.keys or ())
    return f"{action.type}{f' « {said} »' if said else ''}"
