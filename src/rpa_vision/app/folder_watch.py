"""Watch folders: a new CSV or XLSX file is run row by row, once.

A file is taken when it has not changed between two looks. Which rows were asked for is remembered by their content in
the queue, so that neither a restart nor a copy of the file does a row twice.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from rpa_vision.errors import RpaVisionError, UnknownIdError, UsageError
from rpa_vision.models.document import JsonObject
from rpa_vision.models.queue import RunAsked, WatchedFolder

if TYPE_CHECKING:
    from rpa_vision.app.office import Office

SUFFIXES: Final = (".csv", ".xlsx")


class Folders(Protocol):
    """Folders anywhere on the disk, as a person names them."""

    def is_folder(self, path: Path) -> bool:
        """Whether there is such a folder."""

    def files(self, path: Path, suffixes: tuple[str, ...]) -> dict[Path, str]:
        """The files in it, each with a stamp that changes when the file does."""


class FolderWatch:
    """Remembers what it saw at the last look."""

    def __init__(self, office: Office, folders: Folders) -> None:
        self._office = office
        self._folders = folders
        self._seen: dict[Path, str] = {}
        self._taken: dict[Path, str] = {}

    def add(
        self, folder: Path, asked: RunAsked, *, who: str, display: str | None = None, priority: int = 3
    ) -> WatchedFolder:
        """Watch a folder from now on; what lies in it already counts as new."""
        from rpa_vision.app.queue import checked_display

        if not folder.is_absolute() or not self._folders.is_folder(folder):
            raise UsageError(f"{folder}: is no folder of the server", remedy="Give the whole path of a folder.")
        workflow = self._office.data.workflows.load(asked.workflow_id)
        watched = WatchedFolder(
            folder_id=self._office.ids.new("folder"),
            folder=str(folder),
            asked=asked.model_copy(update={"workflow_id": workflow.workflow_id}),
            display=checked_display(self._office, display),
            priority=priority,
            who=who,
            created_at=self._office.clock.now(),
        )
        self._office.queue.save_folder(watched, enabled=True)
        return watched

    def list(self) -> list[JsonObject]:
        """Every watched folder."""
        return [{**one.to_json(), "enabled": enabled} for one, enabled in self._office.queue.folders()]

    def remove(self, folder_id: str) -> None:
        """Watch a folder no longer."""
        if not self._office.queue.delete_folder(folder_id):
            raise UnknownIdError(f"there is no watched folder {folder_id!r}", remedy="List the watched folders.")

    def look(self) -> int:
        """Queue what is new and whole; says how many rows."""
        asked = 0
        for watched, enabled in self._office.queue.folders():
            if not enabled:
                continue
            for path, stamp in self._folders.files(Path(watched.folder), SUFFIXES).items():
                is_quiet = self._seen.get(path) == stamp
                self._seen[path] = stamp
                if is_quiet and self._taken.get(path) != stamp:
                    self._taken[path] = stamp
                    asked += self._take(watched, path)
        return asked

    def _take(self, watched: WatchedFolder, path: Path) -> int:
        from rpa_vision.app.queue import ask_rows

        try:
            file = self._office.row_files.read(path)
            queued = ask_rows(
                self._office, watched.asked, file, path.name, who=watched.who, display=watched.display,
                priority=watched.priority, origin="folder",
            )  # fmt: skip
        except RpaVisionError as error:
            self._office.queue.tell(
                "folder_failed", {"file": path.name, "reason": str(error), "remedy": error.remedy},
                now=self._office.clock.now(), workflow_id=watched.asked.workflow_id,
            )  # fmt: skip
            return 0
        return queued.rows
