"""What is known of a run besides its steps: evidence of a failed one, and whether this is the recorded screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from rpa_vision.app.run_parts import RecordedLooks
from rpa_vision.app.run_tools import RunTools
from rpa_vision.errors import RpaVisionError
from rpa_vision.execution.run_outcome import ExecutedStep
from rpa_vision.execution.strategy_weights import element_key
from rpa_vision.execution.target_resolver import TargetResolver
from rpa_vision.models.auto_heal import DisplayGeometry
from rpa_vision.models.raw_session import Environment, ScreenEnvironment
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.system.failure_evidence import StepEvidence, resolver_settings

_T = TypeVar("_T")


def evidence_of(
    step: ExecutedStep,
    workflow: Workflow,
    values: Mapping[str, str],
    tools: RunTools,
    looks: RecordedLooks,
    resolver: TargetResolver,
    *,
    run_id: str,
) -> StepEvidence:
    """All that helps to understand why a step failed, as far as it can be had."""
    target = step.edge.action.target if step.edge.action is not None else None
    element = element_key(workflow.workflow_id, step.edge.edge_id, target) if target is not None else None
    return StepEvidence(
        step,
        workflow,
        values,
        look=_if_it_can_be(lambda: looks.of(step.edge)),
        secrets=tools.secrets,
        settings=resolver_settings(weights=resolver.weights, element=element),
        resolver=resolver,
        permission=step.permission,
        environment=_if_it_can_be(lambda: _environment(tools)),
        run_id=run_id,
    )


def tell_drift(workflow: Workflow, tools: RunTools) -> None:
    """Say when this screen is not the one of the recording."""
    places = (
        edge.action.target.place
        for edge in workflow.edges
        if edge.action is not None and edge.action.target is not None
    )
    place = next((one for one in places if one is not None), None)
    if place is not None:
        live = tools.desktop.eyes.info()
        tools.on_drift(
            workflow.workflow_id,
            DisplayGeometry(*place.screen_resolution, place.screen_scale),
            DisplayGeometry(*live.resolution, live.scale),
        )


def _environment(tools: RunTools) -> Environment:
    info = tools.desktop.eyes.info()
    screen = ScreenEnvironment(primary_resolution=info.resolution, scale=info.scale, monitors=info.monitors)
    return Environment(platform=info.platform, hostname=tools.hostname, screen=screen)


def _if_it_can_be(found: Callable[[], _T]) -> _T | None:
    """A piece of evidence, or None: what broke the step may keep it from being had."""
    try:
        return found()
    except RpaVisionError:
        return None
