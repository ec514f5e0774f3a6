"""Making, mending and removing versions, so that at every instant each is whole or not there.

The manifest decides: it comes last when a version is made and goes first when it is removed. Only what runs write into
the version in use (statistics, maturity, target memory) is ever replaced in a version, and then its manifest accepts
the old and the new content for as long as that takes.
"""

from __future__ import annotations

from rpa_vision.errors import RpaVisionError
from rpa_vision.learning.live_state import LiveState
from rpa_vision.learning.version_manifest import VersionedFile, VersionLayout, VersionManifest, version_name
from rpa_vision.learning.version_parts import VersionParts, digest_of
from rpa_vision.learning.version_shelf import VersionShelf
from rpa_vision.ports.learning import VersionFiles
from rpa_vision.ports.runtime import Clock


class VersionMaker:
    """Changes which versions there are. Whoever calls holds the workflow's lock."""

    def __init__(self, files: VersionFiles, parts: VersionParts, shelf: VersionShelf, clock: Clock) -> None:
        self._files = files
        self._parts = parts
        self._shelf = shelf
        self._clock = clock

    def snapshot(
        self,
        layout: VersionLayout,
        live: LiveState,
        reason: str,
        parent: VersionManifest | None,
        *,
        before: float | None = None,
        abandoned: bool = False,
    ) -> VersionManifest:
        """Keep the live state as the next version. One that is abandoned from the start never comes into use."""
        taken = max(self._shelf.numbers(layout), default=0)
        number = live.workflow.version if live.workflow.version > taken else taken + 1
        version_id, document = version_name(number), live.numbered(number)
        now = self._clock.now()
        self._parts.clear(layout, version_id)
        try:
            files = self._parts.lay_workflow(layout, version_id, document, parent)
            index, keys = self._parts.lay_index(layout, version_id, files, parent)
            files += [*index, *self._parts.lay_memory(layout, version_id, parent)]
        except RpaVisionError:
            self._parts.clear(layout, version_id)
            raise
        manifest = VersionManifest(
            workflow_id=layout.workflow_id,
            version_id=version_id,
            created_at=now,
            reason=reason,
            parent=parent.version_id if parent is not None else None,
            success_rate_before=before if before is not None or parent is None else parent.success_rate_after,
            abandoned_at=now if abandoned else None,
            index_keys=keys,
            files=tuple(sorted(files, key=lambda file: file.path)),
        )
        self._shelf.put(layout, manifest)
        if not abandoned and document != live.document:
            self._files.write(layout.live_workflow, document)
        return manifest

    def replace(self, layout: VersionLayout, version_id: str, contents: dict[str, bytes]) -> VersionManifest | None:
        """Give files of a version new content; in between, its manifest accepts both. The manifest it then has."""
        manifest = self._shelf.find(layout, version_id)
        digests = {path: digest_of(data) for path, data in contents.items()}
        if manifest is None:  # nothing to keep true yet
            for path, data in contents.items():
                self._files.write(path, data)
            return None
        known = manifest.entries
        held = self._files.digests(contents)
        stale = [path for path in contents if path not in held or held[path].sha256 != digests[path].sha256]
        fresh = {
            path: VersionedFile(path=path, sha256=digests[path].sha256, size_bytes=digests[path].size_bytes)
            for path in contents
        }
        final = manifest.model_copy(update={"files": tuple(sorted({**known, **fresh}.values(), key=_by_path))})
        if final == manifest and not stale:
            return manifest
        both = {
            path: known[path].model_copy(update={"next_sha256": file.sha256})
            for path, file in fresh.items()
            if path in known and known[path] != file
        }
        if both:
            self._shelf.put(layout, manifest.model_copy(update={"files": tuple({**known, **both}.values())}))
        for path in stale:
            self._files.write(path, contents[path])
        if final != manifest:
            self._shelf.put(layout, final)
        return final

    def remove(self, layout: VersionLayout, manifest: VersionManifest, needed: set[str]) -> None:
        """The live files nobody needs any more, then the version's existence, then what it kept."""
        folder, version_id = f"{layout.folder(manifest.version_id)}/", manifest.version_id
        for live in (layout.live_of(version_id, file.path) for file in manifest.files if file.path.startswith(folder)):
            if layout.is_own(live) and live not in needed:
                self._files.remove(live)
        self._files.remove(layout.manifest(version_id))
        self._parts.clear(layout, version_id)


def _by_path(file: VersionedFile) -> str:
    return file.path
