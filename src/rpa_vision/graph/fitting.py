"""Whether something a person did is a step of a known workflow.

The kind of deed, the screen it was done on and what it was done to must agree; values of variables may be any that the
variable allows. What a step leaves open (a target without words) is told by its screen and its type.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from string import Template

from rapidfuzz import fuzz

from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.node_matcher import Location
from rpa_vision.models.action import Action
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.variables import Variable
from rpa_vision.models.wording import folded
from rpa_vision.models.workflow_graph import ANY_NODE, WorkflowEdge

SAME_LABEL = 86.0
"""Two readings of one label are at least so much alike, of 100."""
NEAR_SCREEN = 0.6
"""A screen that is not quite the node's is enough when everything else agrees."""
ELSEWHERE = 0.9
UNSEEN = ("extract", "wait", "clipboard")
"""Steps that leave no deed a person could be seen doing."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a deed is a step: 1 is exactly as learned. `values` are the variables it shows."""

    score: float
    values: Mapping[str, str] = field(default_factory=dict)
    otherwise: str = ""
    """What was done another way than learned; empty when nothing was."""


def fit(
    edge: WorkflowEdge,
    done: DemoStep,
    location: Location,
    variables: Mapping[str, Variable],
    known: Mapping[str, str],
    leads_to: frozenset[str] = frozenset(),
    *,
    is_first: bool = False,
) -> Fit | None:
    """How well the deed is that step, given the values known so far; None when it is not.

    `leads_to` are the applications, folded, that the step may leave in front; any where none is named. The first step
    of a go may be done wherever its target is shown: what was on the screen before is another task's.
    """
    screen = _screen(edge, location)
    if screen is None and is_first and _is_named(edge):
        screen = ELSEWHERE
    if edge.action is None or screen is None:
        return None
    if edge.action.type == "mouse_click" and leads_to and done.app.casefold() not in leads_to:
        return None
    return fit_action(edge.action, done, variables, known, screen)


def misfit(edge: WorkflowEdge, done: DemoStep, location: Location) -> str:
    """Why a deed is not that step, in words; of a deed that does not fit."""
    action = edge.action
    if action is not None and action.type == "compound":
        action = next((part for part in action.steps or () if part.type not in UNSEEN), action)
    if _screen(edge, location) is None:
        return "the screen was not the one it is done on"
    if action is None or action.type != done.kind:
        return "something else was done"
    if action.type == "key_press":
        return "other keys were pressed"
    return "it was done to something else, or gave a value that the variable does not allow"


def fit_action(
    action: Action, done: DemoStep, variables: Mapping[str, Variable], known: Mapping[str, str], screen: float = 1.0
) -> Fit | None:
    """How well the deed is that action, on a screen that is the right one so surely."""
    if action.type in UNSEEN:
        return None
    if action.type == "compound":
        first = next((part for part in action.steps or () if part.type not in UNSEEN), None)
        if first is None:
            return None
        action = first
    if action.type == "window_switch":
        return Fit(screen) if done.kind == "mouse_click" and _is_same(action.target_app, done.app) else None
    if action.type != done.kind:
        return None
    if action.type == "key_press":
        return Fit(screen) if tuple(action.keys or ()) == done.keys else None
    values: dict[str, str] = {}
    target = _target(action.target, done.element, values, variables, known)
    if target is None:
        return None
    otherwise = _typed(action, done, values, variables, known) if action.type == "text_input" else ""
    if action.type == "mouse_click" and (action.parameters.button, action.parameters.click_count) != (
        done.button,
        done.clicks,
    ):
        otherwise = "clicked another way"
    return Fit(min(screen, target) if not otherwise else 0.5 * min(screen, target), values, otherwise)


def _screen(edge: WorkflowEdge, location: Location) -> float | None:
    """How surely the deed was done on the screen of the step."""
    if edge.from_node == ANY_NODE or location.is_at(edge.from_node):
        return 1.0
    score = next((one.confidence for one in location.scores if one.node.node_id == edge.from_node), 0.0)
    return score if score >= NEAR_SCREEN else None


def _is_named(edge: WorkflowEdge) -> bool:
    """Whether the target of a step has words of its own."""
    target = edge.action.target if edge.action is not None else None
    return target is not None and target.label is not None and not Template(target.label).get_identifiers()


def _target(
    target: TargetSpec | None,
    element: UIElement | None,
    values: dict[str, str],
    variables: Mapping[str, Variable],
    known: Mapping[str, str],
) -> float | None:
    if target is None:
        return 1.0
    if target.label is None:
        if element is not None and element.type == target.type:
            return 0.9
        return 0.8 if element is None or not element.label else None
    if element is None or not element.label:
        return None
    wanted = [target.label, *target.aliases]
    scores = [_says(template, element.label, values, variables, known) for template in wanted]
    best = max(scores)
    return best if best > 0.0 else None


def _says(
    template: str, said: str, values: dict[str, str], variables: Mapping[str, Variable], known: Mapping[str, str]
) -> float:
    """How well a text is that template. A variable stands for anything it allows, and for one thing in one go."""
    names = Template(template).get_identifiers()
    if not names:
        return _alike(template.replace("$$", "$"), said)
    pattern, last = "", 0
    for place in re.finditer(r"\$\{(\w+)\}|\$(\w+)", template):
        pattern += re.escape(template[last : place.start()]) + f"(?P<{place[1] or place[2]}>.+?)"
        last = place.end()
    found = re.fullmatch(pattern + re.escape(template[last:]), said.strip(), re.IGNORECASE)
    if found is None:
        return 0.0
    for name, value in found.groupdict().items():
        if name in known and _alike(known[name], value) == 0.0:
            return 0.0
        if not _allows(variables.get(name), value):
            return 0.0
    values.update(found.groupdict())
    return 1.0


def _typed(
    action: Action,
    done: DemoStep,
    values: dict[str, str],
    variables: Mapping[str, Variable],
    known: Mapping[str, str],
) -> str:
    """What was typed otherwise than learned; empty where it is as learned."""
    if action.parameters.secret_ref is not None or done.secret_ref is not None:
        return "" if (action.parameters.secret_ref is None) == (done.secret_ref is None) else "typed a secret instead"
    template = action.parameters.text or ""
    return "" if _says(template, done.text or "", values, variables, known) else "typed something else"


def _allows(variable: Variable | None, value: str) -> bool:
    """Whether a value looks like one of the variable; where nothing is asked of it, anything does."""
    check = variable.validation if variable is not None else None
    if check is None:
        return True
    if check.choices is not None:
        return any(_alike(str(choice), value) > 0.0 for choice in check.choices)
    return check.regex is None or re.fullmatch(check.regex, value.strip()) is not None


def _alike(one: str, other: str) -> float:
    alike = fuzz.ratio(folded(one), folded(other))
    return alike / 100.0 if alike >= SAME_LABEL else 0.0


def _is_same(app: str | None, other: str) -> bool:
    return app is not None and app.casefold() == other.casefold()
