"""Real screens read as the browser says they are: every cell, every accent."""

from __future__ import annotations

import pytest

from .scoring import accents, pairs

THEMES = ["list_light", "list_light_other", "list_dark", "list_contrast", "list_small", "detail_light",
          "detail_dark", "detail_contrast", "login_light", "login_dark", "login_placeholder", "settings_english",
          "dialog_light"]  # fmt: skip


@pytest.fixture(scope="module")
def results(pages, text_detector):
    return {name: pairs(pages[name].texts, text_detector.read(pages[name].image)) for name in THEMES}


def test_at_least_97_percent_of_all_texts_are_exact(results):
    """L2-6"""
    everything = [pair for some in results.values() for pair in some]
    wrong = [pair for pair in everything if pair[0] != pair[1]]
    assert len(everything) > 1000
    assert len(wrong) <= 0.03 * len(everything), wrong


def test_at_least_96_percent_of_all_accents_are_right(results):
    """L2-6"""
    right, total = accents([pair for some in results.values() for pair in some])
    assert total > 500
    assert right >= 0.96 * total


@pytest.mark.parametrize("name", THEMES)
def test_no_theme_is_left_behind(results, name):
    """L2-6"""
    wrong = [pair for pair in results[name] if pair[0] != pair[1]]
    assert len(wrong) <= max(1, 0.05 * len(results[name])), wrong


def test_texts_that_decide_something_are_exact(pages, text_detector):
    """L2-6"""
    wanted = {"À valider", "Échec", "Validée", "Valider", "Rechercher", "Confirmer", "Annuler", "1 050,78 €",
              "FAC-2026-00123", "Retour à la liste", "Réémettre", "Se connecter", "Mot de passe",
              "Échéance"}  # fmt: skip
    names = ("list_light", "login_light", "detail_light", "dialog_light")
    read = {line.text for name in names for line in text_detector.read(pages[name].image)}
    assert wanted <= read, wanted - read
