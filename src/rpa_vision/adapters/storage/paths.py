"""Where everything lies. Every path below the data directory is built here, from checked ids, and stays below it.

.rpa-vision                                    whose directory this is
sessions/YYYY-MM-DD/<session_id>.json          the whole session, and beside it
sessions/YYYY-MM-DD/<session_id>/              journal.jsonl and shots/*.png
screen_states/YYYY-MM-DD/<screen_state_id>.json
embeddings/{screens,elements,states}/*.npy
faiss_index/workflow_<workflow_id>/<space>/vNNN/  index.faiss and metadata.json of a version
learning/target_memory.db                      where targets were found before, of all workflows
learning/prototypes/<workflow_id>/vNNN/        a version: manifest.json, workflow.json, prototypes/*.npy, targets/*.png
target_memory_snapshots/<workflow_id>/vNNN.db  its rows of the target memory
workflows/<workflow_id>/                       workflow.json, prototypes/*.npy, targets/*.png
runs/<run_id>/                                 report.json, report.html, pictures/*.png
batches/<batch_id>.jsonl                       which rows of a file were begun and done (`run --each`)
audit/                                         audit*.jsonl, and decisions, successes and alerts as .sqlite
system/auto_heal.db                            what the supervisor remembers
failure_cases/<case_id>/                       case.json, seen.json, screen.png, after.png, look.png, report.json
system/accounts.db                             who may use the server; hashes of tokens
system/queue.db                                runs that wait, run and ended; schedules, watched folders, the news
system/run_index.db                            an index over runs/ that can be made again, and what people said of runs
system/texts.db                                lines of text that were read, where a setting asks for it
learning/precision.db                          how often each strategy was right
datasets/<dataset_id>/vNNN/                    dataset.json, coco_train.json, coco_held_out.json, images/*.png, models/
datasets/reviews.jsonl                         what people said of labels
datasets/deployed/detector/vNNN/               weights that were trained on them and put to use
heal_proposals/<proposal_id>/                  proposal.json, before.png, after.png, look.png
heal_questions/<question_id>/                  question.json, screen.png, answer.json: what a run asks a person
system/runs/<run_id>.json                      runs that go on just now; stop.json: those that are to end
scenarios/<workflow_id>.yaml                   what the supervisor's mini reports simulate
config/
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from rpa_vision.errors import InvalidIdError, StorageError
from rpa_vision.models.ids import checked_id
from rpa_vision.models.vector_ref import inside_data

MARKER = ".rpa-vision"
FOLDERS = frozenset(
    {"sessions", "screen_states", "screens", "embeddings", "faiss_index", "workflows", "runs", "audit", "config",
     "learning", "target_memory_snapshots", "datasets", "failure_cases", "scenarios", "system", "demo",
     "batches", "heal_proposals", "heal_questions"}
)  # fmt: skip
_LEARNED = frozenset({"workflows", "learning", "faiss_index", "target_memory_snapshots"})
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class DataPaths:
    """The layout below one root. A symbolic link that leads out of the root is refused, the root itself may be one."""

    def __init__(self, root: Path) -> None:
        self.root = root.absolute()

    @property
    def marker(self) -> Path:
        return self.root / MARKER

    @property
    def audit(self) -> Path:
        return self._inside("audit", "audit.jsonl")

    @property
    def supervisor_state(self) -> Path:
        return self._inside("system", "auto_heal.db")

    def config(self, name: str) -> Path:
        return self._inside("config", checked_id(name, what="configuration file"))

    def session_document(self, day: str, session_id: str) -> Path:
        return self._inside("sessions", day, checked_id(session_id, what="session") + ".json")

    def session_journal(self, day: str, session_id: str) -> Path:
        return self._inside("sessions", day, checked_id(session_id, what="session"), "journal.jsonl")

    def session_picture(self, day: str, session_id: str, relative_path: str) -> Path:
        below = _checked_data_path(relative_path, ".png")
        return self._inside("sessions", day, checked_id(session_id, what="session"), *below.parts)

    def session_reading(self, day: str, session_id: str, screenshot_id: str) -> Path:
        name = checked_id(screenshot_id, what="screenshot") + ".json"
        return self._inside("sessions", day, checked_id(session_id, what="session"), "read", name)

    def screen_state(self, day: str, screen_state_id: str) -> Path:
        return self._inside("screen_states", day, checked_id(screen_state_id, what="screen state") + ".json")

    def workflow(self, workflow_id: str) -> Path:
        return self._inside("workflows", checked_id(workflow_id, what="workflow"), "workflow.json")

    def run_file(self, run_id: str, name: str) -> Path:
        return self._inside("runs", checked_id(run_id, what="run"), checked_id(name, what="run file"))

    def run_picture(self, run_id: str, name: str) -> Path:
        stem, suffix = (name[:-4], name[-4:]) if name.endswith((".png", ".jpg")) else (name, ".png")
        name = checked_id(stem, what="picture") + suffix
        return self._inside("runs", checked_id(run_id, what="run"), "pictures", name)

    def batch(self, batch_id: str) -> Path:
        return self._inside("batches", checked_id(batch_id, what="batch") + ".jsonl")

    def failure_file(self, case_id: str, name: str) -> Path:
        return self._inside("failure_cases", checked_id(case_id, what="failure case"), checked_id(name, what="file"))

    @property
    def failure_lock(self) -> Path:
        return self._inside("failure_cases", ".lock")

    def heal_proposal_file(self, proposal_id: str, name: str) -> Path:
        return self._inside("heal_proposals", checked_id(proposal_id, what="proposal"), checked_id(name, what="file"))

    @property
    def heal_proposal_lock(self) -> Path:
        return self._inside("heal_proposals", ".lock")

    def heal_question_file(self, question_id: str, name: str) -> Path:
        return self._inside("heal_questions", checked_id(question_id, what="question"), checked_id(name, what="file"))

    @property
    def heal_question_lock(self) -> Path:
        return self._inside("heal_questions", ".lock")

    def running(self, run_id: str) -> Path:
        return self._inside("system", "runs", checked_id(run_id, what="run") + ".json")

    @property
    def stop_request(self) -> Path:
        return self._inside("system", "stop.json")

    def dataset_file(self, dataset_id: str, version: str, *below: str) -> Path:
        parts = [checked_id(part, what="file of a dataset") for part in below]
        return self._inside(
            "datasets", checked_id(dataset_id, what="dataset"), checked_id(version, what="version"), *parts
        )

    @property
    def label_reviews(self) -> Path:
        return self._inside("datasets", "reviews.jsonl")

    def deployed_model(self, kind: str, version: str, name: str) -> Path:
        parts = (checked_id(part, what="model") for part in (kind, version, name))
        return self._inside("datasets", "deployed", *parts)

    def scenario(self, workflow_id: str) -> Path:
        return self._inside("scenarios", checked_id(workflow_id, what="workflow") + ".yaml")

    @property
    def precision(self) -> Path:
        return self._inside("learning", "precision.db")

    @property
    def target_memory(self) -> Path:
        return self._inside("learning", "target_memory.db")

    @property
    def accounts(self) -> Path:
        return self._inside("system", "accounts.db")

    @property
    def queue(self) -> Path:
        return self._inside("system", "queue.db")

    @property
    def run_index(self) -> Path:
        return self._inside("system", "run_index.db")

    @property
    def text_cache(self) -> Path:
        return self._inside("system", "texts.db")

    def version_lock(self, workflow_id: str) -> Path:
        return self._inside("learning", "prototypes", checked_id(workflow_id, what="workflow"), ".lock")

    def learned(self, path: str) -> Path:
        """A file or folder of what was learned, live or of a version; vectors and pictures may also lie elsewhere.

        Its folder is inside the data directory. It may be a link itself: whoever opens it looks first.
        """
        suffix = PurePosixPath(path).suffix
        try:
            below = _checked_data_path(path, suffix) if suffix in (".npy", ".png") else inside_data(path)
        except ValueError as error:
            raise InvalidIdError(
                f"path {path!r}: {error}", remedy="Keep the file inside the data directory."
            ) from error
        known = below.parts[0] in _LEARNED or suffix in (".npy", ".png")
        if not known or any(part.startswith(".") for part in below.parts):
            raise InvalidIdError(f"path {path!r}: is not one of what was learned", remedy="Name a file of a workflow.")
        return self._inside(*below.parts[:-1]) / below.parts[-1]

    def vector(self, vector_id: str) -> Path:
        return self._inside(*_checked_data_path(vector_id, ".npy").parts)

    def picture(self, path: str) -> Path:
        return self._inside(*_checked_data_path(path, ".png").parts)

    def relative(self, path: Path) -> str:
        """The path as documents write it: relative to the data directory, with forward slashes."""
        return path.relative_to(self.root).as_posix()

    def days(self, folder: str) -> list[str]:
        """The days that a folder sorted by days has, the newest first."""
        return [name for name in reversed(self.names(folder)) if _DAY.fullmatch(name)]

    def names(self, *folder: str) -> list[str]:
        """What lies in a folder, in order, if there is one. Hidden and temporary files are left out."""
        try:
            found = [entry.name for entry in self._inside(*folder).iterdir()]
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise StorageError(f"{'/'.join(folder)}: cannot be read ({error.strerror})") from error
        return sorted(name for name in found if not name.startswith("."))

    def strays(self) -> Iterator[str]:
        """What lies in the root and is not of this layout."""
        for entry in sorted(self.root.iterdir()):
            if entry.name != MARKER and (entry.name not in FOLDERS or not entry.is_dir()):
                yield entry.name

    def _inside(self, *parts: str) -> Path:
        path = self.root.joinpath(*parts)
        try:
            confined = path.resolve().is_relative_to(self.root.resolve())
        except (OSError, RuntimeError):  # a circle of links
            confined = False
        if not confined:
            raise StorageError(
                f"{'/'.join(parts)}: leaves the data directory through a symbolic link",
                remedy="Replace the link by a real folder, or move the whole data directory.",
            )
        return path


def day_of(moment: datetime) -> str:
    """The day a document is filed under, in UTC."""
    try:
        return moment.astimezone(UTC).date().isoformat()
    except OverflowError:  # the first or last day there is
        return moment.date().isoformat()


def _checked_data_path(path: str, suffix: str) -> PurePosixPath:
    try:
        below = inside_data(path)
    except ValueError as error:
        raise InvalidIdError(f"path {path!r}: {error}", remedy="Keep the file inside the data directory.") from error
    if below.suffix != suffix or any(part.startswith(".") for part in below.parts):
        raise InvalidIdError(f"path {path!r}: the name of a {suffix} file was expected", remedy=f"Use a {suffix} file.")
    return below
