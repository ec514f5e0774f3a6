"""The same value, however it is written (L4-3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rpa_vision.graph.value_types import check_value, infer_variable, written_like
from rpa_vision.models.variables import VariableSource
from rpa_vision.models.written_values import as_date, as_number, same_value

SOURCE = VariableSource(method="parameter")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,250.50", 1250.5),
        ("1.250,50", 1250.5),
        ("1 250,50 €", 1250.5),
        ("1’250.50 CHF", 1250.5),
        ("€ 12.00", 12.0),
        ("$1,250,000.00", 1250000.0),
        ("1.250.000", 1250000.0),
        ("1,250", None),
        ("1.250 €", None),
        ("-12,500", None),
        ("0,250", 0.25),
        ("1250,500", 1250.5),
        ("1,25", 1.25),
        ("−3,5", -3.5),
        ("12 euros", 12.0),
        ("1,25,0", None),
        ("1 25", None),
        ("12 %", None),
        ("FAC-12", None),
    ],
)
def test_amounts_of_both_languages(text: str, number: float | None) -> None:
    """L4-3"""
    assert as_number(text) == number


@pytest.mark.parametrize(
    "text",
    ["02/03/2026", "2/3/2026", "2026-03-02", "02.03.2026", "02-03-2026", "2026/03/02", "2 mars 2026",
     "lundi 2 mars 2026", "March 2, 2026", "2 Mar 2026", "Monday, March 2nd, 2026", "02/03/26"],
)  # fmt: skip
def test_days_of_both_languages(text: str) -> None:
    """L4-3"""
    found = as_date(text)
    assert found is not None
    assert (found.year, found.month, found.day) == (2026, 3, 2)


@pytest.mark.parametrize("text", ["31 février 2026", "12", "02/2026", "mars", "32/01/2026", "Facture 2 mars 2026"])
def test_what_is_no_day(text: str) -> None:
    """L4-3"""
    assert as_date(text) is None


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("1 250,50 €", "1250.5", True),
        ("2 mars 2026", "02/03/2026", True),
        ("Été", "ETE", True),
        ("007", "7", False),
        ("1250,50", "1250,51", False),
        ("123456789", "123 456 789", True),
        ("00123", "00123", True),
        ("FAC-12", "FAC-13", False),
    ],
)
def test_one_value_written_in_two_ways(one: str, other: str, same: bool) -> None:
    """L4-3"""
    assert same_value(one, other) is same
    assert same_value(other, one) is same


@given(st.decimals(-(10**9), 10**9, places=2))
def test_an_amount_is_the_same_in_french_and_english(amount: object) -> None:
    """L4-3"""
    english = f"{amount:,.2f}"
    french = english.replace(",", "\u202f").replace(".", ",")
    assert as_number(english) == as_number(french) == float(str(amount))


@pytest.mark.parametrize(
    ("given_value", "examples", "typed"),
    [
        ("2026-03-02", ["01/02/2026", "15/02/2026"], "02/03/2026"),
        ("2 mars 2026", ["2026-02-01", "2026-02-15"], "2026-03-02"),
        ("02/03/2026", ["01/02/2026"], "02/03/2026"),
        ("12.50", ["1 050,78", "7,00"], "12,50"),
        ("1,250.50", ["1 050,78", "7,00"], "1250,50"),
        ("12,50", ["7,00", "8,00"], "12,50"),
        ("12", ["7,00", "8,00"], "12"),
    ],
)
def test_a_value_is_typed_as_it_was_shown(given_value: str, examples: list[str], typed: str) -> None:
    """L4-3, EX-5"""
    assert written_like(given_value, examples) == typed
    assert check_value("x", infer_variable(examples, SOURCE), given_value) == typed


def test_a_date_keeps_its_form_and_its_time() -> None:
    """L4-3"""
    assert infer_variable(["01/02/2026", "15/02/2026"], SOURCE).validation is not None
    assert written_like("2026-03-02 14:30", ["01/02/2026", "02/02/2026"]) == "2026-03-02 14:30"
