"""Between entries of the trail, rows of the index and decisions: pure translation.

An entry is taken as it is: a field of the wrong kind is a field that is not there.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from rpa_vision.ports.audit import AuditEntry, AuditPosition
from rpa_vision.ports.decisions import Decision, DecisionFilter

Row = tuple[Any, ...]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_spell = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def row_of(entry: AuditEntry, workflow_id: str | None) -> Row:
    """The row of an entry, without its number."""
    record = entry.record
    given = record.get("result")
    result: dict[str, Any] = given if isinstance(given, dict) else {}
    return (
        _time_us(entry.time),
        entry.kind,
        workflow_id,
        _text(record.get("step_id")),
        _text(record.get("run_id")),
        _text(record.get("to_state") if entry.kind == "state_transition" else record.get("state")),
        _text(result.get("status", record.get("status"))),
        _text(result.get("failure_kind")),
        _number(result.get("confidence")),
        _number(result.get("execution_time_ms")),
        entry.start.file,
        entry.start.offset,
        _spell(record),
    )


def decision_of(row: Row) -> Decision:
    """The decision in a whole row."""
    number, at_us, kind, workflow_id, step_id, run_id, state, status, failure_kind, confidence, duration_ms = row[:11]
    return Decision(
        number=number,
        at=moment(at_us),
        kind=kind,
        workflow_id=workflow_id,
        step_id=step_id,
        run_id=run_id,
        state=state,
        status=status,
        failure_kind=failure_kind,
        confidence=confidence,
        execution_time_ms=duration_ms,
        position=AuditPosition(row[11], row[12]),
        record=json.loads(row[13]),
    )


def where(which: DecisionFilter) -> tuple[str, list[Any]]:
    """The condition of a filter and its values. Only the text is ours; every value goes in as a parameter."""
    parts: list[str] = ["1"]
    values: list[Any] = []
    for column, value in (("workflow_id", which.workflow_id), ("step_id", which.step_id), ("run_id", which.run_id)):
        if value is not None:
            parts.append(f"{column} = ?")
            values.append(value)
    for column, among in (
        ("kind", which.kinds),
        ("state", which.states),
        ("status", which.statuses),
        ("failure_kind", which.failure_kinds),
    ):
        if among:
            parts.append(f"{column} IN ({', '.join('?' * len(among))})")
            values.extend(str(value) for value in among)
    for condition, at in (("at_us >= ?", which.since), ("at_us < ?", which.until)):
        if at is not None:
            parts.append(condition)
            values.append(microseconds(at))
    for condition, bound in (("confidence >= ?", which.min_confidence), ("confidence <= ?", which.max_confidence)):
        if bound is not None:
            parts.append(condition)
            values.append(bound)
    return " AND ".join(parts), values


def microseconds(at: datetime) -> int:
    """A time as the database holds it."""
    return (at - _EPOCH) // _MICROSECOND


def moment(at_us: int) -> datetime:
    """A time as the database holds it, back."""
    return _EPOCH + timedelta(microseconds=at_us)


def _time_us(text: str) -> int:
    try:
        return microseconds(datetime.fromisoformat(text))
    except (ValueError, TypeError, OverflowError):  # not one of ours; found by `verify`
        return 0


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
