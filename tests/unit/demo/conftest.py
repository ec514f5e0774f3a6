"""Somebody at the clinic, signed in or not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from clinic_visit import Visit

from rpa_vision.demo.clinic.drift import Drift


@pytest.fixture
def visit() -> Iterator[Visit]:
    """Somebody at the login page."""
    visit = Visit()
    assert visit.client.get("/truth/drift").json() == Drift().as_dict()
    yield visit
    visit.store.close()


@pytest.fixture
def signed_in(visit: Visit) -> Visit:
    """Somebody at the list of invoices."""
    visit.log_in()
    return visit
