"""Runs under the table of modes and levels: who acts, who is asked, what counts, and what is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from healing_office import spoil, supervised, with_label
from office import NEW, SEND, Office

from rpa_vision.app.learn import LearnResult
from rpa_vision.app.licence import as_trusted_now, licence_of, may_go_on_alone
from rpa_vision.app.maturity import count_shown
from rpa_vision.app.run import RunHooks, RunRequest, run_workflow
from rpa_vision.app.wiring_auto_heal import AutoHeal
from rpa_vision.execution.run_outcome import ExecutedStep
from rpa_vision.learning.live_state import at_exactly
from rpa_vision.models.auto_heal import ExecutionState
from rpa_vision.models.execution import RunReport
from rpa_vision.models.geometry import Box
from rpa_vision.models.guidance import Answer
from rpa_vision.models.maturity import CountedRun
from rpa_vision.models.workflow_graph import SafetyRules, Workflow
from rpa_vision.models.workflow_standing import (
    AUTO_CONFIRMED,
    LEARNING_STATES,
    ExecutionPolicy,
    LearningStateName,
    PolicyCell,
)
from rpa_vision.ports.person import StepQuestion
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.maturity import grow
from rpa_vision.testing.screens import CountingIds
from rpa_vision.testing.scripted_desktop import ScriptedDesktop

WF = "WF_patients"
STEPS = 3


class Colleague:
    """Implements `ports.person.Person`: says what she was told to say, and keeps what she was asked."""

    def __init__(self, *, takes: bool = True, answer: Answer = "do_it", but: dict[str, Answer] | None = None) -> None:
        self.takes, self.answer, self.but = takes, answer, but or {}
        self.offers: list[str] = []
        self.asked: list[StepQuestion] = []

    def takes_offer(self, workflow_name: str, offer: str) -> bool:
        self.offers.append(offer)
        return self.takes

    def answers(self, question: StepQuestion) -> Answer:
        self.asked.append(question)
        return self.but.get(question.step_id, self.answer)


class Agenda(ManualClock):
    """A clock by which a person does something a little later."""

    def __init__(self) -> None:
        super().__init__()
        self._due: tuple[float, Callable[[], None]] | None = None

    def after(self, seconds: float, deed: Callable[[], None]) -> None:
        self._due = (self.monotonic() + seconds, deed)

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        if self._due is not None and self.monotonic() >= self._due[0]:
            (_, deed), self._due = self._due, None
            deed()


class Stage:
    """One office with its supervisor, a workflow in it, and runs of it."""

    def __init__(self, office: Office, heal: AutoHeal) -> None:
        self.clock, self.ids = Agenda(), CountingIds()
        office.clock = self.clock
        self.office, self.heal = office, heal
        self.desktop: ScriptedDesktop = office.desktop()

    def run(
        self,
        mode: Any = "auto",
        person: Colleague | None = None,
        because: str | None = None,
        shown: str | None = None,
        **hooks: Any,
    ) -> RunReport:
        """With another screen `shown`, the run begins from there."""
        self.desktop = self.desktop_for_run()
        if shown is not None:
            self.desktop.show(shown)
        tools = supervised(
            self.office,
            self.heal,
            self.desktop,
            ids=self.ids,
            maturity=self.heal.learning,
            on_anomaly=self.heal.pause_after_anomaly,
        )
        workflow = self.office.data.workflows.load(WF)
        request = RunRequest(workflow, {"nom": NEW}, mode, because, screen_timeout_s=1.0, from_here=shown is not None)
        return run_workflow(request, tools, RunHooks(person=person, **hooks))[0]

    def desktop_for_run(self) -> ScriptedDesktop:
        return self.office.desktop()

    def by_hand(self, edge: Any, sentence: str) -> None:
        """The person does what she is guided to, once she has read it."""
        screens = {"E1": "new_typed", "E2": "new_thanks", "E3": "form"}
        self.clock.after(3.0, lambda: self.desktop.show(screens[edge.edge_id]))

    @property
    def robot_acted(self) -> bool:
        return bool(self.desktop.deeds)

    @property
    def level(self) -> str:
        return self.heal.learning.maturity(WF).state

    def audited(self, kind: str) -> list[dict[str, Any]]:
        self.heal.audit.flush()
        return [entry.record for entry in self.heal.audit.entries() if entry.kind == kind]


@pytest.fixture
def stage(office: Office, heal: AutoHeal, learned: LearnResult) -> Stage:
    return Stage(office, heal)


def grown(stage: Stage, level: LearningStateName) -> Stage:
    grow(stage.heal.learning, stage.office.data.workflows.load(WF), level)
    assert stage.level == level
    return stage


@pytest.mark.parametrize("level", LEARNING_STATES)
def test_shadow_never_acts(stage: Stage, level: LearningStateName) -> None:
    """L4-12: four cells"""
    report = grown(stage, level).run("shadow", Colleague())
    assert (report.status, stage.robot_acted) == ("blocked", False)


@pytest.mark.parametrize("level", ["OBSERVATION", "COACHING"])
def test_a_young_workflow_never_runs_alone(stage: Stage, level: LearningStateName) -> None:
    """L4-12: two cells, whoever is there"""
    report = grown(stage, level).run("auto", Colleague())
    assert (report.status, stage.robot_acted) == ("blocked", False)
    assert report.reason.startswith(f"insufficient_maturity: the workflow is at {level}")


@pytest.mark.parametrize("level", ["OBSERVATION", "COACHING"])
def test_a_young_workflow_is_not_even_offered(stage: Stage, level: LearningStateName) -> None:
    """L4-12: two cells; the person acts, and is guided"""
    person = Colleague()
    report = grown(stage, level).run("assist", person, on_begin=stage.by_hand)
    assert (report.status, person.offers, person.asked, len(report.steps)) == ("success", [], [], STEPS)
    assert not stage.robot_acted
    assert stage.heal.learning.maturity(WF).assist_runs == (1 if level == "COACHING" else 0)


def test_a_candidate_asks_before_each_step(stage: Stage) -> None:
    """L4-12: auto × AUTO_CANDIDATE"""
    person = Colleague()
    report = grown(stage, "AUTO_CANDIDATE").run("auto", person)
    assert (report.status, stage.robot_acted) == ("success", True)
    assert [question.step_id for question in person.asked] == ["E1", "E2", "E3"]
    assert person.asked[1].label == "Enregistrer"
    assert person.asked[1].target is not None
    assert person.asked[1].target.contains(Box(*SEND).center)
    assert person.offers == []
    assert stage.heal.learning.maturity(WF).auto_candidate_runs == 1
    assert [record["answer"] for record in stage.audited("step_confirmed")] == ["do_it"] * STEPS


def test_a_candidate_does_nothing_when_nobody_is_there(stage: Stage) -> None:
    """L4-12: auto × AUTO_CANDIDATE"""
    report = grown(stage, "AUTO_CANDIDATE").run("auto")
    assert (report.status, stage.robot_acted) == ("blocked", False)
    assert "step by step" in report.reason


@pytest.mark.parametrize(("takes", "asked"), [(True, STEPS), (False, 0)])
def test_a_candidate_is_offered_in_assist_mode(stage: Stage, takes: bool, asked: int) -> None:
    """L4-12: assist × AUTO_CANDIDATE; taken, it still asks before each step"""
    person = Colleague(takes=takes)
    by_hand = (lambda edge, words: None) if takes else stage.by_hand
    report = grown(stage, "AUTO_CANDIDATE").run("assist", person, on_begin=by_hand)
    assert (report.status, len(person.offers), len(person.asked)) == ("success", 1, asked)
    known = stage.heal.learning.maturity(WF)
    assert (known.auto_candidate_runs, known.assist_runs) == (int(takes), 10), "a guided run earns nothing here"


def test_a_grown_workflow_runs_alone(stage: Stage) -> None:
    """L4-12: auto × AUTO_CONFIRMÉ"""
    person = Colleague()
    report = grown(stage, AUTO_CONFIRMED).run("auto", person)
    assert (report.status, stage.robot_acted, person.asked, person.offers) == ("success", True, [], [])
    assert stage.heal.learning.maturity(WF).auto_confirmed_runs == 1


@pytest.mark.parametrize("takes", [True, False])
def test_a_grown_workflow_is_available_in_assist_mode(stage: Stage, takes: bool) -> None:
    """L4-12: assist × AUTO_CONFIRMÉ"""
    person = Colleague(takes=takes)
    by_hand = (lambda edge, words: None) if takes else stage.by_hand
    report = grown(stage, AUTO_CONFIRMED).run("assist", person, on_begin=by_hand)
    assert (report.status, len(person.offers), person.asked) == ("success", 1, [])
    assert stage.heal.learning.maturity(WF).auto_confirmed_runs == int(takes)


def test_a_persons_no_stops_the_step_and_counts_against_it(stage: Stage) -> None:
    """L4-11, L4-12: what would have been wrong is not done"""
    person = Colleague(but={"E2": "not_this"})
    report = grown(stage, "AUTO_CANDIDATE").run("auto", person)
    assert (report.status, stage.level) == ("blocked", "COACHING")
    assert [deed.verb for deed in stage.desktop.deeds].count("click") == 1, "into the field, and no more"
    assert "a person said that it is not this" in stage.audited("maturity_changed")[-1]["reason"]
    assert stage.heal.manager.get_mode(WF) is ExecutionState.RUNNING, "she knows already: nothing has to be looked at"


def test_a_person_who_stops_says_nothing_against_it(stage: Stage) -> None:
    """L4-11: unverified outcomes do not count"""
    report = grown(stage, "AUTO_CANDIDATE").run("auto", Colleague(but={"E2": "not_now"}))
    known = stage.heal.learning.maturity(WF)
    assert (report.status, known.state, known.auto_candidate_runs, known.unverified_runs) == (
        "blocked",
        "AUTO_CANDIDATE",
        0,
        1,
    )


def test_what_moved_while_somebody_thought_is_not_clicked(stage: Stage) -> None:
    """L4-12, EX-3"""

    class Slow(Colleague):
        def answers(self, question: StepQuestion) -> Answer:
            if question.step_id == "E2":
                stage.desktop.show("new_thanks")
            return super().answers(question)

    report = grown(stage, "AUTO_CANDIDATE").run("auto", Slow())
    assert report.status == "halted"
    assert [deed.verb for deed in stage.desktop.deeds].count("click") == 1
    assert "while" in report.reason


def test_input_without_its_effect_costs_the_level_and_pauses(stage: Stage) -> None:
    """L4-11, L4-12: pause on anomaly, rollback on error"""
    stage.desktop_for_run = lambda: stage.office.desktop(deaf_clicks=99)  # type: ignore[method-assign]
    report = grown(stage, AUTO_CONFIRMED).run("auto")
    assert (report.status, stage.level) == ("failed", "COACHING")
    assert stage.heal.manager.get_mode(WF) is ExecutionState.PAUSED
    assert stage.audited("maturity_changed")[-1]["reason"].startswith("anomaly: step E2")
    again = stage.run("auto", because="I look at it myself")
    assert again.status == "blocked", "the supervisor's pause holds, whatever was authorised"


def test_halting_in_doubt_costs_nothing_at_once_and_the_level_if_it_goes_on(stage: Stage) -> None:
    """L4-11, P003-10"""
    stage.desktop_for_run = lambda: stage.office.desktop(start="new_thanks")  # type: ignore[method-assign]
    grown(stage, AUTO_CONFIRMED)
    seen = [(stage.run("auto").status, stage.level) for _ in range(3)]
    assert seen == [("halted", AUTO_CONFIRMED), ("halted", "COACHING"), ("blocked", "COACHING")]
    assert not stage.robot_acted


def test_what_was_authorised_earns_nothing(stage: Stage) -> None:
    """L4-11, L4-12: the only way around the table"""
    assert stage.run("auto", because="a first trial").status == "success"
    known = stage.heal.learning.maturity(WF)
    assert (known.state, known.authorised_runs, known.assist_runs, known.observed_runs) == ("OBSERVATION", 1, 0, 0)
    grown(stage, "AUTO_CANDIDATE")
    assert stage.run("auto", because="nobody has time").status == "success"
    assert stage.heal.learning.maturity(WF).auto_candidate_runs == 0


def test_the_stricter_of_supervisor_and_table_wins(stage: Stage) -> None:
    """L4-12, AH-2"""
    grown(stage, AUTO_CONFIRMED)
    stage.heal.manager.pause(WF, reason="inventory", who="anna")
    assert (stage.run("auto").status, stage.robot_acted) == ("blocked", False)
    stage.heal.manager.resume(WF, reason="done", who="anna")
    stage.heal.learning.withdraw(WF, who="anna", reason="audit")
    assert (stage.run("auto").status, stage.robot_acted) == ("blocked", False)


def test_a_success_while_degraded_proves_nothing(stage: Stage) -> None:
    """L4-11, AH-7.4"""
    grown(stage, AUTO_CONFIRMED)
    stage.heal.manager.force_transition(WF, ExecutionState.DEGRADED, "a test", who="anna")
    assert stage.run("auto").status == "success"
    known = stage.heal.learning.maturity(WF)
    assert (known.auto_confirmed_runs, known.unverified_runs) == (0, 1)


def edited(stage: Stage, **changes: Any) -> Workflow:
    workflow = stage.office.data.workflows.load(WF).model_copy(update=changes)
    stage.office.data.workflows.save(workflow)
    return workflow


def test_what_began_in_the_middle_proves_nothing_of_the_rest(stage: Stage) -> None:
    """L4-11: ten last clicks are not ten runs"""
    learning = grown(stage, "COACHING").heal.learning
    report = stage.run("assist", shown="new_thanks", on_begin=stage.by_hand)
    assert (report.status, len(report.steps)) == ("success", 1)
    assert learning.maturity(WF).assist_runs == 0
    assert stage.run("assist", shown="form", on_begin=stage.by_hand).status == "success"
    assert learning.maturity(WF).assist_runs == 1


def test_the_last_steps_of_one_screen_are_not_the_whole_of_it(stage: Stage) -> None:
    """L4-11: the first screen is shown, and its first step was done before"""
    workflow = grown(stage, "AUTO_CANDIDATE").office.data.workflows.load(WF)
    assert workflow.edges[1].from_node in workflow.entry_nodes
    desktop = stage.office.desktop()
    desktop.show("new_typed")
    tools = supervised(stage.office, stage.heal, desktop, ids=stage.ids, maturity=stage.heal.learning)
    request = RunRequest(workflow, {"nom": NEW}, "auto", first_step="E2", screen_timeout_s=1.0)
    report = run_workflow(request, tools, RunHooks(person=Colleague()))[0]
    assert (report.status, [step.edge_id for step in report.steps]) == ("success", ["E2", "E3"])
    known = stage.heal.learning.maturity(WF)
    assert (known.auto_candidate_runs, known.unverified_runs) == (0, 1)


@pytest.mark.parametrize("level", ["AUTO_CANDIDATE", AUTO_CONFIRMED])
def test_what_is_taken_back_during_a_run_ends_it_before_its_next_step(stage: Stage, level: LearningStateName) -> None:
    """L4-12: a list of a thousand rows takes hours"""
    learning, done = grown(stage, level).heal.learning, list[str]()

    def after_step(step: ExecutedStep) -> None:
        done.append(step.edge.edge_id)
        if len(done) == 1:
            learning.withdraw(WF, who="anna", reason="it types the wrong name")

    report = stage.run("auto", Colleague(), on_step=after_step)
    assert (report.status, done, learning.maturity(WF).unverified_runs) == ("blocked", ["E1"], 1)
    assert report.reason == f"the workflow lost its level while it ran: it was at {level} and is at COACHING"
    assert stage.audited("step_blocked")[-1]["reason"] == report.reason
    done[1:] = ["E1"]
    assert stage.run("auto", because="I look at it", on_step=after_step).status == "success"


def test_a_restored_version_that_does_something_else_is_not_gone_on_with(stage: Stage) -> None:
    """L4-11, L4-12: what was earned was earned by other deeds"""
    workflow = at_exactly(grown(stage, AUTO_CONFIRMED).office.data.workflows.load(WF), AUTO_CONFIRMED)
    other = workflow.model_copy(update={"edges": (*workflow.edges[:2], with_label(workflow.edges[2], "Tout effacer"))})
    request = RunRequest(workflow, {"nom": NEW}, "auto")
    given = licence_of(request, stage.heal.learning.maturity(WF))
    assert may_go_on_alone(request, workflow.model_copy(update={"version": 1}), given)
    assert not may_go_on_alone(request, other, given)


def test_who_still_knows_it_as_it_was_is_trusted_with_nothing_and_costs_it_nothing(stage: Stage) -> None:
    """L4-11, L4-12: somebody observes since the morning, and it was changed at noon"""
    morning = stage.office.data.workflows.load(WF)
    noon = edited(stage, safety_rules=SafetyRules(forbidden_text_clicks=("Supprimer",)))
    learning, data = grown(stage, AUTO_CONFIRMED).heal.learning, stage.office.data
    assert as_trusted_now(morning, data, learning).learning_state == "OBSERVATION"
    assert stage.level == AUTO_CONFIRMED
    assert as_trusted_now(noon, data, learning).learning_state == AUTO_CONFIRMED
    gone = morning.model_copy(update={"workflow_id": "WF_gone"})
    assert as_trusted_now(gone, data, learning).learning_state == "OBSERVATION"


def test_a_workflow_may_ask_to_be_supervised_for_good(stage: Stage) -> None:
    """L4-12: its own policy narrows the table"""
    calm = PolicyCell(
        allowed_actions=("observe", "auto_execute_supervised"), user_interaction="step_by_step_confirmation"
    )
    edited(stage, execution_policy=ExecutionPolicy(shadow_mode=calm, auto_mode={AUTO_CONFIRMED: calm}))
    person = Colleague()
    assert grown(stage, AUTO_CONFIRMED).run("auto", person).status == "success"
    assert len(person.asked) == STEPS
    assert stage.run("auto").status == "blocked"
    assert stage.run("auto", because="in a hurry").status == "blocked", "an authorisation does not lift it"


def test_steps_that_need_consent_ask_each_time_or_once_and_for_all(stage: Stage) -> None:
    """L4-13: consented to in the approval, otherwise each asks"""
    edited(stage, safety_rules=SafetyRules(require_confirmation_for=("Enregistrer",)))
    person = Colleague()
    assert grown(stage, AUTO_CONFIRMED).run("auto").status == "blocked"
    assert stage.run("auto", person).status == "success"
    assert [question.step_id for question in person.asked] == ["E2"]
    stage.heal.learning.withdraw(WF, who="anna", reason="once more")
    assert stage.level == "COACHING"
    for number in range(10):
        stage.heal.learning.count(WF, counted("assisted", f"a{number}"))
    for number in range(20):
        stage.heal.learning.count(WF, counted("supervised", f"s{number}"))
    stage.heal.learning.approve(WF, who="anna", reason="known", consented_steps=("E2",))
    assert stage.run("auto").status == "success"


def counted(way: Any, source: str) -> CountedRun:
    return CountedRun(way=way, source=source, confidence=0.99)


def test_what_a_workflow_claims_is_not_believed(stage: Stage) -> None:
    """L4-12: the document only says what was earned"""
    workflow = stage.office.data.workflows.load(WF)
    learning = workflow.learning.model_copy(update={"state": AUTO_CONFIRMED})
    edited(stage, learning_state=AUTO_CONFIRMED, learning=learning)
    assert (stage.run("auto").status, stage.robot_acted) == ("blocked", False)


def test_the_document_says_what_was_earned(stage: Stage) -> None:
    """L4-11"""
    grown(stage, "AUTO_CANDIDATE")
    document = stage.office.data.workflows.load(WF)
    assert (document.learning_state, document.stats.observed_runs) == ("AUTO_CANDIDATE", 5)
    assert document.learning.progression is not None
    assert document.learning.progression.next_phase == AUTO_CONFIRMED


def test_another_task_under_the_same_name_starts_from_coaching(stage: Stage) -> None:
    """L4-11"""
    grown(stage, AUTO_CONFIRMED)
    edge = stage.office.data.workflows.load(WF).edges[1]
    spoil(stage.office, stage.heal, {1: with_label(edge, "Supprimer tout")})
    assert (stage.run("auto").status, stage.robot_acted, stage.level) == ("blocked", False, "COACHING")


def test_what_it_was_learned_from_counts_as_observed_once(office: Office, heal: AutoHeal, learned: LearnResult) -> None:
    """L4-11"""
    assert len(learned.goes) == 3
    assert all(go.similarity > 0.9 for go in learned.goes)
    for _ in range(2):
        known = count_shown(heal.learning, heal.versions, learned)
        assert (known.state, known.observed_runs) == ("OBSERVATION", 3)
    assert known.avg_similarity is not None
