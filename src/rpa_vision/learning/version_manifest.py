"""A version on paper: its name, where its parts lie, and the manifest that says what each must hold.

A version exists when its manifest does: the manifest is written last and removed first. Everything in it is checked
against the layout before it is used, so that a foreign manifest cannot name a file that is not the version's.
"""

from __future__ import annotations

import re
from typing import Annotated, Final, Literal

from pydantic import AwareDatetime, Field, StringConstraints
from pydantic.main import IncEx

from rpa_vision.errors import UsageError
from rpa_vision.models.auto_heal import VersionInfo
from rpa_vision.models.document import Document, Part
from rpa_vision.models.geometry import UnitInterval
from rpa_vision.models.ids import Id
from rpa_vision.models.vector_ref import DataPath, inside_data
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.models.workflow_standing import LearningState

Component = Literal["workflow", "prototypes", "faiss", "memory"]
COMPONENTS: Final[tuple[Component, ...]] = ("workflow", "prototypes", "faiss", "memory")

_VERSION = re.compile(r"v?(\d{1,9})")
_ELSEWHERE = "elsewhere"
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class VersionedFile(Part):
    """One file of a version."""

    path: DataPath
    sha256: Sha256
    size_bytes: int = Field(ge=0)
    next_sha256: Sha256 | None = Field(default=None, description="what it may hold already: it is being replaced")


class VersionManifest(Document):
    """Everything about one version: `learning/prototypes/<workflow_id>/vNNN/manifest.json`."""

    schema_version: Literal["version_manifest_v1"] = "version_manifest_v1"
    workflow_id: Id
    version_id: Id
    created_at: AwareDatetime
    reason: str = ""
    parent: Id | None = Field(default=None, description="the version in use when this one was made")
    success_rate_before: UnitInterval | None = None
    success_rate_after: UnitInterval | None = None
    abandoned_at: AwareDatetime | None = Field(default=None, description="when it was rolled back from, if it was")
    components_versioned: tuple[Component, ...] = COMPONENTS
    index_keys: dict[Id, Sha256] = Field(default={}, description="what the index of each space was built from")
    files: tuple[VersionedFile, ...]

    @property
    def number(self) -> int:
        """NNN of vNNN."""
        return number_of(self.version_id)

    @property
    def entries(self) -> dict[str, VersionedFile]:
        """What is written down about each file."""
        return {file.path: file for file in self.files}

    def info(self, *, in_use: bool) -> VersionInfo:
        """The version for people and scripts."""
        return VersionInfo(
            version_id=self.version_id,
            created_at=self.created_at,
            workflow_id=self.workflow_id,
            success_rate_before=self.success_rate_before,
            success_rate_after=self.success_rate_after,
            components_versioned=self.components_versioned,
            reason=self.reason,
            in_use=in_use,
            abandoned_at=self.abandoned_at,
        )


class RestoreJournal(Document):
    """A rollback that was decided: until it is removed, whoever comes next completes it."""

    schema_version: Literal["restore_v1"] = "restore_v1"
    workflow_id: Id
    version_id: Id
    leaving: Id | None = None
    at_most: LearningState | None = Field(default=None, description="how mature it may come back, where that is less")
    at: AwareDatetime


def version_name(number: int) -> str:
    """NNN as vNNN."""
    return f"v{number:03d}"


def number_of(version: str) -> int:
    """vNNN, or plain NNN, as a number."""
    found = _VERSION.fullmatch(version)
    if found is None or int(found[1]) < 1:
        raise UsageError(f"{version[:40]!r} is not a version", remedy="Versions are called v001, v002, and so on.")
    return int(found[1])


class VersionLayout:
    """Where everything of one workflow lies, relative to the data directory."""

    def __init__(self, workflow_id: str) -> None:
        self.workflow_id = workflow_id
        self.live = f"workflows/{workflow_id}"
        self.live_workflow = f"{self.live}/workflow.json"
        self.live_damaged = f"{self.live}/workflow.damaged.json"
        self.versions = f"learning/prototypes/{workflow_id}"
        self.journal = f"{self.versions}/restoring.json"
        self.indexes = f"faiss_index/workflow_{workflow_id}"

    def folder(self, version_id: str) -> str:
        return f"{self.versions}/{version_id}"

    def manifest(self, version_id: str) -> str:
        return f"{self.versions}/{version_id}/manifest.json"

    def workflow(self, version_id: str) -> str:
        return f"{self.versions}/{version_id}/workflow.json"

    def memory(self, version_id: str) -> str:
        return f"target_memory_snapshots/{self.workflow_id}/{version_id}.db"

    def index(self, version_id: str, space_id: str) -> tuple[str, str]:
        folder = f"{self.indexes}/{space_id}/{version_id}"
        return (f"{folder}/index.faiss", f"{folder}/metadata.json")

    def kept(self, version_id: str, live: str) -> str:
        """Where a version keeps a live file: the workflow's own as they lie, others under their whole path."""
        own = live.removeprefix(f"{self.live}/")
        inside = own if own != live and not own.startswith(f"{_ELSEWHERE}/") else f"{_ELSEWHERE}/{live}"
        return f"{self.folder(version_id)}/{inside}"

    def live_of(self, version_id: str, kept: str) -> str:
        """The other way round."""
        inside = kept.removeprefix(f"{self.folder(version_id)}/")
        own = inside.removeprefix(f"{_ELSEWHERE}/")
        return own if own != inside else f"{self.live}/{inside}"

    def is_own(self, live: str) -> bool:
        """Whether a live file belongs to this workflow alone."""
        return live.startswith(f"{self.live}/")

    def is_part(self, version_id: str, path: str) -> bool:
        """Whether a path is one that this version may have."""
        index = re.escape(self.indexes) + r"/[^/]+/" + re.escape(version_id) + r"/(index\.faiss|metadata\.json)"
        return (
            path.startswith(f"{self.folder(version_id)}/")
            or path == self.memory(version_id)
            or re.fullmatch(index, path) is not None
        )


def references(workflow: Workflow) -> tuple[str, ...]:
    """The vectors and pictures a workflow refers to, by their data-relative paths, each once."""
    prototypes = (node.screen_template.embedding_prototype for node in workflow.nodes)
    paths: list[str] = []
    for prototype in prototypes:
        if prototype is not None:
            paths += [prototype.vector_id, *(sample.image_path for sample in prototype.samples)]
    for _, action in workflow.actions():
        if action.target is not None and action.target.look is not None:
            paths.append(action.target.look.image_path)
    return tuple(sorted({inside_data(path).as_posix() for path in paths}))


def essence(workflow: Workflow) -> str:
    """What was learned, without what runs write down: how often, how well, how mature, when."""
    bookkeeping = ("version", "updated_at", "stats", "learning_state", "learning", "metadata", "embedding_spaces")
    left_out: dict[str, IncEx | bool] = dict.fromkeys(bookkeeping, True)
    left_out["edges"] = {"__all__": {"stats"}}
    left_out["nodes"] = {"__all__": {"metadata": {"observation_count"}}}
    return workflow.model_dump_json(exclude=left_out)
