"""Files of rows in the queue: one run for each row, the same file once, and what did not complete again.

A file is known by its rows, not by its name: the same rows under another name are the same file, and next month's file
of the same name is another one, even where a row of it is equal. A file of a known name that begins with all rows of
the earlier one has grown, and only its new rows are run. Whatever is left out is told.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from rpa_vision.app.lists_of_rows import NO_LIST, ListsOfRows
from rpa_vision.app.queue import DEFAULT_PRIORITY, checked_priority, display_for, no_standing_authorisation, write_down
from rpa_vision.app.run_each import PlannedRow, planned_rows
from rpa_vision.errors import UnknownIdError, UsageError
from rpa_vision.models.batch import MAX_ROWS, RowFile
from rpa_vision.models.document import JsonObject
from rpa_vision.models.queue import Batch, NewItem, Origin, QueuedRun, RunAsked

if TYPE_CHECKING:
    from rpa_vision.app.office import Office

_ALL: Final = 100_000


@dataclass(frozen=True, slots=True)
class QueuedRows:
    """What came of a file of rows. `asked_before` is the file whose rows were not asked for again."""

    batch_id: str | None
    rows: int
    skipped: int
    ignored_columns: tuple[str, ...] = ()
    asked_before: Batch | None = None
    left_out: dict[str, int] = field(default_factory=dict)
    """How many rows were left out, by reason."""
    notes: tuple[str, ...] = ()
    """What of the file was not read, for a person: hidden rows, a hidden sheet."""

    def to_json(self) -> JsonObject:
        """For the API."""
        return {
            "batch_id": self.batch_id,
            "rows": self.rows,
            "skipped": self.skipped,
            "left_out": self.left_out,
            "asked_before": self.asked_before.batch_id if self.asked_before is not None else None,
            "ignored_columns": list(self.ignored_columns),
            "notes": list(self.notes),
        }


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
    """Put one run for each row of a file into the queue; all rows are checked first. `again`: known ones as well."""
    no_standing_authorisation(asked)
    workflow = office.data.workflows.load(asked.workflow_id)
    if len(file.rows) > MAX_ROWS:
        raise UsageError(f"{name}: has {len(file.rows):,} rows, more than {MAX_ROWS:,}", remedy="Cut it into parts.")
    planned, ignored = planned_rows(workflow, file, asked.parameters, name)
    digests = _digests(workflow.workflow_id, planned)
    known, count = (None, 0) if again else _asked_before(office, digests, workflow.workflow_id, name)
    if known is not None and count == len(planned):
        return QueuedRows(None, 0, count, ignored, known, {"asked_before": count}, file.notes)
    where, batch = display_for(office, display, origin), office.ids.new("batch")
    lists, items = ListsOfRows.of(office, workflow.workflow_id) if asked.rest else None, list[NewItem]()
    for number, row in enumerate(planned[count:], start=count):
        left = lists.left_with(row.parameters) if lists is not None else NO_LIST
        update = {"workflow_id": workflow.workflow_id, "parameters": row.parameters, "rest": left.is_left}
        items.append(
            NewItem(
                office.ids.new("run"),
                asked.model_copy(update=update),
                where,
                checked_priority(priority),
                who,
                origin,
                None if again else f"rows:{digests[-1]}:{number}",
                batch,
                row.row.line,
                left.list_key if left.is_left else None,
            )
        )
    items, shared = _one_of_a_list(office, items)
    # A file of which rows wait for the list of another one was not asked for as a whole: given again, they are run.
    about = Batch(
        batch, workflow.workflow_id, name[:200], who, office.clock.now(), len(items), count + shared, 0,
        digests[-1] if not shared else "",
    )  # fmt: skip
    added = _added(office, items, about, asked.mode, origin)
    skipped = len(planned) - added
    left_out = {"asked_before": skipped - shared, "list_gone_on_with": shared}
    return QueuedRows(
        batch if added else None,
        added,
        skipped,
        ignored,
        known,
        {why: rows for why, rows in left_out.items() if rows},
        file.notes,
    )


def _one_of_a_list(office: Office, items: Sequence[NewItem]) -> tuple[list[NewItem], int]:
    """Of rows that would go on with one list only the first, and none while another run does; says how many are left
    out."""
    kept, lists = list[NewItem](), set[str]()
    for item in items:
        if item.list_key is None:
            kept.append(item)
        elif item.list_key not in lists:
            lists.add(item.list_key)
            going = office.queue.item_by_list(item.list_key)
            if going is None or _is_known(office, item):
                kept.append(item)
    return kept, len(items) - len(kept)


def _is_known(office: Office, item: NewItem) -> bool:
    return item.origin_key is not None and office.queue.item_by_key(item.origin_key) is not None


def run_again(office: Office, batch_id: str, *, who: str, uncertain: bool = False, rest: bool = False) -> QueuedRows:
    """Queue the rows of a file anew that did not complete and sent nothing; asked for twice, they are run once.

    A row that sent something, or of which nobody knows, is left to a person: `uncertain` says that one has looked, and
    wants those too. Where a row has left something of a list on the screen, such a run does all of it again, or with
    `rest` what is left of it; a row whose list another run has done since is left out.
    """
    about = _file(office, batch_id)
    rows = office.queue.items(batch_id=batch_id, limit=_ALL)
    fates = {item.run_id: _fate(item, uncertain=uncertain) for item in rows}
    batch, items = office.ids.new("batch"), list[NewItem]()
    wanted = [item for item in rows if fates[item.run_id] is None]
    lists = ListsOfRows.of(office, about.workflow_id) if wanted else None
    for item in wanted:
        left = lists.left_by(item) if lists is not None else NO_LIST
        if left.is_done_since:
            fates[item.run_id] = "gone_on_with"
            continue
        goes_on = left.is_left and uncertain
        update = {"authorised_because": None, "again": goes_on and not rest, "rest": goes_on and rest}
        items.append(
            NewItem(
                office.ids.new("run"),
                item.asked.model_copy(update=update),
                item.display,
                item.priority,
                who,
                "batch",
                f"again:{item.run_id}",
                batch,
                item.line,
                left.list_key if goes_on else None,
            )
        )
    left_out = Counter(fate for fate in fates.values() if fate is not None)
    new = Batch(batch, about.workflow_id, about.name, who, office.clock.now(), len(items), left_out.total(), 0)
    added = _added(office, items, new, rows[0].asked.mode if rows else "auto", "batch", again_of=batch_id)
    if len(items) > added:
        left_out["run_again_before"] += len(items) - added
    return QueuedRows(batch if added else None, added, left_out.total(), left_out=dict(left_out))


def stop_batch(office: Office, batch_id: str, *, who: str) -> JsonObject:
    """Take every row of a file that waits out of the queue, and end the one that runs before its next input."""
    about = _file(office, batch_id)
    office.heal.audit.append(
        "run_wanted",
        {"run_id": None, "batch_id": batch_id, "workflow_id": about.workflow_id, "wanted": "stop", "who": who},
    )
    cancelled, stopped = office.queue.stop_batch(batch_id, now=office.clock.now(), who=who)
    return {"batch_id": batch_id, "cancelled": cancelled, "stopped": stopped}


def release_batch(office: Office, batch_id: str, *, who: str) -> Batch:
    """Let a held file of rows go on."""
    found = _file(office, batch_id)
    office.heal.audit.append(
        "run_wanted",
        {"run_id": None, "batch_id": batch_id, "workflow_id": found.workflow_id, "wanted": "go", "who": who},
    )
    rows = office.queue.items(states=("ended", "interrupted", "cancelled"), batch_id=batch_id, limit=_ALL)
    office.queue.release(batch_id, max((item.number for item in rows), default=0))
    return found


def _file(office: Office, batch_id: str) -> Batch:
    found = office.queue.batch(batch_id)
    if found is None:
        raise UnknownIdError(f"there is no file of rows {batch_id!r}", remedy="List the files of rows.")
    return found


def _fate(item: QueuedRun, *, uncertain: bool) -> str | None:
    """Why a row is not run again; None for one that did not complete and sent nothing, or is wanted all the same."""
    if item.state in ("waiting", "running"):
        return "not_over"
    if item.state == "cancelled":
        return None
    if item.status == "success":
        return "complete"
    sent_nothing = item.state == "ended" and item.input_sent is False
    return None if sent_nothing or uncertain else "may_have_sent"


def _added(
    office: Office, items: Sequence[NewItem], batch: Batch, mode: str, origin: Origin, again_of: str | None = None
) -> int:
    """Put rows into the queue; says how many of them are new to it."""
    added = len(office.queue.add(items, now=office.clock.now(), batch=batch)) if items else 0
    if not added:
        return 0
    record: JsonObject = {
        "run_id": None, "batch_id": batch.batch_id, "workflow_id": batch.workflow_id, "display": items[0].display,
        "mode": mode, "origin": origin, "who": batch.who, "rows": added, "file": batch.name,
    }  # fmt: skip
    write_down(
        office,
        record | ({"again_of": again_of} if again_of is not None else {}),
        lambda: office.queue.stop_batch(batch.batch_id, now=office.clock.now(), who=batch.who),
    )
    return added


def _asked_before(office: Office, digests: Sequence[str], workflow_id: str, name: str) -> tuple[Batch | None, int]:
    """The file with the same rows; or the one of that name that this one has grown from, and how many rows it had."""
    rows_of = {digest: count for count, digest in enumerate(digests) if count > 0}
    best: tuple[Batch | None, int] = (None, 0)
    for batch in office.queue.files_asked_before(digests[-1], workflow_id, name[:200]):
        count = rows_of.get(batch.digest, 0)
        if count > best[1]:
            best = batch, count
    return best


def _digests(workflow_id: str, rows: Sequence[PlannedRow]) -> list[str]:
    """Of no row, of the first one, of the first two, and so on to all of them."""
    whole = hashlib.sha256(json.dumps(workflow_id).encode())
    found = [whole.hexdigest()]
    for row in rows:
        whole.update(json.dumps(sorted(row.parameters.items())).encode() + b"\n")
        found.append(whole.hexdigest())
    return found
