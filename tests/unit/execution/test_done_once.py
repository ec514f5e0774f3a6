"""What may have been done is not done again: only a dialog that always asked comes before a deed."""

from __future__ import annotations

import pytest
from run_by_hand import Overseer, Robot, click, edge

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
