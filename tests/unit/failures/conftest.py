"""A place for failure cases, and somebody who records them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rpa_vision.adapters.failures import FileFailureCaseStore
from rpa_vision.adapters.storage.data_files import DataFiles
from rpa_vision.adapters.storage.paths import DataPaths
from rpa_vision.system.failure_cases import FailureCaseRecorder
from rpa_vision.testing.manual_clock import ManualClock


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def cases(data: Path) -> FileFailureCaseStore:
    return FileFailureCaseStore(DataFiles(DataPaths(data)))


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def recorder(cases: FileFailureCaseStore, clock: ManualClock) -> FailureCaseRecorder:
    return FailureCaseRecorder(cases, clock)
