"""Where failure cases are kept, one self-contained folder each."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal, Protocol

from rpa_vision.models.document import JsonObject
from rpa_vision.models.failure_case import CaseSightings, FailureCase
from rpa_vision.ports.storage import Listing

CasePicture = Literal["screen", "look", "after"]


@dataclass(frozen=True, slots=True)
class StoredCase:
    """A case at a glance: how often it was seen, and how much room it takes."""

    seen: CaseSightings
    size_bytes: int


class FailureCaseStore(Protocol):
    """Failure cases. A case is there as a whole or not at all."""

    def alone(self) -> AbstractContextManager[None]:
        """Hold off everybody else who asks the same, in this process and in others: counting needs it."""

    def save(self, case: FailureCase, *, screen: bytes | None, look: bytes | None, after: bytes | None = None) -> int:
        """Keep a new case with its pictures (PNG), and say how many bytes it takes. `after` is what was seen once
        something had been sent."""

    def has(self, case_id: str) -> bool:
        """Whether there is such a case."""

    def load(self, case_id: str) -> FailureCase:
        """The whole case, with its sightings and its report."""

    def picture(self, case_id: str, name: CasePicture) -> bytes | None:
        """A picture of a case, if it has one."""

    def sightings(self, case_id: str) -> CaseSightings:
        """How often a case was seen."""

    def note_sightings(self, seen: CaseSightings) -> None:
        """Keep how often a case was seen."""

    def save_report(self, case_id: str, report: JsonObject) -> None:
        """Keep a report with a case."""

    def delete(self, case_id: str) -> None:
        """Forget a case."""

    def list(self) -> Listing[StoredCase]:
        """All cases, the last seen first."""
