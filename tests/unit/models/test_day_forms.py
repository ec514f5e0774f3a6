"""Days are written as the examples are."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from rpa_vision.models.day_forms import written_as

DAY = datetime(2026, 11, 6, 9, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("examples", "written"),
    [
        (["02/03/2026"], "06/11/2026"),
        (["6/3/2026", "16/11/2026"], "6/11/2026"),
        (["16/11/2026"], "06/11/2026"),
        (["6/3/2026", "06/04/2026"], "06/11/2026"),
        (["2026-03-02"], "2026-11-06"),
        (["02.03.26"], "06.11.26"),
        (["02/03/2026 09:15"], "06/11/2026 09:05"),
        (["2 mars 2026", "3 mars 2026"], "6 novembre 2026"),
        (["lundi 2 mars 2026"], "vendredi 6 novembre 2026"),
        (["2 Mars 2026"], "6 Novembre 2026"),
        (["2 FÉVRIER 2026"], "6 NOVEMBRE 2026"),
        (["2 févr. 2026"], "6 nov. 2026"),
        (["March 2, 2026"], "November 6, 2026"),
        (["2 Mar 2026"], "6 Nov 2026"),
    ],
)
def test_another_day_is_written_in_the_form_of_the_examples(examples: list[str], written: str) -> None:
    """L4-3"""
    assert written_as(DAY, examples) == written


def test_the_first_is_written_as_the_french_write_it() -> None:
    """L4-3, L2-6"""
    assert written_as(datetime(2026, 4, 1, tzinfo=UTC), ["2 mars 2026"]) == "1er avril 2026"


@pytest.mark.parametrize("examples", [[], ["2 mars 2026", "02/03/2026"], ["Durand"], ["le deux mars"]])
def test_a_form_that_nobody_knows_is_not_guessed(examples: list[str]) -> None:
    """L4-3"""
    assert written_as(DAY, examples) is None


def test_two_digits_do_not_say_which_century() -> None:
    """EX-5"""
    assert written_as(datetime(2126, 3, 16, tzinfo=UTC), ["02/03/26"]) is None
