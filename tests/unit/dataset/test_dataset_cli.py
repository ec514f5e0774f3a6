"""The dataset commands as scripts call them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from observed_screens import observed

sys.path.insert(0, str(Path(__file__).parents[1] / "cli"))

from command_line import rpa_vision


@pytest.fixture
def root(tmp_path: Path) -> Path:
    observed(tmp_path / "data")
    return tmp_path / "data"


def test_a_dataset_from_export_to_deployment(root: Path, tmp_path: Path) -> None:
    """L4-14, UX-1"""
    made = rpa_vision("dataset", "export", "ds", "--data", root, "--json")
    assert (made.code, made.json["version"], made.json["statistics"]["total_samples"]) == (0, "v001", 9)
    listed = rpa_vision("dataset", "review", "ds", "--data", root, "--limit", 2)
    labels = [json.loads(line) for line in listed.out.splitlines()]
    assert len(labels) == 2
    answers = tmp_path / "answers.jsonl"
    answers.write_text("\n".join(json.dumps({**one, "verdict": "accept"}) for one in labels), encoding="utf-8")
    said = ("--answers", answers, "--accept", "sess_b.shot_0")
    taken = rpa_vision("dataset", "review", "ds", *said, "--data", root, "--json")
    assert taken.json["taken"] == 3
    measured = rpa_vision("dataset", "evaluate", "ds", "--data", root, "--json")
    assert measured.code == 0
    assert 0.0 <= measured.json["f1"] <= 1.0
    shipped = Path(__file__).parents[3] / "src/rpa_vision/resources/detector/elements.json"
    installed = rpa_vision("dataset", "deploy", shipped, "--data", root, "--json")
    assert (installed.code, installed.json["version"]) == (0, "v001")
    variable, _, path = installed.json["setting"].partition("=")
    seen = rpa_vision("detect", root / made_picture(root), "--json", **{variable: path})
    assert seen.code == 0
    assert rpa_vision("dataset", "list", "--data", root, "--json").json["datasets"][0]["samples"] == 9


def made_picture(root: Path) -> Path:
    return next((root / "datasets").rglob("*.png")).relative_to(root)


def test_training_without_torch_says_what_is_missing(root: Path) -> None:
    """L4-14: exit code 2"""
    rpa_vision("dataset", "export", "ds", "--data", root)
    ended = rpa_vision("dataset", "train", "ds", "--data", root)
    assert ended.code == 2
    assert "torch" in ended.cause
    assert "RPA_VISION_TRAINING_PYTHON" in ended.remedy


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("dataset", "export", "../x"), "dataset"),
        (("dataset", "export", "ds", "--type", "gizmo"), "element_types"),
        (("dataset", "export", "ds", "--min-state", "GENIUS"), "min_learning_state"),
        (("dataset", "export", "ds", "--workflow", "nobody"), "nobody"),
        (("dataset", "evaluate", "nothing"), "there is no dataset 'nothing'"),
        (("dataset", "deploy", "nothing.json"), "nothing.json"),
    ],
)
def test_wrong_use_is_told_in_two_lines(root: Path, arguments: tuple[str, ...], told: str) -> None:
    """UX-1"""
    ended = rpa_vision(*arguments, "--data", root)
    assert ended.code == 2
    assert told in ended.cause
