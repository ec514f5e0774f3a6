"""A step that hangs gets no more hands and is reported. Real threads; nobody sleeps, facts are waited for."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.errors import InputNotDeliveredError, StorageError
from rpa_vision.execution.guarded_desktop import GuardedDesktop, GuardedHands, InputGate
from rpa_vision.execution.watchdog import Expiry, Watchdog, WatchedSupervisor
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus, FailureKind
from rpa_vision.models.geometry import Point
from rpa_vision.models.input import MouseButton
from rpa_vision.models.window import WindowContext
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.screens import ScreenBook
from rpa_vision.testing.scripted_desktop import ScriptedDesktop
from rpa_vision.testing.supervisors import OpenSupervisor

SOON_S = 20.0  # how long a fact may take to come true on a busy machine; nobody waits that long


def until_told(condition: threading.Condition, timeout_s: float | None) -> object:
    """A wait for clocks that are moved by hand: nothing passes by itself."""
    del timeout_s
    return condition.wait()


class Overseer(OpenSupervisor):
    """A supervisor that keeps what it is told."""

    def __init__(self, *, refuses: Sequence[str] = ()) -> None:
        super().__init__()
        self.told = threading.Event()
        self._refuses = refuses

    def should_execute_step(self, workflow_id: str, step_id: str) -> tuple[bool, str]:
        return step_id not in self._refuses, "quarantined" if step_id in self._refuses else "running"

    def on_step_result(self, workflow_id: str, step_id: str, result: ExecutionResult) -> None:
        self.results.append((step_id, result))
        self.told.set()


class StuckHands:
    """Hands whose click does not return until it is let go."""

    def __init__(self) -> None:
        self.clicking, self.let_go = threading.Event(), threading.Event()
        self.sent: list[str] = []

    def move(self, to: Point) -> None:
        self.sent.append("move")

    def click(self, at: Point, *, button: MouseButton = MouseButton.LEFT, count: int = 1) -> None:
        self.sent.append("click")
        self.clicking.set()
        assert self.let_go.wait(SOON_S)

    def drag(self, start: Point, end: Point, *, button: MouseButton = MouseButton.LEFT) -> None:
        self.sent.append("drag")

    def scroll(self, at: Point, *, right: int = 0, down: int = 0) -> None:
        self.sent.append("scroll")

    def type_text(self, text: str, *, is_secret: bool = False) -> None:
        self.sent.append("type_text")

    def press(self, keys: Sequence[str]) -> None:
        self.sent.append("press")


@contextmanager
def in_another_thread(work: object) -> Iterator[threading.Thread]:
    thread = threading.Thread(target=work)  # type: ignore[arg-type]
    thread.start()
    yield thread
    thread.join(SOON_S)
    assert not thread.is_alive()


def watched(overseer: Overseer, gate: InputGate, clock: ManualClock, **timeouts: float) -> WatchedSupervisor:
    return WatchedSupervisor(overseer, gate, clock, workflow_id="WF", wait=until_told, **timeouts)


SUCCESS = ExecutionResult(status=ExecutionStatus.SUCCESS)


def test_a_step_that_hangs_in_a_blocking_call_is_reported_while_it_hangs() -> None:
    """EX-10, AH-9.3"""
    clock, gate, overseer = ManualClock(), InputGate(), Overseer()
    begun, hung = threading.Event(), threading.Event()
    with watched(overseer, gate, clock, step_timeout_s=30.0) as supervisor:

        def step() -> None:
            assert supervisor.should_execute_step("WF", "E1") == (True, "running")
            begun.set()
            assert hung.wait(SOON_S)  # a call of the operating system that does not come back
            supervisor.on_step_result("WF", "E1", SUCCESS)

        with in_another_thread(step) as thread:
            assert begun.wait(SOON_S)
            clock.advance(30.0)
            supervisor.watchdog.poke()
            assert overseer.told.wait(SOON_S)
            assert thread.is_alive()
            [(step_id, result)] = overseer.results
            assert (step_id, result.failure_kind) == ("E1", FailureKind.WATCHDOG_TIMEOUT)
            assert result.status is ExecutionStatus.FAILED
            assert "30 s" in result.message
            assert not gate.is_open
            hung.set()
    assert len(overseer.results) == 1, "the late result of the step is not a second one"


def test_after_expiry_no_input_is_sent_and_the_one_under_way_is_told_of() -> None:
    """EX-10"""
    clock, gate, stuck = ManualClock(), InputGate(), StuckHands()
    hands, refused, expired = GuardedHands(stuck, gate), [], threading.Event()
    expiries: list[Expiry] = []

    def note(expiry: Expiry) -> None:
        expiries.append(expiry)
        expired.set()

    def step() -> None:
        hands.click((10, 10))
        for deed in (
            lambda: hands.click((1, 1)),
            lambda: hands.type_text("abc"),
            lambda: hands.press(("ENTER",)),
            lambda: hands.move((2, 2)),
            lambda: hands.drag((1, 1), (2, 2)),
            lambda: hands.scroll((1, 1), down=1),
        ):
            try:
                deed()
            except InputNotDeliveredError as error:
                refused.append(str(error))

    with Watchdog(gate, clock, workflow_id="WF", on_expired=note, step_timeout_s=5.0, wait=until_told) as dog:
        assert dog.begin_step("E1")
        with in_another_thread(step):
            assert stuck.clicking.wait(SOON_S)
            clock.advance(5.0)
            dog.poke()
            assert expired.wait(SOON_S)
            stuck.let_go.set()
        assert not dog.end_step()
    assert stuck.sent == ["click"]
    assert len(refused) == 6
    assert expiries == [Expiry("step", 5.0, "WF", "E1", input_under_way=True)]


def test_a_run_that_takes_too_long_ends_even_though_each_step_is_quick() -> None:
    """EX-10"""
    clock, gate, overseer = ManualClock(), InputGate(), Overseer()
    with watched(overseer, gate, clock, step_timeout_s=30.0, run_timeout_s=100.0) as supervisor:
        for _ in range(3):
            assert supervisor.should_execute_step("WF", "E1")[0]
            clock.advance(20.0)
            supervisor.on_step_result("WF", "E1", SUCCESS)
        assert supervisor.should_execute_step("WF", "E2")[0]
        clock.advance(25.0)
        supervisor.watchdog.poke()
        assert gate.is_open
        overseer.told.clear()
        clock.advance(15.0)
        supervisor.watchdog.poke()
        assert overseer.told.wait(SOON_S)
        assert not gate.is_open
    assert [result.status for _, result in overseer.results] == [ExecutionStatus.SUCCESS] * 3 + [ExecutionStatus.FAILED]
    assert overseer.results[-1][1].failure_kind is FailureKind.WATCHDOG_TIMEOUT


def test_a_run_that_expires_between_steps_blocks_the_next_one() -> None:
    """EX-10"""
    clock, gate, overseer = ManualClock(), InputGate(), Overseer()
    with watched(overseer, gate, clock, run_timeout_s=100.0) as supervisor:
        clock.advance(100.0)
        assert not supervisor.should_execute_step("WF", "E1")[0]
    assert overseer.results == []


def test_a_step_in_time_is_reported_as_it_was_and_the_hands_stay_free() -> None:
    """EX-10"""
    clock, gate, overseer = ManualClock(), InputGate(), Overseer()
    with watched(overseer, gate, clock, step_timeout_s=30.0) as supervisor:
        for step_id in ("E1", "E2"):
            assert supervisor.should_execute_step("WF", step_id)[0]
            clock.advance(29.0)
            supervisor.watchdog.poke()
            supervisor.on_step_result("WF", step_id, SUCCESS)
    assert overseer.results == [("E1", SUCCESS), ("E2", SUCCESS)]
    assert gate.is_open


def test_a_step_the_supervisor_refuses_has_no_time_to_run_out() -> None:
    """EX-10"""
    clock, gate, overseer = ManualClock(), InputGate(), Overseer(refuses=["E1"])
    with watched(overseer, gate, clock, step_timeout_s=1.0) as supervisor:
        assert supervisor.should_execute_step("WF", "E1") == (False, "quarantined")
        clock.advance(50.0)
        supervisor.watchdog.poke()
    assert overseer.results == []


def test_one_thread_while_it_watches_and_none_afterwards() -> None:
    """EX-10"""
    clock, gate = ManualClock(), InputGate()
    before = set(threading.enumerate())
    for index in range(20):
        with Watchdog(gate, clock, workflow_id=f"WF{index}", on_expired=lambda expiry: None, wait=until_told) as dog:
            for step in range(5):
                dog.begin_step(f"E{step}")
                dog.end_step()
            assert len(set(threading.enumerate()) - before) == 1
    assert set(threading.enumerate()) - before == set()


def test_with_the_systems_clock_it_wakes_up_by_itself() -> None:
    """EX-10"""
    gate, expired = InputGate(), threading.Event()
    with Watchdog(
        gate, SystemClock(), workflow_id="WF", on_expired=lambda expiry: expired.set(), step_timeout_s=0.01
    ) as dog:
        dog.begin_step("E1")
        assert expired.wait(SOON_S)
    assert not gate.is_open


def test_trouble_with_telling_is_raised_where_the_run_ends_and_the_hands_stay_tied() -> None:
    """EX-10"""
    clock, gate, telling = ManualClock(), InputGate(), threading.Event()

    def fail(expiry: Expiry) -> None:
        telling.set()
        raise StorageError("the disk is full")

    def run() -> None:
        with Watchdog(gate, clock, workflow_id="WF", on_expired=fail, step_timeout_s=1.0, wait=until_told) as dog:
            dog.begin_step("E1")
            clock.advance(1.0)
            dog.poke()
            assert telling.wait(SOON_S)

    with pytest.raises(StorageError, match="disk"):
        run()
    assert not gate.is_open


def test_a_step_may_have_a_time_of_its_own() -> None:
    """EX-10"""
    clock, gate, expired = ManualClock(), InputGate(), threading.Event()
    with Watchdog(
        gate, clock, workflow_id="WF", on_expired=lambda expiry: expired.set(), step_timeout_s=10.0, wait=until_told
    ) as dog:
        dog.begin_step("E1", timeout_s=50.0)
        clock.advance(49.0)
        dog.poke()
        assert dog.end_step()
        dog.begin_step("E2", timeout_s=50.0)
        clock.advance(50.0)
        dog.poke()
        assert expired.wait(SOON_S)
        assert dog.expiry == Expiry("step", 50.0, "WF", "E2", input_under_way=False)
        assert not dog.begin_step("E3")


def test_a_guarded_desktop_guards_windows_and_clipboard_and_leaves_the_eyes_free() -> None:
    """EX-10"""
    book = ScreenBook()
    book.draw("page", [("button", "validate", "Valider", (40, 40, 140, 80))])
    window = WindowContext(title="Facture", app_name="app")
    plain = ScriptedDesktop(book.pixels, start="page", windows=[window])
    gate = InputGate()
    desktop = GuardedDesktop(plain, gate)
    desktop.hands.click((50, 50))
    desktop.clipboard.write("texte")
    assert desktop.windows.activate(app_name="app") is not None
    gate.close("enough")
    for deed in (
        lambda: desktop.hands.click((50, 50)),
        lambda: desktop.clipboard.write("autre"),
        lambda: desktop.windows.activate(app_name="app"),
    ):
        with pytest.raises(InputNotDeliveredError, match="enough"):
            deed()
    assert [deed.verb for deed in plain.deeds] == ["click"]
    assert desktop.clipboard.read() == "texte"
    assert desktop.windows.all() == [window]
    assert desktop.eyes.grab().width == 960
