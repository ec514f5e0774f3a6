"""An office with a data directory of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from office import NEW, Office, show_three

from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.app.learn import LearnResult
from rpa_vision.app.run import RunRequest, run_workflow
from rpa_vision.app.wiring_auto_heal import AutoHeal, auto_heal
from rpa_vision.embedding.encoders import HashedScreenEncoder
from rpa_vision.embedding.fusion_engine import FusionEngine
from rpa_vision.embedding.state_embedder import StateEmbedder
from rpa_vision.models.execution import RunReport
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.screens import ScreenBook


@pytest.fixture(scope="session")
def office_embedder() -> StateEmbedder:
    return StateEmbedder(HashedScreenEncoder(), FusionEngine(), ManualClock())


def new_office(root: Path, embedder: StateEmbedder) -> Office:
    clock = ManualClock()
    return Office(FileDataDirectory(root / "data", clock=clock), ScreenBook(embedder=embedder), clock)


@pytest.fixture
def office(tmp_path: Path, office_embedder: StateEmbedder) -> Office:
    return new_office(tmp_path, office_embedder)


@pytest.fixture
def heal(office: Office) -> Iterator[AutoHeal]:
    with auto_heal(office.data, quiet=True) as opened:
        yield opened


@pytest.fixture
def learned(office: Office, heal: AutoHeal) -> LearnResult:
    office.keep(show_three(office.book))
    return office.learn(versions=heal.versions, on_update=heal.manager.on_update)


@pytest.fixture(scope="session")
def finished_run(
    tmp_path_factory: pytest.TempPathFactory, office_embedder: StateEmbedder
) -> tuple[RunReport, str, LearnResult]:
    """A workflow that was learned and run: the report, its page and what was learned. Only to be looked at."""
    office = new_office(tmp_path_factory.mktemp("office"), office_embedder)
    office.keep(show_three(office.book))
    learned = office.learn()
    request = RunRequest(learned.workflow, {"nom": NEW}, "auto", "a test")
    report, path = run_workflow(request, office.tools(office.desktop()))
    return report, Path(path).read_text(encoding="utf-8"), learned
