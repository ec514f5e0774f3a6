"""When two texts are the same text, badly read, and when they are two texts."""

from __future__ import annotations

import pytest

from rpa_vision.graph.vocabulary import (
    Words,
    contains,
    may_contain,
    misread_as,
    said_in_parts,
    same_words,
    stable_texts,
    stands_in,
    templated,
)
from rpa_vision.models.variables import fill
from rpa_vision.testing.screens import AnyItem, Item, ScreenBook


@pytest.mark.parametrize(
    ("read", "meant"),
    [
        ("Valider", "valider"),
        ("N°facture", "N° facture"),
        ("Échéance", "Echeance"),
        ("VaIider", "Valider"),
        ("= Retour à la liste", "←Retour à la liste"),
        ("FAC-2026-00012", "fac-2026-00012"),
        ("1 050,78 €", "1050,78€"),
        ("OK", "ok"),
        ("+", "+"),
    ],
)
def test_case_accents_spaces_and_signs_in_front_are_not_compared(read: str, meant: str) -> None:
    """L2-6"""
    assert same_words(read, meant)
    assert same_words(meant, read)


@pytest.mark.parametrize(
    ("read", "meant"),
    [
        ("Valider tout", "Valider"),
        ("Validée", "Valider"),
        ("Invalider", "Valider"),
        ("Désactiver", "Activer"),
        ("Se déconnecter", "Se connecter"),
        ("Tout déconnecter", "Tout connecter"),
        ("Exporter", "Importer"),
        ("Factures", "Facture"),
        ("FAC-2026-00013", "FAC-2026-00012"),
        ("50,00", "5000"),
        ("Enregistrcr", "Enregistrer"),
        ("Dupond", "Dupont"),
        ("Groupe A+", "Groupe A-"),
        ("Lire", "Tire"),
        ("Oui", "Non"),
        ("", ""),
        ("+", "-"),
    ],
)
def test_other_words_and_other_numbers_are_not(read: str, meant: str) -> None:
    """EX-7"""
    assert not same_words(read, meant)
    assert not same_words(meant, read)


@pytest.mark.parametrize(
    ("read", "meant", "misread"),
    [
        ("Enregistrcr", "Enregistrer", True),
        ("Enregstrer", "Enregistrer", True),
        ("Valider", "VALIDER", True),
        ("Validée", "Valider", False),
        ("Désactiver", "Activer", False),
        ("Factures", "Facture", False),
        ("Tout déconnecter", "Tout connecter", False),
        ("Lot 12", "Lot 13", False),
        ("Lire", "Tire", False),
    ],
)
def test_one_reading_among_many_may_be_a_misreading(read: str, meant: str, misread: bool) -> None:
    """L4-3"""
    assert misread_as(read, meant) is misread
    assert misread_as(meant, read) is misread


@pytest.mark.parametrize(
    ("line", "part", "stands"),
    [
        ("Facture FAC-2026-00012 validée", "FAC-2026-00012", True),
        ("Facture FAC-2026-00012 validée", "FAC-2026-0001", False),
        ("Facture FAC-2026-00012 validée", "validée", True),
        ("Facture invalidée", "validée", False),
        ("Total : 1 250,00 €", "250,00 €", False),
        ("Total : 1 250,00 €", "1250,00 €", True),
        ("Total : 250,00 €", "250,00 €", True),
        ("Total : 250,00", "250", False),
        ("Lot 12 345", "Lot 12", False),
        ("Lot 12, page 3", "Lot 12", True),
        ("a(b", "(b", True),
        ("rien", "", False),
    ],
)
def test_a_part_of_a_line_is_whole_words_and_whole_numbers(line: str, part: str, stands: bool) -> None:
    """L4-15, EX-7"""
    assert stands_in(line, part) is stands


def test_what_may_be_there_is_more_than_what_is_there() -> None:
    """L4-15: a text has vanished only when nothing like it is left"""
    assert may_contain(["Validex"], "Valider")
    assert not contains(["Validex"], "Valider")
    assert may_contain(["Bouton Valider"], "Valider")
    assert not may_contain(["Retour"], "Valider")
    assert not may_contain(["Non"], "Oui")


def test_values_in_a_text_are_named_the_longest_first() -> None:
    """L4-3"""
    values = {"number": "FAC-12", "year": "12", "name": "Zoé"}
    assert templated("Facture FAC-12 de Zoé", {"number": "FAC-12"}) == "Facture ${number} de Zoé"
    assert templated("FAC - 12", values) == "${number}"
    assert templated("Rien à 5 $", values) == "Rien à 5 $$"


def test_stable_texts_are_on_every_screen_and_name_no_value(book: ScreenBook) -> None:
    """L4-1"""

    def page(number: str, name: str, status: str) -> list[AnyItem]:
        return [
            ("heading", "title", f"Dossier de {name}", (40, 40, 400, 70)),
            ("label", "data_display", "Praticien", (40, 100, 160, 124)),
            ("label", "data_display", f"Facture {number}", (40, 140, 260, 164)),
            ("label", "data_display", status, (40, 180, 260, 204)),
            Item("text_input", "form_input", "Note", (40, 220, 300, 250), value="toujours pareil"),
        ]

    screens = [
        book.draw("a", page("1", "Zoé", "À valider")),
        book.draw("b", page("2", "Zoé", "À valider")),
        book.draw("c", page("3", "Zoé", "Validée")),
    ]
    assert stable_texts(screens, [{"name": "Zoé"}] * 3) == ("Praticien",)


def test_a_text_with_two_values_names_both_variables() -> None:
    """L4-3"""
    values = {"name": "Anna Schmidt", "order": "40117"}
    said = templated("Customer Anna Schmidt saved with order 40117, $5", values)
    assert said == "Customer ${name} saved with order ${order}, $$5"
    assert fill(said, {"name": "X", "order": "7"}) == "Customer X saved with order 7, $5"


@pytest.mark.parametrize("wanted", ["Valider", "VaIider", "valider", "Valide", "", "…", "1O", "10", "A+", "A-"])
def test_words_hold_what_is_among_them(wanted: str):
    """L4-3: asked of many texts, the answer is the same"""
    texts = ["Valider", "Groupe A+", "A+", "10", "…", "Facture 12"]
    assert Words(texts).hold(wanted) == contains(texts, wanted)


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        (["Clinique des Lilas", "Facturation"], True),
        (["Clinique des", "Lilas", "Facturation"], False),
        (["Clinique des Lilas"], False),
        (["Clinique des Lilas", "Facturation du mois"], False),
    ],
)
def test_a_line_that_is_broken_still_says_what_it_said(shown: list[str], said: bool) -> None:
    """L4-10: in a narrower place"""
    assert said_in_parts(shown, "Clinique des Lilas Facturation") is said
