"""Other words for the same deed, and words that only look like them."""

from __future__ import annotations

import pytest

from rpa_vision.execution.conditions import Moment, judge
from rpa_vision.execution.strategies.lexicon import is_kindred, names_a_deed, same_gist, same_meaning
from rpa_vision.testing.screens import AnyItem, ScreenBook


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Facture FAC-2026-00173 validée", "Facture FAC-2026-00173 approuvée"),
        ("Confirmer la validation", "Approbation"),
        ("Confirmer", "Oui, approuver"),
        ("À valider", "À approuver"),
        ("Rechercher une facture", "Chercher une facture"),
        ("Invoice 12 validated", "Invoice 12 approved"),
        ("Valider l’acte", "Approuver l'acte"),
        ("Modifier la fiche FAC-12", "Éditer la fiche FAC-12"),
        ("Envoyer le dossier", "Transmettre le dossier"),
        ("Créer une facture", "Ajouter une facture"),
    ],
)
def test_the_same_told_of_the_same_deed(one: str, other: str) -> None:
    """EX-5 (semantic)"""
    assert same_gist(one, other)
    assert same_meaning(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("À valider", "Validée"),
        ("Valider", "Valider tout"),
        ("Valider", "Valider plus tard"),
        ("Valider", "Invalider"),
        ("Facture 1 validée", "Facture 1 refusée"),
        ("Facture 1 validée", "Facture 1 non validée"),
        ("Facture 12 validée", "Facture 21 validée"),
        ("Facture 1 2 validée", "Facture 12 validée"),
        ("Supprimer", "Annuler"),
        ("Valider lot B", "Valider lot C"),
        ("Valider lot D", "Valider lot L"),
        ("Supprimer la colonne B", "Supprimer la colonne"),
        ("Valider groupe A+", "Valider groupe A-"),
        ("Valider groupe A", "Valider groupe A+"),
        ("Solde validé : -500", "Solde validé : 500"),
        ("Add invoice", "Invoice address"),
        ("Créance", "Ajouter"),
        ("Validité", "Valider"),
        ("Édition", "Modifier"),
        ("Imprimante", "Imprimer"),
        ("Bonjour", "Bonjour"),
    ],
)
def test_what_is_done_is_not_what_is_to_be_done_and_every_word_counts(one: str, other: str) -> None:
    """EX-7: the last one names no deed, so nothing is told by it"""
    assert not same_gist(one, other)
    assert not same_gist(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Effacer", "Supprimer"),
        ("Retirer", "Supprimer"),
        ("Remove", "Delete"),
        ("Effacer la ligne", "Supprimer la ligne"),
        ("Ligne retirée", "Ligne supprimée"),
        ("Copier", "Dupliquer"),
        ("Fermer", "Quitter"),
        ("Close", "Exit"),
    ],
)
def test_deeds_that_only_resemble_each_other_are_no_synonyms(one: str, other: str) -> None:
    """EX-5, EX-7: what is taken from a list is not destroyed, what is closed can be opened again"""
    assert not same_meaning(one, other)
    assert same_meaning("Retirer", "Enlever")
    assert same_meaning("Supprimer", "Delete")


def test_kindred_deeds_are_of_one_kind_only() -> None:
    """EX-5, EX-7: enough in an unchanged place, never elsewhere"""
    assert is_kindred("Fermer", "Quitter")
    assert not is_kindred("Quitter", "Fermer")  # to close a notice is not to end the program
    assert is_kindred("Remove", "Delete")
    assert not is_kindred("Delete", "Remove")
    assert not is_kindred("Fermer", "Supprimer")
    assert not is_kindred("Approuver", "Valider")


def test_what_names_a_deed_says_what_it_would_do() -> None:
    """EX-7"""
    assert all(map(names_a_deed, ("Supprimer", "Se déconnecter", "Approbation", "Accueil")))
    assert not any(map(names_a_deed, ("Toutes les factures", "Clinique des Lilas")))


def texts(*lines: str) -> list[AnyItem]:
    return [("label", "x", line, (40, 60 + 30 * index, 500, 84 + 30 * index)) for index, line in enumerate(lines)]


@pytest.mark.parametrize(
    ("before", "now", "holds"),
    [
        ("Autre chose", "Facture FAC-12 approuvée", True),
        ("Facture FAC-12 approuvée", "Facture FAC-12 approuvée", False),
        ("Autre chose", "Facture FAC-13 approuvée", False),
        ("Autre chose", "Facture FAC-12 à approuver", False),
        ("Autre chose", "Facture FAC-12 non approuvée", False),
    ],
)
def test_an_effect_may_be_told_in_other_words_that_came_up_since(
    book: ScreenBook, before: str, now: str, holds: bool
) -> None:
    """EX-5 (semantic), L4-15: what stood there already tells nothing"""
    moment = Moment(book.draw("before", texts(before)), book.draw("now", texts(now)), {"n": "FAC-12"})
    assert judge("text_appears:Facture ${n} validée", moment).holds is holds
