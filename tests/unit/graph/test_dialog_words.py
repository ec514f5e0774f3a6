"""What a dialog says is kept with the screen it belongs to, without its controls and without numbers."""

from __future__ import annotations

import pytest

from rpa_vision.graph.dialog_words import (
    DIALOG_SAYS,
    dialog_says,
    lines_in_front,
    message_in_front,
    same_message,
    united,
)
from rpa_vision.graph.node_drafts import NodeDrafts, NodeWriter
from rpa_vision.graph.screen_groups import ScreenGroup
from rpa_vision.testing.screens import AnyItem, ScreenBook, screen_state

BEHIND: list[AnyItem] = [
    ("heading", "title", "Factures", (40, 40, 240, 70)),
    ("button", "delete_action", "Supprimer", (40, 100, 160, 130)),
]


def asking(question: str) -> list[AnyItem]:
    return [
        *BEHIND,
        ("dialog", "dialog", "", (280, 200, 680, 380)),
        ("heading", "title", "Confirmation", (300, 210, 500, 236)),
        ("label", "data_display", question, (300, 250, 660, 276)),
        ("text_input", "form_input", "Motif", (300, 290, 660, 316)),
        ("button", "primary_action", "Oui", (420, 330, 520, 360)),
    ]


def test_the_message_is_what_no_control_says() -> None:
    """EX-7: what lies behind is not said by the dialog"""
    state = screen_state(asking("Valider la facture 12 de Anne ?"))
    assert message_in_front(state) == ["Confirmation", "Valider la facture 12 de Anne ?"]
    assert lines_in_front(state) is not None
    assert "Oui" in (lines_in_front(state) or [])
    assert "Supprimer" not in (lines_in_front(state) or [])
    assert message_in_front(screen_state(BEHIND)) is None
    assert lines_in_front(screen_state(BEHIND)) is None


def test_every_question_is_kept_once_whatever_number_it_names() -> None:
    """L4-2: and that there was a screen without one"""
    shown = [asking("Valider la facture 12 ?"), asking("Valider la facture 1017 ?"), asking("Valider 3 lots ?"), BEHIND]
    said = dialog_says(map(screen_state, shown))
    assert said == ["Confirmation\nValider la facture 0 ?", "Confirmation\nValider 0 lots ?", ""]


def test_two_lessons_are_put_together() -> None:
    """L4-2: the oldest and the newest, and whether one of them knew of no dialog"""
    assert united([["A ?"], ["A ?", "B ?"]]) == ["A ?", "B ?"]
    assert united([None, ["A ?"]]) == ["", "A ?"]
    assert len(united([[f"{letter} ?" for letter in "ABCDEFGHIJ"], ["Z ?"]])) == 8
    assert united([[f"{letter} ?" for letter in "ABCDEFGHIJ"], ["Z ?"]])[-1] == "Z ?"


def test_a_learned_node_keeps_what_its_dialog_says() -> None:
    """L4-2, EX-7"""
    book = ScreenBook()
    screens = [
        book.draw(f"s{n}", asking(f"Valider la facture {n} de {who} ?")) for n, who in ((1, "Anne"), (2, "Hugo"))
    ]
    writer, drafts = NodeWriter("WF_test", 1, book.embedder.space), NodeDrafts()
    for name, shown in (("N1", screens), ("N2", [book.draw("plain", BEHIND)])):
        group = ScreenGroup(screens=shown, values=[{} for _ in shown])
        group.refresh()
        writer.write(drafts, name, group)
    asks, plain = drafts.nodes
    assert asks.metadata[DIALOG_SAYS] == [
        "Confirmation\nValider la facture 0 de Anne ?",
        "Confirmation\nValider la facture 0 de Hugo ?",
    ]
    assert DIALOG_SAYS not in plain.metadata


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (["Erreur", "Le document est verrouillé"], ["Erreur", "Le disque est plein"], False),
        (["Confirmation", "Enregistrer la facture ?"], ["Confirmation", "Supprimer la facture ?"], False),
        (["Confirmation", "Supprimer ?"], ["Confirmation", "Supprimer tout ?"], False),
        (["Attention", "Le dossier 12 de Anne est ouvert"], ["Attention", "Le dossier 7 de Hugo est ouvert"], True),
        (["« releve.csv » existe déjà"], ["« notes.txt » existe déjà"], True),
        (["La session a expiré"], ["La sesslon a explré"], True),
        (["La session", "a expiré"], ["La session a expiré"], True),
        ([], [], True),
    ],
)
def test_another_message_is_told_from_another_value(one: list[str], other: list[str], same: bool) -> None:
    """EX-7: numbers, names, what is quoted and single letters may differ"""
    assert same_message(one, other) is same
    assert same_message(other, one) is same
