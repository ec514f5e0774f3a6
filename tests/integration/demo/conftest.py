"""A real X server and window manager for the demonstration's own tests."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from person_desktop import Desktop, fresh_desktop

NEEDED = ("Xvfb", "openbox", "chromium", "mousepad")


@pytest.fixture
def desktop(tmp_path: Path) -> Iterator[Desktop]:
    """An empty desktop of this test's own."""
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing:
        pytest.fail(f"not installed: {', '.join(missing)}")
    with fresh_desktop(tmp_path) as desktop:
        yield desktop
