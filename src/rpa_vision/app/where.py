"""Where am I? Which workflow, and which of its screens, a picture shows, and with which step a run goes on from there.

The index over all workflows gives hints; each hinted workflow's own index and matcher, the one a run judges by, then
decide. Only what they are sure of counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from rpa_vision.embedding.faiss_manager import FAISSManager
from rpa_vision.embedding.heads import VectorCache
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.embedding.whereabouts import Hint, Whereabouts
from rpa_vision.errors import RpaVisionError
from rpa_vision.execution.obstacles import plan_or_obstacle
from rpa_vision.execution.places import Nowhere, place_here
from rpa_vision.execution.screen_witness import WitnessedMatcher
from rpa_vision.graph.node_matcher import Location
from rpa_vision.models.state_embedding import EmbeddingSpace
from rpa_vision.models.workflow_graph import EmbeddingPrototype, Workflow
from rpa_vision.ports.perception import Vector
from rpa_vision.ports.storage import DataDirectory
from rpa_vision.ports.vectors import VectorIndex


@dataclass(frozen=True, slots=True)
class Place:
    """A hint, and what the workflow itself says to it."""

    hint: Hint
    workflow_name: str
    node_label: str
    confidence: float
    is_match: bool
    goes_on_with: str | None = None
    """The step with which `run --from-here` would begin, where it is this screen."""
    why_not: str = ""
    """Why none is."""


class Locator:
    """Knows the prototypes of all workflows in one space."""

    def __init__(
        self,
        data: DataDirectory,
        space: EmbeddingSpace,
        new_vectors: Callable[[int], VectorIndex],
        new_index: Callable[[str, EmbeddingSpace], FAISSManager],
    ) -> None:
        self._data = data
        self._space = space
        self._new_index = new_index
        self._cache = VectorCache()
        self._whereabouts = Whereabouts(new_vectors, space)
        self._workflows: dict[str, Workflow] = {}
        self.elsewhere: list[str] = []
        """Workflows that lie in another space: a picture cannot be compared with them until they are moved."""

    def take_in(self, workflows: Iterable[Workflow]) -> None:
        """Know these workflows; one whose vectors cannot be read is left out."""
        for workflow in workflows:
            spaces = {prototype.space_id for _, prototype in _prototypes(workflow)}
            if spaces != {self._space.id}:
                if spaces:
                    self.elsewhere.append(workflow.workflow_id)
                continue
            try:
                nodes = [(node_id, self._vector(prototype.vector_id)) for node_id, prototype in _prototypes(workflow)]
            except RpaVisionError:
                self.elsewhere.append(workflow.workflow_id)
                continue
            self._whereabouts.put(workflow.workflow_id, nodes, space_id=self._space.id)
            self._workflows[workflow.workflow_id] = workflow

    def places(self, screen: ObservedScreen, k: int = 5) -> list[Place]:
        """Where the screen may be, what is sure first."""
        hints = self._whereabouts.hints(screen.vector, k, space_id=self._space.id)
        found: list[Place] = []
        for workflow_id in dict.fromkeys(hint.workflow_id for hint in hints):
            workflow = self._workflows[workflow_id]
            location = self._matcher(workflow).locate(screen)
            scores = {score.node.node_id: score.confidence for score in location.scores}
            matched = location.match.node.node_id if location.match is not None else None
            step, why_not = _going_on(workflow, location)
            for hint in (one for one in hints if one.workflow_id == workflow_id):
                node = workflow.get_node(hint.node_id)
                place = Place(
                    hint,
                    workflow.name,
                    node.label if node is not None else hint.node_id,
                    scores.get(hint.node_id, 0.0),
                    matched == hint.node_id,
                )
                found.append(replace(place, goes_on_with=step, why_not=why_not) if place.is_match else place)
        return sorted(found, key=lambda place: (not place.is_match, -place.confidence, -place.hint.similarity))

    def _matcher(self, workflow: Workflow) -> WitnessedMatcher:
        index = self._new_index(workflow.workflow_id, self._space)
        for node_id, prototype in _prototypes(workflow):
            metadata = {"workflow_id": workflow.workflow_id, "node_id": node_id}
            index.add_embedding(self._vector(prototype.vector_id), metadata)
        return WitnessedMatcher(workflow, index)

    def _vector(self, vector_id: str) -> Vector:
        known = self._cache.get(self._space.id, vector_id)
        if known is not None:
            return known
        vector = self._data.vectors.load(vector_id, dimensions=self._space.dimensions or 0)
        return self._cache.put(self._space.id, vector_id, vector)


def _going_on(workflow: Workflow, location: Location) -> tuple[str | None, str]:
    """The step with which a run would begin here, or why none; what a person must give it is not asked for yet."""
    plan = plan_or_obstacle(workflow)
    if isinstance(plan, str):
        return None, plan
    place = place_here(plan, workflow, location, dict.fromkeys(workflow.variables, ""))
    return (None, place.why) if isinstance(place, Nowhere) else (place.edge_id, "")


def _prototypes(workflow: Workflow) -> list[tuple[str, EmbeddingPrototype]]:
    found = ((node.node_id, node.screen_template.embedding_prototype) for node in workflow.nodes)
    return [(node_id, prototype) for node_id, prototype in found if prototype is not None]
