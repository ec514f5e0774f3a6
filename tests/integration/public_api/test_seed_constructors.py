"""SPEC: the seeds' constructors work as written through the public API, on real files below the working directory."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

import rpa_vision
from rpa_vision import (
    AutoHealManager,
    CircuitBreaker,
    ExecutionResult,
    ExecutionState,
    ExecutionStateInfo,
    ExecutionStatus,
    FailureEvent,
    FailureKind,
    FailureWindow,
    FAISSManager,
    FusionEngine,
    HealingProfile,
    RawSession,
    TargetResolver,
    UIDetector,
    VersionedStore,
    VersionInfo,
)
from rpa_vision.errors import DocumentError
from rpa_vision.models.window import WindowContext
from rpa_vision.testing.learned import WORKFLOW_ID, LearnedWorld, open_world

POLICY = {
    "mode": "hybrid",
    "step_fail_streak_to_degraded": 3,
    "workflow_fail_window_s": 600,
    "workflow_fail_max_in_window": 10,
    "global_fail_max_in_window": 30,
    "min_confidence_normal": 0.72,
    "min_confidence_degraded": 0.82,
    "min_margin_top1_top2_degraded": 0.08,
    "disable_learning_in_degraded": True,
    "rollback_on_regression": True,
    "regression_window_steps": 50,
    "regression_fail_ratio": 0.20,
    "quarantine_duration_s": 1800,
    "max_versions_to_keep": 5,
}
"""As seed 001 prints it."""
FAILED = ExecutionResult(status=ExecutionStatus.FAILED, failure_kind=FailureKind.TARGET_NOT_FOUND)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The seeds' defaults are relative to where one works."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RPA_VISION_DATA", raising=False)
    return tmp_path


@pytest.fixture
def world(here: Path) -> Iterator[LearnedWorld]:
    opened = open_world(here / "data")
    yield opened
    opened.close()


def execute(manager: AutoHealManager, workflow_id: str, step_id: str, result: ExecutionResult) -> ExecutionResult:
    """The integration of seed 001, line by line."""
    before_step = manager.should_execute_step(workflow_id, step_id)
    if not before_step[0]:
        return ExecutionResult(status=ExecutionStatus.BLOCKED, message=before_step[1])
    manager.on_step_result(workflow_id, step_id, result)
    return result


def test_the_manager_of_seed_001_with_its_default_path(here: Path) -> None:
    """P001-7, AH-7.5: `AutoHealManager()` and the hooks as the seed writes them"""
    manager = AutoHealManager()
    for _ in range(3):
        execute(manager, "invoices", "s1", FAILED)
    assert manager.get_mode("invoices") is ExecutionState.DEGRADED
    manager.force_transition("invoices", ExecutionState.PAUSED, "look at it")
    assert execute(manager, "invoices", "s1", FAILED).status is ExecutionStatus.BLOCKED
    assert manager.get_status_report()["states"]["paused"] == 1
    manager.close()
    assert (here / "data" / "system" / "auto_heal.db").is_file()
    with AutoHealManager() as again:
        assert again.get_mode("invoices") is ExecutionState.PAUSED


@pytest.mark.parametrize("where", ["robots/config/auto_heal_policy.json", "elsewhere/policy.json"])
def test_the_manager_takes_its_policy_from_the_path_it_is_given(here: Path, where: str) -> None:
    """AH-6.1: and its data directory with it, where the policy lies in one"""
    path = here / where
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(POLICY | {"step_fail_streak_to_degraded": 1}))
    with AutoHealManager(path) as manager:
        execute(manager, "invoices", "s1", FAILED)
        assert manager.get_mode("invoices") is ExecutionState.DEGRADED
        assert isinstance(manager, rpa_vision.AutoHealManager)
    assert (here / ("robots" if "config" in where else "data") / "system" / "auto_heal.db").is_file()


def test_the_manager_can_be_told_its_data_directory(here: Path) -> None:
    with AutoHealManager(policy_path=here / "p.json", data=here / "mine") as manager:
        manager.pause(reason="stop", who="anne")
    assert (here / "mine" / "system" / "auto_heal.db").is_file()
    assert not (here / "data").exists()


def test_the_circuit_breaker_of_seed_001() -> None:
    """AH-2.1, AH-2.2, AH-2.3: `CircuitBreaker(policy)` with the policy as a dictionary"""
    breaker = CircuitBreaker(POLICY)
    for number in range(10):
        assert not breaker.should_trigger_quarantine("invoices")
        breaker.record_failure("invoices", "s1", "TARGET_NOT_FOUND")
        assert breaker.should_trigger_degraded("invoices", "s1") == (number >= 2)
    assert breaker.should_trigger_quarantine("invoices")
    assert not breaker.should_trigger_global_pause()
    assert breaker.get_failure_counts("invoices")["workflow_window"] == 10
    breaker.record_success("invoices", "s1")
    assert not breaker.should_trigger_degraded("invoices", "s1")
    with pytest.raises(DocumentError, match="step_fail_streak_to_degraded"):
        CircuitBreaker({"step_fail_streak_to_degraded": 0})


def test_the_versioned_store_of_seed_001_with_its_default_path(world: LearnedWorld) -> None:
    """AH-4.1 to AH-4.6: `VersionedStore()` and every method as the seed writes it"""
    world.learn()
    first = world.live()
    store = VersionedStore()
    assert store.snapshot_version(WORKFLOW_ID) == "v002"
    world.learn(seed=9)
    store.version_faiss_index(WORKFLOW_ID, "v003")
    store.version_target_memory(WORKFLOW_ID, "v003")
    store.version_prototypes(WORKFLOW_ID, "v009")  # the parts of one that is not complete yet
    assert [info.version_id for info in store.list_versions(WORKFLOW_ID)] == ["v003", "v002", "v001"]
    assert bool(store.rollback_to_previous(WORKFLOW_ID)) is True
    assert bool(store.rollback_to_previous(WORKFLOW_ID, version="v001")) is True
    assert world.live() == first
    store.cleanup_old_versions(WORKFLOW_ID, keep_count=5)
    store.close()
    assert bool(VersionedStore(base_path=Path("elsewhere")).rollback_to_previous("unknown")) is False


def test_opening_the_store_completes_what_was_interrupted(world: LearnedWorld) -> None:
    """AH-4.5"""
    world.learn()
    first = world.live()
    world.learn()
    journal = {"schema_version": "restore_v1", "workflow_id": WORKFLOW_ID, "version_id": "v001",
               "leaving": "v002", "at": "2026-03-31T12:00:00Z"}  # fmt: skip
    (world.root / "learning" / "prototypes" / WORKFLOW_ID / "restoring.json").write_text(json.dumps(journal))
    VersionedStore(Path("data"))
    assert world.live() == first


def test_the_data_models_of_seed_001() -> None:
    """AH-8.1, AH-8.2: `ExecutionStateInfo`, `FailureWindow` and `VersionInfo`, field by field"""
    now = datetime.now(UTC)
    info = ExecutionStateInfo(
        workflow_id="invoices",
        current_state=ExecutionState.QUARANTINED,
        state_since=now,
        failure_count=10,
        last_failure=now,
        confidence_threshold=0.82,
        learning_enabled=False,
        quarantine_until=now + timedelta(minutes=30),
    )
    assert ExecutionStateInfo.from_json(info.to_json()) == info
    version = VersionInfo(
        version_id="v001",
        created_at=now,
        workflow_id="invoices",
        success_rate_before=0.9,
        success_rate_after=None,
        components_versioned=("prototypes", "faiss", "memory"),
    )
    assert VersionInfo.from_json(version.to_json()) == version

    def failed(ago_s: float) -> FailureEvent:
        kind = FailureKind.WATCHDOG_TIMEOUT
        at = now - timedelta(seconds=ago_s)
        return FailureEvent(at=at, workflow_id="invoices", step_id="s1", failure_type=kind)

    start = now - timedelta(seconds=600)
    window = FailureWindow(window_start=start, window_duration_s=600, failures=[failed(900), failed(5)])
    window.add_failure(failed(1))
    assert window.get_failure_count() == len(window.failures) == 2
    window.cleanup_expired()
    assert window.get_failure_count() == 2
    assert window.window_start >= start
    assert FailureWindow(now, 600, []).get_failure_count() == 0


def test_execution_results_as_seeds_001_and_003_write_them() -> None:
    blocked = ExecutionResult(status=ExecutionStatus.BLOCKED, message="paused")
    assert (blocked.success, blocked.reason) == (False, "paused")
    missing = ExecutionResult(success=False, reason="Target element not found")  # type: ignore[call-arg]
    assert (missing.status, missing.message) == (ExecutionStatus.FAILED, "Target element not found")
    assert ExecutionResult(success=True).status is ExecutionStatus.SUCCESS  # type: ignore[call-arg]


def test_the_resolver_and_the_profiles_of_seed_002() -> None:
    """EX-2"""
    assert TargetResolver() is not None
    profile = HealingProfile(min_ratio=0.82, pad_mul=1.0, expand_roles=False, attempt_level=0)
    assert profile == HealingProfile.at_level(0)


def test_the_session_of_seed_003() -> None:
    """L0-1"""
    session = RawSession(
        session_id="sess_2025-11-22T10-15-00_user1",
        agent_version="0.2.0",
        environment={"platform": "linux", "hostname": "dev-machine", "screen": {"primary_resolution": [1920, 1080]}},
        user={"id": "user1", "label": "Developer User"},
        context={"customer": "Demo", "training_label": "workflow_test"},
        started_at=datetime.now(UTC),
    )
    assert RawSession.from_json(session.to_json()).to_json() == session.to_json()


def test_the_fusion_engine_and_the_index_of_seed_003(here: Path) -> None:
    """L3-1, L3-2, P003-11: `FusionEngine()`, `FAISSManager(index_path, dimension)`, kept on disk"""
    dice = np.random.default_rng(0)
    parts = [dice.random(512, np.float32) for _ in range(4)]
    fused = FusionEngine(method="weighted", weights=None).fuse(*parts)
    manager = FAISSManager("data/faiss_index/all.faiss", dimension=len(fused))
    number = manager.add_embedding(fused, {"node_id": "N1"})
    assert manager.search_similar(fused, k=1)[0].metadata == {"node_id": "N1"}
    manager.save()
    (found,) = FAISSManager(index_path="data/faiss_index/all.faiss", dimension=len(fused)).search_similar(fused)
    assert (found.id, found.metadata["node_id"]) == (number, "N1")
    assert FAISSManager("data/other.faiss").dimension == 512
    assert len(manager.rebuild([(fused, {"node_id": "N2"})])) == 1


def test_the_detector_of_seed_003_works_without_the_models_it_names() -> None:
    """L2-1, L2-7: `UIDetector(vlm_model, clip_model)` falls back to the embedded detector and says so"""
    blank = np.full((200, 300, 3), 255, np.uint8)
    detector = UIDetector(vlm_model="qwen2.5-vl:3b", clip_model="ViT-B-32")
    assert detector.detect_elements(blank, WindowContext(title="empty")) == []


@pytest.mark.parametrize("name", ["AutoHealManager", "CircuitBreaker", "FAISSManager", "UIDetector", "VersionedStore"])
def test_a_public_class_is_the_one_of_its_room(name: str) -> None:
    """One behaviour: only the constructor differs"""
    public = getattr(rpa_vision, name)
    (base,) = public.__bases__
    assert base.__name__ == name
    ours = {"__init__", "__enter__", "__exit__", "_built", "close", "save", "index_path", "metadata_path", "__doc__",
            "__module__"}  # fmt: skip
    added = {member for member in vars(public) if member not in vars(base)}
    assert {member for member in vars(public) if inspect.isfunction(vars(public)[member])} <= ours
    assert added <= ours
