"""What a workflow says that no run could do: texts that name no variable, conditions, keys and ways out nobody knows.

Such a document can still be read, so that a person can mend it; but there is no plan for it (`graph.plan`), and without
a plan nothing is sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from rpa_vision.models.action import Action
from rpa_vision.models.input import KEY_NAMES
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import Variable, is_template, variables_in
from rpa_vision.models.workflow_graph import Loop, RecoveryAction, Workflow, WorkflowEdge

Where = tuple[str | int, ...]
Findings = Iterator[tuple[Where, str]]
"""Where below the part in question, and what is wrong there."""
CONDITIONS: Final = (
    "element", "text_present", "text_appears", "text_absent", "text_vanishes", "window_title_changed",
    "window_title_contains", "screen_changed", "field_contains", "row_says", "target_changed", "elsewhere_changed",
)  # fmt: skip
"""The names of docs/conditions.md; `execution.conditions` judges them."""
WITHOUT_TEXT: Final = (
    "window_title_changed", "screen_changed", "field_contains", "target_changed", "elsewhere_changed",
)  # fmt: skip
"""Those that hold without a text behind them."""
WAYS_OUT: Final = ("click_ok_button", "close_dialog", "return_to_previous")
"""Ways out of an error that need neither steps nor another workflow; `execution.recovery` takes them."""
_CELL = re.compile(r"\w+\.\s*\S")


@dataclass(frozen=True, slots=True)
class Flaw:
    """What is wrong, where in the document it stands, and of which edge that is."""

    where: Where
    message: str
    edge_id: str | None = None

    def __str__(self) -> str:
        place = self.where if self.edge_id is None else self.where[2:]
        return f"{'.'.join(map(str, place))}: {self.message}"


def flaws_of(workflow: Workflow) -> list[Flaw]:
    """Everything in a workflow that no run could do, in the order of the document."""
    known = workflow.variables.keys()
    found: list[Flaw] = []
    for name, variable in workflow.variables.items():
        found += (Flaw(("variables", name, *where), message) for where, message in _of_variable(variable))
    for index, node in enumerate(workflow.nodes):
        for number, way in enumerate(node.recovery_actions):
            place = ("nodes", index, "recovery_actions", number)
            found += (Flaw((*place, *where), message) for where, message in _of_way_out(way, known))
    for index, edge in enumerate(workflow.edges):
        found += (Flaw(("edges", index, *where), message, edge.edge_id) for where, message in _of_edge(edge, known))
    return found


def _of_variable(variable: Variable) -> Findings:
    rule = variable.validation
    if rule is None:
        return
    if rule.min is not None and rule.max is not None and rule.min > rule.max:
        yield ("validation", "min"), f"no value is at least {rule.min:g} and at most {rule.max:g}"
    if rule.choices is not None and not rule.choices:
        yield ("validation", "choices"), "there is nothing to choose from"


def _of_way_out(way: RecoveryAction, known: AbstractSet[str]) -> Findings:
    if not way.steps and way.workflow_id is None and way.action not in WAYS_OUT:
        yield ("action",), f"nobody knows how « {way.action} » is done"
    for number, step in enumerate(way.steps or ()):
        yield from _below(("steps", number), _of_action(step, known))


def _of_edge(edge: WorkflowEdge, known: AbstractSet[str]) -> Findings:
    if edge.action is not None:
        yield from _below(("action",), _of_action(edge.action, known))
    if edge.loop is not None:
        yield from _below(("loop",), _of_loop(edge.loop, known))
    conditions: list[tuple[Where, tuple[str, ...]]] = []
    if edge.constraints is not None:
        conditions.append((("constraints", "pre_conditions"), edge.constraints.pre_conditions))
        conditions.append((("constraints", "post_conditions"), edge.constraints.post_conditions))
    if edge.post_conditions is not None:
        conditions.append((("post_conditions", "conditions"), edge.post_conditions.conditions))
    for place, several in conditions:
        for number, condition in enumerate(several):
            yield from _below((*place, number), _of_condition(condition, known))


def _of_loop(loop: Loop, known: AbstractSet[str]) -> Findings:
    for name, cell in loop.variable_binding.items():
        if _CELL.match(cell) is None:
            yield ("variable_binding", name), f"« {cell} » is no cell of a row, such as row.Montant"
    if loop.next_page is not None:
        yield from _below(("next_page",), _of_action(loop.next_page, known))


def _of_condition(condition: str, known: AbstractSet[str]) -> Findings:
    name, _, text = condition.partition(":")
    if name not in CONDITIONS:
        yield (), f"unknown condition '{condition}'"
        return
    if not text.strip() and name not in WITHOUT_TEXT:
        yield (), f"'{condition}' names no text"
    if name == "element" and text.strip() and not text.endswith("_visible"):
        yield (), f"unknown condition '{condition}'"
    key, separator, said = (part.strip() for part in text.partition("="))
    if name == "row_says" and text.strip() and not (key and separator and said):
        yield (), f"« {text} » is not « what the row holds = what it says »"
    yield from _of_template(text, known)


def _of_action(action: Action, known: AbstractSet[str]) -> Findings:
    said = action.parameters
    for number, key in enumerate(action.keys or ()):
        if key not in KEY_NAMES and len(key) != 1:
            yield ("keys", number), f"there is no key called '{key}'"
    if said.extract_to is not None and said.extract_to not in known:
        yield ("parameters", "extract_to"), f"there is no variable '{said.extract_to}'"
    for name in ("text", "title_contains"):
        yield from _below(("parameters", name), _of_template(getattr(said, name) or "", known))
    if action.target is not None:
        yield from _below(("target",), _of_target(action.target, known))
    if said.drop_target is not None:
        yield from _below(("parameters", "drop_target"), _of_target(said.drop_target, known))
    for number, step in enumerate(action.steps or ()):
        yield from _below(("steps", number), _of_action(step, known))


def _of_target(target: TargetSpec, known: AbstractSet[str]) -> Findings:
    for name in ("label", "column", "container"):
        yield from _below((name,), _of_template(getattr(target, name) or "", known))
    if target.anchor is not None:
        yield from _below(("anchor", "label"), _of_template(target.anchor.label, known))
    for name in ("row_contains", "hard_constraints"):
        for number, text in enumerate(getattr(target, name)):
            yield from _below((name, number), _of_template(text, known))


def _of_template(text: str, known: AbstractSet[str]) -> Findings:
    if not is_template(text):
        yield (), f"« {text} » has a $ that stands for nothing; $$ is a dollar sign"
        return
    unknown = sorted(variables_in(text) - known)
    if unknown:
        yield (), f"there is no variable '{unknown[0]}'"


def _below(place: Where, found: Findings) -> Findings:
    return (((*place, *where), message) for where, message in found)
