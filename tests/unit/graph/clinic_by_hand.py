"""A small application drawn by hand: a list of invoices with a search, a page for each, a question, an answer."""

from __future__ import annotations

from collections.abc import Sequence

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.pattern_miner import Pattern
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.ui_element import UIElement
from rpa_vision.testing.screens import AnyItem, HandMadeSession, Item, ScreenBook

SEARCH = (40, 60, 300, 90)
VALIDATE = (40, 300, 160, 340)
CONFIRM = (480, 360, 600, 400)
BACK = (40, 50, 180, 76)
ROWS = ("FAC-2026-00011", "FAC-2026-00012", "FAC-2026-00013", "FAC-2026-00014", "FAC-2026-00015")

MENU: list[AnyItem] = [
    ("menu_item", "navigation", "Accueil", (20, 22, 120, 44)),
    ("menu_item", "navigation", "Statistiques", (140, 22, 260, 44)),
]


def middle(bbox: tuple[int, int, int, int]) -> Point:
    return Box.of(bbox).center


def list_items(numbers: Sequence[str], search: str = "", *, top: int = 150) -> list[AnyItem]:
    """The list, with what stands in the search field."""
    rows: list[AnyItem] = []
    for index, number in enumerate(numbers):
        y = top + 34 * index
        rows += [
            Item("link", "navigation", number, (40, y, 180, y + 22), column_title="N° facture"),
            ("cell", "data_display", f"Patient {'ABCDEFGHIJ'[int(number[-1])]}", (200, y, 360, y + 22)),
            ("cell", "data_display", "À valider", (380, y, 500, y + 22)),
        ]
    return [
        *MENU,
        ("heading", "title", "Factures", (40, 40, 140, 58)),
        Item("text_input", "search", "Rechercher une facture", SEARCH, value=search),
        ("label", "data_display", "N° facture", (40, 110, 140, 132)),
        ("label", "data_display", "Patient", (200, 110, 300, 132)),
        ("label", "data_display", "Statut", (380, 110, 480, 132)),
        *rows,
    ]


def invoice_items(number: str, status: str = "À valider") -> list[AnyItem]:
    """The page of one invoice; validated ones have no button."""
    items: list[AnyItem] = [
        *MENU,
        ("link", "navigation", "Retour à la liste", BACK),
        ("heading", "title", f"Facture {number}", (40, 100, 300, 130)),
        ("label", "data_display", "Informations", (40, 150, 200, 172)),
        ("label", "data_display", "Praticien", (40, 190, 160, 212)),
        ("label", "data_display", "Mutuelle", (40, 230, 160, 252)),
        ("label", "data_display", status, (400, 100, 520, 130)),
    ]
    if status == "À valider":
        items.append(("button", "validate", "Valider", VALIDATE))
    else:
        items.append(("label", "data_display", f"Facture {number} validée", (560, 100, 800, 130)))
    return items


def question_items(number: str) -> list[AnyItem]:
    """The page behind a question."""
    return [
        *invoice_items(number),
        ("dialog", "dialog", "Confirmer la validation", (320, 240, 640, 420)),
        ("heading", "title", "Confirmer la validation", (340, 260, 600, 284)),
        ("button", "cancel", "Annuler", (340, 360, 460, 400)),
        ("button", "ok_button", "Confirmer", CONFIRM),
    ]


def draw_invoice(book: ScreenBook, number: str) -> None:
    """All screens of the validation of one invoice."""
    page = f"Facture {number} - Clinique"
    book.draw("list", list_items(ROWS), title="Factures - Clinique")
    book.draw(f"typed_{number}", list_items(ROWS, number), title="Factures - Clinique")
    book.draw(f"found_{number}", list_items([number], number), title="Recherche - Clinique")
    book.draw(f"page_{number}", invoice_items(number), title=page)
    book.draw(f"ask_{number}", question_items(number), title=page)
    book.draw(f"done_{number}", invoice_items(number, "Validée"), title=page)


def validate(session: HandMadeSession, book: ScreenBook, number: str) -> None:
    """Everything a person does for one invoice, six steps."""
    draw_invoice(book, number)
    session.click("list", middle(SEARCH))
    session.type("list", number)
    session.press(f"typed_{number}", "ENTER")
    session.click(f"found_{number}", (110, 160))
    session.click(f"page_{number}", middle(VALIDATE))
    session.click(f"ask_{number}", middle(CONFIRM))
    session.click(f"done_{number}", middle(BACK), after="list")


def element(screen: ObservedScreen, label: str, nth: int = 0) -> UIElement:
    """The nth element with that label."""
    return [one for one in screen.state.ui_elements if one.label == label][nth]


def click_step(
    screen: ObservedScreen, label: str, *, nth: int = 0, after: ObservedScreen | None = None, session: str = "s"
) -> DemoStep:
    """A click on an element of a screen."""
    target = element(screen, label, nth)
    return DemoStep(
        kind="mouse_click",
        session_id=session,
        events=(0, 0),
        t=0.0,
        before=screen,
        window=screen.state.window,
        after=after,
        point=target.center,
        element=target,
    )


def typing_step(
    screen: ObservedScreen, label: str | None, text: str, *, after: ObservedScreen | None = None
) -> DemoStep:
    """Text typed into a field, or wherever the focus is."""
    target = element(screen, label) if label is not None else None
    return DemoStep(
        kind="text_input",
        session_id="s",
        events=(0, 0),
        t=0.0,
        before=screen,
        window=screen.state.window,
        after=after,
        point=target.center if target is not None else None,
        element=target,
        text=text,
    )


def pattern(*occurrences: Sequence[DemoStep]) -> Pattern:
    return Pattern(tuple(tuple(steps) for steps in occurrences))
