"""Interruptions a workflow knows: got out of the way that was shown, and nothing done twice."""

from __future__ import annotations

from typing import Any

import pytest
from list_office import (
    DONE,
    VALIDATE,
    ListOffice,
    click_on,
    error_node,
    go,
    invoices,
    page_items,
    rounds,
    run,
    validating,
)
from run_by_hand import BreaksFor, Overseer

from rpa_vision.execution.doing_twice import goes_further, is_harmless
from rpa_vision.execution.error_screens import ErrorScreens
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.places import Nowhere, Place, place_after
from rpa_vision.execution.recovery import TriggeredRun
from rpa_vision.execution.run_outcome import ExecutedStep, Progress
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.execution.target_resolver import BROKEN, Candidate, Resolved, Unresolved
from rpa_vision.graph.error_nodes import WAYS_OUT_DIFFER
from rpa_vision.graph.node_matcher import Location, NodeMatch, NodeScore
from rpa_vision.graph.plan import Plan, compile_plan
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.execution import ExecutionStatus
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import Variable, VariableSource
from rpa_vision.models.workflow_graph import (
    ANY_NODE,
    EdgeCondition,
    PostConditions,
    RecoveryAction,
    Workflow,
    WorkflowEdge,
)
from rpa_vision.testing.screens import AnyItem
from rpa_vision.testing.scripted_desktop import Deed

OK = (420, 330, 520, 360)
LOGIN = (420, 430, 560, 460)
NOTICE: list[AnyItem] = [
    ("dialog", "dialog", "Information", (280, 200, 680, 380)),
    ("label", "data_display", "Une mise à jour est disponible", (300, 240, 660, 266)),
    ("button", "ok_button", "OK", OK),
]
EXPIRED: list[AnyItem] = [
    ("heading", "title", "Session expirée", (300, 200, 640, 240)),
    ("label", "data_display", "Veuillez vous reconnecter", (300, 280, 640, 306)),
    ("button", "submit", "Connexion", LOGIN),
]


class Interruption:
    """Comes up instead of what a deed leads to, so many times; a click on its button shows the list again."""

    def __init__(self, office: ListOffice, items: list[AnyItem], button: tuple[int, int, int, int], *, on: str) -> None:
        self._office = office
        self._button = Box(*button)
        self._on = on
        self.left = 1
        self.swallows = True
        shown = office.book.draw("error", items, title="Clinique")
        office.show("error", shown.pixels)
        office.interrupts = self._follow

    def _follow(self, screen: str, deed: Deed) -> str | None:
        at = deed.at or (0, 0)
        if screen == "error":
            return self._office.show_list() if deed.verb == "click" and self._button.contains(at) else None
        asked = {
            "open": screen == "list" and at[0] < 200,
            "validate": screen == "detail" and Box(*VALIDATE).contains(at),
        }
        if deed.verb == "click" and asked.get(self._on, False) and self.left:
            self.left -= 1
            if not self.swallows and self._office.open is not None:
                self._office._on_detail(at, self._office.open)
            return "error"
        return None


def with_error(workflow: Workflow, *ways: RecoveryAction, kind: str = "generic", edges: Any = ()) -> Workflow:
    nodes = tuple(
        error_node(node, error_type=kind, recovery_actions=ways) if node.node_id == "error" else node
        for node in workflow.nodes
    )
    return workflow.model_copy(update={"nodes": nodes, "edges": (*workflow.edges, *edges)})


def learned_way(*steps: Action) -> RecoveryAction:
    return RecoveryAction(action="demonstrated", steps=steps, return_to_node="list")


def interrupted(items: list[AnyItem], button: Any, *, on: str, count: int = 2) -> tuple[ListOffice, Interruption]:
    office = ListOffice(invoices("10,00", "20,00", "30,00")[:count])
    return office, Interruption(office, items, button, on=on)


def known(office: ListOffice, *ways: RecoveryAction, **fields: Any) -> Workflow:
    workflow = validating(office=office, more_nodes={"error": "error"})
    return with_error(workflow, *ways, **fields)


def test_a_notice_is_answered_as_it_was_shown_and_the_round_goes_on() -> None:
    """L4-6"""
    office, _ = interrupted(EXPIRED, LOGIN, on="open")
    done = run(office, known(office, learned_way(click_on("Connexion"))))
    assert (done.outcome.status, done.outcome.reason) == ("success", "")
    assert office.validated == ["FAC-2026-00001", "FAC-2026-00002"]
    assert [(one.error_node, one.action, one.succeeded) for one in done.recoveries] == [("error", "demonstrated", True)]
    first = done.outcome.steps[0]
    assert (first.goes_on_at, first.note) == ("E1", "row 1 of 2: FAC-2026-00001")


@pytest.mark.parametrize("way", ["click_ok_button", "close_dialog"])
def test_named_ways_out_take_the_one_control_that_does_just_that(way: str) -> None:
    """L4-6"""
    items = list(NOTICE) if way == "click_ok_button" else [*NOTICE[:2], ("button", "close", "Fermer", OK)]
    office, _ = interrupted(items, OK, on="open")
    done = run(office, known(office, RecoveryAction(action=way)))
    assert done.outcome.status == "success", done.outcome.reason
    assert done.recoveries[0].action == way


def test_a_step_whose_search_broke_is_not_recovered_from() -> None:
    """L4-6, EX-7: an interruption is there too, but whether it hides the target is not known"""
    office, _ = interrupted(EXPIRED, LOGIN, on="nothing")
    resolver = BreaksFor("Valider", meanwhile=lambda: office.desktop.show("error"))
    done = run(office, known(office, learned_way(click_on("Connexion"))), resolver=resolver)
    assert done.outcome.status in ("halted", "failed")
    assert BROKEN in done.outcome.reason
    assert (done.recoveries, office.validated, office.desktop.screen) == ([], [], "error")


def test_a_way_out_whose_search_broke_is_the_last() -> None:
    """L4-6, EX-7"""
    office, _ = interrupted([*EXPIRED, ("button", "ok_button", "OK", OK)], LOGIN, on="open")
    ways = (learned_way(click_on("Connexion")), RecoveryAction(action="click_ok_button"))
    done = run(office, known(office, *ways), resolver=BreaksFor("Connexion"))
    assert done.outcome.status in ("halted", "failed")
    assert [(one.action, one.succeeded, one.reason) for one in done.recoveries] == [
        ("demonstrated", False, f"demonstrated: {BROKEN}")
    ]
    clicked = [deed.at for deed in office.desktop.deeds if deed.verb == "click" and deed.at is not None]
    assert not any(Box(*OK).contains(at) for at in clicked)


def test_a_drop_whose_search_broke_counts_as_well() -> None:
    """L4-6, EX-7"""
    profile = HealingProfile.at_level(0)
    lost = StepOutcome(ExecutionStatus.FAILED, lost_drop=Unresolved("broken", BROKEN, (), profile))
    gone = StepOutcome(ExecutionStatus.FAILED, lost_drop=Unresolved("not_found", "gone", (), profile))
    assert (lost.search_broke, gone.search_broke) == (True, False)


def test_two_controls_that_could_be_meant_are_not_clicked() -> None:
    """L4-6, EX-7"""
    items = [*NOTICE, ("button", "ok_button", "OK", (560, 330, 660, 360))]
    office, _ = interrupted(items, OK, on="open")
    done = run(office, known(office, RecoveryAction(action="click_ok_button")))
    assert done.outcome.status in ("halted", "failed")
    assert "2 controls could be meant" in done.outcome.reason
    assert office.validated == []


@pytest.mark.parametrize(
    ("way", "text", "labels"),
    [
        ("click_ok_button", "Le virement de 5 000 € sera exécuté", ["Continuer"]),
        ("click_ok_button", "La corbeille va être vidée", ["Continuer"]),
        ("click_ok_button", "You are about to transfer funds", ["Continue"]),
        ("click_ok_button", "Cette facture est ancienne ?", ["Continuer"]),
        ("click_ok_button", "Une mise à jour est disponible", ["Continuer", "Annuler"]),
        ("close_dialog", "Modifications non enregistrées", ["Ignorer"]),
        ("close_dialog", "Un brouillon est ouvert", ["Ignorer", "Enregistrer"]),
    ],
)
def test_to_go_on_is_no_way_out_where_it_has_consequences(way: str, text: str, labels: list[str]) -> None:
    """L4-6, EX-7: « Continuer » lets happen what was held up"""
    places = (OK, (560, 330, 660, 360))
    items: list[AnyItem] = [
        NOTICE[0],
        ("label", "data_display", text, (300, 240, 660, 266)),
        *(("button", "primary_action", label, place) for label, place in zip(labels, places, strict=False)),
    ]
    office, _ = interrupted(items, OK, on="open")
    done = run(office, known(office, RecoveryAction(action=way)))
    assert done.outcome.status in ("halted", "failed")
    assert "a person has to" in done.outcome.reason
    assert [deed.verb for deed in office.desktop.deeds if deed.verb == "click"] == ["click"]


def test_to_go_on_is_a_way_out_of_a_dialog_that_merely_tells() -> None:
    """L4-6"""
    office, _ = interrupted([*NOTICE[:2], ("button", "primary_action", "Continuer", OK)], OK, on="open")
    done = run(office, known(office, RecoveryAction(action="click_ok_button")))
    assert done.outcome.status == "success", done.outcome.reason


def test_to_go_on_where_no_dialog_is_leads_further() -> None:
    """L4-6, EX-7"""
    page: list[AnyItem] = [*EXPIRED[:2], ("button", "primary_action", "Continuer", LOGIN)]
    office, _ = interrupted(page, LOGIN, on="open")
    done = run(office, known(office, RecoveryAction(action="click_ok_button")))
    assert "is on no dialog" in done.outcome.reason
    assert office.validated == []


def test_in_a_loop_the_row_tells_whether_the_interrupted_input_had_its_effect() -> None:
    """L4-6, EX-3: « Valider » was swallowed once: the row still says so, and is done again"""
    office, _ = interrupted(EXPIRED, LOGIN, on="validate")
    done = run(office, known(office, learned_way(click_on("Connexion"))))
    assert done.outcome.status == "success", done.outcome.reason
    assert office.validated == ["FAC-2026-00001", "FAC-2026-00002"]


def test_input_that_arrived_all_the_same_is_not_sent_again() -> None:
    """L4-6, EX-3: the invoice was validated, only the answer was an error"""
    office, interruption = interrupted(EXPIRED, LOGIN, on="validate")
    interruption.swallows = False
    done = run(office, known(office, learned_way(click_on("Connexion"))))
    assert done.outcome.status == "success", done.outcome.reason
    assert office.validated == ["FAC-2026-00001", "FAC-2026-00002"], "each once"


def test_outside_a_loop_a_step_that_may_have_worked_is_not_repeated() -> None:
    """EX-3, EX-7: nothing on the screen tells"""
    office, _ = interrupted(EXPIRED, LOGIN, on="validate")
    workflow = known(office, learned_way(click_on("Connexion")))
    line = tuple(edge.model_copy(update={"loop": None}) for edge in workflow.edges)
    done = run(office, workflow.model_copy(update={"edges": line}), {"numero": "FAC-2026-00001"})
    assert done.outcome.status == "failed"
    assert "the input of E2 may have had its effect, and the screen does not tell" in done.outcome.reason
    assert office.validated == []


def test_steps_that_only_move_about_are_done_again() -> None:
    """L4-6: the click that opens an invoice may be repeated"""
    office, _ = interrupted(EXPIRED, LOGIN, on="open")
    workflow = known(office, learned_way(click_on("Connexion")))
    line = tuple(edge.model_copy(update={"loop": None}) for edge in workflow.edges)
    done = run(office, workflow.model_copy(update={"edges": line}), {"numero": "FAC-2026-00002"})
    assert (done.outcome.status, office.validated) == ("success", ["FAC-2026-00002"]), done.outcome.reason
    assert [step.edge.edge_id for step in done.outcome.steps] == ["E1", "E2"]
    assert len(done.outcome.steps[0].outcome.recoveries) == 1


SEARCHED = TargetSpec(label="Rechercher une facture", type="text_input", role="search")
NAMED = TargetSpec(label="Nom", type="text_input", role="form_input")


def typed(label: str, *, replace: bool) -> Action:
    target = TargetSpec(label=label, type="textarea")
    return Action(type="text_input", target=target, parameters=ActionParameters(text="x", replace_existing=replace))


@pytest.mark.parametrize(
    ("action", "before", "harmless"),
    [
        (click_on("FAC-1", "link", role="navigation"), None, True),
        (click_on("FAC-1", "link"), None, False),
        (click_on("Valider"), None, False),
        (click_on("Enregistrer"), None, False),
        (click_on("Ouvrir"), None, True),
        (click_on("Ouvrir", role="delete_action"), None, False),
        (click_on("Ouvrir un compte"), None, False),
        (click_on("Voir et payer", role="submit"), None, False),
        (click_on("Voir et payer", "link"), None, False),
        (click_on("Payer", "link"), None, False),
        (click_on("Payer", "link", role="navigation"), None, False),
        (click_on("Envoyer la relance", "link"), None, False),
        (click_on("Rembourser", "menu_item"), None, False),
        (click_on("Payer", "cell"), None, False),
        (click_on("Transmettre", role="navigation"), None, False),
        (click_on("${patient}", "cell"), None, True),
        (click_on("À valider", "tab"), None, True),
        (click_on("Dossiers", "link", role="navigation"), None, True),
        (click_on("Dossiers", "menu_item", role="navigation"), None, False),
        (click_on("Merge", "menu_item", role="navigation"), None, False),
        (click_on("Post", "link", role="navigation"), None, False),
        (click_on("Mark as paid", "link", role="navigation"), None, False),
        (click_on("Lettrage", "tab"), None, False),
        (click_on("Voir le détail"), None, True),
        (click_on("Actions"), None, False),
        (typed("Note", replace=True), None, True),
        (typed("Note", replace=False), None, False),
        (Action(type="key_press", keys=("ENTER",)), SEARCHED, True),
        (Action(type="key_press", keys=("ENTER",)), NAMED, False),
        (Action(type="key_press", keys=("ENTER",)), None, False),
        (Action(type="key_press", keys=("ESCAPE",)), None, True),
        (Action(type="key_press", keys=("CTRL", "S")), None, False),
        (Action(type="wait", duration_ms=1), None, True),
        (Action(type="compound", steps=(click_on("FAC-1", "link"), click_on("Valider"))), None, False),
    ],
)
def test_only_what_changes_nothing_may_be_done_twice(action: Action, before: TargetSpec | None, harmless: bool) -> None:
    """EX-3"""
    workflow = validating(office=ListOffice(invoices("1,00")))
    typing = None
    if before is not None:
        typed = Action(type="text_input", target=before, parameters=ActionParameters(text="x"))
        typing = ExecutedStep(go("E0", "list", "list", typed), StepOutcome(ExecutionStatus.SUCCESS), 1.0)
    assert is_harmless(go("E1", "list", "detail", action), workflow, None, typing) is harmless


def test_what_stays_on_its_screen_is_not_taken_for_a_row_that_is_opened() -> None:
    """EX-3: nobody was shown that a click on it leads anywhere"""
    workflow = validating(office=ListOffice(invoices("1,00")))
    assert is_harmless(go("E1", "list", "detail", click_on("${numero}", "cell")), workflow)
    assert not is_harmless(go("E1", "list", "list", click_on("${numero}", "cell")), workflow)


def test_a_step_that_may_begin_anywhere_is_taken_up_on_any_screen() -> None:
    """L4-6: after logging in again some other page is shown"""
    workflow = validating(office=ListOffice(invoices("1,00")))
    line = workflow.model_copy(
        update={"edges": tuple(edge.model_copy(update={"loop": None}) for edge in workflow.edges)}
    )
    plan = compile_plan(line)
    assert isinstance(plan, Plan)
    first, second = line.edges
    elsewhere, lost = Location(None, (), anywhere=frozenset({"list"})), Location(None, ())
    office = ListOffice(invoices("1,00"))
    screen, nothing = office.book["list"], StepOutcome(ExecutionStatus.FAILED)
    opened = [ExecutedStep(first, StepOutcome(ExecutionStatus.SUCCESS, before=screen), 1.0)]
    progress = Progress()
    assert place_after(plan, line, first, nothing, [], elsewhere, screen, progress) == Place("E1")
    assert place_after(plan, line, second, nothing, opened, elsewhere, screen, progress) == Place("E1")
    assert isinstance(place_after(plan, line, second, nothing, opened, lost, screen, progress), Nowhere)
    sent = StepOutcome(ExecutionStatus.FAILED, input_sent=True)
    assert isinstance(place_after(plan, line, second, sent, opened, elsewhere, screen, progress), Nowhere)


@pytest.mark.parametrize(
    ("action", "says_the_same", "again"),
    [
        (click_on("Page suivante", role="navigation"), True, True),
        (click_on("Page suivante", role="navigation"), False, False),
        (Action(type="key_press", keys=("TAB",)), True, False),
        (Action(type="key_press", keys=("DOWN",)), True, False),
        (Action(type="key_press", keys=("HOME",)), False, True),
        (click_on("Voir le détail", role="navigation"), False, True),
        (click_on("Continue", role="navigation"), True, False),
        (click_on("Continue", role="navigation"), False, False),
        (click_on("Continuer", role="navigation"), False, False),
        (click_on("Load", role="navigation"), False, False),
        (click_on("Load more", role="navigation"), False, False),
        (click_on("Charger plus", role="navigation"), False, False),
        (Action(type="scroll", parameters=ActionParameters(scroll=(0, 5))), True, False),
        (Action(type="scroll", parameters=ActionParameters(scroll=(0, 5))), False, False),
    ],
)
def test_what_leads_on_from_where_one_is_is_not_done_twice(action: Action, says_the_same: bool, again: bool) -> None:
    """EX-3: it may have arrived; the second field after this one is another one, and so is the page after the next"""
    office = ListOffice(invoices("1,00"))
    whole = validating(office=office)
    step = go("E1", "list", "list", action)
    workflow = whole.model_copy(update={"edges": (step,), "end_nodes": ("list",)})
    plan = compile_plan(workflow)
    assert isinstance(plan, Plan)
    here = office.book["list"]
    before = (
        here if says_the_same else office.book.draw("earlier", [("label", "data_display", "Page 1", (40, 40, 200, 70))])
    )
    location = Location(None, (), anywhere=frozenset({"list"}))

    def place(**sent: bool) -> Place | Nowhere:
        outcome = StepOutcome(ExecutionStatus.FAILED, before=before, **sent)
        return place_after(plan, workflow, step, outcome, [], location, here, Progress())

    assert place() == Place("E1"), "nothing was sent"
    assert isinstance(place(input_sent=True), Place) is again
    assert isinstance(place(input_sent=True, sent_earlier=True), Place) is (again and not says_the_same)


def test_what_leads_on_may_say_so_only_by_now() -> None:
    """EX-3: the control that was clicked had another label when it was recorded"""
    office = ListOffice(invoices("1,00"))
    step = go("E1", "list", "list", click_on("Page 2", "link", role="navigation"))
    assert not goes_further(step)
    drawn = office.book.draw("renamed", [("link", "navigation", "Suivant", (40, 40, 200, 70))])
    (link,) = [element for element in drawn.state.ui_elements if element.label == "Suivant"]
    found = Resolved(Candidate(link, 0.9, "composite_profile", ()), None, HealingProfile.at_level(0))
    assert goes_further(step, found)
    assert not goes_further(step.model_copy(update={"to_node": "detail"}), found), "where it led, the screen tells"


def test_input_of_an_earlier_attempt_at_a_step_is_not_forgotten() -> None:
    """EX-3, EX-7: the click was swallowed; when the step was tried again, its target was not there any more"""
    office, _ = interrupted(EXPIRED, LOGIN, on="open")
    follow = office.interrupts

    def meanwhile(screen: str, deed: Deed) -> str | None:
        if screen == "error":
            office.rows[1].number = "FAC-2026-99999"
        return follow(screen, deed)

    office.interrupts = meanwhile
    workflow = known(office, learned_way(click_on("Connexion")))
    line = tuple(edge.model_copy(update={"loop": None}) for edge in workflow.edges)
    done = run(office, workflow.model_copy(update={"edges": line}), {"numero": "FAC-2026-00002"})
    (step,) = done.outcome.steps
    assert (done.outcome.status, step.outcome.input_sent, step.outcome.anything_sent) == ("failed", False, True)


def test_every_step_of_a_way_out_is_asked_for_and_told() -> None:
    """L4-6, AH-1.1: like any step"""
    office, _ = interrupted(EXPIRED, LOGIN, on="open")
    waiting = Action(type="wait", duration_ms=10)
    done = run(office, known(office, learned_way(waiting, click_on("Connexion"))))
    assert done.outcome.status == "success", done.outcome.reason
    heard = [line.replace("WF_by_hand ", "") for line in done.overseer.diary if "recovery" in line]
    assert heard == [
        "asked E1.recovery_1", "told E1.recovery_1 success", "asked E1.recovery_2", "told E1.recovery_2 success",
    ]  # fmt: skip


@pytest.mark.parametrize("forbidden", ["E1.recovery_1", "E1.recovery_2"])
def test_a_way_out_ends_where_the_supervisor_says_so(forbidden: str) -> None:
    """L4-6, AH-1.1: quarantined while it gets out"""
    office, _ = interrupted(EXPIRED, LOGIN, on="open")
    waiting = Action(type="wait", duration_ms=10)
    overseer = Overseer(forbids=[forbidden])
    done = run(office, known(office, learned_way(waiting, click_on("Connexion"))), overseer=overseer)
    assert "quarantined" in done.outcome.reason
    clicks = [deed for deed in office.desktop.deeds if deed.verb == "click"]
    assert len(clicks) == 1, "only the click that was interrupted"


@pytest.mark.parametrize("given", [False, True])
def test_what_only_a_person_can_say_is_not_typed_before_she_does(given: bool) -> None:
    """L4-6, EX-7: nothing of the way out is begun"""
    office, _ = interrupted(EXPIRED, LOGIN, on="open")
    way = learned_way(Action(type="wait", duration_ms=1), click_on("${code}"))
    workflow = validating(office=office, more_nodes={"error": "error"})
    spoken = Variable(type="string", source=VariableSource(method="parameter"), required=False)
    workflow = workflow.model_copy(update={"variables": {**workflow.variables, "code": spoken}})
    done = run(office, with_error(workflow, way), {"code": "Connexion"} if given else {})
    assert (done.outcome.status == "success") is given, done.outcome.reason
    if not given:
        assert "a person has to say what 'code' is" in done.outcome.reason
        assert not any("recovery" in line for line in done.overseer.diary)


def test_a_secret_that_is_not_known_keeps_a_way_out_from_being_taken() -> None:
    """L4-6, L0-7"""
    office, _ = interrupted(EXPIRED, LOGIN, on="open")
    secret = Action(type="text_input", parameters=ActionParameters(secret_ref="clinic"))
    done = run(office, known(office, learned_way(secret, click_on("Connexion"))))
    assert "the secret 'clinic' is not known here" in done.outcome.reason
    assert office.validated == []


def test_an_interruption_between_two_rounds_undoes_none_of_them() -> None:
    """L4-6: it came up when the list should have; the row before it was done"""
    office, interruption = interrupted(EXPIRED, LOGIN, on="validate")
    interruption.swallows = False
    workflow = known(office, learned_way(click_on("Connexion")))
    verified = workflow.edges[1].model_copy(
        update={"post_conditions": PostConditions(conditions=("screen_changed",), timeout_seconds=1.0)}
    )
    done = run(office, workflow.model_copy(update={"edges": (workflow.edges[0], verified)}))
    assert done.outcome.status == "success", done.outcome.reason
    assert office.validated == ["FAC-2026-00001", "FAC-2026-00002"]
    assert done.progress.recoveries == 1


TRANSMIT = (240, 400, 400, 440)


class TwoEffects(ListOffice):
    """Each invoice is validated and sent on, in this order or the other; only being validated is seen in the list."""

    last = "Valider"

    def _detail(self, one: Any) -> Any:
        items = page_items(one)
        if one.number in (*self.validated, *self.sent_on):
            items.append(("label", "data_display", "Première étape faite", (440, 220, 700, 244)))
        return self._draw("detail", items, "Facture")

    def _on_detail(self, at: tuple[int, int], one: Any) -> str | None:
        if Box(*VALIDATE).contains(at):
            self.validated.append(one.number)
            one.status = DONE
        elif Box(*TRANSMIT).contains(at):
            self.sent_on.append(one.number)
        else:
            return super()._on_detail(at, one)
        pressed = "Valider" if Box(*VALIDATE).contains(at) else "Transmettre"
        return self.show_list() if pressed == self.last else self.show("detail", self._detail(one))


@pytest.mark.parametrize("arrives", [False, True])
@pytest.mark.parametrize("interrupted_at", ["open", "Valider", "Transmettre"])
@pytest.mark.parametrize("order", [("Transmettre", "Valider"), ("Valider", "Transmettre")])
def test_a_round_with_two_effects_has_each_of_them_once_or_the_run_says_so(
    order: tuple[str, str], interrupted_at: str, arrives: bool
) -> None:
    """L4-6, EX-3, EX-7: whichever step is interrupted, and whether or not its input arrived"""
    office = TwoEffects(invoices("10,00", "20,00"))
    office.last = order[1]
    office.show("error", office.book.draw("error", EXPIRED, title="Clinique").pixels)
    left = [1]

    def interrupts(screen: str, deed: Deed) -> str | None:
        at = deed.at or (0, 0)
        if screen == "error":
            return office.show_list() if deed.verb == "click" and Box(*LOGIN).contains(at) else None
        asked = {"open": (40, 130, 200, 400), "Valider": VALIDATE, "Transmettre": TRANSMIT}[interrupted_at]
        here = screen == ("list" if interrupted_at == "open" else "detail")
        if here and deed.verb == "click" and Box(*asked).contains(at) and left[0]:
            left[0] -= 1
            if arrives and office.open is not None:
                office._on_detail(at, office.open)
            return "error"
        return None

    office.interrupts = interrupts
    half = PostConditions(conditions=("text_appears:Première étape faite",), timeout_seconds=2.0)
    steps = (
        go("E2", "detail", "detail", click_on(order[0]), post_conditions=half),
        go("E3", "detail", "list", click_on(order[1])),
    )
    workflow = validating(*steps, office=office, loop=rounds(last_edge="E3"), more_nodes={"error": "error"})
    done = run(office, with_error(workflow, learned_way(click_on("Connexion"))))
    numbers = [one.number for one in office.rows]
    assert len(set(office.validated)) == len(office.validated), "none twice"
    assert len(set(office.sent_on)) == len(office.sent_on), "none twice"
    if done.outcome.status == "success":
        assert (office.validated, office.sent_on) == (numbers, numbers), "each of them"
    else:
        assert "E2" in done.outcome.reason or "E3" in done.outcome.reason, done.outcome.reason
    assert (done.outcome.status == "success") is (interrupted_at == "open")


@pytest.mark.parametrize("gone", [False, True])
def test_a_row_that_is_left_half_done_is_not_passed_over(gone: bool) -> None:
    """L4-6, EX-7: interrupted before « Valider »; somebody else validated it meanwhile, or took it from the list"""
    office, interruption = interrupted(EXPIRED, LOGIN, on="open")
    follow = office.interrupts

    def meanwhile(screen: str, deed: Deed) -> str | None:
        if screen == "error":
            office.rows[0].status = DONE
            if gone and len(office.rows) == 2:
                del office.rows[0]
        return follow(screen, deed)

    office.interrupts = meanwhile
    done = run(office, known(office, learned_way(click_on("Connexion"))))
    assert done.outcome.status == "halted"
    assert "« FAC-2026-00001 » was interrupted at E1" in done.outcome.reason
    assert interruption.left == 0


def test_an_error_that_keeps_coming_is_not_answered_for_ever() -> None:
    """L4-6"""
    office, interruption = interrupted(EXPIRED, LOGIN, on="open")
    interruption.left = 1000
    done = run(office, known(office, learned_way(click_on("Connexion"))))
    assert done.outcome.status in ("halted", "failed")
    assert "6 times is enough" in done.outcome.reason
    assert office.validated == []


def test_an_error_screen_of_the_seeds_is_told_by_its_words() -> None:
    """L4-6: required_text_any, an edge from ANY with a priority, a compound way out"""
    office, _ = interrupted(EXPIRED, LOGIN, on="open")
    workflow = known(office, kind="authentication")
    bare = next(node for node in workflow.nodes if node.node_id == "error")
    template = bare.screen_template.model_copy(
        update={"stable_texts": (), "title_words": (), "embedding_prototype": None,
                "required_text_any": ("Session expirée", "Reconnexion nécessaire")}
    )  # fmt: skip
    nodes = tuple(
        node.model_copy(update={"screen_template": template, "metadata": {}}) if node.node_id == "error" else node
        for node in workflow.nodes
    )
    similar = EdgeCondition(type="screen_similarity", target_node="error", min_similarity=0.75)
    fallback = WorkflowEdge(
        edge_id="EA", from_node=ANY_NODE, to_node="error", priority=-1, condition=similar, trigger="unexpected_screen"
    )
    out = Action(type="compound", steps=(click_on("Connexion"), Action(type="wait", duration_ms=200)))
    edges = (*workflow.edges, fallback, go("ER", "error", "list", out))
    written = workflow.model_copy(update={"nodes": nodes, "edges": edges})
    done = run(office, written, nodes={"list": "list", "detail": "detail"})
    assert done.outcome.status == "success", done.outcome.reason
    assert [(one.error_type, one.action) for one in done.recoveries] == [("authentication", "ER")]


@pytest.mark.parametrize("works", [True, False])
def test_another_workflow_is_run_to_get_out(works: bool) -> None:
    """L4-6: trigger_login_workflow"""
    office, _ = interrupted(EXPIRED, LOGIN, on="open")
    asked: list[tuple[str, dict[str, str]]] = []

    def login(workflow_id: str, values: Any) -> TriggeredRun:
        asked.append((workflow_id, dict(values)))
        if works:
            office.desktop.show(office.show_list())
        return TriggeredRun("run_login", None if works else "the password was refused")

    way = RecoveryAction(action="trigger_login_workflow", workflow_id="WF_login")
    done = run(office, known(office, way, kind="authentication"), trigger=login)
    assert asked[0][0] == "WF_login"
    assert done.recoveries[0].run_id == "run_login"
    assert (done.outcome.status == "success") is works
    assert len(office.validated) == (2 if works else 0)
    if not works:
        assert "the password was refused" in done.outcome.reason


def test_an_unknown_screen_is_no_error_screen() -> None:
    """L4-9"""
    office, interruption = interrupted(EXPIRED, LOGIN, on="open")
    strange = office.book.draw("strange", [("heading", "title", "Autre chose", (200, 200, 600, 260))], title="?")
    office.show("error", strange.pixels)
    done = run(office, known(office, learned_way(click_on("Connexion"))))
    assert done.outcome.status == "failed"
    assert (done.recoveries, office.validated, interruption.left) == ([], [], 0)


def test_a_run_goes_on_from_the_screen_that_is_shown() -> None:
    """L4-9: exactly one step fits"""
    office = ListOffice(invoices("10,00"))
    workflow = validating(office=office)
    line = tuple(edge.model_copy(update={"loop": None}) for edge in workflow.edges)
    office.open = office.rows[0]
    office.desktop.show(office.show("detail", office._detail(office.open)))
    done = run(office, workflow.model_copy(update={"edges": line}), from_here=True)
    assert (done.outcome.status, office.validated) == ("success", ["FAC-2026-00001"])
    assert [step.edge.edge_id for step in done.outcome.steps] == ["E2"]


def test_a_run_does_not_go_on_where_two_steps_fit_or_a_value_is_missing() -> None:
    """L4-9, EX-7"""
    office = ListOffice(invoices("10,00"))
    office.open = office.rows[0]
    office.desktop.show(office.show("detail", office._detail(office.open)))
    twice = validating(
        go("E2", "detail", "detail", click_on("Transmettre"), post_conditions=None),
        go("E3", "detail", "list", click_on("Valider")),
        loop=rounds(last_edge="E3"),
        office=office,
    )
    done = run(office, twice, from_here=True)
    assert "not exactly one step begins there: E2, E3" in done.outcome.reason
    needy = validating(go("E2", "detail", "list", click_on("Valider ${numero}")), office=office)
    line = tuple(edge.model_copy(update={"loop": None}) for edge in needy.edges)
    done = run(office, needy.model_copy(update={"edges": line}), from_here=True)
    assert "the value of 'numero' is needed" in done.outcome.reason
    assert (office.validated, office.desktop.deeds) == ([], [])


def test_an_error_that_people_left_in_different_ways_waits_for_a_person() -> None:
    """L4-6, EX-7"""
    office, _ = interrupted(EXPIRED, LOGIN, on="open")
    workflow = known(office)
    nodes = tuple(
        node.model_copy(update={"metadata": {**node.metadata, WAYS_OUT_DIFFER: ["Connexion", "Annuler"]}})
        if node.node_id == "error"
        else node
        for node in workflow.nodes
    )
    done = run(office, workflow.model_copy(update={"nodes": nodes}))
    assert done.outcome.status != "success"
    assert office.validated == []
    assert "people left it in different ways (Connexion; Annuler)" in done.outcome.reason


def error_page(text: str) -> list[AnyItem]:
    return [
        ("heading", "title", "Erreur", (300, 200, 640, 240)),
        ("label", "data_display", text, (300, 280, 640, 306)),
        ("button", "ok_button", "Ignorer", LOGIN),
        ("button", "cancel", "Annuler", (580, 430, 700, 460)),
    ]


@pytest.mark.parametrize(
    ("says", "is_known"),
    [
        ("Le document est verrouillé", True),
        ("Le docurnent est verrouillé", True),
        ("Les modifications seront perdues", False),
        ("Le disque est plein", False),
    ],
)
def test_a_page_that_tells_of_another_error_is_not_the_one_that_was_shown(says: str, is_known: bool) -> None:
    """L4-6, EX-7: heading and buttons are those of many errors"""
    office, _ = interrupted(error_page("Le document est verrouillé"), LOGIN, on="open")
    workflow = known(office, learned_way(click_on("Ignorer")))
    now = office.book.draw("now", error_page(says), title="Clinique")
    (node,) = [one for one in workflow.nodes if one.is_error_node]
    here = Location(NodeMatch(node, 0.9, 0.9, 0.5), (NodeScore(node, 0.9, 0.9, 0.9),))
    assert (ErrorScreens(workflow).recognise(now, here) is not None) is is_known
    unsure = Location(None, here.scores)
    watch = WorkflowEdge(
        edge_id="EA",
        from_node=ANY_NODE,
        to_node="error",
        trigger="unexpected_screen",
        condition=EdgeCondition(type="screen_similarity", target_node="error", min_similarity=0.85),
    )
    watching = workflow.model_copy(update={"edges": (*workflow.edges, watch)})
    assert (ErrorScreens(watching).recognise(now, unsure) is not None) is is_known
