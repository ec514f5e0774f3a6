"""Mode × maturity on a real desktop: each of the twelve cells drives a run of a learned workflow, and nothing acts in a
cell that forbids it.

The clinic is opened and the workflow learned once. Each level is earned in a data directory of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from clinic_office import Office, Robot, open_office, robot_on

from rpa_vision.app import wiring
from rpa_vision.app.run import RunHooks, RunRequest, run_workflow
from rpa_vision.models.execution import RunMode, RunReport
from rpa_vision.models.guidance import Answer
from rpa_vision.models.workflow_standing import AUTO_CONFIRMED, LEARNING_STATES, LearningStateName
from rpa_vision.ports.person import StepQuestion
from rpa_vision.testing.maturity import grow

pytestmark = pytest.mark.soak

STEPS = 6
KEYSYMS = {"ENTER": "Return"}


@dataclass(slots=True)
class Colleague:
    """Implements `ports.person.Person`: she is at the desk, lets the robot do it, and does what she is guided to."""

    office: Office
    robot: Robot
    number: str = ""
    offers: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    guided: list[str] = field(default_factory=list)
    hands_at_work: list[threading.Thread] = field(default_factory=list)

    def takes_offer(self, workflow_name: str, offer: str) -> bool:
        self.offers.append(offer)
        return True

    def answers(self, question: StepQuestion) -> Answer:
        self.asked.append(question.step_id)
        return "do_it"

    def follow(self, question: StepQuestion) -> None:
        """Do with her own hands what the robot points at, while it watches."""
        self.guided.append(question.step_id)
        self.hands_at_work.append(threading.Thread(target=self._do, args=(question,)))
        self.hands_at_work[-1].start()

    def _do(self, question: StepQuestion) -> None:
        edge = self.robot.data.workflows.load(self.office.workflow_id).get_edge(question.step_id)
        assert edge is not None
        assert edge.action is not None
        hands = self.office.colleague.hands
        hands.think(0.3)
        if question.target is not None:
            hands.click(question.target.center, goal_size_px=question.target.height)
        if edge.action.type == "text_input":
            hands.press("a", "Control_L")
            hands.type(self.number)
        elif edge.action.type == "key_press":
            hands.press(*(KEYSYMS.get(key, key) for key in edge.action.keys or ()))


@dataclass(frozen=True, slots=True)
class Cell:
    """What came of a run in one cell."""

    report: RunReport
    colleague: Colleague
    validated: bool
    robot: Robot


@dataclass(slots=True)
class Cells:
    """The desktop, and a robot for each level."""

    office: Office
    folder: Path
    stack: ExitStack
    robots: dict[LearningStateName, Robot] = field(default_factory=dict)

    def run(self, mode: RunMode, level: LearningStateName, *, person: bool = True) -> Cell:
        robot = self._robot(level)
        document = robot.data.workflows.load(self.office.workflow_id)
        colleague = Colleague(self.office, robot, self.office.waiting[-1])
        desktop = wiring.desktop(self.office.env["DISPLAY"])
        try:
            tools = wiring.run_tools(robot.data, desktop, document, robot.heal, self.office.observer)
            request = RunRequest(document, {self.office.variable: colleague.number}, mode)
            hooks = RunHooks(person=colleague if person else None, on_guided=colleague.follow)
            report, _ = run_workflow(request, tools, hooks)
        finally:
            for hand in colleague.hands_at_work:
                hand.join()
            desktop.close()
        validated = colleague.number in self.office.validated()
        if validated:
            self.office.waiting.pop()
        return Cell(report, colleague, validated, robot)

    def _robot(self, level: LearningStateName) -> Robot:
        if level not in self.robots:
            root = self.office.copy_of_learned(self.folder / f"level_{LEARNING_STATES.index(level)}")
            robot = self.stack.enter_context(robot_on(self.office, root))
            grow(robot.heal.learning, robot.data.workflows.load(self.office.workflow_id), level)
            self.robots[level] = robot
        return self.robots[level]


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cells]:
    folder = tmp_path_factory.mktemp("cells")
    with open_office(folder / "office") as office, ExitStack() as stack:
        yield Cells(office, folder, stack)


@pytest.mark.parametrize("level", LEARNING_STATES)
def test_shadow_only_watches(cells: Cells, level: LearningStateName) -> None:
    """L4-12: shadow × every level"""
    seen = cells.run("shadow", level)
    assert (seen.report.status, seen.report.input_sent, seen.validated) == ("blocked", False, False)
    assert (seen.colleague.offers, seen.colleague.guided) == ([], [])


@pytest.mark.parametrize("level", ["OBSERVATION", "COACHING"])
def test_a_young_workflow_does_not_run_alone(cells: Cells, level: LearningStateName) -> None:
    """L4-12: auto × OBSERVATION, auto × COACHING"""
    seen = cells.run("auto", level)
    assert (seen.report.status, seen.report.input_sent, seen.validated) == ("blocked", False, False)
    assert seen.report.reason.startswith("insufficient_maturity")


@pytest.mark.parametrize("level", ["OBSERVATION", "COACHING"])
def test_a_young_workflow_is_done_by_the_person_it_guides(cells: Cells, level: LearningStateName) -> None:
    """L4-12, UX-5: assist × OBSERVATION, assist × COACHING; the robot sends nothing"""
    seen = cells.run("assist", level)
    assert (seen.report.status, seen.validated) == ("success", True), seen.report.reason
    assert not seen.report.input_sent
    assert (len(seen.colleague.guided), seen.colleague.offers) == (STEPS, [])
    known = seen.robot.heal.learning.maturity(cells.office.workflow_id)
    assert known.assist_runs == (1 if level == "COACHING" else 0)


def test_a_candidate_does_it_and_asks_before_each_step(cells: Cells) -> None:
    """L4-12: auto × AUTO_CANDIDATE"""
    alone = cells.run("auto", "AUTO_CANDIDATE", person=False)
    assert (alone.report.status, alone.report.input_sent) == ("blocked", False)
    seen = cells.run("auto", "AUTO_CANDIDATE")
    assert (seen.report.status, seen.report.input_sent, seen.validated) == ("success", True, True), seen.report.reason
    assert (len(seen.colleague.asked), seen.colleague.offers) == (STEPS, [])
    assert seen.robot.heal.learning.maturity(cells.office.workflow_id).auto_candidate_runs == 1


def test_a_candidate_is_offered_to_the_person(cells: Cells) -> None:
    """L4-12: assist × AUTO_CANDIDATE"""
    seen = cells.run("assist", "AUTO_CANDIDATE")
    assert (seen.report.status, seen.report.input_sent, seen.validated) == ("success", True, True), seen.report.reason
    assert (len(seen.colleague.offers), len(seen.colleague.asked)) == (1, STEPS)


def test_a_grown_workflow_runs_alone(cells: Cells) -> None:
    """L4-12: auto × AUTO_CONFIRMÉ"""
    seen = cells.run("auto", AUTO_CONFIRMED, person=False)
    assert (seen.report.status, seen.report.input_sent, seen.validated) == ("success", True, True), seen.report.reason
    assert seen.robot.heal.learning.maturity(cells.office.workflow_id).auto_confirmed_runs == 1


def test_a_grown_workflow_is_at_hand_in_assist_mode(cells: Cells) -> None:
    """L4-12: assist × AUTO_CONFIRMÉ"""
    seen = cells.run("assist", AUTO_CONFIRMED)
    assert (seen.report.status, seen.report.input_sent, seen.validated) == ("success", True, True), seen.report.reason
    assert (len(seen.colleague.offers), seen.colleague.asked) == (1, [])
