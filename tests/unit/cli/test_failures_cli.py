"""`rpa-vision failures`: what failed is listed, shown, and looked for again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import rpa_vision
from supervised import FAILURE, WF, learn, steps, supervisor

from rpa_vision.embedding.encoders import HashedScreenEncoder
from rpa_vision.embedding.fusion_engine import FusionEngine
from rpa_vision.embedding.state_embedder import StateEmbedder
from rpa_vision.execution.action_executor import StepOutcome
from rpa_vision.execution.execution_loop import ExecutedStep
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.target_resolver import TargetResolver
from rpa_vision.models.action import Action
from rpa_vision.models.execution import ExecutionStatus, FailureKind
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.workflow_graph import WorkflowEdge
from rpa_vision.system.failure_evidence import StepEvidence, failure_context
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.screens import ScreenBook, workflow_over


@pytest.fixture
def data(tmp_path: Path) -> Path:
    root = tmp_path / "data"
    learn(root)
    return root


def fail_with_evidence(data: Path) -> str:
    """A step whose target was looked for by the real resolver on a real screen; gives the case."""
    book = ScreenBook(embedder=StateEmbedder(HashedScreenEncoder(), FusionEngine(), ManualClock()))
    book.draw("page", [("button", "cancel", "Annuler", (200, 300, 320, 340))], title="Facture")
    target = TargetSpec(label="Valider", type="button")
    edge = WorkflowEdge(
        edge_id="E1", from_node="page", to_node="page", action=Action(type="mouse_click", target=target)
    )
    resolver = TargetResolver()
    resolution = resolver.resolve(target, book["page"], {}, HealingProfile.at_level(2), None)
    outcome = StepOutcome(
        ExecutionStatus.FAILED,
        message=FAILURE.message,
        failure_kind=FailureKind.TARGET_NOT_FOUND,
        resolution=resolution,
        before=book["page"],
    )
    workflow = workflow_over(book, {"page": "page"}, [edge])
    evidence = StepEvidence(ExecutedStep(edge, outcome, 12.5), workflow, values={}, resolver=resolver)
    with supervisor(data) as opened:
        case_id = opened.failures.record_failure(WF, "E1", FAILURE, failure_context(evidence))
    assert case_id is not None
    return case_id


def test_every_failed_step_is_listed_once_with_how_often_it_was_seen(data: Path) -> None:
    """AH-7.1"""
    steps(data, FAILURE, FAILURE)
    told = rpa_vision("failures", "list", "--data", data, "--json").json
    (case,) = told["cases"]
    assert (case["workflow_id"], case["failure_kind"], case["occurrences"]) == (WF, "TARGET_NOT_FOUND", 2)
    shown = rpa_vision("failures", "list", "--data", data).out
    assert case["case_id"] in shown
    assert "no [Valider] button" in shown


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (("--workflow", WF, "--step", "E1", "--kind", "target_not_found", "--since", "1h"), 1),
        (("--step", "E2"), 0),
        (("--kind", "WATCHDOG_TIMEOUT"), 0),
        (("--since", "2999-01-01"), 0),
    ],
)
def test_cases_are_filtered(data: Path, arguments: tuple[str, ...], found: int) -> None:
    """AH-7.1"""
    steps(data, FAILURE)
    assert len(rpa_vision("failures", "list", *arguments, "--data", data, "--json").json["cases"]) == found


def test_a_case_is_shown_with_what_was_seen_and_on_which_terms(data: Path) -> None:
    """AH-7.1"""
    case_id = fail_with_evidence(data)
    assert rpa_vision("failures", "show", case_id, "--data", data, "--json").json["case_id"] == case_id
    shown = rpa_vision("failures", "show", case_id, "--data", data).out
    for words in ("TARGET_NOT_FOUND", "no [Valider] button", "the target was not found", "input was not sent"):
        assert words in shown


def test_a_workflow_is_named_as_everywhere_and_an_unknown_one_refused(data: Path) -> None:
    """AH-7.1, AH-8.3"""
    steps(data, FAILURE)
    (workflow,) = rpa_vision("workflows", "list", "--data", data, "--json").json["workflows"]
    named = rpa_vision("failures", "list", "--workflow", workflow["name"], "--data", data, "--json").json
    assert [case["workflow_id"] for case in named["cases"]] == [WF]
    unknown = rpa_vision("failures", "list", "--workflow", f"{WF}x", "--data", data)
    assert (unknown.code, f"no workflow '{WF}x'" in unknown.cause) == (2, True)
    assert WF in unknown.remedy


def test_a_case_names_its_folder_and_a_quarantine_by_hand_is_no_failed_step(data: Path) -> None:
    """AH-1.4, AH-7.1"""
    case_id = fail_with_evidence(data)
    shown = rpa_vision("failures", "show", case_id, "--data", data).out
    assert str(data / "failure_cases" / case_id) in shown
    assert "screenshot: " in shown
    rpa_vision("heal", "transition", WF, "quarantined", "--reason", "smells", "--data", data)
    cases = rpa_vision("failures", "list", "--data", data, "--json").json["cases"]
    by_hand = next(case["case_id"] for case in cases if case["failure_kind"] is None)
    told = rpa_vision("failures", "show", by_hand, "--data", data).out
    assert f"stopped without a failed step at {WF}\n" in told
    assert "smells" in told
    assert "input was" not in told


def test_an_unknown_case_and_a_wrong_question_are_told(data: Path) -> None:
    """AH-7.1"""
    assert "case_x" in rpa_vision("failures", "show", "case_x", "--data", data).cause
    assert "BAD" in rpa_vision("failures", "list", "--kind", "BAD", "--data", data).cause
    assert "--all" in rpa_vision("failures", "replay", "--data", data).cause
    assert "--all" in rpa_vision("failures", "replay", "case_x", "--all", "--data", data).cause


def test_the_same_program_replays_a_case_the_same(data: Path) -> None:
    """AH-7.1"""
    case_id = fail_with_evidence(data)
    steps(data, FAILURE, step_id="E2")
    one = rpa_vision("failures", "replay", case_id, "--data", data, "--json")
    assert (one.code, one.json["replays"][0]["verdict"]) == (0, "same")
    every = rpa_vision("failures", "replay", "--all", "--data", data, "--json")
    assert every.code == 0
    assert every.json["counts"] == {"same": 1, "different": 0, "new": 0, "not_replayable": 1}


def test_a_case_that_is_answered_differently_now_fails_the_replay_and_a_torn_one_stops_nothing(data: Path) -> None:
    """AH-7.1"""
    case_id = fail_with_evidence(data)
    file = data / "failure_cases" / case_id / "case.json"
    case = json.loads(file.read_text())
    case["resolution"]["outcome"] = "ambiguous"
    file.write_text(json.dumps(case), encoding="utf-8")
    steps(data, FAILURE, step_id="E2")
    torn = next(path for path in (data / "failure_cases").iterdir() if path.name not in (case_id, ".lock"))
    (torn / "case.json").write_text("{", encoding="utf-8")
    ended = rpa_vision("failures", "replay", "--all", "--data", data)
    assert ended.code == 1
    assert "then ambiguous, now not_found" in ended.out
    assert "target now" in ended.out
    assert torn.name in ended.out
