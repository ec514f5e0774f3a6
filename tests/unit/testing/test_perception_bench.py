"""What `rpa-vision bench perception` measures, and what it says of what it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from rpa_vision.cli.main import run_command_line
from rpa_vision.testing.perception_bench import BenchPlan, elements, encoder, robustness, spread, text


def test_a_folder_that_is_not_there_is_wrong_use(capsys):
    """UX-1"""
    assert run_command_line(["bench", "perception", "--screens", "/nowhere/at/all"]) == 2
    assert "there is no folder" in capsys.readouterr().err


@pytest.mark.parametrize("part", [elements, text, encoder])
def test_what_cannot_be_measured_is_said_to_be_missing(part):
    """UX-1"""
    assert str(part(BenchPlan(), lambda _: None)).startswith("missing: give --")


def test_a_time_is_told_with_its_spread():
    """PF"""
    assert spread([3.0, 1.0, 2.0]) == {"median": 2.0, "least": 1.0, "most": 3.0, "rounds": 3}


def test_odd_pictures_are_understood_or_refused_and_always_the_same_way():
    """L2-2"""
    told = robustness()
    assert {told[name] for name in ("corrupt", "not a picture")} == {"refused (image.invalid)"}
    assert {verdict for name, verdict in told.items() if name not in ("corrupt", "not a picture")} == {"understood"}


def test_screens_without_truth_score_nothing(tmp_path: Path):
    """L2-1"""
    told = elements(BenchPlan(screens=tmp_path), lambda _: None)
    assert set(told) == {"detector"}
