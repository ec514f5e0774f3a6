"""An index over the reports of runs, for listing ten thousand of them at once; the reports are the truth.

What is new below `runs/` is read when somebody asks, at most once a second. Only what a list needs is taken, without
checking the whole document: that is done when one is opened. The file may be thrown away; what people said of runs is
kept in a table of its own, which a rebuild leaves alone.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Sequence
from dataclasses import astuple
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from rpa_vision.adapters.office.database import OfficeDatabase
from rpa_vision.adapters.storage.data_files import MAX_DOCUMENT_BYTES, DataFiles
from rpa_vision.errors import RpaVisionError
from rpa_vision.models.execution import is_healed
from rpa_vision.ports.run_index import RunDay, RunFilter, RunSummary, StepPoint, Verdict
from rpa_vision.ports.runtime import Clock

_MARK = 0x52565249  # "RVRI"
_LOOK_AGAIN_S = 1.0
_AT_ONCE = 500
_COLUMNS = (
    "run_id, problem, workflow_id, workflow_name, version, mode, status, reason, started_at, duration_s, steps, healed,"
    " recovered, min_score, parameters"
)
_HEALED: Final = "(healed > 0 AND status = 'success')"
"""A run that completed although something had changed; one that halted after a heal is a halted one."""


class SqliteRunIndex:
    """Implements `ports.run_index.RunIndex`."""

    def __init__(self, path: Path, files: DataFiles, clock: Clock) -> None:
        self._database = OfficeDatabase(path, mark=_MARK, folder="runs")
        self._files = files
        self._clock = clock
        self._looked_s = float("-inf")
        self._looking = threading.Lock()
        self._known: set[str] | None = None

    def refresh(self) -> int:
        with self._looking:
            if self._clock.monotonic() - self._looked_s < _LOOK_AGAIN_S:
                return 0
            fresh = self._read_new()
            self._looked_s = self._clock.monotonic()
        return fresh

    def find(self, which: RunFilter, *, limit: int, offset: int = 0) -> list[RunSummary]:
        where, values = _where(which)
        with self._database.reading() as database:
            found = database.execute(
                f"SELECT {_COLUMNS} FROM runs WHERE {where} ORDER BY started_at DESC, run_id LIMIT ? OFFSET ?",
                (*values, limit, offset),
            )
            return [_summary(row) for row in found]

    def count(self, which: RunFilter) -> dict[str, int]:
        where, values = _where(which)
        with self._database.reading() as database:
            found = database.execute(
                f"SELECT count(*) AS total, coalesce(sum({_HEALED}), 0) AS healed,"
                " coalesce(sum(status = 'success'), 0) AS success, coalesce(sum(status = 'halted'), 0) AS halted,"
                " coalesce(sum(status = 'failed'), 0) AS failed, coalesce(sum(status = 'blocked'), 0) AS blocked,"
                " coalesce(sum(duration_s), 0) AS seconds,"
                " coalesce(sum(run_id IN (SELECT run_id FROM verdicts WHERE verdict = 'wrong')), 0) AS wrong"
                f" FROM runs WHERE {where}",
                values,
            ).fetchone()
        return {key: int(found[key]) for key in found.keys()}  # noqa: SIM118

    def days(self, which: RunFilter) -> list[RunDay]:
        where, values = _where(which)
        with self._database.reading() as database:
            found = database.execute(
                "SELECT substr(started_at, 1, 10) AS day, count(*) AS total, sum(status = 'success') AS success,"
                " sum(status = 'halted') AS halted, sum(status = 'failed') AS failed,"
                f" sum(status = 'blocked') AS blocked, sum({_HEALED}) AS healed"
                f" FROM runs WHERE {where} GROUP BY day ORDER BY day",
                values,
            )
            return [RunDay(*tuple(row)) for row in found]

    def scores(self, workflow_id: str, *, since: datetime, edge_id: str | None = None) -> list[StepPoint]:
        with self._database.reading() as database:
            found = database.execute(
                "SELECT edge_id, coalesce(strategy, '') AS strategy, substr(started_at, 1, 10) AS day, count(*) AS n,"
                " avg(score) AS mean, min(score) AS low,"
                " sum(healing_level > 0 AND strategy <> '') AS healed, sum(verified) AS verified,"
                " avg(duration_ms) AS duration FROM steps WHERE workflow_id = ? AND started_at >= ?"
                " AND (? IS NULL OR edge_id = ?) GROUP BY edge_id, strategy, day ORDER BY day, edge_id, strategy",
                (workflow_id, _utc(since), edge_id, edge_id),
            )
            return [StepPoint(*tuple(row)) for row in found]

    def judge(self, run_id: str, verdict: Verdict) -> None:
        with self._database.changing(durable=True) as database:
            database.execute(
                "INSERT INTO verdicts (run_id, verdict, who, at, note) VALUES (?, ?, ?, ?, ?) ON CONFLICT (run_id)"
                " DO UPDATE SET verdict = excluded.verdict, who = excluded.who, at = excluded.at, note = excluded.note",
                (run_id, verdict.verdict, verdict.who, verdict.at.isoformat(), verdict.note),
            )

    def verdict(self, run_id: str) -> Verdict | None:
        with self._database.reading() as database:
            row = database.execute("SELECT * FROM verdicts WHERE run_id = ?", (run_id,)).fetchone()
        if row is None:
            return None
        return Verdict(row["verdict"], row["who"], datetime.fromisoformat(row["at"]), row["note"])

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def _read_new(self) -> int:
        names = self._files.paths.names("runs")
        if self._known is None:
            with self._database.reading() as database:
                self._known = {row[0] for row in database.execute("SELECT run_id FROM runs")}
        gone = self._known.difference(names)
        if gone:
            with self._database.changing() as database:
                for table in ("runs", "steps"):
                    database.executemany(f"DELETE FROM {table} WHERE run_id = ?", [(name,) for name in gone])
            self._known -= gone
        fresh = [name for name in names if name not in self._known]
        added = 0
        for begin in range(0, len(fresh), _AT_ONCE):
            read = [found for name in fresh[begin : begin + _AT_ONCE] if (found := self._read(name)) is not None]
            with self._database.changing() as database:
                for summary, steps in read:
                    marks = ", ".join("?" * 15)
                    row = astuple(summary)
                    database.execute(f"INSERT OR REPLACE INTO runs ({_COLUMNS}) VALUES ({marks})", row)
                    database.executemany(
                        "INSERT OR REPLACE INTO steps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                        [(summary.run_id, number, summary.workflow_id, *step) for number, step in enumerate(steps)],
                    )
            self._known.update(summary.run_id for summary, _ in read)
            added += len(read)
        return added

    def _read(self, name: str) -> tuple[RunSummary, list[tuple[Any, ...]]] | None:
        """What a list needs of a report; None while the run is going on."""
        try:
            path = self._files.paths.run_file(name, "report.json")
            if not self._files.has(path):
                return None
            data = json.loads(self._files.read(path, limit=MAX_DOCUMENT_BYTES))
            return _summarised(name, data)
        except (RpaVisionError, ValueError, KeyError, TypeError, AttributeError) as error:
            return RunSummary(run_id=name, problem=f"cannot be read ({error})"[:500]), []


def _summarised(name: str, data: dict[str, Any]) -> tuple[RunSummary, list[tuple[Any, ...]]]:
    steps, started = data["steps"], _utc(datetime.fromisoformat(data["started_at"]))
    scores = [step["score"] for step in steps if step.get("score") is not None]
    summary = RunSummary(
        run_id=name,
        problem="" if data["run_id"] == name else f"is that of {data['run_id']}",
        workflow_id=str(data["workflow_id"]),
        workflow_name=str(data["workflow_name"]),
        version=int(data["workflow_version"]),
        mode=str(data["mode"]),
        status=str(data["status"]),
        reason=str(data.get("reason", ""))[:1000],
        started_at=started,
        duration_s=float(data["duration_s"]),
        steps=len(steps),
        healed=sum(is_healed(step.get("healing_level"), step.get("strategy")) for step in steps),
        recovered=sum(len(step.get("recoveries", ())) for step in steps),
        min_score=min(scores, default=None),
        parameters=", ".join(str(value) for value in data.get("parameters", {}).values())[:300],
    )
    rows = [
        (str(step["edge_id"]), started, str(step["status"]), step.get("strategy"), step.get("score"),
         int(step.get("healing_level", 0)), float(step["duration_ms"]), int(bool(step["verified"])))
        for step in steps
    ]  # fmt: skip
    return summary, rows


def _where(which: RunFilter) -> tuple[str, Sequence[Any]]:
    wheres, values = ["1"], list[Any]()
    for column, value in (("workflow_id", which.workflow_id), ("status", which.status), ("mode", which.mode)):
        if value is not None:
            wheres.append(f"{column} = ?")
            values.append(value)
    if which.since is not None:
        wheres.append("started_at >= ?")
        values.append(_utc(which.since))
    if which.until is not None:
        wheres.append("started_at < ?")
        values.append(_utc(which.until))
    if which.healed:
        wheres.append(_HEALED)
    if which.unsuccessful:
        wheres.append("status IN ('failed', 'blocked')")
    if which.wrong:
        wheres.append("run_id IN (SELECT run_id FROM verdicts WHERE verdict = 'wrong')")
    if which.text:
        wheres.append("(instr(lower(parameters), ?) OR instr(lower(reason), ?) OR instr(run_id, ?))")
        values += [which.text.lower()] * 3
    return " AND ".join(wheres), values


def _summary(row: sqlite3.Row) -> RunSummary:
    return RunSummary(*tuple(row))


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")
