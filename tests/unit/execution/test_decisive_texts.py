"""The texts a target was chosen by are read again before input is sent."""

from __future__ import annotations

import pytest
from list_office import READ, ListOffice, click_on, go, invoices, run, validating
from run_by_hand import DONE, PAGE, VALIDATE, Overseer, Robot, click, edge

from rpa_vision.detection.second_look import SecondLook
from rpa_vision.execution.action_executor import ActionExecutor
from rpa_vision.execution.decisive_texts import MOST, Reread, reread, reread_value
from rpa_vision.execution.target_resolver import Resolved, TargetResolver
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.execution import ExecutionStatus, FailureKind
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import VariableSource
from rpa_vision.models.workflow_graph import EdgeCondition, SafetyRules
from rpa_vision.ports.perception import ReadText, TextCheck
from rpa_vision.testing.screens import ScreenBook
from rpa_vision.testing.scripted_desktop import on_click

ROWS = [
    ("heading", "title", "Factures", (40, 40, 240, 70)),
    ("cell", "data_display", "FAC-12", (40, 100, 140, 124)),
    ("cell", "data_display", "80,00", (160, 100, 240, 124)),
    ("button", "validate", "Valider", (300, 98, 400, 126)),
    ("cell", "data_display", "FAC-17", (40, 140, 140, 164)),
    ("button", "validate", "Valider", (300, 138, 400, 166)),
]


class Eyes:
    """A second reader that sees what a table says for each place; elsewhere it agrees."""

    def __init__(self, **seen: str) -> None:
        self.seen = seen
        self.asked: list[str] = []

    def confirm(self, picture, box, first, *, wanted=""):
        self.asked.append(first.text)
        other = self.seen.get(first.text.replace("-", "_"), first.text)
        same = other == first.text
        return TextCheck(wanted, box, "agree" if same else "differ", first, ReadText(other, 0.9), 0.99 if same else 0.4)


def robot(book: ScreenBook, eyes: Eyes | None) -> Robot:
    made = Robot(book, script=[on_click("page", Box(*VALIDATE), to="done")])
    made.executor = ActionExecutor(
        made.desktop,
        made.sight,
        made.matcher,
        TargetResolver(),
        made.clock,
        looks=lambda path: None,
        secrets={},
        safety_rules=SafetyRules(),
        confirmer=eyes,
    )
    return made


@pytest.fixture
def book() -> ScreenBook:
    book = ScreenBook()
    book.draw("page", PAGE, title="Clinique")
    book.draw("done", DONE, title="Clinique")
    return book


def test_nothing_is_sent_where_the_second_reader_sees_another_text(book):
    """EX-7: a wrong click is worse than no click."""
    made = robot(book, Eyes(Valider="Supprimer"))
    outcome = made.do(edge())
    assert made.sent == []
    assert (outcome.status, outcome.failure_kind) == (ExecutionStatus.FAILED, FailureKind.LOW_CONFIDENCE)
    assert "« Valider »" in outcome.message
    assert "« Supprimer »" in outcome.message
    assert not outcome.input_sent


def test_agreement_lets_the_step_go_on_and_is_told_to_the_supervisor(book):
    """EX-7"""
    made, supervisor = robot(book, Eyes()), Overseer()
    made.loop(supervisor).run({})
    assert made.sent == ["click"]
    told = supervisor.told[0]
    plain = Overseer()
    robot(book, None).loop(plain).run({})
    assert told.status is ExecutionStatus.SUCCESS
    assert told.confidence is not None
    assert plain.told[0].confidence is not None
    assert told.confidence >= plain.told[0].confidence


def test_without_a_second_reader_nobody_is_asked(book):
    outcome = robot(book, None).do(edge())
    assert outcome.status is ExecutionStatus.SUCCESS
    assert outcome.reread is None
    assert "read_again" not in outcome.timing_ms


BASKET = (400, 300, 560, 340)
DRAG = Action(
    type="drag",
    target=TargetSpec(label="Valider", type="button"),
    parameters=ActionParameters(drop_target=TargetSpec(label="Panier", type="button")),
)


def test_what_a_thing_is_dropped_on_is_read_again_too(book):
    """EX-7, L4-8: both ends of a drag decide."""
    book.draw("page", [*PAGE, ("button", "drop_zone", "Panier", BASKET)], title="Clinique")
    eyes = Eyes()
    robot(book, eyes).do(edge(DRAG))
    assert eyes.asked == ["Valider", "Panier"]
    made = robot(book, Eyes(Panier="Corbeille"))
    outcome = made.do(edge(DRAG))
    assert (outcome.status, outcome.failure_kind) == (ExecutionStatus.FAILED, FailureKind.LOW_CONFIDENCE)
    assert "« Corbeille »" in outcome.message
    assert made.sent == []


def test_a_value_that_two_readers_read_differently_is_not_used():
    """EX-7, L4-3: an amount that was read decides which way is gone."""
    office = ListOffice(invoices("120,00", "80,00"))
    rule = EdgeCondition(type="expression", expression="amount < 1000", else_edge="E4")
    workflow = validating(
        go("E2", "detail", "detail", READ),
        go("E3", "detail", "list", click_on("Valider"), condition=rule, next_edge="E1"),
        go("E4", "detail", "list", click_on("Transmettre")),
        office=office,
    )
    done = run(office, workflow, confirmer=Eyes(**{"80,00": "8000,00"}))
    assert done.outcome.status == "halted"
    assert "amount cannot be read: two readers differ" in done.outcome.reason
    assert office.validated == ["FAC-2026-00001"]


def test_a_value_read_where_its_variable_says_is_read_twice_too():
    """EX-7, L4-3, L4-4"""
    office = ListOffice(invoices("120,00"))
    rule = EdgeCondition(type="expression", expression="amount < 1000", else_edge="E3")
    workflow = validating(
        go("E2", "detail", "list", click_on("Valider"), condition=rule, next_edge="E1"),
        go("E3", "detail", "list", click_on("Transmettre")),
        office=office,
    )
    source = VariableSource(method="ui_element_extraction", element_label="Total")
    amount = workflow.variables["amount"].model_copy(update={"source": source})
    workflow = workflow.model_copy(update={"variables": {**workflow.variables, "amount": amount}})
    done = run(office, workflow, confirmer=Eyes(**{"120,00": "1120,00"}))
    assert "the variable 'amount' has no value" in done.outcome.reason
    assert (office.validated, office.sent_on) == ([], [])


def test_a_row_that_two_readers_read_differently_is_not_taken():
    """EX-7, L4-5: what is bound of a row is used in its round."""
    office = ListOffice(invoices("120,00", "80,00"))
    done = run(office, validating(office=office), confirmer=Eyes(FAC_2026_00002="FAC-2026-00007"))
    assert done.outcome.status == "halted"
    assert "row « FAC-2026-00002 »: two readers differ" in done.outcome.reason
    assert office.validated == ["FAC-2026-00001"]


def test_in_a_list_the_row_is_read_again_too():
    """EX-7: the identity of a row decides."""
    book = ScreenBook()
    book.draw("list", ROWS, title="Factures")
    screen = book["list"]
    button = next(e for e in screen.state.ui_elements if e.bbox == (300, 98, 400, 126))
    target = TargetSpec(label="Valider", type="button", row_contains=("${number}", "80,00"))
    eyes = Eyes(FAC_12="FAC-17")
    found = reread(eyes, target, button, screen, {"number": "FAC-12"})
    assert eyes.asked == ["Valider", "FAC-12", "80,00"]
    assert found.objection == "« FAC-12 » was read once as « FAC-12 » and once as « FAC-17 »"


def test_a_target_without_words_has_nothing_to_read_again(book):
    screen = book["page"]
    button = next(e for e in screen.state.ui_elements if e.label == "Valider")
    eyes = Eyes()
    assert reread(eyes, TargetSpec(type="button"), button, screen, {}).checks == ()
    assert eyes.asked == []


def test_a_step_reads_few_texts_again_however_much_its_row_must_say():
    """PF: what a second look costs is bounded."""
    book = ScreenBook()
    cells = [("cell", "data_display", f"C{i}", (40 + 60 * i, 100, 90 + 60 * i, 124)) for i in range(9)]
    book.draw("list", [*cells, ("button", "validate", "Valider", (700, 98, 800, 126))], title="Liste")
    screen = book["list"]
    button = next(e for e in screen.state.ui_elements if e.type == "button")
    eyes = Eyes()
    reread(eyes, TargetSpec(label="Valider", row_contains=tuple(f"C{i}" for i in range(9))), button, screen, {})
    assert len(eyes.asked) == MOST


@pytest.mark.parametrize(
    ("verdicts", "score", "expected"),
    [
        ((), 0.85, 0.85),
        (("agree",), 0.85, 0.9),
        (("agree", "agree"), 0.85, 0.9333),
        (("agree", "agree", "agree"), 0.85, 0.9333),
        (("cannot_tell", "cannot_tell"), 0.85, 0.85),
        (("agree",), 1.0, 1.0),
    ],
)
def test_each_of_two_agreements_takes_away_a_third_of_the_doubt(verdicts, score, expected):
    """EX-4: one documented formula."""
    read = ReadText("Valider", 0.9)
    checks = tuple(TextCheck("Valider", Box(0, 0, 9, 9), verdict, read, read, 0.9) for verdict in verdicts)
    assert Reread(checks).confidence(score) == pytest.approx(expected, abs=1e-4)


def test_agreement_on_another_text_than_was_asked_for_adds_nothing():
    """EX-5: « Approuver » read twice is not « Valider » read once."""
    read = ReadText("Approuver", 0.9)
    check = TextCheck("Valider", Box(0, 0, 9, 9), "agree", read, read, 0.9)
    assert Reread((check,)).confidence(0.8) == 0.8


def test_a_real_second_look_fits_the_executor(book):
    """The service of `detection` is what the executor asks for."""

    class Same:
        name = "same"

        def read(self, lines):
            return [ReadText("Valider", 0.9) for _ in lines]

    made = robot(book, SecondLook(Same()))
    outcome = made.do(edge(click("Valider")))
    assert isinstance(outcome.resolution, Resolved)
    assert outcome.reread is not None
    assert [check.verdict for check in outcome.reread.checks] == ["agree"]


class Blinded:
    """A second reader that breaks for some texts, or for all, and reads another name where it does not."""

    def __init__(self, *texts: str) -> None:
        self.texts = texts

    def confirm(self, picture, box, first, *, wanted=""):
        if not self.texts or first.text in self.texts:
            raise ZeroDivisionError(f"quotes {first.text}")
        return TextCheck(wanted, box, "differ", first, ReadText("Supprimer", 0.9), 0.4)


def test_a_second_reader_that_breaks_confirms_nothing_and_stops_no_run(book, caplog):
    """EX-6: as if there were none; EX-4: what was not read again adds nothing"""
    made, supervisor, plain = robot(book, Blinded()), Overseer(), Overseer()
    outcome = made.loop(supervisor).run({})
    robot(book, None).loop(plain).run({})
    assert (outcome.status, made.sent) == ("success", ["click"])
    assert outcome.steps[0].outcome.reread == Reread(())
    assert supervisor.told[0].confidence == plain.told[0].confidence
    assert "the second reader broke (ZeroDivisionError)" in caplog.text
    assert "Valider" not in caplog.text, "nor what it quotes"


def test_what_the_second_reader_did_read_still_refuses():
    """EX-6, EX-7: it broke for the number of the row, and reads another name on the button"""
    book = ScreenBook()
    book.draw("list", ROWS, title="Factures")
    screen = book["list"]
    button = next(e for e in screen.state.ui_elements if e.bbox == (300, 98, 400, 126))
    target = TargetSpec(label="Valider", type="button", row_contains=("FAC-12",))
    found = reread(Blinded("FAC-12"), target, button, screen, {})
    assert [check.wanted for check in found.checks] == ["Valider"]
    assert "« Supprimer »" in (found.objection or "")
    assert reread_value(Blinded(), "FAC-12", Box(40, 100, 140, 124), screen) == Reread(())


class Read:
    """A reader that reads the same everywhere."""

    def __init__(self, text: str) -> None:
        self.text, self.name = text, f"always {text}"

    def read(self, lines):
        return [ReadText(self.text, 0.9) for _ in lines]


@pytest.mark.parametrize(
    ("second", "verdict"),
    [("Oui, approuver", "agree"), ("Confirmer", "cannot_tell"), ("Supprimer", "differ")],
)
def test_of_a_renamed_target_the_two_readings_are_compared_with_each_other(second, verdict):
    """EX-7: that the second reader says what was looked for does not confirm what the first one read"""
    book = ScreenBook()
    book.draw("asks", [("button", "validate", "Oui, approuver", (300, 98, 460, 126))], title="Factures")
    screen = book["asks"]
    button = next(e for e in screen.state.ui_elements if e.type == "button")
    found = reread(SecondLook(Read(second)), TargetSpec(label="Confirmer"), button, screen, {})
    (check,) = found.checks
    assert (check.wanted, check.first.text, check.verdict) == ("Confirmer", "Oui, approuver", verdict)
    assert found.confidence(0.8) == 0.8, "nothing that was asked for was agreed on"
    said = "what was taken for « Confirmer » was read once as « Oui, approuver » and once as « Supprimer »"
    assert found.objection == (said if verdict == "differ" else None)


def test_a_reading_that_is_the_label_badly_read_is_confirmed_by_the_label():
    """EX-7: that is what a second reader is for"""
    book = ScreenBook()
    book.draw("asks", [("button", "validate", "Valjder", (300, 98, 460, 126))], title="Factures")
    screen = book["asks"]
    button = next(e for e in screen.state.ui_elements if e.type == "button")
    found = reread(SecondLook(Read("Valider")), TargetSpec(label="Valider"), button, screen, {})
    assert [check.verdict for check in found.checks] == ["agree"]
