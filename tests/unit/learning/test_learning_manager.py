"""Levels are earned and lost, by the book on disk: audited before they hold, made again from the trail."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import rpa_vision
from rpa_vision.adapters.audit.jsonl_audit import AuditSettings, JsonlAudit
from rpa_vision.adapters.decisions.database import remove_database
from rpa_vision.adapters.decisions.maturity_book import SqliteMaturityBook
from rpa_vision.errors import NotAcknowledgedError, NotEarnedError, StorageError, UsageError
from rpa_vision.learning.deeds import deeds_digest
from rpa_vision.learning.learning_manager import LearningManager
from rpa_vision.models.action import Action
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus
from rpa_vision.models.maturity import CountedRun
from rpa_vision.models.variables import Variable, VariableSource
from rpa_vision.models.workflow_graph import PostConditions, RecoveryAction
from rpa_vision.models.workflow_standing import AUTO_CONFIRMED, LearningThresholds
from rpa_vision.testing.learned import WORKFLOW_ID, LearnedWorld
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.screens import CountingIds

WF = "WF_one"
QUICK = AuditSettings(fsync="interval")
_number = count(1)


@contextmanager
def managed(folder: Path, **options: Any) -> Iterator[LearningManager]:
    clock = ManualClock()
    audit = JsonlAudit(folder / "audit.jsonl", clock, QUICK)
    book = SqliteMaturityBook(folder / "maturity.sqlite", audit)
    try:
        yield LearningManager(book, clock, CountingIds(), **options)
    finally:
        book.close()
        audit.close()


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[LearningManager]:
    with managed(tmp_path) as opened:
        yield opened


def watch(manager: LearningManager, times: int, similarity: float = 0.97) -> None:
    for _ in range(times):
        manager.observed(WF, similarity, f"sess_1@{next(_number)}")


def ran(manager: LearningManager, way: Any, times: int = 1, **facts: Any) -> None:
    for _ in range(times):
        facts = {"confidence": 0.98} | facts
        manager.count(WF, CountedRun(way=way, source=f"run_{next(_number)}", **facts))


def grown_up(manager: LearningManager) -> None:
    watch(manager, 5)
    ran(manager, "assisted", 10)
    ran(manager, "supervised", 20)
    manager.approve(WF, who="anna", reason="a good month")


def state(manager: LearningManager) -> str:
    return manager.maturity(WF).state


def entries(folder: Path, *kinds: str) -> list[dict[str, Any]]:
    trail = JsonlAudit(folder / "audit.jsonl", ManualClock())
    return [entry.record for entry in trail.entries() if entry.kind in kinds]


def test_the_whole_way_up_and_down_again(manager: LearningManager, tmp_path: Path) -> None:
    """L4-11: 5 observed → COACHING, 10 assisted → AUTO_CANDIDATE, 20 → approval → AUTO_CONFIRMÉ, a drop → COACHING"""
    watch(manager, 4)
    assert state(manager) == "OBSERVATION"
    watch(manager, 1)
    assert state(manager) == "COACHING"
    ran(manager, "assisted", 9)
    assert state(manager) == "COACHING"
    ran(manager, "assisted")
    assert state(manager) == "AUTO_CANDIDATE"
    ran(manager, "supervised", 20)
    assert state(manager) == "AUTO_CANDIDATE", "only a person goes on from here"
    manager.approve(WF, who="anna", reason="a good month")
    assert state(manager) == AUTO_CONFIRMED
    ran(manager, "alone", 5)
    ran(manager, "alone", 1, succeeded=False)
    assert state(manager) == AUTO_CONFIRMED
    ran(manager, "alone", 1, succeeded=False)
    assert state(manager) == "COACHING"
    moves = [(one["from_state"], one["to_state"], one["who"]) for one in entries(tmp_path, "maturity_changed")]
    assert moves == [
        ("OBSERVATION", "COACHING", "learning"),
        ("COACHING", "AUTO_CANDIDATE", "learning"),
        ("AUTO_CANDIDATE", AUTO_CONFIRMED, "anna"),
        (AUTO_CONFIRMED, "COACHING", "learning"),
    ]
    numbers = [one["numbers"] for one in entries(tmp_path, "maturity_changed")]
    assert (numbers[0]["observed_runs"], numbers[1]["assist_runs"], numbers[2]["auto_candidate_runs"]) == (5, 10, 20)
    assert numbers[2]["lower_bound"] == pytest.approx(0.839, abs=1e-3)
    assert numbers[3]["recent_confidence"] < 0.90


def test_what_was_lost_is_earned_anew(manager: LearningManager) -> None:
    """L4-11"""
    grown_up(manager)
    ran(manager, "alone", anomaly="a wrong click", succeeded=False)
    assert (state(manager), manager.maturity(WF).assist_runs, manager.maturity(WF).approval) == ("COACHING", 0, None)
    ran(manager, "assisted", 9)
    assert state(manager) == "COACHING"
    ran(manager, "assisted")
    assert (state(manager), manager.maturity(WF).auto_candidate_runs) == ("AUTO_CANDIDATE", 0)


def test_an_unlike_repetition_does_not_count_as_knowing_it(manager: LearningManager) -> None:
    """L4-11: similarity ≥ .90 on the whole"""
    watch(manager, 4, 0.95)
    watch(manager, 1, 0.60)
    assert state(manager) == "OBSERVATION"
    watch(manager, 4, 0.97)
    assert state(manager) == "COACHING"


def test_a_run_counts_once(manager: LearningManager) -> None:
    """L4-11"""
    for _ in range(9):
        manager.observed(WF, 1.0, "sess_1@2.5")
    assert (state(manager), manager.maturity(WF).observed_runs) == ("OBSERVATION", 1)


def test_what_is_missing_can_be_asked_at_any_time(manager: LearningManager) -> None:
    """L4-11"""

    def missing() -> list[tuple[str, float | None, float]]:
        return [(need.name, need.have, need.need) for need in manager.missing(WF).missing]

    assert missing() == [("observed_runs", 0, 5), ("similarity", None, 0.9)]
    watch(manager, 5)
    assert missing() == [("assisted_runs", 0, 10), ("success_rate", None, 0.9)]
    ran(manager, "assisted", 10)
    ran(manager, "supervised", 19)
    assert missing() == [("supervised_runs", 19, 20)]
    ran(manager, "supervised")
    assert missing() == []
    assert manager.missing(WF).by_person
    manager.approve(WF, who="anna", reason="good")
    assert manager.missing(WF).following is None


@pytest.mark.parametrize("supervised", [0, 19])
def test_nobody_approves_what_was_not_earned(manager: LearningManager, supervised: int) -> None:
    """L4-11"""
    with pytest.raises(NotEarnedError, match="OBSERVATION"):
        manager.approve(WF, who="anna", reason="hurry")
    watch(manager, 5)
    ran(manager, "assisted", 10)
    ran(manager, "supervised", supervised)
    with pytest.raises(NotEarnedError, match=f"supervised_runs {supervised} of 20"):
        manager.approve(WF, who="anna", reason="hurry")
    assert state(manager) == "AUTO_CANDIDATE"


def test_thin_evidence_has_to_be_acknowledged(tmp_path: Path) -> None:
    """L4-11: a lower bound below .75 is shown and must be accepted"""
    quick = LearningThresholds(min_auto_candidate_runs_for_auto_confirmed=5)
    with managed(tmp_path, thresholds=lambda workflow_id: quick) as manager:
        watch(manager, 5)
        ran(manager, "assisted", 10)
        ran(manager, "supervised", 5)
        with pytest.raises(NotAcknowledgedError, match=r"5 of 5 runs prove a success rate of 0\.57 only"):
            manager.approve(WF, who="anna", reason="good")
        approval = manager.approve(WF, who="anna", reason="good", acknowledge=True).approval
    assert approval is not None
    assert (approval.acknowledged, round(approval.lower_bound, 2), approval.runs) == (True, 0.57, 5)


def test_an_approval_has_a_name_and_a_reason(manager: LearningManager) -> None:
    """L4-11"""
    for who, reason in (("", "good"), ("anna", " ")):
        with pytest.raises(UsageError):
            manager.approve(WF, who=who, reason=reason)


def test_a_person_takes_it_back(manager: LearningManager, tmp_path: Path) -> None:
    """L4-11"""
    grown_up(manager)
    assert manager.withdraw(WF, who="anna", reason="new release tomorrow").state == "COACHING"
    last = entries(tmp_path, "maturity_changed")[-1]
    assert (last["who"], last["reason"]) == ("anna", "withdrawn: new release tomorrow")
    with pytest.raises(UsageError):
        manager.withdraw(WF, who="anna", reason="again")


def test_a_run_that_was_wrong_after_all_costs_the_level(manager: LearningManager, tmp_path: Path) -> None:
    """L4-11: a person found out later"""
    assert manager.judged_wrong(WF, "run_7", who="anna").state == "OBSERVATION"
    grown_up(manager)
    assert manager.judged_wrong(WF, "run_8", who="anna", note="the wrong invoice").state == "COACHING"
    assert entries(tmp_path, "maturity_changed")[-1]["reason"] == "run run_8 did something wrong: the wrong invoice"


def test_results_in_the_designs_words_count_too(manager: LearningManager) -> None:
    """L4-11"""
    watch(manager, 5)
    good = ExecutionResult(status=ExecutionStatus.SUCCESS, confidence=0.97)
    for _ in range(10):
        manager.update_workflow_stats(WF, ExecutionResult(status=ExecutionStatus.BLOCKED))
        manager.update_workflow_stats(WF, good)
    assert (state(manager), manager.maturity(WF).unverified_runs) == ("AUTO_CANDIDATE", 10)
    for _ in range(20):
        manager.update_workflow_stats(WF, good)
    assert manager.missing(WF).is_earned


def test_a_new_process_knows_what_the_last_one_knew(tmp_path: Path) -> None:
    """L4-11"""
    with managed(tmp_path) as first:
        grown_up(first)
        known = first.maturity(WF)
    with managed(tmp_path) as second:
        assert second.maturity(WF) == known
        assert second.all() == [known]


@pytest.mark.parametrize("spoil", [remove_database, lambda path: path.write_bytes(b"torn" * 2000)])
def test_the_book_is_made_again_from_the_trail(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    """L4-11: the audit trail is the truth"""
    with managed(tmp_path) as manager:
        grown_up(manager)
        known = manager.maturity(WF)
    remove_database(tmp_path / "maturity.sqlite")
    spoil(tmp_path / "maturity.sqlite")
    with managed(tmp_path) as manager:
        assert manager.maturity(WF) == known
        manager.count(WF, CountedRun(way="alone", source=f"run_{next(_number) - 1}"))
        assert manager.maturity(WF) == known, "what was counted is known again too"


def test_without_its_trail_nothing_is_trusted(tmp_path: Path) -> None:
    """L4-11"""
    with managed(tmp_path) as manager:
        grown_up(manager)
    for path in tmp_path.glob("*audit*"):
        path.unlink()
    with managed(tmp_path) as manager:
        assert state(manager) == "OBSERVATION"


def test_a_line_that_was_written_by_hand_gives_no_level(tmp_path: Path) -> None:
    """L4-11: neither does it keep one"""
    with managed(tmp_path) as manager:
        grown_up(manager)
        known = manager.maturity(WF).to_json()
        manager.withdraw(WF, who="anna", reason="a wrong name")
    record = {"workflow_id": WF, "who": "learning", "maturity": known}
    line = {"time": "2026-03-01T10:00:00Z", "kind": "maturity_noted", "record": record, "prev": "0" * 64, "hash": "f"}
    with (tmp_path / "audit.jsonl").open("a", encoding="utf-8") as trail:
        trail.write(json.dumps(line, ensure_ascii=False) + "\n")
    with managed(tmp_path) as manager:
        assert state(manager) == "OBSERVATION"
        watch(manager, 5)
        assert state(manager) == "COACHING", "and can be earned again"


@pytest.mark.parametrize("line", ["gone up", "gone down"])
def test_a_line_that_was_changed_by_hand_gives_no_level(tmp_path: Path, line: str) -> None:
    """L4-11: what made it go up, or down"""
    with managed(tmp_path) as manager:
        watch(manager, 5)
        if line == "gone down":
            ran(manager, "assisted", 10)
            ran(manager, "supervised", 1, anomaly="a wrong click", succeeded=False)
        assert state(manager) == "COACHING"
    trail = tmp_path / "audit.jsonl"
    head, _, tail = trail.read_text(encoding="utf-8").rpartition('"state":"COACHING"')
    trail.write_text(f'{head}"state":"AUTO_CANDIDATE"{tail}', encoding="utf-8")
    remove_database(tmp_path / "maturity.sqlite")
    with managed(tmp_path) as manager:
        assert state(manager) == "OBSERVATION"


def test_what_cannot_be_audited_does_not_take_effect(tmp_path: Path) -> None:
    """L4-11: written before it holds"""

    class FullDisk(JsonlAudit):
        full = False

        def append(self, kind: str, record: Any) -> None:
            if self.full:
                raise StorageError("no space left")
            super().append(kind, record)

    audit = FullDisk(tmp_path / "audit.jsonl", ManualClock())
    manager = LearningManager(SqliteMaturityBook(tmp_path / "m.sqlite", audit), ManualClock(), CountingIds())
    watch(manager, 4)
    audit.full = True
    with pytest.raises(StorageError):
        watch(manager, 1)
    assert (state(manager), manager.maturity(WF).observed_runs) == ("OBSERVATION", 4)
    audit.full = False
    watch(manager, 1)
    assert state(manager) == "COACHING"


def test_what_was_written_before_a_crash_holds(tmp_path: Path) -> None:
    """L4-11: killed between the line of the trail and the database, nothing is lost and nothing counted twice"""

    class Dying(JsonlAudit):
        dies = False

        def append(self, kind: str, record: Any) -> None:
            super().append(kind, record)
            if self.dies:
                raise KeyboardInterrupt

    audit = Dying(tmp_path / "audit.jsonl", ManualClock())
    manager = LearningManager(SqliteMaturityBook(tmp_path / "m.sqlite", audit), ManualClock(), CountingIds())
    watch(manager, 4)
    audit.dies = True
    with pytest.raises(KeyboardInterrupt):
        manager.observed(WF, 1.0, "the fifth")
    audit.dies = False
    assert manager.observed(WF, 1.0, "the fifth").observed_runs == 5
    assert state(manager) == "COACHING"
    assert len(entries(tmp_path, "maturity_changed")) == 1


def test_many_threads_and_books_count_every_run_once(tmp_path: Path) -> None:
    """L4-11"""
    with managed(tmp_path) as one, managed(tmp_path) as other:
        watch(one, 5)
        work = [(manager, f"run_at_once_{number}") for number in range(15) for manager in (one, other)]
        with ThreadPoolExecutor(6) as pool:
            run = {name: CountedRun(way="assisted", source=name) for _, name in work}
            list(pool.map(lambda item: item[0].count(WF, run[item[1]]), work))
        assert one.maturity(WF) == other.maturity(WF)
        assert one.maturity(WF).total_executions == 15
        assert state(one) == "AUTO_CANDIDATE"
    assert len(entries(tmp_path, "maturity_changed")) == 2


def test_it_is_built_as_the_design_writes_it(world: LearnedWorld, tmp_path: Path) -> None:
    """L4-11: with its default adapters, and the document says what was earned"""
    world.learn()
    with rpa_vision.LearningManager(tmp_path / "data") as manager:
        for number in range(5):
            manager.observed(WORKFLOW_ID, 0.95, f"s@{number}")
    assert world.data.workflows.load(WORKFLOW_ID).learning_state == "COACHING"


def test_another_task_under_the_same_name_is_not_trusted(world: LearnedWorld, tmp_path: Path) -> None:
    """L4-11, L4-12: trust belongs to what was done; how it is found may change"""
    world.learn()
    workflow = world.data.workflows.load(WORKFLOW_ID)
    with managed(tmp_path) as manager:
        for number in range(5):
            manager.observed(WORKFLOW_ID, 1.0, f"s@{number}")
        for number in range(10):
            manager.count(WORKFLOW_ID, CountedRun(way="assisted", source=f"a{number}"))
        assert manager.level(workflow) == "AUTO_CANDIDATE"
        newer = workflow.model_copy(update={"version": 9, "description": "learned again"})
        assert manager.level(newer) == "AUTO_CANDIDATE"
        edge = next(edge for edge in workflow.edges if edge.action is not None)
        assert edge.action is not None
        other = edge.model_copy(update={"action": edge.action.model_copy(update={"keys": ("Delete",)})})
        edges = tuple(other if one is edge else one for one in workflow.edges)
        changed = workflow.model_copy(update={"edges": edges, "version": 10})
        assert deeds_digest(changed) != deeds_digest(workflow)
        assert manager.level(changed) == "COACHING"
        assert manager.maturity(WORKFLOW_ID).assist_runs == 0


def test_runs_of_what_was_changed_meanwhile_prove_nothing_of_what_it_is_now(
    world: LearnedWorld, tmp_path: Path
) -> None:
    """L4-11: it was edited while it ran"""
    world.learn()
    before = world.data.workflows.load(WORKFLOW_ID)
    rules = before.safety_rules.model_copy(update={"forbidden_text_clicks": ("Supprimer",)})
    now = before.model_copy(update={"safety_rules": rules, "version": before.version + 1})
    with managed(tmp_path) as manager:
        for number in range(5):
            manager.observed(WORKFLOW_ID, 1.0, f"s@{number}", workflow=before)
        manager.settle(now)
        for number in range(10):
            manager.count(WORKFLOW_ID, CountedRun(way="assisted", source=f"a{number}"), workflow=before)
        known = manager.settle(now)
        assert (known.state, known.assist_runs, known.unverified_runs) == ("COACHING", 0, 10)
        manager.count(WORKFLOW_ID, CountedRun(way="assisted", source="a10", succeeded=False), workflow=before)
        assert manager.maturity(WORKFLOW_ID).assist_runs == 1, "that it failed speaks against it still"


def test_what_is_done_forbidden_and_checked_is_all_part_of_the_task(world: LearnedWorld) -> None:
    """L4-11, L4-13: loosened rules, other ways out and unchecked steps have to be trusted anew"""
    world.learn()
    workflow = world.data.workflows.load(WORKFLOW_ID)
    rules = workflow.safety_rules.model_copy(update={"forbidden_text_clicks": ("Supprimer",)})
    checked = workflow.edges[0].model_copy(update={"post_conditions": PostConditions(expected_node="N1")})
    unchecked = workflow.edges[0].model_copy(update={"post_conditions": None})
    way = RecoveryAction(action="steps", steps=(Action(type="key_press", keys=("Return",)),))
    error = workflow.nodes[0].model_copy(
        update={"is_error_node": True, "error_type": "timeout", "recovery_actions": (way,)}
    )
    others = [
        workflow.model_copy(update={"safety_rules": rules}),
        workflow.model_copy(update={"edges": (checked, *workflow.edges[1:])}),
        workflow.model_copy(update={"edges": (unchecked, *workflow.edges[1:])}),
        workflow.model_copy(update={"nodes": (error, *workflow.nodes[1:])}),
    ]
    digests = [deeds_digest(one) for one in others]
    assert digests[1] != digests[2]
    assert deeds_digest(workflow) not in (digests[0], digests[3])


@pytest.mark.parametrize(
    ("changes", "is_another"),
    [
        ({"replace_existing": True}, True),
        ({"title_contains": "Archives"}, True),
        ({"drag_offset": (300, 0)}, True),
        ({"click_offset": (3, 0), "wait_after_ms": 50}, False),
    ],
)
def test_where_what_is_done_ends_up_is_part_of_the_task(
    world: LearnedWorld, changes: dict[str, Any], is_another: bool
) -> None:
    """L4-11: written behind what was there, into another window, dropped elsewhere"""
    world.learn()
    workflow = world.data.workflows.load(WORKFLOW_ID)
    edge = next(edge for edge in workflow.edges if edge.action is not None)
    assert edge.action is not None
    action = edge.action.model_copy(update={"parameters": edge.action.parameters.model_copy(update=changes)})
    other = edge.model_copy(update={"action": action})
    edges = tuple(other if one is edge else one for one in workflow.edges)
    assert (deeds_digest(workflow.model_copy(update={"edges": edges})) != deeds_digest(workflow)) is is_another


def test_where_a_value_is_read_is_part_of_the_task(world: LearnedWorld) -> None:
    """L4-11: the sum that is typed is another one's"""
    world.learn()
    workflow = world.data.workflows.load(WORKFLOW_ID)

    def reading(label: str, pattern: str | None = None) -> str:
        source = VariableSource(method="ui_element_extraction", element_label=label, extraction_pattern=pattern)
        return deeds_digest(workflow.model_copy(update={"variables": {"sum": Variable(type="string", source=source)}}))

    assert reading("Net") != reading("Total")
    assert reading("Net") == reading("Net", "[0-9]+"), "how it is found there may be learned better"


def test_a_wrong_run_under_guidance_takes_away_what_was_earned_there(manager: LearningManager) -> None:
    """L4-11: a person found out later that it did something else"""
    watch(manager, 5)
    for number in range(9):
        manager.count(WF, CountedRun(way="assisted", source=f"a{number}"))
    known = manager.judged_wrong(WF, "a8", who="anna", note="the wrong invoice")
    assert (known.state, known.assist_runs) == ("COACHING", 0)
    manager.count(WF, CountedRun(way="assisted", source="a9"))
    assert state(manager) == "COACHING"
