"""What may have been done is not done again: only a dialog that always asked comes before a deed."""

from __future__ import annotations

import pytest
from run_by_hand import Overseer, Robot, click, edge

from rpa_vision.execution.asked_first import asks_first
from rpa_vision.execution.doing_twice import is_harmless
from rpa_vision.execution.recovery import Recovery
from rpa_vision.testing.screens import AnyItem, ScreenBook
from rpa_vision.testing.scripted_desktop import Deed

PAY, BUTTON = (40, 300, 160, 340), (420, 330, 520, 360)
ASKS = "Voulez-vous payer la facture ?"
TELLS = "Le virement a été effectué"


def page(label: str, kind: str = "button", role: str = "submit") -> list[AnyItem]:
    return [
        ("heading", "title", "Virement", (40, 60, 240, 100)),
        ("label", "data_display", "Fournisseur Dupont", (40, 120, 260, 144)),
        ("label", "data_display", "Compte courant", (400, 60, 620, 90)),
        (kind, role, label, PAY),  # type: ignore[list-item]
    ]


def dialog(title: str, text: str, label: str, role: str) -> list[AnyItem]:
    return [
        ("dialog", "dialog", "", (280, 200, 680, 380)),
        ("heading", "title", title, (300, 210, 500, 236)),
        ("label", "data_display", text, (300, 250, 660, 276)),
        ("button", role, label, BUTTON),
    ]


def presses(label: str, kind: str, role: str, after: str) -> tuple[int, str]:
    """How often it was pressed, and how the run ended: news come up instead of what follows, and are closed."""
    book, shown = ScreenBook(), page(label, kind, role)
    book.draw("page", shown, title="Virement")
    book.draw("done", [*shown, *dialog("Virement", after, "Oui", "validate")], title="Virement")
    news = dialog("Nouveauté", "Les factures anciennes sont archivées", "Fermer", "close")
    book.draw("news", [*shown, *news], title="Virement")
    pressed: list[str] = []

    def follow(screen: str, deed: Deed) -> str | None:
        if deed.verb != "click":
            return None
        if screen == "page":
            pressed.append(label)
            return "news" if len(pressed) == 1 else "done"
        return "page" if screen == "news" else None

    robot = Robot(book, script=follow, edges=[edge(click(label, kind=kind), timeout_s=2.0)])
    recovery = Recovery(robot.workflow, robot.sight, robot.matcher, robot.executor, robot.clock)
    status = robot.loop(Overseer(), recovery=recovery).run({}).status
    return len(pressed), status


@pytest.mark.parametrize(
    ("label", "kind", "role"),
    [
        ("Payer", "button", "submit"),
        ("Merge", "menu_item", "navigation"),
        ("Post", "link", "unknown"),
        ("Encaissement", "menu_item", "unknown"),
    ],
)
def test_what_a_dialog_tells_of_may_have_been_done_and_is_not_done_again(label: str, kind: str, role: str) -> None:
    """EX-3, EX-7: « Le virement a été effectué » is no question"""
    assert presses(label, kind, role, TELLS) == (1, "failed")


def test_what_only_leads_to_a_question_is_asked_for_again() -> None:
    """EX-3: nothing is done before it is answered"""
    assert presses("Payer", "button", "submit", ASKS) == (2, "success")


AFTERWARDS = [
    "Commande envoyée. Continuer vos achats ?",
    "Le message a bien été envoyé. En écrire un autre ?",
    "Facture enregistrée. Voulez-vous l'imprimer ?",
    "Order placed. Continue shopping?",
    "Paiement accepté. Payer une autre facture ?",
    "Paiement accepté\nPayer une autre facture ?",
    "We received your payment. Print a receipt?",
    "Virement en cours. Fermer la fenêtre ?",
    "Virement en cours. Payer ?",
    "Voulez-vous imprimer le reçu ?",
    "Voulez-vous payer avec un reçu ?",
    "Are you sure you want to leave? Your order was sent.",
    "Merci ! Payer encore ?",
    "C'est bon. Payer ?",
]


@pytest.mark.parametrize("said", AFTERWARDS)
def test_a_question_that_may_come_afterwards_is_no_leave_to_do_it_again(said: str) -> None:
    """EX-3, EX-7: a question mark proves nothing"""
    assert asks_first(said, "Payer") is False
    assert asks_first(said, "Pay ${number}") is False


@pytest.mark.parametrize("said", [AFTERWARDS[0], AFTERWARDS[2], AFTERWARDS[9]])
def test_what_is_asked_afterwards_is_not_done_again(said: str) -> None:
    """EX-3, EX-7: in a run"""
    assert presses("Payer", "button", "submit", said) == (1, "failed")


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("Payer", "Paiement\nVoulez-vous payer la\nfacture FAC-0 ?"),
        ("Payer", "Payer la facture ? Cette action est irréversible."),
        ("Payer", "Êtes-vous sûr de vouloir continuer ?"),
        ("Valider", "Confirmer la validation\nVoulez-vous valider la facture FAC-0 de Paul Durand (0,0 €) ?"),
        ("Valider", "Voulez-vous approuver la facture FAC-0 ?"),
        ("Supprimer ${numero}", "Confirmer la suppression ?"),
        ("Delete", "Delete this file? This cannot be undone."),
        ("Merge", "Merge this branch?"),
        ("Payer", "Voulez-vous payer la facture ? Cette action est définitive."),
        ("Réinitialiser", "Réinitialiser ? Cette action ne peut pas être annulée."),
        ("Terminer", "Voulez-vous terminer la session ?"),
        ("Effectuer le virement", "Voulez-vous effectuer ce virement ?"),
        ("Valider", "Valider la facture en cours ?"),
        ("Delete", "Delete the complete list?"),
        ("Complete", "Do you want to complete this order?"),
        ("Supprimer", "Voulez-vous supprimer cet enregistrement ?"),
        ("Delete", "Delete the selected record? You can't undo this action."),
        ("Supprimer", "Vous allez supprimer la facture 0. Voulez-vous continuer ?"),
        ("Supprimer", "Supprimer la facture ? Les données seront perdues."),
        ("Valider", "Confirmer la validation\nVoulez-vous valider la facture FAC-0 de\nPaul Durand (0,0 €) ?"),
        ("Supprimer ${n}", "Confirmer la suppression ?"),
        ("Delete", "Are you sure you want to delete this file?"),
        ("Supprimer", "Supprimer 3 éléments ? Cette action est irréversible."),
        ("Envoyer", "Confirmer l'envoi ?"),
        ("Confirmer", "Confirmer ?"),
        ("Envoyer", "Envoyer à la banque ?"),
        ("Approve", "Approval\nApprove invoice 0 of Paul Durand (0.0 €)?"),
        ("Validate", "Confirm validation\nValidate invoice 0 of P (0,0)?"),
    ],
)
def test_a_question_for_the_very_deed_comes_before_it(label: str, said: str) -> None:
    """EX-3"""
    assert asks_first(said, label) is True


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("Fermer", "Voulez-vous enregistrer avant de fermer ?"),
        ("", "Êtes-vous sûr ?"),
        ("${numero}", "Êtes-vous sûr ?"),
        ("Envoyer", "Êtes-vous sûr de vouloir continuer sans imprimer ?"),
        ("Encaissement", "Encaisser la facture ?"),
        ("Payer", "Enregistrer cette carte pour payer plus vite la prochaine fois ?"),
        ("Transfer", "Do you want to save this transfer as a template?"),
        ("Order", "Do you want to track your order?"),
        ("Envoyer", "Voulez-vous envoyer une copie au client ?"),
        ("Ajouter", "Voulez-vous ajouter un rappel ?"),
        ("Post", "Do you want to share this post?"),
        ("Paiement", "Imprimer le justificatif de paiement ?"),
        ("Envoyer", "Envoyer un accusé de réception ?"),
        ("${n}", "Êtes-vous sûr ?"),
        ("Payer", "Commande envoyée\nPayer ?"),
        ("Payer", "Paiement accepté\nÊtes-vous sûr ?"),
        ("Envoyer", "Le message a été envoyé. Envoyer ?"),
        ("Payer", "Payer par courriel la suite ?"),
        ("Envoyer", "Voulez-vous envoyer le document à un collègue ?"),
        ("Print", "Do you want to print the receipt?"),
        ("Valider", "Facture validée\nVoulez-vous valider la suivante ?"),
        ("Payer", "Payer"),
    ],
)
def test_a_question_for_something_else_is_none(label: str, said: str) -> None:
    """EX-3, EX-7"""
    assert asks_first(said, label) is False


@pytest.mark.parametrize(
    "label",
    ["Relancer ${numero}", "Encaisser ${numero}", "Vérifier ${numero}", "Pay ${numero}", "Relancer", "Copy", "Coller"],
)
def test_a_deed_is_one_whatever_it_is_done_to(label: str) -> None:
    """EX-3, EX-7: « Relancer FAC-12 » in a list is not only opened"""
    assert leads(label) is False


def test_what_a_list_holds_is_opened_again() -> None:
    """EX-3"""
    assert leads("${numero}")
    for thing in ("Facture", "Commande", "Order", "Paiement", "Payment", "Virement", "Remise", "Envoi", "Métier"):
        assert leads(f"{thing} ${{numero}}"), thing
    assert leads("Patients")


def leads(label: str) -> bool:
    """Whether following this link of a list, to a screen where nothing is asked, changes nothing."""
    book = ScreenBook()
    book.draw("page", page("FAC-12", "link", "navigation"), title="Factures")
    book.draw("done", [("heading", "title", "Facture", (40, 60, 240, 100))], title="Facture")
    workflow = Robot(book, edges=[edge(click("FAC-12", kind="link"))]).workflow
    (step,) = workflow.edges
    assert step.action is not None
    assert step.action.target is not None
    target = step.action.target.model_copy(update={"label": label, "role": "navigation"})
    action = step.action.model_copy(update={"target": target})
    return is_harmless(step.model_copy(update={"action": action}), workflow)


@pytest.mark.parametrize(
    ("said", "harmless"),
    [
        ([ASKS], True),
        ([TELLS], False),
        ([f"{TELLS}\nVoulez-vous un reçu ?"], False),
        ([ASKS, ""], False),
        ([ASKS, TELLS], False),
        ([], False),
        (None, False),
    ],
    ids=["asks", "tells", "tells, then asks", "once no dialog", "once told", "says nothing", "learned before"],
)
def test_a_dialog_comes_first_only_if_every_demonstration_showed_one_that_asks(said: object, harmless: bool) -> None:
    """EX-3"""
    book = ScreenBook()
    book.draw("page", page("Payer"), title="Virement")
    book.draw("done", [*page("Payer"), *dialog("Virement", ASKS, "Oui", "validate")], title="Virement")
    workflow = Robot(book, edges=[edge(click("Payer"))]).workflow
    nodes = tuple(
        node.model_copy(update={"metadata": {**node.metadata, "dialog_says": said}})
        if node.metadata["has_dialog"]
        else node
        for node in workflow.nodes
    )
    assert is_harmless(workflow.edges[0], workflow.model_copy(update={"nodes": nodes})) is harmless
