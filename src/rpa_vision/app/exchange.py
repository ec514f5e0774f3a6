"""Workflows out of the house and back: exported as JSON, Markdown or BPMN, edited by hand, imported as a new version.

The JSON is the whole document; vectors and pictures it refers to lie in a folder beside it, so that it can be carried
to another machine. What comes back is checked before anything is touched, becomes a version like something learned, and
has to earn its trust again where it does something else than before.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Literal, Protocol

import numpy as np

from rpa_vision.app.bpmn import bpmn_of
from rpa_vision.app.learn import EDITED
from rpa_vision.app.sop import sop_of
from rpa_vision.app.workflow_file import MAX_BYTES, Mistake, WorkflowFile, read_workflow_file, refuse
from rpa_vision.errors import RpaVisionError, UnknownIdError, UsageError
from rpa_vision.imaging.codec import decode
from rpa_vision.learning.live_state import at_most
from rpa_vision.learning.version_manifest import essence
from rpa_vision.learning.versioned_store import VersionedStore
from rpa_vision.models.document import JsonObject
from rpa_vision.models.guidance import Language
from rpa_vision.models.vector_ref import inside_data
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.models.workflow_standing import LearningStateName
from rpa_vision.ports.perception import Vector
from rpa_vision.ports.runtime import Clock
from rpa_vision.ports.storage import DataDirectory

Format = Literal["json", "md", "bpmn"]
SUFFIXES: dict[Format, str] = {"json": ".json", "md": ".md", "bpmn": ".bpmn"}
_MAX_FILE_BYTES = 128 * 1024 * 1024


class PersonsFiles(Protocol):
    """Files that a person names, anywhere on the disk."""

    def read(self, path: Path, *, limit: int) -> bytes:
        """A whole file."""

    def read_below(self, folder: Path, path: str, *, limit: int) -> bytes | None:
        """A file below a folder, or None."""

    def exists(self, path: Path) -> bool:
        """Whether something is there."""

    def write(self, path: Path, data: bytes) -> None:
        """Write a file whole."""


@dataclass(frozen=True, slots=True)
class Exported:
    """A document, and what lies beside it by its path."""

    body: bytes
    beside: dict[str, bytes] = field(default_factory=dict)


def export_workflow(
    data: DataDirectory, workflow: Workflow, kind: Format, *, folder: str, language: Language = "en"
) -> Exported:
    """A workflow in another form; pictures and vectors belong into `folder` beside it."""
    if kind == "bpmn":
        return Exported(bpmn_of(workflow, language))
    if kind == "md":
        document = sop_of(workflow, data.pictures.load, folder=folder, language=language)
        pictures = {f"{folder}/{name}": png for name, png in document.pictures.items()}
        return Exported(document.markdown.encode(), pictures)
    beside: dict[str, bytes] = {}
    for reference in references_in(workflow):
        if reference.is_picture:
            beside[f"{folder}/{reference.inside}"] = data.pictures.load(reference.path)
        elif reference.dimensions is not None:
            beside[f"{folder}/{reference.inside}"] = _npy(
                data.vectors.load(reference.path, dimensions=reference.dimensions)
            )
    body = json.dumps(workflow.to_json(), ensure_ascii=False, indent=2) + "\n"
    return Exported(body.encode(), beside)


def write_export(files: PersonsFiles, exported: Exported, out: Path, *, force: bool) -> None:
    """Write everything, what lies beside first; nothing that is there is replaced unless that was asked for."""
    places = {out.parent / name: data for name, data in exported.beside.items()} | {out: exported.body}
    taken = next((place for place in places if files.exists(place)), None)
    if taken is not None and not force:
        raise UsageError(
            f"{taken} is there already", remedy="Choose another name with --out, or replace it with --force."
        )
    for place, data in places.items():
        files.write(place, data)


class EditedMeanwhileError(RpaVisionError):
    """Somebody, or learning, made another version since the editing began. Nothing was changed."""

    code = "workflow.edited_meanwhile"
    default_remedy = "Look at the version that is in use now, and make the change there."


def check_version(former: Workflow, edited: Workflow) -> None:
    """Refuse what was made from another version than the one in use: what was learned since would be lost."""
    if edited.version != former.version:
        raise EditedMeanwhileError(f"{former.workflow_id} is at version {former.version}, not {edited.version}")


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of an import."""

    workflow: Workflow
    status: Literal["new", "updated", "unchanged"]
    version_id: str | None
    files: int = 0
    """How many vectors and pictures came with it."""


@dataclass(frozen=True, slots=True)
class Importer:
    """Takes workflows in."""

    data: DataDirectory
    files: PersonsFiles
    versions: VersionedStore
    clock: Clock
    on_update: Callable[[str], None] = lambda workflow_id: None

    def import_file(self, path: Path, *, force: bool = False) -> Imported:
        """Load an edited workflow back as its next version, or a new one as its first; all of it or nothing.

        One that was exported from another version than the one in use is only taken with `force`: it does not know what
        was learned since.
        """
        file = read_workflow_file(self.files.read(path, limit=MAX_BYTES), path.name)
        former = self._former(file)
        brought = self._brought(file, path.with_name(f"{path.stem}.files"))
        if former is not None and not brought and essence(former) == essence(file.workflow):
            return Imported(former, "unchanged", None)
        if former is not None and not force:
            try:
                check_version(former, file.workflow)
            except EditedMeanwhileError as error:
                raise EditedMeanwhileError(
                    f"{path.name}: {error}",
                    remedy="Export it again and make the change there; --force puts the file in the place of what was "
                    "learned since, which stays as a version.",
                ) from error
        return self.take_in(file, brought, reason=f"imported from {path.name}")

    def import_document(self, body: bytes, name: str, *, reason: str) -> Imported:
        """The same for a document that was edited here: whatever it refers to must be here already."""
        file = read_workflow_file(body, name)
        former = self._former(file)
        if former is not None and essence(former) == essence(file.workflow):
            return Imported(former, "unchanged", None)
        mistakes = []
        for reference in references_in(file.workflow):
            if self._here(reference) is None:
                line = file.line_of(*reference.where)
                mistakes.append(Mistake(line, ".".join(map(str, reference.where)), f"there is no {reference.path!r}"))
        refuse(mistakes, name)
        return self.take_in(file, {}, reason=reason)

    def take_in(self, file: WorkflowFile, brought: dict[str, bytes | Vector], *, reason: str) -> Imported:
        """Make a workflow that was checked the next version, with the files it brought."""
        former = self._former(file)
        version_id = self.versions.update(
            file.workflow.workflow_id, lambda number: self._put(file, brought, number), reason=reason
        )
        self.on_update(file.workflow.workflow_id)
        stored = self.data.workflows.load(file.workflow.workflow_id)
        return Imported(stored, "new" if former is None else "updated", version_id, len(brought))

    def _former(self, file: WorkflowFile) -> Workflow | None:
        known = self.data.workflows.list()
        workflow_id = file.workflow.workflow_id
        former = next((one for one in known.items if one.workflow_id == workflow_id), None)
        broken = next((bad for bad in known.unreadable if bad.name == f"workflows/{workflow_id}"), None)
        if former is None and broken is not None:
            raise UsageError(
                f"the workflow {workflow_id} that is there cannot be read: {broken.problem}",
                remedy=f"Go back to a good version first: rpa-vision heal rollback {workflow_id} --reason WHY",
            )
        return former

    def _brought(self, file: WorkflowFile, folder: Path) -> dict[str, bytes | Vector]:
        """The vectors and pictures beside the file that are not here yet, checked; what is nowhere is a mistake."""
        brought: dict[str, bytes | Vector] = {}
        mistakes: list[Mistake] = []
        for reference in references_in(file.workflow):
            try:
                found = self.files.read_below(folder, reference.path, limit=_MAX_FILE_BYTES)
                here = self._here(reference)
                if found is None and here is None:
                    raise UnknownIdError(f"there is no file {reference.path!r}, here or in {folder.name}/")
                given = None if found is None else _decoded(found, reference)
                if given is not None and not _same(given, here):
                    brought[reference.path] = given
            except RpaVisionError as error:
                mistakes.append(
                    Mistake(file.line_of(*reference.where), ".".join(map(str, reference.where)), str(error))
                )
        refuse(mistakes, file.name)
        return brought

    def _here(self, reference: Reference) -> bytes | Vector | None:
        try:
            if reference.is_picture:
                return self.data.pictures.load(reference.path)
            if reference.dimensions is None:
                raise UsageError("its space does not say how many dimensions it has", remedy="Add space.dimensions.")
            return self.data.vectors.load(reference.path, dimensions=reference.dimensions)
        except UnknownIdError:
            return None

    def _put(self, file: WorkflowFile, brought: dict[str, bytes | Vector], number: int) -> None:
        """First what it refers to, under names nobody has; then the workflow, trusted as the one there now."""
        workflow = file.workflow
        names: dict[str, str] = {}
        for index, (path, content) in enumerate(brought.items(), start=1):
            pure = PurePosixPath(path)
            place = f"workflows/{workflow.workflow_id}/imported_v{number:03d}/{index:03d}_{pure.name}"
            names[path] = place
            if isinstance(content, bytes):
                self.data.pictures.save(place, content)
            else:
                self.data.vectors.save(place, content)
        document = _renamed(workflow.to_json(), names)
        stored = Workflow.from_json(document).model_copy(
            update={"version": number, "updated_at": self._moment(workflow)}
        )
        self.data.workflows.save(_trusted(stored, self._former(file)))

    def _moment(self, workflow: Workflow) -> Any:
        return max(workflow.created_at, self.clock.now())


@dataclass(frozen=True, slots=True)
class Reference:
    """A file that a workflow refers to, and where in the document."""

    path: str
    where: tuple[str | int, ...]
    is_picture: bool
    dimensions: int | None = None

    @property
    def inside(self) -> str:
        """Its path below the data directory."""
        return inside_data(self.path).as_posix()


def references_in(workflow: Workflow) -> list[Reference]:
    """Every vector and picture, each once."""
    found: dict[str, Reference] = {}
    for index, node in enumerate(workflow.nodes):
        prototype = node.screen_template.embedding_prototype
        if prototype is None:
            continue
        where = ("nodes", index, "screen_template", "embedding_prototype")
        dimensions = prototype.space.dimensions if prototype.space is not None else None
        found.setdefault(prototype.vector_id, Reference(prototype.vector_id, (*where, "vector_id"), False, dimensions))
        for number, sample in enumerate(prototype.samples):
            found.setdefault(
                sample.image_path, Reference(sample.image_path, (*where, "samples", number, "image_path"), True)
            )
    for path, where_to in _looks(workflow.to_json()):
        found.setdefault(path, Reference(path, where_to, True))
    return list(found.values())


def _looks(document: Any, where: tuple[str | int, ...] = ()) -> list[tuple[str, tuple[str | int, ...]]]:
    """The pictures of targets, wherever they are in a document."""
    found: list[tuple[str, tuple[str | int, ...]]] = []
    items = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    for key, value in items:
        if key == "look" and isinstance(value, dict) and "image_path" in value:
            found.append((value["image_path"], (*where, key, "image_path")))
        found += _looks(value, (*where, key))
    return found


def _renamed(document: JsonObject, names: dict[str, str]) -> JsonObject:
    """The document with other paths where files got other names."""

    def renamed(value: Any, key: str | None) -> Any:
        if isinstance(value, dict):
            return {name: renamed(item, name) for name, item in value.items()}
        if isinstance(value, list):
            return [renamed(item, None) for item in value]
        return names.get(value, value) if key in ("image_path", "vector_id") and isinstance(value, str) else value

    changed: JsonObject = renamed(document, None)
    return changed


def _trusted(workflow: Workflow, former: Workflow | None) -> Workflow:
    """No more mature than it was here; a stranger is not mature at all, and a change of what is done is looked at."""
    level: LearningStateName = "OBSERVATION"
    changes: dict[str, Any] = {}
    metadata = workflow.metadata
    if former is not None:
        level = former.learning_state
        changes = {"stats": former.stats, "created_at": former.created_at}
        metadata = {**former.metadata, **metadata}
        if _deeds(former) != _deeds(workflow):
            level = min(level, "COACHING", key=_LEVELS.index)
            metadata = {**metadata, EDITED: True}
    changes["metadata"] = metadata
    return at_most(workflow.model_copy(update=changes), level)


_LEVELS: tuple[LearningStateName, ...] = ("OBSERVATION", "COACHING", "AUTO_CANDIDATE", "AUTO_CONFIRMÉ")


def _deeds(workflow: Workflow) -> str:
    """All that decides what a workflow does and where it thinks it is; files may have other names."""
    nameless = {reference.path: "" for reference in references_in(workflow)}
    return json.dumps(_renamed(json.loads(essence(workflow)), nameless), sort_keys=True)


def _npy(vector: Vector) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, np.asarray(vector, "<f4"), allow_pickle=False)
    return buffer.getvalue()


def _decoded(data: bytes, reference: Reference) -> bytes | Vector:
    if reference.is_picture:
        decode(data)  # an ImageError where it is none
        return data
    try:
        vector = np.load(io.BytesIO(data), allow_pickle=False)
    except (ValueError, EOFError, OSError, SyntaxError) as error:
        raise UsageError(f"{reference.path}: is not a vector file", remedy="Export the workflow again.") from error
    if vector.ndim != 1 or vector.dtype.str != "<f4" or vector.size != (reference.dimensions or vector.size):
        raise UsageError(f"{reference.path}: {vector.dtype} {vector.shape} instead of {reference.dimensions} numbers")
    return np.asarray(vector, np.float32)


def _same(given: bytes | Vector, here: bytes | Vector | None) -> bool:
    if here is None or isinstance(given, bytes) != isinstance(here, bytes):
        return False
    return _digest(given) == _digest(here)


def _digest(content: bytes | Vector) -> str:
    return hashlib.sha256(content if isinstance(content, bytes) else content.tobytes()).hexdigest()
