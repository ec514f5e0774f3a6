"""A supervisor on a real data directory, killed before every single system call. Runs by itself, prints JSON.

Each operation is done again and again on a copy of the same small data directory: the child dies before its first
call, its second, and so on, until it gets through. What it leaves is judged by the next process, which also goes on.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from robot import BAD, OK, manager_on
from syscall_killer import run_until_call

from rpa_vision.adapters.audit.jsonl_audit import JsonlAudit
from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.models.document import JsonObject
from rpa_vision.system.auto_heal_manager import AutoHealManager
from rpa_vision.system.state_machine import TABLE

WF, BYSTANDER = "invoices", "payroll"
DONE = b"done"


def fail(manager: AutoHealManager, times: int = 1) -> None:
    for _ in range(times):
        manager.permit_step(WF, "s1")
        manager.on_step_result(WF, "s1", BAD)


@dataclass(frozen=True)
class Operation:
    prepare: Callable[[AutoHealManager], None]
    act: Callable[[AutoHealManager], None]
    state: str
    """What it comes to."""


OPERATIONS = {
    "the first result on an empty directory": Operation(lambda manager: None, fail, "running"),
    "the third failure": Operation(lambda manager: fail(manager, 2), fail, "degraded"),
    "the tenth failure": Operation(lambda manager: fail(manager, 9), fail, "quarantined"),
    "a pause by hand": Operation(fail, lambda manager: manager.pause(WF, reason="look", who="anne"), "paused"),
    "a pause of everything": Operation(fail, lambda manager: manager.pause(reason="stop", who="anne"), "paused"),
    "a success": Operation(fail, lambda manager: manager.on_step_result(WF, "s1", OK), "running"),
}


def prepare(data: Path, operation: Operation, *, empty: bool) -> None:
    if empty:
        data.mkdir(parents=True)
        return
    manager = manager_on(data)
    for number in range(3):
        manager.on_step_result(BYSTANDER, f"s{number}", BAD)
    operation.prepare(manager)


def seen(data: Path) -> JsonObject:
    """What the next process finds: states, counts and history of both workflows, without what time alone changes."""
    manager = manager_on(data)
    report = manager.get_status_report()
    return {
        name: {
            "mode": manager.get_mode(name).value,
            "history": [(one.number, one.from_state.value, one.to_state.value) for one in manager.history(name)],
            "total": next((w["failures"]["total"] for w in report["workflows"] if w["workflow_id"] == name), 0),
        }
        for name in (WF, BYSTANDER)
    }


def judge(data: Path, old: JsonObject, new: JsonObject, *, told: bool) -> str | None:
    """What is wrong with what is left: the old state or the new, nothing lost that was told, the trail whole."""
    trail = JsonlAudit(data / "audit" / "audit.jsonl", SystemClock())
    if not trail.verify().ok:
        return f"the trail is not whole: {trail.verify().first_problem}"
    now = seen(data)
    if now not in (old, new):
        return f"neither old nor new: {now}"
    if told and now != new:
        return "it was told that it is done, and it is not"
    audited = {}
    for entry in trail.entries():
        if entry.kind == "state_transition" and entry.record["workflow_id"] == WF:
            audited[entry.record["number"]] = entry.record["to_state"]
    history = [(number, to_state) for number, _, to_state in now[WF]["history"]]
    if not dict(history).items() <= audited.items():
        return f"{history} holds, and the trail tells {audited}"
    manager = manager_on(data)
    fail(manager, 1)  # whoever comes next can go on
    manager.pause(WF, reason="look", who="anne")
    after = manager.history(WF)
    if any(later.from_state is not earlier.to_state for earlier, later in pairwise(after)):
        return "the history is broken"
    if not all((one.from_state, one.to_state) in TABLE for one in after):
        return "a change outside the table"
    return None if trail.verify().ok else "the trail is not whole after the next entry"


def main(folder: Path, name: str) -> None:
    operation = OPERATIONS[name]
    base, copy = folder / "base", folder / "copy"
    prepare(base, operation, empty="empty" in name)
    old = seen_in_copy(base, copy)
    fresh(base, copy)
    operation.act(manager_on(copy))
    new = seen(copy)
    wrong = [] if new[WF]["mode"] == operation.state else [f"it comes to {new[WF]['mode']}"]

    def act(told: int) -> None:
        operation.act(manager_on(copy))
        os.write(told, DONE)

    calls, judged = 0, set[tuple[str, bool]]()
    while True:
        fresh(base, copy)
        told, through = run_until_call(act, calls)
        left = (fingerprint(copy), told == DONE)
        if left not in judged:
            judged.add(left)
            problem = judge(copy, old, new, told=told == DONE)
            if problem is not None:
                wrong.append(f"killed before call {calls}: {problem}")
        if through:
            break
        calls += 1
    sys.stdout.write(json.dumps({"calls": calls, "different": len(judged), "wrong": wrong}))


def fresh(base: Path, copy: Path) -> None:
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(base, copy)


def seen_in_copy(base: Path, copy: Path) -> JsonObject:
    fresh(base, copy)
    return seen(copy)


def fingerprint(folder: Path) -> str:
    """What is on the disk. The index of SQLite's log is memory shared by the living, and not looked at."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.name.endswith("-shm"):
            found.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
