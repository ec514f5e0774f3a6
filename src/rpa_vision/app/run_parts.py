"""What a run works with: the index of a workflow's screens, the recorded pictures of its targets, what it audits."""

from __future__ import annotations

from pydantic import JsonValue

from rpa_vision.app.run_tools import RunTools
from rpa_vision.embedding.faiss_manager import FAISSManager
from rpa_vision.embedding.spaces import require_same_space
from rpa_vision.errors import RpaVisionError
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.execution.target_resolver import Resolved
from rpa_vision.imaging.codec import decode
from rpa_vision.models.frame import Pixels
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge
from rpa_vision.ports.perception import TextCheck
from rpa_vision.ports.storage import DataDirectory


def decision(run_id: str, workflow: Workflow, edge: WorkflowEdge, step: StepOutcome) -> dict[str, JsonValue]:
    """What is about to be done and why, for the audit trail."""
    resolved = step.resolution if isinstance(step.resolution, Resolved) else None
    best = resolved.best if resolved is not None else None
    second = resolved.runner_up if resolved is not None else None
    return {
        "run_id": run_id,
        "workflow_id": workflow.workflow_id,
        "step_id": edge.edge_id,
        "action": edge.action.type if edge.action is not None else None,
        "point": list(step.point) if step.point is not None else None,
        "target": best.element.label if best is not None else None,
        "bbox": list(best.element.bbox) if best is not None else None,
        "strategy": best.strategy if best is not None else None,
        "score": best.score if best is not None else None,
        "runner_up_score": second.score if second is not None else None,
        "read_again": [_readings(check) for check in (step.reread.checks if step.reread is not None else ())],
    }


def _readings(check: TextCheck) -> dict[str, JsonValue]:
    """What was read, and by whom: `text` first, and what was read `second` or `wanted` where that is another text."""
    first, second = check.first.text, check.second.text
    told: dict[str, JsonValue] = {"text": first}
    if second and second != first:
        told["second"] = second
    if check.wanted and check.wanted != first:
        told["wanted"] = check.wanted
    return {**told, "verdict": check.verdict, "confidence": round(check.confidence, 3)}


def prototype_index(workflow: Workflow, tools: RunTools) -> FAISSManager:
    """The index of the workflow's prototypes, rebuilt from the vectors on disk."""
    space = tools.observer.embedder.space
    dimensions = space.dimensions or 0
    index = tools.new_index(workflow.workflow_id, space)
    for node in workflow.nodes:
        prototype = node.screen_template.embedding_prototype
        if prototype is not None:
            require_same_space(prototype.space_id, space.id)
            vector = tools.data.vectors.load(prototype.vector_id, dimensions=dimensions)
            index.add_embedding(vector, {"workflow_id": workflow.workflow_id, "node_id": node.node_id})
    return index


def index_or_damage(workflow: Workflow, tools: RunTools) -> tuple[FAISSManager, RpaVisionError | None]:
    """The index; or an empty one, and what is wrong with the prototypes. A bad update may be, so it has to be told."""
    try:
        return prototype_index(workflow, tools), None
    except RpaVisionError as error:
        return tools.new_index(workflow.workflow_id, tools.observer.embedder.space), error


class RecordedLooks:
    """Recorded pictures of targets, read once."""

    def __init__(self, data: DataDirectory) -> None:
        self._data = data
        self._known: dict[str, Pixels] = {}

    def of(self, edge: WorkflowEdge) -> Pixels | None:
        target = edge.action.target if edge.action is not None else None
        return self.get(target.look.image_path) if target is not None and target.look is not None else None

    def get(self, path: str) -> Pixels | None:
        if path not in self._known:
            self._known[path] = decode(self._data.pictures.load(path))
        return self._known[path]
