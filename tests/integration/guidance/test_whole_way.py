"""The whole way of a workflow, on a real X server and by real runs: watched, guided, supervised, approved, and back."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import replace

import pytest
from picture_desk import AGAIN, FIELD, NEW, SEND, Desk, NeverSecret, tools_of

from rpa_vision.app import approve
from rpa_vision.app.observe import Observer, ObserveTools
from rpa_vision.app.run import RunHooks, RunRequest, RunTools, run_workflow
from rpa_vision.app.wiring_auto_heal import AutoHeal, auto_heal
from rpa_vision.app.wiring_guidance import beside, known_workflows
from rpa_vision.errors import NotEarnedError
from rpa_vision.execution.foreign_input import AttentionSettings
from rpa_vision.models.execution import RunMode, RunReport
from rpa_vision.models.geometry import Box
from rpa_vision.models.guidance import Answer
from rpa_vision.models.workflow_standing import AUTO_CONFIRMED
from rpa_vision.ports.person import StepQuestion
from rpa_vision.system.run_supervisor import RunSupervisor

pytestmark = [pytest.mark.soak, pytest.mark.timeout(900)]


class Colleague:
    """Implements `ports.person.Person`: agrees to each step, and counts them."""

    def __init__(self) -> None:
        self.asked = 0

    def takes_offer(self, workflow_name: str, offer: str) -> bool:
        return True

    def answers(self, question: StepQuestion) -> Answer:
        self.asked += 1
        return "do_it"


class Way:
    """One workflow from its first sight on, its runs and where it stands."""

    def __init__(self, desk: Desk, heal: AutoHeal, wait) -> None:
        self.desk, self.heal, self.wait = desk, heal, wait
        self.workflow_id = desk.workflow.workflow_id
        self.colleague = Colleague()

    @property
    def tools(self) -> RunTools:
        return replace(
            tools_of(self.desk),
            audit=self.heal.audit,
            supervisor=lambda run: RunSupervisor(self.heal.manager, run),
            maturity=self.heal.learning,
            on_anomaly=self.heal.pause_after_anomaly,
            beside=beside(self.desk.robot, AttentionSettings(quiet_s=0.5)),
        )

    @property
    def state(self) -> str:
        return self.heal.learning.maturity(self.workflow_id).state

    def run(self, mode: RunMode, *, person: bool = True, screen_timeout_s: float = 10.0) -> RunReport:
        document = self.desk.data.workflows.load(self.workflow_id)
        request = RunRequest(document, {"nom": NEW}, mode, screen_timeout_s=screen_timeout_s)
        hooks = RunHooks(person=self.colleague if person else None, on_guided=self.follow)
        report, _ = run_workflow(request, self.tools, hooks)
        return report

    def follow(self, question: StepQuestion) -> None:
        """She does what she is guided to, with her own hands, while the run watches."""
        threading.Thread(target=self.do, args=(question.step_id,), daemon=True).start()

    def by_hand(self, step_id: str) -> None:
        """Do a step and see what comes of it."""
        self.do(step_id)
        edges = [edge.edge_id for edge in self.desk.workflow.edges]
        shown = (f"typed_{NEW}", f"thanks_{NEW}", "form")[edges.index(step_id)]
        self.wait.until(lambda: self.desk.screen() == shown, what=shown)

    def do(self, step_id: str) -> None:
        hands = self.desk.person.hands
        first, second, third = (edge.edge_id for edge in self.desk.workflow.edges)
        if step_id == first:
            hands.click(Box(*FIELD).center)
            hands.type_text(NEW)
        else:
            assert step_id in (second, third)
            hands.click(Box(*(SEND if step_id == second else AGAIN)).center)

    @contextmanager
    def watched(self):
        """Somebody watches, and counts what is seen to its end."""
        matchers, _ = known_workflows(self.desk.data, self.desk.book.observer)
        tools = ObserveTools(
            self.desk.robot,
            self.desk.book.observer,
            NeverSecret(),
            self.desk.clock,
            lambda known, step: matchers[known.workflow_id].locate(step.before),
            counted=lambda known, similarity, source: self.heal.learning.observed(
                known.workflow_id, similarity, source, workflow=known
            ),
        )
        seer = Observer([self.desk.workflow], tools, self.desk.events.append)
        stop, ready = threading.Event(), threading.Event()
        watching = threading.Thread(target=lambda: seer.run(stop, ready.set), daemon=True)
        watching.start()
        self.wait.until(ready.is_set, what="the observer")
        yield
        stop.set()
        watching.join(20.0)
        assert not watching.is_alive()


def test_the_whole_way_up_by_real_runs_and_down_again(desk: Desk, wait) -> None:
    """L4-11, L4-12, P003-9, P003-10: 5 observed, 10 assisted, 20 supervised, approved, alone; two doubts: COACHING"""
    with auto_heal(desk.data, quiet=True) as heal:
        way = Way(desk, heal, wait)
        with way.watched():
            for number in range(1, 6):
                assert way.state == "OBSERVATION"
                for edge in desk.workflow.edges:
                    way.by_hand(edge.edge_id)
                known = wait.until(
                    lambda so_many=number: (
                        (now := heal.learning.maturity(way.workflow_id)).observed_runs == so_many and now
                    ),
                    timeout_s=60.0,
                    what=f"go {number} to be counted; {[(e.kind, e.text) for e in desk.events]}",
                )
        assert (way.state, known.avg_similarity >= 0.90) == ("COACHING", True)
        assert way.run("auto").status == "blocked"

        for number in range(10):
            assert (way.state, number) == ("COACHING", number)
            report = way.run("assist")
            assert (report.status, report.input_sent) == ("success", False), report.reason
        assert (way.state, way.colleague.asked) == ("AUTO_CANDIDATE", 0)

        for number in range(20):
            with pytest.raises(NotEarnedError):
                heal.learning.approve(way.workflow_id, who="anna", reason="in a hurry")
            report = way.run("auto")
            assert (report.status, number) == ("success", number), report.reason
        assert (way.state, way.colleague.asked) == ("AUTO_CANDIDATE", 60), "nobody but a person goes further"
        now = desk.data.workflows.load(way.workflow_id)
        seen = approve.evidence(heal, now)
        assert seen.lower_bound is not None
        assert seen.lower_bound == pytest.approx(0.839, abs=0.001)
        approve.approve(heal, way.workflow_id, seen.seen, who="anna", reason="twenty of twenty", acknowledge=False)
        assert way.state == AUTO_CONFIRMED

        assert way.run("auto", person=False).status == "success"
        assert (way.state, way.colleague.asked) == (AUTO_CONFIRMED, 60)

        # Somebody leaves the application elsewhere: it halts in doubt, and again.
        for edge in desk.workflow.edges[:2]:
            way.by_hand(edge.edge_id)
        halts = [(way.run("auto", person=False, screen_timeout_s=1.0).status, way.state) for _ in range(2)]
        assert halts == [("halted", AUTO_CONFIRMED), ("halted", "COACHING")]
        assert way.run("auto", person=False).status == "blocked"
        moves = [entry.record for entry in heal.audit.entries() if entry.kind == "maturity_changed"]
        assert [(one["from_state"], one["to_state"]) for one in moves] == [
            ("OBSERVATION", "COACHING"),
            ("COACHING", "AUTO_CANDIDATE"),
            ("AUTO_CANDIDATE", AUTO_CONFIRMED),
            (AUTO_CONFIRMED, "COACHING"),
        ]
        assert [one["who"] for one in moves] == ["learning", "learning", "anna", "learning"]
        assert moves[-1]["numbers"]["recent_confidence"] < 0.90
