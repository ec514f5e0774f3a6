"""What a run is worth, by what the application's own data says was done.

*completed*: exactly what was asked for was done, once, and the run says so. *wrong*: anything else was changed, or the
run says it is done and it is not. *halted*: everything else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rpa_vision.models.execution import RunReport

Verdict = Literal["completed", "halted", "wrong"]
_HARMLESS = ("login", "refused", "session_expired")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the clinic's journal."""

    action: str
    number: str | None
    detail: str | None


@dataclass(frozen=True, slots=True)
class Ran:
    """One run alone: on what, what it said, and what was true."""

    subject: str
    report: RunReport
    verdict: Verdict
    effect: bool
    """Whether what was asked for was done, whatever the run said."""
    root: Path
    """The data directory it ran in."""
    page: Path


def judge(number: str, status: str, entries: Sequence[Entry]) -> Verdict:
    """By the journal of the clinic: one invoice was to be validated."""
    changes = [entry for entry in entries if entry.action not in _HARMLESS]
    done = [entry for entry in changes if entry.action == "validated" and entry.number == number]
    astray = len(done) != len(changes) or len(done) > 1 or any(entry.detail == "all" for entry in done)
    return _verdict(status, is_done=bool(done), is_astray=astray)


def judge_files(wanted: Mapping[str, str], before: Mapping[str, str], after: Mapping[str, str], status: str) -> Verdict:
    """By the files of a folder: these were to be written, and no other touched."""
    changed = {name: text for name, text in after.items() if before.get(name) != text}
    gone = before.keys() - after.keys()
    return _verdict(
        status, is_done=wanted.items() <= after.items(), is_astray=bool(gone or changed.items() - wanted.items())
    )


def _verdict(status: str, *, is_done: bool, is_astray: bool) -> Verdict:
    if is_astray:
        return "wrong"
    if status == "success":
        return "completed" if is_done else "wrong"
    return "halted"
