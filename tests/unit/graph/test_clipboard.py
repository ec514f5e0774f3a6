"""What is pasted is what was copied last, or a value of its own: never what happens to be on the clipboard."""

from __future__ import annotations

import pytest
from clinic_by_hand import middle
from office_by_hand import MENU, Office, learn

from rpa_vision.graph.plan import problems_of
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.testing.screens import AnyItem, Item, ScreenBook

CELLS = ((40, 60, 300, 90), (40, 110, 300, 140))
COPY, SAVE = (320, 120, 420, 150), (40, 300, 160, 340)
PEOPLE = (("Durand", "K-11"), ("Martin", "K-27"), ("Petit", "K-33"), ("Moreau", "K-48"))


def sheet(texts: tuple[str, str], *, menu: bool = False) -> list[AnyItem]:
    names = ("Cellule A", "Cellule B")
    cells = [Item("text_input", "form_input", *one) for one in zip(names, CELLS, texts, strict=True)]
    entry: list[AnyItem] = [("menu_item", "navigation", "Copier", COPY)] if menu else []
    return [("heading", "title", "Feuille", (320, 50, 520, 76)), *cells, *entry]


def file_of(name: str, code: str, *, seen: bool = True, done: bool = False) -> list[AnyItem]:
    """A form with two fields; where it is not `seen`, nothing can be read of what stands in them."""
    texts = (name, code) if seen else ("", "")
    fields = [Item("text_input", "form_input", *one) for one in zip(("Nom", "Code"), CELLS, texts, strict=True)]
    told: list[AnyItem] = [("label", "data_display", "Dossier enregistré", (560, 100, 800, 130))] if done else []
    heading: list[AnyItem] = [*MENU, ("heading", "title", "Dossier", (320, 50, 520, 76))]
    return [*heading, *fields, ("button", "submit", "Enregistrer", SAVE), *told]


class Clerk:
    """Brings names and codes from a sheet into a form."""

    def __init__(self, book: ScreenBook) -> None:
        self.office = Office(book)
        self.session = self.office.session

    def sheet(self, texts: tuple[str, str], *, menu: bool = False) -> str:
        return self.office.draw(sheet(texts, menu=menu), "Feuille", "calc")

    def form(self, name: str = "", code: str = "", **how: bool) -> str:
        return self.office.draw(file_of(name, code, **how), "Dossier")

    def copy(self, at: int, texts: tuple[str, str]) -> None:
        shown = self.sheet(texts)
        self.session.click(shown, middle(CELLS[at]))
        self.session.press(shown, "C", "CTRL", after=shown)

    def copy_by_menu(self, at: int, texts: tuple[str, str]) -> None:
        shown, menu = self.sheet(texts), self.sheet(texts, menu=True)
        self.session.click(shown, middle(CELLS[at]), button="right", after=menu)
        self.session.click(menu, middle(COPY), after=shown)

    def cut(self, at: int, texts: tuple[str, str]) -> None:
        shown = self.sheet(texts)
        left = (texts[0] if at else "", "" if at else texts[1])
        self.session.click(shown, middle(CELLS[at]))
        self.session.press(shown, "X", "CTRL", after=self.sheet(left))

    def paste(self, at: int, before: str, after: str) -> None:
        self.session.click(before, middle(CELLS[at]))
        self.session.press(before, "V", "CTRL", after=after)

    def save(self, shown: str) -> None:
        self.session.click(shown, middle(SAVE), after=self.form(done=True))


def pasted(workflow: Workflow) -> list[str | None]:
    """What is put in by pasting, in order; every one of them is also what the field must say afterwards."""
    edges = [edge for edge in workflow.edges if edge.action is not None and edge.action.type == "clipboard"]
    found = [edge for edge in edges if edge.action and edge.action.parameters.clipboard_operation == "paste"]
    for edge in found:
        assert edge.action is not None
        assert edge.post_conditions is not None
        assert edge.post_conditions.conditions == (f"field_contains:{edge.action.parameters.text}",)
    return [edge.action.parameters.text for edge in found if edge.action is not None]


def no_key_pastes(workflow: Workflow) -> bool:
    return not any(edge.action is not None and "V" in (edge.action.keys or ()) for edge in workflow.edges)


@pytest.mark.parametrize("by", ["copy_by_menu", "cut"])
def test_something_else_on_the_clipboard_is_another_value(book: ScreenBook, by: str) -> None:
    """L4-3, L4-7, EX-7: copied with the mouse, or cut; what was copied before does not go into the second field"""
    clerk = Clerk(book)
    for texts in PEOPLE:
        filled = clerk.form(*texts)
        clerk.copy(0, texts)
        clerk.paste(0, clerk.form(), clerk.form(texts[0]))
        getattr(clerk, by)(1, texts)
        clerk.paste(1, clerk.form(texts[0]), filled)
        clerk.save(filled)
    workflow = learn(clerk.office).workflow
    assert problems_of(workflow) == []
    assert pasted(workflow) == ["${nom}", "${code}"]
    assert workflow.variables["nom"].source.method == "clipboard"
    assert workflow.variables["code"].source.method == "parameter"
    assert workflow.variables["code"].example_values == tuple(code for _, code in PEOPLE)


def test_another_value_that_appears_is_not_what_was_copied(book: ScreenBook) -> None:
    """L4-7: something put it on the clipboard that nobody saw"""
    clerk = Clerk(book)
    for texts in PEOPLE:
        filled = clerk.form(*texts)
        clerk.copy(0, texts)
        clerk.paste(0, clerk.form(), clerk.form(texts[0]))
        clerk.paste(1, clerk.form(texts[0]), filled)
        clerk.save(filled)
    workflow = learn(clerk.office).workflow
    assert pasted(workflow) == ["${nom}", "${code}"]


def test_what_is_pasted_twice_is_copied_once(book: ScreenBook) -> None:
    """L4-3: the same value in two places is one variable"""
    clerk = Clerk(book)
    for name, _ in PEOPLE:
        filled = clerk.form(name, name)
        clerk.copy(0, (name, ""))
        clerk.paste(0, clerk.form(), clerk.form(name))
        clerk.paste(1, clerk.form(name), filled)
        clerk.save(filled)
    workflow = learn(clerk.office).workflow
    assert pasted(workflow) == ["${nom}", "${nom}"]
    assert list(workflow.variables) == ["nom"]


def test_what_was_on_the_clipboard_before_is_asked_for(book: ScreenBook) -> None:
    """L4-3, EX-7: nobody knows what it will hold the next time"""
    clerk = Clerk(book)
    for name, _ in PEOPLE:
        filled = clerk.form(name)
        clerk.paste(0, clerk.form(), filled)
        clerk.save(filled)
    workflow = learn(clerk.office).workflow
    assert pasted(workflow) == ["${nom}"]
    assert no_key_pastes(workflow)
    assert (workflow.variables["nom"].source.method, workflow.variables["nom"].required) == ("parameter", True)


def test_what_is_always_the_same_is_pasted_as_it_is(book: ScreenBook) -> None:
    """L4-3: constant text stays constant"""
    clerk = Clerk(book)
    for _ in range(3):
        filled = clerk.form("Cabinet $ Nord")
        clerk.paste(0, clerk.form(), filled)
        clerk.save(filled)
    workflow = learn(clerk.office).workflow
    assert (pasted(workflow), workflow.variables) == (["Cabinet $$ Nord"], {})


def test_what_could_not_be_read_is_asked_for(book: ScreenBook) -> None:
    """EX-7: and the person is told why"""
    clerk = Clerk(book)
    for texts in PEOPLE:
        hidden = clerk.form(*texts, seen=False)
        clerk.paste(0, clerk.form(), hidden)
        clerk.save(hidden)
    workflow = learn(clerk.office).workflow
    assert pasted(workflow) == ["${nom}"]
    asked = workflow.variables["nom"]
    assert (asked.source.method, asked.required, asked.example_values) == ("parameter", True, ())
    assert "could not be read" in (asked.description or "")


def test_what_stood_in_the_field_before_is_not_what_was_pasted(book: ScreenBook) -> None:
    """L4-3"""
    clerk = Clerk(book)
    for name, _ in PEOPLE:
        filled = clerk.form(f"Mme {name}")
        clerk.paste(0, clerk.form("Mme"), filled)
        clerk.save(filled)
    workflow = learn(clerk.office).workflow
    assert workflow.variables["nom"].example_values == tuple(name for name, _ in PEOPLE)


def test_what_a_click_pastes_is_put_on_the_clipboard_first(book: ScreenBook) -> None:
    """L4-7, EX-7: « Coller » takes whatever is there"""
    clerk = Clerk(book)
    for name, _ in PEOPLE:
        empty, filled = clerk.form(), clerk.form(name)
        menu = clerk.office.draw([*file_of("", ""), ("menu_item", "navigation", "Coller", COPY)], "Dossier")
        clerk.session.click(empty, middle(CELLS[0]), button="right", after=menu)
        clerk.session.click(menu, middle(COPY), after=filled)
        clerk.save(filled)
    workflow = learn(clerk.office).workflow
    assert problems_of(workflow) == []
    (parts,) = [edge.action.steps for edge in workflow.edges if edge.action is not None and edge.action.steps]
    put, click = parts
    assert (put.parameters.clipboard_operation, put.parameters.text) == ("set", "${nom}")
    assert click.target is not None
    assert click.target.label == "Coller"
    assert workflow.variables["nom"].source.method == "parameter"


def test_a_click_pastes_what_was_copied_by_one(book: ScreenBook) -> None:
    """L4-7: the same run puts it there"""
    clerk = Clerk(book)
    for texts in PEOPLE:
        empty, filled = clerk.form(), clerk.form(texts[0])
        menu = clerk.office.draw([*file_of("", ""), ("menu_item", "navigation", "Coller", COPY)], "Dossier")
        clerk.copy_by_menu(0, texts)
        clerk.session.click(empty, middle(CELLS[0]), button="right", after=menu)
        clerk.session.click(menu, middle(COPY), after=filled)
        clerk.save(filled)
    workflow = learn(clerk.office).workflow
    assert workflow.variables == {}
    assert all(edge.action is not None and edge.action.type != "clipboard" for edge in workflow.edges)
