"""Logs whose truth is known, segmented as the command line does it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from rpa_vision.capture.event_log import session_of_log
from rpa_vision.capture.segmentation import Segmentation, segment
from rpa_vision.graph.episodes.oracle import RoutineOracle
from rpa_vision.models.event_log import LogRow
from rpa_vision.testing.event_logs import GeneratedLog
from rpa_vision.testing.segmentation_scores import Scores, score

BEGAN = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


def segmented(rows: Sequence[LogRow]) -> Segmentation:
    return segment(session_of_log(rows, session_id="log", name="log", file="log.csv"), RoutineOracle())


def scored(log: GeneratedLog) -> Scores:
    found = segmented(log.rows)
    return score(log.cases, log.routines, found.segment_of, found.routine_of)


def log_of(words: str, *, every_s: float = 1.0, app: str = "App") -> list[LogRow]:
    """A log in which each word is a click, a second after the one before; `word:app` is done elsewhere, `+60` waits."""
    rows: list[LogRow] = []
    now = BEGAN
    for word in words.split():
        if word.startswith("+"):
            now += timedelta(seconds=float(word))
            continue
        target, _, where = word.partition(":")
        now += timedelta(seconds=every_s)
        rows.append(LogRow(now, where or app, "click", target))
    return rows


def said(rows: Sequence[LogRow], found: Segmentation) -> dict[str, str]:
    """Segment → its targets, in order."""
    told: dict[str, list[str]] = {}
    for row, name in zip(rows, found.segment_of, strict=True):
        if name is not None:
            told.setdefault(name, []).append(row.target)
    return {name: " ".join(targets) for name, targets in told.items()}
