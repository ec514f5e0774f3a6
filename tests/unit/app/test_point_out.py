"""Interactive healing: a run that is lost asks, believes no one against the screen, goes on, and learns it."""

from __future__ import annotations

import pytest
from office import SEND, Office
from renamed_office import WF, ask_and_run, renamed, run_once, teach

from rpa_vision.app.wiring_auto_heal import AutoHeal
from rpa_vision.errors import UsageError
from rpa_vision.execution.guarded_desktop import InputGate
from rpa_vision.imaging.codec import decode
from rpa_vision.models.geometry import Box
from rpa_vision.models.heal_question import HealQuestion
from rpa_vision.testing.scripted_desktop import Deed

STRANGE = "Consigner"
"""A word that is in no lexicon."""


@pytest.fixture(autouse=True)
def taught(office: Office, heal: AutoHeal) -> None:
    teach(office, heal)


def number_of(question: HealQuestion, label: str) -> int:
    return next(one.number for one in question.candidates if one.label == label)


def clicks(deeds: list[Deed]) -> int:
    return sum(deed.verb == "click" for deed in deeds)


def test_a_number_is_enough_and_what_was_shown_is_proposed(office: Office, heal: AutoHeal) -> None:
    """EX-8"""
    desktop = renamed(office, STRANGE)
    report, asked = ask_and_run(office, heal, desktop, lambda q: {"number": number_of(q, STRANGE)})
    assert report.status == "success", report.reason
    (question,) = asked
    assert (question.workflow_id, question.edge_id) == (WF, "E2")
    assert "is not on the screen" in question.why
    picture = heal.questions.store.picture(question.question_id)
    assert picture is not None
    assert decode(picture).shape[:2] == (question.screen_size[1], question.screen_size[0])
    (view,) = heal.proposals.views().items
    assert (view.proposal.source, view.proposal.shown_by) == ("person", "anne")
    assert view.proposal.after.aliases == (STRANGE,)
    assert heal.questions.waiting().items == ()
    assert heal.questions.store.load(question.question_id).status == "answered"


def test_what_a_person_wants_kept_is_kept_and_found_alone_the_next_time(office: Office, heal: AutoHeal) -> None:
    """EX-8: the answer is learned"""
    point = Box(*SEND).center
    report, _ = ask_and_run(office, heal, renamed(office, STRANGE), lambda q: {"point": point, "keep": True})
    assert report.status == "success", report.reason
    assert office.data.workflows.load(WF).version == 2
    assert run_once(office, heal, renamed(office, STRANGE)).status == "success", "nobody is asked any more"


def test_nobody_is_asked_in_a_run_that_nobody_sits_beside(office: Office, heal: AutoHeal) -> None:
    """EX-8"""
    report, asked = ask_and_run(office, heal, renamed(office, STRANGE), lambda q: {"number": 1}, asks=False)
    assert (report.status, asked) == ("halted", [])


@pytest.mark.parametrize(("says", "told"), [({"none": True}, "none of these"), (None, "nobody answered within 20 s")])
def test_no_answer_is_no_click(office: Office, heal: AutoHeal, says: dict[str, bool] | None, told: str) -> None:
    """EX-7, EX-8"""
    desktop = renamed(office, STRANGE)
    report, asked = ask_and_run(office, heal, desktop, lambda q: says)
    assert (report.status, told in report.reason, len(asked)) == ("halted", True, 1)
    assert clicks(desktop.deeds) == 1, "only the field was clicked"


def test_what_is_disabled_is_refused_whoever_shows_it(office: Office, heal: AutoHeal) -> None:
    """EX-7, EX-8"""
    desktop = renamed(office, STRANGE, enabled=False)
    report, asked = ask_and_run(office, heal, desktop, lambda q: {"point": Box(*SEND).center})
    assert report.status == "halted"
    assert [one.why.split(":")[0] for one in asked[1:]] == [f"« {STRANGE} » is disabled"] * 2
    assert asked[1].replaces == asked[0].question_id
    assert clicks(desktop.deeds) == 1


def test_what_may_do_harm_needs_a_yes_twice(office: Office, heal: AutoHeal) -> None:
    """EX-7, EX-8"""
    word = "Supprimer"

    def says(question: HealQuestion) -> dict[str, object]:
        return {"yes": True} if question.kind == "confirm" else {"number": number_of(question, word)}

    def hesitates(question: HealQuestion) -> dict[str, object]:
        return {"none": True} if question.kind == "confirm" else {"number": number_of(question, word)}

    report, asked = ask_and_run(office, heal, renamed(office, word, role="delete_action"), hesitates)
    assert (report.status, [one.kind for one in asked]) == ("halted", ["show", "confirm"])
    assert "may do harm" in report.reason
    report, asked = ask_and_run(office, heal, renamed(office, word, role="delete_action"), says)
    assert (report.status, [one.kind for one in asked]) == ("success", ["show", "confirm"])


def test_when_the_screen_changed_meanwhile_it_is_asked_again(office: Office, heal: AutoHeal) -> None:
    """EX-8: an answer is about one screen"""
    desktop = renamed(office, STRANGE)
    elsewhere = (400, 400, 560, 440)
    other = renamed(office, f"{STRANGE} tout", place=elsewhere)
    moved = "typed_consigner_tout"
    desktop._screens[moved] = other._screens[moved]

    def says(question: HealQuestion) -> dict[str, object]:
        if question.replaces is None:
            desktop.show(moved)
            return {"point": Box(*SEND).center}
        return {"none": True}

    report, asked = ask_and_run(office, heal, desktop, says)
    assert (report.status, len(asked)) == ("halted", 2)
    assert asked[1].why == "the screen changed while it was asked"
    assert clicks(desktop.deeds) == 1


def test_an_answer_that_makes_no_sense_is_told_and_not_written(office: Office, heal: AutoHeal) -> None:
    """EX-8"""
    seen: list[str] = []

    def says(question: HealQuestion) -> dict[str, object]:
        for answer in ({"number": 99}, {"point": (5000, 5)}, {"yes": True}, {}, {"number": 1, "none": True}):
            with pytest.raises(UsageError):
                heal.questions.answer(question.question_id, "anne", **answer)  # type: ignore[arg-type]
        seen.append(question.question_id)
        return {"none": True}

    ask_and_run(office, heal, renamed(office, STRANGE), says)
    with pytest.raises(UsageError, match="is answered"):
        heal.questions.answer(seen[0], "bob", none=True)


def test_who_said_no_with_the_mouse_is_not_asked_again(office: Office, heal: AutoHeal) -> None:
    """EX-8: a hand on the mouse has the step tried again, but not the question"""
    desktop = renamed(office, STRANGE)
    gate, times = InputGate(), list[str]()

    def says(question: HealQuestion) -> dict[str, object]:
        times.append(question.question_id)
        assert len(times) < 3, "asked over and over"
        gate.hold("a person acts")
        gate.let_on()
        return {"none": True}

    report, asked = ask_and_run(office, heal, desktop, says, gate=gate)
    assert (report.status, len(asked)) == ("halted", 1)
    assert "none of these" in report.reason
