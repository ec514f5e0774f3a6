"""What is handed in is written, in order, however slow the disk (L0-2)."""

from __future__ import annotations

import threading
from datetime import UTC, datetime

from capture_inputs import key, picture, seen

from rpa_vision.capture.gestures import GestureMachine
from rpa_vision.capture.metrics import CaptureMeter
from rpa_vision.capture.pairing import Aftermath, Paired
from rpa_vision.capture.session_log import Beginning, SessionLog
from rpa_vision.models.raw_session import CaptureMetrics, Event, RecordedSession, Screenshot


class SlowDisk:
    """A writer that waits until it is allowed to go on, and remembers the order."""

    path = "nowhere"

    def __init__(self) -> None:
        self.may_write = threading.Event()
        self.order: list[str] = []

    def add_screenshot(self, screenshot: Screenshot, png: bytes) -> None:
        self.may_write.wait(10)
        self.order.append(screenshot.screenshot_id)

    def add_event(self, event: Event) -> None:
        self.may_write.wait(10)
        self.order.append(f"{event.key} {event.screenshot_id} {event.screenshot_after_id}")

    def add_aftermath(self, event_number: int, screenshot_id: str) -> None:
        self.order.append(f"after {event_number}: {screenshot_id}")

    def end(self, ended_at: datetime, capture: CaptureMetrics) -> RecordedSession:
        raise AssertionError("ending is the recorder's duty")


def pressed(number: int, name: str, shade: int) -> Paired:
    (gesture,) = GestureMachine().feed(seen(key(1.0 + number, name)))
    return Paired(number, gesture, picture(shade, 0.9 + number), picture(shade + 1, 1.5 + number))


def opened(disk: SlowDisk, *, capacity: int = 16) -> SessionLog:
    beginning = Beginning(datetime(2026, 1, 1, tzinfo=UTC), 0.0)
    log = SessionLog(disk, beginning, CaptureMeter(), on_error=lambda: None, capacity=capacity)
    log.start()
    return log


def test_pictures_come_before_the_events_that_refer_to_them_and_only_once():
    """L0-2"""
    disk = SlowDisk()
    disk.may_write.set()
    log = opened(disk)
    for number, name in enumerate(["F1", "F2"]):
        log.write(pressed(number, name, 10 + number))
    log.write(Aftermath(0, picture(99, 9.0)))
    log.close()
    assert disk.order == [
        "shot_0001", "shot_0002", "F1 shot_0001 shot_0002", "shot_0003", "F2 shot_0002 shot_0003", "shot_0004",
        "after 0: shot_0004",
    ]  # fmt: skip


def test_a_full_queue_makes_the_recorder_wait_and_drops_nothing():
    """L0-2"""
    disk = SlowDisk()
    log = opened(disk, capacity=2)
    handing_in = threading.Thread(target=lambda: [log.write(pressed(n, "ENTER", 20)) for n in range(12)])
    handing_in.start()
    handing_in.join(0.2)
    assert handing_in.is_alive()
    disk.may_write.set()
    handing_in.join(10)
    log.close()
    assert (log.events, log.screenshots, log.error) == (12, 2, None)
    assert log.times_full > 0
