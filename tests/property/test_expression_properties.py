"""Expressions, whatever is written (L4-4)."""

from __future__ import annotations

import contextlib
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from rpa_vision.errors import ExpressionError, ExpressionValueError
from rpa_vision.models.expression import (
    All,
    Any,
    Comparison,
    Expression,
    Not,
    Value,
    Values,
    Variable,
    parse,
    to_text,
    variables_of,
)
from rpa_vision.models.expression_value import holds

names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True).filter(
    lambda name: name not in ("and", "or", "not", "in", "contains", "true", "false", "variables")
)
constants = (
    st.booleans()
    | st.integers(-(10**17), 10**17)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=12)
    | st.dates(date(1, 1, 1), date(9999, 12, 31))
)
values = constants.map(Value)
variables = names.map(Variable)
operands = values | variables
orders = st.sampled_from(["<", "<=", ">", ">=", "==", "!=", "contains"])
lists = st.lists(values, max_size=4).map(lambda items: Values(tuple(items)))
comparisons = st.builds(Comparison, orders, operands, operands) | st.builds(
    Comparison, st.sampled_from(["in", "not in"]), operands, operands | lists
)


def joined(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    parts = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return parts.map(All) | parts.map(Any) | inner.map(Not)


expressions: st.SearchStrategy[Expression] = st.recursive(comparisons | operands, joined, max_leaves=8)


@given(expressions)
def test_written_and_read_again_it_is_the_same(expression: Expression) -> None:
    """L4-4"""
    assert parse(to_text(expression)) == expression


@given(st.text(max_size=60) | st.text("()[]<>=!.,'\"\\ andornti0123456789-e_x", max_size=60))
def test_any_text_is_an_expression_or_an_expression_error(text: str) -> None:
    """L4-4"""
    where = 0
    try:
        expression = parse(text)
    except ExpressionError as error:
        where = error.position
    else:
        assert parse(to_text(expression)) == expression
    assert 0 <= where <= len(text)


@given(expressions, st.dictionaries(names, constants, max_size=4))
def test_any_expression_is_true_or_false_or_cannot_be_judged(
    expression: Expression, given_values: dict[str, object]
) -> None:
    """L4-4"""
    known = {**dict.fromkeys(variables_of(expression), 1), **given_values}
    with contextlib.suppress(ExpressionValueError):
        assert holds(expression, known) in (True, False)  # type: ignore[arg-type]


@given(
    st.sampled_from(["__class__", "a.b", "variables.a.b", "a()", "a[0]", "lambda: 1", "a; b", "`a`", "a if b else c"])
)
def test_nothing_can_be_called_or_reached_into(text: str) -> None:
    """L4-4"""
    if text == "__class__":
        assert parse(text) == Variable("__class__")  # a variable like any other, and nobody has it
        return
    try:
        parse(text)
    except ExpressionError:
        return
    raise AssertionError(text)
