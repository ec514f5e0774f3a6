"""Everything learned of a workflow is one version, and any version can be had back."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from rpa_vision.adapters.vectors.faiss_index import FaissIndex
from rpa_vision.app.learn import keep
from rpa_vision.embedding.faiss_manager import FAISSManager, SavedIndex
from rpa_vision.errors import DocumentError, InvalidIdError, UnknownIdError, UsageError
from rpa_vision.models.state_embedding import EmbeddingSpace
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.models.workflow_standing import AUTO_CONFIRMED, LEARNING_STATES, LearningStateName, WorkflowStats
from rpa_vision.testing.learned import WORKFLOW_ID, LearnedWorld, open_world, small_workflow
from rpa_vision.testing.manual_clock import ManualClock

VERSIONS = f"learning/prototypes/{WORKFLOW_ID}"
LIVE = f"workflows/{WORKFLOW_ID}/workflow.json"


def files(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def listed(world: LearnedWorld) -> list[str]:
    return [info.version_id for info in world.versions.list_versions(WORKFLOW_ID)]


def in_use(world: LearnedWorld) -> list[str]:
    return [info.version_id for info in world.versions.list_versions(WORKFLOW_ID) if info.in_use]


def test_a_version_holds_workflow_prototypes_pictures_index_and_memory_in_their_folders(world: LearnedWorld):
    """AH-4.1, AH-4.2, AH-4.3"""
    assert world.learn() == "v001"

    (info,) = world.versions.list_versions(WORKFLOW_ID)
    assert (info.version_id, info.in_use, info.reason) == ("v001", True, "a lesson")
    assert set(info.components_versioned) == {"workflow", "prototypes", "faiss", "memory"}
    for name in (
        f"{VERSIONS}/v001/workflow.json",
        f"{VERSIONS}/v001/manifest.json",
        f"{VERSIONS}/v001/prototypes/N1_v001.npy",
        f"{VERSIONS}/v001/targets/E1_v001.png",
        f"faiss_index/workflow_{WORKFLOW_ID}/small-8/v001/index.faiss",
        f"faiss_index/workflow_{WORKFLOW_ID}/small-8/v001/metadata.json",
        f"target_memory_snapshots/{WORKFLOW_ID}/v001.db",
    ):
        assert (world.root / name).is_file(), name
    assert world.data.workflows.load(WORKFLOW_ID).version == 1
    assert world.versions.inspect_versions(WORKFLOW_ID).unreadable == ()


def test_the_index_of_a_version_finds_the_versions_own_prototypes(world: LearnedWorld):
    """AH-4.2"""
    world.learn()
    folder = world.root / f"faiss_index/workflow_{WORKFLOW_ID}/small-8/v001"
    saved = SavedIndex((folder / "index.faiss").read_bytes(), (folder / "metadata.json").read_bytes())
    space = EmbeddingSpace(id="small-8", dimensions=8, provider="small")

    index = FAISSManager.from_bytes(
        saved, new_index=FaissIndex, restore=FaissIndex.restore, workflow_id=WORKFLOW_ID, space=space
    )

    vector = world.data.vectors.load(f"{VERSIONS}/v001/prototypes/N2_v001.npy", dimensions=8)
    assert index.search_similar(vector, 1)[0].metadata["node_id"] == "N2"


def test_learning_again_makes_the_next_version_and_keeps_the_former(world: LearnedWorld):
    """AH-4.1: building or updating a workflow makes a version"""
    world.learn()
    first = world.live()
    assert world.learn(seed=50) == "v002"

    assert listed(world) == ["v002", "v001"]
    assert in_use(world) == ["v002"]
    assert world.data.workflows.load(WORKFLOW_ID).version == 2
    assert world.versions.rollback_to_previous(WORKFLOW_ID)
    assert world.live() == first


def test_rollback_restores_everything_to_the_last_byte_and_touches_no_other_workflow(world: LearnedWorld):
    """AH-4.5, P001-4"""
    world.learn("WF_autre", seed=9)
    world.succeed("WF_autre")
    world.learn()
    world.succeed(element="good")
    world.versions.version_target_memory(WORKFLOW_ID, "v001")
    good, other = world.live(), world.live("WF_autre")
    world.learn(seed=60)
    world.succeed(element="bad")

    outcome = world.versions.rollback_to_previous(WORKFLOW_ID)

    assert outcome
    assert (outcome.restored, outcome.version_id) == (True, "v001")
    assert world.live() == good
    assert world.live("WF_autre") == other
    assert in_use(world) == ["v001"]


def test_a_version_can_be_named_and_had_back_after_it_was_left(world: LearnedWorld):
    """AH-4.5, AH-4.6"""
    states = []
    for seed in range(3):
        world.learn(seed=seed)
        states.append(world.live())
    for version, state in (("v001", 0), ("v003", 2), ("2", 1)):
        assert world.versions.rollback_to_previous(WORKFLOW_ID, version)
        assert world.live() == states[state]


def test_poisoned_prototypes_are_undone_by_the_version_in_use_and_still_can_be_looked_at(world: LearnedWorld):
    """AH-10.4: what no version holds is set aside, not lost"""
    world.learn()
    good = world.live()
    world.poison()
    bad = world.live()

    outcome = world.versions.rollback_to_previous(WORKFLOW_ID)

    assert outcome.version_id == "v001"
    assert world.live() == good
    assert listed(world) == ["v002", "v001"]
    world.versions.rollback_to_previous(WORKFLOW_ID, "v002")
    names = [name for name in bad if name.endswith(".npy")]
    assert {name: world.live()[name] for name in names} == {name: bad[name] for name in names}


def test_previous_is_what_the_version_came_from_not_what_was_given_up(world: LearnedWorld):
    """AH-4.5: previous *stable* version"""
    world.learn()
    world.learn()
    world.versions.rollback_to_previous(WORKFLOW_ID)
    assert world.learn() == "v003"

    assert world.versions.rollback_to_previous(WORKFLOW_ID).version_id == "v001"

    world.versions.rollback_to_previous(WORKFLOW_ID, "v003")
    world.learn()
    assert world.versions.rollback_to_previous(WORKFLOW_ID).version_id == "v003"


def test_with_nothing_before_it_a_version_stays_in_use(world: LearnedWorld):
    world.learn()
    before = files(world.root)

    outcome = world.versions.rollback_to_previous(WORKFLOW_ID)

    assert not outcome
    assert "no version before" in outcome.message
    assert files(world.root) == before


def test_a_sole_version_takes_back_what_was_remembered_since(world: LearnedWorld):
    """AH-4.5: the memory may be what was learned wrongly"""
    world.learn()
    clean = world.live()
    world.succeed(element="misleading")

    assert world.versions.rollback_to_previous(WORKFLOW_ID).version_id == "v001"
    assert world.live() == clean


def test_what_runs_write_down_is_no_learning_and_comes_back_with_its_version(world: LearnedWorld):
    """AH-4.5: rolling back v002 gives v001 with the statistics and memory it had when v002 was learned"""
    world.learn()
    workflow = world.data.workflows.load(WORKFLOW_ID)
    world.data.workflows.save(workflow.model_copy(update={"stats": WorkflowStats(total_executions=30)}))
    world.succeed()
    mature = world.live()
    world.learn(seed=70)
    learned = world.data.workflows.load(WORKFLOW_ID)
    world.data.workflows.save(learned.model_copy(update={"stats": WorkflowStats(failure_count=9)}))

    assert world.versions.rollback_to_previous(WORKFLOW_ID).version_id == "v001"
    assert world.live() == mature


DAMAGES: dict[str, Callable[[Path], object]] = {
    "a flipped bit in a prototype": lambda root: _flip(root / f"{VERSIONS}/v002/prototypes/N1_v002.npy"),
    "a missing picture": lambda root: (root / f"{VERSIONS}/v002/targets/E1_v002.png").unlink(),
    "a foreign file": lambda root: (root / f"{VERSIONS}/v002/prototypes/other.npy").write_bytes(b"?"),
    "a foreign file beside the index": lambda root: (
        root / f"faiss_index/workflow_{WORKFLOW_ID}/small-8/v002/notes.txt"
    ).write_bytes(b"?"),
    "a torn index": lambda root: _cut(root / f"faiss_index/workflow_{WORKFLOW_ID}/small-8/v002/index.faiss"),
    "a missing memory": lambda root: (root / f"target_memory_snapshots/{WORKFLOW_ID}/v002.db").unlink(),
    "an edited workflow": lambda root: _flip(root / f"{VERSIONS}/v002/workflow.json"),
    "a torn manifest": lambda root: _cut(root / f"{VERSIONS}/v002/manifest.json"),
    "a link in place of a file": lambda root: _linked(root / f"{VERSIONS}/v002/prototypes/N1_v002.npy"),
    "a manifest of another version": lambda root: (root / f"{VERSIONS}/v002/manifest.json").write_bytes(
        (root / f"{VERSIONS}/v001/manifest.json").read_bytes()
    ),
}


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-2] ^= 1
    path.unlink()  # another file, so that nothing linked to it changes
    path.write_bytes(data)


def _cut(path: Path) -> None:
    data = path.read_bytes()
    path.unlink()
    path.write_bytes(data[: len(data) // 2])


def _linked(path: Path) -> None:
    path.unlink()
    path.symlink_to("/etc/hostname")


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_version_is_reported_and_left_out(world: LearnedWorld, name: str):
    """AH-4.5: verified on restore"""
    world.learn()
    good = world.live()
    world.learn()
    world.learn()
    DAMAGES[name](world.root)

    listing = world.versions.inspect_versions(WORKFLOW_ID)
    assert [info.version_id for info in listing.items] == ["v003", "v001"]
    assert [bad.name for bad in listing.unreadable] == ["v002"]
    assert world.versions.verify_version(WORKFLOW_ID, "v002") != []
    before = files(world.root)
    refused = world.versions.rollback_to_previous(WORKFLOW_ID, "v002")
    assert not refused
    assert "v002" in refused.message
    assert files(world.root) == before

    outcome = world.versions.rollback_to_previous(WORKFLOW_ID)

    assert outcome.version_id == "v001"
    assert "v002" in outcome.message
    assert world.live() == good


def test_a_damaged_index_is_built_again_from_the_versions_vectors(world: LearnedWorld):
    """AH-4.2: an index is a cache"""
    world.learn()
    world.learn()
    kept = files(world.root)
    DAMAGES["a torn index"](world.root)

    world.versions.version_faiss_index(WORKFLOW_ID, "v002")

    assert files(world.root) == kept
    DAMAGES["a flipped bit in a prototype"](world.root)
    with pytest.raises(DocumentError, match="cannot be mended"):
        world.versions.version_faiss_index(WORKFLOW_ID, "v002")


def test_a_manifest_cannot_name_files_of_others(world: LearnedWorld):
    world.learn()
    world.learn()
    path = world.root / f"{VERSIONS}/v001/manifest.json"
    manifest = json.loads(path.read_bytes())
    manifest["files"].append(manifest["files"][0] | {"path": "workflows/WF_autre/workflow.json"})
    path.write_text(json.dumps(manifest))

    assert not world.versions.rollback_to_previous(WORKFLOW_ID, "v001")


def test_unchanged_files_are_linked_not_copied(world: LearnedWorld):
    """AH-4.1: cheap"""
    world.learn()
    world.versions.snapshot_version(WORKFLOW_ID)

    def file_of(name: str) -> int:
        return (world.root / name).stat().st_ino

    one = f"workflows/{WORKFLOW_ID}/prototypes/N1_v001.npy"
    assert file_of(one) == file_of(f"{VERSIONS}/v001/prototypes/N1_v001.npy")
    assert file_of(one) == file_of(f"{VERSIONS}/v002/prototypes/N1_v001.npy")
    index = f"faiss_index/workflow_{WORKFLOW_ID}/small-8/{{}}/index.faiss"
    assert file_of(index.format("v001")) == file_of(index.format("v002"))
    memory = f"target_memory_snapshots/{WORKFLOW_ID}/{{}}.db"
    assert file_of(memory.format("v001")) == file_of(memory.format("v002"))


def test_a_person_editing_the_live_workflow_in_place_does_not_change_a_version(world: LearnedWorld):
    """UX-6: editors write in place, so the document itself is never linked"""
    world.learn()
    good = world.live()
    with (world.root / LIVE).open("r+b") as file:
        file.write(b"oops")

    assert world.versions.rollback_to_previous(WORKFLOW_ID).version_id == "v001"
    assert world.live() == good
    assert (world.root / LIVE).with_name("workflow.damaged.json").read_bytes().startswith(b"oops")


def test_a_disk_without_links_keeps_versions_as_copies(tmp_path: Path, clock: ManualClock):
    world = open_world(tmp_path / "data", clock=clock, links=False)
    world.learn()
    good = world.live()
    world.learn()
    world.poison()

    assert world.versions.rollback_to_previous(WORKFLOW_ID, "v001")
    assert world.live() == good
    assert {path.stat().st_nlink for path in (tmp_path / "data").rglob("*.npy")} == {1}
    assert world.versions.inspect_versions(WORKFLOW_ID).unreadable == ()
    world.close()


@pytest.mark.parametrize("keep_count", [0, 1, 5])
def test_five_versions_besides_the_one_in_use_are_always_kept(world: LearnedWorld, keep_count: int):
    """AH-4.6"""
    for _ in range(9):
        world.learn()

    world.versions.cleanup_old_versions(WORKFLOW_ID, keep_count)

    assert listed(world) == ["v009", "v008", "v007", "v006", "v005", "v004"]
    assert world.versions.inspect_versions(WORKFLOW_ID).unreadable == ()
    gone = [path for path in files(world.root) if any(f"v00{number}" in path for number in (1, 2, 3))]
    assert gone == []
    for version in ("v008", "v007", "v006", "v005", "v004"):
        assert world.versions.rollback_to_previous(WORKFLOW_ID).version_id == version


def test_the_version_in_use_and_those_before_it_outlive_newer_ones(world: LearnedWorld):
    """AH-4.6: never the version in use"""
    for _ in range(12):
        world.learn()
    world.versions.rollback_to_previous(WORKFLOW_ID, "v004")

    world.versions.cleanup_old_versions(WORKFLOW_ID, 5)

    assert in_use(world) == ["v004"]
    assert {"v001", "v002", "v003"} <= set(listed(world))
    assert listed(world)[0] == "v012"
    assert world.learn() == "v013", "numbers are not used twice"


def test_success_rates_are_written_down_and_handed_on(world: LearnedWorld):
    """AH-4.4: before and after"""
    world.learn()
    world.versions.note_success_rate(WORKFLOW_ID, "v001", after=0.75)
    world.learn()

    after, before = world.versions.list_versions(WORKFLOW_ID)
    assert (after.success_rate_before, after.success_rate_after) == (0.75, None)
    assert before.success_rate_after == 0.75
    assert world.versions.inspect_versions(WORKFLOW_ID).unreadable == ()
    with pytest.raises(UsageError):
        world.versions.note_success_rate(WORKFLOW_ID, "v001", after=1.5)
    with pytest.raises(UnknownIdError):
        world.versions.note_success_rate(WORKFLOW_ID, "v009", after=0.5)


def test_a_workflow_from_before_there_were_versions_becomes_one_when_it_is_learned_again(world: LearnedWorld):
    """A relearn never loses what was there."""
    keep(world.data, small_workflow(world.clock, version=4, seed=1), reason="long ago")
    old = world.live()

    assert world.learn() == "v005"
    assert world.versions.rollback_to_previous(WORKFLOW_ID).version_id == "v004"
    assert world.live() == old


def test_changes_no_version_holds_become_one_before_something_else_is_learned(world: LearnedWorld):
    world.learn()
    world.poison()
    changed = world.live()

    assert world.learn() == "v003"
    assert world.versions.rollback_to_previous(WORKFLOW_ID).version_id == "v002"
    prototypes = {name: data for name, data in changed.items() if name.endswith(".npy")}
    assert prototypes.items() <= world.live().items()


def test_what_cannot_be_kept_leaves_no_half_version_behind(world: LearnedWorld):
    world.learn()
    (world.root / f"workflows/{WORKFLOW_ID}/targets/E1_v001.png").unlink()

    with pytest.raises(DocumentError, match="not there"):
        world.versions.snapshot_version(WORKFLOW_ID)

    assert listed(world) == ["v001"]
    assert not (world.root / f"{VERSIONS}/v002").exists()
    assert world.versions.rollback_to_previous(WORKFLOW_ID).version_id == "v001"
    assert (world.root / f"workflows/{WORKFLOW_ID}/targets/E1_v001.png").is_file()


def test_a_vector_outside_the_workflows_folder_is_kept_and_never_overwritten(world: LearnedWorld):
    """AH-4.5: only that workflow is touched"""
    learned = small_workflow(world.clock)
    (first, vector), *_ = learned.vectors.items()
    document = learned.workflow.model_dump_json(by_alias=True).replace(first, "data/embeddings/states/shared.npy")
    for name, data in {**learned.vectors, "embeddings/states/shared.npy": vector}.items():
        world.data.vectors.save(name, data)
    for name in learned.pictures:
        world.data.pictures.save(name, b"picture")
    world.data.workflows.save(Workflow.from_json(document))
    world.versions.snapshot_version(WORKFLOW_ID)
    assert (world.root / f"{VERSIONS}/v001/elsewhere/embeddings/states/shared.npy").is_file()

    world.data.vectors.save("embeddings/states/shared.npy", np.ones(8, np.float32))
    outcome = world.versions.rollback_to_previous(WORKFLOW_ID, "v001")
    assert not outcome
    assert "outside" in outcome.message
    (world.root / "embeddings/states/shared.npy").unlink()
    assert world.versions.rollback_to_previous(WORKFLOW_ID, "v001")
    assert np.array_equal(world.data.vectors.load("embeddings/states/shared.npy", dimensions=8), vector)


def test_asking_about_an_unknown_workflow_makes_nothing(world: LearnedWorld):
    assert world.versions.list_versions("WF_unknown") == []
    assert not world.versions.rollback_to_previous("WF_unknown")
    with pytest.raises(UnknownIdError):
        world.versions.snapshot_version("WF_unknown")
    with pytest.raises(InvalidIdError):
        world.versions.rollback_to_previous("../outside")
    with pytest.raises(UsageError):
        world.versions.rollback_to_previous(WORKFLOW_ID, "../v001")
    assert not world.root.exists() or files(world.root) == {}


def test_components_of_a_complete_version_are_not_laid_again(world: LearnedWorld):
    """Seed 001: version_prototypes; a version never changes what it learned"""
    world.learn()
    world.versions.version_prototypes(WORKFLOW_ID, "v002")
    world.versions.version_faiss_index(WORKFLOW_ID, "v002")
    world.versions.version_target_memory(WORKFLOW_ID, "v002")
    assert listed(world) == ["v001"], "without its manifest it is none"
    with pytest.raises(UsageError, match="complete"):
        world.versions.version_prototypes(WORKFLOW_ID, "v001")

    world.versions.cleanup_old_versions(WORKFLOW_ID)
    assert not (world.root / f"{VERSIONS}/v002").exists()
    assert not (world.root / f"target_memory_snapshots/{WORKFLOW_ID}/v002.db").exists()


def test_several_at_once_wait_for_each_other(world: LearnedWorld):
    """Two robots, one data directory."""
    world.learn()
    world.learn()

    def change(number: int) -> object:
        other = open_world(world.root, clock=ManualClock())
        try:
            if number % 3 == 0:
                return other.versions.rollback_to_previous(WORKFLOW_ID, f"v00{1 + number % 2}")
            return other.versions.snapshot_version(WORKFLOW_ID) if number % 3 == 1 else other.learn(seed=number)
        finally:
            other.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(change, range(12)))

    listing = world.versions.inspect_versions(WORKFLOW_ID)
    assert listing.unreadable == ()
    assert len(listing.items) == 2 + 4 + 4
    assert [info.in_use for info in listing.items].count(True) == 1


def test_files_of_versions_are_for_their_owner_only(world: LearnedWorld):
    world.learn()
    world.succeed()
    open_to_others = [path for path in world.root.rglob("*") if path.is_file() and path.stat().st_mode & 0o077]
    assert [path.name for path in open_to_others if path.suffix not in (".db-shm", ".db-wal")] == []


def matured(world: LearnedWorld, level: LearningStateName) -> None:
    """Runs (or their failures) changed how far the live workflow is trusted."""
    workflow = world.data.workflows.load(WORKFLOW_ID)
    learning = workflow.learning.model_copy(update={"state": level})
    world.data.workflows.save(workflow.model_copy(update={"learning_state": level, "learning": learning}))


def level_of(world: LearnedWorld) -> str:
    return world.data.workflows.load(WORKFLOW_ID).learning_state


def kept_document(world: LearnedWorld, version: str) -> bytes:
    return (world.root / f"{VERSIONS}/{version}/workflow.json").read_bytes()


@pytest.mark.parametrize("now", LEARNING_STATES)
@pytest.mark.parametrize("then", LEARNING_STATES)
def test_going_back_never_makes_a_workflow_more_mature(
    world: LearnedWorld, then: LearningStateName, now: LearningStateName
):
    """AH-4.5, L4-11: the lower of the two levels, and still the restored version to the last byte"""
    world.learn()
    matured(world, then)
    world.learn(seed=70)
    matured(world, now)

    outcome = world.versions.rollback_to_previous(WORKFLOW_ID, "v001")

    assert level_of(world) == min(then, now, key=LEARNING_STATES.index)
    assert world.live()[LIVE] == kept_document(world, "v001")
    assert (f"stays at {now}" in outcome.message) == (LEARNING_STATES.index(now) < LEARNING_STATES.index(then))
    assert world.versions.inspect_versions(WORKFLOW_ID).unreadable == ()


def test_what_a_version_lost_it_does_not_get_back_by_going_there_again(world: LearnedWorld):
    """AH-4.5: forth and back is no way to be trusted again"""
    world.learn()
    matured(world, AUTO_CONFIRMED)
    world.learn(seed=70)
    world.versions.rollback_to_previous(WORKFLOW_ID, "v001")
    world.versions.rollback_to_previous(WORKFLOW_ID, "v002")
    world.versions.rollback_to_previous(WORKFLOW_ID, "v001")
    assert level_of(world) == "OBSERVATION"


def test_a_version_freed_of_what_was_learned_on_top_of_it_keeps_the_level_it_fell_to(world: LearnedWorld):
    """AH-4.5: the version in use was kept when it was trusted more"""
    world.learn()
    matured(world, AUTO_CONFIRMED)
    world.versions.snapshot_version(WORKFLOW_ID)
    matured(world, "COACHING")
    world.poison()
    assert world.versions.rollback_to_previous(WORKFLOW_ID).version_id == "v002"
    assert level_of(world) == "COACHING"


@pytest.mark.parametrize(
    ("broken", "level"),
    [
        (b'{"learning_state": "COACHING", "nodes": "lost"}', "COACHING"),
        (b'{"learning_state": "AUTO_CONFIRMED"}', "AUTO_CANDIDATE"),
        (b'{"learning_state": "GOD"}', "OBSERVATION"),
        (b"[]", "OBSERVATION"),
        (b'{"learning_state": "AUTO_CONF', "OBSERVATION"),
        (None, "OBSERVATION"),
    ],
)
def test_where_the_live_level_cannot_be_told_nothing_is_assumed(world: LearnedWorld, broken: bytes | None, level: str):
    """AH-4.5: doubt never gives more freedom"""
    world.learn()
    matured(world, "AUTO_CANDIDATE")
    world.versions.snapshot_version(WORKFLOW_ID)
    path = world.root / LIVE
    path.unlink() if broken is None else path.write_bytes(broken)
    assert world.versions.rollback_to_previous(WORKFLOW_ID)
    assert level_of(world) == level


def test_what_a_rollback_would_restore_is_what_it_restores(world: LearnedWorld):
    """AH-4.5: one answer to "which is the previous version?", damaged or not"""

    def both() -> tuple[str | None, str | None, str | None]:
        first = world.versions.previous_version(WORKFLOW_ID)
        good = world.versions.previous_version(WORKFLOW_ID, check=True)
        return first, good, world.versions.rollback_to_previous(WORKFLOW_ID).version_id

    for _ in range(4):
        world.learn()
    world.poison()
    assert both() == ("v004", "v004", "v004")
    DAMAGES["a flipped bit in a prototype"](world.root)
    world.versions.rollback_to_previous(WORKFLOW_ID, "v003")
    assert both() == ("v002", "v001", "v001")
