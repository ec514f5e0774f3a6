"""A round for each row of a list: each row once, in any order the list is in, and never on a guess."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from list_office import BACK, DONE, Invoice, ListOffice, click_on, go, invoices, list_items, rounds, run, validating

from rpa_vision.execution.list_pages import is_later_page
from rpa_vision.execution.list_rows import columns_of, read_list
from rpa_vision.models.geometry import Box
from rpa_vision.models.workflow_graph import Loop
from rpa_vision.testing.screens import AnyItem, Item, screen_state
from rpa_vision.testing.scripted_desktop import Deed


def test_every_row_that_is_meant_is_done_once() -> None:
    """L4-5"""
    office = ListOffice(invoices("120,00", "80,00", "45,50", "300,00"))
    office.rows[1].status = DONE
    done = run(office, validating(office=office))
    assert (done.outcome.status, done.outcome.reason) == ("success", "")
    assert office.validated == ["FAC-2026-00001", "FAC-2026-00003", "FAC-2026-00004"]
    notes = [step.note for step in done.outcome.steps]
    assert notes[0] == "row 1 of 3: FAC-2026-00001"
    assert notes[-1] == "row 3 of 3: FAC-2026-00004"
    assert [kind for kind, _ in done.decisions] == ["round_begins"] * 3 + ["loop_ended"]


def test_a_row_that_stays_as_it_was_is_not_done_again() -> None:
    """L4-5, EX-7: the click had no lasting effect; doing it again could have one"""
    office = ListOffice(invoices("120,00", "80,00"), deaf=frozenset({"FAC-2026-00001"}))
    done = run(office, validating(office=office))
    assert done.outcome.status == "halted"
    assert "« FAC-2026-00001 » was done and still says what it said" in done.outcome.reason
    assert office.validated == ["FAC-2026-00001"]


def test_without_a_filter_rows_may_stay_as_they_are() -> None:
    """L4-5"""
    office = ListOffice(invoices("120,00", "80,00"))
    back = go("E2", "detail", "list", click_on("Retour", "link"))
    done = run(office, validating(back, loop=rounds(rule=None, last_edge="E2"), office=office))
    assert done.outcome.status == "success"
    assert len(done.outcome.steps) == 4


def test_no_more_rows_are_done_than_was_allowed() -> None:
    """L4-5: max_iterations"""
    office = ListOffice(invoices("1,00", "2,00", "3,00"))
    done = run(office, validating(loop=rounds(most=2, last_edge="E2"), office=office))
    assert done.outcome.status == "halted"
    assert "max_iterations: 2 rows were done, and « FAC-2026-00003 » is left" in done.outcome.reason
    assert len(office.validated) == 2


def test_two_rows_of_one_name_are_not_told_apart_by_luck() -> None:
    """L4-5, EX-7"""
    office = ListOffice(invoices("120,00", "80,00"))
    office.rows[1].number = office.rows[0].number
    done = run(office, validating(office=office))
    assert "several rows say" in done.outcome.reason
    assert office.validated == []


def test_a_row_whose_name_is_misread_is_not_done() -> None:
    """L4-3, L4-5"""
    office = ListOffice(invoices("120,00"))
    office.rows[0].number = "FAC-2026-0O001"
    done = run(office, validating(office=office))
    assert "does not look like" in done.outcome.reason
    assert office.validated == []


PREVIOUS = (560, 540, 660, 570)


class TurnedOffice(ListOffice):
    """A list that was left on a later page."""

    tells_page = True
    leads_back = True

    def _list(self) -> Any:
        last = (self.page + 1) * self.page_size >= len(self.rows)
        items = list_items(self._shown(), more=not last)
        if self.leads_back:
            items.append(Item("button", "navigation", "Précédent", PREVIOUS, enabled=self.page > 0))
        if self.tells_page:
            items.append(("label", "data_display", f"Page {self.page + 1} sur 3", (400, 540, 540, 570)))
        return self._draw("list", items, "Factures")

    def _on_list(self, at: tuple[int, int]) -> str | None:
        if self.leads_back and Box(*PREVIOUS).contains(at) and self.page > 0:
            self.page -= 1
            return self.show_list()
        return super()._on_list(at)


def test_further_pages_are_turned_to_until_there_is_none() -> None:
    """L4-5"""
    office = TurnedOffice(invoices("1,00", "2,00", "3,00", "4,00", "5,00"), page_size=2, paged=True)
    office.leads_back = False
    loop = rounds(last_edge="E2", next_page=click_on("Suivant"))
    done = run(office, validating(loop=loop, office=office))
    assert (done.outcome.status, done.outcome.reason) == ("success", "")
    assert len(office.validated) == 5
    asked = [line for line in done.overseer.diary if line.startswith("asked") and "next_page" in line]
    assert asked, "a page is turned only with permission"


@pytest.mark.parametrize("left_on", [0, 1, 2])
@pytest.mark.parametrize(("tells_page", "leads_back"), [(True, True), (False, True), (True, False)])
def test_a_list_that_was_left_on_a_later_page_is_gone_back_in(left_on: int, tells_page: bool, leads_back: bool) -> None:
    """L4-5, EX-7: no row is passed over, or the run says that it cannot see them all"""
    office = TurnedOffice(invoices("1,00", "2,00", "3,00", "4,00", "5,00"), page_size=2, paged=True, returns_to=None)
    office.page, office.tells_page, office.leads_back = left_on, tells_page, leads_back
    done = run(office, validating(loop=rounds(last_edge="E2", next_page=click_on("Suivant")), office=office))
    if left_on and not leads_back:
        assert done.outcome.status == "halted"
        assert "the list does not show its first page" in done.outcome.reason
        assert office.validated == []
        return
    assert done.outcome.status == "success", done.outcome.reason
    assert office.validated == [one.number for one in office.rows]
    asked = [line for line in done.overseer.diary if line.startswith("asked") and "page_before" in line]
    assert len(asked) == left_on, "a page is turned only with permission"


@pytest.mark.parametrize(
    ("said", "later"),
    [
        ("Page 2 / 3", True),
        ("Page 1 sur 3", False),
        ("Précédent Page 3 of 4 Suivant", True),
        ("11 - 20 sur 45", True),
        ("1 à 20 sur 45", False),
        ("Lignes 21 à 40 sur 45", True),
        ("Voir la page suivante", None),
        ("Facture 12", None),
    ],
)
def test_which_page_of_a_list_is_shown_is_read(said: str, later: bool | None) -> None:
    """L4-5"""
    assert is_later_page(screen_state([("label", "data_display", said, (40, 500, 400, 522))])) is later


def test_an_empty_list_is_no_error() -> None:
    """L4-5"""
    office = ListOffice(invoices("1,00"))
    office.rows[0].status = DONE
    done = run(office, validating(office=office))
    assert (done.outcome.status, done.outcome.steps) == ("success", [])


def test_a_list_without_the_columns_is_not_taken_for_an_empty_one() -> None:
    """L4-5, EX-7"""
    office = ListOffice(invoices("1,00"))
    workflow = validating(office=office)
    odd = rounds(last_edge="E2").model_copy(update={"variable_binding": {"numero": "row.Référence"}, "filter": None})
    first = workflow.edges[0].model_copy(update={"loop": odd})
    done = run(office, workflow.model_copy(update={"edges": (first, *workflow.edges[1:])}))
    assert done.outcome.status == "halted"
    assert "no list with the columns « Référence »" in done.outcome.reason


class LinedOffice(ListOffice):
    """Each invoice has lines of its own, all numbered from 1."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.looked_at: list[tuple[str, str]] = []
        self.book.draw("detail", lined_items(), title="Facture")
        self.book.draw("line", LINE_PAGE, title="Ligne")
        self.show("line", self.book["line"].pixels)

    def _detail(self, one: Invoice) -> Any:
        return self._draw("detail", lined_items(), "Facture")

    def _on_detail(self, at: tuple[int, int], one: Invoice) -> str | None:
        number = (at[1] - 140) // 40
        if at[0] < 200 and 0 <= number < 2:
            self.looked_at.append((one.number, f"Ligne {number + 1}"))
            return "line"
        return super()._on_detail(at, one)

    def _follow(self, screen: str, deed: Deed) -> str | None:
        if screen == "line" and deed.verb == "click" and self.open is not None:
            return self.show("detail", self._detail(self.open))
        return super()._follow(screen, deed)


def lined_items() -> list[AnyItem]:
    items: list[AnyItem] = [("heading", "title", "Lignes de la facture", (40, 40, 400, 70))]
    items += [("cell", "data_display", head, (x, 100, x + 120, 122)) for x, head in ((40, "Ligne"), (240, "Acte"))]
    for number, act in enumerate(("Consultation", "Radio")):
        y = 140 + 40 * number
        for x, text, head in ((40, f"Ligne {number + 1}", "Ligne"), (240, act, "Acte")):
            items.append(Item("link", "navigation", text, (x, y, x + 140, y + 22), column_title=head))
    return [*items, ("link", "navigation", "Retour", BACK)]


LINE_PAGE: list[AnyItem] = [
    ("heading", "title", "Détail d'une ligne", (300, 40, 640, 80)),
    ("link", "navigation", "Fermer", (300, 300, 400, 330)),
]


def test_the_rows_of_an_inner_list_are_done_for_each_row_of_the_outer_one() -> None:
    """L4-5: for each invoice, each of its lines; the lines of two invoices have the same names"""
    office = LinedOffice(invoices("120,00", "80,00"))
    inner = Loop(
        type="for_each", iterator="row", variable_binding={"statut": "row.Ligne"}, last_edge="E3", max_iterations=20
    )
    outer = rounds(rule=None, last_edge="E4").model_copy(update={"variable_binding": {"numero": "row.N° facture"}})
    workflow = validating(
        go("E2", "detail", "line", click_on("${statut}", "link"), loop=inner),
        go("E3", "line", "detail", click_on("Fermer", "link")),
        go("E4", "detail", "list", click_on("Retour", "link")),
        office=office,
        loop=outer,
        more_nodes={"line": "line"},
    )
    done = run(office, workflow)
    assert done.outcome.status == "success", done.outcome.reason
    assert office.looked_at == [(one.number, f"Ligne {n}") for one in office.rows for n in (1, 2)]
    assert [done.progress.rounds[first].count for first in ("E1", "E2")] == [2, 4]


ODD_LIST: list[AnyItem] = [
    ("heading", "title", "Factures du jour", (40, 40, 300, 70)),
    ("cell", "data_display", "Document", (40, 100, 160, 122)),
    ("cell", "data_display", "Etat", (600, 100, 720, 122)),
    ("cell", "data_display", "FAC-2026-00001", (40, 140, 180, 162)),
    ("cell", "data_display", "À valider", (600, 140, 740, 162)),
]


@pytest.mark.parametrize(
    "said",
    [
        "Account no 4711",
        "No 4711",
        "Corbeille vide : 3 éléments",
        "Il ne reste rien à payer sur ce compte depuis hier",
        "Aucune facture à valider",
    ],
)
def test_a_list_that_cannot_be_read_is_not_empty_because_of_a_word_somewhere(said: str) -> None:
    """L4-5, EX-7: there are rows, only their headers are other ones"""
    shown = screen_state([*ODD_LIST, ("label", "data_display", said, (40, 500, 440, 522))])
    assert read_list(shown, ["N° facture", "Statut"]) is None


@pytest.mark.parametrize(
    "said",
    ["Aucune facture à valider.", "La liste est vide", "No invoices found", "Nothing to show", "0 résultat", "Vide"],
)
def test_a_list_that_says_that_it_is_empty_is_empty(said: str) -> None:
    """L4-5: applications leave out the headers too; where nobody knows where the list was, it may speak of another"""
    columns = {"N° facture": (40, 180), "Statut": (600, 740)}
    shown = screen_state([ODD_LIST[0], ("label", "data_display", said, (100, 160, 400, 182))])
    assert read_list(shown, ["N° facture", "Statut"], columns) == []
    assert read_list(shown, ["N° facture", "Statut"], columns, Box(40, 140, 740, 300)) == []
    assert read_list(shown, ["N° facture", "Statut"], columns, Box(40, 400, 740, 500)) is None
    assert read_list(shown, ["N° facture", "Statut"]) is None
    other = screen_state([ODD_LIST[0], ("label", "data_display", "Account no 4711", (100, 160, 400, 182))])
    assert read_list(other, ["N° facture", "Statut"], columns) is None


def test_what_says_beside_a_list_that_something_is_empty_does_not_speak_of_the_list() -> None:
    """L4-5, EX-7"""
    columns = {"N° facture": (40, 180), "Statut": (600, 740)}
    shown = screen_state([ODD_LIST[0], ("label", "data_display", "Aucun message", (900, 160, 1100, 182))])
    assert read_list(shown, ["N° facture", "Statut"], columns) is None


def test_a_question_nobody_answered_stops_the_loop() -> None:
    """L4-5: asked, never guessed"""
    from rpa_vision.models.branch_rule import BranchQuestion

    office = ListOffice(invoices("1,00"))
    asked = BranchQuestion(reason="too_few", question="Which rows?", ways=("all", "some"))
    loop = rounds(last_edge="E2", rule=None, question=asked)
    done = run(office, validating(loop=loop, office=office))
    assert done.outcome.status == "blocked"
    assert "a person has to say first: Which rows?" in done.outcome.reason
    assert office.validated == []


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_a_list_is_read_from_its_headers_down_also_when_it_has_shrunk(count: int) -> None:
    """L4-5: two rows are no table to detection"""
    items = list_items(invoices("1,00", "2,00", "3,00", "4,00", "5,00")[:count])
    plain = [replace(item, column_title="") if isinstance(item, Item) else item for item in items]
    rows = read_list(screen_state(plain), ["N° facture", "Statut"])
    assert rows is not None
    assert [row.cells["N° facture"] for row in rows] == [f"FAC-2026-{n + 1:05d}" for n in range(count)]
    assert all(row.cells["Statut"] == "À valider" for row in rows)


@pytest.mark.parametrize("at_first", [0, 1, 2])
def test_rows_out_of_sight_are_scrolled_to_both_ways(at_first: int) -> None:
    """L4-5: wherever the list happened to be scrolled to"""
    office = ListOffice(invoices("1,00", "2,00", "3,00", "4,00", "5,00", "6,00"), page_size=2, returns_to=None)
    office.page = at_first

    def wheel(screen: str, deed: Deed) -> str | None:
        there = office.page + (1 if deed.scroll[1] > 0 else -1)
        if screen == "list" and deed.verb == "scroll" and 0 <= there <= 2:
            office.page = there
            return office.show_list()
        return None

    office.interrupts = wheel
    done = run(office, validating(office=office))
    assert done.outcome.status == "success", done.outcome.reason
    assert sorted(office.validated) == [one.number for one in office.rows]
    assert any("E1.scroll" in line for line in done.overseer.diary)


def test_a_clock_on_the_screen_does_not_make_a_list_endless() -> None:
    """L4-5: the rows stay where they are; only the time moves"""
    office = ListOffice(invoices("1,00"))
    office.rows[0].status = DONE
    turned = [0]

    def wheel(screen: str, deed: Deed) -> str | None:
        if screen != "list" or deed.verb != "scroll":
            return None
        turned[0] += 1
        clock: AnyItem = ("label", "data_display", f"10:00:{turned[0] % 60:02d}", (700, 20, 790, 40))
        shown = office.book.draw("live_list", [*list_items(office.rows), clock], title="Factures")
        return office.show("list", shown.pixels)

    office.interrupts = wheel
    done = run(office, validating(office=office))
    assert done.outcome.status == "success", done.outcome.reason
    assert turned[0] <= 4, "once up and once down, in each round"


def test_a_list_whose_headers_were_scrolled_away_is_read_by_its_columns() -> None:
    """L4-5"""
    whole = list_items(invoices("1,00", "2,00", "3,00"))
    rows = read_list(screen_state(whole), ["N° facture", "Statut"])
    assert rows is not None
    headless: list[AnyItem] = [replace(item, column_title="") for item in whole if isinstance(item, Item)]
    shown = screen_state([*headless, ("label", "data_display", "Page 1 sur 2", (40, 500, 160, 522))])
    assert read_list(shown, ["N° facture", "Statut"]) is None
    again = read_list(shown, ["N° facture", "Statut"], columns_of(rows))
    assert again is not None
    assert [row.cells for row in again] == [row.cells for row in rows]
