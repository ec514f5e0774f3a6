"""Scenarios as YAML files, written by people: plain data only, and every mistake is named with its place.

What is read and what is refused of YAML is told in `adapters.plain_yaml`.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from rpa_vision.adapters.plain_yaml import PlainLoader
from rpa_vision.errors import DocumentError, UsageError
from rpa_vision.models.plain_words import Place, mistakes
from rpa_vision.models.scenario import Scenario

MAX_BYTES = 1024 * 1024
_REMEDY = "docs/simulation.md describes the file, docs/scenarios has examples."


class YamlScenarios:
    """Implements `app.simulate.ScenarioFiles` on the local disk."""

    def read(self, path: Path) -> Scenario:
        """The scenario in a file."""
        try:
            with path.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except FileNotFoundError as error:
            raise UsageError(f"{path}: there is no such file", remedy=_REMEDY) from error
        except OSError as error:
            raise UsageError(f"{path}: cannot be read ({error.strerror})", remedy=_REMEDY) from error
        if len(data) > MAX_BYTES:
            raise DocumentError(f"{path}: has more than {MAX_BYTES:,} bytes", remedy=_REMEDY)
        return parse_scenario(data, where=str(path))

    def find(self, path: Path) -> Scenario | None:
        """The scenario in a file, if there is one."""
        return self.read(path) if path.is_file() else None


def parse_scenario(data: bytes, *, where: str) -> Scenario:
    """The scenario a YAML text describes, or a DocumentError that names the line or the field."""
    try:
        loader = PlainLoader(data.decode("utf-8"))
        root = loader.get_single_node()
        value = loader.construct_document(root) if root is not None else None
    except UnicodeDecodeError as error:
        raise DocumentError(f"{where}: not UTF-8 text", remedy=_REMEDY) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # ValueError: a date such as 2026-02-31
        raise DocumentError(f"{where}: {_yaml_words(error)}", remedy=_REMEDY) from error
    if not isinstance(value, dict):
        raise DocumentError(f"{where}: a scenario is a mapping of keys to values", remedy=_REMEDY)
    try:
        return Scenario.from_json(_as_json(value), where=where)
    except DocumentError as error:
        said, cause = str(error), error.__cause__
        if isinstance(cause, ValidationError):
            said = f"{where}: {'; '.join(mistakes(cause, Scenario, line_of=lambda place: _line(root, place)))}"
        raise DocumentError(said, remedy=_REMEDY) from error


def _yaml_words(error: Exception) -> str:
    """What the reader of YAML stumbled over, and in which line."""
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
    if mark is None or problem is None:
        said = " ".join(str(error).split()) or "nested too deeply"
        return f"not valid YAML ({said})"
    return f"line {mark.line + 1}: not valid YAML ({problem})"


def _line(node: Any, place: Place) -> int | None:
    """The line on which a value stands, or its key, or as much of its place as is there."""
    line = None
    for part in place:
        if isinstance(node, yaml.MappingNode):
            found = next((pair for pair in node.value if pair[0].value == str(part)), None)
            if found is None:
                break
            line, node = found[0].start_mark.line + 1, found[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            line = node.start_mark.line + 1
        else:
            break
    return line


def _as_json(value: Any) -> Any:
    """YAML knows dates; JSON writes them as text."""
    if isinstance(value, dict):
        return {key: _as_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_json(item) for item in value]
    return value.isoformat() if isinstance(value, date) else value
