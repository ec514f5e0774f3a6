"""Run a workflow once for each row of a file; rows that were done are not done again.

Before a row begins that is written down, and when it has ended, how. A row that was begun and of which nobody knows how
far it came (the process was killed, or input was sent and its effect did not show) is told, and not done again unless a
person says so. All rows are checked before the first one is run. A list of rows belongs to one file: another file of
that name is a question, not the same list.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from rpa_vision.app.run_tools import RunRequest
from rpa_vision.app.run_values import checked_values
from rpa_vision.errors import ParameterError, UsageError
from rpa_vision.models.batch import FileRow, RowEntry, RowFile, RowStatus
from rpa_vision.models.execution import RunReport
from rpa_vision.models.ids import slug
from rpa_vision.models.wording import folded
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.ports.batches import BatchJournal
from rpa_vision.ports.runtime import Clock

IN_A_ROW = 3
"""So many rows that do not complete, one after the other, end the whole: something is wrong that rows cannot mend."""
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class RowResult:
    """What became of a row."""

    line: int
    values: dict[str, str]
    status: RowStatus
    reason: str = ""
    run_id: str | None = None
    report: str | None = None
    duration_s: float | None = None

    @property
    def is_complete(self) -> bool:
        return self.status in ("success", "done_before")


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """A row as it will be run."""

    row: FileRow
    key: str
    parameters: dict[str, str]


def planned_rows(
    workflow: Workflow, file: RowFile, common: Mapping[str, str], where: str
) -> tuple[list[PlannedRow], tuple[str, ...]]:
    """The rows with their values, all of them checked; and the columns that are no variable of the workflow."""
    columns = _columns(workflow, file, common, where)
    planned: list[PlannedRow] = []
    problems: list[str] = []
    seen: Counter[str] = Counter()
    for row in file.rows:
        own = {name: row.cells[column] for column, name in columns.items() if row.cells[column]}
        parameters = {**common, **own}
        try:
            checked_values(workflow, parameters)
        except ParameterError as error:
            problems.append(f"line {row.line}: {error}")
            if len(problems) >= _SHOWN:
                break
            continue
        values = hashlib.sha256(json.dumps([workflow.workflow_id, sorted(parameters.items())]).encode()).hexdigest()[
            :20
        ]
        seen[values] += 1
        planned.append(PlannedRow(row, f"{values}-{seen[values]}", parameters))
    if problems:
        more = " (and perhaps more)" if len(problems) >= _SHOWN else ""
        raise UsageError(f"{where}: {'; '.join(problems)}{more}", remedy="Mend the rows; nothing was run.")
    return planned, tuple(name for name in file.columns if name not in columns)


def batch_id(workflow: Workflow, name: str) -> str:
    """Under which name it is remembered which rows of a file were done."""
    return f"{slug(workflow.workflow_id, limit=60)}.{slug(name, fallback='rows')}"


def run_each(
    request: RunRequest,
    rows: list[PlannedRow],
    journal: BatchJournal,
    clock: Clock,
    run: Callable[[RunRequest], tuple[RunReport, str]],
    *,
    file: str = "",
    again: bool = False,
    may_go_on: Callable[[], bool] = lambda: True,
) -> Iterator[RowResult]:
    """Run them one after the other, and give what became of each as it is known; nobody else may meanwhile.

    `again` also runs those of which nobody knows how far they came: a person has looked.
    """
    with journal.alone():
        past = _past(journal, file)
        if again:
            past = {key: known for key, known in past.items() if known.status != "uncertain"}
        yield from _run_rows(request, rows, past, journal, clock, run, file, may_go_on)


def _run_rows(
    request: RunRequest,
    rows: list[PlannedRow],
    past: Mapping[str, RowResult],
    journal: BatchJournal,
    clock: Clock,
    run: Callable[[RunRequest], tuple[RunReport, str]],
    file: str,
    may_go_on: Callable[[], bool],
) -> Iterator[RowResult]:
    failures = 0
    for number, planned in enumerate(rows):
        known = past.get(planned.key)
        if known is not None:
            yield replace(known, line=planned.row.line, values=planned.parameters)
            continue
        why_not = _why_not(failures, may_go_on)
        if why_not is not None:
            yield from _left(rows[number:], past, why_not)
            return
        journal.append(RowEntry(row_key=planned.key, event="begins", at=clock.now(), file=file))
        report, path = run(replace(request, parameters=planned.parameters))
        journal.append(
            RowEntry(
                row_key=planned.key,
                event="ended",
                at=clock.now(),
                run_id=report.run_id,
                status=report.status,
                reason=report.reason,
                input_sent=report.input_sent,
            )
        )
        failures = 0 if report.status == "success" else failures + 1
        yield RowResult(
            planned.row.line,
            planned.parameters,
            report.status,
            report.reason,
            report.run_id,
            path,
            report.duration_s,
        )
        if report.status == "blocked":
            yield from _left(rows[number + 1 :], past, f"the workflow is not allowed to run: {report.reason}")
            return


def _why_not(failures: int, may_go_on: Callable[[], bool]) -> str | None:
    if not may_go_on():
        return "stopped by a person"
    if failures >= IN_A_ROW:
        return f"{failures} rows in a row did not complete"
    return None


def _left(rows: list[PlannedRow], past: Mapping[str, RowResult], why: str) -> Iterator[RowResult]:
    for planned in rows:
        known = past.get(planned.key)
        if known is not None:
            yield replace(known, line=planned.row.line, values=planned.parameters)
        else:
            yield RowResult(planned.row.line, planned.parameters, "not_begun", why)


def _past(journal: BatchJournal, file: str) -> dict[str, RowResult]:
    """The rows that are not to be run again, by what is known of them."""
    entries = journal.entries()
    other = next((entry.file for entry in reversed(entries) if entry.file and file and entry.file != file), None)
    if other is not None:
        raise UsageError(
            f"rows of another file of that name were run before: {other}",
            remedy="Say which list this is with --batch NAME: a new name begins anew, a known one goes on with it.",
        )
    last = {entry.row_key: entry for entry in entries}
    past: dict[str, RowResult] = {}
    for key, entry in last.items():
        when = entry.at.strftime("%Y-%m-%d %H:%M")
        if entry.event == "begins":
            reason = f"begun on {when} UTC and never ended: look whether it was done, then use --again"
            past[key] = RowResult(0, {}, "uncertain", reason)
        elif entry.status == "success":
            past[key] = RowResult(0, {}, "done_before", f"on {when} UTC", entry.run_id)
        elif entry.input_sent:
            reason = f"{entry.status} on {when} UTC after something was sent ({entry.reason}): look, then use --again"
            past[key] = RowResult(0, {}, "uncertain", reason, entry.run_id)
    return past


def _columns(workflow: Workflow, file: RowFile, common: Mapping[str, str], where: str) -> dict[str, str]:
    """Column → variable, by name."""
    found: dict[str, str] = {}
    for column in file.columns:
        name = _variable(workflow, column)
        if name is None:
            continue
        other = next((one for one, known in found.items() if known == name), None)
        if other is not None or name in common:
            twice = f"the column {other!r}" if other is not None else "--param"
            raise UsageError(
                f"{where}: {name!r} is given by the column {column!r} and by {twice}", remedy="Give it once."
            )
        found[column] = name
    missing = [
        name
        for name, variable in workflow.variables.items()
        if variable.required
        and variable.source.method == "parameter"
        and variable.subtype != "secret"
        and name not in common
        and name not in found.values()
    ]
    if missing:
        there = ", ".join(repr(name) for name in file.columns)
        raise UsageError(
            f"{where}: no column is called {missing[0]!r}; there are: {there}",
            remedy=f"Rename a column, or give one value for all rows with --param {missing[0]}=VALUE.",
        )
    if not found:
        raise UsageError(
            f"{where}: no column is a variable of the workflow", remedy="`rpa-vision workflows show` lists them."
        )
    return found


def _variable(workflow: Workflow, column: str) -> str | None:
    """The variable a column names: itself, written as a name, or by the label it was learned with."""
    if column in workflow.variables:
        return column
    plain = slug(column, fallback="")
    if plain in workflow.variables:
        return plain
    labelled = [
        name
        for name, variable in workflow.variables.items()
        if variable.source.element_label is not None and folded(variable.source.element_label) == folded(column)
    ]
    return labelled[0] if len(labelled) == 1 else None
