"""What a person is given for a task: a body, and what to work on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rpa_vision.demo.day.agenda import Agenda
from rpa_vision.demo.person.diary import Diary
from rpa_vision.demo.person.eyes import Eyes
from rpa_vision.demo.person.hands import Hands
from rpa_vision.demo.person.pace import Pace


@dataclass(frozen=True, slots=True)
class Note:
    """A text to be saved under a patient's name."""

    patient: str
    text: str


@dataclass(frozen=True, slots=True)
class Assignment:
    """One task for one person; fields that a task does not need stay empty."""

    display: Any
    hands: Hands
    pace: Pace
    eyes: Eyes
    user: str = ""
    password: str = ""
    may_log_in: bool = True
    invoices: tuple[str, ...] = ()
    submit_by: str = "enter"
    goes_on_after_refusal: bool = False
    reason: str = "Contrôle effectué"
    notes: tuple[Note, ...] = field(default=())
    clinic: str = ""
    agenda: Agenda | None = None
    diary: Diary | None = None
    presses: Callable[[], int] = lambda: 0
    """How much has been sent so far."""
