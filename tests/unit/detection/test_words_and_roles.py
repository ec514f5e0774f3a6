"""What words mean: roles, actions, secrets; in French and English, with room for a slip of the reader."""

from __future__ import annotations

import pytest

from rpa_vision.detection.affordance import affordance_of
from rpa_vision.detection.roles import is_secret_label, role_of
from rpa_vision.detection.words import clean_label, fold, sounds_like_action, without_numbers


@pytest.mark.parametrize(
    ("label", "role"),
    [
        ("Valider", "validate"), ("Approuver", "validate"), ("Confirm", "validate"), ("Annuler", "cancel"),
        ("Cancel", "cancel"), ("Supprimer définitivement", "delete_action"), ("Delete account", "delete_action"),
        ("Rechercher", "search"), ("Search", "search"), ("Fermer", "close"), ("OK", "ok_button"),
        ("Enregistrer", "submit"), ("Save changes", "submit"), ("Se connecter", "login"), ("Se déconnecter", "logout"),
        ("Retour à la liste", "navigation"), ("Suivant", "navigation"), ("Rechcrcher", "search"),
    ],
)  # fmt: skip
def test_a_button_s_words_tell_its_role(label, role):
    """L2-1"""
    assert role_of("button", label) == role


def test_without_known_words_the_look_and_type_decide():
    """L2-1"""
    assert role_of("button", "Chocolat", stands_out=True) == "primary_action"
    assert role_of("button", "Chocolat") == "action"
    assert role_of("text_input", "Nom") == "form_input"
    assert role_of("text_input", "Rechercher une facture") == "search"
    assert role_of("cell", "Valider") == "data_display"
    assert role_of("link", "FAC-2026-00123") == "navigation"


@pytest.mark.parametrize(
    "label",
    ["Mot de passe", "Mot de passe :", "Mot dc passe", "PASSWORD", "New password", "Passwcrd", "Code secret",
     "Code PIN", "PIN", "CVV", "Phrase secrète", "Confirmer le mot de passe", "Cryptogramme visuel", "API key"],
)  # fmt: skip
def test_words_that_announce_a_secret_are_known(label):
    """L0-7"""
    assert is_secret_label(label)


@pytest.mark.parametrize(
    "label", ["Identifiant", "Nom", "Montant", "Code postal", "Pays", "Passeport", "Spinoza", "Email", "Secrétaire", ""]
)
def test_other_words_announce_none(label):
    """L0-7"""
    assert not is_secret_label(label)


def test_status_words_are_no_actions():
    assert sounds_like_action("Valider")
    assert sounds_like_action("Se connecter")
    assert sounds_like_action("Save changes")
    assert not sounds_like_action("À valider")
    assert not sounds_like_action("Validée")
    assert not sounds_like_action("FAC-2026-00123")


def test_words_are_compared_without_case_accents_and_signs():
    assert fold("« À  VALIDER… »") == "a valider"
    assert fold("Œuvre n° 3") == "oeuvre no 3"
    assert without_numbers("Facture FAC-2026-00123") == "facture fac # #"
    assert clean_label("← Retour à la liste") == "Retour à la liste"
    assert clean_label("✓") == "✓"


def _scores(kind, role, label, **changes):
    given = {"stands_out": False, "paper": (255, 255, 255), "enabled": True, "covered": False} | changes
    return affordance_of(kind, role, label, **given)


def test_danger_shows_in_words_and_colour():
    """L2-5"""
    red = _scores("button", "delete_action", "Supprimer définitivement", stands_out=True, paper=(32, 0, 176))
    plain = _scores("button", "cancel", "Annuler")
    assert red.dangerous_action_score > 0.9
    assert plain.dangerous_action_score == 0.0
    assert {"irreversible_words", "warning_colour"} <= set(red.factors)


def test_what_is_disabled_or_covered_asks_less_to_be_clicked():
    """L2-5"""
    free = _scores("button", "validate", "Valider").clickable_score
    assert _scores("button", "validate", "Valider", enabled=False).clickable_score < free
    assert _scores("button", "validate", "Valider", covered=True).clickable_score < 0.2
