"""Event logs as CSV files: read line by line, every mistake named with its line.

A file is never held in memory as a whole; only its rows are, and there may be `MAX_ROWS` of them. A log with any line
that cannot be understood is refused: half a log would tell of tasks that nobody did.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from rpa_vision.errors import EventLogError, UsageError
from rpa_vision.models.event_log import COLUMNS, REQUIRED_COLUMNS, LogRow

MAX_ROWS = 200_000
_MAX_FIELD = 100_000
_SHOWN = 5
ALIASES = {
    "timestamp": "ts", "time": "ts", "datetime": "ts", "date_time": "ts",
    "application": "app", "app_name": "app", "software": "app", "window": "app",
    "event": "action", "event_type": "action", "activity": "action", "action_type": "action",
    "element": "target", "label": "target", "widget": "target", "control": "target",
    "text": "value", "content": "value",
    "line": "row", "row_number": "row",
    "address": "url", "browser_url": "url",
}  # fmt: skip
"""Other names of columns. A column that has its own name wins."""


class CsvEventLogs:
    """Implements `app.sessions.EventLogs` on the local disk."""

    def read(self, path: Path) -> tuple[list[LogRow], tuple[str, ...]]:
        """The rows of a log, and the columns that mean nothing to us."""
        try:
            with path.open(encoding="utf-8-sig", newline="") as file:
                return _rows(file, str(path))
        except FileNotFoundError as error:
            raise UsageError(f"{path}: there is no such file", remedy="Give the path of a CSV file.") from error
        except IsADirectoryError as error:
            raise UsageError(f"{path}: is a folder", remedy="Give the path of a CSV file.") from error
        except UnicodeDecodeError as error:
            raise EventLogError(f"{path}: is not UTF-8 text") from error
        except OSError as error:
            raise UsageError(f"{path}: cannot be read ({error.strerror})", remedy="Check the file.") from error


def _rows(lines: Iterator[str], where: str) -> tuple[list[LogRow], tuple[str, ...]]:
    first = next(lines, "")
    if not first.strip():
        raise EventLogError(f"{where}: line 1: the file is empty; the first line names the columns")
    delimiter = max(",;\t|", key=first.count)
    names = next(csv.reader([first], delimiter=delimiter))
    columns, ignored = _columns(names, where)
    rows: list[LogRow] = []
    problems: list[str] = []
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    csv.field_size_limit(_MAX_FIELD)
    while True:
        number = reader.line_num + 2
        try:
            fields = next(reader, None)
        except csv.Error as error:
            problems.append(f"line {number}: {error}")
            break  # where a quote is left open, nothing behind it can be trusted
        if fields is None:
            break
        if not fields or not any(field.strip() for field in fields):
            continue
        try:
            rows.append(_row(fields, names, columns))
        except ValueError as error:
            problems.append(f"line {number}: {error}")
        if len(problems) >= _SHOWN:
            break
        if len(rows) > MAX_ROWS:
            raise EventLogError(f"{where}: has more than {MAX_ROWS:,} events", remedy="Split it into several files.")
    if problems:
        more = " (and perhaps more)" if len(problems) >= _SHOWN else ""
        raise EventLogError(f"{where}: {'; '.join(problems)}{more}")
    if not rows:
        raise EventLogError(f"{where}: has no event below its first line")
    return rows, ignored


def _columns(names: list[str], where: str) -> tuple[dict[str, int], tuple[str, ...]]:
    """Where each of our columns is, and which of theirs are none of ours."""
    found: dict[str, int] = {}
    plain = [name.strip().casefold().replace(" ", "_") for name in names]
    for index, name in enumerate(plain):
        if name in COLUMNS:
            if name in found:
                raise EventLogError(f"{where}: line 1: the column {name!r} is there twice")
            found[name] = index
    for index, name in enumerate(plain):
        meant = ALIASES.get(name)
        if meant is not None and meant not in found:
            found[meant] = index
    missing = [name for name in REQUIRED_COLUMNS if name not in found]
    if missing:
        there = ", ".join(repr(name.strip()) for name in names) or "none"
        needed = " and ".join(repr(name) for name in missing)
        raise EventLogError(f"{where}: line 1: the column {needed} is missing; there are: {there}")
    used = set(found.values())
    return found, tuple(name.strip() for index, name in enumerate(names) if index not in used and name.strip())


def _row(fields: list[str], names: list[str], columns: dict[str, int]) -> LogRow:
    if len(fields) != len(names):
        raise ValueError(f"has {len(fields)} fields, the first line has {len(names)}")
    said = {name: fields[index].strip() if name != "value" else fields[index] for name, index in columns.items()}
    if any("\0" in text for text in said.values()):
        raise ValueError("holds a character that is none (NUL)")
    if not said["action"]:
        raise ValueError("the action is empty")
    return LogRow(ts=_moment(said.pop("ts")), **said)


def _moment(text: str) -> datetime:
    """ISO 8601, or seconds since 1970. Without a time zone it is UTC."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        try:
            return datetime.fromtimestamp(float(text), UTC)
        except (ValueError, OverflowError, OSError):
            raise ValueError(f"ts: {text!r} is neither a time such as 2026-03-02T09:15:00Z nor seconds") from None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
