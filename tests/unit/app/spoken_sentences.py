"""The sentences that the code can say to people, read from the code itself.

A sentence is a text of two words or more that is no docstring, no remedy (those have their own French, by code),
nothing for the log, and no table of words at the top of a module. What is filled in at run time is a HOLE.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import rpa_vision

HOLE = "\0"
_SRC = Path(rpa_vision.__path__[0])
_PATTERN = re.compile(r"\\[bdws]|\(\?[:!=<]|%s|^\^|^%")


def sentences(module: str) -> Iterator[tuple[str, str]]:
    """Each sentence of a module, with where it stands."""
    tree = ast.parse((_SRC / module).read_text(encoding="utf-8"))
    silent = _silent(tree)
    for node in ast.walk(tree):
        if id(node) in silent or not isinstance(node, ast.Constant | ast.JoinedStr):
            continue
        for text in _readings(node):
            if " " in text.strip() and len(re.findall(r"[a-z']{2,}", text)) > 1 and not _PATTERN.search(text):
                yield f"{module}:{node.lineno}", text.strip(" ,;")


def _silent(tree: ast.Module) -> set[int]:
    """What nobody is told: parts of larger texts, docstrings, remedies, logs, tables."""
    kept = [node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign)]
    tables = [node for node in kept if not isinstance(node.value, ast.Constant | ast.JoinedStr)]
    quiet: list[ast.AST] = [node for table in tables for node in ast.walk(table)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            quiet.append(node.value)
        elif isinstance(node, ast.JoinedStr):
            quiet += [part for part in ast.walk(node) if part is not node]
        elif _is_for_nobody(node):
            quiet += ast.walk(node)
    return {id(node) for node in quiet}


def _is_for_nobody(node: ast.AST) -> bool:
    if isinstance(node, ast.keyword):
        return node.arg in ("remedy", "description", "help")
    return isinstance(node, ast.Call) and bool(re.search(r"_log\.|audit\.append|strftime", ast.unparse(node.func)))


def _readings(node: ast.expr) -> list[str]:
    """What a text may read like: with a choice inside, each way."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.IfExp):
        return [*_readings(node.body), *_readings(node.orelse)]
    if not isinstance(node, ast.JoinedStr):
        return [HOLE]
    parts = [_readings(one.value) if isinstance(one, ast.FormattedValue) else _readings(one) for one in node.values]
    quoted = [_quoted(one) for one in node.values]
    ways = product(*parts)
    return ["".join(f"'{text}'" if mark else text for text, mark in zip(way, quoted, strict=True)) for way in ways]


def _quoted(node: ast.expr) -> bool:
    return isinstance(node, ast.FormattedValue) and node.conversion == ord("r")
