"""Move what was learned to another embedding space.

The samples of every node are fingerprinted by the new encoder, one after the other; each vector is kept under a name
made of the picture and the space, so whoever was stopped goes on where it was. Until the last one is there, and every
sample is recognised by the new prototypes, the old ones answer. Then one replacement of `workflow.json` switches, as a
new version: nobody ever sees vectors of two spaces side by side.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from rpa_vision.app.session_screens import OnProgress
from rpa_vision.embedding.faiss_manager import FAISSManager
from rpa_vision.embedding.screen_observer import ObservedScreen, ScreenObserver
from rpa_vision.embedding.similarity import CALIBRATIONS, cosine_similarity, measured_calibration
from rpa_vision.embedding.spaces import MigrationError, UncalibratedSpaceError, unit
from rpa_vision.errors import DocumentError, RpaVisionError, UnknownIdError
from rpa_vision.execution.screen_witness import WitnessedMatcher
from rpa_vision.imaging.codec import decode
from rpa_vision.learning.versioned_store import VersionedStore
from rpa_vision.models.state_embedding import EmbeddingSpace
from rpa_vision.models.workflow_graph import (
    EmbeddingPrototype,
    EmbeddingSpaces,
    ScreenSample,
    Workflow,
    WorkflowNode,
)
from rpa_vision.ports.perception import Vector
from rpa_vision.ports.runtime import Clock
from rpa_vision.ports.storage import DataDirectory

NewIndexFor = Callable[[str, EmbeddingSpace], FAISSManager]
_ATTEMPTS: Final = 3


@dataclass(frozen=True, slots=True)
class Migration:
    """What came of moving one workflow."""

    workflow_id: str
    from_spaces: tuple[str, ...]
    to_space: str
    status: Literal["done", "already"]
    version_id: str | None
    screens: int = 0
    embedded: int = 0
    """How many of them were fingerprinted now; the others had been before."""


@dataclass(frozen=True, slots=True)
class _Sample:
    """One screen of a node in the new space."""

    node_id: str
    screen: ObservedScreen


class _ChangedMeanwhileError(Exception):
    """Somebody learned, or went back, while we were embedding."""


@dataclass(frozen=True, slots=True)
class Migrator:
    """Moves workflows to the space of `observer`."""

    data: DataDirectory
    observer: ScreenObserver
    versions: VersionedStore
    new_index: NewIndexFor
    clock: Clock
    on_progress: OnProgress = lambda what, done, total: None
    on_update: Callable[[str], None] = lambda workflow_id: None

    @property
    def space(self) -> EmbeddingSpace:
        return self.observer.embedder.space

    def migrate(self, workflow_id: str) -> Migration:
        """Move a workflow, or go on where a former attempt was stopped; a MigrationError says why that cannot be."""
        for _ in range(_ATTEMPTS):
            workflow = self.data.workflows.load(workflow_id)
            left = spaces_of(workflow) - {self.space.id}
            if not left:
                return self._settled(workflow)
            with suppress(_ChangedMeanwhileError):
                return self._migrated(workflow, tuple(sorted(left)))
        raise MigrationError(f"{workflow_id} is being learned all the time", remedy="Try again later.")

    def _migrated(self, workflow: Workflow, left: tuple[str, ...]) -> Migration:
        total = _checked_samples(workflow)
        self._note(workflow, "in_progress", 0.0)
        samples: list[_Sample] = []
        embedded = 0
        for node, prototype in _with_prototypes(workflow):
            for sample in prototype.samples:
                screen, is_new = self._embedded(workflow, node, sample)
                embedded += is_new
                samples.append(_Sample(node.node_id, screen))
                self.on_progress("moving screens", len(samples), total)
            self._note(workflow, "in_progress", len(samples) / total)
        try:
            moved = self._moved(workflow, samples, left)
            self._verify(moved, samples)
        except (MigrationError, UncalibratedSpaceError):
            self._note(workflow, "failed", len(samples) / total)
            raise

        def put(number: int) -> None:
            live = self.data.workflows.load(workflow.workflow_id)
            if _witnesses(live) != _witnesses(workflow):
                raise _ChangedMeanwhileError
            self._put(live, moved, _prototypes(samples), number)

        reason = f"moved from {', '.join(left)} to {self.space.id}"
        version_id = self.versions.update(workflow.workflow_id, put, reason=reason)
        self.on_update(workflow.workflow_id)
        return Migration(workflow.workflow_id, left, self.space.id, "done", version_id, total, embedded)

    def _settled(self, workflow: Workflow) -> Migration:
        """All is moved. Whoever did it may have been stopped just before it became a version."""
        version_id = None
        known = {info.version_id for info in self.versions.list_versions(workflow.workflow_id) if info.in_use}
        spaces = workflow.embedding_spaces
        if not known and spaces is not None and spaces.migration_status == "done":
            version_id = self.versions.snapshot_version(workflow.workflow_id, reason=f"moved to {self.space.id}")
        return Migration(workflow.workflow_id, (), self.space.id, "already", version_id)

    def _embedded(self, workflow: Workflow, node: WorkflowNode, sample: ScreenSample) -> tuple[ObservedScreen, bool]:
        """A sample in the new space, and whether that had to be computed."""
        try:
            picture = self.data.pictures.load(sample.image_path)
        except UnknownIdError as error:
            raise MigrationError(f"{workflow.workflow_id}: a screen of « {node.label} » is gone: {error}") from error
        key = f"sample_{hashlib.sha256(picture + sample.window.model_dump_json().encode()).hexdigest()[:32]}"
        vector_id = f"embeddings/states/{self.space.id}/{key}.npy"
        pixels = decode(picture)
        with suppress(UnknownIdError, DocumentError):  # a damaged one is computed again
            vector = self.data.vectors.load(vector_id, dimensions=self.space.dimensions or 0)
            return ObservedScreen(pixels, self.data.screen_states.load(key), vector), False
        screen = self.observer.observe(
            pixels,
            window=sample.window,
            screen_state_id=key,
            timestamp=self.clock.now(),
            screenshot_path=sample.image_path,
        )
        self.data.screen_states.save(screen.state)
        self.data.vectors.save(vector_id, screen.vector)
        return screen, True

    def _moved(self, workflow: Workflow, samples: Sequence[_Sample], left: tuple[str, ...]) -> Workflow:
        """The workflow with its prototypes in the new space; where their vectors lie is not settled yet."""
        prototypes = _prototypes(samples)
        own = [cosine_similarity(prototypes[one.node_id], one.screen.vector) for one in samples]
        other = [
            cosine_similarity(vector, one.screen.vector)
            for one in samples
            for node_id, vector in prototypes.items()
            if node_id != one.node_id
        ]
        calibration = () if self.space.id in CALIBRATIONS else measured_calibration(own, other).points
        nodes = []
        for node in workflow.nodes:
            prototype = node.screen_template.embedding_prototype
            if prototype is not None:
                least = min(like for like, one in zip(own, samples, strict=True) if one.node_id == node.node_id)
                changes = {
                    "provider": self.space.provider,
                    "space": self.space,
                    "min_cosine_similarity": round(least, 4),
                }
                node = with_prototype(node, prototype.model_copy(update=changes))
            nodes.append(node)
        former = workflow.embedding_spaces.legacy if workflow.embedding_spaces is not None else ()
        legacy = tuple(dict.fromkeys([*(one for one in former if one != self.space.id), *left]))
        spaces = EmbeddingSpaces(
            current=self.space.id,
            legacy=legacy,
            migration_status="done",
            migration_progress=1.0,
            calibration=calibration,
        )
        return workflow.model_copy(update={"nodes": tuple(nodes), "embedding_spaces": spaces})

    def _verify(self, moved: Workflow, samples: Sequence[_Sample]) -> None:
        """Every sample must be recognised as what it is before anybody relies on the new prototypes."""
        index = self.new_index(moved.workflow_id, self.space)
        for node_id, vector in _prototypes(samples).items():
            index.add_embedding(vector, {"workflow_id": moved.workflow_id, "node_id": node_id})
        matcher = WitnessedMatcher(moved, index)  # a run will judge by the same
        for one in samples:
            location = matcher.locate(one.screen)
            if not location.is_at(one.node_id):
                label = matcher.label_of(one.node_id)
                seen = f"« {matcher.label_of(location.match.node.node_id)} »" if location.match else "unknown"
                raise MigrationError(
                    f"{moved.workflow_id}: in the space {self.space.id} a screen of « {label} » would be {seen}"
                )

    def _put(self, live: Workflow, moved: Workflow, prototypes: dict[str, Vector], number: int) -> None:
        """First the vectors, then the workflow, which switches: a crash in between leaves the old one whole."""
        by_id = {node.node_id: node for node, _ in _with_prototypes(moved)}
        nodes = []
        for node in live.nodes:
            known = by_id.get(node.node_id)
            prototype = known.screen_template.embedding_prototype if known is not None else None
            if prototype is not None:
                vector_id = f"workflows/{live.workflow_id}/prototypes/{node.node_id}_v{number:03d}.npy"
                self.data.vectors.save(vector_id, prototypes[node.node_id])
                node = with_prototype(node, prototype.model_copy(update={"vector_id": vector_id}))
            nodes.append(node)
        changes = {
            "nodes": tuple(nodes),
            "embedding_spaces": moved.embedding_spaces,
            "version": number,
            "updated_at": max(live.created_at, self.clock.now()),
        }
        self.data.workflows.save(live.model_copy(update=changes))

    def _note(self, workflow: Workflow, status: Literal["in_progress", "failed"], progress: float) -> None:
        """Write down how far it is, for whoever looks."""
        target = self.space.id

        def noted(live: Workflow) -> Workflow:
            spaces = live.embedding_spaces or EmbeddingSpaces(current=min(spaces_of(live), default=target))
            changes = {"target": target, "migration_status": status, "migration_progress": round(progress, 3)}
            return live.model_copy(update={"embedding_spaces": spaces.model_copy(update=changes)})

        self.versions.annotate(workflow.workflow_id, noted)


def spaces_of(workflow: Workflow) -> frozenset[str]:
    """The spaces in which the prototypes of a workflow lie; one, unless somebody mixed them by hand."""
    return frozenset(prototype.space_id for _, prototype in _with_prototypes(workflow))


def with_prototype(node: WorkflowNode, prototype: EmbeddingPrototype) -> WorkflowNode:
    """The same node with another prototype."""
    template = node.screen_template.model_copy(update={"embedding_prototype": prototype})
    return node.model_copy(update={"screen_template": template})


def _with_prototypes(workflow: Workflow) -> list[tuple[WorkflowNode, EmbeddingPrototype]]:
    found = ((node, node.screen_template.embedding_prototype) for node in workflow.nodes)
    return [(node, prototype) for node, prototype in found if prototype is not None]


def _checked_samples(workflow: Workflow) -> int:
    """How many samples there are; each node needs one."""
    bare = [node.label for node, prototype in _with_prototypes(workflow) if not prototype.samples]
    if bare:
        raise MigrationError(
            f"{workflow.workflow_id} was learned before screens were kept with it: none of « {bare[0]} » is there",
            remedy=f"It goes on in its own space. To move it, learn it again: rpa-vision learn --name {workflow.name}",
        )
    return sum(len(prototype.samples) for _, prototype in _with_prototypes(workflow))


def _prototypes(samples: Sequence[_Sample]) -> dict[str, Vector]:
    """The mean direction of each node's samples."""
    nodes: dict[str, list[Vector]] = {}
    for one in samples:
        nodes.setdefault(one.node_id, []).append(one.screen.vector)
    return {node_id: unit(np.stack(vectors).astype(np.float64).sum(axis=0)) for node_id, vectors in nodes.items()}


def _witnesses(workflow: Workflow) -> list[tuple[str, str, tuple[str, ...]]]:
    """What a migration starts from: if it changes meanwhile, it starts again."""
    return [
        (node.node_id, prototype.vector_id, tuple(sample.image_path for sample in prototype.samples))
        for node, prototype in _with_prototypes(workflow)
    ]


def migrate_all(migrator: Migrator, workflow_ids: Sequence[str]) -> tuple[list[Migration], dict[str, RpaVisionError]]:
    """Move several workflows; one that cannot be moved does not keep the others from it."""
    done: list[Migration] = []
    failed: dict[str, RpaVisionError] = {}
    for workflow_id in workflow_ids:
        try:
            done.append(migrator.migrate(workflow_id))
        except RpaVisionError as error:
            failed[workflow_id] = error
    return done, failed
