"""Window switches, the clipboard, drags and actions made of several: done once, and checked at once."""

from __future__ import annotations

from typing import Any

import pytest
from run_by_hand import FIELD, PAGE, VALIDATE, Robot, click, edge, typing

from rpa_vision.execution.wheel import wheel_point
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.execution import ExecutionStatus
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import Variable, VariableSource, VariableValidation
from rpa_vision.models.window import WindowContext
from rpa_vision.models.workflow_graph import SafetyRules
from rpa_vision.testing.screens import AnyItem, Item, ScreenBook
from rpa_vision.testing.scripted_desktop import Deed, on_click

BASKET = (400, 300, 560, 340)
SHOP: list[AnyItem] = [*PAGE, ("button", "drop_zone", "Panier", BASKET)]


def clip(operation: Any, *, target: TargetSpec | None = None, **parameters: Any) -> Action:
    return Action(
        type="clipboard",
        target=target,
        parameters=ActionParameters(clipboard_operation=operation, **parameters),
    )


def stays(action: Action, **fields: Any) -> Any:
    return edge(action, end="page", expects=None, **fields)


def test_a_window_is_brought_to_the_front_and_that_is_seen(book: ScreenBook) -> None:
    """L4-7, L4-8"""
    robot = Robot(book)
    browser, sheet = WindowContext(title="Facture", app_name="app"), WindowContext(title="Suivi 2026", app_name="calc")
    robot.desktop.front_to_back = [browser, sheet]
    switch = Action(
        type="window_switch", target_app="calc", parameters=ActionParameters(title_contains="suivi ${year}")
    )
    outcome = robot.do(stays(switch), {"year": "2026"})
    assert (outcome.status, outcome.verified) == (ExecutionStatus.SUCCESS, True), outcome.message
    assert robot.desktop.active == sheet


def test_where_several_windows_fit_none_is_switched_to(book: ScreenBook) -> None:
    """L4-7, EX-7: what comes next could go into the other workbook"""
    robot = Robot(book)
    front = WindowContext(title="Facture", app_name="app")
    books = [
        WindowContext(title=title, app_name="gnumeric") for title in ("Suivi 2025 - Gnumeric", "Suivi 2026 - Gnumeric")
    ]
    robot.desktop.front_to_back = [front, *books]
    for title in (None, "gnumeric", "Suivi"):
        switch = Action(type="window_switch", target_app="gnumeric", parameters=ActionParameters(title_contains=title))
        outcome = robot.do(stays(switch))
        assert (outcome.status, outcome.input_sent) == (ExecutionStatus.FAILED, False)
        assert "several windows fit" in outcome.message
        assert all(one.title in outcome.message for one in books)
        assert robot.desktop.active == front


def test_a_title_that_fits_whole_is_meant_rather_than_one_that_has_it_in_it(book: ScreenBook) -> None:
    """L4-7"""
    robot = Robot(book)
    meant = WindowContext(title="Suivi", app_name="gnumeric")
    others = [WindowContext(title=title, app_name="gnumeric") for title in ("Suivi 2025", "Ancien suivi")]
    robot.desktop.front_to_back = [*others, meant]
    switch = Action(type="window_switch", target_app="gnumeric", parameters=ActionParameters(title_contains="suivi"))
    outcome = robot.do(stays(switch))
    assert outcome.status is ExecutionStatus.SUCCESS, outcome.message
    assert robot.desktop.active == meant


def test_a_window_that_is_not_there_stops_the_step_before_anything_is_sent(book: ScreenBook) -> None:
    """L4-7"""
    robot = Robot(book)
    outcome = robot.do(stays(Action(type="window_switch", target_app="calc")))
    assert (outcome.status, outcome.input_sent) == (ExecutionStatus.FAILED, False)
    assert "no window of calc is open" in outcome.message


def test_a_window_that_does_not_come_to_the_front_is_a_failure(book: ScreenBook) -> None:
    """L4-7: told by looking, not by having asked"""
    robot = Robot(book)
    stubborn = WindowContext(title="Suivi", app_name="calc")
    robot.desktop.front_to_back = [WindowContext(title="Facture", app_name="app"), stubborn]

    class Stuck:
        def all(self) -> list[WindowContext]:
            return list(robot.desktop.front_to_back)

        def activate(self, *, app_name: str | None = None, title_contains: str | None = None) -> WindowContext | None:
            del app_name, title_contains
            return stubborn

    robot.desktop.windows = Stuck()  # type: ignore[assignment]
    outcome = robot.do(stays(Action(type="window_switch", target_app="calc")))
    assert outcome.status is ExecutionStatus.FAILED
    assert "did not come to the front" in outcome.message


def test_what_is_copied_becomes_the_value_of_a_variable(book: ScreenBook) -> None:
    """L4-3, L4-7"""

    def application(screen: str, deed: Deed) -> str | None:
        del screen
        if deed.verb == "press" and deed.keys == ("CTRL", "C"):
            robot.desktop.clipboard_text = "FAC-2026-00012"
        return None

    robot = Robot(book, script=application)
    robot.desktop.clipboard_text = "of the person"
    field = TargetSpec(label="Motif", type="text_input")
    outcome = robot.do(stays(clip("copy", target=field, extract_to="numero", replace_existing=True)))
    assert outcome.status is ExecutionStatus.SUCCESS, outcome.message
    assert outcome.extracted == {"numero": "FAC-2026-00012"}
    assert robot.sent == ["click", "press", "press"]


def test_what_was_on_the_clipboard_before_is_not_taken_for_what_was_copied(book: ScreenBook) -> None:
    """L4-7, EX-7: nothing was selected"""
    robot = Robot(book)
    robot.desktop.clipboard_text = "FAC-2026-00001"
    outcome = robot.do(stays(clip("copy", extract_to="numero")))
    assert outcome.status is ExecutionStatus.FAILED
    assert "nothing was copied" in outcome.message
    assert (outcome.extracted, robot.desktop.clipboard_text) == ({}, "FAC-2026-00001")


def test_what_is_copied_is_held_to_its_variable(book: ScreenBook) -> None:
    """L4-3"""

    def application(screen: str, deed: Deed) -> str | None:
        del screen
        if deed.verb == "press":
            robot.desktop.clipboard_text = "Dupont"
        return None

    robot = Robot(book, script=application)
    number = VariableValidation(regex=r"^FAC-")
    source = VariableSource(method="clipboard")
    robot.executor._variables = {"numero": Variable(type="string", source=source, validation=number)}
    outcome = robot.do(stays(clip("copy", extract_to="numero")))
    assert "what was read is no numero" in outcome.message
    assert outcome.extracted == {}


def test_a_value_is_put_on_the_clipboard_and_that_is_checked(book: ScreenBook) -> None:
    """L4-7"""
    robot = Robot(book)
    assert robot.do(stays(clip("set", text="${numero}")), {"numero": "FAC-7"}).status is ExecutionStatus.SUCCESS
    assert robot.desktop.clipboard_text == "FAC-7"


def test_a_value_is_pasted_into_its_field_and_read_back(book: ScreenBook) -> None:
    """L4-7"""
    filled = [
        Item("text_input", "form_input", "Motif", FIELD, value="FAC-7") if item == PAGE[3] else item for item in PAGE
    ]
    book.draw("filled", filled, title="Facture")

    def application(screen: str, deed: Deed) -> str | None:
        pasted = deed.verb == "press" and deed.keys == ("CTRL", "V") and robot.desktop.clipboard_text == "FAC-7"
        return "filled" if screen == "page" and pasted else None

    robot = Robot(book, script=application)
    paste = clip("paste", target=TargetSpec(label="Motif", type="text_input"), text="${numero}")
    step = edge(paste, end="page", expects="page", conditions=["field_contains:${numero}"])
    outcome = robot.do(step, {"numero": "FAC-7"})
    assert outcome.status is ExecutionStatus.SUCCESS, outcome.message
    assert [deed.keys for deed in robot.desktop.deeds if deed.verb == "press"] == [("CTRL", "V")]


def test_a_thing_is_dropped_on_what_was_meant_wherever_that_is(book: ScreenBook) -> None:
    """L4-8"""
    book.draw("page", SHOP, title="Facture")

    def application(screen: str, deed: Deed) -> str | None:
        del screen
        on_basket = deed.verb == "drag" and deed.to is not None and Box(*BASKET).contains(deed.to)
        return "done" if on_basket and Box(*VALIDATE).contains(deed.at or (0, 0)) else None

    robot = Robot(book, script=application)
    drag = Action(
        type="drag",
        target=TargetSpec(label="Valider", type="button"),
        parameters=ActionParameters(drop_target=TargetSpec(label="Panier", type="button")),
    )
    assert robot.do(edge(drag)).status is ExecutionStatus.SUCCESS
    assert robot.sent == ["drag"]


@pytest.mark.parametrize(
    "rules", [SafetyRules(forbidden_text_clicks=("Panier",)), SafetyRules(forbidden_roles=("drop_zone",))]
)
def test_nothing_is_dropped_on_what_must_not_be_touched(book: ScreenBook, rules: SafetyRules) -> None:
    """L4-8, L4-13: what holds for a click holds for both ends of a drag"""
    book.draw("page", SHOP, title="Facture")
    robot = Robot(book, rules=rules)
    drag = Action(
        type="drag",
        target=TargetSpec(label="Valider", type="button"),
        parameters=ActionParameters(drop_target=TargetSpec(label="Panier", type="button")),
    )
    outcome = robot.do(edge(drag))
    assert (outcome.status, robot.sent) == (ExecutionStatus.BLOCKED, [])
    assert "forbidden" in outcome.message


def test_without_what_it_is_dropped_on_nothing_is_dragged(book: ScreenBook) -> None:
    """L4-8, EX-7"""
    robot = Robot(book)
    drag = Action(
        type="drag",
        target=TargetSpec(label="Valider", type="button"),
        parameters=ActionParameters(drop_target=TargetSpec(label="Panier", type="button")),
    )
    outcome = robot.do(edge(drag))
    assert (outcome.status, outcome.input_sent, robot.sent) == (ExecutionStatus.FAILED, False, [])
    assert "it cannot be dropped" in outcome.message


AMOUNT = (300, 200, 420, 230)


@pytest.mark.parametrize("kind", ["text_input", "dropdown", "slider"])
def test_the_wheel_is_not_turned_over_what_it_would_change(book: ScreenBook, kind: Any) -> None:
    """L4-8, EX-7: over a number or a choice the wheel changes it; beside it the page moves"""
    book.draw("page", [*PAGE, (kind, "form_input", "Montant", AMOUNT)], title="Facture")
    robot = Robot(book, script=lambda screen, deed: "done" if deed.verb == "scroll" else None)
    robot.desktop.hands.move((360, 215))
    scroll = Action(type="scroll", parameters=ActionParameters(scroll=(0, 5)))
    assert robot.do(edge(scroll)).status is ExecutionStatus.SUCCESS
    (turned,) = [deed for deed in robot.desktop.deeds if deed.verb == "scroll"]
    assert turned.at is not None
    assert not Box(*AMOUNT).contains(turned.at)
    assert abs(turned.at[0] - 360) + abs(turned.at[1] - 215) < 200, "as near as can be"


def test_the_wheel_is_turned_where_it_was_shown(book: ScreenBook) -> None:
    """L4-8: not where the pointer happens to be"""
    shown = ActionParameters(scroll=(0, 5), scroll_at=(0.5, 0.75))
    window = WindowContext(title="Facture", app_name="app", geometry=(100, 100, 500, 300))
    state = book["page"].state
    there = state.model_copy(update={"window": window})
    assert wheel_point(shown, there, (7, 7)) == (300, 250)
    assert wheel_point(shown, state, (7, 7)) == (7, 7), "nobody knows where its window is"


def test_where_everything_would_be_changed_the_wheel_is_not_turned(book: ScreenBook) -> None:
    """L4-8, EX-7"""
    height, width = book["page"].pixels.shape[:2]
    book.draw("page", [*PAGE, ("dropdown", "form_input", "Montant", (0, 0, width, height))], title="Facture")
    robot = Robot(book)
    outcome = robot.do(edge(Action(type="scroll", parameters=ActionParameters(scroll=(0, 5)))))
    assert (outcome.status, outcome.input_sent, robot.sent) == (ExecutionStatus.FAILED, False, [])
    assert "the wheel" in outcome.message


def test_a_slider_is_dragged_by_a_distance(book: ScreenBook) -> None:
    """L4-8"""
    book.draw("page", [*PAGE, ("slider", "slider", "Remise", (400, 200, 430, 220))], title="Facture")

    def application(screen: str, deed: Deed) -> str | None:
        return "done" if screen == "page" and deed.verb == "drag" and deed.to == (475, 210) else None

    robot = Robot(book, script=application)
    slide = TargetSpec(label="Remise", type="slider")
    drag = Action(type="drag", target=slide, parameters=ActionParameters(drag_offset=(60, 0)))
    assert robot.do(edge(drag)).status is ExecutionStatus.SUCCESS


def test_the_parts_of_a_compound_action_are_done_in_turn_each_on_a_fresh_look(book: ScreenBook) -> None:
    """L4-8"""
    items: list[AnyItem] = [*PAGE, ("button", "validate", "Confirmer", (400, 400, 520, 440))]
    book.draw("asked", items, title="Facture")
    robot = Robot(
        book,
        script=[
            on_click("page", Box(*VALIDATE), to="asked"),
            on_click("asked", Box(400, 400, 520, 440), to="done"),
        ],
    )
    both = Action(type="compound", steps=(click(), Action(type="wait", duration_ms=100), click("Confirmer")))
    outcome = robot.do(edge(both))
    assert outcome.status is ExecutionStatus.SUCCESS, outcome.message
    assert robot.sent == ["click", "click"]


def test_a_compound_action_stops_at_the_part_that_cannot_be_done(book: ScreenBook) -> None:
    """L4-8, EX-7: what was sent is told"""
    robot = Robot(book)
    both = Action(type="compound", steps=(click(), click("Introuvable"), click()))
    outcome = robot.do(edge(both))
    assert (outcome.status, outcome.input_sent, robot.sent) == (ExecutionStatus.FAILED, True, ["click"])
    first = Action(type="compound", steps=(click("Introuvable"), click()))
    outcome = robot.do(edge(first))
    assert (outcome.input_sent, robot.sent) == (False, ["click"])


def test_what_one_part_reads_the_next_one_uses(book: ScreenBook) -> None:
    """L4-7, L4-8"""
    items: list[AnyItem] = [
        *PAGE,
        ("label", "data_display", "Dossier", (560, 120, 640, 144)),
        ("label", "data_display", "D-77", (660, 120, 740, 144)),
    ]
    book.draw("page", items, title="Facture")
    robot = Robot(book)
    read = Action(type="extract", target=TargetSpec(label="Dossier"), parameters=ActionParameters(extract_to="dossier"))
    both = Action(type="compound", steps=(read, typing("${dossier}", label=None)))
    robot.do(edge(both))
    assert robot.desktop.text == "D-77"
