"""Which task was repeated."""

from __future__ import annotations

from dataclasses import replace

import pytest
from clinic_by_hand import click_step, list_items, typing_step, validate

from rpa_vision.graph.demonstration import DemoStep, demonstrated_steps
from rpa_vision.graph.pattern_miner import alike_steps, find_pattern
from rpa_vision.models.ui_element import ElementType
from rpa_vision.testing.screens import AnyItem, HandMadeSession, ScreenBook


def labels(steps: tuple[DemoStep, ...]) -> list[str]:
    return [step.text or "+".join(step.keys) or (step.element.label if step.element else "") for step in steps]


def test_three_repetitions_are_a_task(book: ScreenBook) -> None:
    """P003-16"""
    session = HandMadeSession(book)
    for number in ("FAC-2026-00011", "FAC-2026-00012", "FAC-2026-00013"):
        validate(session, book, number)
    found = find_pattern(demonstrated_steps(session.session(), session.observe), alike_steps)
    assert found is not None
    assert (found.repetitions, found.length) == (3, 6)
    expected = ["FAC-2026-00012", "ENTER", "FAC-2026-00012", "Valider", "Confirmer", "Retour à la liste"]
    assert labels(found.occurrences[1]) == expected


def test_two_repetitions_are_not(book: ScreenBook) -> None:
    """P003-16"""
    session = HandMadeSession(book)
    for number in ("FAC-2026-00011", "FAC-2026-00012"):
        validate(session, book, number)
    assert find_pattern(demonstrated_steps(session.session(), session.observe), alike_steps) is None


def test_what_was_done_once_before_is_left_out(book: ScreenBook) -> None:
    """L4-2: a login, a first look around"""
    login: list[AnyItem] = [
        ("text_input", "form_input", "Identifiant", (300, 200, 600, 230)),
        ("password_input", "form_input", "Mot de passe", (300, 260, 600, 290)),
        ("button", "submit", "Se connecter", (300, 320, 600, 360)),
    ]
    book.draw("login", login, title="Connexion - Clinique")
    session = HandMadeSession(book)
    session.click("login", (400, 215))
    session.type("login", "marie")
    session.click("login", (400, 275))
    session.secret("login", "secret_1")
    session.click("login", (450, 340))
    for number in ("FAC-2026-00011", "FAC-2026-00012", "FAC-2026-00013"):
        validate(session, book, number)
    found = find_pattern(demonstrated_steps(session.session(), session.observe), alike_steps)
    assert found is not None
    assert (found.repetitions, found.length) == (3, 6)
    assert labels(found.occurrences[0])[0] == "FAC-2026-00011"


def test_sessions_of_one_repetition_each_are_repetitions(book: ScreenBook) -> None:
    """L4-2"""
    steps: list[DemoStep] = []
    for index, number in enumerate(("FAC-2026-00011", "FAC-2026-00012", "FAC-2026-00013")):
        session = HandMadeSession(book, f"session_{index}")
        validate(session, book, number)
        steps += demonstrated_steps(session.session(), session.observe)
    found = find_pattern(steps, alike_steps)
    assert found is not None
    assert found.repetitions == 3
    assert [occurrence[0].session_id for occurrence in found.occurrences] == ["session_0", "session_1", "session_2"]


def test_a_repetition_with_a_step_nobody_saw_does_not_count(book: ScreenBook) -> None:
    """P003-16"""
    session = HandMadeSession(book)
    for number in ("FAC-2026-00011", "FAC-2026-00012", "FAC-2026-00013"):
        validate(session, book, number)
    steps = demonstrated_steps(session.session(), session.observe)
    steps[8] = replace(steps[8], was_seen=False)
    assert find_pattern(steps, alike_steps) is None


@pytest.mark.parametrize("unseen", [0, 8, 14, 23])
def test_a_repetition_nobody_saw_whole_keeps_its_place_and_teaches_nothing(book: ScreenBook, unseen: int) -> None:
    """P003-16, L0-2: the machine was too busy once; the others are enough"""
    numbers = ("FAC-2026-00011", "FAC-2026-00012", "FAC-2026-00013", "FAC-2026-00014")
    session = HandMadeSession(book)
    for number in numbers:
        validate(session, book, number)
    steps = demonstrated_steps(session.session(), session.observe)
    steps[unseen] = replace(steps[unseen], was_seen=False, element=None)
    found = find_pattern(steps, alike_steps)
    assert found is not None
    assert (found.repetitions, found.length) == (3, 6)
    learned_from = [labels(occurrence)[0] for occurrence in found.occurrences]
    assert learned_from == [number for index, number in enumerate(numbers) if index != unseen // 6]


def test_what_nobody_saw_does_not_make_two_tasks_one(book: ScreenBook) -> None:
    """P003-16: like both its neighbours as far as one can tell, but these are not like each other"""
    place = (700, 500, 820, 540)
    save = book.draw("save", [("button", "submit", "Enregistrer", place)], title="1")
    send = book.draw("send", [("button", "submit", "Envoyer", place)], title="2")
    unseen = replace(click_step(save, "Enregistrer"), was_seen=False, element=None)
    steps = [click_step(save, "Enregistrer")] * 2 + [unseen] + [click_step(send, "Envoyer")] * 2
    assert find_pattern(steps, alike_steps) is None


def test_a_field_that_is_told_in_one_repetition_only_is_told_in_none(book: ScreenBook) -> None:
    """L4-2: text typed where the focus was; more than the field changed in the other two"""
    screen = book.draw("save", [("text_input", "form_input", "Name", (100, 40, 600, 70))], title="Save As")
    steps: list[DemoStep] = []
    for index, name in enumerate(("lefevre.txt", "garcon.txt", "muller.txt")):
        told = typing_step(screen, "Name", name)
        unknown = replace(told, element=None, point=None)
        steps += [replace(told if index == 0 else unknown, at_focus=True), click_step(screen, "Name")]
    found = find_pattern(steps, alike_steps)
    assert found is not None
    assert (found.repetitions, found.length) == (3, 2)
    assert [step.element for step in found.position(0)] == [None] * 3
    assert all(step.element is not None for step in found.position(1))


def test_next_next_finish_is_a_task_of_three_steps(book: ScreenBook) -> None:
    """L4-2: buttons that say something else do something else, in the same place too"""
    place = (700, 500, 820, 540)
    first = book.draw("first", [("button", "navigation", "Suivant", place)], title="1")
    last = book.draw("last", [("button", "submit", "Terminer", place)], title="3")
    once = [click_step(first, "Suivant"), click_step(first, "Suivant"), click_step(last, "Terminer")]
    found = find_pattern([*once * 3, click_step(first, "Suivant")], alike_steps)
    assert found is not None
    assert (found.length, found.repetitions) == (3, 3)


def test_ticking_the_same_three_boxes_is_a_task_of_three_steps(book: ScreenBook) -> None:
    """L4-2: of two explanations the one in which less differs"""
    names = ("Dossier complet", "Mutuelle vue", "Accord signé")
    boxes: list[AnyItem] = [
        ("checkbox", "form_input", n, (40, 60 + 40 * i, 56, 76 + 40 * i)) for i, n in enumerate(names)
    ]
    form = book.draw("form", boxes)
    found = find_pattern([click_step(form, name) for name in names] * 3, alike_steps)
    assert found is not None
    assert (found.length, found.repetitions) == (3, 3)


def test_one_step_done_again_and_again_is_a_task_of_one_step(book: ScreenBook) -> None:
    """L4-2"""
    page = book.draw("page", list_items(["FAC-2026-00011", "FAC-2026-00012", "FAC-2026-00013"]))
    steps = [click_step(page, f"FAC-2026-0001{digit}") for digit in (1, 2, 3)]
    found = find_pattern(steps, alike_steps)
    assert found is not None
    assert (found.length, found.repetitions) == (1, 3)


@pytest.mark.parametrize(
    ("kind", "one", "other", "alike"),
    [
        ("link", "FAC-2026-00011", "FAC-2027-4", True),
        ("link", "Dupont Jean", "Martin Paul", True),
        ("cell", "Dupont Jean", "Martin Paul", True),
        ("button", "Valider", "Refuser", False),
        ("menu_item", "Accueil", "Statistiques", False),
        ("button", "Valider", "VALIDER", True),
        ("icon", "", "", True),
    ],
)
def test_another_row_is_alike_and_another_command_is_not(
    book: ScreenBook, kind: ElementType, one: str, other: str, alike: bool
) -> None:
    """L4-2"""
    things: list[AnyItem] = [(kind, "x", one, (40, 60, 200, 84)), (kind, "x", other, (40, 94, 200, 118))]
    page = book.draw("page", things)
    assert alike_steps(click_step(page, one), click_step(page, other, nth=1 if one == other else 0)) is alike


def test_things_in_another_column_are_not_rows_of_one_list(book: ScreenBook) -> None:
    """L4-2"""
    things: list[AnyItem] = [("link", "x", "Dupont", (40, 60, 120, 84)), ("link", "x", "Imprimer", (500, 60, 580, 84))]
    page = book.draw("page", things)
    assert not alike_steps(click_step(page, "Dupont"), click_step(page, "Imprimer"))


def test_the_same_deed_in_another_program_is_another_step(book: ScreenBook) -> None:
    """L4-7"""
    things: list[AnyItem] = [("button", "x", "Valider", (40, 60, 120, 84))]
    here, there = book.draw("here", things), book.draw("there", things, app_name="autre")
    assert alike_steps(click_step(here, "Valider"), click_step(here, "Valider"))
    assert not alike_steps(click_step(here, "Valider"), click_step(there, "Valider"))


def test_a_secret_is_not_like_plain_text(book: ScreenBook) -> None:
    """L0-7"""
    page = book.draw("page", [("text_input", "form_input", "Code", (40, 60, 200, 90))])
    plain = typing_step(page, "Code", "1234")
    secret = replace(plain, text=None, secret_ref="secret_1")
    assert alike_steps(secret, replace(secret, secret_ref="secret_2"))
    assert not alike_steps(plain, secret)


def test_other_keys_and_other_buttons_are_other_steps(book: ScreenBook) -> None:
    """L4-2"""
    page = book.draw("page", [("button", "x", "Valider", (40, 60, 120, 84))])
    click = click_step(page, "Valider")
    key = replace(click, kind="key_press", keys=("ENTER",), element=None, point=None)
    assert alike_steps(key, key)
    assert not alike_steps(key, replace(key, keys=("TAB",)))
    assert not alike_steps(click, replace(click, button="right"))
    assert not alike_steps(click, key)
