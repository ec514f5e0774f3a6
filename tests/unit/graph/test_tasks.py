"""Several tasks in one recording, and two that were only done in turn."""

from __future__ import annotations

from clinic_by_hand import middle
from office_by_hand import BACK, VALIDATE, Invoice, Office, learn_all

from rpa_vision.graph.demonstration import demonstrated_steps
from rpa_vision.graph.plan import problems_of
from rpa_vision.graph.window_switches import is_switch, without_glances
from rpa_vision.testing.screens import AnyItem, Item, ScreenBook

FIELD, KEEP = (300, 300, 500, 340), (300, 400, 420, 440)


def note_items(text: str = "", kept: bool = False) -> list[AnyItem]:
    end: AnyItem = (
        ("label", "x", "Note gardée", (300, 500, 420, 530))
        if kept
        else ("label", "x", "Brouillon", (300, 500, 420, 530))
    )
    return [
        ("heading", "title", "Bloc-notes", (40, 40, 200, 60)),
        Item("textarea", "form_input", "Note", FIELD, value=text),
        ("button", "submit", "Garder", KEEP),
        end,
    ]


def take_note(office: Office, text: str) -> None:
    """In another program: write something and keep it."""
    draw = lambda *what: office.draw(note_items(*what), "Notes", "notes")  # noqa: E731
    empty, typed, kept = draw(), draw(text), draw("", True)
    office.session.click(empty, middle(FIELD))
    office.session.type(empty, text, after=typed)
    office.session.click(typed, middle(KEEP), after=kept)


def test_two_tasks_done_in_turn_that_pass_nothing_on_are_two(book: ScreenBook) -> None:
    """L4-2"""
    office = Office(book)
    for number, text in (("011", "un"), ("012", "deux"), ("013", "trois")):
        office.one_invoice(Invoice(f"FAC-2026-{number}"))
        take_note(office, text)
    learned = learn_all(office)
    assert [(one.repetitions, len(one.workflow.edges)) for one in learned] == [(3, 4), (3, 2)]
    assert [one.workflow.applications for one in learned] == [("office",), ("notes",)]
    assert all(problems_of(one.workflow) == [] for one in learned)


def test_they_stay_one_where_a_value_is_passed_on(book: ScreenBook) -> None:
    """L4-2, L4-3, L4-7: read here, typed there, and a change of window between them"""
    office = Office(book)
    for number in ("011", "012", "013"):
        office.one_invoice(Invoice(f"FAC-2026-{number}"))
        take_note(office, f"FAC-2026-{number}")
    (learned,) = learn_all(office)
    workflow = learned.workflow
    assert problems_of(workflow) == []
    assert [edge.action.type for edge in workflow.edges if edge.action] == [
        "text_input", "mouse_click", "mouse_click", "mouse_click", "window_switch", "text_input", "mouse_click",
    ]  # fmt: skip
    assert list(workflow.variables) == ["facture"]
    switch, note = workflow.edges[4], workflow.edges[5]
    assert switch.action is not None
    assert (switch.action.target_app, switch.action.parameters.title_contains) == ("notes", "Notes")
    assert switch.to_node == note.from_node != switch.from_node
    assert note.action is not None
    assert note.action.parameters.text == "${facture}"
    assert workflow.applications == ("notes", "office")


def test_a_value_read_in_one_program_is_typed_in_the_other(book: ScreenBook) -> None:
    """L4-3, L4-7: nobody is asked for what stands on the screen"""
    office = Office(book)
    amounts = ("120,00 €", "75,50 €", "310,00 €")
    for number, amount in zip(("011", "012", "013"), amounts, strict=True):
        office.one_invoice(Invoice(f"FAC-2026-{number}", amount=amount))
        take_note(office, amount)
    (learned,) = learn_all(office)
    workflow = learned.workflow
    assert problems_of(workflow) == []
    reads = [edge for edge in workflow.edges if edge.action is not None and edge.action.type == "extract"]
    (read,) = reads
    assert read.action is not None
    assert read.action.target is not None
    assert read.action.target.label == "Montant"
    name = read.action.parameters.extract_to
    assert name is not None
    assert workflow.variables[name].source.method == "ui_element_extraction"
    assert workflow.variables["facture"].source.method == "parameter"
    typed = [edge.action.parameters.text for edge in workflow.edges if edge.action and edge.action.type == "text_input"]
    assert typed == ["${facture}", f"${{{name}}}"]


def glance(office: Office, back_at: str) -> None:
    """To the notes and back, by keys, without doing anything there."""
    notes = office.draw(note_items(), "Notes", "notes")
    office.session.press(back_at, "TAB", "ALT", after=notes)
    office.session.press(notes, "TAB", "ALT", after=back_at)


def test_glances_at_another_program_are_no_task_and_part_none(book: ScreenBook) -> None:
    """L0-5, L4-2: people glance in the middle of anything, more often than they do anything else."""
    office = Office(book)
    for number in ("011", "012", "013", "014"):
        one = Invoice(f"FAC-2026-{number}")
        page, done = office.page(one), office.page(one, "validée")
        glance(office, page)
        office.session.click(page, middle(VALIDATE), after=done)
        for _ in range(int(number) % 3):
            glance(office, done)
        office.session.click(done, middle(BACK), after=page)
        glance(office, page)
    (learned,) = learn_all(office)
    assert learned.repetitions == 4
    assert [edge.action.type for edge in learned.workflow.edges if edge.action] == ["mouse_click", "mouse_click"]
    assert learned.workflow.applications == ("office",)


def test_only_switches_that_led_back_are_glances(book: ScreenBook) -> None:
    """L0-5, L4-7: a switch that led elsewhere is how the next step was reached."""
    office = Office(book)
    page = office.page(Invoice("FAC-2026-011"))
    notes = office.draw(note_items(), "Notes", "notes")
    office.session.click(page, middle(VALIDATE))
    glance(office, page)
    glance(office, page)
    office.session.press(page, "TAB", "ALT", after=notes)
    office.session.click(notes, middle(KEEP))
    office.session.press(notes, "TAB", "ALT", after=page)
    steps = demonstrated_steps(office.session.session(), office.session.observe)
    assert [index for index in range(len(steps)) if not is_switch(steps[index])] == [0, 6]
    assert without_glances(steps) == [0, 1, 2, 3, 4, 5, 6, 7]
    assert without_glances([steps[0], *steps[1:5], steps[0]]) == [0, 5]
    assert without_glances(steps[1:3]) == [0, 1]
