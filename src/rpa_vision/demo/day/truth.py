"""What is true of a recorded day: which go and step every event belongs to, or that it is noise; and of the tasks.

The person's diary says what was meant when; the recording says what was seen when. Both have the time of the same
machine, so an event belongs to the shortest entry of the diary that holds it.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from dataclasses import asdict, dataclass
from typing import Any

from rpa_vision.demo.day.agenda import Agenda, Go
from rpa_vision.demo.person.tasks.office_goes import journal_line
from rpa_vision.models.raw_session import RecordedSession

STEPS: dict[str, tuple[str, ...]] = {
    "slips": ("open_slips", "open_slip", "open_payment", "validate_payment", "next_page", "close_slip"),
    "claims": ("open_claims", "type_claim", "submit_claim", "validate_claim", "send_claim", "back_to_claims"),
    "journal": (
        "open_invoices", "type_invoice", "submit_search", "open_invoice", "switch_to_journal", "go_to_end",
        "type_line", "end_line", "save",
    ),
}  # fmt: skip
LOOP = {"task": "slips", "body": ["open_payment", "validate_payment"], "filter": "À valider", "paging": "next_page"}
RECOVERY = {"task": "journal", "screen": "Session expirée", "way_out": ["reconnect", "user", "password", "login"]}


@dataclass(frozen=True, slots=True)
class EventTruth:
    """What one event of the recording is."""

    kind: str
    """step, resume, recovery or noise"""
    task: str | None
    go: str | None
    step: str

    @property
    def is_noise(self) -> bool:
        return self.kind == "noise"


@dataclass(frozen=True, slots=True)
class DayTruth:
    """Everything that is true of a day."""

    session_id: str
    agenda: Agenda
    events: tuple[EventTruth, ...]

    @property
    def noise_share(self) -> float:
        """How many of the events are noise; moves of the pointer are not counted on either side."""
        counted = [event for event in self.events if event.step != "move"]
        return sum(event.is_noise for event in counted) / len(counted) if counted else 0.0

    def cases(self) -> list[str | None]:
        """The go of each event, None for noise."""
        return [None if event.is_noise else event.go for event in self.events]

    def tasks(self) -> list[str | None]:
        """The task of each event, None for noise."""
        return [None if event.is_noise else event.task for event in self.events]

    def to_json(self) -> str:
        """As a file holds it, with all that can be asked of a learner beside it."""
        document: dict[str, Any] = {
            "session_id": self.session_id,
            "noise_share": round(self.noise_share, 4),
            "events": [asdict(event) for event in self.events],
            "goes": [{**asdict(go), "variables": variables_of(go)} for go in self.agenda.goes],
            "tasks": {
                "slips": {"steps": STEPS["slips"], "variables": ["slip"], "loop": LOOP},
                "claims": {
                    "steps": STEPS["claims"],
                    "variables": ["claim", "amount"],
                    "rule": {
                        "variable": "amount",
                        "threshold": self.agenda.threshold_cents / 100,
                        "below": "validate_claim",
                        "from": "send_claim",
                    },
                },
                "journal": {"steps": STEPS["journal"], "variables": ["invoice", "amount"], "recovery": RECOVERY},
            },
            "agenda": json.loads(self.agenda.to_json()),
        }
        return json.dumps(document, ensure_ascii=False, indent=1)

    @classmethod
    def from_json(cls, text: str) -> DayTruth:
        """As it was."""
        document = json.loads(text)
        agenda = Agenda.from_json(json.dumps(document["agenda"]))
        return cls(document["session_id"], agenda, tuple(EventTruth(**event) for event in document["events"]))


def variables_of(go: Go) -> dict[str, str]:
    """What was particular to a go, as it stands on the screen."""
    if go.task == "slips":
        return {"slip": go.subject}
    if go.task == "claims":
        return {"claim": go.subject, "amount": go.amount}
    return {"invoice": go.subject, "amount": go.amount, "line": journal_line(go)}


def tell(session: RecordedSession, agenda: Agenda, diary: str) -> DayTruth:
    """Lay diary and recording beside each other."""
    entries = sorted((json.loads(line) for line in diary.splitlines()), key=lambda entry: float(entry["from"]))
    began = [float(entry["from"]) for entry in entries]
    start = session.started_at.timestamp()
    events = []
    for event in session.events:
        entry = _entry(entries, began, start + event.t + _CLOCKS_DIFFER_S)
        if event.type == "mouse_move":
            events.append(EventTruth("noise", None, None, "move"))
        elif entry is None:
            events.append(EventTruth("noise", None, None, "unknown"))
        else:
            go = entry["go"] if entry["kind"] != "noise" else None
            events.append(EventTruth(entry["kind"], agenda.go(go).task if go else None, go, entry["step"]))
    return DayTruth(session.session_id, agenda, tuple(events))


def _entry(entries: list[dict[str, Any]], began: list[float], at: float) -> dict[str, Any] | None:
    """The entry that holds the moment: the inner one where there are two, the one just over where there is none."""
    before = [entry for entry in entries[: bisect_right(began, at)] if float(entry["to"]) > at - _SLACK_S]
    holding = [entry for entry in before if float(entry["to"]) >= at]
    return min(holding or before, key=lambda entry: float(entry["to"]) - float(entry["from"]), default=None)


_SLACK_S = 0.25
_CLOCKS_DIFFER_S = 0.005
"""The X server counts in milliseconds, and no hand is faster than this."""
