"""Mode × maturity: what each mode may do with a workflow of each level. One table, nothing else decides.

A workflow's own policy may take something away from its cell and never adds to it. A person's authorisation lifts the
question of maturity for one run in auto mode, and nothing else. The supervisor is asked besides, before each step: the
stricter of the two wins.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from rpa_vision.execution.harm import MAY_DO_HARM, said_harm
from rpa_vision.models.action import Action
from rpa_vision.models.execution import RunMode
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge
from rpa_vision.models.workflow_standing import AUTO_CONFIRMED, ExecutionPolicy, LearningStateName, PolicyCell

_PRESSING = ("mouse_click", "key_press", "drag")
_OBSERVE_ONLY = PolicyCell(allowed_actions=("observe", "log"), user_interaction="none")

MATRIX: dict[tuple[RunMode, LearningStateName], PolicyCell] = {
    ("shadow", "OBSERVATION"): _OBSERVE_ONLY,
    ("shadow", "COACHING"): _OBSERVE_ONLY,
    ("shadow", "AUTO_CANDIDATE"): _OBSERVE_ONLY,
    ("shadow", AUTO_CONFIRMED): _OBSERVE_ONLY,
    ("assist", "OBSERVATION"): PolicyCell(
        allowed_actions=("observe", "suggest_weak"), user_interaction="passive_notification"
    ),
    ("assist", "COACHING"): PolicyCell(
        allowed_actions=("observe", "suggest_strong", "highlight_ui"), user_interaction="active_guidance"
    ),
    ("assist", "AUTO_CANDIDATE"): PolicyCell(
        allowed_actions=("observe", "suggest_strong", "propose_auto"), user_interaction="confirmation_dialog"
    ),
    ("assist", AUTO_CONFIRMED): PolicyCell(
        allowed_actions=("observe", "suggest_strong", "auto_execute"), user_interaction="notification_only"
    ),
    ("auto", "OBSERVATION"): PolicyCell(
        allowed_actions=("observe",), user_interaction="notification", reason="insufficient_maturity"
    ),
    ("auto", "COACHING"): PolicyCell(
        allowed_actions=("observe",), user_interaction="notification", reason="insufficient_maturity"
    ),
    ("auto", "AUTO_CANDIDATE"): PolicyCell(
        allowed_actions=("observe", "auto_execute_supervised"),
        user_interaction="step_by_step_confirmation",
        pause_on_anomaly=True,
    ),
    ("auto", AUTO_CONFIRMED): PolicyCell(
        allowed_actions=("observe", "auto_execute"),
        user_interaction="notification_only",
        pause_on_anomaly=True,
        rollback_on_error=True,
    ),
}
_INCLUDES = {
    "auto_execute": frozenset({"auto_execute_supervised", "propose_auto"}),
    "suggest_strong": frozenset({"suggest_weak"}),
}
"""Who may do the one may do the other."""
_ACTING = ("auto_execute", "auto_execute_supervised", "propose_auto")
_STEP_BY_STEP = "step_by_step_confirmation"


@dataclass(frozen=True, slots=True)
class Licence:
    """What a run may do."""

    refusal: str | None = None
    """Why it does not take place at all."""
    act: bool = False
    """The robot sends input; where it `proposes`, only if a person takes the offer."""
    proposes: bool = False
    confirm_each: bool = False
    """A person is asked before each step."""
    asks_consent: bool = False
    """A person is asked before the steps that need consent."""
    guidance: Literal["none", "weak", "strong"] = "none"
    highlights: bool = False
    pause_on_anomaly: bool = False
    rollback_on_error: bool = False

    @property
    def needs_person(self) -> bool:
        return self.act and (self.proposes or self.confirm_each or self.asks_consent)


def cell(mode: RunMode, state: LearningStateName) -> PolicyCell:
    """What is allowed."""
    return MATRIX[(mode, state)]


def licence(
    mode: RunMode,
    state: LearningStateName,
    *,
    policy: ExecutionPolicy | None = None,
    authorised: bool = False,
    person_is_there: bool = False,
    needs_consent: bool = False,
) -> Licence:
    """What a run in this mode may do with a workflow of this level and policy. `needs_consent`: it holds steps that
    nobody has consented to yet."""
    if mode == "shadow":
        return Licence("shadow mode only watches: nothing is executed")
    table, own = cell(mode, state), _own_cell(policy, mode, state)
    widest = _with_included(table.allowed_actions)
    allowed = widest if own is None else widest & _with_included(own.allowed_actions)
    given = Licence(
        guidance="strong" if "suggest_strong" in allowed else "weak" if "suggest_weak" in allowed else "none",
        highlights="highlight_ui" in allowed or "suggest_strong" in allowed,
        pause_on_anomaly=bool(table.pause_on_anomaly or (own is not None and own.pause_on_anomaly)),
        rollback_on_error=bool(table.rollback_on_error or (own is not None and own.rollback_on_error)),
    )
    if mode == "assist":
        return _in_assist(given, allowed, person_is_there=person_is_there, needs_consent=needs_consent)
    if _acts(widest) and not _acts(allowed):
        return Licence(f"the workflow's own execution policy does not allow it at {state}")
    narrowed = "auto_execute" in widest and "auto_execute" not in allowed
    stepwise = narrowed or (own is not None and own.user_interaction == _STEP_BY_STEP and "auto_execute" in widest)
    if authorised:
        confirm = stepwise
        needs_consent = False
    elif _acts(allowed):
        confirm = stepwise or "auto_execute" not in allowed
    else:
        return Licence(_too_young(table.reason or "not allowed", state))
    if needs_consent and not confirm and not person_is_there:
        return Licence("the workflow holds steps that need a person's consent; give it for one run with --authorise")
    if confirm and not person_is_there:
        return Licence(_too_young("needs step by step confirmation, and nobody is there to give it", state))
    return replace(given, act=True, confirm_each=confirm, asks_consent=needs_consent and not confirm)


def steps_that_need_consent(workflow: Workflow) -> tuple[WorkflowEdge, ...]:
    """The steps that are asked about: those that cannot be undone, by what their target says or is, and those whose
    target has a role, or says a word, that the rules name. A rule that names nothing we see may mean any of them."""
    wanted = [text.strip().casefold() for text in workflow.safety_rules.require_confirmation_for if text.strip()]
    acting = tuple(edge for edge in workflow.edges if edge.action is not None and edge.action.type != "extract")
    found = {text: [edge for edge in acting if _is_named(edge, text)] for text in wanted}
    if not all(found.values()):
        return acting
    named = {edge.edge_id for edges in found.values() for edge in edges}
    return tuple(edge for edge in acting if edge.edge_id in named or _is_irreversible(edge))


def _in_assist(given: Licence, allowed: frozenset[str], *, person_is_there: bool, needs_consent: bool) -> Licence:
    """The person acts and is guided; a grown workflow is offered to be done for her."""
    calm = replace(given, pause_on_anomaly=False, rollback_on_error=False)
    if not person_is_there or not _acts(allowed):
        return calm
    confirm = "auto_execute" not in allowed
    return replace(calm, act=True, proposes=True, confirm_each=confirm, asks_consent=needs_consent and not confirm)


def _own_cell(policy: ExecutionPolicy | None, mode: RunMode, state: LearningStateName) -> PolicyCell | None:
    """What the workflow itself says. It narrows the general table, never widens it."""
    if policy is None:
        return None
    return (policy.assist_mode if mode == "assist" else policy.auto_mode).get(state)


def _with_included(actions: Iterable[str]) -> frozenset[str]:
    found = set(actions)
    for action in tuple(found):
        found |= _INCLUDES.get(action, frozenset())
    return frozenset(found)


def _acts(allowed: frozenset[str]) -> bool:
    return any(action in allowed for action in _ACTING)


def _is_named(edge: WorkflowEdge, text: str) -> bool:
    target = edge.action.target if edge.action is not None else None
    return target is not None and (target.role == text or text in (target.label or "").casefold())


def _is_irreversible(edge: WorkflowEdge) -> bool:
    """Whether a click or a key of the step lands on something that deletes, pays or sends for good."""
    return any(
        said_harm(part.target.type or "button", part.target.role or "", part.target.label or "") >= MAY_DO_HARM
        for part in _parts(edge.action)
        if part.target is not None and part.type in _PRESSING
    )


def _parts(action: Action | None) -> tuple[Action, ...]:
    if action is None:
        return ()
    return tuple(one for part in action.steps or () for one in _parts(part)) if action.type == "compound" else (action,)


def _too_young(reason: str, state: LearningStateName) -> str:
    return f'{reason}: the workflow is at {state}; a person can authorise one run with --authorise "why"'
