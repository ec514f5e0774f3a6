"""A book with the two screens most tests need, drawn once."""

from __future__ import annotations

import pytest
from run_by_hand import DONE, PAGE

from rpa_vision.testing.screens import ScreenBook


@pytest.fixture(scope="session")
def two_screens() -> ScreenBook:
    made = ScreenBook()
    made.draw("page", PAGE, title="Facture")
    made.draw("done", DONE, title="Liste")
    return made


@pytest.fixture
def book(two_screens: ScreenBook) -> ScreenBook:
    return two_screens.copy()
