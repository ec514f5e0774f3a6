"""The kill switch of the API: whatever goes on ends, and nothing begins until a person releases it."""

from __future__ import annotations

import asyncio
import threading
from datetime import timedelta

import pytest
from nicegui import run
from served import DISPLAY, Served

from rpa_vision.adapters.storage.running_runs import FileRunningRuns
from rpa_vision.models.queue import NewItem, RunAsked, Worker
from rpa_vision.server.own_thread import in_own_thread


def test_an_operator_stops_everything_at_once(api: Served) -> None:
    """L4-13, UX-3: runs of the queue, also one that was just taken, and runs of a terminal."""
    office, now = api.office, api.office.clock.now()
    me = Worker(DISPLAY, "worker_1", now, now + timedelta(seconds=60))
    office.queue.add(
        [NewItem(name, RunAsked(workflow_id="WF_factures"), DISPLAY, 5, "me") for name in ("run_q1", "run_q2")], now=now
    )
    office.queue.arrive(me)
    office.queue.claim(me, now=now, held_workflows=(), held_batches=())
    terminal = FileRunningRuns(office.data.files, "another machine", ":3")
    terminal.begin("run_t1", "WF_factures", now)
    try:
        answer = api.client.post("/api/v1/stop", headers=api.as_("operator"), json={"reason": "smoke"})
        assert answer.status_code == 200, answer.text
        told = answer.json()
        assert sorted(told["asked"]) == sorted(told["still_going"]) == ["run_q1", "run_t1"]
        assert told["held"] == [DISPLAY, ":3"]
        assert office.queue.wanted("run_q1", "worker_1") == "stop"
        assert terminal.stop_for("run_t1", now) is not None
        assert office.queue.claim(me, now=now, held_workflows=(), held_batches=()) is None
        (line,) = [one.record for one in office.trail.entries() if one.kind == "stop_requested"]
        assert (line["runs"], line["who"], line["reason"]) == (None, "operator one", "smoke")
        seen = api.client.get("/api/v1/queue", headers=api.as_("viewer")).json()["held_displays"]
        assert {one["display"] for one in seen} == {DISPLAY, ":3"}
    finally:
        terminal.end("run_t1")
        for display in (DISPLAY, ":3"):
            office.queue.release_display(display, now=now, who="test")


def test_a_stop_without_a_body_is_one_too(api: Served) -> None:
    """L4-13: nobody has time to write one."""
    answer = api.client.post("/api/v1/stop", headers=api.as_("operator"))
    assert answer.status_code == 200, answer.text
    assert api.client.post("/api/v1/stop", headers=api.as_("viewer")).status_code == 403
    api.office.queue.release_display(DISPLAY, now=api.office.clock.now(), who="test")


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        (b'{"reason": "' + b"x" * 501 + b'"}', "x" * 500),
        (b'{"reason": "fire", "why": 1}', "fire"),
        (b'{"reason": "\\ud800"}', "?"),
        (b"{reason: fire}", ""),
        (b"\xff\x00", ""),
        (b'{"reason": null}', ""),
        (b"[" * 100_000, ""),
    ],
)
def test_a_stop_is_one_whatever_is_sent_with_it(api: Served, body: bytes, kept: str) -> None:
    """L4-13: what can be read of the reason is kept."""
    answer = api.client.post("/api/v1/stop", headers=api.as_("operator"), content=body)
    assert answer.status_code == 200, answer.text
    assert answer.json()["held"] == [DISPLAY]
    assert [one.display for one in api.office.queue.held_displays()] == [DISPLAY]
    said = [one.record["reason"] for one in api.office.trail.entries() if one.kind == "stop_requested"]
    assert said[-1] == kept
    api.office.queue.release_display(DISPLAY, now=api.office.clock.now(), who="test")


def test_what_must_not_wait_does_not_wait_for_what_others_do() -> None:
    """L4-13, UX-3: every thread of the server is busy."""

    async def press() -> str:
        free, busy = threading.Event(), run.thread_pool._max_workers
        others = [asyncio.create_task(run.io_bound(free.wait, 10.0)) for _ in range(busy)]
        others += [asyncio.create_task(asyncio.to_thread(free.wait, 10.0)) for _ in range(busy)]
        await asyncio.sleep(0)
        try:
            return await asyncio.wait_for(in_own_thread(lambda: "stopped"), 5.0)
        finally:
            free.set()
            await asyncio.gather(*others)

    assert asyncio.run(press()) == "stopped"


def test_who_lets_a_run_be_done_sooner_is_written_down(api: Served) -> None:
    """AH-7, UX-3"""
    asked = {"workflow_id": "WF_factures", "parameters": {"facture": "FAC-2026-0042"}, "display": DISPLAY}
    run_id = api.client.post("/api/v1/runs", headers=api.as_("operator"), json=asked).json()["run_id"]
    url = f"/api/v1/runs/{run_id}/priority"
    changed = api.client.put(url, headers=api.as_("operator"), json={"priority": 9})
    assert (changed.status_code, changed.json()["priority"]) == (200, 9)
    (line,) = [one.record for one in api.office.trail.entries() if one.kind == "run_reprioritised"]
    assert (line["run_id"], line["from"], line["to"], line["who"]) == (run_id, 5, 9, "operator one")
    api.client.post(f"/api/v1/runs/{run_id}/stop", headers=api.as_("operator"))
    assert api.client.put(url, headers=api.as_("operator"), json={"priority": 1}).status_code == 422
