"""What demonstrations did not say, said by a person: at which fork which way, of a list which rows.

Asked is where no rule was found. Where one was found that leaves a span open (`metadata.rule.doubts`), a run that comes
upon a value in it stops; the answer to that is a rule too, the same one or another, that leaves nothing open.

The answer is an expression over the workflow's variables. What comes of it is checked like a workflow edited by hand,
and becomes its next version.
"""

from __future__ import annotations

import json

from rpa_vision.app.exchange import Imported, Importer
from rpa_vision.app.workflow_file import read_workflow_file
from rpa_vision.errors import UsageError
from rpa_vision.models.branch_rule import BranchQuestion
from rpa_vision.models.expression import parse, variables_of
from rpa_vision.models.workflow_graph import EdgeCondition, Loop, Workflow, WorkflowEdge


def open_questions(workflow: Workflow) -> dict[str, BranchQuestion]:
    """What has to be answered before the workflow can be run to its end, by the edge at which it is asked."""
    asked: dict[str, BranchQuestion] = {}
    for edge in workflow.edges:
        part = _part(edge)
        if part is not None and part.question is not None:
            asked[edge.edge_id] = part.question
    return asked


def answer(importer: Importer, workflow: Workflow, edge_id: str, rule: str) -> Imported:
    """Let the step at `edge_id` be taken where `rule` holds (in a loop: for these rows), the other way otherwise."""
    asked = [*open_questions(workflow), *(edge.edge_id for edge in workflow.edges if _leaves_open(edge))]
    if edge_id not in asked:
        waiting = ", ".join(asked) or "none"
        raise UsageError(
            f"{workflow.workflow_id} asks nothing at {edge_id}", remedy=f"Steps with a question: {waiting}."
        )
    unknown = sorted(variables_of(parse(rule)) - workflow.variables.keys())
    if unknown:
        known = ", ".join(sorted(workflow.variables)) or "none"
        raise UsageError(f"the workflow has no variable {unknown[0]!r}", remedy=f"It has: {known}.")
    edges = [_answered(one, rule) if one.edge_id == edge_id else one for one in workflow.edges]
    document = workflow.model_copy(update={"edges": tuple(edges)}).to_json()
    file = read_workflow_file(json.dumps(document, ensure_ascii=False, indent=2).encode(), workflow.workflow_id)
    return importer.take_in(file, {}, reason=f"a person answered at {edge_id}: {rule}")


def _part(edge: WorkflowEdge) -> EdgeCondition | Loop | None:
    """Who asks: the fork at an edge, or the loop that begins with it."""
    parts = (edge.condition, edge.loop)
    asking = next((part for part in parts if part is not None and part.question is not None), None)
    return asking if asking is not None or not _leaves_open(edge) else _ruled(edge)


def _ruled(edge: WorkflowEdge) -> EdgeCondition | Loop | None:
    """What the rule at an edge is the rule of."""
    return edge.loop if edge.loop is not None and edge.loop.filter is not None else edge.condition


def _leaves_open(edge: WorkflowEdge) -> bool:
    """Whether the rule that was learned at an edge has a span of values that nobody has shown."""
    rule = edge.metadata.get("rule")
    return isinstance(rule, dict) and bool(rule.get("doubts")) and _ruled(edge) is not None


def _answered(edge: WorkflowEdge, rule: str) -> WorkflowEdge:
    part, learned = _part(edge), edge.metadata.get("rule")
    if isinstance(learned, dict):
        certain = {**learned, "doubts": []}
        edge = edge.model_copy(update={"metadata": {**edge.metadata, "rule": certain}})
    if isinstance(part, Loop):
        return edge.model_copy(update={"loop": part.model_copy(update={"filter": rule, "question": None})})
    assert part is not None
    return edge.model_copy(update={"condition": part.model_copy(update={"expression": rule, "question": None})})
