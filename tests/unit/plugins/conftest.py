"""Fixtures for what is plugged in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from vlm_server import VlmServer, serving


@pytest.fixture
def vlm_server() -> Iterator[VlmServer]:
    yield from serving(VlmServer())
