"""EX-9, Fiche 18: what resolved where; only what was proven."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from rpa_vision.adapters.learning import SqliteTargetMemory
from rpa_vision.errors import DocumentError, InvalidIdError, StorageError, UsageError
from rpa_vision.learning.target_memory_store import TargetMemoryStore, screen_context, target_key
from rpa_vision.models.screen_state import LayoutSignature
from rpa_vision.models.target import RecordedPlace, TargetSpec
from rpa_vision.ports.learning import FoundTarget, TargetPlace
from rpa_vision.testing.learned import LearnedWorld, open_world
from rpa_vision.testing.manual_clock import ManualClock

PLACE = TargetPlace("WF_a", "E1", "key", "layout@1920x1080")
FOUND = FoundTarget("stable1", "Valider", "button", "validate", (0.1, 0.2, 0.3, 0.4), "text", 0.91)


def test_a_verified_success_is_remembered_with_everything_known(world: LearnedWorld, clock: ManualClock):
    """EX-9"""
    began = clock.now()
    assert world.memory.remember(PLACE, FOUND, verified=True)
    clock.advance(60)
    assert world.memory.remember(PLACE, replace(FOUND, score=0.8, label="Approuver"), verified=True)

    (known,) = world.memory.recall(PLACE)
    assert known.found == replace(FOUND, score=0.8, label="Approuver")
    assert (known.successes, known.first_at, known.last_at) == (2, began, clock.now())


@pytest.mark.parametrize(("verified", "learning"), [(False, True), (True, False), (False, False)])
def test_nothing_else_is_written(world: LearnedWorld, verified: bool, learning: bool):
    """EX-9, AH-3.3: only validated successes, and none while learning is switched off"""
    assert not world.memory.remember(PLACE, FOUND, verified=verified, learning_enabled=learning)
    assert world.memory.recall(PLACE) == ()
    assert not world.root.exists(), "reading makes nothing either"


def test_memories_survive_the_process(world: LearnedWorld):
    """EX-9: persistent"""
    world.memory.remember(PLACE, FOUND, verified=True)
    world.close()
    again = open_world(world.root)
    assert [known.found for known in again.memory.recall(PLACE)] == [FOUND]
    again.close()


def test_the_most_often_confirmed_comes_first(world: LearnedWorld):
    for stable_id, times in (("rare", 1), ("usual", 3)):
        for _ in range(times):
            world.memory.remember(PLACE, replace(FOUND, stable_id=stable_id), verified=True)
    assert [known.found.stable_id for known in world.memory.recall(PLACE)] == ["usual", "rare"]


@pytest.mark.parametrize(
    "other",
    [
        replace(PLACE, workflow_id="WF_b"),
        replace(PLACE, edge_id="E2"),
        replace(PLACE, target_key="other"),
        replace(PLACE, context="layout@1280x720"),
    ],
)
def test_a_memory_serves_exactly_what_was_looked_for(world: LearnedWorld, other: TargetPlace):
    """EX-7: a memory of something else would be a wrong click"""
    world.memory.remember(PLACE, FOUND, verified=True)
    assert world.memory.recall(other) == ()


def layout_of(name: str, *labels: str) -> LayoutSignature:
    return LayoutSignature(hash=name, method="m", components={"dialog": False, "labels": [*labels], "places": []})


IN_LIGHT = replace(PLACE, context="light@1920x1080", layout=layout_of("light", "a", "b", "c"))
IN_DARK = replace(PLACE, context="dark@1920x1080", layout=layout_of("dark", "a", "b", "d"))
ELSEWHERE = replace(PLACE, context="other@1920x1080", layout=layout_of("other", "x", "y"))


def altered(world: LearnedWorld, *statements: str) -> LearnedWorld:
    """The same world, opened again after something else wrote into its file."""
    world.close()
    (file,) = world.root.rglob("*.db")
    with closing(sqlite3.connect(file)) as connection, connection:
        for statement in statements:
            connection.execute(statement)
    return open_world(world.root)


def test_a_file_of_the_first_version_is_read_and_goes_on(world: LearnedWorld):
    """EX-9: memories without a layout are found by their hash, and get one with the next success"""
    world.memory.remember(PLACE, FOUND, verified=True)
    again = altered(world, "ALTER TABLE remembered_targets DROP COLUMN layout", "PRAGMA user_version = 1")
    assert [known.found for known in again.memory.recall(PLACE)] == [FOUND]
    again.memory.remember(replace(PLACE, layout=layout_of("layout", "a", "b", "c")), FOUND, verified=True)
    assert [known.successes for known in again.memory.recall(replace(IN_DARK, context="else@1920x1080"))] == [2]
    again.close()


def test_a_layout_that_cannot_be_read_silences_nothing_else(world: LearnedWorld):
    """EX-9"""
    world.memory.remember(IN_LIGHT, FOUND, verified=True)
    again = altered(world, "UPDATE remembered_targets SET layout = '{torn'")
    assert [known.found for known in again.memory.recall(IN_LIGHT)] == [FOUND]
    assert again.memory.recall(IN_DARK) == ()
    assert again.memory.remember(IN_DARK, FOUND, verified=True)
    again.close()


def test_a_screen_in_another_theme_is_known_by_its_layout_also_after_a_restart(world: LearnedWorld):
    """EX-9, L1-3"""
    world.memory.remember(IN_LIGHT, FOUND, verified=True)
    world.memory.remember(IN_LIGHT, FOUND, verified=True)
    world.close()
    again = open_world(world.root)
    for place in (IN_LIGHT, IN_DARK):
        (known,) = again.memory.recall(place)
        assert known.successes == 2
    again.memory.remember(IN_DARK, FOUND, verified=True)  # from now on it speaks for itself
    assert [one.successes for one in again.memory.recall(IN_DARK)] == [1]
    assert again.memory.forget(IN_DARK, FOUND.stable_id) == 1
    assert [one.successes for one in again.memory.recall(IN_LIGHT)] == [2]
    again.close()


@pytest.mark.parametrize(
    "other",
    [
        ELSEWHERE,
        replace(IN_DARK, context="dark@1280x720"),
        replace(IN_DARK, edge_id="E2"),
        replace(IN_DARK, target_key="other"),
        replace(IN_DARK, layout=None),
    ],
)
def test_another_page_size_edge_or_target_does_not_inherit_it(world: LearnedWorld, other: TargetPlace):
    """EX-7, L1-3"""
    world.memory.remember(IN_LIGHT, FOUND, verified=True)
    assert world.memory.recall(other) == ()


def test_what_was_remembered_without_a_layout_is_found_by_its_hash(world: LearnedWorld):
    """L1-3: rows of an earlier version"""
    world.memory.remember(replace(IN_LIGHT, layout=None), FOUND, verified=True)
    assert len(world.memory.recall(IN_LIGHT)) == 1
    assert world.memory.recall(IN_DARK) == ()


def test_layouts_go_with_the_rows_of_a_version(world: LearnedWorld):
    """EX-9, AH-5.1"""
    world.memory.remember(IN_LIGHT, FOUND, verified=True)
    snapshot = world.memory.export_rows("WF_a")
    world.memory.forget(IN_LIGHT)
    world.memory.import_rows("WF_a", snapshot)
    assert len(world.memory.recall(IN_DARK)) == 1
    assert world.memory.export_rows("WF_a") == snapshot


def test_the_key_is_what_is_meant_not_where_it_was(world: LearnedWorld):
    here = TargetSpec(
        label="Valider", row_contains=("Dupont",), place=RecordedPlace(bbox=(1, 2, 3, 4), screen_resolution=(9, 9))
    )
    assert target_key(here) == target_key(here.model_copy(update={"place": None, "min_similarity": 0.3}))
    assert target_key(here) != target_key(here.model_copy(update={"row_contains": ("Martin",)}))
    assert screen_context("abc", (1920, 1080)) != screen_context("abc", (1280, 720))


def test_what_misled_is_forgotten(world: LearnedWorld):
    for stable_id in ("one", "two"):
        world.memory.remember(PLACE, replace(FOUND, stable_id=stable_id), verified=True)
    assert world.memory.forget(PLACE, "one") == 1
    assert [known.found.stable_id for known in world.memory.recall(PLACE)] == ["two"]
    assert world.memory.forget(PLACE) == 1
    assert world.memory.recall(PLACE) == ()


def test_what_was_confirmed_longest_ago_makes_room(world: LearnedWorld, clock: ManualClock):
    """EX-9: bounded"""
    small = TargetMemoryStore(world.table, clock, max_per_edge=3, max_per_workflow=5)
    for edge in ("E1", "E2", "E3"):
        for number in range(5):
            clock.advance(1)
            small.remember(replace(PLACE, edge_id=edge), replace(FOUND, stable_id=f"s{number}"), verified=True)

    assert small.count("WF_a") == 5
    assert {known.found.stable_id for known in small.recall(replace(PLACE, edge_id="E3"))} == {"s2", "s3", "s4"}
    assert {known.found.stable_id for known in small.recall(replace(PLACE, edge_id="E2"))} == {"s3", "s4"}


def test_a_snapshot_holds_one_workflow_and_restores_only_that(world: LearnedWorld):
    """AH-4.3, AH-4.5"""
    world.memory.remember(PLACE, FOUND, verified=True)
    other = replace(PLACE, workflow_id="WF_b")
    snapshot = world.memory.export_rows("WF_a")
    world.memory.remember(other, FOUND, verified=True)
    world.memory.remember(PLACE, replace(FOUND, stable_id="later"), verified=True)

    world.memory.import_rows("WF_a", snapshot)

    assert [known.found for known in world.memory.recall(PLACE)] == [FOUND]
    assert len(world.memory.recall(other)) == 1
    assert world.memory.export_rows("WF_a") == snapshot, "the same rows give the same bytes"


def test_a_snapshot_is_a_sqlite_file(world: LearnedWorld, tmp_path: Path):
    """AH-4.3"""
    world.memory.remember(PLACE, FOUND, verified=True)
    path = tmp_path / "copy.db"
    path.write_bytes(world.memory.export_rows("WF_a"))
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT workflow_id, label FROM remembered_targets").fetchall() == [
            ("WF_a", "Valider")
        ]
    connection.close()


def test_a_foreign_or_damaged_snapshot_changes_nothing(world: LearnedWorld):
    world.memory.remember(PLACE, FOUND, verified=True)
    good = world.memory.export_rows("WF_a")
    for bad in (b"", b"not a database at all, but quite long" * 50, good[:3000]):
        with pytest.raises(DocumentError):
            world.memory.import_rows("WF_a", bad)
    with pytest.raises(DocumentError, match="rows of WF_a"):
        world.memory.import_rows("WF_b", good)
    assert world.memory.export_rows("WF_a") == good


def test_a_damaged_file_is_moved_aside_and_said_so_once(world: LearnedWorld):
    """EX-9: corrupt database"""
    world.memory.remember(PLACE, FOUND, verified=True)
    world.close()
    path = world.root / "learning/target_memory.db"
    damaged = b"this is no database" * 500
    path.write_bytes(damaged)
    again = open_world(world.root)

    with pytest.raises(DocumentError, match="was moved to learning/target_memory"):
        again.memory.recall(PLACE)

    (aside,) = (
        one for one in path.parent.iterdir() if one.name.startswith("target_memory.damaged") and one.suffix == ".db"
    )
    assert aside.read_bytes() == damaged
    assert again.memory.recall(PLACE) == ()
    assert again.memory.remember(PLACE, FOUND, verified=True)
    assert len(again.memory.recall(PLACE)) == 1
    again.close()


def test_a_file_of_a_newer_program_is_left_alone(world: LearnedWorld):
    world.memory.remember(PLACE, FOUND, verified=True)
    world.close()
    with sqlite3.connect(world.root / "learning/target_memory.db") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    again = open_world(world.root)
    with pytest.raises(StorageError, match="newer"):
        again.memory.recall(PLACE)
    assert (world.root / "learning/target_memory.db").exists()


def test_two_processes_count_together(world: LearnedWorld):
    other = SqliteTargetMemory(world.data.files, ManualClock())
    for _ in range(5):
        world.memory.remember(PLACE, FOUND, verified=True)
        other.add(PLACE, FOUND, world.clock.now())
    assert world.memory.recall(PLACE)[0].successes == 10
    other.close()


def test_what_is_no_place_or_no_element_is_refused(world: LearnedWorld):
    with pytest.raises(InvalidIdError):
        world.memory.remember(replace(PLACE, workflow_id="../x"), FOUND, verified=True)
    for bad in (
        replace(FOUND, bbox_relative=(0.3, 0.1, 0.2, 0.4)),
        replace(FOUND, bbox_relative=(float("nan"), 0.1, 0.2, 0.4)),
        replace(FOUND, score=1.2),
        replace(FOUND, stable_id=""),
    ):
        with pytest.raises(UsageError):
            world.memory.remember(PLACE, bad, verified=True)
    assert world.memory.remember(PLACE, replace(FOUND, label="x" * 100_000), verified=True)
    assert len(world.memory.recall(PLACE)[0].found.label) == 512
