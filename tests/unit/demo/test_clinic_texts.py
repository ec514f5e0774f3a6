"""Every language says everything, in its own way of writing."""

from __future__ import annotations

import string
from datetime import date

import pytest

from rpa_vision.demo.clinic.texts import LANGUAGES, RENAMED, texts, write_amount, write_date


def _places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_languages_have_the_same_words_with_the_same_places() -> None:
    """Nothing of the interface stays in the wrong language."""
    french, english = LANGUAGES["fr"], LANGUAGES["en"]
    assert set(french) == set(english)
    assert all(_places(french[key]) == _places(english[key]) for key in french)


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_renamed_words_exist_and_differ(lang: str) -> None:
    """« Valider » becomes « Approuver », and what was renamed was there before."""
    for key, word in RENAMED[lang].items():
        assert LANGUAGES[lang][key] != word
        assert _places(LANGUAGES[lang][key]) == _places(word)
    assert set(RENAMED["fr"]) == set(RENAMED["en"])


def test_renamed_validate_is_approve() -> None:
    """The names the drift is known for."""
    assert texts("fr", renamed=True)["validate"] == "Approuver"
    assert texts("fr", renamed=True)["confirm"] == "Oui, approuver"
    assert texts("fr", renamed=False)["validate"] == "Valider"


def test_amounts_and_dates_follow_the_language() -> None:
    """1 050,78 € in French, €1,050.78 in English; French spaces do not break."""
    assert write_amount(105078, "fr") == "1\u00a0050,78\u00a0€"
    assert write_amount(105078, "en") == "€1,050.78"
    assert write_amount(999, "fr") == "9,99\u00a0€"
    assert write_date(date(2026, 3, 12), "fr") == "12/03/2026"
    assert write_date(date(2026, 3, 12), "en") == "12 Mar 2026"
