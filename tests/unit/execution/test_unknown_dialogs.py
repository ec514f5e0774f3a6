"""Something in the way that nobody was shown: sent away where that can do no harm, and left to a person elsewhere."""

from __future__ import annotations

import pytest
from list_office import ListOffice, invoices, run, validating
from test_recovery import OK, Interruption

from rpa_vision.demo.clinic.texts import texts
from rpa_vision.execution.unknown_dialogs import UnknownDialog, unknown_dialog
from rpa_vision.models.workflow_graph import PostConditions, Workflow
from rpa_vision.testing.screens import AnyItem

BOX = (280, 200, 680, 380)
SECOND = (560, 330, 660, 360)


def dialog(text: str, *controls: AnyItem) -> list[AnyItem]:
    return [
        ("dialog", "dialog", "", BOX),
        ("heading", "title", "Nouveauté", (300, 210, 500, 236)),
        ("label", "data_display", text, (300, 250, 660, 276)),
        *controls,
    ]


def button(label: str, box: tuple[int, int, int, int] = OK, role: str = "primary_action") -> AnyItem:
    return ("button", role, label, box)


NEWS = "Les factures anciennes sont archivées"


def line_of(office: ListOffice) -> Workflow:
    workflow = validating(office=office)
    return workflow.model_copy(
        update={"edges": tuple(edge.model_copy(update={"loop": None}) for edge in workflow.edges)}
    )


def interrupted(items: list[AnyItem], *, on: str) -> tuple[ListOffice, Interruption]:
    office = ListOffice(invoices("10,00", "20,00"))
    return office, Interruption(office, items, OK, on=on)


@pytest.mark.parametrize("label", ["J’ai compris", "OK", "Fermer", "Plus tard"])
def test_news_nobody_was_shown_are_closed_and_the_step_is_done_again(label: str) -> None:
    """L4-6, L4-9: unexpected modal, generic way out"""
    office, _ = interrupted(dialog(NEWS, button(label)), on="open")
    done = run(office, line_of(office), {"numero": "FAC-2026-00002"})
    assert (done.outcome.status, office.validated) == ("success", ["FAC-2026-00002"]), done.outcome.reason
    assert [(one.error_node, one.succeeded) for one in done.recoveries] == [("unknown_dialog", True)]
    assert label in done.recoveries[0].action


def test_what_the_news_hid_counts_once_they_are_closed() -> None:
    """EX-3, EX-7: the input arrived, and the answer lay under the dialog; nothing is sent twice"""
    office, interruption = interrupted(dialog(NEWS, button("OK")), on="validate")
    interruption.swallows = False
    workflow = line_of(office)
    told = PostConditions(expected_node="list", conditions=("text_appears:Validée",), timeout_seconds=1.0)
    first, second = workflow.edges
    workflow = workflow.model_copy(update={"edges": (first, second.model_copy(update={"post_conditions": told}))})
    done = run(office, workflow, {"numero": "FAC-2026-00001"})
    assert (done.outcome.status, office.validated) == ("success", ["FAC-2026-00001"]), done.outcome.reason


def test_a_swallowed_step_that_changes_something_is_not_repeated() -> None:
    """EX-3, EX-7: the list is where the step leads, but closing the dialog led there too"""
    office, _ = interrupted(dialog(NEWS, button("OK")), on="validate")
    done = run(office, line_of(office), {"numero": "FAC-2026-00001"})
    assert done.outcome.status == "failed"
    assert office.validated == []


@pytest.mark.parametrize(
    ("items", "why"),
    [
        (dialog("Voulez-vous continuer ?", button("OK")), "asks or warns"),
        (dialog("Vos modifications seront perdues", button("OK")), "asks or warns"),
        (dialog("Erreur interne du serveur", button("Fermer")), "asks or warns"),
        (dialog("Enregistrement en cours", button("Masquer")), "asks or warns"),
        (dialog(NEWS, button("OK"), button("Installer", SECOND)), "no control that only closes it"),
        (dialog(NEWS, button("Fermer"), button("Plus tard", SECOND)), "several controls"),
        (dialog(NEWS, button("Ignorer")), "no control that only closes it"),
        (dialog(NEWS, button("Accepter")), "no control that only closes it"),
        (
            dialog(NEWS, ("text_input", "form_input", "Motif", (300, 290, 660, 316)), button("OK")),
            "wants something filled in",
        ),
    ],
)
def test_what_asks_warns_or_wants_something_is_left_to_a_person(items: list[AnyItem], why: str) -> None:
    """EX-7, L4-9: halted, with the reason told; nothing in the dialog was clicked"""
    office, _ = interrupted(items, on="open")
    done = run(office, line_of(office), {"numero": "FAC-2026-00001"})
    assert done.outcome.status == "failed"
    assert why in done.outcome.reason
    assert office.validated == []
    assert [deed.verb for deed in office.desktop.deeds if deed.verb == "click"] == ["click"]


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("Le virement de 5 000 € sera exécuté", ["Continuer"]),
        ("Le virement de 5 000 € sera exécuté", ["OK"]),
        ("Le virement de 5 000 € sera exécuté", ["Fermer"]),
        ("Modifications non enregistrées", ["Ignorer"]),
        ("Modifications non enregistrées", ["Fermer"]),
        ("Modifications non sauvegardées", ["Sauvegarder", "Fermer"]),
        ("Un brouillon est ouvert", ["Enregistrer", "Fermer"]),
        ("Unsaved changes", ["Dismiss"]),
        ("Votre ordinateur va redémarrer", ["OK"]),
        ("Le poste redémarrera à midi", ["OK"]),
        ("All data will be reset", ["OK"]),
        ("The disk will be formatted now", ["OK"]),
        ("You will be charged 49.00 EUR", ["OK"]),
        ("Votre carte est débitée de 49 €", ["OK"]),
        ("You are about to transfer funds", ["Continue"]),
        ("La corbeille va être vidée", ["Continuer"]),
        ("La facture existe déjà", ["Remplacer", "Passer"]),
        ("Un fichier du même nom est là", ["Remplacer", "Fermer"]),
        ("L’application sera indisponible dimanche", ["OK"]),
        ("Facture rejetée par le serveur", ["OK"]),
        ("Dossier verrouillé par Mme Martin", ["OK"]),
        (NEWS, ["Continuer"]),
        (NEWS, ["Skip"]),
        (NEWS, ["Passer", "Fermer"]),
    ],
)
def test_what_has_consequences_is_left_to_a_person(text: str, labels: list[str]) -> None:
    """EX-7, L4-9: what is about to happen, costs something or is not saved is nobody's to wave through"""
    office = ListOffice(invoices("10,00"))
    controls = [button(label, box) for label, box in zip(labels, (OK, SECOND), strict=False)]
    shown = office.book.draw("news", dialog(text, *controls), title="Clinique")
    assert isinstance(unknown_dialog(shown, line_of(office)), str)


@pytest.mark.parametrize(
    ("heading", "text", "label"),
    [
        ("notice_heading", "notice_text", "notice_close"),
        ("modal_heading", "modal_text", "modal_close"),
    ],
)
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_news_of_an_application_are_sent_away(heading: str, text: str, label: str, lang: str) -> None:
    """L4-6: planned maintenance and novelties ask nothing of anybody"""
    office, said = ListOffice(invoices("10,00")), texts(lang, renamed=False)
    items: list[AnyItem] = [
        ("dialog", "dialog", "", BOX),
        ("heading", "title", said[heading], (300, 210, 500, 236)),
        ("label", "data_display", said[text], (300, 250, 660, 276)),
        button(said[label]),
    ]
    found = unknown_dialog(office.book.draw("news", items, title="Clinique"), line_of(office))
    assert isinstance(found, UnknownDialog), found
    assert found.closer.label == said[label]


def test_a_dialog_beside_other_buttons_is_closed_by_the_one_that_only_closes() -> None:
    """L4-6"""
    office = ListOffice(invoices("10,00"))
    shown = office.book.draw("news", dialog(NEWS, button("Fermer"), button("Installer", SECOND)), title="Clinique")
    found = unknown_dialog(shown, line_of(office))
    assert isinstance(found, UnknownDialog)
    assert found.closer.label == "Fermer"


def test_a_dialog_of_the_workflow_is_not_sent_away() -> None:
    """L4-6, EX-7: it is to be answered, by the step that does"""
    office = ListOffice(invoices("10,00"))
    known = dialog("Archivage du mois", button("OK"))
    office.book.draw("archive", known, title="Clinique")
    workflow = validating(office=office, more_nodes={"archive": "archive"})
    assert unknown_dialog(office.book["archive"], workflow) is None
    assert unknown_dialog(office.book["list"], workflow) is None


@pytest.mark.parametrize(("which", "status"), [(0, "success"), (1, "failed")])
def test_a_word_of_the_next_screen_may_be_another_now_only_where_a_step_moves_about(which: int, status: str) -> None:
    """EX-5, EX-7: opening an invoice is proven by its page; validating one is not, without the words for it"""
    office = ListOffice(invoices("10,00", "20,00"))
    workflow = line_of(office)
    edges = list(workflow.edges)
    renamed = PostConditions(
        expected_node=edges[which].to_node, conditions=("text_appears:Toutes les fiches",), timeout_seconds=1.0
    )
    edges[which] = edges[which].model_copy(update={"post_conditions": renamed})
    done = run(office, workflow.model_copy(update={"edges": tuple(edges)}), {"numero": "FAC-2026-00001"})
    assert done.outcome.status == status, done.outcome.reason


@pytest.mark.parametrize(
    "text",
    [
        "Press OK to merge the two records",
        "Cliquez sur OK pour fusionner les deux dossiers",
        "OK lance la facturation de tous les clients",
        "Hit OK to post the entries to the ledger",
        "Votre abonnement est renouvelé",
    ],
)
def test_an_ok_of_which_the_dialog_says_what_it_does_is_left_to_a_person(text: str) -> None:
    """EX-7, L4-9: to press it is more than to have read it"""
    office = ListOffice(invoices("1,00"))
    screen = office.book.draw("in_the_way", dialog(text, button("OK", role="ok_button")))
    answer = unknown_dialog(screen, line_of(office))
    assert isinstance(answer, str)
    assert "a person has to answer it" in answer


@pytest.mark.parametrize(
    "text",
    [
        "Cliquez ici pour archiver le dossier",
        "Cliquer ici archive le dossier",
        "Clique ici pour archiver le dossier",
        "Si vous cliquez ici, le dossier est archivé",
        "Si vous cliquiez ici, le dossier est archivé",
        "En cliquant ici, le dossier est archivé",
        "Appuyez ici pour archiver le dossier",
        "Appuyer ici archive le dossier",
        "En appuyant ici, le dossier est archivé",
        "Pressez le bouton pour archiver le dossier",
        "Touchez le bouton pour archiver le dossier",
        "Tapez ici pour archiver le dossier",
        "Sélectionnez le bouton pour archiver le dossier",
        "Choisissez le bouton pour archiver le dossier",
        "Press the button to archive the file",
        "Pressing the button archives the file",
        "Click here to archive the file",
        "Clicking here archives the file",
        "If you click here, the file is archived",
        "Tap here to archive the file",
        "Tapping here archives the file",
        "Hit the button to archive the file",
        "Une fois pressé, le bouton archive le dossier",
        "Once clicked, the button archives the file",
        "When the user presses the button, the file is archived",
        "Presse le bouton pour archiver le dossier",
        "Choisis le bouton pour archiver le dossier",
        "Après avoir cliqué, le dossier est archivé",
        "Vous avez choisi d'archiver le dossier",
    ],
)
def test_a_message_that_says_to_press_something_is_left_to_a_person(text: str) -> None:
    """EX-7, L4-9: whatever it calls what is pressed"""
    office = ListOffice(invoices("1,00"))
    answer = unknown_dialog(office.book.draw("news", dialog(text, button("OK"))), line_of(office))
    assert isinstance(answer, str)
    assert "says what « OK » does" in answer


@pytest.mark.parametrize(
    "text",
    [
        "Pression artérielle enregistrée hier",
        "Aucune ligne sélectionnée",
        "Le filtre sélectionné est gardé",
        "Le tapis roulant est arrêté",
        "Les photos du taping sont prêtes",
        "La nouvelle version s’appuie sur votre agenda",
        "Le médecin choisi est absent",
        "The pressure was measured yesterday",
        "The carpets were clicked together",
        "The list shows the hits and the taps",
    ],
)
def test_a_notice_that_only_has_such_a_stem_in_it_is_sent_away(text: str) -> None:
    """L4-6, UX-1: it says of no button what it does"""
    office = ListOffice(invoices("1,00"))
    answer = unknown_dialog(office.book.draw("news", dialog(text, button("OK"))), line_of(office))
    assert isinstance(answer, UnknownDialog), answer
