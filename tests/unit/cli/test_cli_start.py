"""The command line starts at once, and says what it can do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from command_line import NAME, WORKFLOW_ID, make_data, rpa_vision

HEAVY = (
    "cv2", "faiss", "fastapi", "jinja2", "mss", "nicegui", "numpy", "onnxruntime", "pydantic", "rapidfuzz", "rich",
    "starlette", "uvicorn", "Xlib",
)  # fmt: skip


def test_help_loads_nothing_heavy() -> None:
    """UX-1: a start in milliseconds is a matter of what is imported; that is checked, not the milliseconds."""
    code = "import sys, rpa_vision.cli.main; print(*sorted(set(sys.argv[1:]) & set(sys.modules)))"
    ended = subprocess.run([sys.executable, "-c", code, *HEAVY], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == ""


def test_the_version_is_told() -> None:
    ended = rpa_vision("--version")
    assert (ended.code, ended.out.split()[0]) == (0, "rpa-vision")


@pytest.mark.parametrize(
    "command",
    ["demo", "record", "sessions", "learn", "workflows", "run", "detect", "doctor", "desktop", "simulate",
     "heal status", "heal history", "heal pause", "heal resume", "heal transition", "heal versions", "heal rollback",
     "heal audit verify", "policy show", "policy validate", "policy diff", "policy set-mode", "failures list",
     "failures show", "failures replay"],
)  # fmt: skip
def test_every_command_explains_itself_and_speaks_json(command: str) -> None:
    """UX-1"""
    ended = rpa_vision(*command.split(), "--help")
    assert ended.code == 0
    assert "--json" in ended.out


def test_a_bare_command_shows_what_there_is() -> None:
    ended = rpa_vision()
    assert (ended.code, ended.err) == (2, "")
    assert "record" in ended.out


def test_the_data_directory_comes_from_the_option_or_else_from_the_environment(tmp_path: Path) -> None:
    make_data(tmp_path / "one")
    by_variable = rpa_vision("workflows", "--json", RPA_VISION_DATA=str(tmp_path / "one"))
    assert [item["workflow_id"] for item in by_variable.json["workflows"]] == [WORKFLOW_ID]
    by_option = rpa_vision("workflows", "--json", "--data", tmp_path / "two", RPA_VISION_DATA=str(tmp_path / "one"))
    assert by_option.json["workflows"] == []


def test_a_workflow_is_shown_as_a_procedure(tmp_path: Path) -> None:
    """UX-6"""
    make_data(tmp_path / "data")
    ended = rpa_vision("workflows", "show", NAME, "--data", tmp_path / "data")
    assert ended.code == 0
    assert "identifier: id, given before it runs, such as FAC-2026-0001" in ended.out
    assert "On the screen “Factures”:\n  1. Click the link “{identifier}”" in ended.out


@pytest.mark.parametrize("things", ["sessions", "workflows"])
def test_a_bare_group_lists(things: str, tmp_path: Path) -> None:
    ended = rpa_vision(things, "--json", "--data", tmp_path / "none")
    assert (ended.code, ended.json) == (0, {things: [], "unreadable": []})
