"""What is wrong with a file that a person wrote, in words for that person: every mistake, each with its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

_WORDS: dict[str, str] = {
    "missing": "is missing",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "string_type": "must be text (in quotes)",
    "dict_type": "must be a mapping of keys to values",
    "model_type": "must be a mapping of keys to values",
    "model_attributes_type": "must be a mapping of keys to values",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "datetime_parsing": "must be a time, as 2026-03-01T08:00:00Z",
    "datetime_from_date_parsing": "must be a time, as 2026-03-01T08:00:00Z",
    "timezone_aware": "must be a time with its zone, as 2026-03-01T08:00:00Z",
}
_NUMBERS = {2: "two numbers are needed: x, y", 4: "a box has four numbers: x1, y1, x2, y2"}
_LIMITS = {
    "greater_than_equal": ("ge", "at least"),
    "less_than_equal": ("le", "at most"),
    "greater_than": ("gt", "more than"),
    "less_than": ("lt", "less than"),
}

Place = tuple[int | str, ...]


def mistakes(
    error: ValidationError, model: type[BaseModel], *, line_of: Callable[[Place], int | None] = lambda place: None
) -> list[str]:
    """One sentence per mistake: the line if it is known, the key, what is wrong with it."""
    found = []
    for problem in error.errors(include_url=False):
        place: Place = problem["loc"]
        line = line_of(place)
        where = ".".join(str(part) for part in place)
        said = _sentence(problem, model)
        found.append("".join((f"line {line}: " if line is not None else "", f"{where}: " if where else "", said)))
    return found


def by_hand(error: ValidationError, model: type[BaseModel]) -> list[tuple[Place, str, ErrorDetails]]:
    """Every mistake with its place: in plain words those that people make who edit a document, a box or a point of too
    few or too many numbers and a field that there is not; the others in the words of whoever checked it."""
    problems = error.errors(include_url=False, include_input=False)
    missing = {problem["loc"] for problem in problems if problem["type"] == "missing"}
    found: dict[tuple[Place, str], ErrorDetails] = {}
    for problem in problems:
        place, kind, said = problem["loc"], problem["type"], problem["msg"].removeprefix("Value error, ")
        if kind == "missing" and isinstance(place[-1], int):
            place = place[:-1]
            said = _NUMBERS[4 if (*place, 3) in missing else 2]
        elif kind == "too_long" and problem["ctx"].get("field_type") == "Tuple":
            said = _NUMBERS.get(problem["ctx"]["max_length"], said)
        elif kind == "extra_forbidden":
            said = f"there is no such field{did_you_mean(str(place[-1]), {*_keys(model), *_all_keys(model)})}"
        found.setdefault((place, said), problem)
    return [(place, said, problem) for (place, said), problem in found.items()]


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The word that was probably meant, as the end of a sentence."""
    near = get_close_matches(word, sorted(known), n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else ""


def _sentence(problem: ErrorDetails, model: type[BaseModel]) -> str:
    kind, context, given = problem["type"], problem.get("ctx", {}), problem.get("input")
    if kind == "extra_forbidden":
        place = problem["loc"]
        known = _keys(model) if len(place) == 1 else _all_keys(model)
        return f"there is no such key{did_you_mean(str(place[-1]), known)}"
    if kind in _LIMITS:
        name, words = _LIMITS[kind]
        return f"must be {words} {context[name]:g}, and is {given}"
    if kind in ("literal_error", "enum"):
        expected = str(context["expected"]).replace("'", "").replace(" or ", ", ")
        return f"must be one of {expected}{_given(given)}"
    if kind == "value_error":
        return problem["msg"].removeprefix("Value error, ")
    if kind in _WORDS:
        return _WORDS[kind] + ("" if kind == "missing" else _given(given))
    return problem["msg"][:1].lower() + problem["msg"][1:]


def _given(value: Any) -> str:
    if value is None:
        return ", and is empty"
    words = str(value).lower() if isinstance(value, bool) else repr(value)
    return f", and is {words}" if len(words) <= 60 else ""


def _keys(model: type[BaseModel]) -> list[str]:
    return list(model.model_fields)


def _all_keys(model: type[BaseModel]) -> list[str]:
    schema = model.model_json_schema()
    return sorted({key for part in schema.get("$defs", {}).values() for key in part.get("properties", {})})
