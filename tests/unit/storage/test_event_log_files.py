"""Event logs as files: what is wrong is named with its line, and then nothing is taken over."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from rpa_vision.adapters.event_logs import csv_log
from rpa_vision.adapters.event_logs.csv_log import CsvEventLogs
from rpa_vision.errors import EventLogError, UsageError

HEAD = "ts,app,action,target,value,row,url\n"


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "log.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_a_log_is_read(tmp_path: Path) -> None:
    first = '2026-03-02T09:00:00Z,Web,click,"Été, ""x""",a,7,http://x'
    second = "2026-03-02T09:00:01.5+02:00,Web,paste,,v,,"
    rows, ignored = CsvEventLogs().read(written(tmp_path, f"{HEAD}{first}\n\n{second}\n"))
    assert [(row.app, row.action, row.target, row.value, row.row, row.url) for row in rows] == [
        ("Web", "click", 'Été, "x"', "a", "7", "http://x"),
        ("Web", "paste", "", "v", "", ""),
    ]
    assert ignored == ()


def test_other_names_orders_and_separators_of_columns_are_understood(tmp_path: Path) -> None:
    text = "\ufeffApplication;Time;Event;Extra\nWeb;1772442000;click;zzz\n"
    rows, ignored = CsvEventLogs().read(written(tmp_path, text))
    assert (rows[0].app, rows[0].action) == ("Web", "click")
    assert rows[0].ts == datetime.fromtimestamp(1772442000, UTC)
    assert ignored == ("Extra",)


def test_times_without_a_zone_are_utc(tmp_path: Path) -> None:
    rows, _ = CsvEventLogs().read(written(tmp_path, "ts,app,action\n2026-03-02 09:00:00,a,b\n"))
    assert rows[0].ts == datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "line 1: the file is empty"),
        ("ts,target\n", "line 1: the column 'app' and 'action' is missing; there are: 'ts', 'target'"),
        ("ts,app,action,ts\n", "line 1: the column 'ts' is there twice"),
        (HEAD, "has no event"),
        (HEAD + "2026-03-02T09:00:00Z,a,b,,,,\nnever,a,b,,,,\n", "line 3: ts: 'never' is neither"),
        (HEAD + "2026-03-02T09:00:00Z,a,,,,,\n", "line 2: the action is empty"),
        (HEAD + "2026-03-02T09:00:00Z,a,b\n", "line 2: has 3 fields, the first line has 7"),
        (HEAD + '2026-03-02T09:00:00Z,a,b,"x\ny",,,\nx,a,b,,,,\n', "line 4: ts: 'x'"),
        (HEAD + '2026-03-02T09:00:00Z,a,b,"never closed', "line 2:"),
        (HEAD.encode() + b"2026-03-02T09:00:00Z,a,b,\xff,,,\n", "is not UTF-8 text"),
        (HEAD + "2026-03-02T09:00:00Z,a,b,\0,,,\n", "line 2:"),
        (HEAD + "1e400,a,b,,,,\n", "line 2: ts:"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, text: str | bytes, why: str) -> None:
    with pytest.raises(EventLogError) as refused:
        CsvEventLogs().read(written(tmp_path, text))
    assert why in str(refused.value)
    assert "log.csv" in str(refused.value)


def test_several_mistakes_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(EventLogError) as refused:
        CsvEventLogs().read(written(tmp_path, HEAD + "x,a,b,,,,\n" * 9))
    assert [f"line {n}" in str(refused.value) for n in (2, 6, 7)] == [True, True, False]


@pytest.mark.parametrize("name", ["nothing.csv", "."])
def test_what_is_no_file_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError):
        CsvEventLogs().read(tmp_path / name)


def test_a_log_that_is_too_long_is_refused_while_it_is_read(tmp_path: Path) -> None:
    line = "2026-03-02T09:00:00Z,a,b,,,,\n"
    with pytest.raises(EventLogError, match="has more than"):
        CsvEventLogs().read(written(tmp_path, HEAD + line * (csv_log.MAX_ROWS + 1)))
