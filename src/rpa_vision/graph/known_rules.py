"""Do new demonstrations go the ways that the rules of a workflow say?

A rule that was learned or written before is judged on what each new case showed: the values of its variables, read
again where the workflow reads them, and the way that was gone. A case that went another way contradicts the rule, and
only a person can settle that; so does a row of a list that was left out or done against the filter of its loop. What
cannot be read again contradicts nothing, unless something else decided this time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rpa_vision.errors import ExpressionValueError
from rpa_vision.graph.flow import EdgeDraft
from rpa_vision.graph.list_sightings import SeenRow
from rpa_vision.graph.outline import Outline
from rpa_vision.graph.plan import Plan, compile_plan, in_order
from rpa_vision.graph.sightings import value_by_label
from rpa_vision.graph.slots import Slots
from rpa_vision.models.expression import parse, variables_of
from rpa_vision.models.expression_value import holds
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.workflow_graph import END, Workflow, WorkflowEdge

Pairs = Sequence[tuple[WorkflowEdge, WorkflowEdge]]
"""Steps of the workflow, each with the newly shown one that it is."""


@dataclass(frozen=True, slots=True)
class ShownCase:
    """One go, or one round: the steps it took, each with the screen before it, and the values in it."""

    screens: Mapping[str, ScreenState]
    """By edge."""
    values: Mapping[str, str]


def shown_cases(
    outline: Outline, slots: Slots, drafts: Sequence[EdgeDraft], edges: Sequence[WorkflowEdge]
) -> tuple[ShownCase, ...]:
    """The cases that a workflow was learned from."""
    screens: dict[int, dict[str, ScreenState]] = {}
    for draft, edge in zip(drafts, edges, strict=True):
        place = outline.places[draft.place]
        for case, step in zip(place.cases, place.steps, strict=True):
            if draft.extraction is None:
                screens.setdefault(case, {})[edge.edge_id] = step.before.state
    return tuple(ShownCase(seen, slots.occurrence(case)) for case, seen in sorted(screens.items()))


def broken_rules(
    existing: Workflow, pairs: Pairs, names: Mapping[str, str], cases: Sequence[ShownCase]
) -> Iterator[tuple[WorkflowEdge, str, str]]:
    """The steps whose rule new cases contradict: what it says and what was shown, in words. `names` are those of the
    new variables by the workflow's own."""
    shown = {old.edge_id: new for old, new in pairs}
    plan = compile_plan(existing)
    if not isinstance(plan, Plan):
        return  # it cannot be run either
    for edge in (step.edge for step in plan.steps.values()):
        rule = edge.condition.expression if edge.condition is not None else None
        if rule is None:
            continue
        expression, own = parse(rule), shown.get(edge.edge_id)
        judged = False
        for case in cases:
            way = _went(edge.edge_id, plan, shown, case)
            if way is None:
                continue
            values = _values(sorted(variables_of(expression)), existing, shown, names, case)
            try:
                said = holds(expression, values)
            except ExpressionValueError:
                continue
            judged = True
            if said != way:
                known = ", ".join(f"{name} = {value}" for name, value in values.items())
                yield edge, f"`{rule}`", f"{'this' if way else 'the other'} way with {known}"
        other = own.condition.expression if own is not None and own.condition is not None else None
        if other is not None and not judged:
            yield edge, f"`{rule}`", f"`{other}`"


def broken_filters(pairs: Pairs, rows: Mapping[str, Sequence[SeenRow]]) -> Iterator[tuple[WorkflowEdge, str, str]]:
    """The loops that choose other rows than new demonstrations did: what they say and what was shown, in words. `rows`
    are those shown, by the new edge. Whoever stopped before a row says nothing about it."""
    for edge, new in pairs:
        if edge.loop is None or edge.loop.question is not None:
            continue
        rule = edge.loop.filter
        for one in rows.get(new.edge_id, ()):
            if not (one.is_done or one.was_reached):
                continue
            cells = {name: one.row.says(cell.partition(".")[2]) for name, cell in edge.loop.variable_binding.items()}
            values = {name: text for name, text in cells.items() if text is not None}
            try:
                said = rule is None or holds(parse(rule), values)
            except ExpressionValueError:
                continue
            if said != one.is_done:
                known = " · ".join(element.label for element in one.row.elements if element.label)
                shown = f"the row « {known} » {'done' if one.is_done else 'left out'}"
                yield edge, f"`{rule}`" if rule is not None else "every row", shown


def _went(edge_id: str, plan: Plan, shown: Mapping[str, WorkflowEdge], case: ShownCase) -> bool | None:
    """Whether a case took the way that begins with this step; None where it never came to the fork."""
    if _did(edge_id, shown, case):
        return True
    passed, other = {edge_id}, plan.steps[edge_id].otherwise
    while other is not None and other != END and other not in passed:
        if _did(other, shown, case):
            return False
        passed.add(other)
        step = plan.steps[other]
        other = step.following if _is_reading(step.edge) else step.otherwise
    return False if other == END and _came_to(edge_id, plan, shown, case, frozenset()) else None


def _came_to(
    edge_id: str, plan: Plan, shown: Mapping[str, WorkflowEdge], case: ShownCase, passed: frozenset[str]
) -> bool:
    """Whether a case did what leads to a step, readings and steps not taken left aside."""
    for before, step in plan.steps.items():
        if before in passed or edge_id not in (step.following, step.otherwise):
            continue
        if _did(before, shown, case):
            if edge_id == step.following:
                return True
        elif (_is_reading(step.edge) or edge_id == step.otherwise) and _came_to(
            before, plan, shown, case, passed | {edge_id}
        ):
            return True
    return False


def _is_reading(edge: WorkflowEdge) -> bool:
    """Nobody is seen to do it."""
    return edge.action is not None and edge.action.type == "extract"


def _did(edge_id: str, shown: Mapping[str, WorkflowEdge], case: ShownCase) -> bool:
    return edge_id in shown and shown[edge_id].edge_id in case.screens


def _values(
    wanted: Sequence[str],
    existing: Workflow,
    shown: Mapping[str, WorkflowEdge],
    names: Mapping[str, str],
    case: ShownCase,
) -> dict[str, str]:
    found = {name: case.values.get(names.get(name, name)) or _read(name, existing, shown, case) for name in wanted}
    return {name: value for name, value in found.items() if value is not None}


def _read(name: str, existing: Workflow, shown: Mapping[str, WorkflowEdge], case: ShownCase) -> str | None:
    """A value that the workflow reads beside a label, on the screen of the case on which it would have read it."""
    order = in_order(existing)
    for position, edge in enumerate(order):
        target = edge.action.target if edge.action is not None else None
        if edge.action is None or edge.action.parameters.extract_to != name or target is None:
            continue
        if target.label is None or target.row_contains:
            return None
        done = (one.edge_id for one in order[position + 1 :] if _did(one.edge_id, shown, case))
        following = next(done, None)
        return value_by_label(case.screens[shown[following].edge_id], target.label) if following is not None else None
    return None
