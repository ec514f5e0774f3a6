"""A workflow over drawn screens that keeps its samples, and what moves it from one encoder to another.

The same screens are understood in both spaces, so a test can ask at any moment which node a live screen is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from rpa_vision.adapters.storage.atomic import Step, no_step
from rpa_vision.app.learn import keep
from rpa_vision.app.migrate import Migrator, with_prototype
from rpa_vision.app.wiring import vector_index
from rpa_vision.embedding.fusion_engine import FusionEngine
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.embedding.state_embedder import StateEmbedder
from rpa_vision.graph.graph_builder import LearnedWorkflow
from rpa_vision.graph.node_matcher import NodeMatcher
from rpa_vision.graph.vocabulary import naming_words
from rpa_vision.imaging.codec import encode_png
from rpa_vision.models.action import Action
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.workflow_graph import EmbeddingSpaces, ScreenSample, Workflow, WorkflowEdge
from rpa_vision.ports.perception import Vector
from rpa_vision.testing.gradient_encoder import GradientScreenEncoder
from rpa_vision.testing.learned import WORKFLOW_ID, LearnedWorld, open_world
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.screens import AnyItem, ScreenBook, workflow_over

NODES = ("N1", "N2", "N3")


@cache
def old_book() -> ScreenBook:
    """The screens in the space of the embedded encoder."""
    return _drawn(ScreenBook())


@cache
def new_book() -> ScreenBook:
    """The same screens in another space."""
    encoder = GradientScreenEncoder()
    fusion = FusionEngine(dimensions=encoder.space.dimensions or 0)
    return _drawn(ScreenBook(embedder=StateEmbedder(encoder, fusion, ManualClock())))


@dataclass(frozen=True, slots=True)
class MovingWorld:
    """A learned workflow that can be moved, and both ways of looking at its screens."""

    world: LearnedWorld
    old: ScreenBook
    new: ScreenBook

    def learn(self, workflow_id: str = WORKFLOW_ID, *, samples: int = 2) -> str:
        """Learn the three screens, in the old space."""
        number = self.world.versions.next_number(workflow_id)
        learned = _learned(self.old, workflow_id, number, samples)
        pictures = {name: encode_png(pixels) for name, pixels in self.old.pixels.items()}
        version_id = keep(
            self.world.data, learned, self.world.versions, reason="a lesson", pictures=pictures.__getitem__
        )
        assert version_id is not None
        return version_id

    def migrator(self) -> Migrator:
        """Moves to the new space."""
        world = self.world
        return Migrator(world.data, self.new.observer, world.versions, vector_index, world.clock)

    def recognised(self, workflow_id: str = WORKFLOW_ID) -> list[str | None]:
        """Which node each screen is, asked of what is live now, by the encoder of its space."""
        workflow = self.world.data.workflows.load(workflow_id)
        book = self.old if space_of(workflow) == self.old.embedder.space.id else self.new
        matcher = matcher_of(self.world, workflow, book)
        found = (matcher.match(screen) for screen in live_screens(book))
        return [match.node.node_id if match is not None else None for match in found]


def open_moving(root: Path, *, step: Step = no_step) -> MovingWorld:
    """Open a data directory; its clock is later than that of whoever learned."""
    clock = ManualClock()
    clock.advance(60)
    return MovingWorld(open_world(root, clock=clock, step=step), old_book(), new_book())


def space_of(workflow: Workflow) -> str:
    """The one space that all prototypes of a workflow lie in."""
    found = {
        prototype.space_id
        for node in workflow.nodes
        if (prototype := node.screen_template.embedding_prototype) is not None
    }
    assert len(found) == 1, found
    return found.pop()


def matcher_of(world: LearnedWorld, workflow: Workflow, book: ScreenBook) -> NodeMatcher:
    """Matches screens of a book against what is on the disk."""
    space = book.embedder.space
    index = vector_index(workflow.workflow_id, space)
    for node in workflow.nodes:
        prototype = node.screen_template.embedding_prototype
        assert prototype is not None
        assert prototype.space_id == space.id
        vector = world.data.vectors.load(prototype.vector_id, dimensions=space.dimensions or 0)
        index.add_embedding(vector, {"workflow_id": workflow.workflow_id, "node_id": node.node_id})
    return NodeMatcher(workflow, index)


def live_screens(book: ScreenBook) -> list[ObservedScreen]:
    """One screen of each node, with content that was never demonstrated, in the order of the nodes."""
    return [book[f"{name}_live"] for name in NODES]


def _learned(book: ScreenBook, workflow_id: str, number: int, samples: int) -> LearnedWorkflow:
    edges = [
        WorkflowEdge(edge_id=f"E{index + 1}", from_node=one, to_node=other,
                     action=Action(type="mouse_click", target=TargetSpec(type="button", label="Suivant")))
        for index, (one, other) in enumerate(pairwise(NODES))
    ]  # fmt: skip
    spaces = EmbeddingSpaces(current=book.embedder.space.id)
    workflow = workflow_over(
        book, {name: f"{name}_1" for name in NODES}, edges, workflow_id=workflow_id, version=number,
        embedding_spaces=spaces,
    )  # fmt: skip
    where = f"workflows/{workflow_id}"
    kept: dict[str, str] = {}
    vectors: dict[str, Vector] = {}
    nodes = []
    for node in workflow.nodes:
        prototype = node.screen_template.embedding_prototype
        assert prototype is not None
        vector_id = f"{where}/prototypes/{node.node_id}_v{number:03d}.npy"
        vectors[vector_id] = book[f"{node.node_id}_1"].vector
        shots = {f"{where}/samples/{node.node_id}_v{number:03d}_{n}.png": f"{node.node_id}_{n}"
                 for n in range(1, samples + 1)}  # fmt: skip
        kept |= shots
        taken = tuple(ScreenSample(image_path=path, window=book[name].state.window) for path, name in shots.items())
        said = [frozenset(naming_words(book[f"{node.node_id}_{number}"].state)) for number in (1, 2)]
        shared = node.screen_template.model_copy(update={"stable_texts": tuple(sorted(said[0] & said[1]))})
        node = node.model_copy(update={"screen_template": shared})
        nodes.append(with_prototype(node, prototype.model_copy(update={"vector_id": vector_id, "samples": taken})))
    return LearnedWorkflow(workflow.model_copy(update={"nodes": tuple(nodes)}), 3, vectors, {}, kept)


def _drawn(book: ScreenBook) -> ScreenBook:
    for name, patient in {"1": "Dupont", "2": "Martin", "live": "Berger"}.items():
        for node, items in zip(NODES, (_list(patient), _form(patient), _done(patient)), strict=True):
            book.draw(f"{node}_{name}", items, title=f"Clinique {node}")
    return book


def _list(name: str) -> Sequence[AnyItem]:
    rows: list[AnyItem] = [
        ("cell", "data_display", f"{name} {row}", (60, 140 + 40 * row, 500, 170 + 40 * row)) for row in range(6)
    ]
    return [("heading", "title", "Factures", (40, 50, 260, 80)), ("button", "search", "Chercher", (700, 50, 860, 90)),
            *rows]  # fmt: skip


def _form(name: str) -> Sequence[AnyItem]:
    return [
        ("heading", "title", "Nouveau patient", (40, 50, 300, 80)),
        ("label", "data_display", name, (40, 120, 300, 150)),
        ("text_input", "form_input", "Nom", (340, 120, 700, 150)),
        ("button", "submit", "Enregistrer", (40, 500, 200, 540)),
    ]


def _done(name: str) -> Sequence[AnyItem]:
    return [
        ("heading", "title", "Patient enregistré", (300, 250, 640, 300)),
        ("label", "data_display", f"Dossier de {name}", (300, 320, 640, 350)),
        ("button", "navigation", "Accueil", (420, 400, 560, 440)),
    ]
