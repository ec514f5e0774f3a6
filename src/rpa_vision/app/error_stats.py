"""What errors a workflow met, counted from the reports of its runs: how often, from where, and how often it got out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rpa_vision.models.execution import RecoveryReport, RunReport
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.models.workflow_standing import ErrorTransition, WorkflowStats


def with_error_stats(workflow: Workflow, reports: Iterable[RunReport]) -> Workflow:
    """The workflow with the errors of these runs added to those that were observed while it was learned."""
    met = [
        way
        for report in reports
        if report.workflow_id == workflow.workflow_id
        for step in report.steps
        for way in step.recoveries
    ]
    return workflow.model_copy(update={"stats": added(workflow.stats, workflow, met)}) if met else workflow


def added(stats: WorkflowStats, workflow: Workflow, met: list[RecoveryReport]) -> WorkflowStats:
    """The statistics with these errors counted. Screens that the workflow does not have any more are left out."""
    known = {node.node_id for node in workflow.nodes}
    by_type = Counter(stats.errors_by_type) + Counter(way.error_type for way in met)
    ways = Counter({(one.from_node, one.to_node): one.count for one in stats.error_transitions})
    ways += Counter((way.from_node, way.error_node) for way in met if {way.from_node, way.error_node} <= known)
    return stats.model_copy(
        update={
            "error_count": stats.error_count + len(met),
            "errors_by_type": dict(by_type),
            "error_transitions": tuple(
                ErrorTransition(from_node=start, to_node=end, count=count)
                for (start, end), count in sorted(ways.items())
            ),
            "recovery_success_rate": _rate(stats, met),
        }
    )


def _rate(stats: WorkflowStats, met: list[RecoveryReport]) -> float:
    """How many interruptions were got out of, those observed before included."""
    before = stats.error_count if stats.recovery_success_rate is not None else 0
    got_out = round(before * (stats.recovery_success_rate or 0.0)) + sum(way.succeeded for way in met)
    return round(got_out / (before + len(met)), 4)
