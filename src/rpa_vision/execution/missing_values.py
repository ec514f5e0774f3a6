"""Variables that say themselves where they are read: they are read when they are first needed."""

from __future__ import annotations

from rpa_vision.execution.extraction import Unread, accepted, read_source
from rpa_vision.execution.run_outcome import Progress
from rpa_vision.execution.sight import Sight
from rpa_vision.graph.plan_variables import needed_from
from rpa_vision.models.expression import Expression
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge


def fill_in(
    edge: WorkflowEdge, expression: Expression | None, workflow: Workflow, progress: Progress, sight: Sight
) -> None:
    """Read what the step needs and nobody gave, where its variable says where it stands. What cannot be read stays
    missing, and the step says so."""
    needed = needed_from(edge, expression) & workflow.variables.keys()
    for name in sorted(needed - progress.values.keys()):
        variable = workflow.variables[name]
        if variable.source.method != "ui_element_extraction":
            continue
        text = read_source(variable, sight.look().state)
        read = accepted(name, variable, text) if text is not None else None
        if read is not None and not isinstance(read, Unread):
            progress.values[name] = read.text
