"""A data directory, a clock that only moves when told, and documents to keep."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.imaging.codec import encode_png
from rpa_vision.models.raw_session import RawSession
from rpa_vision.models.workflow_graph import Workflow

GOLDEN = Path(__file__).parents[2] / "golden"


class ManualClock:
    """Implements `ports.runtime.Clock`."""

    def __init__(self) -> None:
        self._seconds = 0.0

    def now(self) -> datetime:
        return datetime(2025, 11, 22, 10, 15, tzinfo=UTC) + timedelta(seconds=self._seconds)

    def monotonic(self) -> float:
        return self._seconds

    def sleep(self, seconds: float) -> None:
        self._seconds += seconds


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def data(root: Path, clock: ManualClock) -> FileDataDirectory:
    return FileDataDirectory(root, clock=clock)


@pytest.fixture
def png() -> bytes:
    return encode_png(np.zeros((4, 6, 4), np.uint8))


@pytest.fixture
def new_session() -> RawSession:
    """A session that has just begun."""
    document = golden("raw_session") | {"events": [], "screenshots": [], "ended_at": None}
    return RawSession.from_json(document)


@pytest.fixture
def workflow(data: FileDataDirectory) -> Workflow:
    """A workflow whose prototypes are there already."""
    document = golden("workflow")
    for node in document["nodes"]:
        vector_id = node["screen_template"]["embedding_prototype"]["vector_id"]
        data.vectors.save(vector_id, np.ones(512, np.float32))
    return Workflow.from_json(document)


def golden(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((GOLDEN / f"{name}.json").read_bytes())
    return loaded


@pytest.fixture
def golden_document() -> Any:
    return golden


def tree(root: Path) -> dict[str, bytes]:
    """Every file below a folder and what it holds."""
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


@pytest.fixture
def snapshot(root: Path) -> Any:
    return lambda: tree(root)
