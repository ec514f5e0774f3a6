"""Which way at a fork, or why that cannot be told. Nothing is guessed.

An expression is judged on what the run knows. A value that is missing or cannot be compared is a doubt, and so is one
that lies between the two values at which demonstrations were seen to part (`metadata.rule.doubts`): nobody has shown
which way it goes. What chooses the rows of a list is held to the same. A fork by the screen is decided by the node that
is matched, with its margin.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rpa_vision.errors import DocumentError, ExpressionValueError
from rpa_vision.graph.node_matcher import Location
from rpa_vision.graph.plan import PlanStep
from rpa_vision.models.branch_rule import BranchRule, Doubt
from rpa_vision.models.expression import Expression, parse, variables_of
from rpa_vision.models.expression_value import holds
from rpa_vision.models.workflow_graph import WorkflowEdge
from rpa_vision.models.written_values import as_date, as_number


@dataclass(frozen=True, slots=True)
class Way:
    """The condition holds or not, and what that was told by."""

    taken: bool
    why: str


@dataclass(frozen=True, slots=True)
class NoWay:
    """Nobody can tell, and why."""

    why: str
    awaits_person: bool = False
    """A person has to answer a question first."""


def by_values(step: PlanStep, values: Mapping[str, str]) -> Way | NoWay:
    """Decide a fork by its expression."""
    condition = step.condition
    if condition is not None and condition.question is not None:
        return NoWay(f"a person has to say first: {condition.question.question}", awaits_person=True)
    if condition is None or step.expression is None:
        return NoWay("the fork has no expression")
    told = f"« {condition.expression} »"
    try:
        doubt = _in_doubt(_doubts(step.edge, step.expression), values)
        if doubt is not None:
            return NoWay(f"{told}: {doubt}")
        taken = holds(step.expression, values)
    except DocumentError as error:
        return NoWay(f"{told}: {error}")
    except ExpressionValueError as error:
        return NoWay(f"{told} cannot be judged: {error}")
    spoken_of = sorted(variables_of(step.expression) & values.keys())
    known = ", ".join(f"{name} = {values[name]}" for name in spoken_of)
    return Way(taken, f"{told} {'holds' if taken else 'does not hold'}" + (f" ({known})" if known else ""))


def by_screen(step: PlanStep, location: Location) -> Way | NoWay:
    """Decide a fork by which screen is shown."""
    condition, match = step.condition, location.match
    if condition is None or condition.target_node is None:
        return NoWay("the fork names no screen")
    if match is None:
        return NoWay(f"the fork asks which screen this is, and {location.suggestion()}")
    if match.node.node_id != condition.target_node:
        return Way(False, f"the screen is « {match.node.label} » ({match.confidence:.2f})")
    if condition.min_similarity is not None and match.confidence < condition.min_similarity:
        return NoWay(f"the screen is « {match.node.label} », but only by {match.confidence:.2f}")
    return Way(True, f"the screen is « {match.node.label} » ({match.confidence:.2f})")


def row_doubt(edge: WorkflowEdge, rule: Expression, values: Mapping[str, str]) -> str | None:
    """What the rule that chooses rows leaves open about this one; nothing where it is the same to both ends of it."""
    for doubt in _doubts(edge, rule):
        value = values.get(doubt.variable)
        if value is None or not _between(value, doubt.above, doubt.up_to):
            continue
        if holds(rule, {**values, doubt.variable: doubt.above}) != holds(rule, {**values, doubt.variable: doubt.up_to}):
            return (
                f"{doubt.variable} = {value} lies between {doubt.above} and {doubt.up_to}, and nobody has shown "
                "whether such rows are meant"
            )
    return None


def _doubts(edge: WorkflowEdge, expression: Expression) -> Sequence[Doubt]:
    """What the rule left open, where learning wrote down what it rests on and nobody wrote another rule."""
    rule = edge.metadata.get("rule")
    if not isinstance(rule, dict):
        return ()
    kept = BranchRule.from_json(rule, where=f"{edge.edge_id}.metadata.rule")
    same = expression in (parse(kept.expression), parse(f"not ({kept.expression})"))
    return kept.doubts if same else ()


def _in_doubt(doubts: Sequence[Doubt], values: Mapping[str, str]) -> str | None:
    for doubt in doubts:
        value = values.get(doubt.variable)
        if value is not None and _between(value, doubt.above, doubt.up_to):
            return (
                f"{doubt.variable} = {value} lies between {doubt.above} and {doubt.up_to}, and nobody has shown which "
                "way that goes"
            )
    return None


def _between(value: str, low: str, high: str) -> bool:
    """Strictly between; both ends were seen."""
    numbers = [as_number(text) for text in (low, value, high)]
    if all(number is not None for number in numbers):
        below, number, above = (number for number in numbers if number is not None)
        return below < number < above
    days = [as_date(text) for text in (low, value, high)]
    if all(day is not None for day in days):
        first, day, last = (day for day in days if day is not None)
        return first < day < last
    return False
