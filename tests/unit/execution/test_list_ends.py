"""Where a list ends and where it begins: by what it shows, never because something was not found."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from list_office import NEXT, ListOffice, click_on, go, invoices, list_items, rounds, run, validating
from run_by_hand import BreaksFor

from rpa_vision.execution.list_pages import page_said
from rpa_vision.execution.list_rows import is_loading, read_list
from rpa_vision.execution.target_resolver import BROKEN
from rpa_vision.models.geometry import Box
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.testing.screens import AnyItem, Item, screen_state
from rpa_vision.testing.scripted_desktop import Deed

HEADERS = ["N° facture", "Statut"]
COLUMNS = {"N° facture": (40, 180), "Statut": (600, 740)}
TITLE: AnyItem = ("heading", "title", "Factures du jour", (40, 40, 300, 70))
POSITION = (300, 540, 480, 564)
PREVIOUS = (560, 540, 660, 570)


@pytest.mark.parametrize("said", ["Nom", "Nouveau", "Notes", "Notifications", "No de dossier", "No d'ordre", "Nord"])
def test_a_word_that_begins_like_nothing_does_not_make_a_list_empty(said: str) -> None:
    """L4-5, EX-7"""
    shown = screen_state([TITLE, ("label", "data_display", said, (100, 160, 400, 182))])
    assert read_list(shown, HEADERS, COLUMNS) is None


@pytest.mark.parametrize(
    "beside",
    [
        [("button", "primary_action", "Aucun filtre", (100, 160, 400, 182))],
        [("link", "navigation", "Rien à signaler", (100, 160, 400, 182))],
        [
            ("label", "data_display", "No facture", (100, 160, 200, 182)),
            ("text_input", "form_input", "", (220, 156, 400, 186)),
        ],
        [
            ("label", "data_display", "No facture", (100, 160, 200, 182)),
            ("text_input", "form_input", "", (100, 190, 300, 220)),
        ],
        [
            ("label", "data_display", "No facture", (100, 160, 200, 182)),
            ("label", "data_display", "Etat", (300, 160, 400, 182)),
        ],
        [("label", "data_display", "N° facture", (100, 160, 200, 182))],
    ],
    ids=["button", "link", "field beside", "field below", "header line", "asked for"],
)
def test_what_a_control_a_field_or_a_header_says_is_no_word_of_the_list(beside: list[AnyItem]) -> None:
    """L4-5, EX-7"""
    assert read_list(screen_state([TITLE, *beside]), HEADERS, COLUMNS) is None


def test_a_list_whose_header_is_misread_is_not_empty() -> None:
    """L4-5, EX-7: from end to end; a button says « Nouvelle facture »"""
    office = ListOffice(invoices("10,00", "20,00"))
    workflow = validating(office=office)
    items: list[AnyItem] = []
    for item in list_items(office.rows):
        if isinstance(item, Item):
            items.append(("label", "data_display", item.label, item.bbox))
        else:
            said = "N° lacture" if item[2] == "N° facture" else item[2]
            items.append(("label", "data_display", said, item[3]))
    items.append(("button", "primary_action", "Nouvelle facture", (700, 40, 900, 70)))
    office._list = lambda: office._draw("list", items, "Factures")  # type: ignore[method-assign]
    done = run(office, workflow)
    assert done.outcome.status == "halted"
    assert "no list with the columns" in done.outcome.reason


@pytest.mark.parametrize(
    ("said", "loading"),
    [
        ("Chargement…", True),
        ("Chargement en cours…", True),
        ("Loading...", True),
        ("Loading invoices...", True),
        ("Veuillez patienter", True),
        ("Chargement des camions", False),
        ("Patient", False),
        ("Downloading", False),
    ],
)
def test_what_says_that_it_is_loading_is_known(said: str, loading: bool) -> None:
    """L4-5"""
    assert is_loading(screen_state([("label", "data_display", said, (100, 160, 400, 182))])) is loading
    assert not is_loading(screen_state([("button", "navigation", said, (100, 160, 400, 182))]))


class SlowOffice(ListOffice):
    """A list whose rows come a while after its headers."""

    comes_after_s = 3.0

    def slowly(self) -> None:
        """Show it without its rows, and with them in a while."""
        items: list[AnyItem] = [*list_items([]), ("label", "data_display", "Chargement…", (40, 200, 160, 222))]
        self.desktop.show(self.show("list", self._draw("list", items, "Factures")))
        self.clock.after(self.comes_after_s, lambda: self.desktop.show(self.show_list()))


@pytest.mark.parametrize("comes_after_s", [3.0, 3000.0])
def test_a_list_that_is_loading_is_waited_for_and_is_not_empty(comes_after_s: float) -> None:
    """L4-5, EX-7"""
    office = SlowOffice(invoices("10,00", "20,00"))
    office.comes_after_s = comes_after_s
    workflow = validating(office=office)
    office.show_list = _once(office.slowly, office.show_list)  # type: ignore[method-assign]
    done = run(office, workflow)
    if comes_after_s < 10:
        assert done.outcome.status == "success", done.outcome.reason
        assert len(office.validated) == 2
    else:
        assert done.outcome.status == "halted"
        assert "the list is still loading" in done.outcome.reason


def _once(first: Any, then: Any) -> Any:
    calls: list[int] = []

    def shown() -> str:
        calls.append(1)
        if len(calls) == 1:
            first()
            return "list"
        return str(then())

    return shown


class PagedOffice(ListOffice):
    """A list whose control for the next page may bear any name, and that may say which page it shows."""

    onward: str | None = "Suivant"
    position: str = "Page {page} / {pages}"
    leads_back = False
    pale = False
    more_items: tuple[AnyItem, ...] = ()

    def items(self) -> list[AnyItem]:
        pages = -(-len(self.rows) // self.page_size)
        items: list[AnyItem] = []
        for item in list_items(self._shown(), more=self.page + 1 < pages):
            if isinstance(item, Item) and item.label == "Suivant":
                if self.onward is None:
                    continue
                item = replace(item, label=self.onward, enabled=None if self.pale else item.enabled)
            items.append(item)
        if self.position:
            said = self.position.format(
                page=self.page + 1,
                pages=pages,
                first=self.page * self.page_size + 1,
                last=min((self.page + 1) * self.page_size, len(self.rows)),
                rows=len(self.rows),
            )
            items.append(("label", "data_display", said, POSITION))
        if self.leads_back and self.page:
            items.append(Item("button", "navigation", "Précédent", PREVIOUS))
        return [*items, *self.more_items]

    def _list(self) -> Any:
        pixels = self._draw("list", self.items(), "Factures")
        if self.pale:
            x1, y1, x2, y2 = NEXT
            pixels[y1:y2, x1:x2, :3] = 255 - (255 - pixels[y1:y2, x1:x2, :3]) // 4
            self.book._reader.learn(pixels, self.book["live_list"].state)
        return pixels

    def _on_list(self, at: tuple[int, int]) -> str | None:
        if self.leads_back and Box(*PREVIOUS).contains(at) and self.page > 0:
            self.page -= 1
            return self.show_list()
        if self.onward is None and Box(*NEXT).contains(at):
            return None
        return super()._on_list(at)


def paged(**fields: Any) -> PagedOffice:
    office = PagedOffice(invoices("1,00", "2,00", "3,00", "4,00"), page_size=2, paged=True)
    for name, value in fields.items():
        setattr(office, name, value)
    office.book.draw("list", office.items(), title="Factures")
    return office


def paging(office: ListOffice, **target: Any) -> Workflow:
    return validating(loop=rounds(last_edge="E2", next_page=click_on("Suivant", **target)), office=office)


@pytest.mark.parametrize("name", ["Suivant", "Page suivante", "Next", "Suivants", "›"])
def test_pages_are_turned_by_a_control_that_was_renamed(name: str) -> None:
    """L4-5, EX-5: another word of the same meaning"""
    office = paged(onward=name)
    done = run(office, paging(office))
    assert (done.outcome.status, done.outcome.reason) == ("success", "")
    assert len(office.validated) == 4


class HoveredOffice(PagedOffice):
    """Its next page comes in a while; until then something beside the rows is read otherwise."""

    hovered: AnyItem = ("label", "data_display", "Page suivante", (560, 560, 760, 582))

    def _on_list(self, at: tuple[int, int]) -> str | None:
        if not Box(*NEXT).contains(at) or self.page:
            return super()._on_list(at)
        self.more_items = (self.hovered,)
        waiting = self.show_list()
        self.clock.after(2.0, self._turn)
        return waiting

    def _turn(self) -> None:
        self.page, self.more_items = 1, ()
        self.desktop.show(self.show_list())


def test_a_page_is_turned_when_other_rows_are_shown() -> None:
    """L4-5, EX-7: the rows of before, taken for the next page, would look like a list that leads back and ends"""
    office = HoveredOffice(invoices("1,00", "2,00", "3,00", "4,00"), page_size=2, paged=True)
    office.book.draw("list", office.items(), title="Factures")
    done = run(office, paging(office))
    assert (done.outcome.status, done.outcome.reason) == ("success", "")
    assert len(office.validated) == 4


@pytest.mark.parametrize("position", ["Page {page} / {pages}", "{first}-{last} sur {rows}"])
def test_a_list_that_says_that_there_is_more_does_not_end_where_nothing_leads_on(position: str) -> None:
    """L4-5, EX-7"""
    office = paged(onward=None, position=position)
    done = run(office, paging(office))
    assert done.outcome.status == "halted", done.outcome.reason
    assert len(office.validated) == 2


@pytest.mark.parametrize("position", ["Page {page} / {pages}", "{page} / {pages}", "{first}-{last} sur {rows}"])
def test_the_last_page_is_known_by_what_the_list_says(position: str) -> None:
    """L4-5: applications leave out the control on the last page"""
    office = paged(position=position, onward=None, rows=invoices("1,00", "2,00"))
    done = run(office, paging(office))
    assert (done.outcome.status, done.outcome.reason) == ("success", "")
    assert len(office.validated) == 2


def test_a_control_that_looks_pale_ends_no_list_that_says_that_there_is_more() -> None:
    """L4-5, EX-7: another style"""
    others = tuple(
        Item("button", "navigation", f"Action {n}", (40 + 200 * n, 480, 180 + 200 * n, 510)) for n in range(4)
    )
    office = paged(pale=True, more_items=others)
    done = run(office, paging(office))
    assert done.outcome.status == "success", done.outcome.reason
    assert len(office.validated) == 4


def test_without_a_page_number_a_control_that_is_gone_ends_nothing_by_itself() -> None:
    """L4-5, EX-7: it may be the icon below the rows"""
    office = paged(onward=None, position="", leads_back=True)
    office.more_items = (("icon", "unknown", "", NEXT),)
    done = run(office, paging(office))
    assert done.outcome.status in ("halted", "blocked"), done.outcome.reason
    assert len(office.validated) <= 2


def test_a_list_of_one_page_needs_no_control() -> None:
    """L4-5: nothing below its rows could lead anywhere"""
    office = paged(onward=None, position="", rows=invoices("1,00", "2,00"))
    done = run(office, paging(office))
    assert (done.outcome.status, done.outcome.reason) == ("success", "")
    assert len(office.validated) == 2


@pytest.mark.parametrize("position", ["", "Page {page} / {pages}"])
def test_a_search_that_breaks_ends_no_list(position: str) -> None:
    """L4-5, EX-7: the same list as before; that the control was not found tells nothing"""
    office = paged(onward=None, position=position, rows=invoices("1,00", "2,00"))
    workflow = paging(office)
    onward = next(edge.loop.next_page for edge in workflow.edges if edge.loop is not None)
    assert onward is not None
    assert onward.target is not None
    assert onward.target.label is not None
    done = run(office, workflow, resolver=BreaksFor(onward.target.label))
    if position:  # the list itself says that this page is the last
        assert done.outcome.status == "success"
    else:
        assert done.outcome.status in ("halted", "blocked")


def test_a_list_whose_control_cannot_be_looked_for_is_stuck() -> None:
    """L4-5, EX-7: it is told why"""
    office = paged(position="", leads_back=True)
    workflow = paging(office)
    onward = next(edge.loop.next_page for edge in workflow.edges if edge.loop is not None)
    assert onward is not None
    assert onward.target is not None
    assert onward.target.label is not None
    done = run(office, workflow, resolver=BreaksFor(onward.target.label, after=6))
    assert done.outcome.status == "halted", done.outcome.reason
    assert BROKEN in done.outcome.reason


def test_a_list_that_tells_nothing_of_its_page_is_not_taken_for_its_first() -> None:
    """L4-5, EX-7: it was left on its second page, and nothing says so"""
    office = paged(position="", returns_to=None)
    office.page = 1
    done = run(office, paging(office))
    assert done.outcome.status == "blocked"
    assert "which page of the list is shown cannot be told" in done.outcome.reason
    assert office.validated == []


@pytest.mark.parametrize("left_on", [0, 1])
def test_a_list_that_leads_back_from_later_pages_tells_which_is_the_first(left_on: int) -> None:
    """L4-5: on the first page there is nothing to go back to, and nothing is shown for it"""
    office = paged(position="", leads_back=True, returns_to=None)
    office.page = left_on
    done = run(office, paging(office))
    assert (done.outcome.status, done.outcome.reason) == ("success", "")
    assert office.validated == [one.number for one in office.rows]


def test_a_list_that_the_run_itself_has_opened_begins_with_its_first_page() -> None:
    """L4-5"""
    office = paged(position="")
    home: list[AnyItem] = [
        ("heading", "title", "Accueil de la clinique", (300, 40, 640, 80)),
        ("button", "navigation", "Factures", (300, 300, 420, 340)),
    ]
    office.book.draw("home", home, title="Accueil")
    office.show("home", office.book["home"].pixels)

    def opens(screen: str, deed: Deed) -> str | None:
        return office.show_list() if screen == "home" and deed.verb == "click" else None

    office.interrupts = opens
    made = validating(
        loop=rounds(last_edge="E2", next_page=click_on("Suivant")), office=office, more_nodes={"home": "home"}
    )
    first = go("E0", "home", "list", click_on("Factures"))
    workflow = made.model_copy(update={"edges": (first, *made.edges), "entry_nodes": ("home",)})
    office.desktop.show("home")
    done = run(office, workflow)
    assert (done.outcome.status, done.outcome.reason) == ("success", "")
    assert len(office.validated) == 4


@pytest.mark.parametrize(
    ("said", "last"),
    [
        ("Page 2 / 2", True),
        ("Page 1 sur 3", False),
        ("3-4 sur 4", True),
        ("1 à 20 sur 45", False),
        ("2 / 2", True),
        ("Page 3", None),
    ],
)
def test_whether_a_page_is_the_last_is_read(said: str, last: bool | None) -> None:
    """L4-5"""
    shown = page_said(screen_state([("label", "data_display", said, POSITION)]))
    assert shown is not None
    assert shown.is_last is last


@pytest.mark.parametrize("said", ["16/11", "Lot 1/2", "3 / 2", "Facture 12"])
def test_what_is_no_page_is_not_taken_for_one(said: str) -> None:
    """L4-5, EX-7"""
    assert page_said(screen_state([("label", "data_display", said, POSITION)])) is None
