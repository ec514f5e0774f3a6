"""The command line starts at once, and says what it can do."""

from __future__ import annotations

import subprocess
import sys

import pytest
from command_line import rpa_vision

HEAVY = (
    "cv2", "faiss", "jinja2", "mss", "numpy", "onnxruntime", "pydantic", "rapidfuzz", "rich", "starlette", "uvicorn",
    "Xlib",
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
    "command", ["demo", "record", "sessions", "learn", "workflows", "run", "detect", "doctor", "desktop"]
)
def test_every_command_explains_itself_and_speaks_json(command: str) -> None:
    """UX-1"""
    ended = rpa_vision(command, "--help")
    assert ended.code == 0
    assert "--json" in ended.out


def test_a_bare_command_shows_what_there_is() -> None:
    ended = rpa_vision()
    assert (ended.code, ended.err) == (2, "")
    assert "record" in ended.out


@pytest.mark.parametrize("things", ["sessions", "workflows"])
def test_a_bare_group_lists(things: str, tmp_path: object) -> None:
    ended = rpa_vision(things, "--json", "--data", f"{tmp_path}/none")
    assert (ended.code, ended.json) == (0, {things: [], "unreadable": []})
