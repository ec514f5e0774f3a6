"""docs/audit.md cannot lie: every kind of entry the code writes is known and documented, and no other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import rpa_vision
from rpa_vision.adapters.audit.entries import RECOVERED, REMOVED
from rpa_vision.adapters.audit.jsonl_audit import AuditSettings
from rpa_vision.ports.audit import KINDS

ROOT = Path(__file__).parents[3]
PACKAGE = Path(rpa_vision.__file__).parent
DOCS = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")


def constants(node: ast.expr | None, function: ast.AST) -> set[str]:
    """The texts an expression can be: a literal, one of two, or a name that was given one of them above."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return {node.value}
    if isinstance(node, ast.IfExp):
        return constants(node.body, function) | constants(node.orelse, function)
    if isinstance(node, ast.Name):
        given = [
            one.value for one in ast.walk(function) if isinstance(one, ast.Assign) and _is(one.targets[0], node.id)
        ]
        return {text for value in given for text in constants(value, ast.Module([], []))}
    return set()


def _is(target: ast.expr, name: str) -> bool:
    return isinstance(target, ast.Name) and target.id == name


def written_kinds() -> Iterator[str]:
    """What is handed to `….append(kind, record)` or to a function called audit. Lists take one argument."""
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        for function in functions:
            for call in ast.walk(function):
                if isinstance(call, ast.Call) and len(call.args) == 2:
                    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
                    if name in ("append", "audit", "_audit", "note", "_note", "_on_decision"):
                        yield from constants(call.args[0], function)


def test_every_kind_that_is_written_is_known() -> None:
    """AH-5.1"""
    written = set(written_kinds())
    assert {"run_requested", "step_result"} <= written
    assert written <= set(KINDS)
    assert set(KINDS) - written <= {RECOVERED, REMOVED}


def test_every_kind_is_documented_and_every_documented_one_exists() -> None:
    """AH-5.1, AH-5.4"""
    documented = re.findall(r"^\| `([a-z_.]+)` \| ", DOCS.partition("## Kinds")[2].partition("\n## ")[0], re.MULTILINE)
    assert sorted(documented) == sorted(KINDS)


def test_every_setting_is_documented() -> None:
    documented = set(
        re.findall(r"^\| `([a-z_]+)` \| ", DOCS.partition("## Settings")[2].partition("\n## ")[0], re.MULTILINE)
    )
    assert documented == set(AuditSettings.__dataclass_fields__)
