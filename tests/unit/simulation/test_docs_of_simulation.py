"""The manuals of scenarios, failure cases and precision say what the code has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rpa_vision.adapters.scenarios.yaml_scenarios import parse_scenario
from rpa_vision.execution import calibration
from rpa_vision.models.failure_case import FailureCase
from rpa_vision.models.scenario import Expectation, PlayedTransition, Scenario, ScriptEvent
from rpa_vision.system import failure_cases, precision
from rpa_vision.system.simulation import simulate

DOCS = Path(__file__).parents[3] / "docs"


def manual(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", [Scenario, ScriptEvent, Expectation, PlayedTransition])
def test_every_key_of_a_scenario_is_documented(kind: type[Scenario]) -> None:
    """AH-7.2"""
    text = manual("simulation.md")
    assert [name for name in kind.model_fields if not re.search(rf"\b{name}\b", text)] == []


def test_the_example_of_the_manual_goes_as_it_says() -> None:
    """AH-7.2"""
    [example] = re.findall(r"```yaml\n(.*?)```", manual("simulation.md"), re.DOTALL)
    assert simulate(parse_scenario(example.encode(), where="docs/simulation.md")).passed


def test_every_field_of_a_failure_case_is_documented() -> None:
    """AH-7.1"""
    text = manual("failure-cases.md")
    unsaid = [name for name in FailureCase.model_fields if f"`{name}`" not in text and name not in ("report",)]
    assert unsaid in ([], ["schema_version", "case_id"])
    assert str(failure_cases.MAX_CASES) in text
    assert f"{failure_cases.MAX_TOTAL_BYTES // 1024**2} MB" in text


def test_the_numbers_of_the_formulas_are_those_of_the_code() -> None:
    """AH-7.4"""
    text = manual("precision.md")
    assert f"**{calibration.MIN_EVIDENCE}** claims" in text
    assert f"k = {calibration.PRIOR_CLAIMS}" in text
    assert f"{calibration.STRATEGY_FLOOR}, 1 )" in text
    assert f"**{calibration.ELEMENT_FLOOR}**" in text
    assert f"{precision.WINDOW_DAYS} days" in text
