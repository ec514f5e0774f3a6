"""The guide beside a person: what is suggested at which level, what her answers do, and when it steps aside."""

from __future__ import annotations

import threading

import pytest
from office import AGAIN, FIELD, SEND, Office, thanks
from panes import BUBBLE, Panes, key, press

from rpa_vision.app.guidance_feed import GuidanceFeed
from rpa_vision.app.guidance_words import choices, say
from rpa_vision.app.guide import Guide, GuideTools, StepDone
from rpa_vision.app.guided_step import do_one_step
from rpa_vision.app.run_parts import RecordedLooks
from rpa_vision.app.shown_target import ShownTargets
from rpa_vision.execution.modes import licence
from rpa_vision.execution.target_resolver import TargetResolver
from rpa_vision.graph.following import Sighting
from rpa_vision.learning.live_state import at_exactly
from rpa_vision.models.geometry import Box
from rpa_vision.models.input import InputEvent, InputKind
from rpa_vision.models.workflow_standing import LEARNING_STATES
from rpa_vision.testing.screens import CountingIds


class Beside:
    """A guide over the office's workflow, whose second step was just seen."""

    def __init__(self, office: Office, learned, *, state: str, language: str = "en", again_s: float = 60.0) -> None:
        office.book.draw("seen_thanks", [("button", "navigation", "Nouveau", AGAIN)], title="Merci")
        self.workflow = learned.workflow
        self.panes, self.feed = Panes(), GuidanceFeed()
        self.done, self.helped, self.rejected = [], [], []
        self.result = StepDone(True, "done")
        self.step_ended = threading.Event()
        self.guide = Guide(
            GuideTools(
                overlay=self.panes,
                clock=office.clock,
                licence=lambda workflow: licence("assist", state, person_is_there=True),
                look=lambda: office.book["seen_thanks"],
                find=lambda workflow, edge, screen, values: Box(*AGAIN),
                do_step=self._do,
                on_event=self.feed.publish,
                helped=lambda workflow_id, step_id: (self.helped.append(step_id), self.step_ended.set()),
                rejected=lambda workflow, edge: self.rejected.append(edge.edge_id),
                language=language,
                again_s=again_s,
            )
        )

    def _do(self, workflow, edge, values) -> StepDone:
        self.done.append((edge.edge_id, dict(values)))
        return self.result

    def sighting(self, kind: str = "step_seen") -> Sighting:
        edges = self.workflow.edges
        return Sighting(
            kind, self.workflow, 5.0, edges[1].edge_id, 2, 3, began_t=1.0, next_step=edges[2], values={"nom": "Petit"}
        )

    @property
    def kinds(self) -> list[str]:
        return [event.kind for event in self.feed.recent()]


@pytest.fixture
def beside(office, learned):
    opened = []

    def open_one(state: str = "AUTO_CANDIDATE", **options) -> Beside:
        one = Beside(office, learned, state=state, **options)
        opened.append(one)
        one.guide.__enter__()
        return one

    yield open_one
    for one in opened:
        one.guide.__exit__()


@pytest.mark.parametrize("state", LEARNING_STATES)
def test_what_is_suggested_grows_with_the_workflow(beside, state):
    """L4-12, UX-5: weak, strong with a highlight, and from AUTO_CANDIDATE on an offer to do it."""
    one = beside(state)
    one.guide.on_sighting(one.sighting())
    shown = one.panes.shown
    answers = [choice.answer for choice in shown.choices]
    if state == "OBSERVATION":
        assert (shown.strength, shown.target, answers) == ("weak", None, ["not_now"])
    else:
        assert (shown.strength, shown.target) == ("strong", Box(*AGAIN))
        assert ("do_it" in answers) == (state in ("AUTO_CANDIDATE", "AUTO_CONFIRMÉ"))
        assert {"not_this", "show_me", "not_now"} <= set(answers)
    assert one.kinds == ["suggested"]


def test_what_she_wants_done_is_done_once_and_told(beside, wait):
    """UX-5, L4-12"""
    one = beside()
    one.guide.on_sighting(one.sighting())
    one.panes.on_answer("do_it")
    wait.until(one.step_ended.is_set, what="the step")
    third = one.workflow.edges[2].edge_id
    assert one.done == [(third, {"nom": "Petit"})]
    assert one.helped == [third]
    assert one.panes.shown is None
    assert one.kinds == ["suggested", "answered", "step_done"]


def test_it_is_gone_as_soon_as_she_acts_herself(beside):
    """UX-5"""
    one = beside()
    one.guide.on_sighting(one.sighting())
    one.guide.hear(press())
    assert one.panes.shown is None
    assert one.kinds == ["suggested", "withdrawn"]


def test_a_step_she_has_begun_and_not_done_is_told_again_once_she_rests(beside, wait):
    """UX-5: gone while she acts, there again while the step is not seen; seen or put off, it is not told again."""
    one = beside(again_s=0.2)
    one.guide.on_sighting(one.sighting())
    one.guide.hear(press())
    assert one.panes.shown is None
    wait.until(lambda: one.panes.shown is not None, what="the same step again")
    assert one.panes.history[0] == one.panes.history[1]
    one.guide.hear(press())
    one.guide.on_sighting(one.sighting("completed"))
    assert one.panes.shown is None
    first = beside(again_s=0.05)
    first.guide.on_sighting(first.sighting())
    first.panes.on_answer("not_now")
    wait.until(lambda: "answered" in first.kinds, what="the answer")
    first.guide.hear(press())
    wait.until(lambda: one.panes.history[2:] == [] and first.panes.shown is None, what="quiet")


def test_pointer_moves_and_our_own_input_do_not_chase_it_away(beside):
    """UX-5"""
    one = beside()
    one.guide.on_sighting(one.sighting())
    one.guide.hear(InputEvent(InputKind.MOTION, 0, 0, (5, 5), own=False))
    one.guide.hear(press(own=True))
    one.guide.hear(press(BUBBLE.center))
    assert one.panes.shown is not None


@pytest.mark.parametrize("number", ["1", "&"])
def test_it_is_answered_with_the_keyboard_on_any_layout(beside, wait, number):
    """UX-5: keyboard reachable, without a grab."""
    one = beside()
    one.guide.on_sighting(one.sighting())
    one.guide.hear(key("CTRL"))
    one.guide.hear(key("ALT", "CTRL"))
    assert one.panes.shown is not None
    one.guide.hear(key(number, "CTRL", "ALT"))
    wait.until(one.step_ended.is_set, what="the step")
    assert [event.answer for event in one.feed.recent() if event.kind == "answered"] == ["do_it"]


def test_not_now_is_heeded_until_the_go_is_over(beside, wait):
    """UX-5"""
    one = beside()
    one.guide.on_sighting(one.sighting())
    one.panes.on_answer("not_now")
    wait.until(lambda: "answered" in one.kinds, what="the answer")
    wait.until(lambda: one.panes.shown is None, what="the bubble gone")
    wait.until(lambda: one.guide.on_sighting(one.sighting()) is None, what="nothing more")
    assert len(one.panes.history) == 1 or wait.stays(lambda: one.panes.shown is None, for_s=0.05)
    assert not one.done


def test_not_this_is_neither_pointed_at_nor_offered_again(beside, wait):
    """UX-5, EX-8, L4-11: it counts against the workflow, and she is asked which one it is"""
    one = beside()
    one.guide.on_sighting(one.sighting())
    one.panes.on_answer("not_this")
    wait.until(lambda: len(one.panes.history) == 2, what="the question")
    assert one.rejected == [one.workflow.edges[2].edge_id]
    shown = one.panes.history[1]
    assert (shown.target, [choice.answer for choice in shown.choices]) == (None, ["show_me", "not_now"])
    assert shown.text.endswith("I do not see where")
    one.guide.on_sighting(one.sighting())
    assert [choice.answer for choice in one.panes.shown.choices] == ["show_me", "not_now"]
    assert one.panes.shown.target is None
    assert not one.done


@pytest.mark.parametrize(("sent", "words"), [(False, "did nothing"), (True, "look at the screen")])
def test_what_could_not_be_done_is_handed_back_with_a_word(beside, wait, sent, words):
    """UX-5, L4-13"""
    one = beside()
    one.result = StepDone(False, "in doubt", sent)
    one.guide.on_sighting(one.sighting())
    one.panes.on_answer("do_it")
    wait.until(lambda: len(one.panes.history) == 2, what="the word")
    assert words in one.panes.shown.text
    assert [choice.answer for choice in one.panes.shown.choices] == ["show_me", "not_now"]
    assert "step_refused" in one.kinds
    assert one.helped == []


def test_she_shows_the_right_one_by_clicking_it(beside, wait):
    """EX-8, UX-5"""
    one = beside()
    one.guide.on_sighting(one.sighting())
    one.panes.on_answer("show_me")
    wait.until(lambda: len(one.panes.history) == 2, what="the question")
    assert one.panes.shown.text == say("en", "show")
    one.guide.hear(press(Box(*AGAIN).center))
    shown = one.feed.recent()[-1]
    assert (shown.kind, shown.text, shown.bbox) == ("shown", "Nouveau", AGAIN)
    assert one.panes.shown is None


def test_it_speaks_french(beside):
    """UX-5"""
    one = beside(language="fr")
    one.guide.on_sighting(one.sighting())
    assert one.panes.shown.title == "Patients : étape 3 sur 3"
    assert one.panes.shown.text.startswith("Ensuite : Cliquer sur")
    assert choices("fr", ("do_it",))[0].label == "1 Fais-le"


def test_events_can_be_followed_by_a_dashboard(beside):
    """UX-5"""
    one = beside()
    with one.feed.following(timeout_s=0.01) as events:
        one.guide.on_sighting(one.sighting())
        assert [event.kind for event in events] == ["suggested"]
    assert one.feed.recent()[0].to_json()["workflow_name"] == "Patients"


@pytest.mark.parametrize("state", ["OBSERVATION", "COACHING", "AUTO_CANDIDATE"])
def test_one_step_is_done_with_the_usual_safety_and_no_more(office, learned, state):
    """L4-12, L4-13: only from AUTO_CANDIDATE on does the robot act, and then one step."""
    workflow = at_exactly(learned.workflow, state)
    desktop = office.desktop("Berger", start="form")
    desktop.person.click(Box(*FIELD).center)
    desktop.person.type_text("Berger")
    before = len(desktop.deeds)
    done = do_one_step(workflow, workflow.edges[1], {"nom": "Berger"}, office.tools(desktop))
    clicks = [deed for deed in desktop.deeds[before:] if deed.verb == "click"]
    if state == "AUTO_CANDIDATE":
        assert done.verified, done.reason
        assert [deed.at for deed in clicks] == [Box(*SEND).center]
        assert desktop.screen == "new_thanks"
    else:
        assert not done.verified
        assert clicks == []


def test_what_she_shows_becomes_a_proposal_in_her_name_and_changes_nothing_yet(office, learned, heal):
    """EX-8: the button bears another word by now."""
    renamed = [("button", "navigation", "Encore un", AGAIN)]
    office.book.draw("renamed", [*thanks("Petit")[:2], *renamed], title="Merci")
    screen = office.book["renamed"]
    element = next(one for one in screen.state.ui_elements if one.label == "Encore un")
    edge = learned.workflow.edges[2]
    shown = ShownTargets(
        heal.proposals, TargetResolver(), RecordedLooks(office.data), office.clock, CountingIds(), "marie"
    )
    proposal = shown.propose(learned.workflow, edge, element, screen, {"nom": "Petit"})
    assert proposal is not None
    assert (proposal.source, proposal.shown_by, proposal.verified_runs) == ("person", "marie", 0)
    assert "Encore un" in proposal.after.aliases
    assert [view.proposal.proposal_id for view in heal.proposals.views().items] == [proposal.proposal_id]
    assert office.data.workflows.load(learned.workflow.workflow_id).edges[2] == edge


def test_what_is_found_as_recorded_needs_no_proposal(office, learned, heal):
    """EX-8"""
    screen = office.book["thanks_0"]
    element = next(one for one in screen.state.ui_elements if one.label == "Nouveau")
    shown = ShownTargets(
        heal.proposals, TargetResolver(), RecordedLooks(office.data), office.clock, CountingIds(), "marie"
    )
    assert shown.propose(learned.workflow, learned.workflow.edges[2], element, screen, {"nom": "Dupont"}) is None
