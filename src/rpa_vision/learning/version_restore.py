"""Going back, all or nothing: the decision is one small file, and whoever finds it carries it out.

Once the journal is written, the version is restored, whatever happens: each step can be done twice, so after a crash
the next one to come simply does them all. What the workflow refers to comes first and the workflow itself by one
replacement, so that whoever reads in between sees one workflow or the other, with its files behind it. A version that
was more mature than what it replaces loses that first, in itself: what is restored is the version, to the last byte.
"""

from __future__ import annotations

from collections.abc import Callable

from rpa_vision.errors import DocumentError
from rpa_vision.learning.live_state import as_stored, at_most
from rpa_vision.learning.version_manifest import RestoreJournal, VersionLayout, VersionManifest
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.ports.learning import MemorySnapshots, VersionFiles

WriteManifest = Callable[[VersionLayout, VersionManifest], None]
Replace = Callable[[VersionLayout, str, dict[str, bytes]], VersionManifest | None]


class VersionRestorer:
    """Puts the parts of a version in the place of the live ones."""

    def __init__(
        self, files: VersionFiles, memory: MemorySnapshots, write_manifest: WriteManifest, replace: Replace
    ) -> None:
        self._files = files
        self._memory = memory
        self._write_manifest = write_manifest
        self._replace = replace

    def obstacles(self, layout: VersionLayout, manifest: VersionManifest) -> list[str]:
        """Files outside the workflow's folder that changed: they may be another workflow's too, and are not touched."""
        shared = [pair for pair in self._live_files(layout, manifest) if not layout.is_own(pair[1])]
        found = self._files.digests(live for _, live, _ in shared)
        return [
            f"{live}: lies outside the workflow's folder and no longer holds what {manifest.version_id} needs"
            for _, live, sha256 in shared
            if live in found and found[live].sha256 != sha256
        ]

    def begin(self, layout: VersionLayout, journal: RestoreJournal) -> None:
        """Decide. From here on there is no way back but the next rollback."""
        self._files.write(layout.journal, journal.model_dump_json(indent=2).encode() + b"\n")

    def pending(self, layout: VersionLayout) -> RestoreJournal | None:
        """The rollback that somebody began and did not complete."""
        data = self._files.read(layout.journal)
        if data is None:
            return None
        journal = RestoreJournal.from_json(data, where=layout.journal)
        if journal.workflow_id != layout.workflow_id:
            raise DocumentError(f"{layout.journal}: workflow_id: is {journal.workflow_id!r}")
        return journal

    def complete(
        self,
        layout: VersionLayout,
        journal: RestoreJournal,
        manifest: VersionManifest,
        leaving: VersionManifest | None,
    ) -> None:
        """Carry it out, from the start, however far it got before."""
        manifest = self._lowered(layout, journal, manifest)
        self._restore_files(layout, manifest)
        document = self._files.read(layout.workflow(manifest.version_id))
        rows = self._files.read(layout.memory(manifest.version_id))
        if document is None or rows is None:
            raise DocumentError(f"{layout.folder(manifest.version_id)}: has lost a part since it was checked")
        if self._files.read(layout.live_workflow) != document:
            self._files.write(layout.live_workflow, document)
        self._memory.import_rows(layout.workflow_id, rows)
        if manifest.abandoned_at is not None:
            self._write_manifest(layout, manifest.model_copy(update={"abandoned_at": None}))
        if leaving is not None and leaving.abandoned_at is None:
            self._write_manifest(layout, leaving.model_copy(update={"abandoned_at": journal.at}))
        self._files.remove(layout.journal)

    def _lowered(self, layout: VersionLayout, journal: RestoreJournal, manifest: VersionManifest) -> VersionManifest:
        """The version no more mature than the journal says: going back never gives more freedom."""
        path = layout.workflow(manifest.version_id)
        document = self._files.read(path)
        if journal.at_most is None or document is None:
            return manifest
        kept = Workflow.from_json(document, where=path)
        lowered = at_most(kept, journal.at_most)
        if lowered is kept:
            return manifest
        return self._replace(layout, manifest.version_id, {path: as_stored(lowered)}) or manifest

    def _restore_files(self, layout: VersionLayout, manifest: VersionManifest) -> None:
        wanted = [pair for pair in self._live_files(layout, manifest) if not self._files.same(pair[0], pair[1])]
        found = self._files.digests(live for _, live, _ in wanted)
        moved = []
        for kept, live, sha256 in wanted:
            if live not in found or found[live].sha256 != sha256:
                self._files.link(kept, live)
                moved.append(live)
        self._files.sync(moved)

    def _live_files(self, layout: VersionLayout, manifest: VersionManifest) -> list[tuple[str, str, str]]:
        """(kept, live, hash) of every vector and picture of a version."""
        folder, document = f"{layout.folder(manifest.version_id)}/", layout.workflow(manifest.version_id)
        return [
            (file.path, layout.live_of(manifest.version_id, file.path), file.sha256)
            for file in manifest.files
            if file.path.startswith(folder) and file.path != document
        ]
