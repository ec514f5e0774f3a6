"""Which variables of a workflow hold secrets: those that say so, and those read where a secret stands."""

from __future__ import annotations

from collections.abc import Iterator

from rpa_vision.detection.roles import is_secret_label
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import Variable
from rpa_vision.models.workflow_graph import Workflow


def secret_variables(workflow: Workflow) -> frozenset[str]:
    """Their names. A value read from a password field, or beside words like « Code PIN », is one, however called."""
    named = (name for name, variable in workflow.variables.items() if _is_secret(variable))
    return frozenset((*named, *_read_from_secrets(workflow)))


def known_variables(workflow: Workflow) -> dict[str, Variable]:
    """The variables, each that holds a secret marked so."""
    secret = secret_variables(workflow)
    return {
        name: variable.model_copy(update={"subtype": "secret"}) if name in secret else variable
        for name, variable in workflow.variables.items()
    }


def _is_secret(variable: Variable) -> bool:
    return variable.subtype == "secret" or is_secret_label(variable.source.element_label or "")


def _read_from_secrets(workflow: Workflow) -> Iterator[str]:
    for _, action in workflow.actions():
        name = action.parameters.extract_to
        if name is not None and action.target is not None and _is_secret_place(action.target):
            yield name
    for edge in workflow.edges:
        bound = edge.loop.variable_binding if edge.loop is not None else {}
        yield from (name for name, place in bound.items() if is_secret_label(place.partition(".")[2] or place))


def _is_secret_place(target: TargetSpec) -> bool:
    return target.type == "password_input" or any(is_secret_label(text or "") for text in (target.label, target.column))
