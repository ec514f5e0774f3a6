"""Snapshot and rollback of 200 MB of learned state, each to take under a second (issue 3). Printed, not asserted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from rpa_vision.app.learn import keep
from rpa_vision.graph.graph_builder import LearnedWorkflow
from rpa_vision.ports.learning import TargetPlace
from rpa_vision.testing.learned import WORKFLOW_ID, LearnedWorld, open_world, small_workflow

NODES = 400
PICTURE_PX = 410  # noise does not compress: about 500 kB each
DIMENSIONS = 512
REMEMBERED = 2000


def _large(world: LearnedWorld, version: int, seed: int) -> LearnedWorkflow:
    return small_workflow(
        world.clock, version=version, seed=seed, nodes=NODES, dimensions=DIMENSIONS, picture_px=PICTURE_PX
    )


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> LearnedWorld:
    """Two versions of about 200 MB each, with a target memory beside them."""
    opened = open_world(tmp_path_factory.mktemp("versions") / "data")
    for version in (1, 2):
        keep(opened.data, _large(opened, version, seed=version), opened.versions, reason="a large lesson")
    for number in range(REMEMBERED):
        opened.succeed(edge=1 + number % NODES, element=f"element{number}")
    held = sum(
        path.stat().st_size for path in (opened.root / "learning/prototypes" / WORKFLOW_ID / "v002").rglob("*.*")
    )
    print(f"\nlearned state: {held / 1e6:.0f} MB in {2 * NODES} files, {REMEMBERED} remembered targets")
    return opened


def test_a_snapshot_of_unchanged_200_mb(benchmark: BenchmarkFixture, world: LearnedWorld) -> None:
    """AH-4.1: what did not change is linked"""
    benchmark.pedantic(lambda: world.versions.snapshot_version(WORKFLOW_ID), rounds=5)


def test_a_snapshot_of_200_mb_that_are_all_new(benchmark: BenchmarkFixture, world: LearnedWorld) -> None:
    """AH-4.1: everything is read and hashed once"""

    def learn_without_a_version() -> None:
        keep(world.data, _large(world, world.versions.next_number(WORKFLOW_ID), seed=7), reason="not yet a version")

    benchmark.pedantic(lambda: world.versions.snapshot_version(WORKFLOW_ID), setup=learn_without_a_version, rounds=2)


def test_a_rollback_of_200_mb(benchmark: BenchmarkFixture, world: LearnedWorld) -> None:
    """AH-4.5: every hash verified, everything restored"""
    versions = iter(["v001", "v002", "v001", "v002", "v001"])
    benchmark.pedantic(lambda: world.versions.rollback_to_previous(WORKFLOW_ID, next(versions)), rounds=5)


def test_a_rollback_of_200_mb_after_every_prototype_was_replaced(
    benchmark: BenchmarkFixture, world: LearnedWorld
) -> None:
    """AH-10.4: what was there is set aside first"""
    benchmark.pedantic(lambda: world.versions.rollback_to_previous(WORKFLOW_ID), setup=lambda: world.poison(), rounds=3)


def test_recalling_a_target(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    """EX-9, PF: asked before every step"""
    opened = open_world(tmp_path / "data")
    dice = np.random.default_rng(0)
    for number in range(500):
        opened.succeed(edge=int(dice.integers(1, 20)), element=f"element{number}")
    place = TargetPlace(WORKFLOW_ID, "E3", "what", "layout")
    benchmark(opened.memory.recall, place)
    opened.close()
