"""Every text of the dashboard has its French, and no French fills in what the English does not."""

from __future__ import annotations

import ast
import string
from pathlib import Path

import pytest

import rpa_vision.server.dashboard as dashboard
from rpa_vision.server.dashboard.sayings import in_french, readable_moments
from rpa_vision.server.dashboard.words import FRENCH


def texts() -> set[str]:
    """What pages hand to `t`."""
    found = set()
    for path in Path(dashboard.__path__[0]).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if name == "t" and isinstance(node.args[0].value, str):
                    found.add(node.args[0].value)
    return found


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_every_text_has_its_french() -> None:
    """UX-2"""
    assert sorted(texts() - FRENCH.keys()) == []


def test_the_french_fills_in_what_the_english_does() -> None:
    """UX-2"""
    assert [text for text, french in FRENCH.items() if fields(text) != fields(french)] == []


SAID = (
    "nobody works on display :90: start `rpa-vision work --display :90`",
    "next on :90, after run_1",
    "one run is before it on :90",
    "3 runs are before it on :90",
    "about to begin",
    "paused by a person",
    "everything is paused by anna (fire drill)",
    "the workflow is paused",
    "the workflow is quarantined until 2026-11-16T12:07:07.891474Z",
    "3 rows in a row did not complete: look why, then release the file",
    "the workflow was not allowed to run (paused): then release the file",
    "taken out of the queue by anna",
    "stopped by a person",
    "all 25 steps verified",
    "5 more observed runs; at least 90% like what was learned",
    "a person: rpa-vision workflows approve WF_1 --reason WHY",
)


@pytest.mark.parametrize("sentence", SAID)
def test_what_the_system_says_is_said_in_french_too(sentence: str) -> None:
    """UX-2: word for word as `app.queue`, runs and maturity say it."""
    said = in_french(sentence)
    assert all(one != other for one, other in zip(said.split("; "), sentence.split("; "), strict=True))


def test_what_is_not_known_is_shown_as_it_was_said() -> None:
    """UX-2"""
    assert in_french("« Valider » is not on the screen") == "« Valider » is not on the screen"
    assert readable_moments("until 2026-11-16T12:07:07+00:00.", french=True).startswith("until 16/11/2026 ")
