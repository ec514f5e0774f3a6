"""Everybody who should know is told; whoever tells is never held up and never fails because of it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog

from rpa_vision.adapters.alerts import SqliteAlertStore
from rpa_vision.models.auto_heal import Alert, AlertKind
from rpa_vision.ports.alerts import AlertStore
from rpa_vision.ports.auto_heal import AlertSink
from rpa_vision.system.alerts import AlertHub, LogListener, RetrySettings
from rpa_vision.system.metrics import Metrics
from rpa_vision.testing.manual_clock import ManualClock

NewAlert = Callable[..., Alert]


class Receiver:
    """Takes alerts, after refusing as many as it was told to."""

    def __init__(self, name: str = "hook", *, refusing: int = 0) -> None:
        self.name = name
        self.refusing = refusing
        self.heard: list[str] = []
        self.tried = 0

    def deliver(self, alert: Alert) -> None:
        self.tried += 1
        if self.refusing > 0:
            self.refusing -= 1
            raise ConnectionError("nobody there")
        self.heard.append(alert.alert_id)


class FullDisk:
    """A store that cannot keep anything."""

    def __getattr__(self, _: str) -> Any:
        def refuse(*_: object, **__: object) -> Any:
            raise OSError("disk full")

        return refuse


def test_log_feed_and_webhook_all_hear_of_an_alert(
    store: SqliteAlertStore, clock: ManualClock, new_alert: NewAlert
) -> None:
    """AH-8.4"""
    hook, metrics = Receiver(), Metrics()
    with structlog.testing.capture_logs() as logs:
        hub = AlertHub(store, clock, quick=[LogListener(structlog.get_logger()), metrics], distant=[hook])
        sink: AlertSink = hub
        sink.raise_alert(new_alert())
        sink.raise_alert(new_alert(2, AlertKind.ROLLBACK))
        hub.work()
    assert hook.heard == ["alert_1", "alert_2"]
    assert [(entry["kind"], entry["log_level"]) for entry in logs] == [
        ("quarantine", "warning"),
        ("rollback", "warning"),
    ]
    assert [alert.alert_id for alert in store.recent()] == ["alert_2", "alert_1"]
    assert metrics.registry.get_sample_value("rpa_vision_alerts_total", {"kind": "quarantine"}) == 1
    assert store.undelivered() == []


def test_every_kind_of_alert_goes_the_same_way(
    store: SqliteAlertStore, clock: ManualClock, new_alert: NewAlert
) -> None:
    """AH-8.4: quarantine, rollback, global pause, policy error"""
    hook = Receiver()
    hub = AlertHub(store, clock, distant=[hook])
    for number, kind in enumerate(AlertKind):
        hub.raise_alert(new_alert(number, kind, None))
    hub.work()
    assert len(hook.heard) == len(AlertKind)
    assert [alert.kind for alert in store.recent(kind=AlertKind.POLICY_ERROR)] == [AlertKind.POLICY_ERROR]
    assert store.recent(workflow_id="wf_a") == []


def test_an_alert_that_is_refused_is_tried_again_with_growing_pauses(
    store: SqliteAlertStore, clock: ManualClock, new_alert: NewAlert
) -> None:
    hook = Receiver(refusing=4)
    hub = AlertHub(store, clock, distant=[hook], settings=RetrySettings(first_pause_s=1, longest_pause_s=5))
    hub.raise_alert(new_alert())
    pauses = []
    while not hook.heard:
        pause_s = hub.work()
        pauses.append(pause_s)
        assert hub.work() == pause_s  # nothing is tried before its time
        clock.advance(pause_s)
    assert pauses[:-1] == [1, 2, 4, 5]
    assert hook.tried == 5
    assert (hub.counts.failed, hub.counts.delivered) == (4, 1)


def test_what_was_not_delivered_is_delivered_by_the_next_process(
    path: Path, clock: ManualClock, new_alert: NewAlert
) -> None:
    """Undelivered alerts survive a restart."""
    store = SqliteAlertStore(path)
    hub = AlertHub(store, clock, distant=[Receiver(refusing=9), Receiver("other")])
    hub.raise_alert(new_alert())
    hub.work()
    (waiting,) = store.undelivered()
    assert (waiting.listener, waiting.attempts, waiting.last_error) == ("hook", 1, "nobody there")
    store.close()

    clock.advance(60)
    again, other = Receiver(), Receiver("other")
    AlertHub(SqliteAlertStore(path), clock, distant=[again, other]).work()
    assert (again.heard, other.heard) == (["alert_1"], [])


def test_what_is_queued_when_the_process_ends_is_kept(
    store: SqliteAlertStore, clock: ManualClock, new_alert: NewAlert
) -> None:
    hub = AlertHub(store, clock, distant=[Receiver(refusing=1)])
    hub.start()
    hub.raise_alert(new_alert())
    assert hub.close()
    assert not hub.is_running
    assert [delivery.alert.alert_id for delivery in store.undelivered()] == ["alert_1"]


def test_what_is_too_old_is_given_up_and_still_seen(
    store: SqliteAlertStore, clock: ManualClock, new_alert: NewAlert
) -> None:
    hook = Receiver(refusing=99)
    hub = AlertHub(store, clock, distant=[hook], settings=RetrySettings(give_up_after_s=3600, longest_pause_s=600))
    hub.raise_alert(new_alert())
    for _ in range(200):
        clock.advance(hub.work())
    (delivery,) = store.undelivered()
    assert delivery.given_up
    tried = hook.tried
    clock.advance(100_000)
    hub.work()
    assert hook.tried == tried
    assert hub.counts.given_up == 1


def test_a_failing_listener_takes_nobody_with_it(
    store: SqliteAlertStore, clock: ManualClock, new_alert: NewAlert
) -> None:
    broken, sound = Receiver("broken", refusing=99), Receiver("sound")
    hub = AlertHub(store, clock, quick=[broken, sound], distant=[Receiver("hook", refusing=99), Receiver("second")])
    hub.raise_alert(new_alert())
    hub.work()
    assert sound.heard == ["alert_1"]
    assert [delivery.listener for delivery in store.undelivered()] == ["hook"]


def test_a_full_disk_does_not_keep_alerts_quiet(clock: ManualClock, new_alert: NewAlert) -> None:
    quick, hook = Receiver("quick"), Receiver()
    store: AlertStore = FullDisk()
    hub = AlertHub(store, clock, quick=[quick], distant=[hook])
    hub.raise_alert(new_alert())
    assert hub.close()
    assert quick.heard == hook.heard == ["alert_1"]


def test_the_same_alert_is_told_once(store: SqliteAlertStore, clock: ManualClock, new_alert: NewAlert) -> None:
    hook, quick = Receiver(), Receiver("quick")
    hub = AlertHub(store, clock, quick=[quick], distant=[hook])
    for _ in range(3):
        hub.raise_alert(new_alert())
        hub.work()
    assert hook.heard == quick.heard == ["alert_1"]


def test_two_processes_do_not_send_the_same_alert(path: Path, clock: ManualClock, new_alert: NewAlert) -> None:
    """While one tries, the alert is not the other's; when it died trying, it is, later."""
    first, second = SqliteAlertStore(path), SqliteAlertStore(path)
    first.accept(new_alert(), ["hook"], now=clock.now())
    assert first.claim(["hook"], now=clock.now(), lease_s=60) is not None
    assert second.claim(["hook"], now=clock.now(), lease_s=60) is None
    later = second.claim(["hook"], now=clock.now() + timedelta(seconds=60), lease_s=60)
    assert later is not None
    assert later.alert.alert_id == "alert_1"


def test_the_feed_is_bounded_and_the_outbox_does_not_forget(
    store: SqliteAlertStore, clock: ManualClock, new_alert: NewAlert
) -> None:
    hub = AlertHub(store, clock, distant=[Receiver(refusing=99)])
    for number in range(20):
        hub.raise_alert(new_alert(number))
    hub.work()
    assert [alert.alert_id for alert in store.recent()] == [f"alert_{number}" for number in (19, 18, 17, 16, 15)]
    assert len(store.undelivered()) == 20


def test_nothing_is_made_before_the_first_alert(path: Path, store: SqliteAlertStore, clock: ManualClock) -> None:
    AlertHub(store, clock, distant=[Receiver()]).work()
    assert store.recent() == store.undelivered() == []
    assert not path.parent.exists()


class Stuck:
    """A receiver that takes as long as it is told to."""

    name = "stuck"

    def __init__(self) -> None:
        self.begun, self.go_on = threading.Event(), threading.Event()

    def deliver(self, alert: Alert) -> None:
        self.begun.set()
        self.go_on.wait(60)


def test_a_slow_receiver_never_holds_up_whoever_raises(
    store: SqliteAlertStore, clock: ManualClock, new_alert: NewAlert, wait: Any
) -> None:
    """AH-8.4: what does not fit into the queue is counted, everything else arrives"""
    stuck = Stuck()
    hub = AlertHub(store, clock, distant=[stuck], queue_size=3)
    hub.start()
    hub.raise_alert(new_alert(0))
    assert stuck.begun.wait(10)
    for number in range(1, 6):
        hub.raise_alert(new_alert(number))
    assert (hub.counts.raised, hub.counts.dropped) == (4, 2)
    stuck.go_on.set()
    wait.until(lambda: hub.counts.delivered == 4)
    assert hub.close()


def test_a_receiver_that_hangs_does_not_keep_the_process_from_ending(
    store: SqliteAlertStore, clock: ManualClock, new_alert: NewAlert
) -> None:
    stuck = Stuck()
    hub = AlertHub(store, clock, distant=[stuck])
    hub.start()
    hub.raise_alert(new_alert())
    assert stuck.begun.wait(10)
    assert not hub.close(timeout_s=0.01)
    assert len(store.undelivered()) == 1
    stuck.go_on.set()


@pytest.mark.parametrize("attempts", [1, 5, 1000, 10**9])
def test_pauses_stay_within_their_bounds(attempts: int) -> None:
    settings = RetrySettings()
    assert settings.first_pause_s <= settings.pause_s(attempts) <= settings.longest_pause_s
