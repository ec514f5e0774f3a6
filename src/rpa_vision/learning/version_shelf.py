"""The manifests of a workflow's versions: which there are, the newest first, each read when it is needed."""

from __future__ import annotations

import re

from rpa_vision.errors import DocumentError, RpaVisionError, UnknownIdError
from rpa_vision.learning.version_manifest import VersionLayout, VersionManifest, number_of, version_name
from rpa_vision.ports.learning import VersionFiles

_NAME = re.compile(r"v\d{3,9}")


class VersionShelf:
    """Finds, reads and writes manifests."""

    def __init__(self, files: VersionFiles) -> None:
        self._files = files

    def numbers(self, layout: VersionLayout) -> list[int]:
        """The numbers of all versions, the highest first."""
        return sorted((number_of(name) for name in self._folders(layout) if self.has(layout, name)), reverse=True)

    def leftovers(self, layout: VersionLayout) -> list[str]:
        """What looks like a version and has no manifest: somebody was stopped while making or removing it."""
        snapshots = self._files.names(layout.memory("v001").rpartition("/")[0])
        indexes = [
            name
            for space_id in self._files.names(layout.indexes)
            for name in self._files.names(f"{layout.indexes}/{space_id}")
        ]
        found = {*self._folders(layout), *(name.removesuffix(".db") for name in snapshots), *indexes}
        return sorted(name for name in found if _is_version(name) and not self.has(layout, name))

    def has(self, layout: VersionLayout, version_id: str) -> bool:
        """Whether there is such a version."""
        return self._files.has(layout.manifest(version_id))

    def get(self, layout: VersionLayout, version_id: str) -> VersionManifest:
        """The manifest of a version, or why there is none."""
        path = layout.manifest(version_id)
        data = self._files.read(path)
        if data is None:
            raise UnknownIdError(
                f"{layout.workflow_id} has no version {version_id}",
                remedy=f"`rpa-vision heal versions {layout.workflow_id}` lists those it has.",
            )
        manifest = VersionManifest.from_json(data, where=path)
        if (manifest.workflow_id, manifest.version_id) != (layout.workflow_id, version_id):
            raise DocumentError(f"{path}: is that of {manifest.workflow_id} {manifest.version_id}")
        return manifest

    def find(self, layout: VersionLayout, version_id: str | None) -> VersionManifest | None:
        """The manifest of a version, if it can be read."""
        if version_id is None:
            return None
        try:
            return self.get(layout, version_id)
        except RpaVisionError:
            return None

    def readable(self, layout: VersionLayout) -> list[VersionManifest]:
        """All manifests that can be read, the newest first."""
        found = (self.find(layout, version_name(number)) for number in self.numbers(layout))
        return [manifest for manifest in found if manifest is not None]

    def put(self, layout: VersionLayout, manifest: VersionManifest) -> None:
        """Write a manifest whole: from then on, that is the version."""
        data = manifest.model_dump_json(indent=1).encode() + b"\n"
        self._files.write(layout.manifest(manifest.version_id), data)

    def _folders(self, layout: VersionLayout) -> list[str]:
        return [name for name in self._files.names(layout.versions) if _is_version(name)]


def _is_version(name: str) -> bool:
    """Whether a name is written as we write it: one number has one name."""
    return _NAME.fullmatch(name) is not None and int(name[1:]) > 0 and version_name(int(name[1:])) == name
