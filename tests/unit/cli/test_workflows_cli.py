"""The workflow commands as scripts call them: show, export, edit, import, migrate, where."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from command_line import make_data, rpa_vision

from rpa_vision.testing.learned import WORKFLOW_ID
from rpa_vision.testing.moving import open_moving


@pytest.fixture
def root(tmp_path: Path) -> Path:
    moving = open_moving(tmp_path / "data")
    moving.learn()
    moving.world.close()
    return tmp_path / "data"


def test_a_workflow_is_shown_in_both_languages(root: Path) -> None:
    """UX-6"""
    english = rpa_vision("workflows", "show", WORKFLOW_ID, "--data", root)
    french = rpa_vision("workflows", "show", WORKFLOW_ID, "--lang", "fr", "--data", root)
    assert "1. Click the button “Suivant”" in english.out
    assert "1. Cliquer sur le bouton « Suivant »" in french.out
    assert rpa_vision("workflows", "show", WORKFLOW_ID, "--lang", "de", "--data", root).code == 2


def test_export_edit_import(root: Path, tmp_path: Path) -> None:
    """UX-6"""
    out = tmp_path / "w.json"
    made = rpa_vision("workflows", "export", WORKFLOW_ID, "--format", "json", "--out", out, "--data", root, "--json")
    assert (made.code, made.json["path"]) == (0, str(out))
    assert all(Path(file).is_file() for file in made.json["files"])
    same = rpa_vision("workflows", "import", out, "--data", root, "--json")
    assert (same.code, same.json["status"], same.json["version"]) == (0, "unchanged", 1)
    text = out.read_text(encoding="utf-8")
    out.write_text(text.replace('"label": "Suivant"', '"label": "Valider"', 1), encoding="utf-8")
    changed = rpa_vision("workflows", "import", out, "--data", root, "--json")
    assert (changed.json["status"], changed.json["version"]) == ("updated", 2)
    out.write_text(text.replace('"to_node": "N3"', '"to_node": "N9"', 1), encoding="utf-8")
    wrong = rpa_vision("workflows", "import", out, "--data", root, "--json")
    line = next(n for n, row in enumerate(out.read_text(encoding="utf-8").splitlines(), 1) if '"to_node": "N9"' in row)
    assert (wrong.code, wrong.json["error"]["code"]) == (2, "workflow.invalid_file")
    assert f"line {line}: edges.E2.to_node: there is no node 'N9'" in wrong.json["error"]["message"]
    again = rpa_vision("workflows", "export", WORKFLOW_ID, "--format", "json", "--out", out, "--data", root)
    assert again.code == 2
    assert "is there already" in again.cause


def test_markdown_and_bpmn(root: Path, tmp_path: Path) -> None:
    """UX-6, issue 5"""
    out = tmp_path / "sop.md"
    made = rpa_vision("workflows", "export", WORKFLOW_ID, "--format", "md", "--out", out, "--data", root, "--json")
    text = out.read_text(encoding="utf-8")
    pictures = [Path(file) for file in made.json["files"]]
    assert pictures
    for picture in pictures:
        assert picture.read_bytes().startswith(b"\x89PNG")
        assert f"(sop.files/{picture.name})" in text
    printed = rpa_vision("workflows", "export", WORKFLOW_ID, "--format", "bpmn", "--out", "-", "--data", root)
    assert Xml.fromstring(printed.out.encode()).tag.endswith("definitions")


def test_a_workflow_moves_to_the_space_of_the_default_encoder_once(root: Path) -> None:
    """L3-3"""
    for status in ("done", "already"):
        ended = rpa_vision("workflows", "migrate", "--all", "--data", root, "--json")
        assert ended.code == 0
        assert [(one["workflow_id"], one["status"]) for one in ended.json["migrated"]] == [(WORKFLOW_ID, status)]
    assert rpa_vision("workflows", "migrate", "--data", root).code == 2
    assert rpa_vision("workflows", "migrate", "nobody", "--data", root).code == 2


def test_a_workflow_of_old_that_kept_no_screens_is_told_so(root: Path) -> None:
    """L3-3: it goes on in its own space"""
    path = root / "workflows" / WORKFLOW_ID / "workflow.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    for node in document["nodes"]:
        prototype = node["screen_template"]["embedding_prototype"]
        prototype["samples"], prototype["space"]["id"] = [], "of_old_v0"
    path.write_text(json.dumps(document), encoding="utf-8")
    ended = rpa_vision("workflows", "migrate", WORKFLOW_ID, "--data", root, "--json")
    assert ended.code == 1
    assert ended.json["failed"][0]["code"] == "embedding.not_migrated"
    assert "learn" in ended.json["failed"][0]["remedy"]


def test_a_picture_is_placed_among_all_workflows(root: Path) -> None:
    """Issue 5: where am I?"""
    picture = next((root / "workflows" / WORKFLOW_ID / "samples").glob("N2*.png"))
    window = ("--app", "app", "--title", "Clinique N2")
    ended = rpa_vision("workflows", "where", picture, *window, "--data", root, "--json", RPA_VISION_ENCODER="hashed")
    assert ended.code == 0
    assert {place["workflow_id"] for place in ended.json["places"]} == {WORKFLOW_ID}
    first = ended.json["places"][0]
    assert (first["node_id"], first["match"], first["goes_on_with"]) == ("N2", True, "E2"), "a run goes on from there"
    last = next((root / "workflows" / WORKFLOW_ID / "samples").glob("N3*.png"))
    window = ("--app", "app", "--title", "Clinique N3")
    ended = rpa_vision("workflows", "where", last, *window, "--data", root, "--json", RPA_VISION_ENCODER="hashed")
    assert ended.json["places"][0]["goes_on_with"] is None
    assert "not exactly one step begins there" in ended.json["places"][0]["why_not"]
    assert rpa_vision("workflows", "where", "--data", root, DISPLAY="").code == 2, "without a picture, the desktop"
    assert rpa_vision("workflows", "where", "nothing.png", "--data", root).code == 2


def test_a_workflow_without_pictures_can_be_exported_too(tmp_path: Path) -> None:
    root = tmp_path / "data"
    make_data(root)
    ended = rpa_vision("workflows", "export", "WF_validation", "--format", "md", "--out", "-", "--data", root)
    assert ended.out.startswith("# Validation facture\n")


def test_a_question_is_shown_and_answered(root: Path, tmp_path: Path) -> None:
    """L4-4: what the demonstrations did not say"""
    out = tmp_path / "w.json"
    rpa_vision("workflows", "export", WORKFLOW_ID, "--format", "json", "--out", out, "--data", root)
    document = json.loads(out.read_text(encoding="utf-8"))
    document["variables"] = {"montant": {"type": "float", "source": {"method": "parameter"}}}
    asked = {"schema_version": "branch_question_v1", "reason": "by_chance", "question": "When?", "ways": ["a", "b"]}
    document["edges"][0]["condition"] = {"type": "expression", "question": asked, "else_edge": "END"}
    out.write_text(json.dumps(document), encoding="utf-8")
    assert rpa_vision("workflows", "import", out, "--data", root).code == 0
    shown = rpa_vision("workflows", "answer", WORKFLOW_ID, "--data", root, "--json")
    assert (shown.code, shown.json["questions"]["E1"]["question"]) == (0, "When?")
    assert rpa_vision("workflows", "answer", WORKFLOW_ID, "E1", "--data", root).code == 2
    wrong = rpa_vision("workflows", "answer", WORKFLOW_ID, "E1", "total < 5", "--data", root, "--json")
    assert (wrong.code, "no variable 'total'" in wrong.json["error"]["message"]) == (2, True)
    given = rpa_vision("workflows", "answer", WORKFLOW_ID, "E1", "montant < 1000", "--data", root, "--json")
    assert (given.code, given.json["version"], given.json["questions"]) == (0, 3, [])
    assert "asks nothing" in rpa_vision("workflows", "answer", WORKFLOW_ID, "--data", root).out
