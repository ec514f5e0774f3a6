"""Is it the same layout: bars count little, names stay, words need not be kept."""

from __future__ import annotations

import pytest

from rpa_vision.detection.layout_likeness import KnownLayouts, compare_layouts, without_words
from rpa_vision.detection.layout_signature import layout_signature
from rpa_vision.models.screen_state import LayoutSignature
from rpa_vision.models.ui_element import UIElement

MENU = ["Accueil", "Patients", "Factures", "Rendez-vous", "Messages", "Statistiques", "Réglages", "Aide"]


def element(kind: str, label: str, x: int, y: int) -> UIElement:
    return UIElement(
        element_id=f"{kind}_{x}_{y}", type=kind, role="r", bbox=(x, y, x + 90, y + 30), center=(x + 45, y + 15),
        label=label, confidence=0.9,
    )  # fmt: skip


def page(*labels: str, menu: list[str] = MENU, shift: int = 0) -> LayoutSignature:
    """A page with the menu of its application at the left."""
    bar = [element("menu_item", name, 10, 20 + 80 * at) for at, name in enumerate(menu)]
    own = [element("button", name, 500 + shift, 150 + 70 * at) for at, name in enumerate(labels)]
    return layout_signature([*bar, *own, element("image", "", 1100, 800)])


INVOICE = page("Valider", "Imprimer", "Joindre", "Montant", "Échéance", "Fournisseur", "Adresse", "Remise", "Acompte")
CALENDAR = page("Semaine", "Aujourd’hui", "Médecin", "Salle", "Durée", "Motif", "Absent", "Urgence", "Congé", shift=400)
LESS_OF_INVOICE = page("Valider", "Imprimer", "Joindre", "Montant", menu=MENU[:3])
REST_OF_INVOICE = page("Joindre", "Montant", "Échéance", "Fournisseur", menu=MENU[2:])


def test_pages_of_one_application_are_told_apart_by_what_is_not_in_its_bars():
    """L1-3"""
    shared = set(INVOICE.components["labels"]) & set(CALENDAR.components["labels"])
    assert len(shared) == len(MENU), "nearly half of what each says"
    assert not compare_layouts(INVOICE, CALENDAR).same
    assert compare_layouts(INVOICE, LESS_OF_INVOICE).same, "a zoom shows less of the page and of its bar"
    assert compare_layouts(INVOICE, REST_OF_INVOICE).same


def test_a_layout_that_is_not_known_is_like_no_other():
    """L1-3"""
    assert not compare_layouts(None, INVOICE).same
    assert not compare_layouts(None, None).same
    assert compare_layouts(INVOICE, INVOICE).likeness == 1.0


def test_equal_names_mean_the_same_layout_and_the_first_gives_it():
    """L1-3"""
    assert len({INVOICE.hash, LESS_OF_INVOICE.hash, REST_OF_INVOICE.hash}) == 3
    names = KnownLayouts()
    assert [names.named(one) for one in (INVOICE, CALENDAR, LESS_OF_INVOICE, REST_OF_INVOICE)] == [
        INVOICE.hash, CALENDAR.hash, INVOICE.hash, INVOICE.hash,
    ]  # fmt: skip


@pytest.mark.parametrize("other", [CALENDAR, LESS_OF_INVOICE, INVOICE])
def test_without_its_words_a_signature_compares_as_with_them(other: LayoutSignature):
    """L1-3, L0-7: what is remembered of a screen holds no label"""
    mute, mute_other = without_words(INVOICE), without_words(other)
    assert compare_layouts(mute, mute_other) == compare_layouts(INVOICE, other)
    assert "va" not in mute.model_dump_json().replace('"labels"', "")
    assert LayoutSignature.model_validate_json(mute.model_dump_json()) == mute
