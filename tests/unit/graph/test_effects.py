"""What a step does is what was seen every time after it and not before it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from clinic_by_hand import click_step, invoice_items, pattern, question_items

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.effects import learned_conditions
from rpa_vision.graph.slots import Slots, infer_slots
from rpa_vision.graph.vocabulary import stable_texts
from rpa_vision.testing.screens import AnyItem, ScreenBook

NUMBERS = ("FAC-2026-00011", "FAC-2026-00012", "FAC-2026-00013")
SLOTS = Slots(values={"facture": dict(enumerate(NUMBERS))})


def steps(book: ScreenBook, label: str, befores: list[list[AnyItem]], afters: list[list[AnyItem]]) -> list[DemoStep]:
    made = []
    for index, (before, after) in enumerate(zip(befores, afters, strict=True)):
        one, other = book.draw(f"before_{index}", before), book.draw(f"after_{index}", after)
        made.append(click_step(one, label, after=other))
    return made


def test_what_appears_every_time_is_expected_with_its_values(book: ScreenBook) -> None:
    """L4-15: one text that names the value, and the longest of the others"""
    done = steps(
        book,
        "Confirmer",
        [question_items(number) for number in NUMBERS],
        [invoice_items(number, "Validée") for number in NUMBERS],
    )
    assert learned_conditions(done, SLOTS, leads_elsewhere=False) == (
        "text_appears:Facture ${facture} validée",
        "text_appears:Validée",
    )
    assert learned_conditions(done, SLOTS, leads_elsewhere=True) == ("text_appears:Facture ${facture} validée",)


def test_what_appeared_once_is_not_expected(book: ScreenBook) -> None:
    """L4-15"""
    plain: list[AnyItem] = [("button", "x", "Valider", (40, 40, 140, 70))]
    extra: list[AnyItem] = [*plain, ("label", "x", "Bienvenue Zoé", (40, 100, 240, 130))]
    made = steps(book, "Valider", [plain] * 3, [extra, plain, plain])
    assert learned_conditions(made, Slots(), leads_elsewhere=True) == ()
    assert learned_conditions(made, Slots(), leads_elsewhere=False) == ("target_changed",)


def test_where_nothing_appears_something_vanishes(book: ScreenBook) -> None:
    """L4-15"""
    notice: list[AnyItem] = [
        ("button", "close", "Fermer", (40, 40, 140, 70)),
        ("label", "x", "Une mise à jour est disponible", (40, 100, 300, 130)),
    ]
    gone = notice[:1]
    assert learned_conditions(steps(book, "Fermer", [notice] * 3, [gone] * 3), Slots(), leads_elsewhere=False) == (
        "text_vanishes:Une mise à jour est disponible",
    )


def test_a_step_without_words_to_tell_by_must_change_its_target(book: ScreenBook) -> None:
    """L4-15: unless it leads to another screen, which is proof enough"""
    plain: list[AnyItem] = [("button", "x", "Valider", (40, 40, 140, 70))]
    made = steps(book, "Valider", [plain] * 3, [plain] * 3)
    assert learned_conditions(made, Slots(), leads_elsewhere=False) == ("target_changed",)
    assert learned_conditions(made, Slots(), leads_elsewhere=True) == ()


def test_numbers_that_no_variable_explains_are_not_expected(book: ScreenBook) -> None:
    """L4-15: others will be there tomorrow"""
    before: list[AnyItem] = [("button", "x", "Valider", (40, 40, 140, 70))]
    after: list[AnyItem] = [*before, ("label", "x", "12 factures en attente", (40, 100, 240, 130))]
    made = steps(book, "Valider", [before] * 3, [after] * 3)
    assert learned_conditions(made, Slots(), leads_elsewhere=True) == ()


@pytest.mark.parametrize("read", ["□O", "aaa"])
def test_an_icon_that_was_read_as_a_sign_is_not_expected(book: ScreenBook, read: str) -> None:
    """L4-15: in another theme it is read as something else"""
    before: list[AnyItem] = [("button", "x", "Valider", (40, 40, 140, 70))]
    after: list[AnyItem] = [*before, ("button", "x", read, (40, 100, 80, 130))]
    made = steps(book, "Valider", [before] * 3, [after] * 3)
    assert learned_conditions(made, Slots(), leads_elsewhere=True) == ()


def test_what_was_hardly_read_is_neither_expected_nor_a_word_of_the_screen(book: ScreenBook) -> None:
    """L4-3, L4-15: a drawing taken for words"""
    before: list[AnyItem] = [("button", "x", "Valider", (40, 40, 140, 70))]
    after: list[AnyItem] = [*before, ("button", "x", "fti", (40, 100, 80, 130))]
    read = steps(book, "Valider", [before] * 3, [after] * 3)
    made = [replace(step, after=hardly_read(step.after, "fti")) for step in read]
    assert learned_conditions(made, Slots(), leads_elsewhere=True) == ()
    screens = [step.after for step in made if step.after is not None]
    assert stable_texts(screens, [{}] * 3) == ("Valider",)


def test_a_long_line_may_be_less_sure_as_a_whole(book: ScreenBook) -> None:
    """L4-15: a reader's doubts about single letters add up over a line"""
    before: list[AnyItem] = [("button", "x", "Valider", (40, 40, 140, 70))]
    title = "Confirmer la validation"
    after: list[AnyItem] = [*before, ("heading", "title", title, (40, 100, 340, 130))]
    read = steps(book, "Valider", [before] * 3, [after] * 3)
    made = [replace(step, after=hardly_read(step.after, title, 0.7)) for step in read]
    assert learned_conditions(made, Slots(), leads_elsewhere=True) == (f"text_appears:{title}",)
    assert stable_texts([step.after for step in made if step.after is not None], [{}] * 3) == ("Valider", title)
    drawing = [replace(step, after=hardly_read(step.after, title, 0.45)) for step in read]
    assert learned_conditions(drawing, Slots(), leads_elsewhere=True) == ()


def test_a_dialog_is_known_by_what_it_says_rather_than_by_its_buttons(book: ScreenBook) -> None:
    """L4-15: every dialog has « Annuler », and buttons are renamed"""
    before = [invoice_items(number) for number in NUMBERS]
    asked = steps(book, "Valider", before, [question_items(number) for number in NUMBERS])
    assert learned_conditions(asked, SLOTS, leads_elsewhere=True) == ("text_appears:Confirmer la validation",)


def test_the_buttons_prove_it_where_a_screen_says_nothing_else(book: ScreenBook) -> None:
    """L4-15"""
    before: list[AnyItem] = [("button", "x", "Options", (40, 40, 140, 70))]
    after: list[AnyItem] = [*before, ("button", "x", "Imprimer", (40, 100, 240, 130))]
    made = steps(book, "Options", [before] * 3, [after] * 3)
    assert learned_conditions(made, Slots(), leads_elsewhere=True) == ("text_appears:Imprimer",)


@pytest.mark.parametrize("misread", [0, 1, 2])
def test_one_misreading_among_several_is_outvoted(book: ScreenBook, misread: int) -> None:
    """L4-3, L4-15: whichever demonstration it was; of two, nobody knows which is right"""
    before: list[AnyItem] = [("button", "x", "Valider", (40, 40, 140, 70))]
    said = ["Confirmer la validation" if index != misread else "Confirmer la vatidation" for index in range(3)]
    afters: list[list[AnyItem]] = [[*before, ("heading", "title", text, (40, 100, 340, 130))] for text in said]
    made = steps(book, "Valider", [before] * 3, afters)
    assert learned_conditions(made, Slots(), leads_elsewhere=True) == ("text_appears:Confirmer la validation",)
    screens = [step.after for step in made if step.after is not None]
    assert stable_texts(screens, [{}] * 3) == ("Valider", "Confirmer la validation")
    others = [step for index, step in enumerate(made) if index == misread or index == (misread + 1) % 3]
    assert learned_conditions(others, Slots(), leads_elsewhere=True) == ()


def hardly_read(screen: ObservedScreen | None, text: str, confidence: float = 0.4) -> ObservedScreen | None:
    assert screen is not None
    perception = screen.state.perception
    lines = tuple(
        line.model_copy(update={"confidence": confidence}) if line.text == text else line
        for line in perception.text_lines
    )
    state = screen.state.model_copy(update={"perception": perception.model_copy(update={"text_lines": lines})})
    return replace(screen, state=state)


def test_a_dollar_sign_on_the_screen_is_no_variable(book: ScreenBook) -> None:
    """L4-3"""
    before: list[AnyItem] = [("button", "x", "Valider", (40, 40, 140, 70))]
    after: list[AnyItem] = [*before, ("label", "x", "Total ${name} en $", (40, 100, 240, 130))]
    made = steps(book, "Valider", [before] * 3, [after] * 3)
    assert learned_conditions(made, Slots(), leads_elsewhere=False) == ("text_appears:Total $${name} en $$",)


@pytest.mark.parametrize("seen", [0, 1])
def test_what_nobody_saw_after_the_step_teaches_nothing(book: ScreenBook, seen: int) -> None:
    """L4-15"""
    before: list[AnyItem] = [("button", "x", "Valider", (40, 40, 140, 70))]
    after: list[AnyItem] = [*before, ("label", "x", "Facture validée", (40, 100, 240, 130))]
    page, done = book.draw("page", before), book.draw("done", after)
    made = [click_step(page, "Valider", after=done if index < seen else None) for index in range(3)]
    slots = infer_slots(pattern(*([step] for step in made)))
    assert learned_conditions(made, slots, leads_elsewhere=False) == (
        ("text_appears:Facture validée",) if seen else ("target_changed",)
    )


def listed(states: tuple[str, str, str]) -> list[AnyItem]:
    """A list of invoices, the state of each in its row."""
    made: list[AnyItem] = [("heading", "title", "Factures", (40, 40, 200, 70))]
    for index, (number, state) in enumerate(zip(NUMBERS, states, strict=True)):
        y = 120 + 60 * index
        made += [
            ("cell", "data_display", number, (40, y, 220, y + 30)),
            ("cell", "data_display", state, (260, y, 400, y + 30)),
            ("button", "validate", f"Valider {index}", (440, y, 560, y + 30)),
        ]
    return made


def test_in_a_list_the_state_is_expected_in_its_own_row(book: ScreenBook) -> None:
    """EX-1, L4-15: other rows say the same already, which proves nothing"""
    states = ["À faire", "À faire", "Validée"], ["Validée", "À faire", "Validée"], ["Validée", "Validée", "À faire"]
    made = []
    for index, before in enumerate(states):
        after = [("Validée" if row == index or (index == 0 and row == 0) else said) for row, said in enumerate(before)]
        one = book.draw(f"list_{index}", listed(tuple(before)))  # type: ignore[arg-type]
        other = book.draw(f"listed_{index}", listed(tuple(after)))  # type: ignore[arg-type]
        made.append(click_step(one, f"Valider {index}", after=other))
    assert learned_conditions(made, SLOTS, leads_elsewhere=False) == ("row_says:${facture}=Validée",)
