"""A run: each step asked for, done, verified and told; it stops at the first that is not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from run_by_hand import DONE, PAGE, VALIDATE, Overseer, Robot, click, edge, noting

from rpa_vision.execution.execution_loop import in_order
from rpa_vision.models.execution import ExecutionStatus, FailureKind
from rpa_vision.models.geometry import Box
from rpa_vision.models.workflow_graph import EdgeConstraints, SafetyRules, WorkflowEdge
from rpa_vision.testing.screens import AnyItem, ScreenBook, moved
from rpa_vision.testing.scripted_desktop import Script, on_click
from rpa_vision.testing.supervisors import NORMAL_TERMS

BACK = Box(300, 400, 400, 430)
SCRIPT: Script = [on_click("page", Box(*VALIDATE), to="done"), on_click("done", BACK, to="page")]


def there_and_back() -> list[WorkflowEdge]:
    return [
        edge(edge_id="E1"),
        edge(click("Retour", kind="link"), edge_id="E2", start="done", end="page", expects="page"),
    ]


def test_all_steps_are_done_in_order(book: ScreenBook) -> None:
    """EX-1"""
    robot = Robot(book, script=SCRIPT, edges=there_and_back())
    run = robot.loop(Overseer()).run({})
    assert (run.status, run.reason) == ("success", "")
    assert [(step.edge.edge_id, step.outcome.verified) for step in run.steps] == [("E1", True), ("E2", True)]
    assert [deed.at for deed in robot.desktop.deeds] == [Box(*VALIDATE).center, BACK.center]
    assert all(step.outcome.timing_ms["locate"] >= 0 and step.duration_ms > 0 for step in run.steps)


def test_the_supervisor_is_asked_before_and_told_after_each_step(book: ScreenBook) -> None:
    """AH-7.5"""
    diary: list[str] = []

    def script(screen: str, deed: object) -> str | None:
        diary.append("input")
        return "done" if screen == "page" else "page"

    robot = Robot(book, script=script, edges=there_and_back())
    overseer = Overseer(diary)
    robot.loop(overseer, before_step=noting(diary, "begins"), on_step=noting(diary, "ended")).run({})
    one = ["asked WF_by_hand {0}", "begins {0}", "input", "told WF_by_hand {0} success", "ended {0}"]
    assert diary == [line.format(step) for step in ("E1", "E2") for line in one]
    first = overseer.told[0]
    assert first.success
    assert first.confidence is not None
    assert first.confidence >= 0.72
    assert first.margin is not None
    assert first.execution_time_ms is not None


def test_what_the_supervisor_forbids_is_not_done(book: ScreenBook) -> None:
    """AH-7.5"""
    robot = Robot(book, script=SCRIPT, edges=there_and_back())
    overseer = Overseer(forbids=["E1"])
    run = robot.loop(overseer).run({})
    assert (run.status, run.reason, run.steps) == ("blocked", "quarantined", [])
    assert robot.sent == []
    assert overseer.diary == ["asked WF_by_hand E1"]


def test_a_step_forbidden_later_ends_the_run_there(book: ScreenBook) -> None:
    """AH-7.5"""
    robot = Robot(book, script=SCRIPT, edges=there_and_back())
    run = robot.loop(Overseer(forbids=["E2"])).run({})
    assert (run.status, len(run.steps), robot.sent) == ("blocked", 1, ["click"])


def test_the_run_stops_at_the_first_step_that_is_not_verified(book: ScreenBook) -> None:
    """EX-1: what was not proven is not followed by more input"""
    edges = there_and_back()
    edges[0] = edge(edge_id="E1", conditions=["text_appears:Autre chose"])
    robot = Robot(book, script=SCRIPT, edges=edges)
    overseer = Overseer()
    run = robot.loop(overseer).run({})
    assert run.status == "failed"
    assert run.reason.startswith("step 1 (E1): expected « Autre chose » to appear")
    assert robot.sent == ["click"]
    assert [result.failure_kind for result in overseer.told] == [FailureKind.POSTCONDITION_FAILED]
    assert "asked WF_by_hand E2" not in overseer.diary


def test_a_step_that_sent_nothing_halts_the_run(book: ScreenBook) -> None:
    """EX-1: halted before any harm, failed after input"""
    robot = Robot(book, edges=[edge(click("Introuvable"))])
    run = robot.loop(Overseer()).run({})
    assert (run.status, robot.sent) == ("halted", [])


def test_a_forbidden_target_blocks_the_run(book: ScreenBook) -> None:
    """L4-13"""
    robot = Robot(book, script=SCRIPT, rules=SafetyRules(forbidden_text_clicks=("Valider",)))
    overseer = Overseer()
    run = robot.loop(overseer).run({})
    assert (run.status, robot.sent) == ("blocked", [])
    assert overseer.told[0].status is ExecutionStatus.BLOCKED


def test_an_unknown_screen_is_waited_on_and_then_the_run_halts(book: ScreenBook) -> None:
    """L4-9"""
    book.draw("strange", [("heading", "title", "Session expirée", (200, 200, 600, 260))], title="Connexion")
    robot = Robot(book, start="strange")
    overseer = Overseer()
    began_s = robot.clock.monotonic()
    run = robot.loop(overseer).run({})
    assert (run.status, robot.sent) == ("halted", [])
    assert "the screen 'page' was expected; " in run.reason
    assert robot.clock.monotonic() - began_s >= 10.0
    assert overseer.told[0].failure_kind is FailureKind.LOW_CONFIDENCE


def test_another_known_screen_is_not_acted_on(book: ScreenBook) -> None:
    """EX-7"""
    book.draw("done", [*DONE, ("button", "validate", "Valider", (40, 500, 160, 540))], title="Liste")
    robot = Robot(book, start="done")
    run = robot.loop(Overseer()).run({})
    assert (run.status, robot.sent) == ("halted", [])
    assert "the screen 'page' was expected, but this is 'done'" in run.reason


def test_a_screen_that_comes_late_is_waited_for(book: ScreenBook) -> None:
    """EX-5"""
    book.draw("loading", [("label", "data_display", "Chargement", (400, 300, 560, 330))], title="…")
    robot = Robot(book, script=SCRIPT, start="loading")
    robot.clock.after(5.0, lambda: robot.desktop.show("page"))
    assert robot.loop(Overseer()).run({}).status == "success"


def test_a_person_can_stop_the_run_between_steps(book: ScreenBook) -> None:
    """UX-1"""
    robot = Robot(book, script=SCRIPT, edges=there_and_back())
    run = robot.loop(Overseer(), may_go_on=lambda: robot.desktop.screen == "page").run({})
    assert (run.status, run.reason, robot.sent) == ("halted", "stopped by a person", ["click"])


def test_a_person_can_stop_the_run_while_it_waits(book: ScreenBook) -> None:
    """UX-1"""
    book.draw("strange", [("heading", "title", "Session expirée", (200, 200, 600, 260))], title="Connexion")
    robot = Robot(book, start="strange")
    began_s = robot.clock.monotonic()
    run = robot.loop(Overseer(), may_go_on=lambda: robot.clock.monotonic() - began_s < 1.0).run({})
    assert (run.status, run.reason) == ("halted", "step 1 (E1): stopped before anything was sent")
    assert run.steps[0].outcome.failure_kind is None
    assert robot.clock.monotonic() - began_s < 3.0


def test_a_run_that_only_watches_sends_nothing(book: ScreenBook) -> None:
    """UX-5"""
    robot = Robot(book, script=SCRIPT, edges=there_and_back())
    robot.clock.after(1.0, lambda: robot.desktop.person.click(Box(*VALIDATE).center))
    robot.clock.after(6.0, lambda: robot.desktop.person.click(BACK.center))
    run = robot.loop(Overseer()).run({}, act=False)
    assert run.status == "success"
    assert robot.sent == []
    assert len(robot.desktop.persons_deeds) == 2


def test_a_person_who_was_to_act_can_stop_the_run_as_well(book: ScreenBook) -> None:
    """UX-1, UX-5"""
    robot = Robot(book, script=SCRIPT, edges=there_and_back())
    began_s = robot.clock.monotonic()
    loop = robot.loop(Overseer(), may_go_on=lambda: robot.clock.monotonic() - began_s < 5.0)
    run = loop.run({}, act=False, patience_s=180.0)
    assert (run.status, run.reason) == ("halted", "step 1 (E1): stopped by a person")
    assert run.steps[0].outcome.failure_kind is None
    assert robot.clock.monotonic() - began_s < 10.0


def hand_edited() -> list[tuple[list[WorkflowEdge], str]]:
    first, second = there_and_back()
    odd = click().target
    assert first.action is not None
    assert odd is not None
    narrowed = first.action.model_copy(update={"target": odd.model_copy(update={"hard_constraints": ("visible",)})})
    hurried = edge().model_copy(update={"constraints": EdgeConstraints(max_delay_seconds=3.0)})
    return [
        ([second.model_copy(update={"metadata": {"order": 0}}), second], "E2: does not begin where the step before"),
        ([first.model_copy(update={"action": None})], "E1: has no action"),
        ([first.model_copy(update={"action": narrowed})], "E1: hard_constraints cannot be honoured yet"),
        ([hurried], "E1: max_delay_seconds cannot be honoured yet"),
    ]


@pytest.mark.parametrize(("edges", "why"), hand_edited())
def test_what_a_workflow_asks_for_is_never_passed_over_in_silence(
    book: ScreenBook, edges: list[WorkflowEdge], why: str
) -> None:
    """EX-7: a workflow edited by hand"""
    named = [one.model_copy(update={"edge_id": f"E{n + 1}"}) for n, one in enumerate(edges)]
    robot = Robot(book, script=SCRIPT, edges=named, start=named[0].from_node)
    overseer = Overseer()
    run = robot.loop(overseer).run({})
    assert (run.status, run.steps, robot.sent, overseer.diary) == ("blocked", [], [], [])
    assert run.reason.startswith(why)


@pytest.mark.parametrize("with_order", [True, False])
def test_edges_are_taken_in_the_order_they_were_shown(book: ScreenBook, with_order: bool) -> None:
    """L4-1"""
    edges = [edge(edge_id=f"E{i}", metadata={"order": 9 - i} if with_order else {}) for i in range(3)]
    edges.append(edge(edge_id="fallback", trigger="unexpected_screen"))
    robot = Robot(book, edges=edges)
    expected = ["E2", "E1", "E0"] if with_order else ["E0", "E1", "E2"]
    assert [one.edge_id for one in in_order(robot.workflow)] == expected


def test_a_button_of_a_pop_up_that_covers_the_target_is_not_the_target(book: ScreenBook) -> None:
    """EX-7: it dims nothing, the page is recognised by the words it still shows, and the label fits"""
    items: list[AnyItem] = [
        *(item for item in moved(PAGE) if item.label != "Valider"),
        ("image", "x", "", (20, 250, 420, 420)),
        ("label", "data_display", "Supprimer définitivement ce dossier ?", (40, 260, 400, 290)),
        ("button", "validate", "Valider", (280, 360, 400, 400)),
    ]
    book.draw("pop_up", items, title="Facture")
    robot = Robot(book, start="pop_up")
    robot.loop(Overseer()).run({})
    assert robot.sent == []


def test_a_text_that_was_there_before_the_step_proves_nothing(book: ScreenBook) -> None:
    """L4-15, EX-7: the message of the last run is still on the screen"""
    stale: list[AnyItem] = [*PAGE, ("label", "data_display", "Facture validée", (560, 60, 760, 90))]
    book.draw("page", stale, title="Facture")
    robot = Robot(book, edges=[edge(end="page", expects="page", conditions=["text_appears:Facture validée"])])
    assert robot.loop(Overseer()).run({}).status != "success"


def test_the_page_is_recognised(book: ScreenBook) -> None:
    """L4-9: what these tests stand on"""
    robot = Robot(book)
    for name in ("page", "done"):
        match = robot.matcher.match(book[name])
        assert match is not None
        assert match.node.node_id == name
    assert PAGE != DONE


TWINS: list[AnyItem] = [*PAGE, ("button", "validate", "Valider", (400, 300, 520, 340))]


@pytest.mark.parametrize(("refused", "looks"), [(False, 3), (True, 1)])
def test_where_ambiguity_is_refused_nobody_waits_for_it_to_pass(book: ScreenBook, refused: bool, looks: int) -> None:
    """AH-3.5"""
    book.draw("page", TWINS, title="Facture")
    robot = Robot(book, script=SCRIPT, edges=[edge()])
    overseer = Overseer()
    overseer.terms = replace(NORMAL_TERMS, ambiguity_refused=refused)
    run = robot.loop(overseer).run({})
    assert run.status == "halted"
    assert "could be two things" in run.reason
    assert run.steps[0].outcome.healing_level == looks - 1
    assert robot.sent == []


def test_the_terms_of_a_step_hold_for_its_screen_too(book: ScreenBook) -> None:
    """AH-3.2: a screen that is clear enough for a running workflow may not be for a degraded one."""
    margins: list[float] = []
    robot = Robot(book, script=SCRIPT, edges=[edge()])
    hooks = {"on_match": lambda step, margin: margins.append(margin), "locate_timeout_s": 0.5}
    assert robot.loop(Overseer(), **hooks).run({}).status == "success"
    strict = Robot(book, script=SCRIPT, edges=[edge()])
    overseer = Overseer()
    overseer.terms = replace(NORMAL_TERMS, min_margin=margins[0] + 0.01)
    run = strict.loop(overseer, **hooks).run({})
    assert (run.status, strict.sent) == ("halted", [])
    assert overseer.told[0].failure_kind is FailureKind.LOW_CONFIDENCE
    assert margins[1] == margins[0]
    assert run.steps[0].permission is not None
    assert run.steps[0].permission.thresholds == run.steps[0].outcome.terms == overseer.terms


def test_a_screen_is_waited_for_as_long_as_was_said(book: ScreenBook) -> None:
    """EX-5"""
    robot = Robot(book, edges=[edge()], start="done")
    began = robot.clock.monotonic()
    assert robot.loop(Overseer(), locate_timeout_s=2.0).run({}).status == "halted"
    assert 2.0 <= robot.clock.monotonic() - began < 4.0


def test_a_run_whose_version_was_replaced_stops_before_its_next_step(book: ScreenBook) -> None:
    """AH-4.5"""
    robot = Robot(book, script=SCRIPT, edges=there_and_back())
    done: list[str] = []
    hooks = {"on_step": lambda step: done.append(step.edge.edge_id), "is_outdated": lambda: bool(done)}
    run = robot.loop(Overseer(), **hooks).run({})
    assert (run.status, run.reason) == ("halted", "version 1 of the workflow was rolled back")
    assert done == ["E1"]
