"""One step: looked at, resolved, done at most once, verified."""

from __future__ import annotations

from dataclasses import replace

import pytest
from run_by_hand import DONE, FIELD, NODES, PAGE, VALIDATE, Robot, click, edge, press, typing

from rpa_vision.execution import safety
from rpa_vision.execution.edge_demands import post_conditions
from rpa_vision.execution.target_resolver import Resolved, Unresolved
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.execution import ExecutionStatus, FailureKind
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.ui_element import ElementType, UIElement
from rpa_vision.models.workflow_graph import EdgeConstraints, SafetyRules
from rpa_vision.testing.screens import AnyItem, Item, ScreenBook, moved
from rpa_vision.testing.scripted_desktop import Deed, Script, on_click, on_press, on_text

TO_DONE: Script = [on_click("page", Box(*VALIDATE), to="done")]
MIDDLE = Box(*VALIDATE).center


def without(items: list[AnyItem], label: str) -> list[AnyItem]:
    return [item for item in moved(items) if item.label != label]


def test_a_step_is_done_once_and_verified(book: ScreenBook) -> None:
    """EX-1"""
    robot = Robot(book, script=TO_DONE)
    outcome = robot.do(edge(conditions=["text_appears:Facture validée"]))
    assert (outcome.status, outcome.verified, outcome.message) == (ExecutionStatus.SUCCESS, True, "")
    assert robot.desktop.deeds == [Deed("click", at=MIDDLE)]
    assert outcome.point == MIDDLE
    assert isinstance(outcome.resolution, Resolved)
    assert outcome.healing_level == 0
    assert outcome.after is not None
    assert outcome.after.state.window.title == "Liste"
    assert {"resolve", "write_down", "last_look", "act", "application", "verify"} <= set(outcome.timing_ms)


def test_what_the_application_takes_is_told_apart_from_what_we_take(book: ScreenBook) -> None:
    """PF: who is slow"""
    robot = Robot(book)
    robot.clock.after(0.7, lambda: robot.desktop.show("done"))
    outcome = robot.do(edge(conditions=["text_appears:Facture validée"]), seen=robot.sight.look())
    assert outcome.verified
    assert 400.0 <= outcome.timing_ms["application"] <= 720.0
    assert 90.0 <= outcome.timing_ms["verify"] <= 150.0


@pytest.mark.parametrize("condition", ["target_changed", "screen_changed", "elsewhere_changed"])
def test_that_the_pointer_came_is_no_effect_of_the_click(book: ScreenBook, condition: str) -> None:
    """L4-15, EX-7: the button is only drawn hovered; nothing came of the click"""
    x1, y1, x2, y2 = VALIDATE
    wide = (x1 - 4, y1 - 4, x2 + 4, y2 + 4)
    hovered = [replace(item, bbox=wide) if item.bbox == VALIDATE else item for item in moved(PAGE)]
    book.draw("hovered", hovered)
    robot = Robot(book, script=lambda name, deed: "hovered")
    outcome = robot.do(edge(end="page", expects=None, conditions=[condition]))
    assert [deed.verb for deed in robot.desktop.deeds] == ["move", "click"]
    assert not outcome.verified


def test_an_unmet_pre_condition_sends_nothing(book: ScreenBook) -> None:
    """P003-8"""
    robot = Robot(book, script=TO_DONE)
    outcome = robot.do(edge(before=["text_present:Praticien", "text_present:Autre chose"]))
    assert (outcome.status, outcome.input_sent, robot.sent) == (ExecutionStatus.FAILED, False, [])
    assert outcome.message.startswith("pre-condition not met: « Autre chose » to be shown")
    assert outcome.failure_kind is FailureKind.LOW_CONFIDENCE


def test_met_pre_conditions_let_the_step_be_done(book: ScreenBook) -> None:
    """P003-8"""
    robot = Robot(book, script=TO_DONE)
    assert robot.do(edge(before=["text_present:Praticien", "element:validate_visible"])).verified


@pytest.mark.parametrize("timeout_s", [0.5, 3.0, 10.0])
def test_a_post_condition_that_never_holds_fails_when_its_time_is_up_and_not_before(
    book: ScreenBook, timeout_s: float
) -> None:
    """P003-15"""
    robot = Robot(book, script=TO_DONE)
    seen = robot.sight.look()
    began_s = robot.clock.monotonic()
    outcome = robot.do(edge(conditions=["text_appears:Autre chose"], timeout_s=timeout_s), seen=seen)
    took_s = robot.clock.monotonic() - began_s
    assert (outcome.status, outcome.verified) == (ExecutionStatus.FAILED, False)
    assert outcome.failure_kind is FailureKind.POSTCONDITION_FAILED
    assert timeout_s <= took_s < timeout_s + 1.5
    assert robot.sent == ["click"]
    assert outcome.message == (
        "expected « Autre chose » to appear and the screen « done », but « Autre chose » is not on the screen"
    )


def test_an_effect_that_comes_late_but_in_time_is_verified(book: ScreenBook) -> None:
    """P003-15, EX-5: evidence is waited for, not time"""
    robot = Robot(book)
    seen = robot.sight.look()
    began_s = robot.clock.monotonic()
    robot.clock.after(4.0, lambda: robot.desktop.show("done"))
    outcome = robot.do(edge(timeout_s=10.0), seen=seen)
    assert outcome.verified
    assert 4.0 <= robot.clock.monotonic() - began_s < 6.0
    assert robot.sent == ["click"]


def test_an_effect_that_comes_after_the_time_is_up_is_none(book: ScreenBook) -> None:
    """P003-15"""
    robot = Robot(book)
    seen = robot.sight.look()
    robot.clock.after(7.0, lambda: robot.desktop.show("done"))
    outcome = robot.do(edge(timeout_s=3.0), seen=seen)
    assert not outcome.verified
    assert robot.desktop.screen == "page"


@pytest.mark.parametrize("where", ["post_conditions", "constraints"])
def test_both_places_that_state_an_effect_are_checked(book: ScreenBook, where: str) -> None:
    """P003-15, L4-1: an edge may state post-conditions in its constraints too"""
    robot = Robot(book, script=TO_DONE)
    condition = "text_appears:Autre chose"
    one = edge(conditions=[condition] if where == "post_conditions" else [])
    if where == "constraints":
        one = one.model_copy(update={"constraints": EdgeConstraints(post_conditions=(condition,))})
    assert not robot.do(one).verified


def test_the_wrong_screen_afterwards_is_a_failure(book: ScreenBook) -> None:
    """EX-1"""
    book.draw("error", [("heading", "title", "Montant incorrect", (200, 200, 600, 260))], title="Erreur")
    robot = Robot(book, script=[on_click("page", Box(*VALIDATE), to="error")])
    outcome = robot.do(edge())
    assert not outcome.verified
    assert "the screen is unknown" in outcome.message
    known = Robot(book, script=[on_click("page", Box(*VALIDATE), to="error")], nodes={**NODES, "error": "error"})
    assert "the screen is « error »" in known.do(edge()).message


def test_a_screen_less_sure_than_asked_for_is_a_failure(book: ScreenBook) -> None:
    """L4-1: min_similarity of the post-conditions"""
    book.draw("nearly", without(DONE, "Retour"), title="Liste")
    robot = Robot(book, script=[on_click("page", Box(*VALIDATE), to="nearly")])
    one = edge()
    assert one.post_conditions is not None
    strict = one.model_copy(
        update={"post_conditions": one.post_conditions.model_copy(update={"min_similarity": 0.999})}
    )
    match = robot.matcher.match(book["nearly"])
    assert match is not None
    assert 0.85 <= match.confidence < 0.999
    outcome = robot.do(strict)
    assert not outcome.verified
    assert "but only by" in outcome.message


def test_a_target_that_is_not_there_is_looked_for_three_times_and_nothing_is_sent(book: ScreenBook) -> None:
    """EX-3: 2 retries, 500 ms, doubled"""
    book.draw("page", without(PAGE, "Valider"), title="Facture")
    robot = Robot(book)
    seen = robot.sight.look()
    robot.clock.slept_s.clear()
    outcome = robot.do(edge(), seen=seen)
    assert (outcome.status, outcome.input_sent, robot.sent) == (ExecutionStatus.FAILED, False, [])
    assert outcome.failure_kind is FailureKind.TARGET_NOT_FOUND
    assert [seconds for seconds in robot.clock.slept_s if seconds >= 0.5] == [0.5, 1.0]
    assert outcome.healing_level == 2
    assert isinstance(outcome.resolution, Unresolved)


def test_a_target_that_comes_late_is_found_by_a_later_look(book: ScreenBook) -> None:
    """EX-3, EX-5"""
    book.draw("early", without(PAGE, "Valider"), title="Facture")
    robot = Robot(book, script=TO_DONE, start="early")
    robot.clock.after(0.6, lambda: robot.desktop.show("page"))
    outcome = robot.do(edge())
    assert outcome.verified
    assert outcome.healing_level == 1
    assert robot.sent == ["click"]


def test_a_target_that_turns_up_on_another_screen_is_not_clicked(book: ScreenBook) -> None:
    """EX-7: the same words there mean something else"""
    other: list[AnyItem] = [
        ("heading", "title", "Supprimer le dossier ?", (200, 100, 700, 140)),
        ("label", "data_display", "Cette action est définitive", (200, 180, 700, 210)),
        ("button", "validate", "Valider", (200, 300, 320, 340)),
    ]
    book.draw("early", without(PAGE, "Valider"), title="Facture")
    book.draw("danger", other, title="Suppression")
    robot = Robot(book, start="early")
    robot.clock.after(0.6, lambda: robot.desktop.show("danger"))
    outcome = robot.do(edge())
    assert (outcome.status, robot.sent) == (ExecutionStatus.FAILED, [])
    assert outcome.message == "another screen came up"


def test_a_pre_condition_that_no_longer_holds_when_the_target_comes_stops_the_step(book: ScreenBook) -> None:
    """P003-8"""
    book.draw("early", without(PAGE, "Valider"), title="Facture")
    book.draw("late", without(PAGE, "Praticien"), title="Facture")
    robot = Robot(book, start="early")
    assert robot.matcher.match(book["late"]) is not None
    robot.clock.after(0.6, lambda: robot.desktop.show("late"))
    outcome = robot.do(edge(before=["text_present:Praticien"]))
    assert (outcome.status, robot.sent) == (ExecutionStatus.FAILED, [])


@pytest.mark.parametrize(("action", "box"), [(click(), VALIDATE), (typing("x"), FIELD)])
def test_a_screen_that_changed_since_it_was_read_is_not_clicked(
    book: ScreenBook, action: Action, box: tuple[int, int, int, int]
) -> None:
    """EX-7: buttons and fields alike"""
    robot = Robot(book)
    seen = robot.sight.look()
    robot.desktop.paint(Box(*box), (0, 0, 200))
    outcome = robot.do(edge(action), seen=seen)
    assert (outcome.status, outcome.input_sent, robot.sent) == (ExecutionStatus.FAILED, False, [])


def test_a_screen_that_changed_is_read_again_before_it_is_clicked(book: ScreenBook) -> None:
    """EX-3"""
    book.draw("lower", moved(PAGE, dy=60), title="Facture")
    robot = Robot(book, start="lower", script=[on_click("lower", Box(*VALIDATE).moved(0, 60), to="done")])
    outcome = robot.do(edge(), seen=book["page"])
    assert outcome.verified
    assert robot.desktop.deeds == [Deed("click", at=(MIDDLE[0], MIDDLE[1] + 60))]


def test_a_caret_that_blinks_is_no_change(book: ScreenBook) -> None:
    """EX-1"""
    robot = Robot(book, script=[on_text("page", "x", to="done")])
    seen = robot.sight.look()
    robot.desktop.paint(Box(FIELD[0] + 6, FIELD[1] + 6, FIELD[0] + 8, FIELD[1] + 24), (0, 0, 0))
    assert robot.do(edge(typing("x")), seen=seen).healing_level == 0
    assert robot.sent == ["click", "type_text"]


@pytest.mark.parametrize("action", [press("ENTER"), typing("x", label=None)])
def test_keys_are_not_sent_to_a_screen_that_came_up_meanwhile(book: ScreenBook, action: Action) -> None:
    """EX-7: they would go to whatever has the focus now"""
    book.draw("danger", [("heading", "title", "Tout supprimer ?", (200, 100, 700, 140))], title="Suppression")
    robot = Robot(book)
    seen = robot.sight.look()
    robot.desktop.show("danger")
    outcome = robot.do(edge(action), seen=seen)
    assert (outcome.status, outcome.input_sent, robot.sent) == (ExecutionStatus.FAILED, False, [])
    assert outcome.message == "the screen changed while it was read"


def test_keys_are_sent_when_only_something_small_changed(book: ScreenBook) -> None:
    """EX-1: a clock ticks, and it is still the same screen"""
    book.draw("ticked", [*PAGE, ("label", "data_display", "10:31", (860, 560, 940, 580))], title="Facture")
    robot = Robot(book, start="ticked", script=[on_press("ticked", "ENTER", to="done")])
    assert robot.do(edge(press("ENTER")), seen=book["page"]).verified
    assert robot.sent == ["press"]


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        (SafetyRules(forbidden_text_clicks=("valider",)), "holds the forbidden text « valider »"),
        (SafetyRules(forbidden_text_clicks=("Approve",)), "means the same as the forbidden text « Approve »"),
        (SafetyRules(forbidden_roles=("validate",)), "has the forbidden role validate"),
    ],
)
def test_what_is_forbidden_is_blocked(book: ScreenBook, rules: SafetyRules, why: str) -> None:
    """L4-13"""
    robot = Robot(book, script=TO_DONE, rules=rules)
    outcome = robot.do(edge())
    assert (outcome.status, outcome.input_sent, robot.sent) == (ExecutionStatus.BLOCKED, False, [])
    assert why in outcome.message


@pytest.mark.parametrize(
    ("kind", "says", "role", "tags", "forbidden"),
    [
        ("button", "Valider", "primary_action", ("validate_invoice",), "validate_invoice"),
        ("label", "Supprimer la ligne", "data_display", (), "delete_action"),
        ("heading", "Valider", "title", (), "validate"),
        ("button", "Suite", "action", (), "delete_action"),
    ],
)
def test_a_forbidden_role_is_told_by_trade_by_words_and_by_what_is_meant(
    kind: ElementType, says: str, role: str, tags: tuple[str, ...], forbidden: str
) -> None:
    """L4-13: a button that was read as a line of text deletes all the same"""
    element = UIElement(
        element_id="e",
        type=kind,
        role=role,
        bbox=(0, 0, 90, 30),
        center=(45, 15),
        label=says,
        confidence=0.9,
        tags=tags,
    )
    rules = SafetyRules(forbidden_roles=(forbidden,))
    objection = safety.objection(element, rules, meant="Supprimer" if says == "Suite" else says)
    assert objection == f"« {says} » has the forbidden role {forbidden}"
    in_a_list = element.model_copy(update={"type": "cell", "metadata": {"row": 3}, "tags": (), "role": "data_display"})
    if not tags:
        assert safety.objection(in_a_list, rules, meant="Supprimer" if says == "Suite" else says) == objection


@pytest.mark.parametrize("kind", ["cell", "label", "button", "link"])
@pytest.mark.parametrize(
    ("says", "meant", "role", "is_blocked"),
    [
        ("Supprimer", "Supprimer", "delete_action", True),
        ("Supprimer", "", "delete_action", True),
        ("Supprimer la ligne", "", "delete_action", True),
        ("Supprimor", "", "delete_action", True),
        ("Discard deleted", "", "delete_action", True),
        ("Suite", "Supprimer", "delete_action", True),
        ("Validé", "Supprimer", "delete_action", True),
        ("Valider", "", "validate", True),
        ("Approve", "", "validate", True),
        ("Oui", "", "validate", True),
        ("Publier", "", "submit", True),
        ("Validé", "FAC-12", "validate", False),
        ("Validées", "", "validate", False),
        ("VALIDE", "", "validate", False),
        ("Validated", "", "validate", False),
        ("Supprimé le 3 mai", "", "delete_action", False),
        ("Publié", "", "submit", False),
        ("Non validé", "", "cancel", False),
        ("Non", "", "cancel", True),
        ("FAC-12", "", "validate", False),
    ],
)
def test_in_rows_only_what_is_a_state_is_no_deed(
    kind: ElementType, says: str, meant: str, role: str, *, is_blocked: bool
) -> None:
    """L4-13: « Validé » says how a row stands, « Valider » does something; what is meant counts in a row too"""
    element = UIElement(
        element_id="e",
        type=kind,
        role="data_display",
        bbox=(0, 0, 90, 30),
        center=(45, 15),
        label=says,
        confidence=0.9,
        metadata={"row": 3},
    )
    objection = safety.objection(element, SafetyRules(forbidden_roles=(role,)), meant=meant)
    assert objection == (f"« {says} » has the forbidden role {role}" if is_blocked else None)


def test_what_is_not_forbidden_is_not_blocked(book: ScreenBook) -> None:
    """L4-13"""
    rules = SafetyRules(forbidden_text_clicks=("Supprimer", ""), forbidden_roles=("delete_action",))
    assert Robot(book, script=TO_DONE, rules=rules).do(edge()).verified


def test_input_that_was_refused_was_not_sent(book: ScreenBook) -> None:
    """EX-1"""
    robot = Robot(book, script=TO_DONE)
    robot.desktop.refuse_input(after=0)
    outcome = robot.do(edge())
    assert (outcome.status, outcome.input_sent, outcome.verified) == (ExecutionStatus.FAILED, False, False)
    assert robot.desktop.arrived == []


@pytest.mark.parametrize("after", [1, 2])
def test_input_that_may_have_arrived_is_never_sent_again(book: ScreenBook, after: int) -> None:
    """EX-3: after UncertainDeliveryError nobody tries again"""
    robot = Robot(book, script=TO_DONE)
    robot.desktop.refuse_input(after=after)
    outcome = robot.do(edge())
    assert (outcome.status, outcome.input_sent, outcome.verified) == (ExecutionStatus.FAILED, True, False)
    presses = [event for event in robot.desktop.arrived if event.kind == "button_press"]
    assert len(presses) <= 1
    assert robot.desktop.deeds == []


def test_typing_clicks_into_the_field_then_types(book: ScreenBook) -> None:
    """L4-8"""
    filled = [
        item if item.label != "Motif" else Item("text_input", "form_input", "Motif", FIELD, value="Dupont 12")
        for item in moved(PAGE)
    ]
    book.draw("typed", filled, title="Facture")
    robot = Robot(book, script=[on_text("page", "Dupont 12", to="typed")])
    outcome = robot.do(
        edge(typing("${nom} 12"), expects="page", conditions=["field_contains:${nom} 12"]), {"nom": "Dupont"}
    )
    assert outcome.verified, outcome.message
    assert robot.desktop.deeds == [
        Deed("move", at=Box(*FIELD).center),
        Deed("click", at=Box(*FIELD).center),
        Deed("type_text", text="Dupont 12"),
    ]


def test_text_is_not_typed_when_the_click_brought_something_else_up(book: ScreenBook) -> None:
    """EX-7, L0-7: a password least of all"""
    notice: list[AnyItem] = [*PAGE, ("image", "x", "", (300, 250, 700, 500))]
    book.draw("notice", notice, title="Facture")
    target = TargetSpec(label="Motif", type="text_input")
    action = Action(type="text_input", target=target, parameters=ActionParameters(secret_ref="secret_1"))
    for one in (typing("x", replace=True), action):
        robot = Robot(book, script=[on_click("page", Box(*FIELD), to="notice")], secrets={"secret_1": "sésame"})
        outcome = robot.do(edge(one))
        assert (robot.sent, outcome.input_sent, outcome.verified) == (["click"], True, False)
        assert outcome.message == "the click into the field changed the screen; nothing was typed"


def test_replacing_selects_what_the_field_holds_first(book: ScreenBook) -> None:
    """L4-8"""
    robot = Robot(book)
    robot.do(edge(typing("x", replace=True)))
    assert robot.sent == ["click", "press", "type_text"]
    assert robot.desktop.deeds[2].keys == ("CTRL", "A")


def test_a_secret_is_typed_from_where_it_is_kept(book: ScreenBook) -> None:
    """L0-7"""
    target = TargetSpec(label="Motif", type="text_input")
    action = Action(type="text_input", target=target, parameters=ActionParameters(secret_ref="secret_1"))
    robot = Robot(book, secrets={"secret_1": "sésame"})
    outcome = robot.do(edge(action))
    assert (robot.desktop.deeds[-1].text, robot.desktop.deeds[-1].is_secret) == ("sésame", True)
    assert "sésame" not in outcome.message + outcome.expected + outcome.observed


def test_a_text_refused_after_the_click_counts_as_sent(book: ScreenBook) -> None:
    """EX-3: the click went before it"""
    robot = Robot(book)
    robot.desktop.refuse_input(after=4)
    outcome = robot.do(edge(typing("x")))
    assert (outcome.status, outcome.input_sent) == (ExecutionStatus.FAILED, True)
    assert robot.sent == ["click"]


@pytest.mark.parametrize(
    ("one", "why"),
    [
        (edge(typing("${inconnue}")), "the variable 'inconnue' has no value"),
        (edge(click("${inconnue}")), "the variable 'inconnue' has no value"),
        (edge(click(row_contains=("${inconnue}",))), "the variable 'inconnue' has no value"),
        (edge(Action(type="compound", steps=(click("${inconnue}"),))), "the variable 'inconnue' has no value"),
        (edge(Action(type="clipboard")), "clipboard_operation is missing"),
        (edge(Action(type="drag", target=TargetSpec(label="Valider"))), "drop_target is missing"),
    ],
)
def test_what_cannot_be_executed_is_found_out_before_anything_is_done(book: ScreenBook, one, why: str) -> None:  # type: ignore[no-untyped-def]
    """EX-1, EX-7"""
    robot = Robot(book)
    outcome = robot.do(one)
    assert (outcome.status, outcome.input_sent, robot.sent) == (ExecutionStatus.FAILED, False, [])
    assert why in outcome.message


@pytest.mark.parametrize("expects", [None, "page"])
def test_a_step_that_nothing_would_prove_is_not_taken(book: ScreenBook, expects: str | None) -> None:
    """EX-1, EX-7"""
    robot = Robot(book)
    outcome = robot.do(edge(expects=expects))
    assert (outcome.status, outcome.input_sent, robot.sent) == (ExecutionStatus.FAILED, False, [])
    assert outcome.message.startswith("nothing would show whether this step worked")


def test_a_row_that_changed_since_it_was_read_is_not_clicked(book: ScreenBook) -> None:
    """EX-7: the button looks the same, the row beside it is another one"""
    rows: list[AnyItem] = [
        ("cell", "data_display", "FAC-1", (400, 300, 500, 340)),
        *PAGE,
    ]
    book.draw("page", rows, title="Facture")
    robot = Robot(book, script=TO_DONE)
    seen = robot.sight.look()
    robot.desktop.paint(Box(410, 310, 490, 330), (0, 0, 200))
    outcome = robot.do(edge(click(row_contains=("FAC-1",))), seen=seen)
    assert (outcome.status, robot.sent) == (ExecutionStatus.FAILED, [])
    assert Robot(book, script=TO_DONE).do(edge(click(row_contains=("FAC-1",)))).verified


def test_a_window_that_is_not_open_is_a_failure_without_input(book: ScreenBook) -> None:
    """L4-7"""
    robot = Robot(book)
    outcome = robot.do(edge(Action(type="window_switch", target_app="excel")))
    assert (outcome.status, outcome.input_sent) == (ExecutionStatus.FAILED, False)
    assert outcome.message == "no window of excel is open"


@pytest.mark.parametrize(
    ("action", "deed"),
    [
        (press("CTRL", "S"), Deed("press", keys=("CTRL", "S"))),
        (
            Action(
                type="scroll",
                target=TargetSpec(label="Valider", type="button"),
                parameters=ActionParameters(scroll=(0, 3)),
            ),
            Deed("scroll", at=MIDDLE, scroll=(0, 3)),
        ),
        (
            Action(type="mouse_click", target=TargetSpec(label="Valider"), parameters=ActionParameters(click_count=2)),
            Deed("click", at=MIDDLE, count=2),
        ),
    ],
)
def test_each_action_is_the_deed_it_says(book: ScreenBook, action: Action, deed: Deed) -> None:
    """L4-8"""
    robot = Robot(book, script=lambda screen, done: "done")
    assert robot.do(edge(action)).verified
    assert robot.desktop.deeds == [deed]


@pytest.mark.parametrize(
    ("offset", "aimed"),
    [
        ((0, 0), MIDDLE),
        ((-30, 5), (MIDDLE[0] - 30, MIDDLE[1] + 5)),
        ((900, 900), (158, 338)),
        ((-900, -900), (41, 301)),
    ],
)
def test_a_click_never_leaves_its_target(book: ScreenBook, offset: tuple[int, int], aimed: tuple[int, int]) -> None:
    """EX-7"""
    action = Action(
        type="mouse_click", target=TargetSpec(label="Valider"), parameters=ActionParameters(click_offset=offset)
    )
    outcome = Robot(book, script=TO_DONE).do(edge(action))
    assert outcome.point == aimed
    assert Box(*VALIDATE).contains(aimed)


def test_when_a_person_acts_only_the_effect_is_watched(book: ScreenBook) -> None:
    """UX-5"""
    robot = Robot(book, script=TO_DONE)
    robot.clock.after(2.0, lambda: robot.desktop.person.click(MIDDLE))
    outcome = robot.do(edge(), act=False)
    assert outcome.verified
    assert (robot.sent, outcome.input_sent) == ([], False)
    assert isinstance(outcome.resolution, Resolved)


@pytest.mark.parametrize(("conditions", "read_back"), [((), True), (("target_changed",), False)])
def test_typed_text_is_read_back_even_where_nobody_asks_for_it(conditions: tuple[str, ...], read_back: bool) -> None:
    """EX-1: verification of effect"""
    stays = edge(typing("Dupont"), end="page", expects=None, conditions=conditions)
    asked = post_conditions(stays).conditions
    assert ("field_contains:Dupont" in asked) is read_back
    assert "field_contains:Dupont" not in post_conditions(edge(typing("Dupont"))).conditions, (
        "the field is gone by then"
    )
