"""Variables that say themselves where they are read: they are read when they are first needed, in each round anew."""

from __future__ import annotations

from collections.abc import Callable

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.extraction import Unread, accepted, read_source, source_name
from rpa_vision.execution.run_outcome import Progress
from rpa_vision.execution.sight import Sight
from rpa_vision.graph.plan_variables import needed_from
from rpa_vision.models.expression import Expression
from rpa_vision.models.geometry import Box
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge

DoubtOf = Callable[[str, Box, ObservedScreen], str | None]
"""Why a value that was read in a place is not to be used, if so."""


def fill_in(
    edge: WorkflowEdge,
    expression: Expression | None,
    workflow: Workflow,
    progress: Progress,
    sight: Sight,
    doubt_of: DoubtOf,
) -> None:
    """Read what the step needs and nobody gave, where its variable says where it stands. What cannot be read, or is in
    doubt, stays missing, and the step says so."""
    needed = needed_from(edge, expression) & workflow.variables.keys()
    for name in sorted(needed - progress.values.keys()):
        variable = workflow.variables[name]
        if variable.source.method != "ui_element_extraction":
            continue
        screen = sight.look()
        seen = read_source(variable, screen.state)
        if seen is None or doubt_of(seen.text, Box.of(seen.element.bbox), screen) is not None:
            continue
        read = accepted(name, variable, seen.text)
        if not isinstance(read, Unread):
            progress.fill_in(name, read.text, source_name(variable))
