"""docs/policy.md and docs/auto-heal.md say what the code does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from rpa_vision.models.auto_heal import ExecutionState
from rpa_vision.models.policy import PRESETS, AutoHealPolicy
from rpa_vision.system.regression_watch import Look
from rpa_vision.system.state_machine import TABLE, Occasion

DOCS = Path(__file__).parents[3] / "docs"
SYSTEM = Path(__file__).parents[3] / "src" / "rpa_vision" / "system"


def rows(document: str) -> list[list[str]]:
    lines = (DOCS / document).read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]


KEYS = {row[0].strip("`"): row for row in rows("policy.md")[1:]}


def shown(value: object) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value).strip("`")


def test_every_policy_key_is_documented_and_every_documented_one_exists():
    """AH-6.2; HOUSE: docs cannot lie"""
    assert sorted(KEYS) == sorted(AutoHealPolicy.model_fields)


@pytest.mark.parametrize("key", AutoHealPolicy.model_fields)
def test_the_documented_defaults_are_those_of_the_presets(key: str):
    """AH-6.3"""
    for mode, told in zip(PRESETS, KEYS[key][3:], strict=True):
        assert told.strip("`") == shown(getattr(AutoHealPolicy(mode=mode), key))


@pytest.mark.parametrize("key", AutoHealPolicy.model_fields)
def test_the_documented_ranges_are_those_that_are_checked(key: str):
    """AH-6.2"""
    schema: dict[str, Any] = AutoHealPolicy.model_json_schema()["properties"][key]
    _, meaning, told, *_ = KEYS[key]
    assert len(meaning) > 8
    if "minimum" in schema:
        assert told == f"{schema['minimum']} – {schema['maximum']}"
    else:
        values = schema.get("enum") or ([schema["const"]] if "const" in schema else [True, False])
        assert [value.strip("` ") for value in told.split(",")] == [shown(value) for value in values]


def test_every_state_and_every_way_of_the_table_is_documented():
    """AH-1.1 P001-1"""
    transitions = rows("auto-heal.md")
    told: set[tuple[str, str]] = set()
    for row in transitions:
        for start in re.findall(r"`(\w+)`", row[0]):
            told |= {(start, to) for to in re.findall(r"`(\w+)`", row[1])}
    back = {(start, to) for (start, to), why in TABLE.items() if why is Occasion.BACK_BY_HAND}
    assert {(start.value, to.value) for start, to in TABLE.keys() - back} <= told
    states = {state.value for state in ExecutionState}
    assert {(start, to) for start, to in told if start in states and to in states} <= {
        (start.value, to.value) for start, to in TABLE
    }
    assert states <= {row[0].strip("`") for row in transitions}


def test_the_documented_levels_are_those_of_the_code():
    """AH-4.4"""
    told = [float(row[1]) for row in rows("auto-heal.md") if re.fullmatch(r"0\.\d+", row[1])]
    assert told == [look.value for look in Look]


def test_every_audit_kind_of_the_supervisor_is_documented():
    """AH-5.1"""
    sources = "\n".join(path.read_text(encoding="utf-8") for path in SYSTEM.glob("*.py"))
    used = set(re.findall(r'audit(?:_log)?(?:\.append)?\(\s*"(\w+)"', sources))
    used |= {"step_allowed", "step_blocked", "global_pause", "global_resume"}
    text = (DOCS / "auto-heal.md").read_text(encoding="utf-8")
    told = set(re.findall(r"`(\w+)`", text.partition("Audit entries of the supervisor")[2]))
    assert used <= told
