"""What kind of value is this? Infer the type of a variable from examples, and check a value against it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from rpa_vision.errors import ParameterError
from rpa_vision.models.variables import Variable, VariableSource, VariableType, VariableValidation
from rpa_vision.models.wording import folded

_INTEGER = re.compile(r"^[+-]?\d{1,15}$")
_NUMBER = re.compile(r"^[+-]?(\d{1,3}([ \u00a0\u202f]\d{3})+|\d+)([.,]\d+)?$")
_CURRENCY = re.compile(r"\s*(€|EUR|\$|£|CHF)$")
_EMAIL = re.compile(r"^[^@\s]+@[^@\s]+\.[^@\s]+$")
_IDENTIFIER = re.compile(r"^(?=.*\d)[A-Za-z0-9]+([-_/.][A-Za-z0-9]+)*$")
_DATE_FORMATS = ("%d/%m/%Y", "%Y-%m-%d", "%d-%m-%Y", "%d.%m.%Y", "%d/%m/%y", "%d/%m/%Y %H:%M")


def infer_variable(examples: Sequence[str], source: VariableSource) -> Variable:
    """The narrowest type that all examples have."""
    texts = [example.strip() for example in examples]
    kind, subtype, validation = _classify(texts)
    return Variable(
        type=kind,
        subtype=subtype,
        source=source,
        example_values=tuple(dict.fromkeys(texts)),
        validation=validation,
    )


def check_value(name: str, variable: Variable, value: str) -> str:
    """Give the value as it will be typed, or say what is wrong with it."""
    text = value.strip()
    problem = _problem(variable, text)
    if problem is not None:
        examples = ", ".join(str(example) for example in variable.example_values[:3])
        raise ParameterError(
            f"variable {name!r}: {value!r} {problem}",
            remedy=f"Give --param {name}=VALUE with a {variable.subtype or variable.type} such as: {examples or '?'}.",
        )
    return text


def as_number(text: str) -> float | None:
    """The number a French or English text stands for."""
    bare = _CURRENCY.sub("", text.strip())
    if not _NUMBER.match(bare):
        return None
    return float(re.sub(r"[ \u00a0\u202f]", "", bare).replace(",", "."))


def as_date(text: str) -> datetime | None:
    """The day a text stands for, in the formats people type."""
    for pattern in _DATE_FORMATS:
        try:
            return datetime.strptime(text, pattern)  # noqa: DTZ007 - a day on a form has no time zone
        except ValueError:
            continue
    return None


def _classify(texts: list[str]) -> tuple[VariableType, str | None, VariableValidation | None]:
    if all(as_date(text) is not None for text in texts):
        return "datetime", "date", None
    if all(_EMAIL.match(text) for text in texts):
        return "string", "email", VariableValidation(regex=_EMAIL.pattern)
    # Numbers with leading zeros are names of things, not quantities.
    if all(_INTEGER.match(text) and (text == "0" or not text.lstrip("+-").startswith("0")) for text in texts):
        return "integer", None, None
    if all(as_number(text) is not None for text in texts) and any(re.search(r"[.,]\d", text) for text in texts):
        return "float", "amount", None
    if all(_IDENTIFIER.match(text) for text in texts):
        return "string", "id", VariableValidation(regex=common_regex(texts))
    distinct = {folded(text) for text in texts}
    if len(texts) >= 5 and 2 <= len(distinct) <= len(texts) // 2:
        return "choice", None, VariableValidation(choices=tuple(dict.fromkeys(texts)))
    return "string", None, None


def common_regex(texts: Sequence[str]) -> str | None:
    """A pattern all identifiers share: what they have in common stays, digits that vary become any digits."""
    parts = [re.findall(r"\d+|[A-Za-z]+|.", text) for text in texts]
    if len({len(part) for part in parts}) != 1:
        return None
    pattern = ""
    for column in zip(*parts, strict=True):
        if all(piece.isdigit() for piece in column):
            lengths = {len(piece) for piece in column}
            pattern += rf"\d{{{lengths.pop()}}}" if len(lengths) == 1 else r"\d+"
        elif len(set(column)) == 1:
            pattern += re.escape(column[0])
        elif all(piece.isalpha() for piece in column):
            pattern += "[A-Za-z]+"
        else:
            return None
    return f"^{pattern}$"


def _problem(variable: Variable, text: str) -> str | None:
    if not text:
        return "is empty" if variable.required else None
    if any(not char.isprintable() for char in text):
        return "holds characters that cannot be typed"
    if variable.type == "integer" and not _INTEGER.match(text):
        return "is not a whole number"
    number = as_number(text)
    if variable.type == "float" and number is None:
        return "is not a number"
    if variable.type == "datetime" and as_date(text) is None:
        return "is not a date"
    if variable.type == "boolean" and folded(text) not in ("true", "false", "oui", "non", "yes", "no", "0", "1"):
        return "is neither yes nor no"
    rules = variable.validation
    if rules is None:
        return None
    if rules.choices is not None and folded(text) not in {folded(str(choice)) for choice in rules.choices}:
        return "is not one of the known choices"
    if rules.regex is not None and not re.search(rules.regex, text):
        return f"does not look like {rules.regex}"
    if number is not None and rules.min is not None and number < rules.min:
        return f"is below {rules.min:g}"
    if number is not None and rules.max is not None and number > rules.max:
        return f"is above {rules.max:g}"
    return None
