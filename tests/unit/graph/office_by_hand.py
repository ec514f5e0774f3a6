"""An office drawn by hand: a home page, a list of invoices with amounts, a page for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clinic_by_hand import middle

from rpa_vision.graph.graph_builder import GraphBuilder, LearnedWorkflow
from rpa_vision.models.ui_element import ElementType
from rpa_vision.testing.screens import MOMENT, AnyItem, HandMadeSession, Item, ScreenBook

HOME, LIST = (20, 22, 120, 44), (140, 22, 260, 44)
SEARCH = (40, 60, 300, 90)
VALIDATE, FORWARD = (40, 300, 160, 340), (200, 300, 400, 340)
BACK = (40, 50, 180, 76)
NEXT_PAGE = (500, 540, 600, 570)
OK = (480, 360, 600, 400)
TOP = 150

MENU: list[AnyItem] = [("menu_item", "navigation", "Accueil", HOME), ("menu_item", "navigation", "Factures", LIST)]
HEADERS = ("N° facture", "Patient", "Montant", "Statut")
LEFT = (40, 220, 420, 600)


@dataclass(frozen=True)
class Invoice:
    number: str
    patient: str = "Durand"
    amount: str = "120,00 €"
    status: str = "À valider"


def row_box(index: int) -> tuple[int, int, int, int]:
    """Where the number of the nth row stands."""
    return (LEFT[0], TOP + 34 * index, LEFT[0] + 140, TOP + 34 * index + 22)


def list_items(invoices: Sequence[Invoice], *, pages: bool = False, search: str | None = None) -> list[AnyItem]:
    rows: list[AnyItem] = []
    for index, one in enumerate(invoices):
        y = row_box(index)[1]
        texts = (one.number, one.patient, one.amount, one.status)
        for column, (text, left, header) in enumerate(zip(texts, LEFT, HEADERS, strict=True)):
            kind: ElementType = "link" if column == 0 else "cell"
            rows.append(Item(kind, "data_display", text, (left, y, left + 140, y + 22), column_title=header))
    heads: list[AnyItem] = [
        ("label", "data_display", header, (left, 110, left + 140, 132))
        for header, left in zip(HEADERS, LEFT, strict=True)
    ]
    more: list[AnyItem] = [("button", "navigation", "Suivant", NEXT_PAGE)] if pages else []
    field: list[AnyItem] = (
        [Item("text_input", "search", "Rechercher une facture", SEARCH, value=search)] if search is not None else []
    )
    return [*MENU, ("heading", "title", "Liste des factures", (320, 50, 520, 76)), *field, *heads, *rows, *more]


def home_items() -> list[AnyItem]:
    return [
        *MENU,
        ("heading", "title", "Bienvenue", (320, 50, 520, 76)),
        ("label", "x", "Choisir un travail", (40, 120, 240, 142)),
    ]


def page_items(one: Invoice, done: str = "") -> list[AnyItem]:
    """The page of an invoice; `done` is what was done with it."""
    items: list[AnyItem] = [
        *MENU,
        ("link", "navigation", "Retour à la liste", BACK),
        ("heading", "title", "Détail de la facture", (320, 50, 520, 76)),
        ("label", "data_display", "Facture", (40, 120, 140, 142)),
        ("label", "data_display", one.number, (200, 120, 360, 142)),
        ("label", "data_display", "Montant", (40, 160, 140, 182)),
        ("label", "data_display", one.amount, (200, 160, 360, 182)),
    ]
    if done:
        return [*items, ("label", "data_display", f"Facture {done}", (560, 100, 800, 130))]
    return [*items, ("button", "validate", "Valider", VALIDATE), ("button", "submit", "Transmettre", FORWARD)]


class Office:
    """Draws what a person sees and records what the person does."""

    def __init__(self, book: ScreenBook, session_id: str = "session_1") -> None:
        self.book = book
        self.session = HandMadeSession(book, session_id)
        self._drawn = 0

    def draw(self, items: list[AnyItem], title: str, app_name: str = "office") -> str:
        """A screenshot of its own, however often the screen was seen before."""
        self._drawn += 1
        name = f"shot_{self._drawn}"
        self.book.draw(name, items, title=title, app_name=app_name)
        return name

    def home(self) -> str:
        return self.draw(home_items(), "Accueil - Office")

    def list(self, invoices: Sequence[Invoice], *, pages: bool = False, search: str | None = None) -> str:
        return self.draw(list_items(invoices, pages=pages, search=search), "Factures - Office")

    def page(self, one: Invoice, done: str = "") -> str:
        return self.draw(page_items(one, done), "Facture - Office")

    def one_invoice(self, one: Invoice, *, forward: bool = False, stop_before_end: bool = False) -> None:
        """Search an invoice, open it, validate it or pass it on, go back to the list."""
        empty, typed = self.list([one], search=""), self.list([one], search=one.number)
        page, done = self.page(one), self.page(one, "transmise" if forward else "validée")
        self.session.click(empty, middle(SEARCH))
        self.session.type(empty, one.number, after=typed)
        self.session.click(typed, middle(row_box(0)), after=page)
        if stop_before_end:
            return
        self.session.click(page, middle(FORWARD if forward else VALIDATE), after=done)
        self.session.click(done, middle(BACK), after=self.list([one], search=""))


def learn(office: Office, name: str = "Office") -> LearnedWorkflow:
    builder = GraphBuilder(office.session.observe, office.book.embedder.space)
    return builder.build_from_sessions([office.session.session()], workflow_id="WF_office", name=name, now=MOMENT)


def learn_all(office: Office) -> list[LearnedWorkflow]:
    builder = GraphBuilder(office.session.observe, office.book.embedder.space)
    found = builder.find([office.session.session()])
    return [
        builder.build(found, task, workflow_id=f"WF_{number}", name=f"Task {number}", now=MOMENT)
        for number, task in enumerate(found.tasks, start=1)
    ]
