"""One threshold is one number, also where several rules speak of it.

Rules that are asked one after the other are found one after the other, each among the demonstrations that are left, so
that the same threshold may lie between other values for each of them. Where both may mean the same one, it lies between
the nearest of all these values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from rpa_vision.graph.rule_literals import round_day, round_number
from rpa_vision.models.branch_rule import BranchRule, Doubt
from rpa_vision.models.expression import (
    All,
    Any,
    Comparison,
    Constant,
    Expression,
    Not,
    Value,
    Variable,
    parse,
    to_text,
)

Gap = tuple[float | date, float | date]


def with_shared_thresholds(rules: Sequence[BranchRule]) -> list[BranchRule]:
    """The rules, with the same number wherever their thresholds of one variable may be the same."""
    shared: dict[str, list[Gap]] = {}
    for doubt in (doubt for rule in rules for doubt in rule.doubts):
        _share(shared.setdefault(doubt.variable, []), _gap(doubt))
    return [_with(rule, shared) for rule in rules]


def _share(gaps: list[Gap], new: Gap) -> None:
    """Narrow the gap that the new one meets, or add it."""
    for at, gap in enumerate(gaps):
        both = _meeting(gap, new)
        if both is not None:
            gaps[at] = both
            return
    gaps.append(new)


def _meeting(one: Gap, other: Gap) -> Gap | None:
    low, high = max(one[0], other[0]), min(one[1], other[1])
    return (low, high) if low < high else None  # type: ignore[operator]


def _with(rule: BranchRule, shared: Mapping[str, Sequence[Gap]]) -> BranchRule:
    doubts, chosen = [], dict[tuple[str, str], Constant]()
    for doubt in rule.doubts:
        gap = next(one for one in shared[doubt.variable] if _meeting(one, _gap(doubt)) is not None)
        number = _roundest(gap)
        chosen[doubt.variable, doubt.chosen] = number
        changes = {"above": str(gap[0]), "up_to": str(gap[1]), "chosen": str(number)}
        doubts.append(doubt.model_copy(update=changes))
    expression = to_text(_replaced(parse(rule.expression), chosen))
    return rule.model_copy(update={"expression": expression, "doubts": tuple(doubts)})


def _replaced(expression: Expression, chosen: Mapping[tuple[str, str], Constant]) -> Expression:
    if isinstance(expression, Not):
        return Not(_replaced(expression.inner, chosen))
    if isinstance(expression, (All, Any)):
        return type(expression)(tuple(_replaced(part, chosen) for part in expression.parts))
    if not isinstance(expression, Comparison) or not isinstance(expression.right, Value):
        return expression
    name = expression.left.name if isinstance(expression.left, Variable) else ""
    number = chosen.get((name, str(expression.right.value)))
    return expression if number is None else Comparison(expression.operator, expression.left, Value(number))


def _gap(doubt: Doubt) -> Gap:
    return _read(doubt.above), _read(doubt.up_to)


def _read(text: str) -> float | date:
    try:
        return float(text)
    except ValueError:
        return date.fromisoformat(text)


def _roundest(gap: Gap) -> Constant:
    low, high = gap
    if isinstance(low, date) and isinstance(high, date):
        return round_day(low, high)
    assert not isinstance(low, date)
    assert not isinstance(high, date)
    return round_number(low, high)
