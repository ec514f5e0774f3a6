"""One office for all tests of a module: making it is the slow part."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from served import Served, served

from rpa_vision.testing.office_data import make_office


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    root = tmp_path_factory.mktemp("office") / "data"
    make_office(root, runs=12)
    with served(root) as opened:
        yield opened
