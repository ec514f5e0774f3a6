"""The audit trail: what was decided, before it is done; read back, and checked for its wholeness."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Protocol

from pydantic import JsonValue

from rpa_vision.models.document import JsonObject

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "run_requested": "somebody wants a workflow run; what was asked, and whether it was refused",
        "run_goes_on": "a run takes up the version that is in use now",
        "run_begins_at": "a run begins in the middle, where the screen is",
        "window_decided": "the window a run begins in is about to be brought to the front",
        "fork_decided": "which way a run takes, and by which values",
        "round_begins": "the row of a list a run does now",
        "loop_ended": "why no row is left",
        "recovery": "a run met an error screen, and what came of getting out of it",
        "heal_proposed": "a target was found otherwise than recorded, and its step verified: a change is proposed",
        "heal_accepted": "a proposed change is kept from now on, by a person or after enough verified runs",
        "heal_rejected": "somebody does not want a proposed change",
        "question_asked": "a run is lost and asks a person to show the target",
        "question_answered": "what a person answered, before anything is made of it",
        "stop_requested": "somebody wants runs to end before their next input",
        "undo_decided": "an action of a run is about to be undone, or why it cannot be",
        "run_ended": "what came of the run",
        "step_allowed": "a step may be executed, in this state and on these terms",
        "step_blocked": "a step may not be executed, and why",
        "input_decided": "what is about to be done to the desktop, and why there",
        "step_result": "how a step ended, in the state it began in",
        "state_transition": "a workflow changed its state: from where to where, why, by whom",
        "transition_refused": "somebody wanted a change of state that the table does not have",
        "global_pause": "everything is paused",
        "global_resume": "everything goes on",
        "rollback_ended": "what came of restoring an earlier version",
        "rollback_taken_over": "a rollback whose process died is carried on by another",
        "runtime_drift": "the screen is not the one of the recording, or is again",
        "policy_in_force": "a policy, whole, before it first decides",
        "policy_written": "somebody replaced the policy file by command",
        "run_queued": "somebody, a schedule or a watched folder put runs into the queue",
        "run_wanted": "somebody wants a queued run, or a file of rows, to pause, go on or stop",
        "run_reprioritised": "the priority of a run that waits was changed by a person",
        "display_held": "a person stopped the robot: no queued run begins on that display",
        "display_released": "somebody lets the queue of a display go on",
        "schedule_changed": "somebody made, switched or deleted what runs by the clock",
        "folder_changed": "somebody has a folder watched, or no longer",
        "run_interrupted": "a queued run whose worker died: nobody knows how far it came, and it is not repeated",
        "run_judged": "a person said whether a run did right",
        "workflow_edited": "a person edited a workflow: which version became which, and why",
        "deny_list_written": "a person said which windows are not looked at",
        "session_deleted": "a person deleted a recording",
        "account_changed": "an account or one of its tokens was made, changed or ended",
        "policy_error": "a policy file that cannot be used; the last good one stays in force",
        "step_confirmed": "what a person answered who was asked before a step, or offered the whole",
        "run_counted": "a run counts for or against a workflow's autonomy, and where it stands then",
        "maturity_changed": "a workflow goes up or down a level: from where to where, by whom, by which numbers",
        "maturity_noted": "what is counted begins anew, or is tied to what the workflow does",
        "supervisor_trouble": "something that only helps failed; the run goes on",
        "audit.recovered": "a line was cut short by a crash; the chain goes on from the last whole one",
        "audit.removed": "entries that had been on disk are gone; the chain goes on from what is left",
    }
)
"""Every kind of entry, and what it says. docs/audit.md has the fields of each."""


class AuditLog(Protocol):
    """Append-only. What was appended survives `kill -9`."""

    def append(self, kind: str, record: dict[str, JsonValue]) -> None:
        """Write one decision down; returns when it is on disk."""


@dataclass(frozen=True, slots=True, order=True)
class AuditPosition:
    """A place in the trail: the number of the file, and how many of its bytes lie before."""

    file: int = 1
    offset: int = 0


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One entry as it stands in the trail."""

    time: str
    kind: str
    record: JsonObject
    prev: str
    hash: str
    start: AuditPosition
    end: AuditPosition
    """Where reading goes on after it."""


@dataclass(frozen=True, slots=True)
class AuditProblem:
    """Where the trail is not what was written: the file, the line (0: the file as a whole), and what is wrong."""

    file: str
    line: int
    what: str


@dataclass(frozen=True, slots=True)
class VerifyResult:
    """Whether the trail is whole. Noted elsewhere, `last_hash` proves later that nothing before it was rewritten."""

    ok: bool
    entries: int
    first_problem: AuditProblem | None = None
    torn_bytes: int = 0
    """What a crash left at the very end, to be noted by the next entry; no problem."""
    last_hash: str | None = None


class AuditTrail(Protocol):
    """The trail, read. Never changes it, never waits for whoever writes it."""

    def entries(self, after: AuditPosition | None = None) -> Iterator[AuditEntry]:
        """Whole entries in the order in which they were written, from a place on."""

    def end(self) -> AuditPosition:
        """Where the next entry will be written."""

    def verify(self, since: datetime | None = None) -> VerifyResult:
        """Find the first line that was changed, removed, inserted or moved; `since` spares the files before it."""
