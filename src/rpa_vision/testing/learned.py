"""Something learned, small and quickly made, with everything that keeps it: versions, target memory, a data directory.

`Mortal` ends a process just before its k-th change of the disk, so that a test can go through all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rpa_vision.adapters.learning import FileVersionFiles, SqliteTargetMemory
from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.adapters.storage.atomic import Step, no_step
from rpa_vision.app.learn import keep
from rpa_vision.app.wiring import vector_index
from rpa_vision.graph.graph_builder import LearnedWorkflow
from rpa_vision.learning.target_memory_store import TargetMemoryStore
from rpa_vision.learning.versioned_store import VersionedStore
from rpa_vision.models.action import Action
from rpa_vision.models.state_embedding import EmbeddingSpace
from rpa_vision.models.target import TargetLook, TargetSpec
from rpa_vision.models.workflow_graph import EmbeddingPrototype, ScreenTemplate, Workflow, WorkflowEdge, WorkflowNode
from rpa_vision.ports.learning import FoundTarget, TargetPlace
from rpa_vision.ports.runtime import Clock
from rpa_vision.testing.manual_clock import ManualClock

WORKFLOW_ID = "WF_factures"


class Killed(BaseException):
    """The process ends here. Not an Exception: nobody may catch it."""


class Mortal:
    """Implements `adapters.storage.atomic.Step`: dies before change number `at`, and stays dead."""

    def __init__(self, at: int | None = None) -> None:
        self.at = at
        self.changes: list[str] = []
        """What was about to be done, in order."""

    def __call__(self, what: str, path: Path) -> None:
        self.changes.append(f"{what} {path.name}")
        if self.at is not None and len(self.changes) >= self.at:
            raise Killed


@dataclass(frozen=True, slots=True)
class LearnedWorld:
    """A data directory, opened, with what keeps versions in it."""

    root: Path
    clock: Clock
    data: FileDataDirectory
    memory: TargetMemoryStore
    versions: VersionedStore
    table: SqliteTargetMemory

    def learn(self, workflow_id: str = WORKFLOW_ID, *, seed: int | None = None, nodes: int = 2) -> str:
        """Learn something and give its version. Another seed is something else."""
        number = self.versions.next_number(workflow_id)
        learned = small_workflow(self.clock, workflow_id, number, seed=number if seed is None else seed, nodes=nodes)
        version_id = keep(self.data, learned, self.versions, reason="a lesson")
        assert version_id is not None
        return version_id

    def succeed(self, workflow_id: str = WORKFLOW_ID, *, edge: int = 1, element: str = "e1") -> None:
        """A step succeeds, and where its target was is remembered."""
        place = TargetPlace(workflow_id, f"E{edge}", "what", "layout")
        found = FoundTarget(element, "Valider", "button", "validate", (0.1, 0.1, 0.2, 0.2), "text", 0.9)
        self.memory.remember(place, found, verified=True)

    def poison(self, workflow_id: str = WORKFLOW_ID, *, seed: int = 99) -> None:
        """Something learns wrongly: the live prototypes are replaced, and no version is made of it."""
        dice = np.random.default_rng(seed)
        for node in self.data.workflows.load(workflow_id).nodes:
            prototype = node.screen_template.embedding_prototype
            assert prototype is not None
            assert prototype.space is not None
            self.data.vectors.save(prototype.vector_id, dice.random(prototype.space.dimensions or 0, np.float32))

    def live(self, workflow_id: str = WORKFLOW_ID) -> dict[str, bytes]:
        """Everything learned and in use, to the last byte."""
        workflow = self.data.workflows.load(workflow_id)
        prototypes = (node.screen_template.embedding_prototype for node in workflow.nodes)
        known = [prototype for prototype in prototypes if prototype is not None]
        paths = [prototype.vector_id for prototype in known]
        paths += [sample.image_path for prototype in known for sample in prototype.samples]
        looks = (action.target.look for _, action in workflow.actions() if action.target is not None)
        paths += [look.image_path for look in looks if look is not None]
        names = [f"workflows/{workflow_id}/workflow.json", *sorted(paths)]
        return {name: (self.root / name).read_bytes() for name in names} | {
            "target memory": self.memory.export_rows(workflow_id)
        }

    def close(self) -> None:
        """Let go of the files."""
        self.table.close()


def open_world(root: Path, *, clock: Clock | None = None, step: Step = no_step, links: bool = True) -> LearnedWorld:
    """Open a data directory with everything that keeps versions."""
    clock = clock or ManualClock()
    data = FileDataDirectory(root, clock=clock, step=step)
    table = SqliteTargetMemory(data.files, clock)
    memory = TargetMemoryStore(table, clock)
    versions = VersionedStore(FileVersionFiles(data.files, links=links), data.vectors, memory, vector_index, clock)
    return LearnedWorld(root, clock, data, memory, versions, table)


def small_workflow(
    clock: Clock,
    workflow_id: str = WORKFLOW_ID,
    version: int = 1,
    *,
    seed: int = 0,
    nodes: int = 2,
    dimensions: int = 8,
    picture_px: int = 6,
) -> LearnedWorkflow:
    """A chain of screens, a click from each to the next, with the vectors and pictures a builder would give."""
    dice = np.random.default_rng(seed)
    space = EmbeddingSpace(id=f"small-{dimensions}", dimensions=dimensions, provider="small")
    where = f"workflows/{workflow_id}"
    screens, clicks, vectors, pictures = [], [], {}, {}
    for index in range(1, nodes + 1):
        vector_id = f"{where}/prototypes/N{index}_v{version:03d}.npy"
        vectors[vector_id] = dice.random(dimensions, np.float32) + np.float32(0.1)
        prototype = EmbeddingPrototype(vector_id=vector_id, min_cosine_similarity=0.8, space=space)
        template = ScreenTemplate(embedding_prototype=prototype)
        screens.append(
            WorkflowNode(node_id=f"N{index}", label=f"screen {index} of lesson {seed}", screen_template=template)
        )
        if index < nodes:
            picture = f"{where}/targets/E{index}_v{version:03d}.png"
            pictures[picture] = dice.integers(0, 256, (picture_px, picture_px, 4), np.uint8)
            look = TargetLook(image_path=picture, size=(picture_px, picture_px))
            click = Action(type="mouse_click", target=TargetSpec(label="Valider", type="button", look=look))
            clicks.append(
                WorkflowEdge(edge_id=f"E{index}", from_node=f"N{index}", to_node=f"N{index + 1}", action=click)
            )
    workflow = Workflow(
        workflow_id=workflow_id,
        name=workflow_id,
        version=version,
        created_at=clock.now(),
        updated_at=clock.now(),
        entry_nodes=("N1",),
        end_nodes=(f"N{nodes}",),
        nodes=tuple(screens),
        edges=tuple(clicks),
    )
    return LearnedWorkflow(workflow, 3, vectors, pictures)
