"""Learned workflows, one folder each. A workflow is only given out with its prototypes behind it (P003-14)."""

from __future__ import annotations

import unicodedata

from rpa_vision.adapters.storage.data_files import DataFiles, unknown
from rpa_vision.adapters.storage.pictures import FilePictureStore
from rpa_vision.adapters.storage.vectors import FileVectorStore
from rpa_vision.errors import DocumentError, InvalidIdError, RpaVisionError, UnknownIdError, UsageError
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.ports.storage import Listing, Unreadable


class FileWorkflowStore:
    """Implements `ports.storage.WorkflowStore`."""

    def __init__(self, files: DataFiles, vectors: FileVectorStore, pictures: FilePictureStore) -> None:
        self._files = files
        self._vectors = vectors
        self._pictures = pictures

    def save(self, workflow: Workflow) -> None:
        path = self._files.paths.workflow(workflow.workflow_id)
        where = self._files.paths.relative(path)
        self._check_prototypes(workflow, where)
        for field, action in workflow.actions():
            look = action.target.look if action.target is not None else None
            if look is not None and not self._pictures.exists(look.image_path):
                raise DocumentError(f"{where}: {field}.target.look.image_path: there is no picture {look.image_path!r}")
        for node in workflow.nodes:
            prototype = node.screen_template.embedding_prototype
            for sample in prototype.samples if prototype is not None else ():
                if not self._pictures.exists(sample.image_path):
                    field = f"nodes.{node.node_id}.screen_template.embedding_prototype.samples"
                    raise DocumentError(f"{where}: {field}: there is no picture {sample.image_path!r}")
        self._files.write_document(path, workflow)

    def load(self, workflow_id: str) -> Workflow:
        if self._is_there(workflow_id):
            return self._read(workflow_id)
        known = self.list()
        named = [workflow for workflow in known.items if _folded(workflow.name) == _folded(workflow_id)]
        if len(named) == 1:
            return named[0]
        if named:
            ids = ", ".join(workflow.workflow_id for workflow in named)
            raise UsageError(f"{len(named)} workflows have the name {workflow_id!r}: {ids}", remedy="Give the id.")
        words = [word for workflow in known.items for word in (workflow.workflow_id, workflow.name)]
        raise unknown("workflow", workflow_id, words, command="rpa-vision workflows")

    def list(self) -> Listing[Workflow]:
        workflows: list[Workflow] = []
        unreadable: list[Unreadable] = []
        for name in self._files.paths.names("workflows"):
            try:
                if self._files.has(self._files.paths.workflow(name)):  # else its maker was stopped before it was done
                    workflows.append(self._read(name))
            except RpaVisionError as error:
                unreadable.append(Unreadable(name=f"workflows/{name}", problem=str(error)))
        workflows.sort(key=lambda workflow: (_folded(workflow.name), workflow.workflow_id))
        return Listing(tuple(workflows), tuple(unreadable))

    def _is_there(self, workflow_id: str) -> bool:
        try:
            return self._files.has(self._files.paths.workflow(workflow_id))
        except InvalidIdError:  # then it can only be a name, and names never become paths
            return False

    def _read(self, workflow_id: str) -> Workflow:
        path = self._files.paths.workflow(workflow_id)
        workflow = self._files.read_document(path, Workflow, key="workflow_id", expected=workflow_id)
        self._check_prototypes(workflow, self._files.paths.relative(path))
        return workflow

    def _check_prototypes(self, workflow: Workflow, where: str) -> None:
        dimensions_of_space: dict[str, int] = {}
        for node in workflow.nodes:
            prototype = node.screen_template.embedding_prototype
            if prototype is None:
                continue
            field = f"{where}: nodes.{node.node_id}.screen_template.embedding_prototype"
            declared = prototype.space.dimensions if prototype.space is not None else None
            try:
                vector = self._vectors.read(prototype.vector_id, declared)
            except UnknownIdError as error:
                raise DocumentError(f"{field}.vector_id: there is no vector {prototype.vector_id!r}") from error
            except (DocumentError, InvalidIdError) as error:
                raise DocumentError(f"{field}.vector_id: {error}") from error
            usual = dimensions_of_space.setdefault(prototype.space_id, len(vector))
            if len(vector) != usual:
                raise DocumentError(
                    f"{field}.vector_id: has {len(vector)} dimensions; others of its space have {usual}"
                )


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold().strip()
