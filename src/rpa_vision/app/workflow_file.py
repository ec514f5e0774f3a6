"""A workflow in a file that a person may have edited: read, checked, and every mistake shown with its line."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from pydantic import ValidationError

from rpa_vision.errors import DocumentError
from rpa_vision.graph.plan import problems_of
from rpa_vision.models.document import JsonObject
from rpa_vision.models.json_lines import JsonPlaces, Path, places_in
from rpa_vision.models.plain_words import by_hand
from rpa_vision.models.workflow_graph import Workflow

MAX_BYTES = 32 * 1024 * 1024
_MOST_TOLD = 8
_FIELD_FIRST = re.compile(r"^([A-Za-z_][\w.\-]*): (.+)$", re.DOTALL)
_QUOTED = re.compile(r"« (.+?) »|'([^']+)'")
_ID_KEYS = {"nodes": "node_id", "edges": "edge_id"}


class WorkflowFileError(DocumentError):
    """A workflow that was edited by hand and is none any more; the lines are named. Nothing was changed."""

    code = "workflow.invalid_file"
    default_remedy = "Mend the lines named and import it again; docs/workflows.md describes the document."


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is wrong, and on which line."""

    line: int
    field: str
    message: str

    def __str__(self) -> str:
        return ": ".join(part for part in (f"line {self.line}", self.field, self.message) if part)


@dataclass(frozen=True, slots=True)
class WorkflowFile:
    """A valid workflow, and where in its file everything stands."""

    workflow: Workflow
    places: JsonPlaces
    name: str

    def line_of(self, *path: str | int) -> int:
        """The line of a field."""
        return self.places.line_of(path)


def read_workflow_file(data: bytes, name: str) -> WorkflowFile:
    """The workflow in a file, or a WorkflowFileError that names every mistake by its line."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise WorkflowFileError(f"{name}: not a text file (no UTF-8 from byte {error.start} on)") from error
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise WorkflowFileError(f"{name}: line {error.lineno}: not valid JSON: {error.msg}") from error
    except (ValueError, RecursionError) as error:
        raise WorkflowFileError(f"{name}: not valid JSON ({type(error).__name__}: {error})") from error
    places = places_in(text)
    if not isinstance(value, dict):
        raise WorkflowFileError(f"{name}: line 1: a JSON object was expected, not a {type(value).__name__}")
    if "workflow_id" not in value or "nodes" not in value:
        kind = value.get("schema_version")
        what = f" but {kind!r}" if isinstance(kind, str) else ""
        raise WorkflowFileError(f"{name}: line 1: is no workflow{what}: workflow_id and nodes are missing")
    mistakes = [Mistake(line, ".".join(map(str, path)), "stands here a second time") for path, line in places.doubles]
    workflow = None if mistakes else _validated(value, places, mistakes)
    if workflow is not None:
        indexes = {edge.edge_id: index for index, edge in enumerate(workflow.edges)}
        for problem in problems_of(workflow):
            whole: Path = ("edges", indexes[problem.edge_id]) if problem.edge_id is not None else ()
            field = f"edges.{problem.edge_id}" if whole else ""
            mistakes.append(Mistake(_line(places, problem.where or whole, problem.message), field, problem.message))
    refuse(mistakes, name)
    assert workflow is not None
    return WorkflowFile(workflow, places, name)


def refuse(mistakes: list[Mistake], name: str) -> None:
    """Tell the mistakes, if there are any."""
    if not mistakes:
        return
    told = sorted(set(mistakes), key=lambda one: (one.line, one.field))
    more = f"; and {len(told) - _MOST_TOLD} more" if len(told) > _MOST_TOLD else ""
    raise WorkflowFileError(f"{name}: {'; '.join(map(str, told[:_MOST_TOLD]))}{more}")


def _validated(value: JsonObject, places: JsonPlaces, mistakes: list[Mistake]) -> Workflow | None:
    try:
        return Workflow.from_json(value)
    except DocumentError as error:
        cause = error.__cause__
        if not isinstance(cause, ValidationError):
            message = str(error).removeprefix("document: ")
            mistakes.append(Mistake(places.line_of(_path_of(message, value)), "", message))
            return None
    for path, message, problem in by_hand(cause, Workflow):
        named = _FIELD_FIRST.match(message) if problem["type"] == "value_error" else None
        if named is not None:
            path, message = (*path, *_resolved(named[1], value)), named[2]
        mistakes.append(Mistake(_line(places, path, message), ".".join(_told(path, value)), message))
    return None


def _line(places: JsonPlaces, path: Path, message: str) -> int:
    """The line of a field; of a larger part, the line in it that says what the message quotes."""
    quoted = _QUOTED.findall(message)
    words = next((one or other for one, other in quoted), None)
    return places.line_of(path) if words is None else places.line_saying(path, words)


def _path_of(message: str, value: JsonObject) -> Path:
    named = _FIELD_FIRST.match(message)
    return _resolved(named[1], value) if named is not None else ()


def _resolved(field: str, value: JsonObject) -> Path:
    """A field as messages name it (`edges.E3.from_node`) as the way to it (`edges`, 2, `from_node`)."""
    head, _, rest = field.partition(".")
    items = value.get(head)
    key = _ID_KEYS.get(head)
    if key is None or not isinstance(items, list) or not rest:
        return (head, *(int(part) if part.isdecimal() else part for part in rest.split(".") if part))
    ids = [(str(item.get(key)), index) for index, item in enumerate(items) if isinstance(item, dict)]
    fitting = [one for one in ids if rest == one[0] or rest.startswith(f"{one[0]}.")]
    if not fitting:
        return (head,)
    name, index = max(fitting, key=lambda one: len(one[0]))
    below = rest[len(name) + 1 :]
    return (head, index, *(int(part) if part.isdecimal() else part for part in below.split(".") if part))


def _told(path: Path, value: JsonObject) -> list[str]:
    """The way to a field as people name it: by ids, not by numbers."""
    parts = [str(part) for part in path]
    key = _ID_KEYS.get(parts[0]) if parts else None
    if key is not None and len(path) > 1 and isinstance(path[1], int):
        items = value.get(parts[0])
        if isinstance(items, list) and path[1] < len(items) and isinstance(items[path[1]], dict):
            parts[1] = str(items[path[1]].get(key, path[1]))
    return parts
