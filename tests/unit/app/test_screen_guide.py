"""A run in assist mode on the person's screen, and a supervised one: what the bubble says, and when it goes."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from office import NEW, Office, show_three
from panes import BUBBLE, Panes, key, press

from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.app.licence import OFFER_ALL, OFFER_EACH
from rpa_vision.app.run import RunHooks, RunRequest, run_workflow
from rpa_vision.app.screen_guide import ScreenGuide
from rpa_vision.app.screen_person import ScreenPerson
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetSpec
from rpa_vision.ports.person import StepQuestion

TARGET = Box(40, 200, 180, 240)
TYPE = Action(
    type="text_input",
    target=TargetSpec(label="Nom", type="text_input"),
    parameters=ActionParameters(text="${nom}"),
)
QUESTION = StepQuestion("Patients", "E1", "Type « Petit » into Nom", TARGET, "Nom", 0.97, TYPE, {"nom": "Petit"})


class Beside:
    """A guide of a run, and whether she wants no more."""

    def __init__(self, language: str = "en", strength: str = "strong", again_s: float = 60.0) -> None:
        self.panes, self.enough = Panes(), threading.Event()
        self.guide = ScreenGuide(self.panes, language, strength, on_not_now=self.enough.set, again_s=again_s)
        self.guide.guide(QUESTION)


@pytest.mark.parametrize(("language", "words"), [("en", "Your turn: "), ("fr", "À vous : ")])
def test_her_step_is_told_in_her_language_and_its_target_framed(language, words):
    """UX-5, L4-12: assist × COACHING and above"""
    shown = Beside(language).panes.shown
    assert shown.text.startswith(words)
    assert "Petit" in shown.text
    assert "Nom" in shown.text
    assert (shown.target, [choice.answer for choice in shown.choices]) == (TARGET, ["not_now"])


def test_each_row_of_a_file_is_told_with_its_own_values():
    """UX-5: one guide goes along with all the runs of `run --each`"""
    one = Beside()
    assert "Petit" in one.panes.shown.text
    one.guide.guide(replace(QUESTION, values={"nom": "Moreau"}))
    assert "Moreau" in one.panes.shown.text
    assert "Petit" not in one.panes.shown.text


def test_a_run_tells_its_guide_what_it_was_given(office: Office):
    """UX-5, L0-7"""
    office.keep(show_three(office.book))
    questions: list[StepQuestion] = []
    request = RunRequest(office.learn().workflow, {"nom": NEW}, "assist", screen_timeout_s=0.5)
    run_workflow(request, office.tools(office.desktop()), RunHooks(on_guided=questions.append))
    assert questions[0].values["nom"] == NEW


def test_a_weak_suggestion_points_at_nothing():
    """L4-12: assist × OBSERVATION"""
    assert Beside(strength="weak").panes.shown.target is None


@pytest.mark.parametrize("deed", [press(), key("a"), key("2", "CTRL", "ALT")])
def test_it_is_gone_as_soon_as_she_acts(deed):
    """UX-5"""
    one = Beside()
    one.guide.hear(key("CTRL"))
    one.guide.hear(press(own=True))
    assert one.panes.shown is not None
    one.guide.hear(deed)
    assert one.panes.shown is None
    assert not one.enough.is_set()


def test_a_step_she_has_begun_and_not_done_is_told_again_once_she_rests(wait):
    """UX-5: in words; what was framed may be elsewhere by then. Once the step is over it is not told again"""
    one = Beside(again_s=0.2)
    one.guide.hear(press())
    assert one.panes.shown is None
    again = wait.until(lambda: one.panes.shown, what="the same step again")
    assert (again.text, again.target) == (one.panes.history[0].text, None)
    one.guide.hear(press())
    one.guide.over()
    one.guide.hear(press())
    done = Beside(again_s=0.05)
    done.guide.hear(press())
    wait.until(lambda: done.panes.shown, what="that time has passed")
    assert (one.panes.shown, len(one.panes.history)) == (None, 2)


def test_not_now_ends_it_by_button_or_key():
    """UX-5: keyboard reachable"""
    by_key, by_button = Beside(), Beside()
    by_key.guide.hear(key("1", "CTRL", "ALT"))
    by_button.guide.hear(press(BUBBLE.center))
    by_button.panes.on_answer("not_now")
    assert by_key.enough.is_set()
    assert by_button.enough.is_set()
    assert (by_key.panes.shown, by_button.panes.shown) == (None, None)


@pytest.mark.parametrize(
    ("language", "offers", "asks"),
    [
        ("en", ("Shall I do it, asking before each step?", "Shall I do it?"), "May I do this? "),
        ("fr", ("Dois-je le faire, en demandant avant chaque étape ?", "Dois-je le faire ?"), "Puis-je le faire ? "),
    ],
)
def test_a_supervised_run_speaks_one_language(language, offers, asks):
    """UX-5: no half sentence of another one"""

    class Answering(Panes):
        def suggest(self, suggestion, on_answer) -> None:
            super().suggest(suggestion, on_answer)
            on_answer(suggestion.choices[0].answer)

    panes = Answering()
    person = ScreenPerson(panes, language, SystemClock())
    assert [person.takes_offer("Patients", offer) for offer in (OFFER_EACH, OFFER_ALL)] == [True, True]
    assert person.answers(QUESTION) == "confirm"
    assert [one.text for one in panes.history[:2]] == list(offers)
    text = panes.history[2].text
    assert text.startswith(asks)
    assert ("Type" in text) == (language == "en")
