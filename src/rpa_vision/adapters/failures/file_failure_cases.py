"""Failure cases as folders: failure_cases/<case_id>/ with case.json, seen.json, pictures and report.json.

case.json is written last when a case is made and removed first when it is forgotten, so a folder without it is no case:
it is what a process left that was killed in between, and is swept away with the next case.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from rpa_vision.adapters.storage.atomic import AppendFile
from rpa_vision.adapters.storage.data_files import MAX_DOCUMENT_BYTES, MAX_PICTURE_BYTES, DataFiles, unknown
from rpa_vision.errors import DocumentError, RpaVisionError, StorageError
from rpa_vision.models.document import JsonObject
from rpa_vision.models.failure_case import CaseSightings, FailureCase
from rpa_vision.ports.failures import CasePicture, StoredCase
from rpa_vision.ports.storage import Listing, Unreadable

_CASE, _SEEN, _REPORT = "case.json", "seen.json", "report.json"


class FileFailureCaseStore:
    """Implements `ports.failures.FailureCaseStore`."""

    def __init__(self, files: DataFiles) -> None:
        self._files = files
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        self._files.claim()
        with self._lock, AppendFile(self._files.paths.failure_lock) as lock, lock.alone():
            yield

    def save(self, case: FailureCase, *, screen: bytes | None, look: bytes | None, after: bytes | None = None) -> int:
        self._sweep()
        parts = {"screen.png": screen, "look.png": look, "after.png": after}
        case_path = self._path(case.case_id, _CASE)
        document = self._files.encoded(case_path, case)
        parts[_SEEN] = self._files.encoded(self._path(case.case_id, _SEEN), CaseSightings.of(case))
        for name, data in parts.items():
            if data is not None:
                self._files.write(self._path(case.case_id, name), data)
        self._files.write(case_path, document)
        return len(document) + sum(len(data) for data in parts.values() if data is not None)

    def has(self, case_id: str) -> bool:
        return self._files.has(self._path(case_id, _CASE))

    def load(self, case_id: str) -> FailureCase:
        case = self._case(case_id)
        # Of two sightings the later one counts: a report that cannot be read takes no case with it.
        seen = self.sightings(case_id)
        report = self._report(case_id)
        return case.model_copy(
            update={
                "first_seen": seen.first_seen,
                "last_seen": seen.last_seen,
                "occurrences": seen.occurrences,
                "last_workflow_version": seen.last_workflow_version,
                "report": report if report is not None else case.report,
            }
        )

    def picture(self, case_id: str, name: CasePicture) -> bytes | None:
        path = self._path(case_id, f"{name}.png")
        return self._files.read(path, limit=MAX_PICTURE_BYTES) if self._files.has(path) else None

    def sightings(self, case_id: str) -> CaseSightings:
        with suppress(RpaVisionError):  # lost or torn: the case itself knows the first sighting
            return self._files.read_document(self._path(case_id, _SEEN), CaseSightings, key="case_id", expected=case_id)
        return CaseSightings.of(self._case(case_id))

    def note_sightings(self, seen: CaseSightings) -> None:
        # Not forced to the disk: a count lost with the power is not worth waiting for in every failing step.
        path = self._path(seen.case_id, _SEEN)
        self._files.write(path, self._files.encoded(path, seen), durable=False)

    def save_report(self, case_id: str, report: JsonObject) -> None:
        if not self.has(case_id):
            raise self._unknown(case_id)
        try:
            text = json.dumps(report, ensure_ascii=False, indent=2, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise DocumentError(f"the report of {case_id} cannot be written as JSON ({error})") from error
        self._files.write(self._path(case_id, _REPORT), text.encode() + b"\n")

    def delete(self, case_id: str) -> None:
        if not self.has(case_id):
            raise self._unknown(case_id)
        self._remove(case_id)

    def list(self) -> Listing[StoredCase]:
        cases: list[StoredCase] = []
        unreadable: list[Unreadable] = []
        for case_id in self._files.paths.names("failure_cases"):
            try:
                if self.has(case_id):
                    cases.append(StoredCase(self.sightings(case_id), self._size(case_id)))
            except RpaVisionError as error:
                unreadable.append(Unreadable(name=f"failure_cases/{case_id}", problem=str(error)))
        cases.sort(key=lambda case: (case.seen.last_seen, case.seen.case_id), reverse=True)
        return Listing(tuple(cases), tuple(unreadable))

    def _case(self, case_id: str) -> FailureCase:
        if not self.has(case_id):
            raise self._unknown(case_id)
        return self._files.read_document(self._path(case_id, _CASE), FailureCase, key="case_id", expected=case_id)

    def _report(self, case_id: str) -> JsonObject | None:
        path = self._path(case_id, _REPORT)
        if not self._files.has(path):
            return None
        with suppress(ValueError):
            found = json.loads(self._files.read(path, limit=MAX_DOCUMENT_BYTES))
            return found if isinstance(found, dict) else None
        return None

    def _sweep(self) -> None:
        for case_id in self._files.paths.names("failure_cases"):
            with suppress(RpaVisionError):
                if not self.has(case_id):
                    self._remove(case_id)

    def _remove(self, case_id: str) -> None:
        """The document first: without it there is no case."""
        case = self._path(case_id, _CASE)
        try:
            case.unlink(missing_ok=True)
            for path in case.parent.iterdir():
                path.unlink(missing_ok=True)
            case.parent.rmdir()
        except FileNotFoundError:
            return
        except OSError as error:
            raise StorageError(f"failure_cases/{case_id}: cannot be removed ({error.strerror})") from error

    def _size(self, case_id: str) -> int:
        total = 0
        for path in self._path(case_id, _CASE).parent.iterdir():
            with suppress(OSError):
                total += path.stat().st_size
        return total

    def _path(self, case_id: str, name: str) -> Path:
        return self._files.paths.failure_file(case_id, name)

    def _unknown(self, case_id: str) -> RpaVisionError:
        known = self._files.paths.names("failure_cases")
        return unknown("failure case", case_id, known, command="rpa-vision failures list")
