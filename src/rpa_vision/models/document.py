"""What every stored document has in common: frozen, strict, no unknown fields, JSON both ways.

JSON mode is strict about types but reads what JSON can write (ISO dates as strings, tuples as lists). Whatever is
given to `from_json`, the answer is a document or a DocumentError that names the file and the field.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from rpa_vision.errors import DocumentError

JsonObject = dict[str, Any]

MAX_DEPTH = 150  # the strict JSON reader gives up a little further down, without naming a field
_FIELD_FIRST = re.compile(r"^([A-Za-z_][\w.\-]*): (.+)$", re.DOTALL)


class Part(BaseModel):
    """A piece of a document."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False, populate_by_name=True)


class Document(Part):
    """A piece that is stored, or crosses a border, by itself."""

    def to_json(self) -> JsonObject:
        """Give the document as plain JSON values, defaults included."""
        data: JsonObject = json.loads(self.model_dump_json(by_alias=True))
        return data

    @classmethod
    def from_json(cls, data: JsonObject | str | bytes, *, where: str = "document") -> Self:
        """Read a document, or say which field of which file is wrong."""
        try:
            value = json.loads(data) if isinstance(data, (str, bytes)) else data
        except RecursionError as error:
            raise DocumentError(f"{where}: nested too deeply") from error
        except UnicodeDecodeError as error:
            raise DocumentError(f"{where}: not a text in UTF-8, from byte {error.start} on") from error
        except ValueError as error:
            raise DocumentError(f"{where}: not valid JSON ({error})") from error
        if not isinstance(value, dict):
            raise DocumentError(f"{where}: a JSON object was expected")
        if not _is_plainly_json(value):
            _refuse_what_json_cannot_say(value, where)
        try:
            # Strict types are checked in JSON mode, where a list is a tuple and a string a date.
            return cls.model_validate_json(json.dumps(cls._accept(value), ensure_ascii=False))
        except ValidationError as error:
            raise DocumentError(describe(error, where)) from error

    def written(self, *, where: str = "document") -> bytes:
        """As a file holds it, checked to be readable again: nobody checks a model when it is copied."""
        data = self.model_dump_json(by_alias=True, indent=2).encode() + b"\n"
        if self._is_nested_deeply(data) or not self._is_read_at_once(data):
            self.from_json(data, where=where)
        return data

    @classmethod
    def _is_read_at_once(cls, data: bytes) -> bool:
        """Whether the strict reader takes it as it is. It alone decides over what pydantic itself has written, a third
        of the time of looking for all that JSON of others can hold; where it objects, that says what is wrong."""
        try:
            cls.model_validate_json(data)
        except ValidationError:
            return False
        return True

    @staticmethod
    def _is_nested_deeply(data: bytes) -> bool:
        """Whether a line is indented as far as what is refused when it is read."""
        return b" " * (2 * MAX_DEPTH) in data

    @classmethod
    def _accept(cls, data: JsonObject) -> JsonObject:
        """Turn other accepted spellings of a document into the canonical one (docs/names.md lists them)."""
        return data


def describe(error: ValidationError, where: str) -> str:
    """One line that names the file and the first wrong field, and counts the rest."""
    problems = error.errors(include_url=False, include_input=False)
    first = problems[0]
    parts = [str(part) for part in first["loc"]]
    message = first["msg"].removeprefix("Value error, ")
    # A check over several fields has no place of its own; by our habit its message begins with the field.
    named = _FIELD_FIRST.match(message) if first["type"] == "value_error" else None
    if named is not None:
        parts, message = [*parts, named[1]], named[2]
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return ": ".join(part for part in (where, ".".join(parts), message) if part) + more


def unwrapped(data: JsonObject, name: str) -> JsonObject:
    """The document inside `{name: {...}}`, which is how the seeds print some of them."""
    inner = data.get(name)
    return inner if len(data) == 1 and isinstance(inner, dict) else data


def _is_plainly_json(document: JsonObject) -> bool:
    """Whether it certainly says only what JSON can: a quick look, level by level, that keeps no track of names."""
    level: list[Any] = [document]
    for _ in range(MAX_DEPTH):
        below: list[Any] = []
        for container in level:
            if type(container) is dict and not all(type(key) is str and _is_text(key) for key in container):
                return False
            for value in container.values() if type(container) is dict else container:
                kind = type(value)
                if kind is dict or kind is list:
                    below.append(value)
                elif kind is str:
                    if not _is_text(value):
                        return False
                elif kind is float:
                    if not math.isfinite(value):
                        return False
                elif value is not None and kind is not int and kind is not bool:
                    return False
        if not below:
            return True
        level = below
    return False


def _refuse_what_json_cannot_say(document: JsonObject, where: str) -> None:
    """Python reads NaN, infinities and half characters out of JSON, and dictionaries can hold anything at all."""
    left: list[tuple[tuple[str, ...], Any]] = [((), document)]
    while left:
        path, value = left.pop()
        problem: str | None = None
        if isinstance(value, dict):
            if not all(isinstance(key, str) and _is_text(key) for key in value):
                problem = "a key is not text"
            left.extend(((*path, str(key)), item) for key, item in value.items())
        elif isinstance(value, (list, tuple)):
            left.extend(((*path, str(index)), item) for index, item in enumerate(value))
        elif isinstance(value, str):
            problem = None if _is_text(value) else "holds half a character (a lone surrogate)"
        elif isinstance(value, float):
            problem = None if math.isfinite(value) else f"{value} is not a finite number"
        elif not (value is None or isinstance(value, int)):
            problem = f"JSON has no {type(value).__name__}"
        if len(path) > MAX_DEPTH:
            path, problem = path[:6], "nested too deeply"
        if problem is not None:
            raise DocumentError(": ".join(part for part in (where, ".".join(path), problem) if part))


def _is_text(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text)
