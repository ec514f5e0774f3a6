"""The parts of a version: laid beside each other from the live state, and checked against the manifest.

What did not change since the version in use is linked and its hash taken over without reading it; were the file bad,
the hash would say so when somebody wants to go back to it. An index is built from the version's own vectors, so the
same vectors give the same file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rpa_vision.embedding.faiss_manager import FAISSManager
from rpa_vision.errors import DocumentError, RpaVisionError, UnknownIdError
from rpa_vision.learning.version_manifest import VersionedFile, VersionLayout, VersionManifest, references
from rpa_vision.models.state_embedding import EmbeddingSpace
from rpa_vision.models.vector_ref import inside_data
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.ports.learning import FileDigest, MemorySnapshots, VersionFiles
from rpa_vision.ports.storage import VectorStore

NewIndexFor = Callable[[str, EmbeddingSpace], FAISSManager]


@dataclass(frozen=True, slots=True)
class IndexSource:
    """What the index of one space is built from: (node, kept vector) in the order of the nodes."""

    space: EmbeddingSpace
    vectors: tuple[tuple[str, str], ...]

    def key(self, digests: dict[str, str]) -> str:
        """Names this source; the same key gives the same index."""
        named = [[node_id, digests[path]] for node_id, path in self.vectors]
        return hashlib.sha256(json.dumps([self.space.model_dump(mode="json"), named]).encode()).hexdigest()


class VersionParts:
    """Lays and checks the parts of versions."""

    def __init__(
        self, files: VersionFiles, vectors: VectorStore, memory: MemorySnapshots, new_index: NewIndexFor
    ) -> None:
        self._files = files
        self._vectors = vectors
        self._memory = memory
        self._new_index = new_index

    def lay_workflow(
        self, layout: VersionLayout, version_id: str, document: bytes, like: VersionManifest | None = None
    ) -> list[VersionedFile]:
        """The workflow as given, and links to everything it refers to."""
        workflow = Workflow.from_json(document, where=layout.live_workflow)
        known: dict[str, VersionedFile] = {}
        kept: list[str] = []
        entries = like.entries if like is not None else {}
        for live in references(workflow):
            path = layout.kept(version_id, live)
            before = entries.get(layout.kept(like.version_id, live)) if like is not None else None
            if before is not None and self._files.same(live, before.path):
                known[path] = VersionedFile(path=path, sha256=before.sha256, size_bytes=before.size_bytes)
            try:
                self._files.link(live, path)
            except UnknownIdError as error:
                raise DocumentError(f"{layout.live_workflow}: refers to a file that is not there: {error}") from error
            kept.append(path)
        self._files.write(layout.workflow(version_id), document)
        self._files.sync(kept)
        found = self._files.digests([*(path for path in kept if path not in known), layout.workflow(version_id)])
        return [*known.values(), *(_file(path, digest) for path, digest in found.items())]

    def lay_index(
        self,
        layout: VersionLayout,
        version_id: str,
        files: Sequence[VersionedFile],
        like: VersionManifest | None = None,
    ) -> tuple[list[VersionedFile], dict[str, str]]:
        """The index of each space over the version's own vectors, and what each was built from."""
        digests = {file.path: file.sha256 for file in files}
        laid: list[VersionedFile] = []
        keys: dict[str, str] = {}
        for source in self._sources(layout, version_id):
            space_id = source.space.id
            keys[space_id] = source.key(digests)
            known = like if like is not None and like.index_keys.get(space_id) == keys[space_id] else None
            old = [known.entries.get(path) for path in layout.index(known.version_id, space_id)] if known else []
            whole = [file for file in old if file is not None and self._files.has(file.path)]
            paths = layout.index(version_id, space_id)
            if len(whole) == len(paths):
                for file, path in zip(whole, paths, strict=True):
                    self._files.link(file.path, path)
                    laid.append(VersionedFile(path=path, sha256=file.sha256, size_bytes=file.size_bytes))
                self._files.sync(paths)
                continue
            for path, data in self._built(layout, version_id, source).items():
                self._files.write(path, data)
                laid.append(_file(path, digest_of(data)))
        return laid, keys

    def built_index(self, layout: VersionLayout, version_id: str) -> dict[str, bytes]:
        """The index files of a version, built from its vectors once more."""
        found: dict[str, bytes] = {}
        for source in self._sources(layout, version_id):
            found |= self._built(layout, version_id, source)
        return found

    def lay_memory(
        self, layout: VersionLayout, version_id: str, like: VersionManifest | None = None
    ) -> list[VersionedFile]:
        """The workflow's rows of the target memory as they are now."""
        path = layout.memory(version_id)
        data = self._memory.export_rows(layout.workflow_id)
        digest = digest_of(data)
        before = like.entries.get(layout.memory(like.version_id)) if like is not None else None
        if before is not None and before.sha256 == digest.sha256 and before.next_sha256 is None:
            self._files.link(before.path, path)
            self._files.sync([path])
        else:
            self._files.write(path, data)
        return [_file(path, digest)]

    def clear(self, layout: VersionLayout, version_id: str) -> None:
        """Remove every part of a version that is none (any more): its manifest is not there."""
        self._files.remove_folder(layout.folder(version_id))
        for space_id in self._files.names(layout.indexes):
            self._files.remove_folder(f"{layout.indexes}/{space_id}/{version_id}")
        self._files.remove(layout.memory(version_id))

    def problems(self, manifest: VersionManifest) -> list[str]:
        """Why nobody should go back to a version: every file is read, and no other may be there."""
        layout, version_id = VersionLayout(manifest.workflow_id), manifest.version_id
        named = manifest.entries
        strange = [path for path in named if not layout.is_part(version_id, path)]
        if strange:
            return [f"{strange[0]}: is named by {version_id}, but is not of it"]
        present = {*self._files.below(layout.folder(version_id)), *_index_parts(self._files, layout, version_id)}
        present.discard(layout.manifest(version_id))
        found = self._files.digests(named)
        problems = [f"{path}: is not of {version_id}" for path in sorted(present - named.keys())]
        problems += [f"{path}: is missing" for path in sorted(named.keys() - found.keys())]
        for path, digest in sorted(found.items()):
            if digest.sha256 not in (named[path].sha256, named[path].next_sha256):
                problems.append(f"{path}: does not hold what {version_id} kept")
        return problems or self._inner_problems(layout, manifest, named)

    def _inner_problems(
        self, layout: VersionLayout, manifest: VersionManifest, named: dict[str, VersionedFile]
    ) -> list[str]:
        try:
            workflow = self.workflow(layout, manifest.version_id)
        except RpaVisionError as error:
            return [str(error)]
        if workflow.workflow_id != manifest.workflow_id or workflow.version != manifest.number:
            return [f"{layout.workflow(manifest.version_id)}: is {workflow.workflow_id} version {workflow.version}"]
        version_id = manifest.version_id
        wanted = {layout.kept(version_id, live) for live in references(workflow)}
        wanted |= {layout.workflow(version_id), layout.memory(version_id)}
        idle = {path for path in named if path.startswith(f"{layout.folder(version_id)}/")} - wanted
        return [f"{path}: the manifest does not name it" for path in sorted(wanted - named.keys())] + [
            f"{path}: its workflow does not refer to it" for path in sorted(idle)
        ]

    def workflow(self, layout: VersionLayout, version_id: str) -> Workflow:
        """The workflow that a version keeps."""
        path = layout.workflow(version_id)
        return Workflow.from_json(self._files.read(path) or b"", where=path)

    def _sources(self, layout: VersionLayout, version_id: str) -> list[IndexSource]:
        spaces: dict[str, EmbeddingSpace] = {}
        vectors: dict[str, list[tuple[str, str]]] = {}
        for node in self.workflow(layout, version_id).nodes:
            prototype = node.screen_template.embedding_prototype
            # A vector whose space says nothing of its dimensions cannot be compared with anything: no index holds it.
            if prototype is not None and prototype.space is not None and prototype.space.dimensions is not None:
                spaces.setdefault(prototype.space.id, prototype.space)
                path = layout.kept(version_id, inside_data(prototype.vector_id).as_posix())
                vectors.setdefault(prototype.space.id, []).append((node.node_id, path))
        return [IndexSource(space, tuple(vectors[space_id])) for space_id, space in spaces.items()]

    def _built(self, layout: VersionLayout, version_id: str, source: IndexSource) -> dict[str, bytes]:
        index = self._new_index(layout.workflow_id, source.space)
        dimensions = source.space.dimensions or 0
        index.add_batch(
            [self._vectors.load(path, dimensions=dimensions) for _, path in source.vectors],
            [{"workflow_id": layout.workflow_id, "node_id": node_id} for node_id, _ in source.vectors],
        )
        saved = index.to_bytes()
        return dict(zip(layout.index(version_id, source.space.id), (saved.index, saved.metadata), strict=True))


def _index_parts(files: VersionFiles, layout: VersionLayout, version_id: str) -> list[str]:
    return [
        path
        for space_id in files.names(layout.indexes)
        for path in files.below(f"{layout.indexes}/{space_id}/{version_id}")
    ]


def digest_of(data: bytes) -> FileDigest:
    """What bytes hold, in short."""
    return FileDigest(hashlib.sha256(data).hexdigest(), len(data))


def _file(path: str, digest: FileDigest) -> VersionedFile:
    return VersionedFile(path=path, sha256=digest.sha256, size_bytes=digest.size_bytes)
