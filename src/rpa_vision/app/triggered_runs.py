"""A run inside a run: another workflow (to log in again, say) is run to get out of an error.

It has its own report, its own supervision and its own steps in the audit trail. It gets what the outer run knows of the
variables they share, its secrets from where all secrets come from, and no rights the outer run does not have: what a
person authorised was the outer workflow, which she named, so that this one needs to have earned what it is to do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from rpa_vision.app.run_tools import RunHooks, RunRequest, RunTools
from rpa_vision.errors import RpaVisionError
from rpa_vision.execution.recovery import TriggeredRun
from rpa_vision.models.execution import RunReport

MAX_DEPTH: Final = 2
"""How many runs may be inside of each other."""

InnerRun = Callable[[RunRequest, RunTools, RunHooks], RunReport]


def trigger(
    outer: RunRequest, run_id: str, tools: RunTools, hooks: RunHooks, run: InnerRun
) -> Callable[[str, Mapping[str, str]], TriggeredRun]:
    """What runs other workflows inside the run `run_id`."""

    def run_inside(workflow_id: str, values: Mapping[str, str]) -> TriggeredRun:
        if outer.depth + 1 > MAX_DEPTH:
            return TriggeredRun(None, f"more than {MAX_DEPTH} runs inside of each other")
        if workflow_id == outer.workflow.workflow_id:
            return TriggeredRun(None, "a workflow cannot be its own way out")
        try:
            workflow = tools.data.workflows.load(workflow_id)
            shared = {name: text for name, text in values.items() if name in workflow.variables}
            asked = {name: text for name, text in shared.items() if workflow.variables[name].subtype != "secret"}
            inner = RunRequest(
                workflow,
                asked,
                outer.mode,
                screen_timeout_s=outer.screen_timeout_s,
                triggered_by=run_id,
                depth=outer.depth + 1,
                who=outer.who,
            )
            report = run(inner, replace(tools, secrets={**tools.secrets, **tools.secrets_of(workflow)}), hooks)
        except RpaVisionError as error:
            return TriggeredRun(None, f"{workflow_id} could not be run: {error}")
        problem = None if report.status == "success" else f"{workflow.name}: {report.status}: {report.reason}"
        return TriggeredRun(report.run_id, problem)

    return run_inside
