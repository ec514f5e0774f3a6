"""Watch folders: a new CSV or XLSX file is run row by row, once.

A file is taken when it has not changed for a while and, where it is text, its last line has ended: a copy that stalls
leaves a cut row. Which files were asked for is remembered by their content in the queue, so that neither a restart nor
a copy of the file does a row twice. What cannot be run is told; what may pass, such as a busy disk, is tried again.

Nobody is there when a file arrives: a watched folder has no word of a person that lets a young workflow run alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import structlog

from rpa_vision.errors import RpaVisionError, StorageError, UnknownIdError, UsageError
from rpa_vision.models.document import JsonObject
from rpa_vision.models.queue import RunAsked, WatchedFolder

if TYPE_CHECKING:
    from rpa_vision.app.office import Office

SUFFIXES: Final = (".csv", ".xlsx")
QUIET_S: Final = 10.0
"""How long a file must not have changed."""
_log = structlog.get_logger("rpa_vision.folders")


class Folders(Protocol):
    """Folders anywhere on the disk, as a person names them."""

    def is_folder(self, path: Path) -> bool:
        """Whether there is such a folder."""

    def real(self, path: Path) -> Path:
        """The same folder by the one name that no link makes."""

    def files(self, path: Path, suffixes: tuple[str, ...]) -> dict[Path, str]:
        """The files in it, each with a stamp that changes when the file does."""

    def ends_line(self, path: Path) -> bool:
        """Whether the last line of a text file has ended. StorageError where it cannot be read now."""


class FolderWatch:
    """Remembers what it saw, since when, and what was done with."""

    def __init__(self, office: Office, folders: Folders) -> None:
        self._office = office
        self._folders = folders
        self._seen: dict[tuple[str, Path], tuple[str, float]] = {}
        self._done_with: dict[tuple[str, Path], str] = {}
        self._told: dict[tuple[str, Path], str] = {}

    def add(
        self, folder: Path, asked: RunAsked, *, who: str, display: str | None = None, priority: int = 3
    ) -> WatchedFolder:
        """Watch a folder from now on; what lies in it already counts as new."""
        from rpa_vision.app.queue import checked_display, no_standing_word

        no_standing_word(asked)
        if not folder.is_absolute() or not self._folders.is_folder(folder):
            raise UsageError(f"{folder}: is no folder of the server", remedy="Give the whole path of a folder.")
        real = self._folders.real(folder)
        for other, _ in self._office.queue.folders():
            if self._folders.real(Path(other.folder)) == real:
                raise UsageError(
                    f"{folder}: is watched already, for {other.asked.workflow_id}",
                    remedy="Stop watching it first, or use another folder: a file is for one workflow.",
                )
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
        self._note(watched, "made", who)
        self._office.queue.save_folder(watched, enabled=True)
        return watched

    def list(self) -> list[JsonObject]:
        """Every watched folder."""
        return [{**one.to_json(), "enabled": enabled} for one, enabled in self._office.queue.folders()]

    def remove(self, folder_id: str, *, who: str) -> None:
        """Watch a folder no longer."""
        found = next((one for one, _ in self._office.queue.folders() if one.folder_id == folder_id), None)
        if found is None:
            raise UnknownIdError(f"there is no watched folder {folder_id!r}", remedy="List the watched folders.")
        self._note(found, "deleted", who)
        self._office.queue.delete_folder(folder_id)

    def look(self) -> int:
        """Queue what is new and whole; says how many rows. What goes wrong with one file is no fault of the others."""
        asked, now_s = 0, self._office.clock.monotonic()
        for kept, enabled in self._office.queue.folders():
            if not enabled:
                continue
            watched = self._without_authorisation(kept)
            for path, stamp in self._folders.files(Path(watched.folder), SUFFIXES).items():
                key = watched.folder_id, path
                seen = self._seen.get(key)
                if seen is None or seen[0] != stamp:
                    self._seen[key] = stamp, now_s
                elif now_s - seen[1] >= QUIET_S and self._done_with.get(key) != stamp:
                    try:
                        asked += self._taken(watched, path, stamp)
                    except Exception:  # the top of one file
                        _log.exception("file_not_taken", file=_shown(path))
        return asked

    def _taken(self, watched: WatchedFolder, path: Path, stamp: str) -> int:
        rows, is_over = 0, True
        try:
            rows = self._take(watched, path)
        except RpaVisionError as error:
            is_over = not (isinstance(error, StorageError) or isinstance(error.__cause__, OSError))
            if is_over or self._told.get((watched.folder_id, path)) != stamp:
                self._told[watched.folder_id, path] = stamp
                self._tell(watched, "folder_failed", path, str(error), error.remedy)
        if is_over:
            self._done_with[watched.folder_id, path] = stamp
        return rows

    def _take(self, watched: WatchedFolder, path: Path) -> int:
        from rpa_vision.app.queued_files import ask_rows

        if _shown(path) != path.name:
            raise UsageError(f"{_shown(path)}: is no name that can be written down", remedy="Rename the file.")
        if path.suffix.lower() == ".csv" and not self._folders.ends_line(path):
            raise UsageError(
                f"{path.name}: its last line does not end, it may be half of a file",
                remedy="Copy it again, or end its last line.",
            )
        queued = ask_rows(
            self._office, watched.asked, self._office.row_files.read(path), path.name, who=watched.who,
            display=watched.display, priority=watched.priority, origin="folder",
        )  # fmt: skip
        known = queued.asked_before
        if queued.batch_id is None and known is not None and known.name != path.name[:200]:
            when = known.queued_at.astimezone().strftime("%Y-%m-%d %H:%M")
            why = f"its {queued.skipped} rows were asked for before, as {known.name} on {when}"
            self._tell(watched, "folder_skipped", path, why, "To run them again, upload the file with `again`.")
        return queued.rows

    def _tell(self, watched: WatchedFolder, kind: str, path: Path, reason: str, remedy: str) -> None:
        self._office.queue.tell(
            kind, {"file": _shown(path), "reason": reason, "remedy": remedy}, now=self._office.clock.now(),
            workflow_id=watched.asked.workflow_id,
        )  # fmt: skip

    def _without_authorisation(self, kept: WatchedFolder) -> WatchedFolder:
        """A folder as it may be: one that was kept with a person's word for every run loses it, and that is told."""
        from rpa_vision.app.queue import DROPPED

        if kept.asked.authorised_because is None:
            return kept
        mended = kept.model_copy(update={"asked": kept.asked.model_copy(update={"authorised_because": None})})
        self._note(mended, "authorisation_dropped", "rpa-vision")
        self._office.queue.save_folder(mended, enabled=True)
        self._office.queue.tell(
            "authorisation_dropped", {"folder_id": kept.folder_id, "reason": f"{kept.folder}: {DROPPED}"},
            now=self._office.clock.now(), workflow_id=kept.asked.workflow_id,
        )  # fmt: skip
        return mended

    def _note(self, watched: WatchedFolder, change: str, who: str) -> None:
        self._office.heal.audit.append(
            "folder_changed",
            {"folder_id": watched.folder_id, "workflow_id": watched.asked.workflow_id, "change": change,
             "folder": watched.folder, "display": watched.display, "who": who},
        )  # fmt: skip


def _shown(path: Path) -> str:
    """A name as it can be written down, whatever bytes it is made of."""
    return path.name.encode("utf-8", "backslashreplace").decode()
