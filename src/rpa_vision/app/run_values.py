"""What a run begins with: the values of its variables and the secrets it types, checked before anything happens."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime

from rpa_vision.errors import EnvironmentMissingError, ParameterError
from rpa_vision.graph.secret_variables import secret_variables
from rpa_vision.graph.value_types import check_value
from rpa_vision.models.day_forms import written_as
from rpa_vision.models.variables import Variable
from rpa_vision.models.workflow_graph import Workflow


def checked_values(workflow: Workflow, parameters: Mapping[str, str], now: datetime | None = None) -> dict[str, str]:
    """The values of the variables, or a ParameterError that says which one is wrong and what it should be.

    Only what a person gives is asked for; what is read on the way, or told by the clock (`now`), is not.
    """
    unknown = sorted(set(parameters) - set(workflow.variables))
    if unknown:
        known = ", ".join(sorted(workflow.variables)) or "none"
        raise ParameterError(f"workflow {workflow.name!r} has no variable {unknown[0]!r}", remedy=f"It has: {known}.")
    values: dict[str, str] = {}
    for name, variable in workflow.variables.items():
        if name in parameters and variable.subtype == "secret":
            raise ParameterError(f"variable {name!r} is a secret", remedy="Secrets come from the environment only.")
        if name in parameters:
            values[name] = check_value(name, variable, parameters[name])
        elif variable.source.method == "system_time":
            if now is not None:
                today = _written_now(variable, now)
                if today is None:
                    examples = ", ".join(str(example) for example in variable.example_values[:3])
                    raise ParameterError(
                        f"variable {name!r} is the day of the run, and nobody knows how to write it like {examples}",
                        remedy=f"Give it with --param {name}=VALUE, written as it has to be typed.",
                    )
                values[name] = today
        elif variable.required and variable.source.method == "parameter":
            examples = ", ".join(str(example) for example in variable.example_values[:3])
            raise ParameterError(
                f"variable {name!r} is missing", remedy=f"Add --param {name}=VALUE, for instance: {examples}."
            )
    return values


def check_secrets(workflow: Workflow, secrets: Mapping[str, str]) -> None:
    """Every secret that a step of the workflow types must be known, or it is not begun. Those of ways out of errors may
    never be needed; where one is and is not known, the way out is not taken."""
    for where, action in workflow.actions():
        wanted = action.parameters.secret_ref if where.startswith("edges.") else None
        if wanted is not None and wanted not in secrets:
            raise EnvironmentMissingError(
                f"the workflow types the secret {wanted!r}, which is not known here",
                remedy=f"Put it in the environment as RPA_VISION_SECRET_{re.sub('[-.]', '_', wanted.upper())}.",
            )


def hidden_values(workflow: Workflow, values: Mapping[str, str], secrets: Mapping[str, str]) -> dict[str, str]:
    """Everything that is never written down: secrets, and variables that are."""
    secret = secret_variables(workflow)
    return {**secrets, **{name: text for name, text in values.items() if name in secret and text}}


def hidden_in(workflow: Workflow, hidden: Mapping[str, str], read: Mapping[str, str]) -> dict[str, str]:
    """The same, and what was `read` just now into variables that are secrets: it is nowhere else yet."""
    known = dict(hidden)
    for name, text in hidden_values(workflow, read, {}).items():
        known[name if known.get(name, text) == text else f"{name} as read"] = text
    return known


def _written_now(variable: Variable, now: datetime) -> str | None:
    """The day it is where the run is done, written as in the demonstrations; None where that form is not known."""
    here = now.astimezone()
    examples = [str(example) for example in variable.example_values]
    return written_as(here, examples) if examples else here.strftime("%Y-%m-%d")
