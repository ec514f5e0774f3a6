"""Datasets and what people said of their labels, below the data directory."""

from __future__ import annotations

import json

from rpa_vision.adapters.storage.atomic import AppendFile
from rpa_vision.adapters.storage.data_files import MAX_DOCUMENT_BYTES, MAX_PICTURE_BYTES, DataFiles, unknown
from rpa_vision.errors import DocumentError
from rpa_vision.models.dataset import DatasetExport, LabelReview
from rpa_vision.models.document import JsonObject

DOCUMENT = "dataset.json"


class FileDatasetStore:
    """Implements `app.dataset.DatasetStore`. A version is written once, its document last: without it there is none."""

    def __init__(self, files: DataFiles) -> None:
        self._files = files

    def versions(self, dataset_id: str) -> list[str]:
        """The versions that are whole, the oldest first."""
        names = self._files.paths.names("datasets", dataset_id)
        return [name for name in names if self._files.has(self._files.paths.dataset_file(dataset_id, name, DOCUMENT))]

    def names(self) -> list[str]:
        """The datasets there are."""
        kept = (name for name in self._files.paths.names("datasets") if name not in ("deployed", "reviews.jsonl"))
        return [name for name in kept if self.versions(name)]

    def next_version(self, dataset_id: str) -> str:
        """A number nobody has, unfinished ones included."""
        names = self._files.paths.names("datasets", dataset_id)
        numbers = [int(name[1:]) for name in names if name.startswith("v") and name[1:].isdecimal()]
        return f"v{max(numbers, default=0) + 1:03d}"

    def save_picture(self, dataset_id: str, version: str, name: str, png: bytes) -> str:
        """Keep a picture and give its data-relative path."""
        path = self._files.paths.dataset_file(dataset_id, version, "images", name)
        self._files.write(path, png, durable=False)
        return self._files.paths.relative(path)

    def save(self, dataset: DatasetExport, coco: dict[str, JsonObject]) -> str:
        """Keep a version, its document last, and give the path of that."""
        where = (dataset.dataset_id, f"v{int(dataset.version):03d}")
        for name, content in coco.items():
            data = json.dumps(content, ensure_ascii=False).encode()
            self._files.write(self._files.paths.dataset_file(*where, name), data)
        path = self._files.paths.dataset_file(*where, DOCUMENT)
        self._files.write_document(path, dataset)
        return self._files.paths.relative(path)

    def load(self, dataset_id: str, version: str | None = None) -> DatasetExport:
        """A version, or the newest."""
        known = self.versions(dataset_id) if dataset_id in self._files.paths.names("datasets") else []
        if not known:
            raise unknown("dataset", dataset_id, self.names(), command="rpa-vision dataset list")
        wanted = version or known[-1]
        if wanted not in known:
            raise unknown("version", f"{dataset_id} {wanted}", known, command="rpa-vision dataset list")
        path = self._files.paths.dataset_file(dataset_id, wanted, DOCUMENT)
        return self._files.read_document(path, DatasetExport, key="dataset_id", expected=dataset_id)

    def picture(self, path: str) -> bytes:
        """A picture of a dataset."""
        return self._files.read(self._files.paths.picture(path), limit=MAX_PICTURE_BYTES)

    def add_reviews(self, reviews: list[LabelReview]) -> None:
        """Append what people said; a line that was cut short costs only itself."""
        self._files.claim()
        with AppendFile(self._files.paths.label_reviews) as file, file.alone():
            for review in reviews:
                file.append(review.model_dump_json(exclude_none=True).encode())
            file.sync()

    def reviews(self) -> list[LabelReview]:
        """All that was said, the oldest first. A line that is none is left out."""
        path = self._files.paths.label_reviews
        if not self._files.has(path):
            return []
        found: list[LabelReview] = []
        for line in self._files.read(path, limit=MAX_DOCUMENT_BYTES).splitlines():
            try:
                found.append(LabelReview.from_json(line, where="reviews.jsonl"))
            except DocumentError:
                continue
        return found

    def folder(self, dataset_id: str, version: str, *below: str) -> str:
        """Where a version keeps what is made of it, as a path of this machine."""
        return str(self._files.paths.dataset_file(dataset_id, version, *below))

    def write(self, dataset_id: str, version: str, below: tuple[str, ...], data: bytes) -> None:
        """Keep a file of a version."""
        self._files.write(self._files.paths.dataset_file(dataset_id, version, *below), data, durable=False)

    def deploy(self, kind: str, files: dict[str, bytes]) -> dict[str, str]:
        """Install weights as the next version of their kind and give the path of each file."""
        names = self._files.paths.names("datasets", "deployed", kind)
        numbers = [int(name[1:]) for name in names if name.startswith("v") and name[1:].isdecimal()]
        version = f"v{max(numbers, default=0) + 1:03d}"
        placed: dict[str, str] = {}
        for name, data in files.items():
            path = self._files.paths.deployed_model(kind, version, name)
            self._files.write(path, data)
            placed[name] = str(path)
        return placed
