"""What the demo says in the end can be typed as it stands."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rpa_vision.cli.demo import _command


@pytest.mark.parametrize(
    ("called", "on_path", "said"),
    [
        (".venv/bin/rpa-vision", False, ".venv/bin/rpa-vision"),
        (".venv/bin/rpa-vision", True, "rpa-vision"),
        ("rpa_vision/__main__.py", False, "rpa-vision"),
    ],
)
def test_the_next_command_is_called_as_this_one_was(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, called: str, on_path: bool, said: str
) -> None:
    """UX-1: `make demo` runs in a virtualenv that nobody has activated"""
    if on_path:
        program = tmp_path / "rpa-vision"
        program.write_text("#!/bin/sh\n", encoding="utf-8")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "argv", [called, "demo"])
    assert _command() == said
