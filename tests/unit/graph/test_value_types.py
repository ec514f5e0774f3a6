"""What kind of value a variable takes, and what is said to who gives another."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from rpa_vision.errors import ParameterError
from rpa_vision.graph.value_types import as_date, as_number, check_value, common_regex, infer_variable
from rpa_vision.models.variables import Variable, VariableSource, VariableType, VariableValidation

SOURCE = VariableSource(method="parameter")


@pytest.mark.parametrize(
    ("examples", "kind", "subtype"),
    [
        (["12", "7", "-3"], "integer", None),
        (["0", "10", "20"], "integer", None),
        (["12,50", "7,00", "1 050,78"], "float", "amount"),
        (["12,50 €", "7 €", "1\u202f050,78 €"], "float", "amount"),
        (["12.5", "7", "30"], "float", "amount"),
        (["01/02/2026", "15/03/2026", "31/12/2025"], "datetime", "date"),
        (["2026-02-01", "2026-03-15", "2025-12-31"], "datetime", "date"),
        (["a@b.fr", "jean.dupont@clinique.fr", "x@y.org"], "string", "email"),
        (["FAC-2026-00012", "FAC-2026-00013", "FAC-2025-1"], "string", "id"),
        (["007", "012", "113"], "string", "id"),
        (["00012", "00013", "00014"], "string", "id"),
        (["Dupont", "Martin", "Lefèvre"], "string", None),
        (["Oui", "Non", "Oui", "Oui", "Non"], "choice", None),
        (["31/02/2026", "15/03/2026", "01/01/2026"], "string", "id"),
    ],
)
def test_the_narrowest_type_of_all_examples_is_taken(
    examples: Sequence[str], kind: VariableType, subtype: str | None
) -> None:
    """L4-3"""
    variable = infer_variable(examples, SOURCE)
    assert (variable.type, variable.subtype) == (kind, subtype)
    assert variable.example_values == tuple(dict.fromkeys(examples))


@pytest.mark.parametrize("examples", [["12,50 €", "7 €"], ["FAC-1", "FAC-2"], ["a@b.fr"], ["01/02/2026"], ["Oui"] * 5,
                                      ["EUR 12,50", "EUR 99,00"], ["CHF 1'250.50", "CHF 13.20"], ["$1,250.00"],
                                      ["-12,50 €", "99,00 €"], ["6/3/2026"],
                                      ["1er avril 2026", "3 mars 2026"]])  # fmt: skip
def test_every_example_passes_its_own_check(examples: Sequence[str]) -> None:
    """L4-3"""
    variable = infer_variable(examples, SOURCE)
    assert [check_value("x", variable, example) for example in examples] == list(examples)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1 050,78 €", 1050.78),
        ("1\u00a0050,78", 1050.78),
        ("-12", -12.0),
        ("3.14", 3.14),
        ("12 EUR", 12.0),
        ("10 50", None),
        ("douze", None),
        ("1,2,3", None),
        ("", None),
    ],
)
def test_amounts_are_read_as_the_french_write_them(text: str, number: float | None) -> None:
    """L4-3"""
    assert as_number(text) == number


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("05/02/2026", (2026, 2, 5)),
        ("2026-02-05", (2026, 2, 5)),
        ("05.02.2026", (2026, 2, 5)),
        ("5/2/26", (2026, 2, 5)),
    ],
)
def test_days_are_read_day_first(text: str, day: tuple[int, int, int]) -> None:
    """L4-3"""
    found = as_date(text)
    assert found is not None
    assert (found.year, found.month, found.day) == day
    assert as_date("32/01/2026") is None


def test_what_identifiers_share_becomes_their_pattern() -> None:
    """L4-3"""
    assert common_regex(["FAC-2026-00012", "FAC-2025-00113"]) == r"^FAC\-\d{4}\-\d{5}$"
    assert common_regex(["FAC-1", "AVO-12"]) == r"^[A-Za-z]+\-\d+$"
    assert common_regex(["FAC-1", "FAC/1"]) is None
    assert common_regex(["FAC-1", "FAC-1-B"]) is None
    pattern = common_regex(["A.1", "A.2"])
    assert pattern is not None
    assert not re.search(pattern, "Ax1")


@pytest.mark.parametrize(
    ("examples", "wrong", "why"),
    [
        (["FAC-2026-00012", "FAC-2026-00013"], "FAC-2026-13", r"does not look like ^FAC\-\d{4}\-\d{5}$"),
        (["FAC-2026-00012", "FAC-2026-00013"], "xFAC-2026-00012", "does not look like"),
        (["12", "13"], "douze", "is not a whole number"),
        (["12,50", "13,00"], "cher", "is not a number"),
        (["01/02/2026", "02/02/2026"], "demain", "is not a date"),
        (["a@b.fr", "c@d.fr"], "a.b.fr", "does not look like"),
        (["Oui", "Non", "Oui", "Non", "Oui"], "Peut-être", "is not one of the known choices"),
        (["Dupont", "Martin"], "  ", "is empty"),
        (["Dupont", "Martin"], "Dup\nont", "cannot be typed"),
    ],
)
def test_a_wrong_value_is_refused_with_name_reason_and_examples(examples: list[str], wrong: str, why: str) -> None:
    """L4-3, UX-1"""
    with pytest.raises(ParameterError) as refused:
        check_value("facture", infer_variable(examples, SOURCE), wrong)
    assert "'facture'" in str(refused.value)
    assert repr(wrong) in str(refused.value)
    assert why in str(refused.value)
    assert "--param facture=VALUE" in refused.value.remedy
    assert all(example in refused.value.remedy for example in dict.fromkeys(examples[:2]))


def test_a_value_out_of_bounds_is_refused() -> None:
    """L4-3"""
    bounded = Variable(type="float", source=SOURCE, validation=VariableValidation(min=1, max=1000))
    assert check_value("montant", bounded, "999,99 €") == "999,99 €"
    for wrong, why in (("0,50", "is below 1"), ("1 000,01", "is above 1000")):
        with pytest.raises(ParameterError, match=why):
            check_value("montant", bounded, wrong)


def test_yes_and_no_are_known_in_both_languages() -> None:
    """L4-3"""
    answer = Variable(type="boolean", source=SOURCE)
    assert [check_value("b", answer, text) for text in ("oui", "No", "TRUE", "0")] == ["oui", "No", "TRUE", "0"]
    with pytest.raises(ParameterError, match="is neither yes nor no"):
        check_value("b", answer, "peut-être")


def test_a_value_is_typed_without_the_blanks_around_it() -> None:
    """L4-3"""
    assert check_value("x", infer_variable(["a b", "c"], SOURCE), "  Jean  Marc ") == "Jean  Marc"


@pytest.mark.parametrize(
    ("examples", "given", "typed"),
    [
        (["16 novembre 2026", "3 mars 2026", "1er avril 2026"], "2026-05-04", "4 mai 2026"),
        (["6/3/2026", "7/3/2026"], "2026-03-09", "9/3/2026"),
        (["06/03/2026", "7/3/2026"], "2026-03-09", "09/03/2026"),
        (["02/03/26", "05/03/26"], "2026-03-16", "16/03/26"),
    ],
)
def test_a_day_is_written_as_the_examples_are(examples: list[str], given: str, typed: str) -> None:
    """L4-3, EX-5"""
    assert check_value("x", infer_variable(examples, SOURCE), given) == typed


def test_a_day_of_another_century_is_not_written_with_two_digits() -> None:
    """EX-5: only how it is written may change, never what it is"""
    with pytest.raises(ParameterError, match="2126-03-16"):
        check_value("x", infer_variable(["02/03/26", "05/03/26"], SOURCE), "2126-03-16")
