"""Where values come from: the clipboard, the calendar, the screen, the person."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from datetime import timedelta

import pytest
from clinic_by_hand import middle
from office_by_hand import SEARCH, Invoice, Office, learn
from test_tasks import FIELD, KEEP, note_items

from rpa_vision.execution.extraction import read_place
from rpa_vision.graph.plan import problems_of
from rpa_vision.graph.value_types import written_like
from rpa_vision.testing.screens import MOMENT, AnyItem, Item, ScreenBook

NUMBERS = ("FAC-2026-011", "FAC-2026-012", "FAC-2026-013")


@pytest.mark.parametrize("keys", [("V", "CTRL"), ("INSERT", "SHIFT")])
def test_what_is_copied_here_and_pasted_there_is_one_variable(book: ScreenBook, keys: tuple[str, str]) -> None:
    """L4-3, L4-7"""
    office = Office(book)
    session = office.session
    for number in NUMBERS:
        listing = office.list([Invoice(number)], search=number)
        note, pasted = office.draw(note_items(), "Notes", "notes"), office.draw(note_items(number), "Notes", "notes")
        session.click(listing, middle(SEARCH), clicks=3, after=listing)
        session.press(listing, "C", "CTRL", after=listing)
        session.click(note, middle(FIELD), after=note)
        session.press(note, *keys, after=pasted)
        session.click(pasted, middle(KEEP), after=office.draw(note_items("", True), "Notes", "notes"))
    workflow = learn(office).workflow
    assert problems_of(workflow) == []
    used = [edge for edge in workflow.edges if edge.action is not None and edge.action.type == "clipboard"]
    copy, paste = (edge.action for edge in used)
    assert copy is not None
    assert paste is not None
    assert (copy.parameters.clipboard_operation, copy.parameters.extract_to) == ("copy", "note")
    assert (paste.parameters.clipboard_operation, paste.parameters.text) == ("paste", "${note}")
    assert workflow.variables["note"].source.method == "clipboard"
    assert workflow.variables["note"].example_values == NUMBERS
    assert used[0].post_conditions is not None
    assert used[0].post_conditions.conditions == ()
    assert [edge.action.type for edge in workflow.edges if edge.action].count("window_switch") == 1


FILES = ("releve-0312.csv", "releve-0419.csv", "releve-0527.csv")
NAME, SAVE, FILE, OPEN = (300, 200, 700, 230), (600, 300, 700, 330), (300, 240, 600, 262), (600, 400, 700, 430)


def save_dialog(name: str = "", *, done: bool = False) -> list[AnyItem]:
    heading = "Fichier enregistré" if done else "Enregistrer sous"
    field: list[AnyItem] = [] if done else [Item("text_input", "form_input", "Nom du fichier", NAME, value=name)]
    return [("heading", "title", heading, (300, 150, 520, 176)), *field, ("button", "submit", "Enregistrer", SAVE)]


def open_dialog(files: tuple[str, ...], name: str = "", opened: str = "") -> list[AnyItem]:
    listed: list[AnyItem] = [
        ("list_item", "data_display", one, (300, 240 + 30 * index, 600, 262 + 30 * index))
        for index, one in enumerate(files)
    ]
    told: list[AnyItem] = [("label", "data_display", f"{opened} est joint", (300, 500, 700, 522))] if opened else []
    return [
        ("heading", "title", "Joindre un fichier", (300, 150, 520, 176)),
        Item("text_input", "form_input", "Fichier à joindre", NAME, value=name),
        *listed,
        ("button", "submit", "Joindre", OPEN),
        *told,
    ]


@pytest.mark.parametrize("way", ["typed", "chosen"])
def test_a_file_that_is_saved_here_and_opened_there_is_one_variable(book: ScreenBook, way: str) -> None:
    """L4-3, L4-7, issue 5: files as data between applications"""
    office = Office(book)
    session = office.session
    for name in FILES:
        asked, named = (office.draw(save_dialog(text), "Tableur", "sheets") for text in ("", name))
        saved = office.draw(save_dialog(done=True), "Tableur", "sheets")
        session.click(asked, middle(NAME))
        session.type(asked, name, after=named)
        session.click(named, middle(SAVE), after=saved)
        listed = () if way == "typed" else (name, "notes.txt")
        path = f"/partage/export/{name}"
        empty = office.draw(open_dialog(listed), "Messagerie", "mail")
        chosen = office.draw(open_dialog(listed, path if way == "typed" else name), "Messagerie", "mail")
        if way == "typed":
            session.click(empty, middle(NAME))
            session.type(empty, path, after=chosen)
        else:
            session.click(empty, middle(FILE), after=chosen)
        session.click(chosen, middle(OPEN), after=office.draw(open_dialog(listed, opened=name), "Messagerie", "mail"))
    workflow = learn(office).workflow
    assert problems_of(workflow) == []
    ((variable, kept),) = workflow.variables.items()
    assert (kept.source.method, kept.example_values) == ("parameter", FILES)
    actions = [edge.action for edge in workflow.edges if edge.action is not None]
    typed = [action.parameters.text for action in actions if action.type == "text_input"]
    if way == "typed":
        assert typed == [f"${{{variable}}}", f"/partage/export/${{{variable}}}"]
    else:
        assert typed == [f"${{{variable}}}"]
        assert f"${{{variable}}}" in [action.target.label for action in actions if action.target is not None]
    assert [action.target_app for action in actions if action.type == "window_switch"] == ["mail"]


def test_the_day_on_which_it_was_shown_is_no_constant(book: ScreenBook) -> None:
    """L4-3: system_time"""
    office = Office(book)
    today = MOMENT.strftime("%d/%m/%Y")
    for number in NUMBERS:
        office.one_invoice(Invoice(number))
        empty, typed = office.draw(note_items(), "Notes", "notes"), office.draw(note_items(today), "Notes", "notes")
        office.session.click(empty, middle(FIELD))
        office.session.type(empty, today, after=typed)
        office.session.click(typed, middle(KEEP), after=office.draw(note_items(number, True), "Notes", "notes"))
        office.session.click(office.draw(note_items(number, True), "Notes", "notes"), middle(FIELD))
        office.session.type(empty, number, after=typed)
    workflow = learn(office).workflow
    dates = {name: one for name, one in workflow.variables.items() if one.source.method == "system_time"}
    ((name, variable),) = dates.items()
    assert (variable.type, variable.required, variable.example_values) == ("datetime", False, (today,))
    texts = [edge.action.parameters.text for edge in workflow.edges if edge.action and edge.action.type == "text_input"]
    assert texts == ["${facture}", f"${{{name}}}", "${facture}"]


def test_an_amount_read_with_its_currency_is_written_as_it_was_typed() -> None:
    """L4-3, EX-5: only how it is written changes"""
    assert written_like("1 250,50 €", ["120,00", "75,50"]) == "1250,50"
    assert written_like("1 250,50 €", ["120,00 €"]) == "1 250,50 €"
    assert written_like("75,50", ["120.00"]) == "75.50"
    assert written_like("1 250,50 €", ["1 300,00", "75,50"]) == "1 250,50"


def test_a_key_that_shows_nothing_is_done_together_with_what_it_prepares(book: ScreenBook) -> None:
    """EX-1: nothing could prove it by itself, and nobody is asked to believe it"""
    office = Office(book)
    session = office.session
    for text in ("un", "deux", "trois"):
        empty = office.draw(note_items(), "Notes", "notes")
        typed, kept = (
            office.draw(note_items(text), "Notes", "notes"),
            office.draw(note_items("", True), "Notes", "notes"),
        )
        session.press(empty, "END", "CTRL", after=empty)
        session.click(empty, middle(FIELD))
        session.type(empty, text, after=typed)
        session.press(typed, "HOME", after=typed)
        session.click(typed, middle(KEEP), after=kept)
    workflow = learn(office).workflow
    assert problems_of(workflow) == []
    actions = [edge.action for edge in workflow.edges if edge.action is not None]
    told = [(action.type, [step.type for step in action.steps or ()]) for action in actions]
    assert told == [("compound", ["key_press", "text_input"]), ("compound", ["key_press", "mouse_click"])]


@pytest.fixture
def far_east(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine on the other side of the date line: there it is tomorrow already."""
    monkeypatch.setenv("TZ", "XXX-20")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("far_east")
def test_the_day_is_the_one_of_the_place_where_it_was_shown(book: ScreenBook) -> None:
    """L4-3: system_time"""
    office = Office(book)
    today = (MOMENT + timedelta(days=1)).strftime("%d/%m/%Y")
    for _ in NUMBERS:
        empty, typed = office.draw(note_items(), "Notes", "notes"), office.draw(note_items(today), "Notes", "notes")
        office.session.click(empty, middle(FIELD))
        office.session.type(empty, today, after=typed)
        office.session.click(typed, middle(KEEP), after=office.draw(note_items("", True), "Notes", "notes"))
    (variable,) = learn(office).workflow.variables.values()
    assert variable.source.method == "system_time"


PAY, SAVE = (40, 60, 300, 90), (40, 300, 160, 340)
TITLES = ("Number", "Amount ($)")


def payments(amounts: Sequence[str]) -> list[AnyItem]:
    """A list with a column that has a dollar sign in its title, and a button for more that has one too."""
    items: list[AnyItem] = [
        ("label", "data_display", title, (left, 110, left + 140, 132))
        for title, left in zip(TITLES, (40, 420), strict=True)
    ]
    for row, amount in enumerate(amounts):
        top = 150 + 34 * row
        texts = zip((f"PAY-{row + 31}", amount), (40, 420), TITLES, ("link", "cell"), strict=True)
        items += [
            Item(kind, "data_display", text, (left, top, left + 140, top + 22), column_title=title)  # type: ignore[arg-type]
            for text, left, title, kind in texts
        ]
    return items


def test_a_dollar_sign_in_the_title_of_a_column_is_no_variable(book: ScreenBook) -> None:
    """L4-3: what is read under it is found again"""
    office = Office(book)
    session = office.session
    amounts = [f"{100 + 37 * row}.50" for row in range(4)]
    listing = office.draw(payments(amounts), "Payments")
    for row, amount in enumerate(amounts):
        form = [Item("text_input", "form_input", "To pay", PAY, value=""), Item("button", "submit", "Pay", SAVE)]
        filled = [Item("text_input", "form_input", "To pay", PAY, value=amount), form[1]]
        empty, typed, done = (
            office.draw(list(items), "Payment")
            for items in (form, filled, [*form, Item("label", "x", "Payment stored", (560, 100, 800, 130))])
        )
        session.click(listing, middle((40, 150 + 34 * row, 180, 172 + 34 * row)), after=empty)
        session.click(empty, middle(PAY))
        session.type(empty, amount, after=typed)
        session.click(typed, middle(SAVE), after=done)
        session.press(done, "ESCAPE", after=listing)
    workflow = learn(office).workflow
    assert problems_of(workflow) == []
    (target,) = [edge.action.target for edge in workflow.edges if edge.action and edge.action.type == "extract"]
    assert target is not None
    assert target.column == "Amount ($$)"
    read = read_place(target, office.book[listing].state, dict.fromkeys(workflow.variables, "PAY-32"))
    assert read is not None
    assert read.text == "137.50"
