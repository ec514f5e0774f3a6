"""Runs on demand: put into a queue per display, done one at a time, and told why they wait.

Whatever somebody asks for is checked when it is asked, not when its turn comes. A run that was being done when its
worker died is told as interrupted and never repeated by itself: input may have been sent.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rpa_vision.app.run_each import IN_A_ROW, batch_id, planned_rows
from rpa_vision.app.run_values import checked_values
from rpa_vision.errors import UnknownIdError, UsageError
from rpa_vision.models.auto_heal import ExecutionState
from rpa_vision.models.batch import RowFile
from rpa_vision.models.document import JsonObject
from rpa_vision.models.queue import MAX_PRIORITY, Batch, NewItem, Origin, QueuedRun, RunAsked, Wanted
from rpa_vision.ports.queue import RunQueue

if TYPE_CHECKING:
    from rpa_vision.app.office import Office
    from rpa_vision.app.wiring_auto_heal import AutoHeal

DEFAULT_PRIORITY: Final = 5
MAX_ROWS: Final = 20_000
_ENDED: Final = ("ended", "interrupted", "cancelled")


@dataclass(frozen=True, slots=True)
class Queued:
    """What came of asking: the run, or the one that the same request had made before."""

    item: QueuedRun
    is_new: bool


@dataclass(frozen=True, slots=True)
class QueuedRows:
    """What came of a file of rows. Rows that were asked for before are not asked for again."""

    batch_id: str | None
    rows: int
    skipped: int
    ignored_columns: tuple[str, ...]

    def to_json(self) -> JsonObject:
        """For the API."""
        return {
            "batch_id": self.batch_id,
            "rows": self.rows,
            "skipped": self.skipped,
            "ignored_columns": list(self.ignored_columns),
        }


def ask_run(
    office: Office,
    asked: RunAsked,
    *,
    who: str,
    display: str | None = None,
    priority: int = DEFAULT_PRIORITY,
    origin: Origin = "person",
    key: str | None = None,
) -> Queued:
    """Put one run into the queue. The same `key` twice asks for one run only, whatever happened in between."""
    workflow = office.data.workflows.load(asked.workflow_id)
    checked_values(workflow, asked.parameters)
    where = checked_display(office, display)
    own_key = None if key is None else _key(origin, who, key)
    item = NewItem(
        office.ids.new("run"),
        asked.model_copy(update={"workflow_id": workflow.workflow_id}),
        where,
        _checked_priority(priority),
        who,
        origin,
        own_key,
    )
    office.heal.audit.append(
        "run_queued",
        {"run_id": item.run_id, "workflow_id": workflow.workflow_id, "display": where, "mode": asked.mode,
         "origin": origin, "who": who, "rows": 1},
    )  # fmt: skip
    added = office.queue.add([item], now=office.clock.now())
    if added:
        return Queued(one_run(office.queue, item.run_id), is_new=True)
    known = office.queue.item_by_key(own_key or "")
    assert known is not None
    return Queued(known, is_new=False)


def ask_rows(
    office: Office,
    asked: RunAsked,
    file: RowFile,
    name: str,
    *,
    who: str,
    display: str | None = None,
    priority: int = DEFAULT_PRIORITY,
    origin: Origin = "batch",
    again: bool = False,
) -> QueuedRows:
    """Put one run for each row of a file into the queue; all rows are checked first."""
    workflow = office.data.workflows.load(asked.workflow_id)
    if len(file.rows) > MAX_ROWS:
        raise UsageError(f"{name}: has {len(file.rows):,} rows, more than {MAX_ROWS:,}", remedy="Cut it into parts.")
    planned, ignored = planned_rows(workflow, file, asked.parameters, name)
    where, batch = checked_display(office, display), office.ids.new("batch")
    remembered = batch_id(workflow, name)
    items = [
        NewItem(
            office.ids.new("run"),
            asked.model_copy(update={"workflow_id": workflow.workflow_id, "parameters": row.parameters}),
            where,
            _checked_priority(priority),
            who,
            origin,
            None if again else f"rows:{remembered}:{row.key}",
            batch,
            row.row.line,
        )
        for row in planned
    ]
    office.heal.audit.append(
        "run_queued",
        {"run_id": None, "batch_id": batch, "workflow_id": workflow.workflow_id, "display": where, "mode": asked.mode,
         "origin": origin, "who": who, "rows": len(items), "file": name},
    )  # fmt: skip
    now = office.clock.now()
    added = office.queue.add(
        items, now=now, batch=Batch(batch, workflow.workflow_id, name[:200], who, now, len(items), 0, 0)
    )
    return QueuedRows(batch if added else None, len(added), len(items) - len(added), ignored)


def one_run(queue: RunQueue, run_id: str) -> QueuedRun:
    """A run in the queue, or an UnknownIdError."""
    found = queue.item(run_id)
    if found is None:
        raise UnknownIdError(f"there is no run {run_id!r} in the queue", remedy="List the queue.")
    return found


def want(office: Office, run_id: str, wanted: Wanted, *, who: str) -> QueuedRun:
    """Pause a run, let it go on, or stop it; one that only waits is taken out of the queue by a stop."""
    before = one_run(office.queue, run_id)
    if before.state in _ENDED:
        raise UsageError(f"{run_id} is over: {before.status or before.state}", remedy="Nothing is left to be done.")
    if wanted == "go" and before.wanted == "stop":
        raise UsageError(f"{run_id} is being stopped", remedy="Ask for a new run.")
    office.heal.audit.append(
        "run_wanted", {"run_id": run_id, "workflow_id": before.workflow_id, "wanted": wanted, "who": who}
    )
    found = office.queue.want(run_id, wanted, now=office.clock.now(), who=who)
    return found if found is not None else before


def reprioritise(office: Office, run_id: str, priority: int) -> QueuedRun:
    """Let a waiting run be done sooner or later."""
    one_run(office.queue, run_id)
    found = office.queue.reprioritise(run_id, _checked_priority(priority))
    assert found is not None
    return found


def held_workflows(heal: AutoHeal, workflow_ids: Sequence[str]) -> dict[str, str]:
    """Of some workflows those that may not run now, each with the reason as people read it."""
    report = heal.manager.get_status_report()
    paused = report["global_pause"]
    if paused is not None:
        return dict.fromkeys(workflow_ids, f"everything is paused by {paused['who']} ({paused['reason']})")
    states = {one["workflow_id"]: one for one in report["workflows"]}
    held: dict[str, str] = {}
    for workflow_id in workflow_ids:
        state = states.get(workflow_id, {}).get("current_state", ExecutionState.RUNNING)
        if state in (ExecutionState.PAUSED, ExecutionState.QUARANTINED, ExecutionState.ROLLBACK):
            until = states[workflow_id].get("quarantine_until")
            held[workflow_id] = f"the workflow is {state}" + (f" until {until}" if until else "")
    return held


def held_batches(queue: RunQueue) -> dict[str, str]:
    """Files of rows that wait for a person, because so many rows in a row did not complete."""
    waiting = {item.batch_id for item in queue.items(states=["waiting"], limit=100_000) if item.batch_id is not None}
    held: dict[str, str] = {}
    for one in waiting:
        batch, rows = queue.batch(one), queue.items(batch_id=one, limit=100_000)
        ended = sorted((item for item in rows if item.state in ("ended", "interrupted")), key=lambda item: item.number)
        last = [item for item in ended if batch is not None and item.number > batch.released][-IN_A_ROW:]
        if len(last) == IN_A_ROW and all(item.status != "success" for item in last):
            held[one] = f"{IN_A_ROW} rows in a row did not complete: look why, then release the file"
        elif last and last[-1].status == "blocked":
            held[one] = f"the workflow was not allowed to run ({last[-1].reason}): then release the file"
    return held


def release_batch(office: Office, batch: str, *, who: str) -> Batch:
    """Let a held file of rows go on."""
    found = office.queue.batch(batch)
    if found is None:
        raise UnknownIdError(f"there is no file of rows {batch!r}", remedy="List the files of rows.")
    office.heal.audit.append(
        "run_wanted", {"run_id": None, "batch_id": batch, "workflow_id": found.workflow_id, "wanted": "go", "who": who}
    )
    rows = office.queue.items(batch_id=batch, limit=100_000)
    office.queue.release(batch, max((item.number for item in rows if item.state in _ENDED), default=0))
    return found


def batch_json(queue: RunQueue, batch: Batch, held: Mapping[str, str]) -> JsonObject:
    """A file of rows at a glance: how many rows of each outcome, and what holds it."""
    rows = queue.items(batch_id=batch.batch_id, limit=100_000)
    return {
        "batch_id": batch.batch_id,
        "workflow_id": batch.workflow_id,
        "name": batch.name,
        "who": batch.who,
        "queued_at": batch.queued_at.isoformat(),
        "rows": batch.rows,
        "skipped": batch.skipped,
        "counts": dict(Counter(item.status or item.state for item in rows)),
        "held": held.get(batch.batch_id),
    }


def whys(office: Office, items: Sequence[QueuedRun]) -> dict[str, str]:
    """Why each run that waits is waiting."""
    waiting = [item for item in items if item.state == "waiting"]
    if not waiting:
        return {}
    now = office.clock.now()
    held = held_workflows(office.heal, sorted({item.workflow_id for item in waiting}))
    batches = held_batches(office.queue)
    alive = {worker.display for worker in office.queue.workers() if worker.lease_until > now}
    line = office.queue.items(states=("running", "waiting"), limit=100_000)
    told: dict[str, str] = {}
    for item in waiting:
        ahead = [one for one in line if one.display == item.display and _before(one, item)]
        running = next((one for one in ahead if one.state == "running"), None)
        if item.wanted == "pause":
            told[item.run_id] = "paused by a person"
        elif item.workflow_id in held:
            told[item.run_id] = held[item.workflow_id]
        elif item.batch_id in batches:
            told[item.run_id] = batches[item.batch_id]
        elif item.display not in alive:
            told[item.run_id] = (
                f"nobody works on display {item.display}: start `rpa-vision work --display {item.display}`"
            )
        elif running is not None and len(ahead) == 1:
            told[item.run_id] = f"next on {item.display}, after {running.run_id}"
        elif ahead:
            told[item.run_id] = f"{len(ahead)} runs are before it on {item.display}"
        else:
            told[item.run_id] = "about to begin"
    return told


def checked_display(office: Office, display: str | None) -> str:
    """The display somebody means, or the first one."""
    known = [*office.displays, *(worker.display for worker in office.queue.workers())]
    if display is None:
        if not known:
            raise UsageError(
                "there is no display to run on", remedy="Start the server with --display, or `rpa-vision work`."
            )
        return known[0]
    if display not in known:
        raise UsageError(f"nobody works on display {display!r}", remedy=f"Displays: {', '.join(known) or 'none'}.")
    return display


def _before(one: QueuedRun, other: QueuedRun) -> bool:
    if one.state == "running":
        return True
    return (-one.priority, one.number) < (-other.priority, other.number)


def _checked_priority(priority: int) -> int:
    if not 0 <= priority <= MAX_PRIORITY:
        raise UsageError(f"priority {priority} is not in 0..{MAX_PRIORITY}", remedy="9 is the most urgent.")
    return priority


def _key(origin: Origin, who: str, key: str) -> str:
    return f"{origin}:" + hashlib.sha256(json.dumps([who, key]).encode()).hexdigest()
