"""What the demo says in the end can be typed as it stands."""

from __future__ import annotations

import sys

import pytest

from rpa_vision.cli.demo import _command


@pytest.mark.parametrize(
    ("called", "activated", "said"),
    [
        (".venv/bin/rpa-vision", False, ".venv/bin/rpa-vision"),
        (".venv/bin/rpa-vision", True, "rpa-vision"),
        ("rpa_vision/__main__.py", False, "rpa-vision"),
    ],
)
def test_the_next_command_is_called_as_this_one_was(
    monkeypatch: pytest.MonkeyPatch, called: str, activated: bool, said: str
) -> None:
    """UX-1: `make demo` runs in a virtualenv that nobody has activated"""
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    if activated:
        monkeypatch.setenv("VIRTUAL_ENV", ".venv")
    monkeypatch.setattr(sys, "argv", [called, "demo"])
    assert _command() == said
