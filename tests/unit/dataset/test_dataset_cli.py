"""The dataset commands as scripts call them."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import pytest
from observed_screens import observed

from rpa_vision.testing.learned import WORKFLOW_ID
from rpa_vision.testing.moving import open_moving

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


def other_weights(folder: Path) -> Path:
    """The shipped encoder with a remark in its file: the same numbers under another checksum, so another space."""
    shipped = Path(__file__).parents[3] / "src/rpa_vision/resources/encoder"
    about = json.loads((shipped / "screens.json").read_text(encoding="utf-8"))
    weights = (shipped / about["file"]).read_bytes() + b"\x32\x05other"  # field 6 of the model: its remark
    (folder / about["file"]).write_bytes(weights)
    told = about | {"sha256": hashlib.sha256(weights).hexdigest()}
    (folder / "screens.json").write_text(json.dumps(told), encoding="utf-8")
    return folder / "screens.json"


def test_an_encoder_that_is_deployed_takes_what_was_learned_along(tmp_path: Path) -> None:
    """L4-14, L3-3: a new space id, and the migration is part of it"""
    moving = open_moving(tmp_path / "data")
    moving.learn()
    moving.world.close()
    root, model = tmp_path / "data", other_weights(tmp_path)
    waiting = rpa_vision("dataset", "deploy", model, "--no-migrate", "--data", root, "--json").json
    assert (waiting["kind"], waiting["version"], "migrated" in waiting) == ("encoder", "v001", False)
    made = rpa_vision("dataset", "deploy", model, "--data", root, "--json")
    assert (made.code, made.json["version"], made.json["failed"]) == (0, "v002", [])
    (moved,) = made.json["migrated"]
    assert (moved["status"], moved["version"]) == ("done", "v002")
    document = json.loads((root / "workflows" / WORKFLOW_ID / "workflow.json").read_text(encoding="utf-8"))
    assert document["embedding_spaces"]["current"] == made.json["space"]
    assert document["embedding_spaces"]["legacy"] == moved["from_spaces"]
    picture = next((root / "workflows" / WORKFLOW_ID / "samples").glob("N2*.png"))
    variable, _, path = made.json["setting"].partition("=")
    known = ("workflows", "where", picture, "--title", "Clinique N2", "--app", "app", "--data", root, "--json")
    found = rpa_vision(*known, **{variable: path}).json
    assert (found["places"][0]["node_id"], found["places"][0]["match"]) == ("N2", True)
    assert rpa_vision(*known).json["not_asked"] == [WORKFLOW_ID], "another encoder's vectors are not compared"


def test_an_encoder_cannot_be_measured_where_no_screen_was_seen_twice(root: Path) -> None:
    """L4-14: evaluate"""
    rpa_vision("dataset", "export", "ds", "--data", root)
    ended = rpa_vision("dataset", "evaluate", "ds", "--what", "encoder", "--data", root, "--json")
    assert ended.code == 2
    assert "two different screens" in ended.json["error"]["remedy"]


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
