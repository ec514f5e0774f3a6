"""A robot fills in a form again and again: alone, then with a crowd in front of the dashboard and programs asking for
the status, then alone again. Its step times are compared within this one go, on this machine.

Everything is real: the server and its worker as `rpa-vision serve` starts them, a browser on a virtual desktop, pages
of the dashboard over their sockets, `wrk`. What asks and watches runs at low priority, as if it were elsewhere.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import Final

import httpx

from rpa_vision.app import wiring
from rpa_vision.demo.load.inquiries import inquiries
from rpa_vision.demo.replay.office import WORKFLOW_ID, ReplayFailedError, ReplayOffice, open_office
from rpa_vision.demo.replay.page import DEEDS
from rpa_vision.models.document import JsonObject

SLOWER_MAX: Final = 1.2
_PATIENCE_S: Final = 240.0
_POLL_S: Final = 0.5
_PAGES: Final = ("/", "/", "/runs", "/runs", "/auto-heal")
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class LoadPlan:
    """How many watch and ask, and for how long at least."""

    seconds: float = 60.0
    clients: int = 100
    listeners: int = 10
    rate: int = 1000
    alone: int = 1
    """Runs without anybody, before and again after."""


@dataclass(frozen=True, slots=True)
class _Service:
    """A server and its worker, and somebody who is signed in."""

    url: str
    cookie: str
    token: str
    client: httpx.Client

    def run(self, office: ReplayOffice) -> JsonObject:
        """Have the form filled in, and give the report."""
        clock = wiring.clock()
        with office.page():
            asked = {"workflow_id": WORKFLOW_ID, "authorised_because": "a measurement, on the demo's own form"}
            run_id = self.client.post("/runs", json=asked).raise_for_status().json()["run_id"]
            until = clock.monotonic() + _PATIENCE_S
            while clock.monotonic() < until:
                found: JsonObject = self.client.get(f"/runs/{run_id}").raise_for_status().json()
                if found["report"] is not None:
                    report: JsonObject = found["report"]
                    return report
                clock.sleep(_POLL_S)
        raise ReplayFailedError(f"{run_id} did not end within {_PATIENCE_S:.0f} s")


def measure(plan: LoadPlan, say: Say) -> JsonObject:
    """Everything, put into one report."""
    clock = wiring.clock()
    with tempfile.TemporaryDirectory(prefix="rpa-vision-load-") as room, open_office(Path(room)) as office:
        say("somebody shows the form")
        with office.page() as seen:
            office.learn(seen)
        with _served(office) as service:
            say("the robot alone")
            service.run(office)  # the first run warms everything up and does not count
            alone = [service.run(office) for _ in range(plan.alone)]
            loaded: list[JsonObject] = []
            with (
                _crowd(service, plan) as crowd,
                inquiries(service.url, service.token, plan.rate, Path(room)) as asked,
            ):
                began = clock.monotonic()
                while clock.monotonic() - began < plan.seconds:
                    say(f"{plan.clients} pages, {plan.rate} questions a second: run {len(loaded) + 1}")
                    loaded.append(service.run(office))
                lasted_s = clock.monotonic() - began
            say("the robot alone again")
            alone += [service.run(office) for _ in range(plan.alone)]
    return _report(plan, alone, loaded, crowd, asked, lasted_s)


def lines(report: JsonObject) -> list[str]:
    """For people."""
    robot, status, crowd = report["robot"], report["status"], report["crowd"]
    return [
        f"{report['machine']}",
        f"watched for {report['lasted_s']:.0f} s by {crowd['pages']} pages ({crowd['updates']:,} updates, "
        f"{crowd['received_bytes'] / 1e6:.1f} MB) and {crowd['listeners']} listeners ({crowd['missed']} steps missed)",
        f"status: {status['per_second']:.0f} a second, p50 {status['p50_ms']:.1f} ms, p99 {status['p99_ms']:.1f} ms, "
        f"max {status['max_ms']:.0f} ms, {status['refused']} refused, {status['broken']} broken",
        f"robot alone:   {robot['alone']['runs']} runs, {robot['alone']['steps']} steps, "
        f"median {robot['alone']['median_ms']:.0f} ms, mean {robot['alone']['mean_ms']:.0f} ms a step",
        f"robot watched: {robot['loaded']['runs']} runs, {robot['loaded']['steps']} steps, "
        f"median {robot['loaded']['median_ms']:.0f} ms, mean {robot['loaded']['mean_ms']:.0f} ms a step",
        f"step for step {robot['slower']:.3f} times as long (at most {SLOWER_MAX}); "
        f"{robot['unverified']} steps not verified",
        *(f"error: {error}" for error in crowd["errors"][:5]),
        "as promised" if report["ok"] else "NOT as promised: " + "; ".join(report["why_not"]),
    ]


def _report(
    plan: LoadPlan, alone: list[JsonObject], loaded: list[JsonObject], crowd: JsonObject, asked: JsonObject,
    lasted_s: float,
) -> JsonObject:  # fmt: skip
    steps = {f"{run['run_id']} {step['index'] + 1} {kind}" for run in loaded for step in run["steps"]
             for kind in ("step_begins", "step_ended")}  # fmt: skip
    missed = sum(len(steps.difference(heard)) for heard in crowd["heard"])
    unverified = sum(len(DEEDS) - sum(step["verified"] for step in run["steps"]) for run in (*alone, *loaded))
    slower = _slower(alone, loaded)
    per_second = asked["requests"] / asked["duration_s"]
    wanted = {
        "steps were not verified": unverified == 0,
        f"steps took {slower:.2f} times as long": slower <= SLOWER_MAX,
        f"{per_second:.0f} questions a second": per_second >= plan.rate,
        "questions were refused or broken off": asked["refused"] + asked["broken"] == 0,
        "pages were cut off": not crowd["errors"] and crowd["pages"] == plan.clients,
        "listeners missed steps": missed == 0,
    }
    return {
        "machine": f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}",
        "lasted_s": round(lasted_s, 1),
        "robot": {"alone": _times(alone), "loaded": _times(loaded), "slower": round(slower, 3),
                  "unverified": unverified},
        "status": {**asked, "per_second": round(per_second, 1)},
        "crowd": {**{key: crowd[key] for key in ("pages", "updates", "received_bytes", "errors")},
                  "listeners": len(crowd["heard"]), "missed": missed},
        "ok": all(wanted.values()),
        "why_not": [what for what, holds in wanted.items() if not holds],
    }  # fmt: skip


def _times(runs: list[JsonObject]) -> JsonObject:
    times = [step["duration_ms"] for run in runs for step in run["steps"]]
    return {"runs": len(runs), "steps": len(times), "median_ms": round(median(times), 1),
            "mean_ms": round(mean(times), 1)}  # fmt: skip


def _slower(alone: list[JsonObject], loaded: list[JsonObject]) -> float:
    """How much longer the same steps took: the sum of their medians."""

    def of(runs: list[JsonObject], edge: str) -> float:
        return float(median(step["duration_ms"] for run in runs for step in run["steps"] if step["edge_id"] == edge))

    both = {step["edge_id"] for run in alone for step in run["steps"]} & {
        step["edge_id"] for run in loaded for step in run["steps"]
    }
    return sum(of(loaded, edge) for edge in both) / sum(of(alone, edge) for edge in both)


@contextmanager
def _served(office: ReplayOffice) -> Iterator[_Service]:
    command = [sys.executable, "-m", "rpa_vision", "serve", "--port", "0", "--json", "--data", str(office.data_path)]
    server = subprocess.Popen(command, env=dict(office.env), stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        told = json.loads(server.stdout.readline())
        with httpx.Client(headers={"X-RPA-Vision": "1"}, timeout=30.0) as entering:
            entering.get(told["link"]).raise_for_status()
            cookie = "; ".join(f"{name}={value}" for name, value in entering.cookies.items())
            made = entering.post(f"{told['url']}/api/v1/tokens", json={"label": "load"}).raise_for_status().json()
        bearer = {"Authorization": f"Bearer {made['secret']}"}
        with httpx.Client(base_url=f"{told['url']}/api/v1", headers=bearer, timeout=30.0) as client:
            yield _Service(told["url"], cookie, made["secret"], client)
    finally:
        server.terminate()
        server.wait(timeout=60)


@contextmanager
def _crowd(service: _Service, plan: LoadPlan) -> Iterator[JsonObject]:
    """Send the crowd in; the dictionary holds what they saw once outside."""
    people = {
        "url": service.url,
        "cookie": service.cookie,
        "pages": [_PAGES[number % len(_PAGES)] for number in range(plan.clients)],
        "listeners": plan.listeners,
    }
    command = ["nice", "-n", "10", sys.executable, "-m", "rpa_vision.demo.load.crowd"]
    crowd = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    seen: JsonObject = {}
    try:
        assert crowd.stdin is not None
        assert crowd.stdout is not None
        crowd.stdin.write(json.dumps(people) + "\n")
        crowd.stdin.flush()
        if crowd.stdout.readline().strip() != "ready":
            raise ReplayFailedError("the crowd did not get in")
        yield seen
        crowd.stdin.close()
        seen.update(json.loads(crowd.stdout.read()))
        crowd.wait(timeout=30)
    finally:
        if crowd.poll() is None:
            crowd.kill()
            crowd.wait()
