"""How alike the goes of a task were: each one beside the workflow that was learned from all of them."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from rpa_vision.embedding.similarity import calibrate, cosine_similarity
from rpa_vision.embedding.spaces import UncalibratedSpaceError
from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.node_drafts import NodeDrafts
from rpa_vision.graph.outline import Outline
from rpa_vision.models.workflow_graph import WorkflowNode


@dataclass(frozen=True, slots=True)
class ShownGo:
    """One go: where in which session it began, and how like the learned screens its own were, in [0, 1]."""

    source: str
    similarity: float


def shown_goes(outline: Outline, nodes: NodeDrafts) -> tuple[ShownGo, ...]:
    """The goes a workflow was learned from, in the order they were shown."""
    steps: dict[int, list[DemoStep]] = {go: [] for go in outline.goes}
    likeness: dict[int, list[float]] = {go: [] for go in outline.goes}
    known = {node.node_id: node for node in nodes.nodes}
    for index, place in enumerate(outline.places):
        node = known.get(nodes.begins.get(index, ""))
        for case, step in zip(place.cases, place.steps, strict=True):
            go = outline.parents.get(case, case)
            if go not in steps:
                continue
            steps[go].append(step)
            alike = _likeness(step, node, nodes) if node is not None else None
            if alike is not None:
                likeness[go].append(alike)
    found = []
    for go, done in steps.items():
        if done:
            first = min(done, key=lambda step: (step.session_id, step.t))
            found.append(ShownGo(f"{first.session_id}@{first.t:.3f}", fmean(likeness[go]) if likeness[go] else 0.0))
    return tuple(found)


def _likeness(step: DemoStep, node: WorkflowNode, nodes: NodeDrafts) -> float | None:
    """How like the node the screen before a step was; None where the node stands for any screen."""
    prototype = node.screen_template.embedding_prototype
    if prototype is None or node.metadata.get("any_screen") is True:
        return None
    cosine = cosine_similarity(step.before.vector, nodes.vectors[prototype.vector_id])
    try:
        return calibrate(cosine, prototype.space_id)
    except UncalibratedSpaceError:
        return min(1.0, max(0.0, cosine))
