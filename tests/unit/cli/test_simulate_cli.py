"""`rpa-vision simulate`: scenarios and other policies, tried out in virtual time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import contents, rpa_vision
from supervised import FAILURE, SUCCESS, WF, learn, steps

SCENARIOS = Path(__file__).parents[3] / "docs" / "scenarios"
THREE = SCENARIOS / "three-failures-degrade.yaml"


def test_a_scenario_is_played_and_its_expectations_told() -> None:
    """AH-7.2, AH-10.2"""
    ended = rpa_vision("simulate", THREE, "--json")
    assert (ended.code, ended.json["passed"]) == (0, True)
    assert [(one["from_state"], one["to_state"]) for one in ended.json["transitions"]] == [("running", "degraded")]
    shown = rpa_vision("simulate", THREE)
    assert "passed" in shown.out


def test_an_expectation_that_is_not_met_is_exit_code_1(tmp_path: Path) -> None:
    """AH-7.2"""
    other = tmp_path / "other.yaml"
    other.write_text(THREE.read_text(encoding="utf-8").replace("state: degraded", "state: running"), encoding="utf-8")
    ended = rpa_vision("simulate", other)
    assert ended.code == 1
    assert "not passed" in ended.out


@pytest.fixture
def data(tmp_path: Path) -> Path:
    root = tmp_path / "data"
    learn(root)
    steps(root, SUCCESS, FAILURE, FAILURE, SUCCESS)
    return root


def test_what_if_plays_the_real_audit_under_another_policy_and_changes_nothing(tmp_path: Path, data: Path) -> None:
    """AH-7.2, AH-10.5"""
    policy = tmp_path / "policy.json"
    policy.write_text(json.dumps({"mode": "conservative"}), encoding="utf-8")
    before = contents(data)
    ended = rpa_vision("simulate", "--what-if", policy, "--workflow", WF, "--data", data, "--json")
    assert ended.code == 0
    assert ended.json["decisions"] == 4
    assert [(one["from_state"], one["to_state"]) for one in ended.json["only_now"]] == [("running", "degraded")]
    assert contents(data) == before
    assert "Only now" in rpa_vision("simulate", "--what-if", policy, "--data", data).out


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        ((), "either a scenario or --what-if"),
        (("none.yaml",), "no such file"),
        (("--what-if", "none.json"), "no such file"),
        ((str(THREE), "--workflow", WF), "--workflow goes with --what-if"),
    ],
)
def test_what_cannot_be_played_is_said_in_two_lines(tmp_path: Path, arguments: tuple[str, ...], cause: str) -> None:
    """AH-7.2"""
    ended = rpa_vision("simulate", *arguments, "--data", tmp_path / "data")
    assert ended.code == 2
    assert cause in ended.cause
    assert list(tmp_path.iterdir()) == []


def test_what_if_over_a_workflow_that_never_ran_says_so(tmp_path: Path, data: Path) -> None:
    """AH-7.2"""
    policy = tmp_path / "policy.json"
    policy.write_text("{}", encoding="utf-8")
    ended = rpa_vision("simulate", "--what-if", policy, "--workflow", "WF_none", "--data", data)
    assert (ended.code, "tells of no workflow 'WF_none'" in ended.cause, WF in ended.remedy) == (2, True, True)
    missing = rpa_vision("simulate", "--what-if", policy, "--history", tmp_path / "none.jsonl")
    assert (missing.code, "there is no such file" in missing.cause) == (2, True)


def test_after_a_rollback_by_hand_the_policy_in_force_would_have_changed_nothing(tmp_path: Path, data: Path) -> None:
    """AH-7.2"""
    policy = tmp_path / "policy.json"
    policy.write_text("{}", encoding="utf-8")
    steps(data, SUCCESS)
    learn(data)
    steps(data, SUCCESS, FAILURE)
    assert rpa_vision("heal", "rollback", WF, "--reason", "worse", "--data", data).code == 0
    steps(data, SUCCESS)
    (workflow,) = rpa_vision("workflows", "list", "--data", data, "--json").json["workflows"]
    told = rpa_vision("simulate", "--what-if", policy, "--workflow", workflow["name"], "--data", data, "--json").json
    assert (told["only_then"], told["only_now"], told["differences"]) == ([], [], [])
    assert told["final_states_now"] == told["final_states_then"] == {WF: "degraded"}
