"""What the observer makes of a person's work: on screens made by hand, without a desktop."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from office import AGAIN, FIELD, SEND, Office, form, thanks

from rpa_vision.app.observe import Interpreter
from rpa_vision.app.sayings import in_french
from rpa_vision.app.wiring_guidance import known_workflows
from rpa_vision.graph.demonstration import demonstrated_steps
from rpa_vision.models.geometry import Box
from rpa_vision.testing.screens import HandMadeSession

BEGAN = datetime(2026, 11, 16, 8, 0, tzinfo=UTC)
OTHERS = ("Petit", "Moreau")


class Watched:
    """An interpreter over what was learned in the office, and everything it said."""

    def __init__(self, office: Office, learned) -> None:
        self.office, self.workflow = office, learned.workflow
        matchers, left_out = known_workflows(office.data, office.book.observer)
        assert not left_out
        self.matcher = matchers[self.workflow.workflow_id]
        self.events, self.counted = [], []
        self.interpreter = Interpreter(
            [self.workflow],
            lambda workflow, step: self.matcher.locate(step.before),
            self.events.append,
            source="sess_observed",
            moment=lambda t: BEGAN + timedelta(seconds=t),
            counted=lambda workflow, similarity, source: self.counted.append((similarity, source)),
        )

    def see(self, made: HandMadeSession) -> list[str]:
        for step in demonstrated_steps(made.session(), made.observe):
            self.interpreter.see(step)
        self.interpreter.finish(made.session().events[-1].t)
        return self.kinds

    @property
    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]


@pytest.fixture
def watched(office, learned) -> Watched:
    draw_others(office)
    return Watched(office, learned)


def draw_others(office: Office) -> None:
    for name in OTHERS:
        office.book.draw(f"typed_{name}", form(name), title="Patients")
        office.book.draw(f"thanks_{name}", thanks(name), title="Merci")
    office.book.draw(
        "mail", [("button", "action", "Répondre", SEND), ("heading", "title", "Boîte", FIELD)], title="Mail"
    )


def register(made: HandMadeSession, name: str) -> None:
    made.click("form", Box(*FIELD).center)
    made.type("form", name)
    made.click(f"typed_{name}", Box(*SEND).center)
    made.click(f"thanks_{name}", Box(*AGAIN).center, after="form")


def test_a_known_workflow_is_recognised_at_its_second_step_and_seen_to_its_end(watched):
    """L4-11, L4-12: shadow mode observes and counts."""
    made = HandMadeSession(watched.office.book, "sess_new")
    register(made, "Petit")
    assert watched.see(made) == ["recognised", "step_seen", "completed", "episode"]
    recognised = watched.events[0]
    assert (recognised.step, recognised.of) == (2, 3)
    assert recognised.text == "step 2 of 3 of Patients"
    [(similarity, source)] = watched.counted
    assert similarity >= 0.9
    assert source.startswith("sess_observed@")


def test_unrelated_work_is_not_taken_for_a_workflow(watched):
    """L4-12"""
    made = HandMadeSession(watched.office.book, "sess_other")
    for _ in range(3):
        made.click("mail", Box(*SEND).center)
        made.type("mail", "Bonjour")
    assert watched.see(made) == ["episode"]
    assert not watched.counted


def test_the_first_step_alone_is_no_workflow(watched):
    """L4-12"""
    made = HandMadeSession(watched.office.book, "sess_one")
    made.click("form", Box(*FIELD).center)
    made.type("form", "Petit")
    made.click("mail", Box(*SEND).center)
    assert watched.see(made) == ["episode"]


def test_two_goes_are_counted_as_two(watched):
    """L4-11"""
    made = HandMadeSession(watched.office.book, "sess_two")
    for name in OTHERS:
        register(made, name)
    watched.see(made)
    assert watched.kinds.count("completed") == 2
    assert len({source for _, source in watched.counted}) == 2


def test_what_is_done_besides_is_told_and_makes_it_less_alike(watched):
    """L4-12: a person who does it differently is noticed."""
    made = HandMadeSession(watched.office.book, "sess_besides")
    made.click("form", Box(*FIELD).center)
    made.type("form", "Petit")
    made.click("typed_Petit", Box(*SEND).center)
    made.click("thanks_Petit", (400, 215))  # the patient's file, which no demonstration touched
    made.click("thanks_Petit", Box(*AGAIN).center, after="form")
    watched.see(made)
    different = next(event for event in watched.events if event.kind == "different")
    assert "1 other deed in between" in different.text
    assert watched.counted[0][0] < 0.9


def test_a_go_that_is_broken_off_says_why_and_what_came_instead(watched):
    """UX-1, L4-12: whoever is not followed any further is told the reason."""
    made = HandMadeSession(watched.office.book, "sess_left")
    for _ in range(2):
        made.click("form", Box(*FIELD).center)
        made.type("form", "Petit")
        made.click("typed_Petit", Box(*SEND).center)
        made.click("thanks_Petit", (400, 215))
    watched.see(made)
    first, last = (event for event in watched.events if event.kind == "broken_off")
    instead = "step 3 was awaited, but it was done to something else, or gave a value that the variable does not allow"
    assert first.text == f"after step 2 of 3 of Patients: it was begun again; {instead}"
    assert last.text == f"after step 2 of 3 of Patients: nothing more was watched; {instead}"
    assert in_french(first.text).startswith("après l'étape 2 sur 3 de Patients : elle a été recommencée")


def test_what_was_done_another_way_is_told_with_the_way(watched):
    """L4-12"""
    made = HandMadeSession(watched.office.book, "sess_otherwise")
    made.click("form", Box(*FIELD).center)
    made.type("form", "Petit")
    made.click("typed_Petit", Box(*SEND).center, button="right")
    made.click("thanks_Petit", Box(*AGAIN).center, after="form")
    watched.see(made)
    different = next(event for event in watched.events if event.kind == "different")
    assert "(clicked another way)" in different.text


def test_a_step_that_a_robot_did_goes_on_and_is_not_counted_as_observed(watched):
    """L4-11"""
    made = HandMadeSession(watched.office.book, "sess_helped")
    made.click("form", Box(*FIELD).center)
    made.type("form", "Petit")
    made.click("typed_Petit", Box(*SEND).center)
    for step in demonstrated_steps(made.session(), made.observe):
        watched.interpreter.see(step)
    last = watched.workflow.edges[2].edge_id
    watched.interpreter.help_with(watched.workflow.workflow_id, last, 10.0)
    assert "completed" in watched.kinds
    assert not watched.counted


def test_a_pause_ends_an_episode(watched):
    """L4-12"""
    made = HandMadeSession(watched.office.book, "sess_pause")
    made.click("mail", Box(*SEND).center)
    for step in demonstrated_steps(made.session(), made.observe):
        watched.interpreter.see(step)
    watched.interpreter.pause(made.session().events[-1].t + 10.0)
    assert watched.kinds == []
    watched.interpreter.pause(made.session().events[-1].t + 31.0)
    assert watched.kinds == ["episode"]
