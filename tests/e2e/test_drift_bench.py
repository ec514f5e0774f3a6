"""The drift benchmark as a person calls it: real runs after the clinic has changed, judged by its own journal."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.soak
TIMEOUT_S = 420


def bench(folder: Path, *arguments: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "rpa_vision", "bench", "drift", "--folder", str(folder), "--seed", "11", "--json"]
    ended = subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    assert ended.returncode == 0, ended.stderr
    told: dict[str, Any] = json.loads(ended.stdout.strip().splitlines()[-1])
    return told


def test_a_dialog_nobody_was_shown_is_closed_and_a_removed_target_is_not_replaced(tmp_path: Path) -> None:
    """L4-6, EX-5, EX-7: the modal, moved with renamed and dark, and « Valider tout » where « Valider » was"""
    drifts = ("--only", "modal", "--only", "top_dark", "--only", "hidden_lookalike")
    told = bench(tmp_path, *drifts)
    assert (told["completed"], told["halted"], told["wrong"]) == (2, 1, 0), told["stopped"]
    assert told["groups"]["danger"]["points"]["hidden_lookalike"]["halted"] == 1
    assert told["healing_us"]["median"] < 1000
    again = bench(tmp_path, *drifts)
    assert again["groups"] == told["groups"], "what was run is not run again"
