"""What kind of value is this? Infer the type of a variable from examples, and check a value against it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rpa_vision.errors import ParameterError
from rpa_vision.models.day_forms import written_as
from rpa_vision.models.variables import Variable, VariableSource, VariableType, VariableValidation
from rpa_vision.models.wording import folded
from rpa_vision.models.written_values import as_date, as_number, date_format

_INTEGER = re.compile(r"^[+-]?\d{1,15}$")
_AMOUNT = r"^([A-Za-z]{2,5}\s*)?[^A-Za-z\d]*[+\-−]?\d[\d .,'’\u00a0\u202f]*\s*([A-Za-z]{2,5}|[€$£])?$"
_CURRENCY = re.compile(r"[€$£]|\b(EUR|USD|GBP|CHF|euros?)\b", re.IGNORECASE)
_EMAIL = re.compile(r"^[^@\s]+@[^@\s]+\.[^@\s]+$")
_IDENTIFIER = re.compile(r"^(?=.*\d)[A-Za-z0-9]+([-_/.][A-Za-z0-9]+)*$")
_DATE_PARTS = {"%d": r"\d{1,2}", "%m": r"\d{1,2}", "%y": r"\d{2}", "%Y": r"\d{4}", "%H": r"\d{1,2}", "%M": r"\d{2}",
               "%S": r"\d{2}"}  # fmt: skip


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
    if variable.type in ("datetime", "float"):
        text = written_like(text, [str(example) for example in variable.example_values])
    problem = _problem(variable, text)
    if problem is not None:
        examples = ", ".join(str(example) for example in variable.example_values[:3])
        raise ParameterError(
            f"variable {name!r}: {value!r} {problem}",
            remedy=f"Give --param {name}=VALUE with a {variable.subtype or variable.type} such as: {examples or '?'}.",
        )
    return text


def written_like(text: str, examples: Sequence[str]) -> str:
    """A date or an amount as it was written in the demonstrations, where they all wrote it one way.

    Only how it is written changes, never what it is: the form of a date, and the sign before the decimals.
    """
    moment = as_date(text)
    if moment is not None and examples and all(as_date(example) is not None for example in examples):
        rewritten = written_as(moment, examples)
        return rewritten if rewritten is not None and as_date(rewritten) == moment else text
    text = _without_currency(text, examples)
    signs = {sign for example in examples if (sign := _decimal_sign(example))}
    sign = _decimal_sign(text)
    if len(signs) == 1 and sign and as_number(text) is not None and sign not in signs:
        rewritten = _with_decimal_sign(text, sign, signs.pop())
        return rewritten if as_number(rewritten) == as_number(text) else text
    return text


def _without_currency(text: str, examples: Sequence[str]) -> str:
    """Without currency, and without spaces between thousands, where no example has them."""
    number = as_number(text)
    if number is None or not examples or any(as_number(example) is None for example in examples):
        return text
    bare = text
    if not any(_CURRENCY.search(example) for example in examples):
        bare = _CURRENCY.sub("", bare).strip()
        if not any(re.search(r"\d\s\d", example) for example in examples):
            bare = re.sub(r"(?<=\d)\s(?=\d)", "", bare)
    return bare if as_number(bare) == number else text


def _decimal_sign(text: str) -> str:
    """The comma or point before the decimals of an amount; empty where there are none."""
    found = re.search(r"([.,])\d{1,2}\D*$", text.strip())
    return found[1] if found is not None and as_number(text) is not None else ""


def _with_decimal_sign(text: str, old: str, new: str) -> str:
    head, _, tail = text.rpartition(old)
    return f"{head.replace(new, '')}{new}{tail}"


def _classify(texts: list[str]) -> tuple[VariableType, str | None, VariableValidation | None]:
    if all(as_date(text) is not None for text in texts):
        return "datetime", "date", _date_validation(texts)
    if all(_EMAIL.match(text) for text in texts):
        return "string", "email", VariableValidation(regex=_EMAIL.pattern)
    # Numbers with leading zeros are names of things, not quantities.
    if all(_INTEGER.match(text) and (text == "0" or not text.lstrip("+-").startswith("0")) for text in texts):
        return "integer", None, None
    if all(as_number(text) is not None for text in texts) and any(re.search(r"[.,]\d", text) for text in texts):
        return "float", "amount", VariableValidation(regex=_AMOUNT)
    if all(_IDENTIFIER.match(text) for text in texts):
        return "string", "id", VariableValidation(regex=common_regex(texts))
    distinct = {folded(text) for text in texts}
    if len(texts) >= 5 and 2 <= len(distinct) <= len(texts) // 2:
        return "choice", None, VariableValidation(choices=tuple(dict.fromkeys(texts)))
    return "string", None, None


def _date_validation(texts: Sequence[str]) -> VariableValidation | None:
    """The form that all examples have, as a pattern; None where they differ, or the month is a word."""
    formats = {date_format(text) for text in texts}
    if len(formats) != 1 or (form := formats.pop()) is None:
        return None
    pattern = re.escape(form)
    for part, digits in _DATE_PARTS.items():
        pattern = pattern.replace(part, digits)
    return VariableValidation(regex=f"^{pattern}$")


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
