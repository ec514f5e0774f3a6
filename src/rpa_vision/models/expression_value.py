"""Whether an expression holds for the values of variables, or why that cannot be told.

Values come as read from screens or given by people, so texts are compared the way people read them (accents, case and
spaces do not count), a text beside a number is read as an amount, beside a day as a date. What cannot be read so is not
guessed: it is an ExpressionValueError that names the place.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime

from rpa_vision.errors import ExpressionValueError
from rpa_vision.models.expression import (
    All,
    Any,
    Comparison,
    Constant,
    Expression,
    Not,
    Value,
    Values,
    Variable,
)
from rpa_vision.models.wording import folded, squeezed
from rpa_vision.models.written_values import as_date, as_number

_YES_NO = {
    "true": True,
    "oui": True,
    "yes": True,
    "vrai": True,
    "false": False,
    "non": False,
    "no": False,
    "faux": False,
}
_MAX_TEXT = 10_000


def holds(expression: Expression, values: Mapping[str, Constant]) -> bool:
    """Judge an expression. All parts are judged only as far as needed, from left to right."""
    if isinstance(expression, All):
        return all(holds(part, values) for part in expression.parts)
    if isinstance(expression, Any):
        return any(holds(part, values) for part in expression.parts)
    if isinstance(expression, Not):
        return not holds(expression.inner, values)
    if isinstance(expression, Comparison):
        return _compared(expression, values)
    return _truth(_value(expression, values), expression.position)


def _value(operand: Value | Variable, values: Mapping[str, Constant]) -> Constant:
    if isinstance(operand, Value):
        return operand.value
    if operand.name not in values:
        raise ExpressionValueError(f"the variable {operand.name!r} has no value", operand.position)
    value = values[operand.name]
    if isinstance(value, str) and len(value) > _MAX_TEXT:
        raise ExpressionValueError(f"the variable {operand.name!r} is too long a text", operand.position)
    return value.date() if isinstance(value, datetime) else value


def _compared(comparison: Comparison, values: Mapping[str, Constant]) -> bool:
    operator, left = comparison.operator, _value(comparison.left, values)
    if isinstance(comparison.right, Values):
        among = any(_equal(left, item.value, item.position) for item in comparison.right.items)
        return among if operator == "in" else not among
    right, at = _value(comparison.right, values), comparison.right.position
    if operator == "contains":
        return _contains(left, right, at)
    if operator in ("in", "not in"):
        return _contains(right, left, at) is (operator == "in")
    if operator in ("==", "!="):
        return _equal(left, right, at) is (operator == "==")
    return _ordered(operator, *_comparable(left, right, at))


def _ordered(operator: str, one: float | date, other: float | date) -> bool:
    """Both are numbers, or both are days."""
    if operator in (">", ">="):
        return _ordered("<" if operator == ">" else "<=", other, one)
    is_less = one < other  # type: ignore[operator]
    return is_less or (operator == "<=" and one == other)


def _contains(whole: Constant, part: Constant, position: int) -> bool:
    if not isinstance(whole, str) or not isinstance(part, str):
        raise ExpressionValueError("only a text contains a text", position)
    return folded(part) in folded(whole)


def _equal(left: Constant, right: Constant, position: int) -> bool:
    if isinstance(left, str) and isinstance(right, str):
        return squeezed(left) == squeezed(right)
    if isinstance(left, bool) or isinstance(right, bool):
        return _truth(left, position) == _truth(right, position)
    one, other = _comparable(left, right, position)
    return one == other


def _comparable(left: Constant, right: Constant, position: int) -> tuple[float | date, float | date]:
    """Both as numbers, or both as days."""
    if isinstance(left, bool) or isinstance(right, bool):
        raise ExpressionValueError("true and false are neither more nor less", position)
    if isinstance(left, date) or isinstance(right, date):
        return _day(left, position), _day(right, position)
    if isinstance(left, str) and isinstance(right, str):
        one, other = as_number(left), as_number(right)
        if one is not None and other is not None:
            return one, other
        return _day(left, position), _day(right, position)
    return _number(left, position), _number(right, position)


def _number(value: Constant, position: int) -> float | int:
    number = as_number(value) if isinstance(value, str) else value
    if number is None or isinstance(number, date):
        raise ExpressionValueError(f"{value!r} is not a number", position)
    return number


def _day(value: Constant, position: int) -> date:
    if isinstance(value, date):
        return value
    moment = as_date(value) if isinstance(value, str) else None
    if moment is None:
        raise ExpressionValueError(f"{value!r} is not a date", position)
    return moment.date()


def _truth(value: Constant, position: int) -> bool:
    if isinstance(value, bool):
        return value
    known = _YES_NO.get(folded(value)) if isinstance(value, str) else None
    if known is None:
        raise ExpressionValueError(f"{value!r} is neither true nor false", position)
    return known
