"""Which line of a JSON text a value stands on, so that a mistake in a document can be shown where it was made.

The text has been read as JSON before; this only finds the places. Nothing in it recurses, however deep the text is.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from dataclasses import dataclass

Path = tuple[str | int, ...]

_TOKEN = re.compile(r'\s*(?:(?P<string>"(?:[^"\\]|\\.)*")|(?P<mark>[{}\[\],:])|(?P<plain>[^\s{}\[\],:"]+))', re.DOTALL)


@dataclass(frozen=True, slots=True)
class JsonPlaces:
    """Where every value of a text begins, and the keys that are there twice."""

    lines: dict[Path, int]
    doubles: tuple[tuple[Path, int], ...] = ()
    text: str = ""

    def line_of(self, path: Path) -> int:
        """The line of a value, or of what holds it where there is no such value. The first line is 1."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)

    def line_saying(self, path: Path, words: str) -> int:
        """The first line of a value that says something, or its first line where none does."""
        first = self.line_of(path)
        last = max((line for one, line in self.lines.items() if one[: len(path)] == path), default=first)
        written = self.text.split("\n")[first - 1 : last]
        return next((first + number for number, line in enumerate(written) if words in line), first)


@dataclass(slots=True)
class _Open:
    """A container that is being read."""

    path: Path
    is_object: bool
    index: int = 0
    key: str | None = None

    @property
    def here(self) -> Path:
        """The way to the value that comes next."""
        return (*self.path, self.key or "" if self.is_object else self.index)


def places_in(text: str) -> JsonPlaces:
    """The places of a text that is valid JSON."""
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    lines: dict[Path, int] = {}
    doubles: list[tuple[Path, int]] = []
    stack: list[_Open] = []
    for token in _TOKEN.finditer(text):
        word, mark = token["string"], token["mark"]
        begin = token.start("string") if word else token.start("mark") if mark else token.start("plain")
        line = bisect_right(starts, begin)
        top = stack[-1] if stack else None
        if mark in ("}", "]"):
            stack.pop()
        elif mark == ",":
            if top is not None and not top.is_object:
                top.index += 1
            elif top is not None:
                top.key = None
        elif mark == ":":
            continue
        elif top is not None and top.is_object and top.key is None:
            top.key = _plain(word or "")
            path = (*top.path, top.key)
            if path in lines:
                doubles.append((path, line))
            lines[path] = line
        else:
            path = top.here if top is not None else ()
            lines.setdefault(path, line)
            if mark is not None:
                stack.append(_Open(path, mark == "{"))
    return JsonPlaces(lines, tuple(doubles), text)


def _plain(word: str) -> str:
    """A key as it is meant: few have escapes."""
    return str(json.loads(word)) if "\\" in word else word[1:-1]
