"""Moving a workflow to another space: told as it goes, refused where it would mislead; the old answers until then."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from rpa_vision.app.migrate import Migrator, migrate_all, spaces_of
from rpa_vision.app.wiring_plugins import encoder_of_space
from rpa_vision.embedding.fusion_engine import FusionEngine
from rpa_vision.embedding.similarity import measured_calibration
from rpa_vision.embedding.spaces import MigrationError, SpaceMismatchError, UncalibratedSpaceError
from rpa_vision.embedding.state_embedder import StateEmbedder
from rpa_vision.errors import UnknownIdError, UsageError
from rpa_vision.models.frame import Pixels
from rpa_vision.models.workflow_graph import EmbeddingSpaces
from rpa_vision.ports.perception import Vector
from rpa_vision.testing.gradient_encoder import DIMENSIONS, GradientScreenEncoder
from rpa_vision.testing.learned import WORKFLOW_ID
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.moving import NODES, MovingWorld, live_screens, matcher_of, old_book, open_moving, space_of
from rpa_vision.testing.screens import ScreenBook


@pytest.fixture
def moving(tmp_path: Path) -> Iterator[MovingWorld]:
    opened = open_moving(tmp_path / "data")
    opened.learn()
    yield opened
    opened.world.close()


def spaces(moving: MovingWorld) -> EmbeddingSpaces:
    found = moving.world.data.workflows.load(WORKFLOW_ID).embedding_spaces
    assert found is not None
    return found


def test_a_workflow_moves_between_two_really_different_encoders(moving: MovingWorld) -> None:
    """L3-3: two encoders of other ideas and dimensions"""
    old, new = moving.old.embedder.space, moving.new.embedder.space
    assert (old.dimensions, new.dimensions) == (512, 384)
    assert moving.recognised() == list(NODES)
    result = moving.migrator().migrate(WORKFLOW_ID)
    assert (result.status, result.from_spaces, result.version_id, result.screens) == ("done", (old.id,), "v002", 6)
    now = spaces(moving)
    assert (now.current, now.legacy, now.migration_status, now.migration_progress) == (new.id, (old.id,), "done", 1.0)
    assert now.target is None
    assert moving.recognised() == list(NODES)
    assert moving.migrator().migrate(WORKFLOW_ID).status == "already"
    assert moving.world.versions.rollback_to_previous(WORKFLOW_ID)
    assert (spaces(moving).current, moving.recognised()) == (old.id, list(NODES))


def test_vectors_of_two_spaces_are_never_compared(moving: MovingWorld) -> None:
    """L3-3"""
    workflow = moving.world.data.workflows.load(WORKFLOW_ID)
    index = matcher_of(moving.world, workflow, moving.old)._index
    with pytest.raises(SpaceMismatchError) as refused:
        index.search_similar(np.ones(512), space_id=moving.new.embedder.space.id)
    assert "workflows migrate" in refused.value.remedy


def test_progress_is_written_down_and_the_old_answers_meanwhile(moving: MovingWorld) -> None:
    """L3-3: current, legacy, migration_status, migration_progress"""
    seen: list[tuple[str, str | None, float | None]] = []

    def look(what: str, done: int, total: int) -> None:
        now = spaces(moving)
        seen.append((now.migration_status, now.target, now.migration_progress))
        assert now.current == moving.old.embedder.space.id
        assert moving.recognised() == list(NODES)

    tool = moving.migrator()
    Migrator(tool.data, tool.observer, tool.versions, tool.new_index, tool.clock, look).migrate(WORKFLOW_ID)
    target = moving.new.embedder.space.id
    assert [one[:2] for one in seen] == [("in_progress", target)] * 6
    assert [one[2] for one in seen] == [0.0, 0.0, 0.333, 0.333, 0.667, 0.667]


class BlindEncoder(GradientScreenEncoder):
    """Every picture and every word is the same to it."""

    def __init__(self) -> None:
        super().__init__("blind")

    def encode_image(self, image: Pixels) -> Vector:
        return np.full(DIMENSIONS, 1 / np.sqrt(DIMENSIONS), np.float32)


def test_a_space_in_which_screens_would_not_be_told_is_refused(moving: MovingWorld, tmp_path: Path) -> None:
    """L3-3: matching right at every moment"""
    fusion = FusionEngine(weights={"image": 1.0, "text": 0.0, "title": 0.0, "ui": 0.0}, dimensions=DIMENSIONS)
    book = ScreenBook(embedder=StateEmbedder(BlindEncoder(), fusion, ManualClock()))
    tool = moving.migrator()  # what the blind one reads are empty screens: none of the words is there
    blind = Migrator(tool.data, book.observer, tool.versions, tool.new_index, tool.clock)
    with pytest.raises(MigrationError, match="would be"):
        blind.migrate(WORKFLOW_ID)
    assert spaces(moving).migration_status == "failed"
    assert spaces_of(moving.world.data.workflows.load(WORKFLOW_ID)) == {moving.old.embedder.space.id}
    assert moving.recognised() == list(NODES)
    assert moving.migrator().migrate(WORKFLOW_ID).status == "done"


def test_a_node_that_stands_for_any_screen_is_moved_too(moving: MovingWorld) -> None:
    """L3-3, issue 5: goes of a day begin wherever the task before ended; such a node is matched by no screen alone"""
    workflow = moving.world.data.workflows.load(WORKFLOW_ID)
    first = workflow.nodes[0]
    anywhere = first.model_copy(update={"metadata": {**first.metadata, "any_screen": True}})
    moving.world.data.workflows.save(workflow.model_copy(update={"nodes": (anywhere, *workflow.nodes[1:])}))
    assert moving.migrator().migrate(WORKFLOW_ID).status == "done"
    assert moving.recognised()[1:] == ["N2", "N3"]


def test_learning_meanwhile_starts_it_again_with_what_is_new(moving: MovingWorld) -> None:
    """L3-3"""
    learned: list[str] = []

    def interfere(what: str, done: int, total: int) -> None:
        if done == total and not learned:
            learned.append(moving.learn(samples=1))

    tool = moving.migrator()
    result = Migrator(tool.data, tool.observer, tool.versions, tool.new_index, tool.clock, interfere).migrate(
        WORKFLOW_ID
    )
    assert learned == ["v002"]
    assert (result.screens, result.embedded, result.version_id) == (3, 0, "v003")
    assert moving.recognised() == list(NODES)


def test_a_sample_that_is_gone_is_told(moving: MovingWorld) -> None:
    """L3-3"""
    next((moving.world.root / "workflows" / WORKFLOW_ID / "samples").iterdir()).unlink()
    with pytest.raises(MigrationError, match="is gone"):
        moving.migrator().migrate(WORKFLOW_ID)
    assert moving.recognised() == list(NODES)


def test_one_that_cannot_be_moved_does_not_keep_the_others(moving: MovingWorld) -> None:
    """L3-3: --all"""
    moving.learn("WF_bare", samples=0)
    done, failed = migrate_all(moving.migrator(), ["WF_bare", WORKFLOW_ID, "WF_nobody"])
    assert [one.workflow_id for one in done] == [WORKFLOW_ID]
    assert {name: type(error) for name, error in failed.items()} == {
        "WF_bare": MigrationError,
        "WF_nobody": UnknownIdError,
    }


def test_bookkeeping_never_changes_what_was_learned(moving: MovingWorld) -> None:
    """L3-3"""
    with pytest.raises(UsageError):
        moving.world.versions.annotate(WORKFLOW_ID, lambda workflow: workflow.model_copy(update={"name": "x"}))


def test_a_run_uses_the_encoder_of_the_workflows_own_space() -> None:
    """L3-3: what was not moved yet goes on as before"""
    space = old_book().embedder.space
    assert FusionEngine().space(encoder_of_space(space.id, {}).space).id == space.id
    with pytest.raises(SpaceMismatchError, match="nobody_v1"):
        encoder_of_space("nobody_v1", {})


def test_a_space_is_measured_by_the_workflows_own_screens(moving: MovingWorld) -> None:
    """L4-10: calibrated per space"""
    calibration = measured_calibration([0.95, 0.97], [0.3, 0.5])
    assert calibration.confidence(0.95) >= 0.9
    assert calibration.confidence(0.8) >= 0.84
    assert calibration.confidence(0.5) <= 0.6
    overlapping = measured_calibration([0.9], [0.95])
    assert overlapping.confidence(0.9) >= 0.85
    assert overlapping.confidence(0.8) < 0.75
    for bad in (([], [0.5]), ([0.9], [])):
        with pytest.raises(UncalibratedSpaceError):
            measured_calibration(*bad)
    assert len(live_screens(moving.new)) == 3
    assert space_of(moving.world.data.workflows.load(WORKFLOW_ID))
