"""Runs on demand: put into a queue per display, done one at a time, and told why they wait.

Whatever somebody asks for is checked when it is asked, not when its turn comes. A run that was being done when its
worker died is told as interrupted and never repeated by itself: input may have been sent.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rpa_vision.app.list_journal import lists_of
from rpa_vision.app.run_each import IN_A_ROW
from rpa_vision.app.run_values import checked_values
from rpa_vision.errors import RpaVisionError, UnknownIdError, UsageError
from rpa_vision.models.auto_heal import ExecutionState
from rpa_vision.models.document import JsonObject
from rpa_vision.models.queue import MAX_PRIORITY, Batch, NewItem, Origin, QueuedRun, RunAsked, Wanted
from rpa_vision.ports.queue import RunQueue

if TYPE_CHECKING:
    from rpa_vision.app.office import Office
    from rpa_vision.app.wiring_auto_heal import AutoHeal

DEFAULT_PRIORITY: Final = 5
DROPPED: Final = "its standing authorisation was dropped: a workflow is authorised for one run, by a person"
_ENDED: Final = ("ended", "interrupted", "cancelled")


@dataclass(frozen=True, slots=True)
class Queued:
    """What came of asking: the run, or the one that the same request had made before."""

    item: QueuedRun
    is_new: bool


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
    """Put one run into the queue. The same `key` twice asks for one run only, whatever happened in between; so do two
    people who want the `rest` of one list done, or all of it `again`, while one of these runs waits or goes on."""
    if origin != "person":
        no_standing_word(asked)
    if asked.again and asked.rest:
        raise UsageError("`again` and `rest` exclude each other", remedy="Give one of them.")
    workflow = office.data.workflows.load(asked.workflow_id)
    values = checked_values(workflow, asked.parameters, office.clock.now())
    where = display_for(office, display, origin)
    item = NewItem(
        office.ids.new("run"),
        asked.model_copy(update={"workflow_id": workflow.workflow_id}),
        where,
        checked_priority(priority),
        who,
        origin,
        None if key is None else _key(origin, who, key),
        list_key=lists_of(office, workflow, values).list_key if asked.again or asked.rest else None,
    )
    while not office.queue.add([item], now=office.clock.now()):
        known = _same(office.queue, item)
        if known is not None:  # otherwise the run that went on with that list has just ended
            return Queued(known, is_new=False)
    record: JsonObject = {
        "run_id": item.run_id, "workflow_id": workflow.workflow_id, "display": where, "mode": asked.mode,
        "origin": origin, "who": who, "rows": 1,
    }  # fmt: skip
    write_down(office, record, lambda: office.queue.want(item.run_id, "stop", now=office.clock.now(), who=who))
    return Queued(one_run(office.queue, item.run_id), is_new=True)


def write_down(office: Office, record: JsonObject, take_out: Callable[[], object]) -> None:
    """Write down what was put into the queue. What cannot be written down is taken out again: there is no line of a run
    that never was in the queue, and no run without a line."""
    try:
        office.heal.audit.append("run_queued", record)
    except RpaVisionError:
        take_out()
        raise


def _same(queue: RunQueue, item: NewItem) -> QueuedRun | None:
    """The run in the queue that a new one would double."""
    known = queue.item_by_key(item.origin_key) if item.origin_key is not None else None
    return known or (queue.item_by_list(item.list_key) if item.list_key is not None else None)


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


def reprioritise(office: Office, run_id: str, priority: int, *, who: str) -> QueuedRun:
    """Let a waiting run be done sooner or later."""
    before = one_run(office.queue, run_id)
    if before.state != "waiting":
        raise UsageError(f"{run_id} does not wait: {before.status or before.state}", remedy="It has had its turn.")
    office.heal.audit.append(
        "run_reprioritised",
        {"run_id": run_id, "workflow_id": before.workflow_id, "from": before.priority,
         "to": checked_priority(priority), "who": who},
    )  # fmt: skip
    found = office.queue.reprioritise(run_id, priority)
    return found if found is not None else before


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
    held: dict[str, str] = {}
    for batch_id, last in queue.last_rows(IN_A_ROW).items():
        if len(last) == IN_A_ROW and all(status != "success" for status, _ in last):
            held[batch_id] = f"{IN_A_ROW} rows in a row did not complete: look why, then release the file"
        elif last and last[-1][0] == "blocked":
            held[batch_id] = f"the workflow was not allowed to run ({last[-1][1]}): then release the file"
    return held


def batch_json(queue: RunQueue, batch: Batch, held: Mapping[str, str]) -> JsonObject:
    """A file of rows at a glance: how many rows of each outcome, and what holds it."""
    return {
        "batch_id": batch.batch_id,
        "workflow_id": batch.workflow_id,
        "name": batch.name,
        "who": batch.who,
        "queued_at": batch.queued_at.isoformat(),
        "rows": batch.rows,
        "skipped": batch.skipped,
        "counts": queue.batch_counts(batch.batch_id),
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
    stopped = {one.display: one.told() for one in office.queue.held_displays()}
    alive = {worker.display for worker in office.queue.workers() if worker.lease_until > now}
    running, before = _places(office.queue)
    told: dict[str, str] = {}
    for item in waiting:
        ahead, now_running = before.get(item.run_id, 0), running.get(item.display)
        if item.wanted == "pause":
            told[item.run_id] = "paused by a person"
        elif item.display in stopped:
            told[item.run_id] = stopped[item.display]
        elif item.workflow_id in held:
            told[item.run_id] = held[item.workflow_id]
        elif item.batch_id in batches:
            told[item.run_id] = batches[item.batch_id]
        elif item.display not in alive:
            told[item.run_id] = (
                f"nobody works on display {item.display}: start `rpa-vision work --display {item.display}`"
            )
        elif now_running is not None and ahead == 1:
            told[item.run_id] = f"next on {item.display}, after {now_running}"
        elif ahead:
            those = "one run is" if ahead == 1 else f"{ahead} runs are"
            told[item.run_id] = f"{those} before it on {item.display}"
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


def display_for(office: Office, display: str | None, origin: Origin) -> str:
    """Where a run goes. The display of a schedule or a watched folder was checked when it was made: it may be that
    nobody is there just now, and the run waits."""
    return display if display is not None and origin in ("schedule", "folder") else checked_display(office, display)


def no_standing_word(asked: RunAsked) -> None:
    """Nobody has looked at the screen for what runs again and again: neither is it authorised, nor may rows of a list
    be left out or done twice."""
    no_standing_authorisation(asked)
    if asked.again or asked.rest:
        raise UsageError(
            "`again` and `rest` are for one run, by a person who has looked how far the last one came",
            remedy="Start that run by itself; afterwards the list is done with, and runs by the clock go on.",
        )


def no_standing_authorisation(asked: RunAsked) -> None:
    """A person may let a young workflow run alone once; for what runs again and again, nobody can."""
    if asked.authorised_because is not None:
        raise UsageError(
            "a workflow is authorised for one run, by the person who asks for it",
            remedy="Start that run by itself; schedules, watched folders and files of rows need an approved workflow.",
        )


def _places(queue: RunQueue) -> tuple[dict[str, str], dict[str, int]]:
    """What runs on each display; and of each run that waits, how many are before it there."""
    running: dict[str, str] = {}
    ahead: Counter[str] = Counter()
    before: dict[str, int] = {}
    for run_id, display, state in queue.line():
        if state == "running":
            running[display] = run_id
        else:
            before[run_id] = ahead[display]
        ahead[display] += 1
    return running, before


def checked_priority(priority: int) -> int:
    """A priority that there is."""
    if not 0 <= priority <= MAX_PRIORITY:
        raise UsageError(f"priority {priority} is not in 0..{MAX_PRIORITY}", remedy="9 is the most urgent.")
    return priority


def _key(origin: Origin, who: str, key: str) -> str:
    return f"{origin}:" + hashlib.sha256(json.dumps([who, key]).encode()).hexdigest()
