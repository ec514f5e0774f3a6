"""Fiche 16: the shipped scenarios of AH-10, played to the real supervisor in virtual time."""

from __future__ import annotations

from pathlib import Path

import pytest

from rpa_vision.adapters.scenarios import YamlScenarios
from rpa_vision.adapters.scenarios.yaml_scenarios import parse_scenario
from rpa_vision.app.simulate import mini_reports, simulate_file
from rpa_vision.errors import DocumentError, UsageError
from rpa_vision.models.auto_heal import ExecutionState
from rpa_vision.models.scenario import Scenario
from rpa_vision.system.simulation import simulate

SCENARIOS = Path(__file__).parents[3] / "docs" / "scenarios"
SHIPPED = sorted(SCENARIOS.glob("*.yaml"))


def scenario(script: str, *, expect: str = "[]", policy: str = "{mode: hybrid}") -> Scenario:
    text = f"name: test\nworkflow_id: WF\npolicy: {policy}\nscript: {script}\nexpect: {expect}\n"
    return parse_scenario(text.encode(), where="test.yaml")


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_shipped_scenario_goes_as_it_says(path: Path) -> None:
    """AH-10.1, AH-10.2, AH-10.3, AH-10.4, AH-10.5"""
    report = simulate_file(path, YamlScenarios(), lambda trail: ())
    assert report.expectations
    assert [one for one in report.expectations if not one.met] == []
    assert report.problems == ()
    assert report.passed


def test_the_scenarios_of_the_contract_are_shipped() -> None:
    """AH-10.1, AH-10.2, AH-10.3, AH-10.4, AH-10.5"""
    assert {path.stem for path in SHIPPED} >= {
        "three-failures-degrade", "ten-failures-quarantine", "recovery-after-quarantine", "regression-rolls-back",
    }  # fmt: skip


def test_a_simulation_is_the_same_every_time() -> None:
    """AH-10.5"""
    for path in SHIPPED:
        first, second = (simulate(YamlScenarios().read(path)) for _ in range(2))
        assert first == second


def test_the_report_tells_transitions_thresholds_and_counts_over_time() -> None:
    """AH-7.2, AH-8.2"""
    report = simulate(YamlScenarios().read(SCENARIOS / "three-failures-degrade.yaml"))
    [change] = report.transitions
    assert (change.at_s, change.from_state, change.to_state) == (40.0, ExecutionState.RUNNING, ExecutionState.DEGRADED)
    assert [(point.state, point.min_confidence, point.learning_enabled) for point in report.thresholds] == [
        (ExecutionState.RUNNING, 0.72, True),
        (ExecutionState.DEGRADED, 0.82, False),
    ]
    counts = report.steps
    assert (counts.asked, counts.executed, counts.refused, counts.succeeded, counts.failed) == (5, 5, 0, 2, 3)
    assert report.final_states == {"WF_invoices": ExecutionState.DEGRADED}
    assert report.duration_s == 50.0


def test_an_expectation_that_is_not_met_says_what_was_seen() -> None:
    """AH-10.5"""
    report = simulate(
        scenario(
            "[{step: E1, result: failed, times: 3}]",
            expect="[{state: running}, {state: running, at_s: 20}, {transition: [running, degraded], times: 2},"
            " {alert: quarantine}, {refused_steps: 1}, {min_confidence: 0.72}, {version_in_use: v007}]",
        )
    )
    assert not report.passed
    assert [(one.met, one.seen) for one in report.expectations] == [
        (False, "degraded"),
        (True, "running"),
        (False, "30 s"),
        (False, "0 alerts"),
        (False, "0"),
        (False, "0.82"),
        (False, "v001"),
    ]


def test_other_workflows_and_the_global_pause_can_be_played() -> None:
    """AH-2.3"""
    steps = ", ".join(f"{{step: E1, result: failed, times: 5, workflow_id: WF{number}}}" for number in range(6))
    policy = "{mode: hybrid, global_pause_enabled: true}"
    report = simulate(
        scenario(f"[{steps}, {{step: E1}}]", policy=policy, expect="[{alert: global_pause, times: 1}, {state: paused}]")
    )
    assert report.passed, report.expectations


def test_a_policy_that_changes_in_the_middle_holds_from_the_next_step_on() -> None:
    """AH-6.5"""
    report = simulate(
        scenario(
            "[{step: E1}, {policy: {mode: conservative}}, {step: E1, result: failed, times: 2}]",
            expect="[{min_confidence: 0.72, at_s: 9}, {min_confidence: 0.8, at_s: 10}, {state: degraded}]",
        )
    )
    assert report.passed, report.expectations


def test_a_transition_the_table_refuses_is_a_finding_and_not_the_end() -> None:
    """AH-10.5"""
    report = simulate(
        scenario(
            "[{transition: {to_state: paused, who: anne}}, {transition: {to_state: running, who: system}}, {step: E1}]"
        )
    )
    assert len(report.problems) == 1
    assert report.final_states == {"WF": ExecutionState.PAUSED}


def test_a_workflow_with_a_scenario_has_a_mini_report_and_one_without_has_none(tmp_path: Path) -> None:
    """AH-2.5, AH-7.2"""
    text = (SCENARIOS / "ten-failures-quarantine.yaml").read_text(encoding="utf-8")
    (tmp_path / "WF_invoices.yaml").write_text(text, encoding="utf-8")
    report = mini_reports(YamlScenarios(), lambda workflow_id: tmp_path / f"{workflow_id}.yaml")
    found = report("WF_invoices")
    assert found is not None
    assert found["passed"] is True
    assert found["final_states"] == {"WF_invoices": "quarantined"}
    assert len(found["transitions"]) == 2
    assert report("WF_other") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name: x\nworkflow_id: WF\nscript: [{step: E1}]\nsteps: 3\n", "steps"),
        ("name: x\nworkflow_id: WF\n", "either a script or a history"),
        ("name: x\nworkflow_id: ../etc\nscript: [{step: E1}]\n", "workflow_id"),
        ("name: x\nworkflow_id: WF\nhistory: ../../audit.jsonl\n", "history"),
        ("name: x\nworkflow_id: WF\nhistory: /etc/passwd\n", "history"),
        ("name: x\nworkflow_id: WF\nscript: [{step: E1, wait_s: 3}]\n", "exactly one of step"),
        ("name: x\nworkflow_id: WF\nscript: [{result: failed}]\n", "exactly one of step"),
        ("name: x\nworkflow_id: WF\nscript: [{step: E1, failure_kind: LOW_CONFIDENCE}]\n", "failure_kind"),
        ("name: x\nworkflow_id: WF\nscript: [{step: E1, failure_kind: BROKEN, result: failed}]\n", "failure_kind"),
        ("name: x\nworkflow_id: WF\nscript: [{step: E1}]\npolicy: {mode: reckless}\n", "mode"),
        ("name: x\nworkflow_id: WF\nscript: [{step: E1}]\npolicy: {min_confidence: 0.7}\n", "min_confidence"),
        ("name: x\nworkflow_id: WF\nscript: [{step: E1}]\nexpect: [{at_s: 3}]\n", "exactly one of state"),
        ("name: x\nname: y\nworkflow_id: WF\nscript: [{step: E1}]\n", "twice"),
        ("a: &a [x, x]\nb: [*a, *a]\n", "aliases"),
        ("name: !!python/object/apply:os.system [ls]\n", "YAML"),
        ("- a list\n", "mapping"),
        ("name: [\n", "YAML"),
        ("name: x\nworkflow_id: WF\nscript: [{step: E1, times: 10000000}]\n", "times"),
        ("name: x\nworkflow_id: WF\nstart: 2026-02-31\nscript: [{step: E1}]\n", "YAML"),
        ("name: x\nworkflow_id: WF\n3: x\nscript: [{step: E1}]\n", "key"),
    ],
)  # fmt: skip
def test_a_file_that_is_wrong_is_refused_by_name_and_place(text: str, said: str) -> None:
    """AH-10.5"""
    with pytest.raises(DocumentError, match=said) as caught:
        parse_scenario(text.encode(), where="wrong.yaml")
    assert str(caught.value).startswith("wrong.yaml: ")
    assert "docs/simulation.md" in caught.value.remedy


def test_every_mistake_is_named_with_its_line_in_words() -> None:
    """AH-10.5"""
    text = (
        "name: x\nworkflow_id: WF\nscript:\n  - step: E1\n    tmes: 3\n  - step: E2\n    times: 0\n    result: broken\n"
    )
    with pytest.raises(DocumentError) as caught:
        parse_scenario(text.encode(), where="x.yaml")
    said = str(caught.value)
    assert "line 5: script.0.tmes: there is no such key; did you mean 'times'?" in said
    assert "line 7: script.1.times: must be at least 1, and is 0" in said
    assert "line 8: script.1.result: must be one of " in said
    with pytest.raises(DocumentError, match="line 2: not valid YAML"):
        parse_scenario(b"name: x\nname: y\n", where="x.yaml")


def test_nothing_is_known_of_a_moment_behind_the_end() -> None:
    """AH-10.5"""
    report = simulate(
        scenario("[{step: E1, times: 2}]", expect="[{state: running, at_s: 20}, {state: running, at_s: 21}]")
    )
    assert [(one.met, one.seen) for one in report.expectations] == [(True, "running"), (False, "it ended after 20 s")]
    assert not report.passed


def test_a_file_that_is_not_there_or_too_large_is_refused(tmp_path: Path) -> None:
    """AH-10.5"""
    with pytest.raises(UsageError, match="no such file"):
        YamlScenarios().read(tmp_path / "none.yaml")
    large = tmp_path / "large.yaml"
    large.write_bytes(b"#" * 2_000_000)
    with pytest.raises(DocumentError, match="bytes"):
        YamlScenarios().read(large)
    (tmp_path / "latin.yaml").write_bytes(b"name: \xe9\n")
    with pytest.raises(DocumentError, match="UTF-8"):
        YamlScenarios().read(tmp_path / "latin.yaml")


def test_a_start_is_a_moment_with_a_zone() -> None:
    """AH-10.5"""
    text = "name: x\nworkflow_id: WF\nstart: 2026-03-01T08:00:00Z\nscript: [{step: E1}]\n"
    assert simulate(parse_scenario(text.encode(), where="x")).started_at.isoformat() == "2026-03-01T08:00:00+00:00"
    with pytest.raises(DocumentError, match="start"):
        parse_scenario(text.replace("Z", "").encode(), where="x")
