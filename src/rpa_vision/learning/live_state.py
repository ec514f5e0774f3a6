"""What is learned of a workflow and in use right now, as it lies in `workflows/<workflow_id>/`."""

from __future__ import annotations

import json
from dataclasses import dataclass

from rpa_vision.errors import DocumentError, UnknownIdError
from rpa_vision.learning.version_manifest import VersionLayout, VersionManifest, essence, references
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.models.workflow_standing import AUTO_CONFIRMED, LEARNING_STATES, LearningStateName
from rpa_vision.ports.learning import VersionFiles


@dataclass(frozen=True, slots=True)
class LiveState:
    """The live workflow, and its file to the last byte."""

    layout: VersionLayout
    workflow: Workflow
    document: bytes

    @property
    def references(self) -> tuple[str, ...]:
        """The vectors and pictures in use."""
        return references(self.workflow)

    def numbered(self, number: int) -> bytes:
        """The file as a version of that number keeps it."""
        if number == self.workflow.version:
            return self.document
        return as_stored(self.workflow.model_copy(update={"version": number}))

    def differs_from(self, files: VersionFiles, manifest: VersionManifest) -> bool:
        """Whether something else was learned since: what runs write down about themselves does not count."""
        version_id = manifest.version_id
        kept = files.read(self.layout.workflow(version_id))
        if kept is None:
            return True
        if kept != self.document:
            try:
                if essence(Workflow.from_json(kept)) != essence(self.workflow):
                    return True
            except DocumentError:
                return True
        own = {live: self.layout.kept(version_id, live) for live in self.references}
        other = [live for live, path in own.items() if not files.same(live, path)]
        found = files.digests(other)
        entries = manifest.entries
        return any(
            live not in found or own[live] not in entries or found[live].sha256 != entries[own[live]].sha256
            for live in other
        )


def as_stored(workflow: Workflow) -> bytes:
    """A workflow as its file holds it."""
    return workflow.model_dump_json(by_alias=True, indent=2).encode() + b"\n"


def maturity_of(document: bytes | None) -> LearningStateName:
    """How mature a workflow was whose document is broken. Where even that cannot be told, not at all."""
    try:
        data = json.loads(document or b"")
    except ValueError:
        data = None
    level = data.get("learning_state") if isinstance(data, dict) else None
    level = AUTO_CONFIRMED if level == "AUTO_CONFIRMED" else level
    return next((name for name in LEARNING_STATES if name == level), LEARNING_STATES[0])


def at_most(workflow: Workflow, level: LearningStateName) -> Workflow:
    """The same workflow, no more mature than that."""
    if LEARNING_STATES.index(workflow.learning_state) <= LEARNING_STATES.index(level):
        return workflow
    return at_exactly(workflow, level)


def at_exactly(workflow: Workflow, level: LearningStateName) -> Workflow:
    """The same workflow at that level."""
    if workflow.learning_state == level:
        return workflow
    learning = workflow.learning.model_copy(update={"state": level, "progression": None})
    return workflow.model_copy(update={"learning_state": level, "learning": learning})


def read_live(files: VersionFiles, layout: VersionLayout) -> LiveState:
    """The live state, or why there is none."""
    document = files.read(layout.live_workflow)
    if document is None:
        raise UnknownIdError(
            f"there is no workflow {layout.workflow_id!r}", remedy="`rpa-vision workflows` lists what there is."
        )
    workflow = Workflow.from_json(document, where=layout.live_workflow)
    if workflow.workflow_id != layout.workflow_id:
        raise DocumentError(f"{layout.live_workflow}: workflow_id: is {workflow.workflow_id!r}")
    return LiveState(layout, workflow, document)
