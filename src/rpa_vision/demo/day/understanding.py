"""How well a day was understood: the workflows that were learned beside what is true.

Nothing is compared by name. A workflow is the task whose steps it holds; a variable is the true one whose values its
examples are; a rule, a filter and a way out are judged by what they would do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rpa_vision.demo.clinic.accounts_data import PaymentStatus, make_accounts
from rpa_vision.demo.clinic.texts import texts
from rpa_vision.demo.day.agenda import TASKS
from rpa_vision.demo.day.signs import SIGNS, Deed, deeds_of, steps_found
from rpa_vision.demo.day.truth import DayTruth, variables_of
from rpa_vision.errors import RpaVisionError
from rpa_vision.models.action import Action
from rpa_vision.models.expression import parse
from rpa_vision.models.expression import variables_of as variables_of_expression
from rpa_vision.models.expression_value import holds
from rpa_vision.models.workflow_graph import Loop, Workflow, WorkflowEdge

TRUE_VARIABLES = {"slips": ("slip",), "claims": ("claim", "amount"), "journal": ("invoice", "amount")}
_FROM_SCREEN = "amount"
_ENOUGH = 0.6
"""So much of a variable's examples must be values of the true one: a misread one does not make it another."""


@dataclass(slots=True)
class TaskUnderstood:
    """What was learned of one task."""

    task: str
    workflow_id: str | None = None
    steps_found: int = 0
    steps_true: int = 0
    steps_foreign: int = 0
    missing: list[str] = field(default_factory=list)
    variables: dict[str, str] = field(default_factory=dict)
    """True variable → the workflow's name for it."""
    wrong_source: list[str] = field(default_factory=list)
    extra_variables: list[str] = field(default_factory=list)
    particular: dict[str, bool] = field(default_factory=dict)
    """The loop, the rule or the recovery, in its parts."""

    @property
    def is_right(self) -> bool:
        """Every step, every variable, and what makes the task particular."""
        known = len(self.variables) == len(TRUE_VARIABLES[self.task]) and not self.wrong_source
        return not self.missing and known and bool(self.particular) and all(self.particular.values())


def understood(truth: DayTruth, workflows: Sequence[Workflow]) -> tuple[list[TaskUnderstood], list[str]]:
    """One entry per task of the day, and the workflows that are none of them (or a second one of a task)."""
    wanted = [task for task in TASKS if any(go.task == task for go in truth.agenda.goes)]
    scored = sorted(
        ((_likeness(task, deeds_of(workflow)), task, workflow) for task in wanted for workflow in workflows),
        key=lambda one: -one[0],
    )
    taken: dict[str, Workflow] = {}
    for likeness, task, workflow in scored:
        if likeness > 0 and task not in taken and workflow not in taken.values():
            taken[task] = workflow
    foreign = [workflow.workflow_id for workflow in workflows if workflow not in taken.values()]
    return [_judge(task, truth, taken.get(task)) for task in wanted], foreign


def _likeness(task: str, deeds: list[Deed]) -> float:
    found, foreign = steps_found(task, deeds)
    return len(found) / len(SIGNS[task]) - foreign / max(1, len(deeds))


def _judge(task: str, truth: DayTruth, workflow: Workflow | None) -> TaskUnderstood:
    result = TaskUnderstood(task, steps_true=len(SIGNS[task]), missing=list(SIGNS[task]))
    if workflow is None:
        return result
    result.workflow_id = workflow.workflow_id
    found, result.steps_foreign = steps_found(task, deeds_of(workflow))
    result.steps_found = len(found)
    result.missing = [step for step in SIGNS[task] if step not in found]
    _judge_variables(result, truth, workflow)
    judge = {"slips": _loop_parts, "claims": _rule_parts, "journal": _recovery_parts}[task]
    result.particular = judge(truth, workflow, result.variables)
    return result


def _judge_variables(result: TaskUnderstood, truth: DayTruth, workflow: Workflow) -> None:
    goes = [go for go in truth.agenda.goes if go.task == result.task]
    bound = {name for edge in workflow.edges if edge.loop is not None for name in edge.loop.variable_binding}
    values = {name: {plain(variables_of(go)[name]) for go in goes} for name in TRUE_VARIABLES[result.task]}
    for name, variable in workflow.variables.items():
        if name in bound or variable.subtype == "secret":
            continue
        examples = [plain(str(example)) for example in variable.example_values]
        meant = next(
            (
                true
                for true, its in values.items()
                if examples and sum(e in its for e in examples) >= _ENOUGH * len(examples)
            ),
            None,
        )
        if meant is None or meant in result.variables:
            result.extra_variables.append(name)
            continue
        result.variables[meant] = name
        method = "ui_element_extraction" if meant == _FROM_SCREEN else "parameter"
        if variable.source.method != method:
            result.wrong_source.append(name)


def _loop_parts(truth: DayTruth, workflow: Workflow, variables: dict[str, str]) -> dict[str, bool]:
    """Each row once, only those that wait, on every page."""
    edge = next((edge for edge in workflow.edges if edge.loop is not None), None)
    if edge is None or edge.loop is None:
        return {"loop": False, "filter": False, "paging": False}
    next_page = [_label(action) for action in _all([edge.loop.next_page])]
    return {"loop": True, "filter": _filter_is_right(edge.loop), "paging": "suivant" in next_page}


def _filter_is_right(loop: Loop) -> bool:
    """Would it take the rows that wait, and no other?"""
    status = next((name for name, cell in loop.variable_binding.items() if "statut" in cell.casefold()), None)
    if loop.filter is None or status is None:
        return False
    words = texts("fr", renamed=False)
    others = dict.fromkeys(loop.variable_binding, "1")
    try:
        expression = parse(loop.filter)
        taken = [one for one in PaymentStatus if holds(expression, {**others, status: words[f"payment_{one.value}"]})]
    except RpaVisionError:
        return False
    return taken == [PaymentStatus.TO_VALIDATE]


def _rule_parts(truth: DayTruth, workflow: Workflow, variables: dict[str, str]) -> dict[str, bool]:
    """Would it decide every claim of the clinic as the person would?"""
    amount = variables.get("amount")
    forks = [edge for edge in workflow.edges if edge.condition is not None and edge.condition.expression]
    for edge in forks:
        expression = parse(edge.condition.expression or "") if edge.condition is not None else None
        if expression is None or amount is None or variables_of_expression(expression) != {amount}:
            continue
        then, otherwise = (
            _way(edge),
            _way(workflow.get_edge(edge.condition.else_edge or "") if edge.condition else None),
        )
        decided = [
            (then if holds(expression, {amount: claim.amount_cents / 100}) else otherwise)
            == ("send" if claim.is_for_manager else "validate")
            for claim in make_accounts(truth.agenda.seed).claims
        ]
        return {"rule": True, "decides": all(decided)}
    return {"rule": False, "decides": False}


def _way(edge: WorkflowEdge | None) -> str:
    labels = [_label(action) for action in _all([edge.action if edge is not None else None])]
    if any("responsable" in label for label in labels):
        return "send"
    return "validate" if "valider" in labels else ""


def _recovery_parts(truth: DayTruth, workflow: Workflow, variables: dict[str, str]) -> dict[str, bool]:
    """Is the ended session recognised, and does the way out sign in again, with a password that was never stored?"""
    if not any(go.expires_at for go in truth.agenda.goes):
        return {"not_shown": True}
    nodes = [node for node in workflow.nodes if node.is_error_node]
    node = next(
        (n for n in nodes if any("session expir" in t.casefold() for t in _words(n.screen_template.model_dump()))), None
    )
    if node is None:
        return {"screen": False, "way_out": False}
    actions = [action for way in node.recovery_actions for action in _all(list(way.steps or ()))]
    labels = [_label(action) for action in actions]
    secret = next((at for at, action in enumerate(actions) if action.parameters.secret_ref is not None), None)
    after = actions[secret + 1 :] if secret is not None else []
    sent = any(_label(action) == "se connecter" or "ENTER" in (action.keys or ()) for action in after)
    by_workflow = any(way.workflow_id is not None for way in node.recovery_actions)
    return {"screen": True, "way_out": by_workflow or ("se reconnecter" in labels and sent)}


def _all(actions: Sequence[Action | None]) -> list[Action]:
    found: list[Action] = []
    for action in actions:
        if action is not None:
            found += _all(list(action.steps)) if action.steps else [action]
    return found


def _label(action: Action) -> str:
    return ((action.target.label if action.target is not None else None) or "").casefold().strip()


def _words(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [word for inner in value.values() for word in _words(inner)]
    return [word for inner in value for word in _words(inner)] if isinstance(value, list | tuple) else []


def plain(text: str) -> str:
    """A value without what differs between writing and reading: spaces, currency, how a number is written."""
    squeezed = re.sub(r"\s+", " ", text.replace("\u00a0", " ").replace("\u202f", " ")).strip().removesuffix("€").strip()
    number = squeezed.replace(" ", "").replace(",", ".")
    return f"{float(number):.2f}" if re.fullmatch(r"\d+(\.\d+)?", number) else squeezed
