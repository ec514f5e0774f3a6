"""Conditions: what can be said, what it means, and what is refused (L4-4)."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from rpa_vision.errors import ExpressionError, ExpressionValueError
from rpa_vision.models.expression import MAX_DEPTH, MAX_LENGTH, Constant, parse, to_text, variables_of
from rpa_vision.models.expression_value import holds

VALUES: dict[str, Constant] = {
    "amount": 950.0,
    "montant": "1 250,50 €",
    "status": "À valider",
    "day": "02/03/2026",
    "due": date(2026, 3, 31),
    "urgent": True,
    "answer": "oui",
    "count": 3,
    "note": "Dossier URGENT à revoir",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("variables.amount < 1000.0", True),
        ("amount < 1000", True),
        ("amount >= 950", True),
        ("amount > 950", False),
        ("amount == 950", True),
        ("amount != 950", False),
        ("-1 < count", True),
        ("1000 > amount", True),
        ("montant > 1250", True),
        ("montant == 1250.5", True),
        ("montant < amount", False),
        ('status == "a valider"', True),
        ("status != 'Validée'", True),
        ('status in ["Validée", "À VALIDER"]', True),
        ('status not in ["Validée"]', True),
        ("status in []", False),
        ("count in [1, 2, 3]", True),
        ('note contains "urgent"', True),
        ('"urgent" in note', True),
        ('"rien" not in note', True),
        ("day < 2026-03-03", True),
        ("day == 2026-03-02", True),
        ("due >= 2026-04-01", False),
        ("day < due", True),
        ("urgent", True),
        ("urgent == true", True),
        ("answer == true", True),
        ("not urgent", False),
        ("not amount < 1000", False),
        ("amount < 1000 and urgent", True),
        ("amount > 1000 or urgent and count == 3", True),
        ("(amount > 1000 or urgent) and count == 4", False),
        ("not (amount > 1000 or count == 4)", True),
        ("true or missing == 1", True),
        ("false and missing == 1", False),
    ],
)
def test_what_an_expression_means(text: str, expected: bool) -> None:
    """L4-4"""
    expression = parse(text)
    assert holds(expression, VALUES) is expected
    assert parse(to_text(expression)) == expression


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 0),
        ("amount <", 8),
        ("< 3", 0),
        ("amount < 1000 and", 17),
        ("(amount < 3", 11),
        ("amount < 3)", 10),
        ("amount = 3", 7),
        ("1 < amount < 3", 11),
        ("amount 3", 7),
        ("'open", 0),
        ('"a\\q"', 2),
        ("2026-02-31 < day", 0),
        ("variables.a.b < 1", 0),
        ("status.upper == 1", 0),
        ("f(1)", 1),
        ("__import__('os')", 10),
        ("amount < 1; x", 10),
        ("a in [b]", 6),
        ("a in [1 2]", 8),
        ("12abc == 1", 0),
        ("variables < 1", 0),
        ("a + 1 == 2", 2),
        ("1e999 < a", 0),
        ("a[0] == 1", 1),
    ],
)
def test_what_is_no_expression_is_refused_with_its_place(text: str, position: int) -> None:
    """L4-4"""
    with pytest.raises(ExpressionError) as refused:
        parse(text)
    assert refused.value.position == position
    assert f"character {position + 1}" in str(refused.value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("missing < 3", "'missing' has no value"),
        ("status < 3", "'À valider' is not a number"),
        ("status < 'b'", "is not a date"),
        ("urgent < 3", "true and false"),
        ("count", "3 is neither true nor false"),
        ("status", "is neither true nor false"),
        ("day < 3", "'02/03/2026' is not a number"),
        ("count == 2026-03-02", "3 is not a date"),
        ("count contains 3", "only a text contains a text"),
    ],
)
def test_what_cannot_be_judged_is_said_and_not_guessed(text: str, why: str) -> None:
    """L4-4"""
    with pytest.raises(ExpressionValueError, match=why.replace("(", r"\(")):
        holds(parse(text), VALUES)


def test_length_and_depth_are_bounded() -> None:
    """L4-4"""
    with pytest.raises(ExpressionError, match="longer than"):
        parse("a" * (MAX_LENGTH + 1))
    for deep in ("(" * 500 + "a" + ")" * 500, "not " * 400 + "a"):
        with pytest.raises(ExpressionError, match="nested deeper"):
            parse(deep)
    assert parse("(" * (MAX_DEPTH // 2 - 1) + "a" + ")" * (MAX_DEPTH // 2 - 1)) == parse("a")


def test_both_names_of_a_variable_are_one() -> None:
    """L4-4"""
    assert parse("variables.amount < 1") == parse("amount < 1")
    assert variables_of(parse("a < 1 and not (b == c or 'x' in d)")) == {"a", "b", "c", "d"}


def test_a_moment_counts_as_its_day() -> None:
    """L4-4"""
    assert holds(parse("when == 2026-03-02"), {"when": datetime(2026, 3, 2, 15, 30)})  # noqa: DTZ001
