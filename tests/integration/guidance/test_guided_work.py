"""The whole of assist mode on a real X server: seen, recognised, shown, wanted, done.

The application shows pictures whose elements are known, so that nothing is read: what is tested is the way from a
person's hands to the robot's, and that no frame ever shows what we put on the screen (it would be unknown).
"""

from __future__ import annotations

import threading
from dataclasses import replace

import cv2
import numpy as np
from picture_desk import AGAIN, FIELD, NEW, SEND, Desk, NeverSecret, tools_of

from rpa_vision.adapters.desktop.x11.overlay import X11Overlay
from rpa_vision.adapters.runtime import RandomIds
from rpa_vision.app.guide import Guide, GuideTools, StepDone
from rpa_vision.app.guided_step import do_one_step
from rpa_vision.app.observe import Observer, ObserveTools
from rpa_vision.app.run import RunHooks, RunRequest, run_workflow
from rpa_vision.app.screen_person import ScreenPerson
from rpa_vision.app.wiring_guidance import beside, guided_on, known_workflows
from rpa_vision.execution.foreign_input import AttentionSettings
from rpa_vision.execution.guarded_desktop import InputGate
from rpa_vision.execution.modes import licence
from rpa_vision.execution.sight import Sight
from rpa_vision.learning.live_state import at_exactly
from rpa_vision.models.geometry import Box
from rpa_vision.models.guidance import GuidanceEvent
from rpa_vision.testing.stop_bench import person_stops


def test_the_next_step_is_shown_and_done_when_the_person_wants_it(desk: Desk, wait):
    """UX-5, L4-12, L4-13, L4-11: observe recognises, the overlay shows, « do it » does one step, safely."""
    workflow = at_exactly(desk.workflow, "AUTO_CANDIDATE")
    panes = X11Overlay(desk.place.display, lambda: desk.robot.eyes.info().monitors)
    matchers, left_out = known_workflows(desk.data, desk.book.observer)
    assert not left_out
    tools = ObserveTools(
        desk.robot,
        desk.book.observer,
        NeverSecret(),
        desk.clock,
        lambda known, step: matchers[known.workflow_id].locate(step.before),
    )
    seer = Observer([workflow], tools, desk.events.append)
    sight = Sight(desk.robot.eyes, desk.book.observer, desk.clock, RandomIds())
    run_tools = tools_of(desk)

    def do_step(known, edge, values) -> StepDone:
        return do_one_step(known, edge, values, run_tools)

    guide = Guide(
        GuideTools(
            overlay=panes,
            clock=desk.clock,
            licence=lambda known: licence("assist", known.learning_state, person_is_there=True),
            look=sight.look,
            find=lambda known, edge, screen, values: Box(*AGAIN),
            do_step=do_step,
            on_event=desk.events.append,
            helped=seer.helped,
            language="fr",
        )
    )
    seer.heed(guide.on_sighting, guide.is_ours)
    stop, ready = threading.Event(), threading.Event()
    watching = threading.Thread(target=lambda: seer.run(stop, ready.set), daemon=True)
    with guide, desk.robot.ears.listen(guide.hear):
        watching.start()
        wait.until(ready.is_set, what="the observer")
        desk.person.hands.click(Box(*FIELD).center)
        desk.person.hands.type_text(NEW)
        wait.until(lambda: desk.screen() == f"typed_{NEW}", what="the name")
        desk.person.hands.click(Box(*SEND).center)
        wait.until(lambda: desk.screen() == f"thanks_{NEW}", what="the thanks")

        suggested = _event(desk, "suggested", wait)
        assert (suggested.step, suggested.of, suggested.bbox) == (3, 3, AGAIN)
        assert desk.kinds[0] == "recognised"
        assert desk.screen() == f"thanks_{NEW}", "the overlay is in the frames"
        real = desk.real_screen()
        assert (real[AGAIN[1] - 5, AGAIN[0] + 20, :3] == (0, 120, 255)).all(), "the highlight is not on the screen"

        desk.person.hands.click(_button(desk))
        done = _event(desk, "step_done", wait, or_else="step_refused")
        assert done.kind == "step_done", done.text
        wait.until(lambda: desk.screen() == "form", what="the step's effect")
        _event(desk, "completed", wait)
        stop.set()
        watching.join(10.0)
    panes.close()
    assert not watching.is_alive()
    assert [event.answer for event in desk.events if event.kind == "answered"] == ["do_it"]
    assert (desk.real_screen()[:, :, :3] == desk.book.pixels["form"][:, :, :3]).all()


def test_the_stop_key_is_for_the_robot_first_and_for_the_observer_when_nobody_acts(desk: Desk, wait):
    """L4-12, L4-13: one press, however long it is held, ends what the robot does; another one ends `observe`."""
    acts, asked = threading.Event(), []

    def robot_acts() -> bool:
        asked.append(desk.clock.monotonic())
        return acts.is_set()

    tools = ObserveTools(
        desk.robot, desk.book.observer, NeverSecret(), desk.clock, lambda known, step: None, robot_acts=robot_acts
    )
    stop, ready = threading.Event(), threading.Event()
    watching = threading.Thread(target=lambda: Observer([], tools, desk.events.append).run(stop, ready.set))
    watching.start()
    wait.until(ready.is_set, what="the observer")
    acts.set()
    person_stops(desk.person)
    wait.until(lambda: asked, what="the key to be heard")
    acts.clear()
    person_stops(desk.person)
    heard = desk.clock.monotonic()
    watching.join(0.7)
    assert watching.is_alive(), "the press that was meant for the robot ended the observer"
    wait.until(lambda: desk.clock.monotonic() - heard > 2.0, what="the key to be let go")
    person_stops(desk.person)
    watching.join(10.0)
    assert not watching.is_alive()


def test_an_assisted_run_frames_each_target_and_steps_aside_when_she_acts(desk: Desk, wait):
    """UX-5, L4-12: `run --mode assist`; her three steps, each shown on the real screen and in no frame"""
    enough, framed, hands = threading.Event(), [], []
    edges = [edge.edge_id for edge in desk.workflow.edges]

    def do(step_id: str) -> None:
        spot = Box(*(FIELD, SEND, AGAIN)[edges.index(step_id)])
        orange = wait.until(lambda: _frame_around(desk, spot) or enough.is_set(), what="the frame")
        framed.append((step_id, orange, desk.screen()))
        desk.person.hands.click(spot.center)
        wait.until(lambda: not _frame_around(desk, spot), what="the frame gone")
        if step_id == edges[0]:
            desk.person.hands.type_text(NEW)

    with guided_on(desk.robot, "COACHING", enough.set) as guide:
        assert guide is not None

        def follow(question) -> None:
            guide.guide(question)
            hands.append(threading.Thread(target=do, args=(question.step_id,), daemon=True))
            hands[-1].start()

        request = RunRequest(desk.workflow, {"nom": NEW}, "assist")
        report, _ = run_workflow(request, tools_of(desk), RunHooks(on_guided=follow, on_step=lambda step: guide.over()))
    for hand in hands:
        hand.join(10.0)
    assert (report.status, report.input_sent) == ("success", False), report.reason
    assert [(name, screen) for name, _, screen in framed] == list(
        zip(edges, ("form", f"typed_{NEW}", f"thanks_{NEW}"), strict=True)
    )
    assert (desk.real_screen()[:, :, :3] == desk.book.pixels["form"][:, :, :3]).all()


def test_a_persons_mouse_pauses_a_run_and_the_run_goes_on_when_she_has_let_go(desk: Desk, wait):
    """L4-12: nothing is sent while she uses the mouse, and every step is still verified."""
    gate = InputGate()

    def on_begin(edge, sentence) -> None:
        if edge.edge_id == desk.workflow.edges[1].edge_id:
            desk.person.hands.move((700, 600))
            wait.until(lambda: gate.refusal() is not None, what="the pause")

    request = RunRequest(desk.workflow, {"nom": NEW}, "auto", "a test")
    report, _ = run_workflow(request, tools_of(desk), RunHooks(on_begin=on_begin), gate)
    assert (report.status, report.reason) == ("success", "all 3 steps verified")
    assert gate.traffic[0] == 1
    assert desk.screen() == "form"


def test_the_stop_key_ends_a_run_for_good(desk: Desk, wait):
    """L4-12"""
    gate = InputGate()

    def on_begin(edge, sentence) -> None:
        if edge.edge_id == desk.workflow.edges[1].edge_id:
            person_stops(desk.person)
            wait.until(lambda: not gate.is_open, what="the stop")

    request = RunRequest(desk.workflow, {"nom": NEW}, "auto", "a test")
    report, _ = run_workflow(request, tools_of(desk), RunHooks(on_begin=on_begin), gate)
    assert report.status == "halted"
    assert desk.screen() == f"typed_{NEW}"
    assert gate.refusal() == "stopped with CTRL+ALT+END"


def test_a_sign_is_on_the_screen_while_the_robot_acts_and_in_no_frame(desk: Desk, wait):
    """L4-12, UX-5"""
    seen = []

    def on_begin(edge, sentence) -> None:
        seen.append((desk.screen(), (desk.real_screen()[:40, :, :3] == (40, 40, 200)).all(axis=2).sum()))

    request = RunRequest(desk.workflow, {"nom": NEW}, "auto", "a test")
    report, _ = run_workflow(request, tools_of(desk), RunHooks(on_begin=on_begin))
    assert report.status == "success", report.reason
    assert [name for name, _ in seen] == ["form", f"typed_{NEW}", f"thanks_{NEW}"]
    assert all(red > 1000 for _, red in seen)
    assert desk.screen() == "form"
    assert (desk.real_screen()[:, :, :3] == desk.book.pixels["form"][:, :, :3]).all()


def test_a_supervised_run_asks_on_the_screen_before_each_step(desk: Desk, wait):
    """L4-12, UX-5: at AUTO_CANDIDATE every step is confirmed; the click on the bubble is no interruption."""
    panes = X11Overlay(desk.place.display, lambda: desk.robot.eyes.info().monitors)
    asked = ScreenPerson(panes, "fr", desk.clock, patience_s=20.0)
    workflow, gate, over = at_exactly(desk.workflow, "AUTO_CANDIDATE"), InputGate(), threading.Event()
    answered = []

    def agree() -> None:
        while not over.is_set():
            spot = _orange_spot(desk)
            if spot is not None and panes.holds(spot):
                desk.person.hands.click(spot)
                answered.append(spot)
                wait.until(lambda at=spot: over.is_set() or not panes.holds(at), what="the bubble gone")
            over.wait(0.02)

    tools = replace(tools_of(desk), beside=beside(desk.robot, AttentionSettings(quiet_s=0.5), asked))
    person = threading.Thread(target=agree, daemon=True)
    person.start()
    try:
        hooks = RunHooks(person=asked)
        report, _ = run_workflow(RunRequest(workflow, {"nom": NEW}, "auto"), tools, hooks, gate)
    finally:
        over.set()
        person.join(10.0)
        panes.close()
    assert (report.status, report.reason) == ("success", "all 3 steps verified")
    assert len(answered) == 3
    assert desk.screen() == "form"


def _frame_around(desk: Desk, target: Box) -> bool:
    """Whether a frame in our colour stands around the target on the real screen."""
    above = desk.real_screen()[max(0, target.y1 - 7) : target.y1, target.center[0], :3]
    return bool((above == (0, 120, 255)).all(axis=1).any())


def _event(desk: Desk, kind: str, wait, *, or_else: str = "") -> GuidanceEvent:
    return wait.until(
        lambda: next((event for event in desk.events if event.kind in (kind, or_else)), None),
        timeout_s=25.0,
        what=f"{kind}; so far {desk.kinds}",
    )


def _button(desk: Desk) -> tuple[int, int]:
    """Where the first button of the bubble is."""
    spot = _orange_spot(desk)
    assert spot is not None, "no orange button is shown"
    return spot


def _orange_spot(desk: Desk) -> tuple[int, int] | None:
    """The first button, found on the real screen by its colour, as a person does."""
    orange = (desk.real_screen()[:, :, :3] == (0, 120, 255)).all(axis=2).astype(np.uint8)
    rows, columns = np.nonzero(cv2.erode(orange, np.ones((7, 7), np.uint8)))
    return (int(columns[len(columns) // 2]), int(rows[len(rows) // 2])) if len(rows) else None
