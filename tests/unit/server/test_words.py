"""Every text of the dashboard has its French, and no French fills in what the English does not."""

from __future__ import annotations

import ast
import string
from pathlib import Path

import rpa_vision.server.dashboard as dashboard
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
